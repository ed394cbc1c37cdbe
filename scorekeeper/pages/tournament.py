"""The pages of a tournament: the public one with standings and rounds, and the director's desk."""

import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import accumulate
from operator import attrgetter

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from games import GAMES
from scorekeeper import live, words
from scorekeeper.events import Tournament
from scorekeeper.events.plan import unplanned
from scorekeeper.events.records import Noted
from scorekeeper.events.rounds import Pairing
from scorekeeper.events.setup import KNOCK_OUT, SWISS
from scorekeeper.live.parts import shared
from scorekeeper.models import Application, Club, Event, Match, Player
from scorekeeper.pages import context, schedule_words
from scorekeeper.pages.bracket import BracketShown, bracket_of
from scorekeeper.pages.corrections import Corrected, place, who
from scorekeeper.pages.criteria import NAMES, WITHOUT_COLUMN, figure, too_few_words
from scorekeeper.pages.desk import MovedTable, moved_tables, undo_words
from scorekeeper.pages.event import snapshot, version
from scorekeeper.pages.free_play import FreePlay, WaitingShown, free_play_of, waiting_shown
from scorekeeper.pages.match import Side
from scorekeeper.pages.penalties import PenaltyShown, penalties
from scorekeeper.pages.prospects import head, reach
from scorekeeper.pages.series import which_match
from scorekeeper.pages.tournament_schedule import Coming, Making, Outdated, coming, making, outdated
from scorekeeper.pages.tournament_stages import AdvanceShown, advance_shown
from scorekeeper.pages.tournament_standings import decision_words, shown_rows
from scorekeeper.pages.wrong_tables import WrongTableShown, wrong_tables_now
from scorekeeper.schedule.seating import FORMATS
from scorekeeper.selectors.events import EventNow, has_counted, in_play, rounds_under_way, still_playing, where_playing
from scorekeeper.selectors.pairings import next_to_draw
from scorekeeper.selectors.series import Series, as_seated, next_by_hand, seated_at, series_at
from scorekeeper.selectors.tournament_corrections import corrections_noted
from scorekeeper.selectors.tournament_results import tournament_results
from scorekeeper.selectors.tournaments import (
    director_decides,
    entrant_name,
    match_at,
    open_results,
    parts,
    prospects_now,
    rounds_announced,
    standings_now,
    tournament_of,
    unconfirmed,
)

TABLES_AT_ONCE = 200  # of rounds on the public page, unless somebody asks for all


@dataclass(frozen=True, slots=True)
class Line:
    """An entrant in the standings."""

    place: int
    """0 before the first result."""
    entrant: int
    name: str
    values: tuple[str, ...]
    """By column."""
    out: bool
    """Whether they came to too few tables to be placed with the others."""
    ahead_by: str
    """What decided against the next line, if not the first criterion."""
    ahead_in_column: bool
    """Whether a column of a wide table shows that too."""


@dataclass(frozen=True, slots=True)
class SideShown:
    index: int
    """As the table was drawn."""
    in_match: int
    """Its index in the match."""
    players: tuple[int, ...]
    name: str
    total: int | None
    """None for who did not come."""
    absent: bool
    alone: bool
    """Whether nobody else came, so that they won by forfeit."""
    won: bool
    """Whether they alone have the best total."""
    tied: bool


