"""The process for those who only watch, as the server starts, uses and replaces it."""

import os
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper.serving import spectators
from scorekeeper.serving.spectators import SIGN, Spectators
from tests.waiting import until

HEAD = b"GET /live/?topic=nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
def gallery(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Spectators]:
    monkeypatch.setenv("SCOREKEEPER_DATA", str(tmp_path))
    started = Spectators(waiting=10)
    yield started
    started.end()


def answer(gallery: Spectators) -> bytes:
    """What comes back on a connection that is handed over: the beginning, or nothing if it is closed."""
    here, there = socket.socketpair()
    with here:
        here.settimeout(60)
        gallery.take(there, HEAD)
        return here.recv(12)


def test_one_that_cannot_start_is_tried_again(
    gallery: Spectators, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(spectators, "COMMAND", ["/nowhere/python"])
        assert answer(gallery) == b""
    assert "The process for spectators cannot start" in caplog.text
    assert answer(gallery) == b"HTTP/1.1 404"


def test_one_that_hangs_is_replaced(
    gallery: Spectators, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert answer(gallery) == b"HTTP/1.1 404"
    assert gallery._child
    os.kill(gallery._child.pid, signal.SIGSTOP)
    monkeypatch.setattr(spectators, "SILENT", 2)
    until(lambda: time.monotonic() - SIGN.unpack(gallery._sign)[1] > spectators.SILENT)
    gallery.wake()  # a play is enough to notice it
    until(lambda: "ended with status -9: no sign of life" in caplog.text)
    monkeypatch.undo()
    assert answer(gallery) == b"HTTP/1.1 404"
