"""What a host typed or corrected: no phone of the table takes it back, and the desk brings back exactly what was."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scorekeeper.access import Actor
from scorekeeper.models import Event, Match
from scorekeeper.selectors.audit import Asked, traces
from scorekeeper.selectors.events import event_now
from scorekeeper.selectors.matches import position
from scorekeeper.selectors.tournaments import standings_now
from scorekeeper.services import corrections, directing, events, tables, tournaments
from scorekeeper.services.events import Step
from tests.browsing import Browser
from tests.conftest import Cast, enter
from tests.nights import night_of
from tests.tournaments import played, released, scheduled, setup_of

Host = Callable[[str], Client]
UNDO: dict[str, Any] = {"kind": "undo"}
ONE_HAND: dict[str, Any] = {"kind": "hand", "opener": 0, "final": {"table": [0, 0], "left": [[], 30], "out": 0}}
REFUSAL = "A host entered this, so only a host can take it back. Call the host to the table."


def of_director(cast: Cast, event: Event, key: str) -> Step:
    return Step(Actor(cast.users["director"]), key, Event.objects.get(pk=event.pk).length, timezone.now())


def of_four(cast: Cast) -> tuple[Event, Match]:
    """A round robin of four with its first round on, and the match at table 1."""
    event = scheduled(cast, setup_of("block", "heads", options={"points_to_win": 50}), 4)
    released(event)
    return event, event.matches.get(table__number=1)


def of_night(cast: Cast) -> tuple[Event, Match]:
    """A club night with a match of two."""
    night = night_of(cast, 2, games=("block",), hands=3, now=timezone.now())
    return night, night.matches.get()


BOTH = pytest.mark.parametrize("begun", [of_four, of_night], ids=["tournament", "night"])
Begun = Callable[[Cast], tuple[Event, Match]]


def typed(cast: Cast, event: Event, totals: list[int], why: str = "") -> None:
    """The director types the result of table 1; `why`: in place of what is there."""
    where: Any = {"event_id": event.pk, "round_number": 1, "table": 1, "totals": totals}
    step = of_director(cast, event, f"typed {totals}")
    if why:
        directing.replace_result(**where, why=why, early=True, step=step)
    else:
        directing.type_result(**where, step=step)


def now_of(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


def phone_at(match: Match, client: Client | None = None) -> Browser:
    """A phone that scanned the code of the match's table."""
    assert match.table
    token = tables.fresh_token(table=match.table, now=timezone.now())
    return Browser(client).open(reverse("table_join", args=[token]))


def sent(client: Client, match: Match, key: str = "sent", query: str = "", **entry: Any) -> Any:
    """The answer of the API."""
    body = {"seen": now_of(match).length, "key": key, **entry}
    address = f"/api/v1/matches/{match.pk}/entries/{query}"
    return client.post(address, body, content_type="application/json")


def offered(client: Client, match: Match) -> bool:
    """Whether the API offers an undo."""
    return bool(client.get(f"/api/v1/matches/{match.pk}/").json()["offers"]["undo"])


def places(event: Event) -> list[tuple[Any, ...]]:
    rows = standings_now(event_now(Event.objects.get(pk=event.pk))).stages[0].rows
    return [(row.name, row.place, row.values) for row in rows]


def by_table(match: Match, *entries: dict[str, Any]) -> Match:
    return enter(now_of(match), [*entries], prefix=f"t{now_of(match).length}-", now=timezone.now())


def confirmed_by(cast: Cast, match: Match, *seats: int) -> None:
    entry = {"kind": "confirm", "seats": [*seats]}
    found = now_of(match)
    enter(found, [entry], prefix=f"c{found.length}-", by=Actor(cast.users["scorer"]), now=timezone.now())


