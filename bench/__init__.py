"""Measures what a learner waits for, beside the plain ways of doing the same: `python -m bench`."""
