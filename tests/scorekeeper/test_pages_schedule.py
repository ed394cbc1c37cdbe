"""The schedule page, read and used without scripts: by directors, and by everybody."""

import random
import re
from collections.abc import Callable
from itertools import count

import pytest
from django.test import Client

from scorekeeper.events.plan import Plan, seated_rounds
from scorekeeper.models import Event, Job
from scorekeeper.pages import schedule_words
from scorekeeper.schedule.problem import NO_WISHES
from scorekeeper.schedule.seating import FORMATS, Schedule, Seating
from scorekeeper.selectors.events import state_of
from scorekeeper.selectors.tournaments import tournament_in
from scorekeeper.services import entrants, events, jobs, schedules, tournaments
from scorekeeper.services.entrants import Named
from scorekeeper.services.errors import Refused
from scorekeeper.tasks import WORK
from scorekeeper.views import tournament_schedule
from tests.browsing import Browser
from tests.conftest import NOW, Cast
from tests.nights import at
from tests.tournaments import entered, played, released, scheduled, setup_of

Host = Callable[[str], Client]


@pytest.fixture(autouse=True)
def short_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that does not reach its bound takes all the time it may."""
    monkeypatch.setattr(schedules, "SECONDS", 0.2)


@pytest.fixture
def as_user(cast: Cast) -> Host:
    def client(who: str) -> Client:
        found = Client()
        found.force_login(cast.users[who], backend="django.contrib.auth.backends.ModelBackend")
        return found

    return client


def page_of(event: Event, client: Client | None = None, query: str = "") -> Browser:
    return Browser(client).open(f"/tournaments/{event.pk}/schedule/{query}")


def worker(event: Event) -> None:
    jobs.run(Job.objects.filter(kind="schedule", args__event=event.pk).latest("pk").pk, WORK)


@pytest.mark.parametrize(
    ("setup", "entrants", "size", "says"),
    [
        (setup_of("block", "heads"), 6, 1, "Everybody meets everybody once. Nobody has a bye."),
        (
            setup_of("block", "heads", rounds=3),
            6,
            1,
            "6 pairs of entrants never meet. Nobody meets anybody twice. Nobody has a bye.",
        ),
        (setup_of("block", "heads"), 5, 1, "Everybody meets everybody once. Everybody has one bye."),
        (setup_of("block", "heads", double=True), 4, 1, "Everybody meets everybody twice."),
        (setup_of("domino-whist", "heads", size=2), 4, 2, "Everybody meets everybody once."),
        (
            setup_of("domino-whist", "partners"),
            8,
            1,
            "Everybody partners everybody once. Everybody plays against everybody twice. Nobody has a bye.",
        ),
        (setup_of("domizerka", "triples"), 9, 1, "Everybody meets everybody once."),
        (setup_of("domizerka", "triples"), 5, 1, "Everybody meets everybody once or twice. Everybody has 2 byes."),
        (setup_of("dominards", "fours", rounds=2), 4, 1, "Everybody meets everybody twice."),
    ],
)
def test_how_even_a_schedule_is_in_words(
    cast: Cast, as_user: Host, setup: dict[str, object], entrants: int, size: int, says: str
) -> None:
    assert says in page_of(scheduled(cast, setup, entrants, size), as_user("director")).words


@pytest.mark.parametrize("view", ["list", "tables", "entrants"])
def test_directors_see_the_draft_and_others_only_what_is_released(cast: Cast, as_user: Host, view: str) -> None:
    event = scheduled(cast, setup_of("domino-whist", "partners"), 8)
    host, visitor = (page_of(event, client, f"?view={view}") for client in (as_user("director"), None))
    assert "Ada" in host.words
    assert "No round has been released yet." in visitor.words
    assert "Ada" not in visitor.words
    host.press("Release the whole schedule")
    assert "Everybody can see the whole schedule." in host.words
    assert f"view={view}" in host.path
    assert "Ada" in visitor.open(visitor.path).words
    assert not visitor.has_button("Swap")
    public = Browser().open(f"/tournaments/{event.pk}/")
    assert "Rounds to come" in public.words
    released(event)
    assert "Round 1" in visitor.open(f"/tournaments/{event.pk}/schedule/").words


def test_a_swap_says_what_it_costs_and_is_undone(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 6)
    (one, _other), (two, _another), *_rest = state_of(event).plan[1].tables
    host = page_of(event, as_user("director"), "?view=tables&round=2")
    assert "Change round 2" in host.words
    host.press("Swap", who=[str(one), str(two)])
    assert "now meet twice; before, once." in host.words
    assert "now never meet; before, once." in host.words
    assert "Before Everybody meets everybody once." in host.words
    assert "Make another schedule" in host.markup
    assert "2 pairs of entrants never meet. 2 pairs of entrants meet twice. All others meet once." in host.words
    assert "Where it falls short" in host.words
    host.press("Undo: change in round 2")
    assert "now meet twice" not in host.words
    assert "Everybody meets everybody once." in host.words
    host.press("Swap", who=[str(one)])
    assert "Choose two different entrants of this round." in host.words
    assert host.status == 422
    assert "Change round 2" in host.words
    assert host.follow("Entrants and rounds").status == 200


def test_only_those_who_are_listed_are_looked_up() -> None:
    """A large schedule falls short for thousands of pairs, of which a page names a few."""
    before, after = uneven(seed=1), uneven(seed=2)
    asked: list[int] = []
    schedule_words.shortfalls(after, lambda number: str(asked.append(number)))
    kinds = len(after.tally.frequencies.partner) + len(after.tally.frequencies.oppose)
    assert 0 < len(asked) <= 2 * schedule_words.NAMED * kinds
    asked.clear()
    *_named, more = schedule_words.changes(before, after, lambda number: str(asked.append(number)))
    assert len(asked) == 2 * schedule_words.MOST_CHANGES
    assert more.endswith("more changes.")
    assert after.tally.oppose is after.tally.oppose, "counted once"


def uneven(seed: int) -> Plan:
    """Rounds of changing partners that are drawn at random."""
    rng, players = random.Random(seed), range(40)
    rounds = []
    for _round in range(12):
        order = rng.sample(players, len(players))
        rounds.append(Seating(tuple(tuple(order[at : at + 4]) for at in players[::4]), ()))
    return Plan(Schedule(FORMATS["partners"], len(players), tuple(rounds)), tuple(players), NO_WISHES, 0)


def test_who_leads_more_often_is_said(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    host = page_of(event, as_user("director"))
    assert "Some lead more often than others." not in host.words
    for number in (1, 2, 3):
        leader = next(table for table in state_of(event).plan[number - 1].tables if 1 in table)
        if leader[0] != 1:
            host.open(f"{host.path.partition('?')[0]}?view=list&round={number}")
            host.press("Swap", who=[str(entrant) for entrant in leader])
    assert "Some lead more often than others." in host.words


def test_a_swap_that_breaks_a_wish_says_so_first(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads", rounds=1), 6)
    (one, other), (two, _another), *_rest = state_of(event).plan[0].tables
    host = page_of(event, as_user("director"))
    host.press("Keep them apart", entrant=str(two), other=str(other))
    assert "should not" not in host.words
    host.press("Swap", who=[str(one), str(two)])
    effect = host.words.split("What the change does")[1]
    assert effect.strip().startswith("Round 1: ")
    assert "meet, but should not." in effect[:60]


@pytest.mark.parametrize(("rounds", "last", "warned"), [(None, "", True), (None, "2", False), (2, "", False)])
def test_a_wish_that_keeps_two_from_ever_meeting_says_so(
    cast: Cast, as_user: Host, rounds: int | None, last: str, warned: bool
) -> None:
    event = entered(cast, setup_of("block", "heads", rounds=rounds), 6)
    host = page_of(event, as_user("director"))
    pair = {"entrant": "1", "other": "2", "last": last}
    host.press("Keep them apart", **pair)
    assert (host.status == 422) == warned
    assert ("this wish that is not possible: Ada and Bruno do not meet. Keep them apart" in host.words) == warned
    assert len(state_of(event).wishes) == (not warned), "nothing changed yet"
    host.press("Keep them apart", **({} if warned else pair), sure="on")  # a refused form is as it was filled in
    assert ("So they never meet, although the setup says that everybody meets." in host.words) == warned


def test_a_schedule_of_another_length_than_the_setup_asks_for_is_made_anew(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads", rounds=3), 6)
    desk = Browser(as_user("director")).open(f"/tournaments/{event.pk}/desk/")
    assert "the setup asks for" not in desk.words
    desk.follow("Setup").press("Save", length="number", rounds="5")
    said = "The schedule has 3 rounds, the setup asks for 5: make it anew."
    assert said in desk.words
    host = page_of(event, as_user("director"))
    assert said in host.words
    desk.press("Make another schedule")
    assert len(state_of(event).plan) == 5
    assert said not in desk.open(desk.path).words
    assert said not in host.open(host.path).words


def test_another_schedule_than_the_released_one_shows_first_what_it_changes(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 6)
    host = page_of(event, as_user("director")).press("Release the whole schedule").press("Make another schedule")
    public = state_of(event).published
    assert "Another schedule: only directors can see it" in host.words
    host.press("Drop it: change nothing")
    assert state_of(event).plan == state_of(event).published == public
    desk = Browser(as_user("director")).open(f"/tournaments/{event.pk}/desk/").press("Make another schedule")
    desk.follow("See what it changes").press("Release this schedule")
    assert state_of(event).plan == state_of(event).published


def test_all_changes_can_be_read(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads", rounds=3), 8)
    host = page_of(event, as_user("director")).press("What would more rounds change?", rounds="7")
    worker(event)
    effect = host.open(host.path).markup.split('id="proposal"')[1].split("before-after")[0]
    shown, folded = effect.split("<summary>")
    assert shown.count("<li>") == schedule_words.NAMED
    more = re.search(r"(\d+) more changes?", folded)
    assert more
    assert folded.count("<li>") == int(more[1]) > 0


def test_a_swap_at_one_table_changes_no_meetings(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 6)
    host = page_of(event, as_user("director"))
    host.press("Swap", who=[str(entrant) for entrant in state_of(event).plan[0].tables[0]])
    assert "Who meets whom stays the same." in host.words


def test_partners_and_byes_are_named_too(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("domino-whist", "partners"), 5)
    (bye,), table = state_of(event).plan[0].byes, state_of(event).plan[0].tables[0]
    host = page_of(event, as_user("director")).press("Swap", who=[str(bye), str(table[0])])
    assert "are now partners twice; before, once." in host.words
    assert "now has 2 byes; before, 1." in host.words
    assert "now has 0 byes; before, 1." in host.words


def test_a_released_schedule_that_is_changed_says_so(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 6)
    host = page_of(event, as_user("director")).press("Release the whole schedule")
    (one, _other), (two, _another), *_rest = state_of(event).plan[1].tables
    before = page_of(event).words
    host.open(f"{host.path}&round=2").press("Swap", who=[str(one), str(two)])
    assert "The public still sees another version of round 2." in host.words
    assert page_of(event).words == before
    host.press("Release the changed schedule")
    assert "Round 2 has changed since it was first released." in page_of(event).words
    assert "Round 2 has changed" in Browser().open(f"/tournaments/{event.pk}/").words


def test_wishes_are_entered_by_name_listed_and_removed(cast: Cast, as_user: Host) -> None:
    event = entered(cast, setup_of("block", "heads"), 6)
    host = Browser(as_user("director")).open(f"/tournaments/{event.pk}/desk/").follow("Schedule")
    assert "There is no schedule yet." in host.words
    host.press("Keep them apart", entrant="1", other="2", last="1")
    assert "Ada and Bruno do not meet in the first round." in host.words
    host.press("Keep them apart", entrant="4", other="5", third="6", last="2")
    assert "Dmitri, Elena and Farid do not meet in the first 2 rounds" in host.words
    host.press("Keep the table", entrant="3", table="2")
    assert "always sits at table 2." in host.words
    host.press("Save", entrant="4", first="2")
    assert "plays from round 2 on." in host.words
    host.press("Remove")
    assert "do not meet in the first round" not in host.words
    for button, typed, says in (
        ("Keep them apart", {"entrant": "1", "other": ""}, "Choose two entrants."),
        ("Keep them apart", {"entrant": "1", "other": "1"}, "Choose different entrants"),
        ("Keep them apart", {"entrant": "1", "other": "99"}, "There is no entrant with this number."),
        ("Save", {"entrant": "1", "first": "0"}, "Rounds and tables are whole numbers from 1."),
        ("Save", {"entrant": "1", "first": "", "last": ""}, "Type the first round"),
        ("Save", {"entrant": "1", "first": "3", "last": "2"}, "The last round cannot come before the first."),
        ("Keep the table", {"entrant": "", "table": "1"}, "Choose an entrant."),
    ):
        host.press(button, **typed)
        assert says in host.words
        assert host.status == 422
        assert host.markup.count("<details open>") == 1
        host.open(f"/tournaments/{event.pk}/schedule/")


def test_another_schedule_is_compared_by_partners_where_everybody_partners_everybody(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("domino-whist", "partners"), 8)
    host = page_of(event, as_user("director")).press("What would more rounds change?")
    worker(event)
    words = host.open(host.path).words
    assert "Pairs of entrants who are never partners 0 of 28 0 of 28" in words
    assert "Pairs of entrants who never meet" not in words


@pytest.mark.parametrize("made", [True, False])
def test_a_wish_is_for_rounds_that_there_are(cast: Cast, made: bool) -> None:
    event = (scheduled if made else entered)(cast, setup_of("block", "heads"), 6)
    wish = {"what": "present", "entrants": [1], "first": 1, "last": 5, "table": 0}
    for rounds in ({"last": 99}, {"first": 6, "last": None}):
        with pytest.raises(Refused, match="There are only 5 rounds"):
            schedules.wish(event_id=event.pk, wish=wish | rounds, step=at(event, f"{rounds}"))
    schedules.wish(event_id=event.pk, wish=wish, step=at(event, "last round"))
    assert len(tournament_in(event).wishes) == 1


def test_a_wish_that_is_not_kept_or_cannot_be_is_shown(
    cast: Cast, as_user: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schedules, "FOR_EACH", schedules.SECONDS)  # it ends when the wish is kept
    monkeypatch.setattr(tournament_schedule, "SystemRandom", lambda: random.Random(1))
    event = scheduled(cast, setup_of("block", "heads"), 6)
    host = page_of(event, as_user("director")).press("Keep them apart", entrant="1", other="2", sure="on")
    assert "Problems in this schedule:" in host.words
    assert "Ada and Bruno meet, but should not." in host.words
    host.press("What would a new schedule change?")
    worker(event)
    assert "Another schedule" in host.open(host.path).words
    host.press("Use this schedule")
    assert "Problems in this schedule" not in host.words
    assert "Ada and Bruno now never meet; before, once." in host.words
    host.press("Keep the table", entrant="3", table="1").press("Keep the table", entrant="4", table="1")
    assert "No schedule can keep all wishes. Carmen and Dmitri want the same table in every round." in host.words
    assert host.status == 422
    assert [wish.entrants for wish in state_of(event).wishes] == [(1, 2), (3,)], "nothing changed"


def test_a_cycle_of_wishes_that_cannot_be_kept_is_told_before_anything_changes(cast: Cast, as_user: Host) -> None:
    event = entered(cast, setup_of("block", "heads"), 6)
    host = page_of(event, as_user("director"))
    for one, other in ((1, 2), (2, 3)):
        host.press("Keep them apart", entrant=str(one), other=str(other), last="3")
    assert host.status == 200, "both can be kept: there are two more rounds"
    host.press("Keep them apart", entrant="3", other="1", last="3")
    assert host.status == 422, "three pairs of three people need three rounds"
    for two in ("Ada and Bruno", "Bruno and Carmen", "Carmen and Ada"):
        assert f"{two} do not meet in the first 3 rounds." in host.words
    assert len(state_of(event).wishes) == 2
    host.press("Keep them apart", entrant="3", other="1", last="2")
    assert host.status == 200


def test_a_proposal_says_which_wishes_it_does_not_keep(
    cast: Cast, as_user: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament_schedule, "SystemRandom", lambda: random.Random(1))
    monkeypatch.setattr(schedules.time, "thread_time", count(0, 0.001).__next__)  # no faster computer finds more
    event = scheduled(cast, setup_of("domino-whist", "partners"), 8)
    host = page_of(event, as_user("director")).press("Keep them apart", entrant="1", other="2", sure="on")
    host.press("What would a new schedule change?")
    best = []
    goes_on = jobs.Run.goes_on

    def stop_at_once(run: jobs.Run, *progress: object) -> bool:
        run.seen = NOW  # the progress is due
        goes_on(run, *progress)  # type: ignore[arg-type]
        best.append(host.open(host.path).words)
        return False

    monkeypatch.setattr(jobs.Run, "goes_on", stop_at_once)
    worker(event)
    assert "It does not keep all wishes yet." in best[0]
    host.open(host.path)
    assert "Use this schedule" in host.markup
    assert "Ada and Bruno meet, but should not." in host.words


def test_a_wish_that_many_rounds_break_is_one_line(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 6)
    wish = {"what": "table", "entrants": [1], "first": 1, "last": None, "table": 2}
    schedules.wish(event_id=event.pk, wish=wish, step=at(event, "table"))
    words = page_of(event, as_user("director")).words
    assert re.search(r"Rounds \d(, \d)* and \d: Ada is not at their table\.", words)
    assert words.count("is not at their table") == 1


def test_a_tournament_gets_more_rounds_for_who_came_late(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 6)
    for match in released(event):
        played(match)
    entrants.enter_named(event_id=event.pk, players=[], named=[Named(("Zoe",))], step=at(event, "late"))
    host = page_of(event, as_user("director"))
    host.press("What would more rounds change?", rounds="5")
    assert "The schedule has 5 rounds already. Enter a larger number." in host.words
    for wrong in ("", "x", "501"):
        host.press("What would more rounds change?", rounds=wrong)
        assert "Rounds in all: enter a whole number from 1 to 500." in host.words
    host.press("What would more rounds change?", rounds="7")
    worker(event)
    host.open(host.path).press("Use this schedule")
    state = state_of(event)
    assert (len(state.rounds), len(state.plan)) == (1, 6)
    met = [frozenset(table) for each in (*seated_rounds(state), *state.plan) for table in each.tables]
    assert len(met) == 7 * 3
    assert len(set(met)) > 5 * 3, "more different ones than five rounds have tables"
    while state_of(event).plan:
        for match in released(event):
            played(match)
    assert len(state_of(event).rounds) == 7


def test_what_a_late_entrant_would_change_is_shown_before_and_after(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 6)
    for match in released(event):
        played(match)
    entrants.enter_named(event_id=event.pk, players=[], named=[Named(("Zoe",))], step=at(event, "late"))
    host = page_of(event, as_user("director"))
    assert "Not in the schedule: Zoe." in host.words
    host.press("What would a new schedule change?")
    worker(event)
    host.open(host.path)
    assert "Entrants in the rounds to come 6 7" in host.words
    assert "Tables in the rounds to come 12 12" in host.words
    assert "Byes in the rounds to come 0 4" in host.words
    assert "See what it changes" in Browser(as_user("director")).open(f"/tournaments/{event.pk}/desk/").words
    assert "Zoe" not in page_of(event).words
    host.press("Drop it: change nothing")
    assert "Not in the schedule: Zoe." in host.words
    host.press("What would a new schedule change?")
    worker(event)
    host.open(host.path).press("Use this schedule")
    assert "Not in the schedule" not in host.words
    tournaments.withdraw(event_id=event.pk, entrants=[2], step=at(event, "leaves"))
    assert "Left, but still in the schedule: Bruno." in host.open(host.path).words


def test_the_desk_shows_the_best_so_far_and_keeps_it(
    cast: Cast, as_user: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = entered(cast, setup_of("dominards", "fours", rounds=6), 18)
    desk = Browser(as_user("director")).open(f"/tournaments/{event.pk}/desk/").press("Make the schedule")
    seen = []
    goes_on = jobs.Run.goes_on

    def look(run: jobs.Run, *progress: object) -> bool:
        run.seen = NOW  # the progress is due
        more = goes_on(run, *progress)  # type: ignore[arg-type]
        if not seen:
            desk.open(f"/tournaments/{event.pk}/desk/")
            seen.append(desk.words)
            desk.press("Stop and keep this")
            seen.append(desk.words)
            Job.objects.update(state=Job.State.NEW)  # as if this worker had been killed
            desk.open(f"/tournaments/{event.pk}/desk/")
            Job.objects.update(state=Job.State.RUNNING)
            seen.append(desk.words)
        return more

    monkeypatch.setattr(jobs.Run, "goes_on", look)
    worker(event)
    assert "Nothing is found yet." in seen[2], "what it had is lost with it"
    assert "The best so far:" in seen[0]
    assert "meet" in seen[0].split("The best so far:")[1]
    assert "Stopping…" in seen[1]
    assert "The schedule has 6 more rounds." in desk.follow("Look again").words


def test_a_played_tournament_has_its_schedule_too(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    while state_of(event).plan:
        for match in released(event):
            played(match)
    host = page_of(event, as_user("director"), "?view=entrants")
    assert "Everybody meets everybody once." in host.words
    assert not host.has_button("Swap")
    events.close(event_id=event.pk, open_matches=None, step=at(event, "close"))
    assert "Everybody meets everybody once." in host.open(host.path).words
    assert not host.has_button("Keep the table")


def test_the_page_asks_as_much_of_many_entrants(
    cast: Cast, as_user: Host, django_assert_max_num_queries: Callable[[int], object]
) -> None:
    event = entered(cast, setup_of("dominards", "fours", rounds=12), 40)
    job = schedules.schedule(event=event, rng=random.Random(1), step=at(event, "schedule"))
    jobs.run(job.pk, WORK)
    client = as_user("director")
    for view in ("list", "tables", "entrants"):
        with django_assert_max_num_queries(16):
            assert client.get(f"/tournaments/{event.pk}/schedule/?view={view}").status_code == 200


def test_many_rounds_are_shown_in_parts(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 42)
    host = page_of(event, as_user("director"), "?view=tables")
    assert "Change round 1" in host.words
    host.follow("41–41")
    assert "Change round 41" in host.words
    host.press("Release the whole schedule")
    assert "Change round 41" in host.words
    visitor = page_of(event)
    assert "Round 40" in visitor.words
    assert "Round 41" not in visitor.words
    assert "Round 41" in visitor.follow("41–41").words