# --- phones ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("hands", [0, 1])
def test_no_phone_takes_back_what_the_director_typed(cast: Cast, hands: int) -> None:
    event, match = of_four(cast)
    if hands:
        by_table(match, ONE_HAND)
    typed(cast, event, [60, 10], why="The phone lost a hand" if hands else "")
    before, phone = now_of(match), phone_at(match)
    for entry in (UNDO, {"kind": "result", "totals": [10, 60], "why": "no"}):
        for query in ("", "?preview=1"):
            answer = sent(phone.client, match, query=query, **entry)
            if not (query and entry["kind"] == "result"):
                assert answer.status_code == 403, (entry, query)
                assert "Call the host" in answer.json()["message"]
    assert not offered(phone.client, match)
    stale = sent(phone.client, match, seen=before.length - 1, **UNDO)
    assert (stale.status_code, stale.json()["offers"]["undo"]) == (409, False)
    assert REFUSAL in phone.words
    assert not phone.has_button("Wrong?") or 'class="hosts-only"' in phone.markup
    phone.post(
        reverse("match_entry", args=[match.pk]),
        {"seen": [str(before.length)], "key": ["x"], "entry": ['{"kind":"undo"}']},
    )
    assert phone.status == 403
    assert REFUSAL in phone.words
    assert now_of(match).length == before.length


@pytest.mark.parametrize(
    ("who", "classes"), [("scorer", "at-table keeps"), ("director", "at-table keeps hosts")], ids=["scorer", "director"]
)
def test_the_page_of_a_table_tells_hosts_from_scorers(cast: Cast, as_user: Host, who: str, classes: str) -> None:
    """Its styles show who may take back what a host typed, because the pad is drawn once for all."""
    page = Browser(as_user(who)).open(reverse("table", args=[cast.table.pk]))
    [found] = re.findall(r'<body class="([^"]*)"', page.markup)
    assert found.split() == classes.split()


def test_nobody_is_asked_about_an_abandoned_match(cast: Cast) -> None:
    _event, match = of_four(cast)
    phone = phone_at(match)
    for number, entry in enumerate((ONE_HAND, {"kind": "stop", "stopped": "abandoned"})):
        assert sent(phone.client, match, f"{number}", **entry).status_code == 201
    assert "The match is over" in phone.open(reverse("table", args=[match.table_id])).words
    assert "Is the score correct?" not in phone.words


def test_answers_of_players_can_still_be_taken_back(cast: Cast) -> None:
    event, match = of_four(cast)
    typed(cast, event, [60, 10])
    phone = phone_at(match)
    assert sent(phone.client, match, "yes", kind="confirm", seats=[0]).status_code == 201
    assert offered(phone.client, match)
    undone = sent(phone.client, match, "back", **UNDO)
    assert undone.status_code == 201
    assert undone.json()["offers"]["undo"] is False
    assert sent(phone.client, match, "more", **UNDO).status_code == 403


@BOTH
def test_no_phone_takes_back_a_correction_by_a_host(cast: Cast, begun: Begun) -> None:
    _event, match = begun(cast)
    by_table(match, ONE_HAND)
    otherwise = {"leader": 0, "final": {"table": [0, 0], "left": [[], 20], "out": 0}}
    fixed: dict[str, Any] = {"kind": "replace", "hand": 0, "with": otherwise, "why": "counted wrongly"}
    corrections.correct(
        match_id=match.pk,
        seen=now_of(match).length,
        key="fix",
        entries=[fixed],
        by=Actor(cast.users["director"]),
        now=timezone.now(),
    )
    phone = phone_at(match)
    assert not offered(phone.client, match)
    assert REFUSAL in phone.words
    back = {"kind": "undo", "to": {"hand": 0, "move": None}}
    for number, entry in enumerate((UNDO, back, {**fixed, "why": "no"})):
        assert sent(phone.client, match, f"no {number}", **entry).status_code == 403, entry
    page = phone.open(f"/matches/{match.pk}/")
    assert not page.has_button("Undo it and everything after it")
    assert REFUSAL in page.words
    assert sent(phone.client, match, "on", kind="hand", opener=0).status_code == 201, "the match goes on"
    assert offered(phone.client, match)
    assert sent(phone.client, match, "off", **UNDO).status_code == 201
    assert sent(phone.client, match, "further", **UNDO).status_code == 403


