"""Tournaments through the services: from the first entry to the standings."""

import random
from typing import Any

import pytest

from games.errors import GameError, Malformed
from scorekeeper.models import Event, Job, Match
from scorekeeper.selectors.events import event_now, state_of
from scorekeeper.selectors.tournaments import standings_now
from scorekeeper.services import events, jobs, schedules, tournaments
from scorekeeper.services.errors import Behind, Refused
from scorekeeper.standings.worths import PLACE, RESULT, SCORE
from scorekeeper.standings.writing import as_json
from scorekeeper.tasks import WORK
from tests.conftest import Cast, enter
from tests.nights import at, first
from tests.standings import second_opinion
from tests.tournaments import (
    entered,
    file_of,
    made,
    played,
    played_out,
    released,
    scheduled,
    setup_of,
)

# The setup, the number of entrants, the players of each, the rounds, and how many players sit at a table.
FORMATS: dict[str, tuple[dict[str, Any], int, int, int, int]] = {
    "heads, odd": (setup_of("block", "heads"), 5, 1, 5, 2),
    "heads, double": (setup_of("draw", "heads", double=True), 4, 1, 6, 2),
    "pairs": (
        setup_of("domino-whist", "heads", size=2, order=["points", "sonneborn-berger", "difference"]),
        4,
        2,
        3,
        4,
    ),
    "triples": (setup_of("domizerka", "triples", worth=PLACE, order=["points", "firsts", "start"]), 9, 1, 4, 3),
    "partners": (setup_of("domino-whist", "partners", worth=SCORE, order=["points", "wins", "lots"]), 5, 1, 5, 4),
    "fours": (setup_of("dominards", "fours", worth=PLACE, rounds=2, order=["points", "best-table"]), 8, 1, 2, 4),
}


@pytest.mark.parametrize("name", FORMATS)
def test_a_whole_tournament(cast: Cast, name: str) -> None:
    setup, entrants, size, rounds, seats = FORMATS[name]
    event = scheduled(cast, setup, entrants, size)
    played_out(event)
    file = file_of(event)
    (stage,) = file["stages"]
    assert (len(stage["rounds"]), stage["rounds_planned"]) == (rounds, rounds)
    for each in stage["rounds"]:
        named = [who for table in each["tables"] for side in table["sides"] for who in side]
        assert sorted([*named, *(bye["entrant"] for bye in each["unplayed"])]) == list(range(1, entrants + 1))
        assert all(table["totals"] for table in each["tables"])
    assert {match.seats.count() for match in event.matches.all()} == {seats}
    found = as_json(standings_now(event_now(Event.objects.select_related("club").get(pk=event.pk))), why=False)
    second = second_opinion.standings(file)
    for row in second["stages"][0]["rows"]:
        del row["why"]
    assert found == second
    closed(event)
    with pytest.raises(Refused, match="closed"):
        tournaments.withdraw(event_id=event.pk, entrants=[1], step=at(event, "too late"))


def closed(event: Event) -> None:
    events.close(event_id=event.pk, open_matches=None, step=at(event, "close"))


