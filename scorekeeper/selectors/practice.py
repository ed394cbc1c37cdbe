"""What a visitor has at the practice table, read from their session."""

from django.contrib.sessions.backends.base import SessionBase

from scorekeeper.practice.contest import read_written
from scorekeeper.practice.saved import FORMAT, read_table
from scorekeeper.practice.table import PracticeTable

KEY = "practice"


def table_of(session: SessionBase) -> PracticeTable:
    """What this session has at the practice table; an empty one before the first game, and after the format of sessions
    has changed. One query unless the session is loaded."""
    value = session.get(KEY)
    return read_table(value, read_written) if value and value["format"] == FORMAT else PracticeTable()
