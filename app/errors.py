"""What a user has to change."""


def one_line(text: str) -> str:
    """A message as one line that every terminal shows: what came from outside may hold line ends and more."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


class UserError(Exception):
    """A user's mistake: the message is one line that says what was wrong, what was expected, and what to do."""
