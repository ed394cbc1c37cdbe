"""scorekeeper/api/openapi/ describes the API as it is: what it allows and what it forbids is sent, and compared."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from typing import Any
from zlib import crc32

import pytest
import schemathesis
import yaml
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import HealthCheck, settings
from schemathesis import Case, Response
from schemathesis.config import ChecksConfig, PositiveDataAcceptanceConfig, SchemathesisConfig

import games
from games.agreement import RESPONSES
from games.entries import ENTRIES
from scorekeeper.api import ladders, leagues, urls
from scorekeeper.api import tournaments as api_tournaments
from scorekeeper.api.description import TEXT
from scorekeeper.live import parts
from scorekeeper.models import Change, Event, Match
from scorekeeper.selectors import matches as match_selectors
from scorekeeper.services import tournaments
from scorekeeper.services.ladders import challenge
from tests.conftest import Cast, enter, lasting_cast, plan_for
from tests.ladders import ladder_with, on
from tests.leagues import begun, divided, typed
from tests.nights import first
from tests.tournaments import released, scheduled, setup_of

DOCUMENT = yaml.safe_load(TEXT)
METHODS = {"get", "post", "put", "patch", "delete"}
QUICK = settings(
    max_examples=40, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
# For each operation, an answer that a program must have got: without it, the test would prove little.
MUST_GET = {"openMatch": 201, "enter": 201, "makeTournament": 201}
LARGEST_ID = 2**63 - 1
FOR_HOSTS = {"makeTournament", "makeStep", "makeLeagueStep", "makeLadderStep"}

# For these operations, a body that a new match takes.
TAKEN = {
    "openMatch": {"game": "block", "options": {}, "players": ["Ana", "Bo"]},
    "enter": {"seen": 0, "key": "k", "kind": "stop", "stopped": "abandoned"},
}

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume asynchronous"),
]


def api(document: Any, *, coverage: bool = True) -> Any:
    """The operations in the document. Without `coverage`, only with random values."""
    # Without the web server and its limits: they have tests of their own, and here they would hide the rest.
    described = schemathesis.openapi.from_dict(deepcopy(document), config=SchemathesisConfig())
    described.app = WSGIHandler()
    described.config.seed = 1
    described.config.phases.coverage.enabled = coverage
    # What fits the description can still be against the rules.
    described.config.checks = ChecksConfig(
        positive_data_acceptance=PositiveDataAcceptanceConfig(expected_statuses=["2xx", 403, 404, 409, 422, 429])
    )
    return described.exclude(path="/live/")  # an endless stream


@pytest.fixture(autouse=True)
def _in_the_transaction_of_the_test() -> Iterator[None]:
    """Keeps the database's connection open after each request, as Django's test client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture(scope="module")
def cast(django_db_setup: None, django_db_blocker: Any) -> Iterator[Cast]:
    """One for all tests here: whatever a case does is undone."""
    with lasting_cast(django_db_blocker) as cast:
        yield cast


@pytest.fixture(scope="module")
def ids(cast: Cast) -> dict[str, list[Any]]:
    """Tables, and a match of each game: new, in play and finished. The table may open one more. Clubs, tournaments with
    a round and without anybody, leagues before and after their first result, and a ladder with a challenge."""
    opened = []
    for number, game in enumerate(sorted(games.GAMES)):
        plan = plan_for(game)
        opened.append(enter(cast.open(game), plan[:number] if number < 7 else plan, now=timezone.now()).pk)
    cup = scheduled(cast, setup_of("block", "heads", order=["points", "manual"]), 4)
    released(cup)
    new = tournaments.start(club=cast.club, name="New", setup=setup_of("domizerka", "triples"), step=first("new"))
    played = begun(cast, {"First": ["Ana", "Bo", "Cleo", "Dan"]})
    typed(played, 1, 90, 10)
    ladder = ladder_with(cast.club, ["Ana", "Bo", "Cleo", "Dan"])
    challenge(event_id=ladder.pk, challenger=4, challenged=2, step=replace(on(ladder, 0), now=timezone.now()))
    return {
        "league": [played.pk, divided(cast, {"First": ["Eva", "Finn"]}).pk],
        "ladder": [ladder.pk],
        "table": [cast.table.pk, cast.other_table.pk],
        "match": opened,
        "club": [cast.club.slug, cast.other_club.slug],
        "tournament": [cup.pk, cup.pk, new.pk],
    }


@pytest.fixture(scope="module")
def host(cast: Cast) -> dict[str, Any]:
    """What the browser of a director sends with a request."""
    csrf = "a" * 32
    cookies = {"sessionid": cast.browser("director").cookies["sessionid"].value, "csrftoken": csrf}
    return {"cookies": cookies, "headers": {"X-CSRFToken": csrf}}


@pytest.fixture(scope="module")
def phone(cast: Cast) -> dict[str, Any]:
    """What a program with the table's token sends with a request."""
    return {"headers": cast.phone().headers}


@schemathesis.serializer("application/x-ndjson")
def as_lines(_context: Any, value: Any) -> bytes:
    """The values of a list, each on its line."""
    return b"\n".join(json.dumps(each).encode() for each in (value if isinstance(value, list) else [value]))


@contextmanager
def undone() -> Iterator[None]:
    """Everything is as before afterwards, so that each case finds the same objects. What is kept of what was saved is
    forgotten; most cases are refused and save nothing."""
    before, after = newest_change(), None
    try:
        with transaction.atomic():
            yield
            after = newest_change()
            transaction.set_rollback(True)
    finally:
        if after is None or after != before:
            match_selectors._positions.clear()
            parts.kept.cache_clear()