@dataclass(frozen=True, slots=True)
class TableShown:
    """A table of a round."""

    number: int
    sides: tuple[SideShown, ...]
    match: Match | None
    """None in a draft, and if the match was removed."""
    over: bool
    """Whether it counts: played to its end, or forfeited."""
    series: Series | None = None
    """All its matches; None where one decides."""
    abandoned: bool = False
    """Whether its match ended without a winner."""
    unconfirmed: bool = False
    """Whether too few seats have confirmed it."""
    group: str = ""
    """The group or final to which it belongs; "" where there are none."""
    waits_for: str = ""
    """Who of them still plays in an earlier round, and where; "" if everybody is free, or it has begun."""

    @property
    def score(self) -> str:
        """The matches won, like 2 : 1, in the order of its sides; "" where one match decides."""
        return words.totals(self.series.wins) if self.series and self.match else ""

    @property
    def which_match(self) -> str:
        return which_match(self.series, self.match) if self.series and self.match else ""

    @property
    def goes_on(self) -> bool:
        """Whether its match is not the first of its series."""
        return self.series is not None and self.match is not None and self.series.number_of(self.match) > 1

    @property
    def next_by_hand(self) -> bool:
        """Whether a director can begin another match in place of one that was abandoned."""
        return self.series is not None and next_by_hand(self.series) is not None

    @property
    def unverified(self) -> bool:
        """Whether its result was only typed."""
        return self.match is not None and self.match.unverified and not self.forfeited

    @property
    def absent(self) -> list[SideShown]:
        """The sides that did not come."""
        return [side for side in self.sides if side.absent]

    @property
    def disputed(self) -> bool:
        """Whether a player disputes its result."""
        return self.match is not None and bool(self.match.sheet.get("disputed"))

    @property
    def silent(self) -> bool:
        """Whether its match is in play, everybody came, and nothing is entered yet."""
        return self.match is not None and in_play(self.match) and self.match.blank and not self.absent

    @property
    def plays(self) -> bool:
        return self.match is not None and in_play(self.match)

    @property
    def forfeited(self) -> bool:
        """Whether nobody plays, because fewer than two sides came."""
        return len(self.sides) - len(self.absent) < 2

    @property
    def too_few(self) -> bool:
        """Whether somebody did not come, and the others cannot play its game without them."""
        came = sum(len(side.players) for side in self.sides if not side.absent)
        return bool(self.match and self.absent) and not self.forfeited and came not in self._seats

    @property
    def needs_all(self) -> bool:
        """Whether two or more of its sides cannot play without the others."""
        return len(self.sides) > 2 and sum(len(side.players) for side in self.sides) == min(self._seats, default=0)

    @property
    def _seats(self) -> tuple[int, ...]:
        """How many can play its game."""
        return GAMES[self.match.game].seats if self.match else ()

    def sides_of_match(self, sides: Sequence[Side]) -> tuple[Side, ...]:
        """These of its match, which does not know who did not come, in the order of the table."""
        return tuple(
            replace(
                sides[each.in_match],
                points=None if each.absent else sides[each.in_match].points,
                won=each.won,
                tied=each.tied,
                absent=each.absent,
                alone=each.alone,
            )
            for each in self.sides
        )


@dataclass(frozen=True, slots=True)
class RoundShown:
    number: int
    tables: tuple[TableShown, ...]
    byes: tuple[str, ...]
    away: tuple[str, ...]
    """Who asked not to play in it."""

    @property
    def missing(self) -> list[TableShown]:
        """The tables without a result."""
        return [table for table in self.tables if not table.over]


@dataclass(frozen=True, kw_only=True)
class StandingsShown:
    """The standings now, with those of their criteria that have a column."""

    columns: list[str]
    lines: list[Line]
    decisive: tuple[int, ...]
    """The two columns, in order, that separate most of those who are equal in the first one; fewer if they suffice."""
    too_few: str
    """What “too few tables” means, if somebody came to too few."""


@dataclass(frozen=True, kw_only=True)
class PartShown(StandingsShown, BracketShown):
    """A group or a final; or the whole tournament, where there are none."""

    name: str
    """"" for the whole tournament."""
    now: bool
    """Whether its stage is not over."""


@dataclass(frozen=True, kw_only=True)
class TournamentShown:
    """Everything public about the tournament, without a draft."""

    parts: list[PartShown]
    """Those of the newest stage first."""
    entered: bool
    """Whether there are entrants."""

    tournament: Event
    club: Club
    version: str
    game: str
    rounds: list[RoundShown]
    """The newest first."""
    more_rounds: bool
    """Whether there are older ones."""
    follows: bool
    """Whether the page follows the matches. One with all rounds does not: it may be large."""
    open_play: bool
    """Whether whoever is free plays: then there are no rounds, but tables that play and tables that are over."""
    playing: list[TableShown]
    over: list[TableShown]
    """The one that ended last is first."""
    waiting: list[WaitingShown]
    """Who is free, whoever waits longest first."""
    coming: Coming | None
    """The released rounds to come."""
    rounds_planned: int
    penalties: list[PenaltyShown]
    advances: list[AdvanceShown]
    """What was decided about who goes on to the finals."""
    corrections: list[Corrected]
    """Results that were corrected, the newest first."""
    open_results: int
    """How many results can still change without a director; until then, the standings are provisional."""


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """The public page, already drawn but for what only some may see."""

    tournament: Event
    club: Club
    drawn: SafeString


@dataclass(frozen=True, slots=True)
class Director:
    """Whether the visitor directs the tournament."""

    host: bool


