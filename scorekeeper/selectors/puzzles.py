"""What a visitor did with the puzzles, read from their session."""

from django.contrib.sessions.backends.base import SessionBase

from scorekeeper.practice.streak import FORMAT, Tries

KEY = "puzzles"


def tries_of(session: SessionBase) -> Tries:
    """The tries of this session; none before the first, and after their format has changed. One query unless the
    session is loaded."""
    value = session.get(KEY)
    return Tries.read(value) if value and value["format"] == FORMAT else Tries()