@BOTH
def test_no_phone_continues_a_match_that_a_host_ended(cast: Cast, begun: Begun, as_user: Host) -> None:
    _event, match = begun(cast)
    by_table(match, ONE_HAND)
    host = as_user("director")
    assert sent(host, match, "end", kind="stop", stopped="time").status_code == 201
    phone = phone_at(match)
    back = {"kind": "undo", "to": {"hand": 0, "move": None}}
    for number, entry in enumerate((UNDO, back)):
        assert sent(phone.client, match, f"no {number}", **entry).status_code == 403, entry
    assert sent(as_user("scorer"), match, "scorer", **UNDO).status_code == 403
    assert offered(host, match)
    assert sent(host, match, "yes", **UNDO).status_code == 201
    assert now_of(match).status == Match.Status.PLAYING


@BOTH
def test_what_the_table_entered_it_takes_back(cast: Cast, begun: Begun) -> None:
    _event, match = begun(cast)
    phone = phone_at(match)
    for number, entry in enumerate((ONE_HAND, {"kind": "stop", "stopped": "time"})):
        assert sent(phone.client, match, f"{number}", **entry).status_code == 201
    assert offered(phone.client, match)
    assert sent(phone.client, match, "u", **UNDO).status_code == 201


@BOTH
def test_hosts_see_that_a_phone_took_back_a_result(cast: Cast, begun: Begun, as_user: Host) -> None:
    event, match = begun(cast)
    phone, host = phone_at(match), Browser(as_user("director"))
    desk = f"/{'tournaments' if event.kind == Event.Kind.TOURNAMENT else 'nights'}/{event.pk}/desk/"
    notice = "A phone of table 1 took back its result. It is missing until the table enters it again."
    for number, entry in enumerate((ONE_HAND, {"kind": "stop", "stopped": "time"})):
        assert sent(phone.client, match, f"{number}", **entry).status_code == 201
    assert notice not in host.open(desk).words
    assert sent(phone.client, match, "undo", **UNDO).status_code == 201
    assert notice in host.open(desk).words
    found = [(trace.kind, trace.what, trace.match) for trace in traces(cast.club, Asked(log="tables"))]
    assert ("result-undone", "30 : 0", match.pk) in found
    audit = host.open(reverse("club_audit", args=[cast.club.slug])).words
    assert "a phone of table 1 took back the result “30 : 0”" in audit
    assert sent(phone.client, match, "again", kind="stop", stopped="time").status_code == 201
    assert notice not in host.open(desk).words


def test_an_undo_in_play_is_no_lost_result(cast: Cast) -> None:
    _event, match = of_four(cast)
    phone = phone_at(match)
    assert sent(phone.client, match, "hand", **ONE_HAND).status_code == 201
    assert sent(phone.client, match, "undo", **UNDO).status_code == 201
    assert not [trace for trace in traces(cast.club, Asked(log="tables")) if trace.kind == "result-undone"]


OTHERWISE: dict[str, Any] = {"leader": 0, "final": {"table": [0, 0], "left": [[], 20], "out": 0}}
CORRECTIONS: dict[str, dict[str, Any]] = {
    "undo": UNDO,
    "back": {"kind": "undo", "to": {"hand": 0, "move": None}},
    "hand": {"kind": "replace", "hand": 0, "with": OTHERWISE, "why": "wrong"},
    "seats": {"kind": "swap", "seats": [1, 0], "why": "wrong"},
}


def ended_by_phone(match: Match) -> Browser:
    """The phone of a table that entered a hand and the end."""
    phone = phone_at(match)
    for number, entry in enumerate((ONE_HAND, {"kind": "stop", "stopped": "time"})):
        assert sent(phone.client, match, f"{number}", **entry).status_code == 201
    return phone


