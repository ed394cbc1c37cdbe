"""Who plays goes first: while somebody waits for an answer, drawing for those who watch stands still.

Threads take turns on one processor. A play that comes upon a large drawing would wait for it again and again: whenever
it has asked the database it has to get its turn back.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import Any

from django.db import connection

PATIENCE = 0.1  # seconds that one drawing stands still at most, in all

_answering = 0
_quiet = threading.Condition()
_until: ContextVar[float] = ContextVar("until", default=0.0)


@contextmanager
def answering() -> Iterator[None]:
    """Somebody waits for what is done in here."""
    global _answering
    with _quiet:
        _answering += 1
    try:
        yield
    finally:
        with _quiet:
            _answering -= 1
            _quiet.notify_all()


@contextmanager
def giving_way() -> Iterator[None]:
    """Nobody waits for what is done in here: it stands still at first, ahead of each query, and where it says
    `give_way`."""
    token = _until.set(monotonic() + PATIENCE)
    try:
        give_way()
        with connection.execute_wrapper(_ahead_of_a_query):
            yield
    finally:
        _until.reset(token)


def give_way() -> None:
    """Waits while requests are being answered, but not for ever; does nothing outside of `giving_way`."""
    if until := _until.get():
        with _quiet:
            _quiet.wait_for(lambda: not _answering, max(0.0, until - monotonic()))


def _ahead_of_a_query(execute: Callable[..., Any], *query: Any) -> Any:
    give_way()
    return execute(*query)