def test_matches_show_in_the_table_as_they_end(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    one, other = released(event)
    played(one)
    played(other, moves=2)
    assert [bool(table["totals"]) for table in file_of(event)["stages"][0]["rounds"][0]["tables"]] == [True, False]
    found = standings_now(event_now(Event.objects.select_related("club").get(pk=event.pk)))
    assert sum(found.stages[0].results.totals.values()) == 1


def test_who_did_not_come_loses_by_forfeit(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    match, _other = released(event)
    assert match.table
    number = match.table.number
    tournaments.forfeit(event_id=event.pk, round_number=1, table=number, absent=[1], step=at(event, "absent"))
    match.refresh_from_db()
    assert match.status == Match.Status.STOPPED
    table = file_of(event)["stages"][0]["rounds"][0]["tables"][0]
    assert (table["absent"], table["totals"]) == ([1], None)
    assert values(event, "points") == {**dict.fromkeys((1, 2, 3, 4), "0"), table["sides"][0][0]: "1"}
    events.undo(event_id=event.pk, step=at(event, "not yet"))
    match.refresh_from_db()
    assert match.status == Match.Status.PLAYING
    tournaments.forfeit(event_id=event.pk, round_number=1, table=number, absent=[1], step=at(event, "absent again"))
    # After all they come: the match goes on, and its result counts.
    tournaments.forfeit(event_id=event.pk, round_number=1, table=number, absent=[], step=at(event, "here"))
    match.refresh_from_db()
    assert match.status == Match.Status.PLAYING
    assert set(values(event, "points").values()) == {"0"}
    played(match)
    assert sum(map(second_opinion.exact, values(event, "points").values())) == 1
    with pytest.raises(Refused, match="does not exist in that round"):
        tournaments.forfeit(event_id=event.pk, round_number=2, table=number, absent=[0], step=at(event, "wrong"))


def test_a_correction_of_wrong_seats_counts(cast: Cast) -> None:
    event = scheduled(cast, setup_of("domino-whist", "partners", worth=SCORE), 4)
    (match,) = released(event)
    played(match)
    before = file_of(event)["stages"][0]["rounds"][0]["tables"][0]
    match.refresh_from_db()
    enter(match, [{"kind": "swap", "seats": [1, 0, 2, 3]}])
    after = file_of(event)["stages"][0]["rounds"][0]["tables"][0]
    (one, two), (three, four) = before["sides"]
    assert after["sides"] == [[three, two], [one, four]]
    assert after["totals"] == before["totals"]


def test_penalties_are_taken_off_and_given_back(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    played_out(event)
    before = values(event, "points")
    penalty = {"event_id": event.pk, "entrant": 2, "round_number": 1, "points": "1/2"}
    with pytest.raises(Refused, match="Give a reason"):
        tournaments.penalise(**penalty, reason=" ", step=at(event, "no reason"))
    with pytest.raises(Malformed, match="200"):
        tournaments.penalise(**penalty, reason="x" * 201, step=at(event, "too long"))
    with pytest.raises(Refused, match="not seated yet"):
        tournaments.penalise(**penalty | {"round_number": 4}, reason="late", step=at(event, "too early"))
    with pytest.raises(Refused, match="not seated yet"):
        tournaments.penalise(**penalty | {"round_number": 0}, reason="late", step=at(event, "no round"))
    tournaments.penalise(**penalty, reason="late", step=at(event, "late"))
    assert second_opinion.exact(values(event, "points")[2]) == second_opinion.exact(before[2]) - second_opinion.HALF
    tournaments.cancel_penalty(event_id=event.pk, number=0, reason="the bus", step=at(event, "not late"))
    assert values(event, "points") == before
    with pytest.raises(Refused, match="does not exist"):
        tournaments.cancel_penalty(event_id=event.pk, number=1, reason="the bus", step=at(event, "which"))


def test_whoever_would_meet_somebody_who_left_has_a_bye(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    for match in released(event):
        played(match)
    tournaments.withdraw(event_id=event.pk, entrants=[3], step=at(event, "leaves"))
    (match,) = released(event)
    played(match)
    second = file_of(event)["stages"][0]["rounds"][1]
    assert len(second["tables"]) == len(second["unplayed"]) == 1
    tournaments.come_back(event_id=event.pk, entrants=[3], step=at(event, "returns"))
    assert len(released(event)) == 2


def test_the_schedule_can_be_made_again_until_the_first_round_is_seated(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    player = cast.club.players.create(name="Late")
    tournaments.enter(event_id=event.pk, entrants=[[player.pk]], step=at(event, "late"))
    made(event, "again")
    assert len(state_of(event).plan) == 5
    released(event)
    for change in (
        lambda: made(event, "too late"),
        lambda: tournaments.set_up(
            event_id=event.pk, name="Cup", setup=setup_of("draw", "heads"), step=at(event, "set up")
        ),
    ):
        with pytest.raises(Refused, match="first round is seated"):
            change()


def test_many_entrants_are_left_to_a_worker_and_two_of_them_make_one_schedule(cast: Cast) -> None:
    event = entered(cast, setup_of("domino-whist", "partners"), 20)
    step = at(event, "schedule")
    job = schedules.schedule(event=event, rng=random.Random(1), step=step)
    assert schedules.schedule(event=event, rng=random.Random(2), step=step) == job
    assert (job.state, state_of(event).plan) == (Job.State.NEW, ())
    for _worker in range(2):
        jobs.run(job.pk, WORK)
    assert Event.objects.get(pk=event.pk).length == 3
    assert len(state_of(event).plan) == 19


def test_a_schedule_is_made_again_if_somebody_came_meanwhile(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    event = entered(cast, setup_of("block", "heads"), 18)
    job = schedules.schedule(event=event, rng=random.Random(1), step=at(event, "schedule"))
    player, arrived = cast.club.players.create(name="Late"), []
    progress = jobs.Run.progress

    def one_more(run: jobs.Run, done: int, total: int) -> None:
        if not arrived:
            arrived.append(player)
            tournaments.enter(event_id=event.pk, entrants=[[player.pk]], step=at(event, "late"))
        progress(run, done, total)

    monkeypatch.setattr(jobs.Run, "progress", one_more)
    jobs.run(job.pk, WORK)
    assert len(state_of(event).plan) == 19
    job.refresh_from_db()
    assert job.state == Job.State.DONE


def test_steps_are_made_once_and_never_blindly(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    step = at(event, "draft")
    for _ in range(2):
        tournaments.draft_next(event_id=event.pk, step=step)
    with pytest.raises(Behind):
        tournaments.withdraw(event_id=event.pk, entrants=[1], step=first("unseen"))
    assert tournaments.start(club=cast.club, name="Cup", setup=setup_of("block", "heads"), step=first("start")) == event


@pytest.mark.parametrize(
    ("setup", "says"),
    [
        (setup_of("chess", "heads"), "game does not exist"),
        (setup_of("block", "sixes"), "is not one of"),
        (setup_of("block", "heads", order=[]), "needs criteria"),
        (setup_of("block", "heads", order=["luck"]), "is not one of"),
        (setup_of("block", "heads", worth={**RESULT, "win": "0.5"}), "whole number, or a fraction"),
    ],
)
def test_a_setup_that_cannot_be_played_is_refused(cast: Cast, setup: dict[str, Any], says: str) -> None:
    with pytest.raises(Refused, match=says):
        tournaments.start(club=cast.club, name="Cup", setup=setup, step=first("start"))
    assert not Event.objects.exists()


def test_an_option_the_game_does_not_have_is_refused(cast: Cast) -> None:
    with pytest.raises(GameError):
        tournaments.start(
            club=cast.club, name="Cup", setup=setup_of("block", "heads", options={"sixes": 1}), step=first("start")
        )


def test_too_few_entrants_have_no_schedule(cast: Cast) -> None:
    event = entered(cast, setup_of("domizerka", "triples"), 2)
    with pytest.raises(Refused, match="A table needs 3 entrants"):
        made(event)
    with pytest.raises(Refused, match="no more rounds"):
        tournaments.draft_next(event_id=event.pk, step=at(event, "draft"))


def test_everything_is_undone_step_by_step(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    planned = state_of(event)
    released(event)
    for number in range(2):
        events.undo(event_id=event.pk, step=at(event, f"undo-{number}"))
    assert state_of(event) == planned
    assert not event.matches.exists()


def values(event: Event, criterion: str) -> dict[int, str]:
    """By entrant."""
    found = as_json(standings_now(event_now(Event.objects.select_related("club").get(pk=event.pk))), why=False)
    return {row["entrant"]: row["values"][criterion] for row in found["stages"][0]["rows"]}