@pytest.mark.parametrize("entry", CORRECTIONS.values(), ids=CORRECTIONS)
@pytest.mark.parametrize("over", ["closed", "next-round"])
def test_no_phone_corrects_what_is_settled(cast: Cast, entry: dict[str, Any], over: str, as_user: Host) -> None:
    event, match = of_four(cast)
    phone = ended_by_phone(match)
    assert sent(phone.client, match, "dispute", kind="dispute", seat=1).status_code == 201
    assert sent(phone.client, match, "withdraw", **UNDO).status_code == 201
    if over == "closed":
        tournaments.close(event_id=event.pk, open_matches="count", early=True, step=of_director(cast, event, "close"))
    else:
        for table in event.matches.exclude(pk=match.pk):
            played(table)
        released(event)
    before = places(event)
    if over == "closed":
        pad = phone.open(reverse("table", args=[match.table_id]))
        assert "is closed, so its results stay" in pad.words
        assert "releases the next round" not in pad.words
    for query in ("", "?preview=1"):
        answer = sent(phone.client, match, f"no{query}", query=query, **entry)
        code = "event-closed" if over == "closed" else "next-round"
        assert (answer.status_code, answer.json()["code"]) == (403, code)
    assert "The seats are wrong" not in phone.open(f"/matches/{match.pk}/").words
    for page in ("hands/0/", "seats/"):
        assert phone.open(f"/matches/{match.pk}/{page}").status == 403
        assert "Ask a host to change" in phone.words
    assert places(event) == before
    assert sent(phone.client, match, "fine", kind="confirm", seats=[0]).status_code == 201, "answers go on"
    assert sent(phone.client, match, "less", **UNDO).json()["code"] == code, "and stay"
    assert sent(as_user("director"), match, "host", **entry).status_code == 201


def test_hosts_see_that_a_phone_corrected_a_result(cast: Cast, as_user: Host) -> None:
    event, match = of_four(cast)
    phone, host = ended_by_phone(match), Browser(as_user("director"))
    notice = "A phone of table 1 corrected its result. Before, it was 30 : 0."
    assert notice not in host.open(f"/tournaments/{event.pk}/desk/").words
    assert sent(phone.client, match, "fix", **CORRECTIONS["hand"]).status_code == 201
    assert notice in host.open(f"/tournaments/{event.pk}/desk/").words
    found = [(trace.kind, trace.what, trace.match) for trace in traces(cast.club, Asked(log="tables"))]
    assert ("result-corrected", "30 : 0", match.pk) in found
    audit = host.open(reverse("club_audit", args=[cast.club.slug])).words
    assert "a phone of table 1 corrected the result “30 : 0”" in audit
    assert sent(phone.client, match, "yes", kind="confirm", seats=[0, 1]).status_code == 201
    assert notice in host.open(f"/tournaments/{event.pk}/desk/").words, "no phone puts it away"
    assert sent(host.client, match, "open", kind="reopen", why="checked").status_code == 201
    assert notice not in host.open(f"/tournaments/{event.pk}/desk/").words


def test_hosts_see_what_a_player_who_is_signed_in_corrected(cast: Cast, as_user: Host) -> None:
    event, match = of_four(cast)
    ended_by_phone(match)
    phone = phone_at(match, as_user("player"))
    assert sent(phone.client, match, "fix", **CORRECTIONS["hand"]).status_code == 201
    desk = Browser(as_user("director")).open(f"/tournaments/{event.pk}/desk/")
    assert "A phone of table 1 corrected its result." in desk.words
    found = [(trace.kind, trace.who) for trace in traces(cast.club, Asked(log="tables"))]
    assert ("result-corrected", "player") in found


def test_hosts_see_what_a_phone_corrected_on_a_night(cast: Cast, as_user: Host) -> None:
    night, match = of_night(cast)
    phone = ended_by_phone(match)
    assert sent(phone.client, match, "seats", **CORRECTIONS["seats"]).status_code == 201
    host = Browser(as_user("director")).open(f"/nights/{night.pk}/desk/")
    assert "A phone of table 1 corrected its result." in host.words


