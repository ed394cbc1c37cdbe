"""The database itself refuses what must never be true."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, models, transaction

import games
from scorekeeper.models import (
    Application,
    Arrival,
    AuditEntry,
    Call,
    CaptainLink,
    Club,
    DeviceToken,
    Entrant,
    Event,
    EventEntry,
    FormerName,
    Job,
    LineUp,
    LogEntry,
    Match,
    Membership,
    OneTimeLink,
    Pad,
    Player,
    RatingLine,
    RatingRules,
    Role,
    SamePerson,
    Season,
    Seat,
    SeatResult,
    Substitute,
    Table,
)
from tests.conftest import NOW, Cast

GAME = sorted(games.GAMES)[0]
Row = Callable[[Cast, Match], models.Model]


def entry(match: Match, **values: Any) -> LogEntry:
    return LogEntry(match=match, kind="undo", payload={}, at=NOW, **values)


def raw_match(cast: Cast, **values: Any) -> Match:
    return Match(club=cast.club, game=GAME, options={}, sheet={}, offers={}, created_at=NOW, **values)


def token(cast: Cast, sha256: str, short: str) -> DeviceToken:
    return DeviceToken(table=cast.table, sha256=sha256, short=short, made_at=NOW)


def link(sha256: str) -> OneTimeLink:
    return OneTimeLink(sha256=sha256, purpose="p", made_at=NOW, expires_at=NOW)


def rating_line(match: Match) -> RatingLine:
    who, _created = Player.objects.get_or_create(club=match.club, name="Eve")
    return RatingLine(match=match, player=who, person=who, game=GAME, at=NOW, values={}, everywhere={}, since=1)


def night(cast: Cast, **values: Any) -> Event:
    return Event(club=cast.club, **{"kind": "night", "started_at": NOW, **values})


def step(cast: Cast, **values: Any) -> EventEntry:
    event, _made = Event.objects.get_or_create(club=cast.club, defaults={"kind": "night", "started_at": NOW})
    return EventEntry(event=event, kind="undo", payload={}, at=NOW, **values)


def application(cast: Cast, **values: Any) -> Application:
    event, _made = Event.objects.get_or_create(club=cast.club, defaults={"kind": "tournament", "started_at": NOW})
    return Application(event=event, **{"players": ["Eve"], "asked_at": NOW, "key": "k", **values})


def arrival(cast: Cast) -> Arrival:
    event, _made = Event.objects.get_or_create(club=cast.other_club, defaults={"kind": "tournament", "started_at": NOW})
    return Arrival(event=event, player=cast.other_club.players.get(name="Ana"), at=NOW)


def former_name(cast: Cast) -> FormerName:
    return FormerName(player=cast.other_club.players.get(name="Ana"), name="Anna", folded="anna", until=NOW)


def the_same(cast: Cast, one: str, other: str) -> SamePerson:
    here, there = (Player.objects.get_or_create(club=cast.club, name=name)[0] for name in (one, other))
    return SamePerson(asked_by=here, asked_of=there, asked_at=NOW)


def season(cast: Cast, **values: Any) -> Season:
    days = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 1, 1)}
    return Season(club=cast.club, **{"name": "A", **days, **values})


def line_up(cast: Cast, side: int) -> LineUp:
    event, _made = Event.objects.get_or_create(club=cast.other_club, defaults={"kind": "league", "started_at": NOW})
    return LineUp(event=event, fixture=1, side=side, boards=[], submitted_at=NOW)


def captain_link(cast: Cast, digest: str) -> CaptainLink:
    event, _made = Event.objects.get_or_create(club=cast.other_club, defaults={"kind": "league", "started_at": NOW})
    return CaptainLink(event=event, entrant=1, sha256=digest, made_at=NOW)


def entrant(cast: Cast, number: int) -> Entrant:
    event, _made = Event.objects.get_or_create(club=cast.other_club, defaults={"kind": "night", "started_at": NOW})
    return Entrant(event=event, number=number, player=cast.other_club.players.get(name="Ana"), present=True)


def seat_result(match: Match, number: int, **values: Any) -> SeatResult:
    sums = {"seat": 0, "side": 0, "hands": 1, "points": 0, "against": 0, "others": 1}
    flags = {"counts": True, "unverified": False}
    return SeatResult(
        match=match, club=match.club, game=GAME, number=number, **{**sums, **flags, "name": "Eve", **values}
    )


def substitute(match: Match, name: str) -> Substitute:
    return Substitute(match=match, number=0, from_hand=1, name=name)


# For each constraint: a valid row, and one that must not exist next to it.
BITES: dict[str, tuple[Row, Row]] = {
    "club slug": (
        lambda c, m: Club(slug="a", name="A", created_at=NOW),
        lambda c, m: Club(slug="a", name="B", created_at=NOW),
    ),
    "membership_once": (
        lambda c, m: Membership(user=c.users["stranger"], club=c.club, role=Role.PLAYER),
        lambda c, m: Membership(user=c.users["stranger"], club=c.club, role=Role.OWNER),
    ),
    "player_nestor_once_a_club": (
        lambda c, m: Player(club=c.club, name="Nestor", program=True),
        lambda c, m: Player(club=c.club, name="Nestor 2", program=True),
    ),
    "membership_role_known": (
        lambda c, m: Membership(user=c.users["owner"], club=c.other_club, role=Role.PLAYER),
        lambda c, m: Membership(user=c.users["scorer"], club=c.other_club, role="king"),
    ),
    "player_name_once_a_club": (
        lambda c, m: Player(club=c.club, name="Eve"),
        lambda c, m: Player(club=c.club, name="Eve"),
    ),
    "player_merged_with_another": (
        lambda c, m: Player(club=c.club, name="Eve"),
        lambda c, m: Player(pk=999, club=c.club, name="Fay", merged_into_id=999),
    ),
    "player_claimed_once_a_club": (
        lambda c, m: Player(club=c.club, name="Eve", user=c.users["stranger"]),
        lambda c, m: Player(club=c.club, name="Fay", user=c.users["stranger"]),
    ),
    "same_person_once": (lambda c, m: the_same(c, "Ann", "Bo"), lambda c, m: the_same(c, "Ann", "Bo")),
    "same_person_of_two_rows": (lambda c, m: the_same(c, "Ann", "Bo"), lambda c, m: the_same(c, "Ann", "Ann")),
    "rating_rules_in_range": (
        lambda c, m: RatingRules(club=c.club, nights=200),
        lambda c, m: RatingRules(club=c.other_club, nights=201),
    ),
    "season_name_once_a_club": (lambda c, m: season(c), lambda c, m: season(c)),
    "season_ends_after_its_start": (
        lambda c, m: season(c),
        lambda c, m: season(c, name="B", ends_on=date(2025, 12, 31)),
    ),
    "season_of_known": (lambda c, m: season(c), lambda c, m: season(c, name="B", of="days")),
    "season_by_known": (lambda c, m: season(c), lambda c, m: season(c, name="B", by="looks")),
    "season_best_of_some": (lambda c, m: season(c), lambda c, m: season(c, name="B", best=0)),
    "former_name_once_a_player": (lambda c, m: former_name(c), lambda c, m: former_name(c)),
    "table_number_once_a_club": (lambda c, m: Table(club=c.club, number=7), lambda c, m: Table(club=c.club, number=7)),
    "table_number_from_one": (lambda c, m: Table(club=c.club, number=8), lambda c, m: Table(club=c.club, number=0)),
    "device token": (lambda c, m: token(c, "a" * 64, "a-1"), lambda c, m: token(c, "a" * 64, "a-2")),
    "short code": (lambda c, m: token(c, "a" * 64, "a-1"), lambda c, m: token(c, "b" * 64, "a-1")),
    "one time link": (lambda c, m: link("a" * 64), lambda c, m: link("a" * 64)),
    "match_status_known": (lambda c, m: raw_match(c), lambda c, m: raw_match(c, status="asleep", finished_at=NOW)),
    "match_ended_has_its_time": (
        lambda c, m: raw_match(c, status="finished", finished_at=NOW),
        lambda c, m: raw_match(c, status="finished"),
    ),
    "a match that goes on has no such time": (lambda c, m: raw_match(c), lambda c, m: raw_match(c, finished_at=NOW)),
    "seat_once_a_match": (
        lambda c, m: Seat(match=m, number=9, begun=9, name="Eve"),
        lambda c, m: Seat(match=m, number=9, begun=8, name="Fay"),
    ),
    "seat_begun_once_a_match": (
        lambda c, m: Seat(match=m, number=8, begun=9, name="Eve"),
        lambda c, m: Seat(match=m, number=9, begun=9, name="Fay"),
    ),
    "application_state_known": (lambda c, m: application(c), lambda c, m: application(c, key="l", state="lost")),
    "application_key_once_an_event": (lambda c, m: application(c), lambda c, m: application(c)),
    "arrival_once_an_event": (lambda c, m: arrival(c), lambda c, m: arrival(c)),
    "call_open_once_a_table": (
        lambda c, m: Call(club=c.club, table=c.table, asked_at=NOW),
        lambda c, m: Call(club=c.club, table=c.table, asked_at=NOW),
    ),
    "player_once_a_match": (
        lambda c, m: Seat(match=m, number=8, begun=8, name="Ana", player=c.other_club.players.get(name="Ana")),
        lambda c, m: Seat(match=m, number=9, begun=9, name="Ana", player=c.other_club.players.get(name="Ana")),
    ),
    "entry_seq_once_a_match": (lambda c, m: entry(m, seq=0, key="a"), lambda c, m: entry(m, seq=0, key="b")),
    "entry_key_once_a_match": (lambda c, m: entry(m, seq=0, key="a"), lambda c, m: entry(m, seq=1, key="a")),
    "night_open_once_a_club": (
        lambda c, m: night(c),
        lambda c, m: night(c, started_at=NOW + timedelta(days=1)),
    ),
    "event_entry_seq_once_an_event": (
        lambda c, m: step(c, seq=0, key="a"),
        lambda c, m: step(c, seq=0, key="b"),
    ),
    "event_entry_key_once_an_event": (
        lambda c, m: step(c, seq=0, key="a"),
        lambda c, m: step(c, seq=1, key="a"),
    ),
    "event_kind_known": (lambda c, m: night(c), lambda c, m: night(c, kind="festival")),
    "line_up_once_a_side": (lambda c, m: line_up(c, 0), lambda c, m: line_up(c, 0)),
    "line_up_of_a_side": (lambda c, m: line_up(c, 0), lambda c, m: line_up(c, 2)),
    "captain_link_valid_once_a_team": (lambda c, m: captain_link(c, "a"), lambda c, m: captain_link(c, "b")),
    "entrant_once_an_event": (lambda c, m: entrant(c, 1), lambda c, m: entrant(c, 2)),
    "seat_result_once_a_sitting": (lambda c, m: seat_result(m, 0), lambda c, m: seat_result(m, 0)),
    "seat_result_player_or_name": (lambda c, m: seat_result(m, 0), lambda c, m: seat_result(m, 1, name="")),
    "rating_line_once": (lambda c, m: rating_line(m), lambda c, m: rating_line(m)),
    "pad_once_a_table_and_phone": (
        lambda c, m: Pad(table=c.table, phone="p", since=NOW),
        lambda c, m: Pad(table=c.table, phone="p", since=NOW, held=False),
    ),
    "substitute_once_a_seat_and_hand": (lambda c, m: substitute(m, "Eve"), lambda c, m: substitute(m, "Fay")),
    "audit_kind_known": (
        lambda c, m: AuditEntry(club=c.club, kind="signed-in", at=NOW),
        lambda c, m: AuditEntry(club=c.club, kind="slept", at=NOW),
    ),
    "job_state_known": (
        lambda c, m: Job(kind="k", run_after=NOW, made_at=NOW),
        lambda c, m: Job(kind="k", run_after=NOW, made_at=NOW, state="asleep"),
    ),
    "job_runs_alone": (
        lambda c, m: Job(kind="ratings", run_after=NOW, made_at=NOW, state="running"),
        lambda c, m: Job(kind="ratings", run_after=NOW, made_at=NOW, state="running"),
    ),
}


@pytest.mark.parametrize("name", BITES)
def test_the_database_refuses(cast: Cast, name: str) -> None:
    match = cast.open(GAME)
    fine, wrong = BITES[name]
    fine(cast, match).save()
    with pytest.raises(IntegrityError), transaction.atomic():
        wrong(cast, match).save()


def test_every_named_constraint_is_tried() -> None:
    from django.apps import apps

    named = {c.name for model in apps.get_app_config("scorekeeper").get_models() for c in model._meta.constraints}
    assert named <= set(BITES)


def test_namesakes_without_a_row_in_the_club_may_sit_together(cast: Cast) -> None:
    match = cast.open(GAME)
    Seat.objects.create(match=match, number=8, begun=8, name="Somebody")
    Seat.objects.create(match=match, number=9, begun=9, name="Somebody")


def test_roles_cover_those_below() -> None:
    assert [[role.covers(need) for need in Role] for role in Role] == [
        [place <= need for need in range(len(Role))] for place in range(len(Role))
    ]


def test_a_match_with_a_log_cannot_be_deleted(cast: Cast) -> None:
    match = cast.open(GAME)
    entry(match, seq=0, key="a").save()
    with pytest.raises(models.ProtectedError):
        match.delete()
