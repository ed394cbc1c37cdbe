"""The schedule of a tournament: as a grid and as a list, what it costs to change it, wishes, and its release."""

import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import zip_longest

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scorekeeper.events import Tournament
from scorekeeper.events.plan import Plan, clash, drawn, played, players_in, unplanned
from scorekeeper.events.records import Proposed
from scorekeeper.events.rounds import Round
from scorekeeper.events.setup import KNOCK_OUT, SWISS
from scorekeeper.live.parts import shared
from scorekeeper.live.topics import Topic
from scorekeeper.models import Club, Event, Job
from scorekeeper.pages import context, pairing_words, schedule_words
from scorekeeper.pages.bracket import BracketShown, bracket_of
from scorekeeper.pages.desk import undo_words
from scorekeeper.pages.schedule_words import NAMED, Shortfall
from scorekeeper.schedule.seating import FORMATS, Seating
from scorekeeper.schedule.seating import sides as sides_in
from scorekeeper.schedule.tally import Frequencies
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.jobs import schedule_under_way
from scorekeeper.selectors.pairings import changed_since_draw, next_to_draw, tables_by_hand, tables_not_over, worth
from scorekeeper.selectors.schedules import hall
from scorekeeper.selectors.tournament_results import TournamentResults
from scorekeeper.selectors.tournaments import entrant_name, parts, tournament_of
from scorekeeper.selectors.wishes import clash_words, wish_words

AT_ONCE = 40  # rounds on one page
NEXT = 3  # rounds to come on the tournament's page; the schedule's page has all
VIEWS = ("list", "tables", "entrants")
"""How the rounds are laid out: as a list, rounds by tables, or entrants by rounds."""


@dataclass(frozen=True, slots=True)
class Named:
    """An entrant."""

    number: int
    name: str


@dataclass(frozen=True, slots=True)
class TablePlanned:
    number: int
    sides: tuple[tuple[Named, ...], ...]
    new: bool = False
    """Whether nobody planned this table before."""
    why: str = ""
    """Why these meet, if results decide it."""


@dataclass(frozen=True, slots=True)
class RoundPlanned:
    number: int
    tables: tuple[TablePlanned, ...]
    byes: tuple[Named, ...]
    away: tuple[Named, ...]
    """Who asked not to play in it, and is not drawn."""
    seated: bool
    changed: bool
    """Whether it was public in another form before."""
    not_all: bool = False
    """Whether these are only the finals with a schedule: the tables of others follow from results."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What an entrant does in a round. Without a table they have a bye, or no part in it."""

    table: int | None = None
    partners: tuple[Named, ...] = ()
    opponents: tuple[Named, ...] = ()
    bye: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """An entrant in all rounds."""

    entrant: Named
    cells: list[Cell]


@dataclass(frozen=True, slots=True)
class Coming:
    """The rounds to come that everybody may see."""

    rounds: list[RoundPlanned]
    """Only the next ones."""
    changed: list[int]
    """The numbers of all that were public in another form before."""


@dataclass(frozen=True, slots=True)
class Making:
    """A schedule that is being made, or that has just failed."""

    job: Job
    best: list[str]
    """The best so far, in words."""

    @property
    def goes_on(self) -> bool:
        return self.job.state != Job.State.FAILED


@dataclass(frozen=True, slots=True)
class Outdated:
    """A round that was drawn from results which have changed since."""

    number: int
    changes: list[str]
    seated: bool


@dataclass(frozen=True, slots=True)
class Effect:
    """What another schedule does, in words."""

    changes: list[str]
    more: list[str]
    """Changes that are folded in."""
    before: list[str]
    after: list[str]


@dataclass(frozen=True, slots=True)
class Compared:
    """A figure of the rounds to come, before and after."""

    what: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class WishShown:
    number: int
    text: str
    warning: str


@dataclass(frozen=True, kw_only=True)
class SchedulePage:
    """Everything that everybody may see: the seated rounds, and those that were released."""

    brackets: list[tuple[str, BracketShown]]
    """Of each knock-out that is played, with the name of the group or final; "" where there are none."""
    tournament: Event
    club: Club
    host: bool
    view: str
    views: tuple[str, ...]
    rounds: list[RoundPlanned]
    """Those of one of the parts."""
    parts: list[tuple[int, int]]
    """The first and the last round of each."""
    rows: list[Row]
    """Only in the view of entrants."""
    table_numbers: list[int]
    """Only in the view of tables."""
    grid: list[tuple[RoundPlanned, list[TablePlanned | None]]]
    changed: list[int]
    """The numbers of rounds to come that were public in another form before."""


