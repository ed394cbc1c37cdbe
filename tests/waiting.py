"""Waiting for other processes and threads: for a condition, never for a fixed time."""

import socket
import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def until(condition: Callable[[], T], *, within: float = 30.0) -> T:
    """The result of `condition` once it is true. Fails after `within` seconds."""
    deadline = time.monotonic() + within
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"Still not after {within:.0f} s: {condition}")
        threading.Event().wait(0.02)
    return found


def free_port() -> int:
    """A free port of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as tried:
        return int(tried.getsockname()[1])
