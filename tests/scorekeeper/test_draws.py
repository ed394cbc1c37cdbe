"""A draw is a job. It holds no lock while it searches, and keeps its round only if nothing has changed since."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils.translation import override

from games import GAMES
from scorekeeper.access import Actor
from scorekeeper.events.night import Wish
from scorekeeper.models import Event, Job, Match
from scorekeeper.selectors.events import event_now, state_of
from scorekeeper.services import draws, events, jobs, matches
from scorekeeper.services.errors import Behind, Refused
from scorekeeper.services.events import Step
from scorekeeper.tasks import WORK, run_job
from tests.browsing import Browser
from tests.conftest import NOW, Cast
from tests.nights import at, drawn, night_of, played

WISH = [Wish(GAMES["domino-whist"])]


def ask(night: Event, key: str = "draw", seen: int | None = None) -> Job:
    """Asks for a draw. A draw for many people waits for a worker."""
    step = at(night, key) if seen is None else Step(Actor(), key, seen, NOW)
    return draws.draw(event=night, wishes=WISH, rng=random.Random(1), step=step)


def test_a_few_people_are_drawn_at_once(cast: Cast) -> None:
    night = night_of(cast, draws.AT_ONCE, rounds=0)
    assert Job.objects.get(pk=ask(night).pk).state == Job.State.DONE
    assert state_of(night).draft


def test_many_people_are_drawn_by_a_worker_with_progress(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    night = night_of(cast, draws.AT_ONCE + 1, rounds=0)
    job = ask(night)
    assert (job.state, state_of(night).draft) == (Job.State.NEW, None)
    told: list[tuple[int, int]] = []
    progress = jobs.Run.progress

    def noted(run: jobs.Run, done: int, total: int) -> None:
        told.append((done, total))
        progress(run, done, total)

    monkeypatch.setattr(jobs.Run, "progress", noted)
    jobs.run(job.pk, WORK)
    assert state_of(night).draft
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1]


def test_a_host_can_stop_it(cast: Cast) -> None:
    night = night_of(cast, draws.AT_ONCE + 1, rounds=0)
    job = ask(night)
    jobs.cancel(job_id=job.pk, now=NOW)
    jobs.run(job.pk, WORK)
    assert state_of(night).draft is None
    assert Job.objects.get(pk=job.pk).state == Job.State.CANCELLED


def test_the_desk_shows_how_far_it_is_and_stops_it(cast: Cast, as_user: Callable[[str], Client]) -> None:
    night = night_of(cast, draws.AT_ONCE + 1, rounds=0)
    host = Browser(as_user("owner")).open(f"/nights/{night.pk}/desk/").press("Fill the tables")
    assert "Drawing the next round" in host.words
    assert not host.has_button("Fill the tables")
    host.press("Stop")
    assert "Drawing" not in host.words
    job = Job.objects.get(pk=ask(night, "again").pk)
    events.close(event_id=night.pk, open_matches=None, step=at(night, "close"))
    events.undo(event_id=night.pk, step=at(night, "undo"))
    with pytest.raises(Refused):
        jobs.run(job.pk, WORK)
    assert "something has changed since" in host.open(f"/nights/{night.pk}/desk/").words
    assert host.has_button("Fill the tables")


def test_a_new_draw_is_shown_above_the_draft_and_only_this_draw_is_stopped(
    cast: Cast, as_user: Callable[[str], Client]
) -> None:
    night = night_of(cast, draws.AT_ONCE + 1, rounds=0)
    drawn(night)
    host = Browser(as_user("owner")).open(f"/nights/{night.pk}/desk/").press("Draw again")
    assert "Drawing the next round" in host.words
    assert host.has_button("Seat them")
    older = Job.objects.latest("pk")
    newer = ask(night, "newer")
    host.press("Stop")
    newer.refresh_from_db()
    assert newer.state == Job.State.NEW
    host.press("Stop")
    newer.refresh_from_db()
    assert newer.state == Job.State.CANCELLED
    run_job(older.pk)
    assert state_of(night).draft


def test_a_worker_refuses_in_the_language_of_the_host(cast: Cast) -> None:
    night = night_of(cast, draws.AT_ONCE + 1, rounds=0)
    with override("es"):
        job = ask(night)
    events.tick(event_id=night.pk, came=[], left=state_of(night).here, guests=[], step=at(night, "left"))
    run_job(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "mesa" in job.error


def test_the_same_key_is_the_same_draw(cast: Cast) -> None:
    night = night_of(cast, 8, rounds=0)
    seen = night.length
    assert ask(night, seen=seen) == ask(night, seen=seen)
    assert Event.objects.get(pk=night.pk).length == seen + 1


def test_a_host_who_is_behind_learns_it(cast: Cast) -> None:
    night = night_of(cast, 8, rounds=0)
    drawn(night)
    night.refresh_from_db()
    jobs_before = Job.objects.count()
    with pytest.raises(Behind):
        ask(night, seen=night.length - 1)
    assert Job.objects.count() == jobs_before


def test_somebody_who_comes_meanwhile_is_drawn_too(cast: Cast) -> None:
    """A substitute at a table or a name on a sheet is no reason to refuse the draw: the draft shows them."""
    night = night_of(cast, 8, rounds=0)
    seen = night.length
    events.tick(event_id=night.pk, came=[], left=[], guests=["Zita", "Yuri", "Xena", "Walt"], step=at(night, "came"))
    ask(night, seen=seen)
    draft = state_of(night).draft
    assert draft
    assert sum(len(each.players) for each in draft.pairings) == 12


def test_what_another_host_did_during_the_search_ends_it(cast: Cast) -> None:
    night = night_of(cast, draws.AT_ONCE + 1, rounds=0)
    job = ask(night)
    events.close(event_id=night.pk, open_matches=None, step=at(night, "close"))
    with pytest.raises(Refused):
        jobs.run(job.pk, WORK)
    job.refresh_from_db()
    assert (job.state, state_of(night).draft) == (Job.State.FAILED, None)
    assert "something has changed" in job.error


def test_a_draw_notices_people_who_come_or_leave_during_the_search(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    night = night_of(cast, 12)
    for match in night.matches.order_by("pk")[:2]:
        played(match)
    last = night.matches.get(status=Match.Status.PLAYING)
    first_search = draws.mixed

    def search(free: Any, *rest: Any) -> Any:
        monkeypatch.setattr(draws, "mixed", first_search)
        yield from first_search(free, *rest)
        played(last)

    monkeypatch.setattr(draws, "mixed", search)
    ask(night)
    draft = state_of(night).draft
    assert draft
    assert len(draft.players) == 12


def test_a_draw_notices_new_settings_and_latecomers_during_the_search(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    night = night_of(cast, draws.AT_ONCE + 1, rounds=0)
    job = ask(night)
    first_search = draws.mixed

    def search(free: Any, *rest: Any) -> Any:
        monkeypatch.setattr(draws, "mixed", first_search)
        yield from first_search(free, *rest)
        events.tick(event_id=night.pk, came=[], left=[], guests=["Late"], step=at(night, "late"))
        events.set_game(event_id=night.pk, game=WISH[0].game, options={}, minutes=7, step=at(night, "minutes"))

    monkeypatch.setattr(draws, "mixed", search)
    jobs.run(job.pk, WORK)
    draft = state_of(night).draft
    assert draft
    assert len(draft.players) == draws.AT_ONCE + 2
    assert {pairing.minutes for pairing in draft.pairings} == {7}


def test_a_draw_from_which_too_many_leave_during_the_search_ends(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    night = night_of(cast, draws.AT_ONCE + 1, rounds=0)
    job, first_search = ask(night), draws.mixed

    def search(free: Any, *rest: Any) -> Any:
        yield from first_search(free, *rest)
        events.tick(event_id=night.pk, came=[], left=state_of(night).here[3:], guests=[], step=at(night, "late"))

    monkeypatch.setattr(draws, "mixed", search)
    with pytest.raises(Refused):
        jobs.run(job.pk, WORK)
    job.refresh_from_db()
    assert (job.state, state_of(night).draft) == (Job.State.FAILED, None)
    assert "Too few people" in job.error


def test_a_key_that_was_used_for_another_draw_is_refused(cast: Cast) -> None:
    night = night_of(cast, draws.AT_ONCE + 1, rounds=0)
    ask(night)
    other = [Wish(GAMES["block"])]
    with pytest.raises(Refused) as refused:
        draws.draw(event=night, wishes=other, rng=random.Random(1), step=at(night, "draw"))
    assert refused.value.code == "key-used"


@pytest.mark.django_db(transaction=True)
def test_it_searches_outside_any_transaction(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    night = night_of(cast, 8, rounds=0)
    search, inside = draws.mixed, []

    def noted(*given: Any) -> Any:
        inside.append(connection.in_atomic_block)
        yield from search(*given)

    monkeypatch.setattr(draws, "mixed", noted)
    ask(night)
    assert inside == [False]


def test_people_who_play_outside_the_event_are_busy(cast: Cast) -> None:
    night = night_of(cast, 8, rounds=0)
    players = list(state_of(night).here[:2])
    pair = matches.open_match(table=cast.table, game="draw", options={}, players=players, by=Actor(), now=NOW)
    Match.objects.filter(pk=pair.pk).update(event=None)  # as if the match had begun before the night
    snapshot = event_now(Event.objects.get(pk=night.pk))
    assert set(snapshot.free) == set(snapshot.here) - set(players)
    assert cast.table.number not in snapshot.free_tables
    with pytest.raises(Refused, match=r"Still playing: .* \(table 1\)"):
        matches.open_match(
            table=cast.other_table, game="draw", options={}, players=[players[0], "Zoe"], by=Actor(), now=NOW
        )