@dataclass(frozen=True, slots=True)
class EntrantShown:
    number: int
    name: str
    group: str
    """Their group or final; "" where there are none, and for who does not play any more."""
    left: bool
    can_return: bool
    """Whether they can come back if they have left."""


@dataclass(frozen=True, kw_only=True)
class DraftWaits:
    """Who still plays, and what is played at tables of the draft."""

    draft_waits_for: str
    """In an earlier round, and where; "" if everybody is free."""
    draft_all_wait: bool
    """Whether somebody of every table does."""
    draft_elsewhere: str
    """In another event, and where, so that the round cannot be released; "" if nobody does."""
    draft_moved: list[MovedTable]
    """Its tables at which another event plays."""


@dataclass(frozen=True, kw_only=True)
class TournamentDesk(DraftWaits):
    """Everything on the director's desk but the rounds that are played."""

    tournament: Event
    club: Club
    game: str
    rounds: int
    """How many have been released."""
    rounds_planned: int
    final: list[PartShown]
    """The final standings; none before the end, when the desk only leads to those of the moment."""
    penalties: list[PenaltyShown]
    open_results: int
    """How many results can still change without a director; until then, the standings are provisional."""
    going: int
    """How many matches are in play."""
    scoreless: int
    """How many of these have no counted hand."""
    entrants: tuple[EntrantShown, ...]
    staying: tuple[EntrantShown, ...]
    """Those who have not left."""
    gone: tuple[EntrantShown, ...]
    others: list[Player]
    """The club's players who are not entered."""
    size: int
    """The players of an entrant."""
    draft: RoundShown | None
    free_play: FreePlay | None
    """Who is free, where whoever is free plays."""
    planned: int
    """How many rounds of the schedule are to come."""
    left: int
    """How many rounds are not played."""
    begun: bool
    """Whether a round of this stage is released."""
    stages: bool
    """Whether there can be groups and finals."""
    wants_groups: bool
    """Whether groups are to be drawn next."""
    groups_over: bool
    """Whether all rounds of the groups are played, and there are no finals yet."""
    knock_out: bool
    """Whether the tree of a knock-out says who meets whom, everywhere."""
    has_tree: bool
    """Whether it does so in one of the finals at least."""
    more_can_enter: bool
    """Whether the stage still takes entrants."""
    by_results: bool
    """Whether each round is drawn from the results."""
    next: int
    """The number of the next round, if the setup asks for it; else 0. Only in a Swiss tournament."""
    making: Making | None
    """A schedule that is being made, or that has just failed."""
    outdated: Outdated | None
    proposed: bool
    """Whether another schedule waits for the director's decision."""
    applications: int
    """How many people who ask to be entered wait for an answer."""
    misfit: str
    """That the schedule is not as long as the setup asks."""
    again: str
    """From which round of a Swiss tournament on somebody has to meet again; "" if nobody has to."""
    short: int
    """How many more entrants a table needs."""
    unrated: str
    """That somebody without a rating has the first round drawn without ratings; "" if not."""
    unplanned: list[str]
    """Who takes part, but is not in the schedule."""
    needless: list[str]
    """Who has left, but is still in the schedule."""
    wrong_tables: list[WrongTableShown]
    """Where the wrong people sit since a correction, in a knock-out."""
    removed: bool
    decides: bool
    """Whether directors decide between entrants who are equal."""
    undo: str
    key: str


@dataclass(frozen=True, slots=True)
class DeskRefusal:
    """Why a step was refused, and what was typed."""

    refusal: str = ""
    refusal_code: str = ""
    typed: str = ""
    sent: Mapping[str, str] = field(default_factory=dict)
    """All fields of the form, with `do` as its button."""


def standings_shown(snapshot: EventNow) -> StandingsShown:
    """No query."""
    state = tournament_of(snapshot)
    rows, decided = shown_rows(standings_now(snapshot).stages[0], carried=state.carried) if state.entrants else ([], {})
    order: list[str] = state.setup["order"]
    shown = [name for name in order if name not in WITHOUT_COLUMN]
    lasting = {entrant: name for entrant, name in decided.items() if name != order[0]}
    separated = Counter(shown.index(name) for name in lasting.values() if name in shown)
    return StandingsShown(
        columns=[str(NAMES[name]) for name in shown],
        lines=[
            Line(
                row.place,
                row.entrant,
                row.name,
                tuple(figure(name, row.values[name]) for name in shown),
                row.out,
                decision_words(lasting.get(row.entrant, "")),
                lasting.get(row.entrant) in shown,
            )
            for row in rows
        ],
        decisive=tuple(sorted(at for at, _count in separated.most_common(2))),
        too_few=too_few_words(rows, state.setup["minimum_played"]),
    )


