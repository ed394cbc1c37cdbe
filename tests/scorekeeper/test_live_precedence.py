"""Answers to players come before drawings for people who watch."""

import threading
from collections.abc import Callable

import pytest
from django.db import connection

from scorekeeper.live import Topic, parts, precedence, renderers
from scorekeeper.live.precedence import answering, give_way, giving_way
from scorekeeper.models import Club


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precedence, "PATIENCE", 30.0)


def order_of(step: Callable[[], object]) -> list[str]:
    """What finishes first: an answer in progress, or `step` in another thread."""
    done: list[str] = []
    begun = threading.Event()

    def other() -> None:
        begun.set()
        step()
        done.append("step")

    thread = threading.Thread(target=other)
    with answering():
        thread.start()
        begun.wait()
        thread.join(0.05)
        done.append("answer")
    thread.join()
    return done


def drawing(part: str) -> Callable[[], object]:
    return lambda: parts.drawn(Topic("club", 1), part, "en", version=1)


def test_a_drawing_for_who_watches_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    def draw(kind: str, id: int) -> str:
        give_way()
        return "drawn"

    monkeypatch.setitem(renderers, "watch", draw)
    monkeypatch.setitem(renderers, "pad", draw)
    assert order_of(drawing("watch")) == ["answer", "step"]
    assert order_of(drawing("pad")) == ["step", "answer"], "who plays waits for it"


@pytest.mark.django_db(transaction=True)
def test_it_stands_still_ahead_of_each_query(monkeypatch: pytest.MonkeyPatch) -> None:
    def draw(kind: str, id: int) -> str:
        try:
            return str(Club.objects.count())
        finally:
            connection.close()

    monkeypatch.setitem(renderers, "watch", draw)
    assert order_of(drawing("watch")) == ["answer", "step"]


def test_it_does_not_stand_still_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precedence, "PATIENCE", 0.01)
    with answering(), giving_way():
        for _ in range(1000):
            give_way()


def test_an_answer_gives_no_way() -> None:
    with answering():
        give_way()


def test_what_fails_holds_nobody_up() -> None:
    with pytest.raises(ValueError, match="refused"), answering():
        raise ValueError("refused")
    with giving_way():
        give_way()