@dataclass(frozen=True, kw_only=True)
class ScheduleDrawn:
    """The page for everybody, already drawn."""

    tournament: Event
    club: Club
    host: bool
    drawn: SafeString


@dataclass(frozen=True, kw_only=True)
class DirectorsPart:
    """What only directors see."""

    making: Making | None
    words: list[str]
    shortfalls: list[Shortfall]
    faults: list[str]
    outdated: Outdated | None
    effect: Effect | None
    """Of the last step, if it changed the schedule."""
    proposal: "ProposalShown | None"
    to_change: RoundPlanned | None
    waiting: bool
    """Whether a result is missing from which the next round would be drawn."""
    knock_out: bool
    by_results: bool
    """Whether each round is drawn from the results."""
    next: int
    """The number of the next round, if the setup asks for it; else 0. Only in a Swiss tournament."""
    begun: bool
    """Whether a round is seated."""
    can_change: bool
    """Whether it is time for another schedule or its release."""
    planned: int
    """How many rounds are to come."""
    in_all: int
    """The same with the seated ones."""
    all_public: bool
    unreleased: list[int]
    """The numbers of public rounds that were changed since."""
    misfit: str
    """That the schedule is not as long as the setup asks."""
    unplanned: list[str]
    needless: list[str]
    wishes: list[WishShown]
    clash: str
    entrants: list[Named]
    hall: list[int]
    at_a_table: int
    """How many sit at a table at most."""
    fewest: int
    """How many a table needs."""
    undo: str
    key: str