@BOTH
def test_no_phone_gives_the_result_of_a_host_to_others(cast: Cast, begun: Begun, as_user: Host) -> None:
    event, match = begun(cast)
    if event.kind == Event.Kind.TOURNAMENT:
        typed(cast, event, [60, 10])
    else:
        assert (
            sent(as_user("director"), match, "typed", kind="result", totals=[60, 10], stopped="time").status_code == 201
        )
    phone, before = phone_at(match), [seat.name for seat in match.seats.all()]
    answer = sent(phone.client, match, "no", **CORRECTIONS["seats"])
    assert (answer.status_code, answer.json()["code"]) == (403, "host-decided")
    seen = [str(now_of(match).length)]
    chosen = {"seat-0": ["1"], "seat-1": ["0"], "why": ["wrong"], "seen": seen, "key": ["page"], "do": ["save"]}
    assert REFUSAL in phone.post(f"/matches/{match.pk}/seats/", chosen).words
    assert [seat.name for seat in now_of(match).seats.all()] == before
    assert sent(as_user("director"), match, "yes", **CORRECTIONS["seats"]).status_code == 201


def test_no_table_ends_a_match_that_nobody_played(cast: Cast) -> None:
    event, match = of_four(cast)
    phone = phone_at(match)
    for query in ("?preview=1", ""):
        answer = sent(phone.client, match, query=query, kind="stop", stopped="early")
        assert (answer.status_code, answer.json()["code"]) == (422, "nothing-counted")
        assert "Call the director" in answer.json()["message"]
    assert now_of(match).finished_at is None
    typed(cast, event, [60, 10])
    assert list(position(now_of(match)).totals) == [60, 10]


def test_a_table_abandons_a_match_that_nobody_played(cast: Cast) -> None:
    _event, match = of_four(cast)
    assert sent(phone_at(match).client, match, kind="stop", stopped="abandoned").status_code == 201


# --- the desk ----------------------------------------------------------------------------------------------
def seen_of(match: Match) -> tuple[Any, ...]:
    found = now_of(match)
    state = position(found)
    return found.status, found.sheet, found.offers, state, state.agreement, state.before


@pytest.mark.parametrize("confirmed", [0, 1, 2])
@pytest.mark.parametrize("hands", [0, 1])
def test_an_undo_at_the_desk_brings_back_exactly_what_was(cast: Cast, hands: int, confirmed: int) -> None:
    event, match = of_four(cast)
    if hands:
        by_table(match, ONE_HAND, {"kind": "stop", "stopped": "time"})
    else:
        typed(cast, event, [60, 10])
    for seat in range(confirmed):
        confirmed_by(cast, match, seat)
    before, standings = seen_of(match), places(event)
    typed(cast, event, [10, 60], why="mixed up")
    assert list(position(now_of(match)).totals) == [10, 60]
    confirmed_by(cast, match, 0, 1)
    assert events.undo(event_id=event.pk, step=of_director(cast, event, "undo"))
    assert seen_of(match) == before
    assert places(event) == standings


def test_an_undo_of_a_first_result_puts_the_match_back_into_play(cast: Cast) -> None:
    event, match = of_four(cast)
    before = seen_of(match)
    typed(cast, event, [60, 10])
    confirmed_by(cast, match, 0, 1)
    assert events.undo(event_id=event.pk, step=of_director(cast, event, "undo"))
    assert seen_of(match) == before


