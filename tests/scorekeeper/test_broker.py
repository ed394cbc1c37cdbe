"""The folder that is the broker without Redis."""

import json
from pathlib import Path
from queue import Empty
from threading import Event, Thread

import pytest
from kombu import Connection

from scorekeeper.serving import broker

MESSAGES = 400


def channel(folder: Path) -> broker.Channel:
    options = {"data_folder_in": str(folder), "data_folder_out": str(folder), "control_folder": str(folder / "control")}
    found = Connection("filesystem://localhost", transport_options=options).channel()
    assert isinstance(found, broker.Channel), "its address leads to our transport"
    return found


def test_a_message_is_never_read_before_it_is_complete(tmp_path: Path) -> None:
    """Large messages are written while another thread reads."""
    writer, reader, written = channel(tmp_path), channel(tmp_path), Event()
    payload = {"body": "x" * 50_000}

    def write() -> None:
        for _ in range(MESSAGES):
            writer._put("q", payload)
        written.set()

    thread = Thread(target=write)
    thread.start()
    got = []
    while len(got) < MESSAGES:
        done = written.is_set()
        try:
            got.append(reader._get("q"))
        except Empty:
            assert not done or len(got) == MESSAGES, "a message is lost"
    thread.join()
    assert got == [payload] * MESSAGES
    assert not list(tmp_path.glob("*.*")), "nothing stays behind"


def test_messages_come_in_their_order(tmp_path: Path) -> None:
    both = channel(tmp_path)
    for number in range(3):
        both._put("q", {"n": number})
    names = sorted(path.name for path in tmp_path.glob("*.q.msg"))
    assert all(json.loads((tmp_path / name).read_text()) for name in names)
    assert len(names) == 3
    with pytest.raises(Empty):
        both._get("other")
