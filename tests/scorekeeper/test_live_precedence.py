"""Answers to players come before drawings for people who watch."""

import threading
from collections.abc import Callable

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from scorekeeper.live import Topic, parts, precedence, renderers
from scorekeeper.live.precedence import answering, give_way, giving_way
from scorekeeper.models import Club
from scorekeeper.serving import application as application_module
from scorekeeper.serving.application import Application


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


def test_a_page_stands_still_and_a_play_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    application = Application()

    def answer(request: HttpRequest) -> HttpResponse:
        give_way()
        return HttpResponse()

    monkeypatch.setattr(application, "get_response", answer)
    monkeypatch.setattr(application_module, "close_old_connections", lambda: None)
    request = RequestFactory().get("/")
    assert order_of(lambda: application._read(request)) == ["answer", "step"]
    request = RequestFactory().post("/")
    assert order_of(lambda: application._answer(request)) == ["step", "answer"]


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
