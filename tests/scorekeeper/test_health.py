"""What programs and people who watch over the server see of it."""

import json
import logging
import shutil
from datetime import timedelta
from itertools import count
from typing import NamedTuple

import pytest
from django.db import OperationalError
from django.http import HttpRequest, StreamingHttpResponse
from django.test import Client, RequestFactory, override_settings
from django.urls import get_resolver
from django.utils import timezone

from scorekeeper.models import Heartbeat, Job
from scorekeeper.selectors import health
from scorekeeper.services import events
from scorekeeper.serving import logs, metrics
from scorekeeper.serving.leaving import draining
from scorekeeper.tasks import sweep
from scorekeeper.views.head import as_get
from tests.conftest import Cast, enter, plan_for
from tests.nights import first

pytestmark = pytest.mark.django_db


class Usage(NamedTuple):
    free: int


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: Usage(free=12_000_000))


def ready() -> dict[str, str]:
    answer = Client().get("/health/ready/")
    assert answer.status_code == 200
    return answer.json()


def test_a_process_that_answers_is_alive(django_assert_num_queries) -> None:
    with django_assert_num_queries(0):
        assert Client().get("/health/live/").content == b"ok"


def test_a_process_that_is_about_to_end_wants_nobody_any_more() -> None:
    draining.set()
    try:
        assert Client().get("/health/live/").status_code == 503
        assert Client().get("/").status_code == 200
    finally:
        draining.clear()


def test_all_is_well_once_the_worker_has_swept() -> None:
    assert ready()["worker"] == "never seen"
    sweep()
    assert set(ready().values()) == {"ok"}


def test_a_silent_worker_and_a_full_disk_are_named(full_disk: None) -> None:
    Heartbeat.objects.create(of=health.WORKER, at=timezone.now() - timedelta(hours=1))
    state = ready()
    assert state["status"] == "degraded"
    assert state["worker"].startswith("no sweep by worker and beat since")
    assert state["disk"] == "almost full"
    assert {state[part] for part in ("database", "broker", "migrations")} == {"ok"}


@override_settings(REDIS_URL="redis://127.0.0.1:1/0")
def test_a_broker_that_is_away_is_named() -> None:
    health._redis.cache_clear()
    assert ready()["broker"] == "no answer from Redis"
    health._redis.cache_clear()


def test_the_host_learns_on_the_desk_that_the_disk_is_almost_full(cast: Cast, full_disk: None) -> None:
    night = events.start(club=cast.club, players=[], guests=["Ana", "Bo"], step=first("night"))
    host = Client()
    host.force_login(cast.users["director"], backend="django.contrib.auth.backends.ModelBackend")
    assert "almost full: 11.4\xa0MB are left" in host.get(f"/nights/{night.pk}/desk/").content.decode()


@override_settings(METRICS_TOKEN="of-prometheus")
def test_figures_are_for_those_with_the_token(cast: Cast) -> None:
    enter(cast.open("block"), plan_for("block")[:5])
    Job.objects.create(kind="x", made_at=timezone.now(), run_after=timezone.now() - timedelta(minutes=2))
    metrics.answered("read", 503, 0.3)
    assert Client().get("/metrics/").status_code == 404
    assert Client().get("/metrics/", headers={"Authorization": "Bearer wrong"}).status_code == 404
    answer = Client().get("/metrics/", headers={"Authorization": "Bearer of-prometheus"})
    text = answer.content.decode()
    figures = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert float(figures["scorekeeper_entries"]) >= 5
    assert float(figures["scorekeeper_job_age_seconds"]) > 119
    assert float(figures['scorekeeper_requests_total{kind="read",status="503"}']) >= 1
    assert {"scorekeeper_followers", "scorekeeper_connections", "scorekeeper_disk_free_bytes"} <= figures.keys()


@override_settings(METRICS_TOKEN="of-prometheus")
def test_the_process_has_figures_while_its_database_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> int:
        raise OperationalError("connection refused")

    monkeypatch.setattr(health, "entries", away)
    answer = Client().get("/metrics/", headers={"Authorization": "Bearer of-prometheus"})
    figures = dict(line.rsplit(" ", 1) for line in answer.content.decode().splitlines() if not line.startswith("#"))
    assert (answer.status_code, figures["scorekeeper_entries"]) == (200, "NaN")
    assert float(figures["scorekeeper_disk_free_bytes"]) > 0


@override_settings(METRICS_TOKEN="")
def test_without_a_token_in_the_settings_nobody_gets_figures() -> None:
    assert Client().get("/metrics/", headers={"Authorization": "Bearer "}).status_code == 404


def test_the_log_has_no_tokens_and_says_which_request() -> None:
    record = logging.LogRecord("x", logging.ERROR, "x.py", 1, "Not Found: %s", ("/t/abc-DEF_123/",), None)
    logs.request_id.set("1a2b3c4d")
    assert logs.OfRequests().filter(record)
    line = json.loads(logs.JsonLines().format(record))
    assert (line["message"], line["request"], line["level"]) == ("Not Found: /t/…/", "1a2b3c4d", "error")


TOKENS = [str(each.pattern) for each in get_resolver().url_patterns if "<str:token>" in str(each.pattern)]


@pytest.mark.parametrize("pattern", TOKENS)
def test_no_address_with_a_token_is_in_the_log(pattern: str) -> None:
    path = "/" + pattern.replace("<str:token>", "abc-DEF_123")
    record = logging.LogRecord("x", logging.INFO, "x.py", 1, "GET %s", (path,), None)
    assert logs.OfRequests().filter(record)
    assert "abc" not in record.getMessage()


@pytest.mark.parametrize("page", ["/", "/health/ready/", "/players/", "/nowhere/"])
def test_monitors_may_ask_for_the_head_of_a_page(page: str) -> None:
    whole, head = Client().get(page), Client().head(page)
    assert (head.status_code, head["Content-Type"]) == (whole.status_code, whole["Content-Type"])
    assert not head.content


def test_the_head_of_a_stream_ends(rf: RequestFactory) -> None:
    def stream(request: HttpRequest) -> StreamingHttpResponse:
        assert request.method == "GET"
        return StreamingHttpResponse(count(), content_type="text/event-stream")

    head = as_get(stream)(rf.head("/live/"))
    assert isinstance(head, StreamingHttpResponse)
    assert (head["Content-Type"], list(head)) == ("text/event-stream", [])