def newest_change() -> int:
    newest = Change.objects.order_by("-pk").values_list("pk", flat=True).first()
    assert newest, "the tournaments are announced"
    return newest


def aim(case: Case, ids: dict[str, list[Any]]) -> None:
    """Lets most ids mean real objects, the smallest `seen` the length of what it is about, and every other preview be
    none."""
    chosen = crc32(repr((case.path_parameters, case.body)).encode(errors="replace"))
    for name, value in case.path_parameters.items():
        # A value that the description forbids stays: it must be refused.
        allowed = re.fullmatch("[-a-zA-Z0-9_]+" if name == "club" else "[1-9][0-9]*", str(value))
        if allowed and (name == "club" or int(value) <= LARGEST_ID) and chosen % 5:
            case.path_parameters[name] = ids[name][chosen % len(ids[name])]
    if chosen % 2 and case.query.get("preview") == "1":
        del case.query["preview"]
    if isinstance(case.body, dict) and type(seen := case.body.get("seen")) is int and seen == 0:
        about = Match if "match" in case.path_parameters else Event
        lengths = {str(pk): length for pk, length in about.objects.values_list("pk", "length")}
        case.body["seen"] = lengths.get(str(next(iter(case.path_parameters.values()))), 0)


def test_the_description_has_every_route_with_its_methods() -> None:
    routes = {
        "/" + re.sub(r"<\w+:(\w+?)(_id)?>", r"{\1}", str(route.pattern)): route.callback.view_class
        for route in urls.urlpatterns
        if route.name != "api-nowhere"
    }
    served = {
        path: {method.lower() for method in view().allowed_methods} - {"options"} for path, view in routes.items()
    }
    described = {path: METHODS & item.keys() for path, item in DOCUMENT["paths"].items()}
    assert described == served | {reverse("live"): {"get"}}


def test_the_description_has_every_game_and_kind_of_entry() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    assert set(schemas["Game"]["enum"]) == set(games.GAMES)
    assert {kind["title"] for kind in schemas["Entry"]["oneOf"]} == {*ENTRIES, *RESPONSES, "reopen"}
    for name, kinds in (
        ("Step", api_tournaments.KINDS),
        ("LeagueStep", leagues.KINDS),
        ("LadderStep", ladders.KINDS),
    ):
        assert [kind["title"] for kind in schemas[name]["oneOf"]] == [*kinds]


def test_the_description_is_served(client: Client) -> None:
    answer = client.get(reverse("api-description"))
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/yaml")
    assert answer.content == TEXT


def name_of(case: Case) -> str:
    return str(case.operation.definition.raw["operationId"])


@pytest.fixture
def answers() -> Iterator[Counter[tuple[str, int]]]:
    """How often an operation was answered with which status."""
    counted: Counter[tuple[str, int]] = Counter()
    yield counted
    assert counted
    assert all(counted[name, MUST_GET.get(name, 200)] for name, _status in counted)


def without_made_up_sessions() -> Any:
    """The document for somebody who is signed in: hosts have a session of their own, and send no other."""
    document = deepcopy(DOCUMENT)
    for item in document["paths"].values():
        for operation in item.values():
            if isinstance(operation, dict) and operation["operationId"] in FOR_HOSTS:
                del operation["security"]
    return document


@api(without_made_up_sessions()).parametrize()
@QUICK
def test_a_program_gets_answers_as_described(
    case: Case,
    ids: dict[str, list[Any]],
    host: dict[str, Any],
    phone: dict[str, Any],
    answers: Counter[tuple[str, int]],
) -> None:
    with undone():
        aim(case, ids)
        known = host if name_of(case) in FOR_HOSTS else phone
        answers[name_of(case), case.call_and_validate(**known).status_code] += 1


@api(DOCUMENT, coverage=False).parametrize()
@QUICK
def test_anybody_gets_answers_as_described(case: Case, ids: dict[str, list[Any]]) -> None:
    with undone():
        aim(case, ids)
        case.call_and_validate()


def test_calls_that_follow_each_other_are_answered_as_described(cast: Cast, ids: dict[str, list[Any]]) -> None:
    headers = cast.phone().headers
    answers: Counter[tuple[str, int]] = Counter()
    # Everything begins with a match at this table.
    document = deepcopy(DOCUMENT)
    opening = document["paths"].pop("/tables/{table}/matches/")
    document["paths"][f"/tables/{cast.table.pk}/matches/"] = {"post": opening["post"]}

    class Calls(api(document).as_state_machine()):  # type: ignore[misc]
        def setup(self) -> None:
            self.calls = 0
            self.undone = undone()
            self.undone.__enter__()

        def teardown(self) -> None:
            self.undone.__exit__(None, None, None)

        def before_call(self, case: Case) -> None:
            """Every other call is one that the newest match takes, so that the calls after it find something."""
            super().before_call(case)
            self.calls += 1
            if self.calls % 2 and name_of(case) in TAKEN:
                case.body = {**TAKEN[name_of(case)]}
                newest = Match.objects.order_by("-pk").first()
                if newest and "match" in case.path_parameters:
                    case.path_parameters["match"] = newest.pk

        def get_call_kwargs(self, case: Case) -> dict[str, Any]:
            return {"headers": headers}

        def validate_response(
            self, response: Response, case: Case, additional_checks: list[Any] | None = None, **kwargs: Any
        ) -> None:
            # Names the token as the caller's own; otherwise it counts as a made-up one, which must be refused.
            case.validate_response(response, headers=headers, transport_kwargs=kwargs, recorder=self.recorder)
            answers[name_of(case), response.status_code] += 1

    Calls.run(settings=settings(QUICK, stateful_step_count=8))
    assert answers.keys() >= {("openMatch", 201), ("enter", 201), ("readMatch", 200), ("readRecord", 200)}