def test_the_desk_says_what_an_undo_takes_back(cast: Cast, as_user: Host) -> None:
    event, match = of_four(cast)
    typed(cast, event, [60, 10])
    assert sent(as_user("director"), match, "seats", **CORRECTIONS["seats"]).status_code == 201
    assert sent(phone_at(match).client, match, "dispute", kind="dispute", seat=1).status_code == 201
    typed(cast, event, [10, 60], why="mixed up")
    desk = Browser(as_user("director")).open(f"/tournaments/{event.pk}/desk/").press("Undo: correction at table 1")
    assert "Undone: correction at table 1, round 1. Table 1 has 60 : 10 again." in desk.words
    desk.press("Undo: result of table 1")
    assert "Undone: result of table 1, round 1. The match at table 1 is in play again." in desk.words
    assert "Also taken back, because it was entered later: a dispute and corrected seats." in desk.words
    assert desk.has_button("Undo: round 1 seated")


def test_the_same_undo_again_says_nothing(cast: Cast) -> None:
    event, _match = of_four(cast)
    typed(cast, event, [60, 10])
    step = of_director(cast, event, "undo")
    assert events.undo(event_id=event.pk, step=step)
    assert events.undo(event_id=event.pk, step=step) is None


def test_an_undo_without_effect_says_so(cast: Cast, as_user: Host) -> None:
    event, match = of_four(cast)
    typed(cast, event, [60, 10])
    host = Browser(as_user("director"))
    assert sent(host.client, match, "host", **UNDO).status_code == 201
    by_table(match, ONE_HAND)
    before = seen_of(match)
    host.open(f"/tournaments/{event.pk}/desk/").press("Undo: result of table 1")
    assert "Nothing changed at the tables" in host.words
    assert seen_of(match) == before
    assert host.has_button("Undo: round 1 seated")


def test_an_undo_of_the_last_hand_after_the_match_says_so(cast: Cast, as_user: Host) -> None:
    night, match = of_night(cast)
    events.call_last_hand(event_id=night.pk, step=of_director(cast, night, "last"))
    by_table(match, ONE_HAND)
    assert now_of(match).finished_at
    host = Browser(as_user("director")).open(f"/nights/{night.pk}/desk/").press("Undo: last hand called")
    assert "Nothing changed at the tables" in host.words


def test_an_undo_of_an_end_at_the_desk_is_for_directors(cast: Cast) -> None:
    event, match = of_four(cast)
    by_table(match, ONE_HAND)
    before = seen_of(match)
    where: Any = {"event_id": event.pk, "round_number": 1, "table": 1}
    directing.end_match(**where, how="time", step=of_director(cast, event, "end"))
    phone = phone_at(match)
    assert sent(phone.client, match, **UNDO).status_code == 403
    assert events.undo(event_id=event.pk, step=of_director(cast, event, "undo"))
    assert seen_of(match) == before


# --- after the next round ----------------------------------------------------------------------------------
def test_a_result_taken_back_after_the_next_round_was_seated(cast: Cast, as_user: Host) -> None:
    event, match = of_four(cast)
    for table in event.matches.exclude(pk=match.pk):
        played(table)
    before = places(event)
    typed(cast, event, [60, 10])
    typed(cast, event, [10, 60], why="mixed up")
    released(event)
    host = Browser(as_user("director"))
    assert sent(host.client, match, "one", **UNDO).status_code == 201
    assert list(position(now_of(match)).totals) == [60, 10]
    assert sent(host.client, match, "two", **UNDO).status_code == 201
    assert now_of(match).status == Match.Status.PLAYING
    assert places(event) == before
    for address in ("", "desk/", "standings/", "cross-table/", "schedule/", "seats/"):
        assert host.open(f"/tournaments/{event.pk}/{address}").status == 200, address
    for address in (f"/matches/{match.pk}/", f"/tables/{match.table_id}/"):
        assert host.open(address).status == 200, address
    host.open(f"/tournaments/{event.pk}/desk/")
    assert "Round 1" in host.words
    where: Any = {"event_id": event.pk, "round_number": 1, "table": 1, "totals": [60, 20]}
    directing.type_result(**where, step=of_director(cast, event, "again"))
    assert list(position(now_of(match)).totals) == [60, 20]
