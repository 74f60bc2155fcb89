"""What a user has to change."""


class UserError(Exception):
    """A user's mistake: the message is one line that says what was wrong, what was expected, and what to do."""
