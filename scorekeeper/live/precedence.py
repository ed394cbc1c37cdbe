"""Players go first: while somebody sends something, pages and drawings for people who watch pause.

Threads take turns on one processor. While a large drawing is made, a play would have to wait for its turn again after
each query.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import Any

from django.db import connection

PATIENCE = 0.1  # seconds, the longest pause of one drawing in all

_answering = 0
_quiet = threading.Condition()
_until: ContextVar[float] = ContextVar("until", default=0.0)


@contextmanager
def answering() -> Iterator[None]:
    """Somebody waits for the result of this block."""
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
    """The result of this block is less urgent than a play. It pauses at its start, before each query, and at each
    `give_way`."""
    token = _until.set(monotonic() + PATIENCE)
    try:
        give_way()
        with connection.execute_wrapper(_before_query):
            yield
    finally:
        _until.reset(token)


def give_way() -> None:
    """Waits while the server answers those who send something, up to PATIENCE. Does nothing outside `giving_way`."""
    if until := _until.get():
        with _quiet:
            _quiet.wait_for(lambda: not _answering, max(0.0, until - monotonic()))


def _before_query(execute: Callable[..., Any], *query: Any) -> Any:
    give_way()
    return execute(*query)