@dataclass(frozen=True, slots=True)
class ProposalShown:
    """Other rounds to come, compared with the planned ones."""

    rounds: list[RoundPlanned]
    new: int
    tables: int
    compared: list[Compared]
    effect: Effect | None
    faults: list[str]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a step was refused."""

    refusal: str = ""
    typed: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """What the form of a wish had, by the kind of wish."""


def making(event: Event, now: datetime) -> Making | None:
    """One query."""
    job = schedule_under_way(event, now)
    if job is None:
        return None
    # What a worker found that ended before its search is lost: the next one begins again.
    found = job.best if job.state == Job.State.RUNNING else {}
    best = schedule_words.in_words(Frequencies.of(found)) if found else []
    return Making(job, best + ([_("It does not keep all wishes yet.")] if best and not found["kept"] else []))


def outdated(snapshot: EventNow) -> Outdated | None:
    """None if the newest round was drawn from the results as they are, and for a seated one of a knock-out: there the
    desk says who should sit where. Queries as `changed_since_draw`."""
    state = tournament_of(snapshot)
    number = len(state.rounds) + bool(state.plan)
    if state.systems == {KNOCK_OUT} and not state.plan:
        return None
    changes = pairing_words.changed_words(changed_since_draw(snapshot), number)
    return Outdated(number, changes, not state.plan) if changes else None


def coming(snapshot: EventNow) -> Coming | None:
    """None before all rounds are released, and once the tournament is over. No query."""
    state = tournament_of(snapshot)
    if not state.published or state.closed:
        return None
    changed = sorted(number for number in state.changed if number > len(state.rounds))
    return Coming(released(snapshot, NEXT), changed)


def released(snapshot: EventNow, most: int | None = None) -> list[RoundPlanned]:
    """The rounds to come that everybody may see; at most the next `most`. No query."""
    state = tournament_of(snapshot)
    numbers = range(len(state.rounds) + 1, state.rounds_in_all(public=True) + 1)
    return [_numbered(snapshot, number, public=True) for number in numbers[:most]]


def schedule_page(snapshot: EventNow, *, host: bool, view: str, round_number: int) -> SchedulePage:
    """The part with this round, or else with the next one. No query."""
    state = tournament_of(snapshot)
    parts = _parts(state, public=not host)
    first, last = _part_with(round_number, parts, state)
    rounds = [_numbered(snapshot, number, public=not host) for number in range(first, last + 1)]
    numbers = sorted({table.number for each in rounds for table in each.tables})
    return SchedulePage(
        brackets=[(part.part, bracket_of(part)) for part in _now(snapshot)],
        tournament=snapshot.event,
        club=snapshot.event.club,
        host=host,
        view=view,
        views=VIEWS,
        rounds=rounds,
        parts=parts,
        rows=_rows(snapshot, rounds) if view == "entrants" else [],
        table_numbers=numbers if view == "tables" else [],
        grid=[(each, _by_table(each, numbers)) for each in rounds] if view == "tables" else [],
        changed=sorted(number for number in state.changed if number > len(state.rounds)),
    )


def schedule_drawn(results: TournamentResults, *, view: str, round_number: int) -> ScheduleDrawn:
    """The page for everybody, drawn once until something in it changes: few plays do that."""
    first, _last = _part_with(round_number, _parts(results.state, public=True), results.state)

    def draw(_before: SafeString | None) -> SafeString:
        page = schedule_page(results.snapshot, host=False, view=view, round_number=first)
        return mark_safe(render_to_string("scorekeeper/_schedule_page.html", context(page)))  # noqa: S308 (ours)

    event = results.event
    kept = shared(Topic.of_event(event), "schedule", view, str(first), get_language() or "")
    return ScheduleDrawn(tournament=event, club=event.club, host=False, drawn=kept.of(results.version, draw))


def directors_part(snapshot: EventNow, *, round_number: int, now: datetime) -> DirectorsPart:
    """One query. `round_number`: the round to change; the next one, if it is not to come."""
    state = tournament_of(snapshot)
    name = partial(entrant_name, snapshot)
    tables = hall(snapshot)
    may_clash = state.wishes and not state.by_results and not snapshot.event.closed_at
    found = clash(state, tables) if may_clash else None
    seated = len(state.rounds)
    job = making(snapshot.event, now)
    can_swap = state.plan and state.systems != {KNOCK_OUT} and not snapshot.event.closed_at
    to_change = round_number if seated < round_number <= seated + len(state.plan) else seated + 1
    both = zip_longest(state.plan, state.published) if state.published else ()
    return DirectorsPart(
        making=job,
        words=[words for part in _now(snapshot) for words in _in_words(part)],
        shortfalls=[each for part in _now(snapshot) for each in _shortfalls(part)],
        faults=_faults(snapshot),
        outdated=outdated(snapshot),
        effect=_effect_of_the_last_step(snapshot),
        proposal=_proposal(snapshot) if state.proposal else None,
        to_change=_can_swap(snapshot, _numbered(snapshot, to_change)) if can_swap else None,
        by_results=state.by_results,
        next=next_to_draw(snapshot),
        waiting=bool(state.by_results and tables_not_over(snapshot)),
        knock_out=state.systems == {KNOCK_OUT},
        begun=state.begun,
        can_change=not snapshot.event.closed_at and (job is None or job.job.state == Job.State.FAILED),
        planned=len(state.plan),
        in_all=state.rounds_in_all(public=False),
        all_public=bool(state.published),
        unreleased=[number for number, (planned, was) in enumerate(both, seated + 1) if planned != was],
        misfit=schedule_words.misfit(state),
        unplanned=[name(number) for number in unplanned(state)],
        needless=schedule_words.needless_names(state, name),
        wishes=[
            WishShown(at, wish_words(wish, name), schedule_words.wish_warning(wish, state))
            for at, wish in enumerate(state.wishes)
        ],
        clash=clash_words(found, name) if found else "",
        entrants=[Named(number, name(number)) for number in state.taking_part],
        hall=sorted(tables[: max(len(state.taking_part) // 2, 1)]),
        at_a_table=FORMATS[state.setup["format"]].size,
        fewest=state.fewest,
        undo=undo_words(snapshot),
        key=secrets.token_hex(16),
    )


# --- its parts ---------------------------------------------------------------------------------------------
def _parts(state: Tournament, *, public: bool) -> list[tuple[int, int]]:
    """The first and the last round of each part that is shown at once."""
    in_all = state.rounds_in_all(public=public)
    return [(first, min(first + AT_ONCE - 1, in_all)) for first in range(1, in_all + 1, AT_ONCE)]


def _part_with(round_number: int, parts: Sequence[tuple[int, int]], state: Tournament) -> tuple[int, int]:
    """The part with this round, or else with the next one."""
    wanted = [part for part in parts if part[0] <= round_number <= part[1]]
    return next(iter([*wanted, *(part for part in parts if part[1] > len(state.rounds)), *parts]), (1, 0))


def _effect_of_the_last_step(snapshot: EventNow) -> Effect | None:
    """Of a change by hand, or of another schedule."""
    state = tournament_of(snapshot)
    if state.did is None or state.did["kind"] not in ("exchange", "take") or not isinstance(state.before, Tournament):
        return None
    return _effect(snapshot, state.before.plan, state.plan)


def _now(snapshot: EventNow) -> list[EventNow]:
    """Who meets only each other in this stage: the groups, or everybody."""
    return [part.snapshot for part in parts(snapshot) if part.now]


def _effect(snapshot: EventNow, before: Sequence[Seating], after: Sequence[Seating]) -> Effect | None:
    """Of other rounds to come; None if there were none."""
    if not (before and after):
        return None
    found: list[str] = []
    told: tuple[list[str], list[str]] = [], []
    for part in _now(snapshot):
        was, now = (tournament_of(part).of_these(rounds) for rounds in (before, after))
        if was and now and was != now and not tournament_of(part).knock_out:
            changes, *both = _changed(part, was, now)
            found += changes
            for words, more in zip(told, both, strict=True):
                words += _of_part(part, more)
    return Effect(found[:NAMED], found[NAMED:], *told)


def _changed(
    snapshot: EventNow, before: Sequence[Seating], after: Sequence[Seating]
) -> tuple[list[str], list[str], list[str]]:
    """What another schedule changes, and both in words."""
    state, name = tournament_of(snapshot), partial(entrant_name, snapshot)
    if state.by_results:
        was, now = (worth(snapshot, rounds[0]) for rounds in (before, after))
        return pairing_words.compared(was, now, name, tables_by_hand(snapshot))
    earlier, later = (played(state, rounds) for rounds in (before, after))
    return schedule_words.changes(earlier, later, name), _words(earlier), _words(later)


def _of_part(snapshot: EventNow, words: Sequence[str]) -> list[str]:
    """With the name of the group before them, if there are groups."""
    return [f"{snapshot.part}: {words[0]}", *words[1:]] if snapshot.part and words else [*words]


def _faults(snapshot: EventNow, proposal: Proposed | None = None) -> list[str]:
    """Of the schedule, or of a proposed one; a round that is drawn from the results has none."""
    found = []
    for part in _now(snapshot):
        state, name = tournament_of(part), partial(entrant_name, part)
        other = proposal and Proposed(state.of_these(proposal.plan), proposal.tables, state.of_these(proposal.later))
        found += [] if state.by_results else _of_part(part, schedule_words.faults(drawn(state, other), name))
    return found


def _in_words(snapshot: EventNow) -> list[str]:
    """The schedule of a group, or the round that is drawn from its results."""
    state, name = tournament_of(snapshot), partial(entrant_name, snapshot)
    if not state.by_results:
        return _of_part(snapshot, _words(played(state))) if state.rounds or state.scheduled else []
    if state.knock_out or not state.plan:
        return []
    return _of_part(snapshot, pairing_words.round_words(*worth(snapshot, state.plan[0]), name))


def _shortfalls(snapshot: EventNow) -> list[Shortfall]:
    state = tournament_of(snapshot)
    if state.by_results or not (state.rounds or state.scheduled):
        return []
    return schedule_words.shortfalls(played(state), partial(entrant_name, snapshot))


def _words(plan: Plan) -> list[str]:
    return schedule_words.in_words(plan.tally.frequencies) + schedule_words.leads(plan.measures)


def _can_swap(snapshot: EventNow, planned: RoundPlanned) -> RoundPlanned:
    """Without the tables at which a tree says who meets whom."""
    state = tournament_of(snapshot)
    tables = (each for each in planned.tables if not state.in_tree(each.sides[0][0].number))
    byes = (each for each in planned.byes if not state.in_tree(each.number))
    return replace(planned, tables=tuple(tables), byes=tuple(byes))


def _proposal(snapshot: EventNow) -> ProposalShown:
    state = tournament_of(snapshot)
    assert state.proposal
    first = len(state.rounds) + 1
    format = FORMATS[state.setup["format"]]
    planned = [{sides_in(format, table) for table in each.tables} for each in state.plan]
    rounds, new = [], 0
    for at, seating in enumerate(state.proposal.plan):
        known = planned[at] if at < len(planned) else set()
        fresh = {
            number
            for number, table in zip(state.proposal.tables, seating.tables, strict=False)
            if sides_in(format, table) not in known
        }
        new += len(fresh)
        rounds.append(_shown(snapshot, first + at, state.round_of(seating, state.proposal.tables), new=fresh))
    return ProposalShown(
        rounds,
        new,
        sum(len(each.tables) for each in rounds),
        [] if state.by_results or state.groups else _compared(played(state), played(state, state.proposal.plan)),
        _effect(snapshot, state.plan, state.proposal.plan),
        _faults(snapshot, state.proposal),
    )


def _compared(before: Plan, after: Plan) -> list[Compared]:
    both = before, after
    partners = any(plan.tally.frequencies.partner for plan in both)
    never = _("Pairs of entrants who are never partners") if partners else _("Pairs of entrants who never meet")
    told = [plan.tally.frequencies.partner if partners else plan.tally.frequencies.meet for plan in both]
    figures: dict[str, Iterable[object]] = {
        _("Entrants in the rounds to come"): (len(players_in(plan.to_come)) for plan in both),
        _("Tables in the rounds to come"): (sum(len(each.tables) for each in plan.to_come) for plan in both),
        _("Byes in the rounds to come"): (sum(len(each.byes) for each in plan.to_come) for plan in both),
        # Each of its own pairs: with a late entrant there are more of them.
        never: (_("{n} of {all}").format(n=pairs.get(0, 0), all=sum(pairs.values())) for pairs in told),
        _("Most rounds of two entrants at one table"): (plan.measures.meet.most for plan in both),
        _("Pairs of entrants at one table in two rounds running"): (plan.measures.in_a_row for plan in both),
    }
    return [Compared(what, *map(str, values)) for what, values in figures.items()]


def _numbered(snapshot: EventNow, number: int, *, public: bool = False) -> RoundPlanned:
    """The round with this number: seated, or one of those to come; `public`: as it was released."""
    state = tournament_of(snapshot)
    if number <= len(state.rounds):
        return _shown(snapshot, number, state.rounds[number - 1], seated=True)
    judged = state.by_results and number == len(state.rounds) + 1 and not public
    whys = {those: why for part in _now(snapshot) if judged for those, why in _whys(part).items()}
    shown = _shown(snapshot, number, state.round_to_come(number, public=public), whys=whys)
    return replace(shown, not_all=not public and number > len(state.rounds) + len(state.plan))


Whys = Mapping[frozenset[int], str]
"""Why they meet, by the start numbers of those at a table."""


def _whys(snapshot: EventNow) -> Whys:
    """Of the next round of a group, which was drawn from the results; empty if it has no more, by a schedule, and in a
    knock-out, where the tree says it."""
    state = tournament_of(snapshot)
    if not state.plan or state.setup["system"] != SWISS:
        return {}
    (field, drawn), name = worth(snapshot, state.plan[0]), partial(entrant_name, snapshot)
    settled = [frozenset(table) for table in state.settled(field.round)]
    by_hand = tables_by_hand(snapshot)
    found = {}
    for table in drawn.tables:
        there = frozenset(each for side in table.sides for each in side)
        said = pairing_words.table_words(field, drawn, table, name, by_hand)
        found[there] = " ".join([_("The directors settled this table."), *said] if there in settled else said)
    return found


def _shown(
    snapshot: EventNow,
    number: int,
    drawn: Round,
    *,
    seated: bool = False,
    new: Collection[int] = (),
    whys: Whys | None = None,
) -> RoundPlanned:
    state = tournament_of(snapshot)
    tables = []
    for each in sorted(drawn.pairings, key=lambda each: each.table):
        sides = state.sides_of(each.game, each.players)
        why = (whys or {}).get(frozenset(entrant for side in sides for entrant in side), "")
        named = tuple(tuple(_named(snapshot, side)) for side in sides)
        tables.append(TablePlanned(each.table, named, each.table in new, why))
    byes = sorted({state.numbers[player] for player in drawn.byes})
    there = {state.numbers[player] for player in drawn.players}
    away = (entrant for entrant in state.away(number) if entrant not in there)
    return RoundPlanned(
        number,
        tuple(tables),
        tuple(_named(snapshot, byes)),
        tuple(_named(snapshot, away)),
        seated,
        number in state.changed,
    )


def _named(snapshot: EventNow, numbers: Iterable[int]) -> Iterable[Named]:
    return (Named(number, entrant_name(snapshot, number)) for number in numbers)


def _by_table(each: RoundPlanned, numbers: Sequence[int]) -> list[TablePlanned | None]:
    there = {table.number: table for table in each.tables}
    return [there.get(number) for number in numbers]


def _rows(snapshot: EventNow, rounds: Sequence[RoundPlanned]) -> list[Row]:
    """One for each entrant, whether they still take part or not."""
    cells: list[dict[int, Cell]] = [cells_of(each) for each in rounds]
    entrants = _named(snapshot, tournament_of(snapshot).entrants)
    return [Row(entrant, [each.get(entrant.number, Cell()) for each in cells]) for entrant in entrants]


def cells_of(each: RoundPlanned) -> dict[int, Cell]:
    """By start number; without those who have no part in the round."""
    found = {entrant.number: Cell(bye=True) for entrant in each.byes}
    for table in each.tables:
        for side in table.sides:
            others = tuple(entrant for other in table.sides if other is not side for entrant in other)
            for entrant in side:
                partners = tuple(partner for partner in side if partner is not entrant)
                found[entrant.number] = Cell(table.number, partners, others)
    return found