def parts_shown(snapshot: EventNow) -> list[PartShown]:
    """The groups and finals, those of the newest stage first. No query."""
    found = sorted(parts(snapshot), key=lambda part: -part.stage)
    return [
        PartShown(
            **context(_with_places_open(part.snapshot), bracket_of(part.snapshot)),
            name=part.snapshot.part,
            now=part.now,
        )
        for part in found
    ]


def _with_places_open(snapshot: EventNow) -> StandingsShown:
    """The standings; of a knock-out, which has no figures, with the places that are open to everybody."""
    shown, ahead = standings_shown(snapshot), prospects_now(snapshot)
    if not (ahead and tournament_of(snapshot).knock_out):
        return shown
    can = {entrant: reach(each) for entrant, each in ahead.items()}
    lines = [replace(line, values=(can[line.entrant].places,)) for line in shown.lines]
    return replace(shown, columns=[head(can.values())], lines=lines)


def tournament_shown(snapshot: EventNow, *, all_rounds: bool = False) -> TournamentShown:
    """The newest rounds, or all."""
    state = tournament_of(snapshot)
    shown_rounds = list(range(len(state.rounds), 0, -1)) if all_rounds else _newest_rounds(state)
    if state.free_play:
        shown_rounds = sorted({*shown_rounds, *rounds_under_way(snapshot)}, reverse=True)
    rounds = [round_shown(snapshot, number) for number in shown_rounds]
    tables = [table for each in rounds for table in each.tables] if state.free_play else []
    return TournamentShown(
        parts=parts_shown(snapshot),
        entered=bool(state.entrants),
        tournament=snapshot.event,
        club=snapshot.event.club,
        version=version(snapshot),
        game=_game_name(state),
        rounds=rounds,
        open_play=state.free_play,
        playing=sorted((each for each in tables if each.plays), key=lambda each: each.number),
        over=sorted((each for each in tables if not each.plays), key=_ended, reverse=True),
        waiting=waiting_shown(snapshot),
        follows=not all_rounds,
        more_rounds=len(shown_rounds) < len(state.rounds),
        coming=coming(snapshot),
        rounds_planned=rounds_announced(snapshot),
        penalties=penalties(snapshot),
        advances=[advance_shown(snapshot, each) for each in state.advances],
        corrections=[_corrected(snapshot, each) for each in corrections_noted(snapshot)],
        open_results=open_results(snapshot),
    )


def _ended(table: TableShown) -> tuple[float, int]:
    """By which tables of free play are sorted."""
    match = table.match
    return (match.finished_at.timestamp(), match.pk) if match and match.finished_at else (0, 0)


def _corrected(snapshot: EventNow, noted: Noted) -> Corrected:
    match = match_at(snapshot, noted.round, noted.table)
    return Corrected(
        at=noted.at,
        who=who(noted.by, noted.table),
        place=place(noted.round, noted.table),
        old=words.totals(noted.old),
        new=words.totals(noted.new),
        why=noted.why,
        match=match.pk if match else None,
        swapped=words.listed(names) if (names := [entrant_name(snapshot, each) for each in noted.swapped]) else "",
    )


def _game_name(state: Tournament) -> str:
    game = GAMES[state.setup["game"]]
    return _(game.name)


def desk_page(snapshot: EventNow, *, now: datetime) -> TournamentDesk:
    state, event = tournament_of(snapshot), snapshot.event
    entered = {player for players in state.entrants.values() for player in players}
    group_of = {entrant: group.name for group in state.groups for entrant in group.entrants}
    entrants = tuple(
        EntrantShown(
            number,
            entrant_name(snapshot, number),
            group_of.get(number, ""),
            number in state.withdrawn,
            can_return=state.can_return(number),
        )
        for number in state.entrants
    )
    return TournamentDesk(
        **context(_draft_waits(snapshot, state)),
        tournament=event,
        club=event.club,
        game=_game_name(state),
        rounds=len(state.rounds),
        rounds_planned=rounds_announced(snapshot),
        final=parts_shown(snapshot) if event.closed_at else [],
        penalties=penalties(snapshot),
        open_results=open_results(snapshot),
        going=sum(map(in_play, snapshot.matches)),
        scoreless=sum(in_play(match) and not has_counted(match) for match in snapshot.matches),
        entrants=entrants,
        staying=tuple(each for each in entrants if not each.left),
        gone=tuple(each for each in entrants if each.left),
        others=[player for player in snapshot.offered if player.pk not in entered],
        size=state.setup["size"],
        draft=_draft(snapshot, state) if state.draft and not state.free_play else None,
        free_play=free_play_of(snapshot),
        planned=len(state.plan),
        left=state.rounds_left,
        begun=state.begun,
        stages=not (event.closed_at or state.removed or state.free_play or (state.knock_out and not state.groups)),
        wants_groups=state.wants_groups,
        groups_over=bool(state.groups and state.begun and not state.earlier and not state.plan),
        knock_out=state.systems == {KNOCK_OUT},
        has_tree=state.knock_out,
        more_can_enter=not (state.seeded or state.earlier),
        by_results=state.by_results,
        next=next_to_draw(snapshot),
        making=making(event, now),
        outdated=outdated(snapshot),
        proposed=state.proposal is not None,
        applications=event.applications.filter(state=Application.State.WAITING).count(),
        misfit=schedule_words.misfit(state),
        again=_again(state),
        unrated=_unrated(state),
        unplanned=[entrant_name(snapshot, number) for number in unplanned(state)],
        needless=schedule_words.needless_names(state, partial(entrant_name, snapshot)),
        short=max(state.fewest - len(state.entrants), 0),
        wrong_tables=wrong_tables_now(snapshot) if state.begun and state.knock_out else [],
        removed=state.removed,
        decides=director_decides(state),
        undo=undo_words(snapshot),
        key=secrets.token_hex(16),
    )


def _again(state: Tournament) -> str:
    """Of the first group that is a Swiss tournament in which some have to meet again."""
    found = (
        schedule_words.meet_again(
            field.rounds_wanted, len(field.taking_part), FORMATS[field.setup["format"]], state.rounds_before
        )
        for field in state.fields
        if field.setup["system"] == SWISS
    )
    return next(filter(None, found), "")


def _unrated(state: Tournament) -> str:
    if state.begun or state.earlier or not state.by_results or state.setup["first_by_lots"]:
        return ""
    without = sum((about := state.about.get(each)) is None or about.rating is None for each in state.taking_part)
    if not 0 < without < len(state.taking_part):
        return ""
    text = ngettext(
        "{n} entrant has no rating. Ratings only order the draw when everybody has one.",
        "{n} entrants have no rating. Ratings only order the draw when everybody has one.",
        without,
    )
    return text.format(n=without)


def round_shown(snapshot: EventNow, number: int) -> RoundShown:
    played = tournament_of(snapshot).rounds[number - 1]
    tables = [_table(snapshot, number, pairing) for pairing in played.pairings]
    silent = [at for at, table in enumerate(tables) if table.silent]
    earlier = still_playing(snapshot.matches, number) if silent else {}
    for at in silent:
        tables[at] = replace(tables[at], waits_for=playing_words(snapshot, earlier, played.pairings[at].players))
    return RoundShown(number, tuple(tables), _byes(snapshot, played.byes), _away(snapshot, number))


def _draft(snapshot: EventNow, state: Tournament) -> RoundShown:
    assert state.draft
    number = len(state.rounds) + 1
    tables = tuple(
        TableShown(
            each.table,
            _sides(snapshot, each, None, state.walk_over(each)),
            None,
            over=False,
            group=state.group_at(number, each.players),
        )
        for each in state.draft.pairings
    )
    return RoundShown(number, tables, _byes(snapshot, state.draft.byes), _away(snapshot, number))


def _draft_waits(snapshot: EventNow, state: Tournament) -> DraftWaits:
    pairings = state.draft.pairings if state.draft else ()
    players = [player for each in pairings for player in each.players]
    earlier = still_playing(snapshot.matches, len(state.rounds) + 1)
    return DraftWaits(
        draft_waits_for=playing_words(snapshot, earlier, players),
        draft_all_wait=not any(earlier.keys().isdisjoint(each.players) for each in pairings),
        draft_elsewhere=playing_words(snapshot, snapshot.elsewhere, players),
        draft_moved=moved_tables(snapshot),
    )


def playing_words(snapshot: EventNow, playing: Mapping[int, Match], players: Iterable[int]) -> str:
    """Those of the players who are `playing`, each with their table; "" if none is."""
    busy = [where_playing(snapshot.name(each), playing[each], snapshot.event) for each in players if each in playing]
    return words.some_of(busy)


def _table(snapshot: EventNow, number: int, pairing: Pairing) -> TableShown:
    state = tournament_of(snapshot)
    match = match_at(snapshot, number, pairing.table)
    absent = state.absent_at(number, pairing.table)
    series = series_at(snapshot, state, number, pairing)
    sides = _sides(snapshot, pairing, match, absent, series)
    played = bool(match and match.sheet["winners"])
    open_still = played and match is not None and unconfirmed(state, match)
    group = state.group_at(number, pairing.players)
    shown = TableShown(pairing.table, sides, match, played, series, False, open_still, group)
    over = played or shown.forfeited
    return replace(shown, over=over, abandoned=bool(match and not in_play(match)) and not over)


def _sides(
    snapshot: EventNow,
    pairing: Pairing,
    match: Match | None,
    absent: frozenset[int],
    series: Series | None = None,
) -> tuple[SideShown, ...]:
    """As they sit in the match; as they were drawn where several matches decide, so that they keep their order while
    they change seats: there the total is the number of matches won."""
    game = GAMES[pairing.game]
    seats = game.sides(len(pairing.players))
    scored = match and (match.sheet["hands"] or match.sheet["winners"])
    totals: Sequence[int] | None = match.sheet["totals"] if match and scored else None
    state = tournament_of(snapshot)
    players = seated_at(state, pairing, match)
    drawn = as_seated(state, match, range(len(seats))) if match else [*range(len(seats))]
    absent = frozenset(at for at, side in enumerate(drawn) if side in absent)
    came = [side[0] for index, side in enumerate(seats) if index not in absent]
    # Of those who came: in the match, a side that did not come has a total, too.
    best = game.winners([totals[seat] for seat in came]) if totals and match and match.sheet["winners"] and came else ()
    winners = {came[at] for at in best}
    shown = {side[0]: total for side in seats if totals and (total := totals[side[0]]) is not None}
    if series and match:
        wins = series.wins_in(match)
        shown = {side[0]: won for side, won in zip(seats, wins, strict=True)}
        winners = {side[0] for side, won in zip(seats, wins, strict=True) if series.decided and won == max(wins)}
    found = (
        SideShown(
            drawn[index],
            index,
            tuple(players[seat] for seat in side),
            words.together([snapshot.name(players[seat]) for seat in side]),
            shown.get(side[0]) if index not in absent else None,
            index in absent,
            came == [side[0]],
            winners == {side[0]},
            len(winners) > 1 and side[0] in winners,
        )
        for index, side in enumerate(seats)
    )
    return tuple(sorted(found, key=attrgetter("index")))


def _byes(snapshot: EventNow, byes: Sequence[int]) -> tuple[str, ...]:
    state = tournament_of(snapshot)
    numbers = dict.fromkeys(state.numbers[player] for player in byes)
    return tuple(entrant_name(snapshot, number) for number in numbers)


def _away(snapshot: EventNow, number: int) -> tuple[str, ...]:
    return tuple(entrant_name(snapshot, entrant) for entrant in tournament_of(snapshot).away(number))


def _newest_rounds(state: Tournament) -> list[int]:
    """The numbers of the newest rounds, at least of one, with up to TABLES_AT_ONCE tables."""
    newest = range(len(state.rounds), 0, -1)
    tables = accumulate(len(state.rounds[number - 1].pairings) for number in newest)
    few = sum(count <= TABLES_AT_ONCE for count in tables)
    return list(newest[: max(few, 1)])


def tournament_drawn(event: Event, *, all_rounds: bool) -> Drawn:
    """The public page of a tournament from `access.tournament_for`, drawn once for everybody after each change."""

    def draw(_before: SafeString | None) -> SafeString:
        page = tournament_shown(tournament_results(event).snapshot, all_rounds=all_rounds)
        return mark_safe(render_to_string("scorekeeper/_tournament_page.html", context(page)))  # noqa: S308 (ours)

    kept = shared(live.Topic.of_event(event), "page", get_language() or "", str(all_rounds))
    return Drawn(tournament=event, club=event.club, drawn=kept.of(event.newest_change, draw))


def tournament(kind: str, number: int) -> str:
    """The live part of the public page."""
    return render_to_string("scorekeeper/_tournament.html", context(tournament_shown(snapshot(number, kind))))


live.register(Event.Kind.TOURNAMENT, tournament=tournament)
