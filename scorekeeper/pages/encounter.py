"""The pages of an encounter of teams: what everybody sees, and the captain's line-up."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games import GAMES
from scorekeeper.events import League
from scorekeeper.events.encounters import DOUBLE, SIDES, Encounter, Fault, Form, LineUp, leads
from scorekeeper.forms.line_ups import NOBODY, field
from scorekeeper.models import Club, Event, Match
from scorekeeper.selectors.encounters import EncounterNow, sides_at
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.leagues import fixtures_now, round_to_play
from scorekeeper.selectors.leagues import team_name as named_in
from scorekeeper.words import listed, number

SIDE_NAMES = ("home", "away")
"""Of the sides, in addresses."""


class Typed(NamedTuple):
    """What was typed at a board for a step that was refused."""

    step: str
    board: int
    fields: Mapping[str, str]
    players: Sequence[str]


NOT_TYPED = Typed("", 0, {}, ())


@dataclass(frozen=True, slots=True)
class TeamLine:
    """A team of an encounter."""

    number: int
    name: str
    submitted: bool
    """Whether its line-up is in: all that others know before both are open."""
    side: str
    """One of SIDE_NAMES."""


@dataclass(frozen=True, slots=True)
class BoardSide:
    players: tuple[str, ...]
    """Nobody: the side has forfeited the board."""
    leads: bool
    """Whether the side leads the first hand."""
    total: str
    won: bool


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A board after the opening."""

    number: int
    game: str
    sides: tuple[BoardSide, ...]
    state: str
    """In words."""
    match: int | None
    table: int | None
    """The number that stands on it."""
    lower_wins: bool
    """Whether the side with the fewest points wins."""
    can_start: bool
    can_change: bool
    """Whether substitutes can come."""
    can_type: bool
    """Whether a result can be typed."""
    places: tuple[tuple[int, str], ...]
    """The places of a side, from 1, each with the substitute typed for it."""
    suggested: int | None
    """The number of a free table, if it can start and there is one."""
    result: Mapping[str, str]
    """What was typed for its result, if that was refused."""
    why: str
    """The reason typed for a substitute, if that was refused."""


@dataclass(frozen=True, slots=True)
class PartLines:
    """The boards that are played at the same time."""

    number: int
    name: str
    boards: tuple[BoardLine, ...]

    @property
    def can_start(self) -> bool:
        return any(board.can_start for board in self.boards)


@dataclass(frozen=True, kw_only=True)
class EncounterPage:
    league: Event
    club: Club
    fixture: int
    teams: tuple[TeamLine, ...]
    opened: bool
    parts: tuple[PartLines, ...]
    """Empty before the opening."""
    points: tuple[str, ...]
    """The game points of both sides so far."""
    verdict: str
    over: bool
    notes: tuple[str, ...]
    """About substitutes."""
    own: str = ""
    """The side of whoever looks at the page, if they are a captain: one of SIDE_NAMES."""
    host: bool
    key: str
    """For the next step."""
    refusal: str = ""
    closed: bool
    """Whether the season is over: results may change its final table."""
    can_change: bool
    """Whether substitutes can come to one of the boards."""
    step: str = ""
    """The step that was refused: "result", "substitute" or another one."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """An encounter of the round that is played next, whose line-ups are a secret still."""

    fixture: int
    home: str
    away: str
    missing: tuple[str, ...]
    """The teams that have submitted nothing."""


@dataclass(frozen=True, kw_only=True)
class RoundPage:
    league: Event
    club: Club
    round: int
    """0 if every line-up is open."""
    meetings: tuple[Meeting, ...]
    """Those where one team is in: they can open."""
    waiting: tuple[Meeting, ...]
    """Those where neither is."""
    refusal: str
    key: str


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    name: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class PlaceField:
    name: str
    label: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class BoardFields:
    number: int
    title: str
    places: tuple[PlaceField, ...]
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PartFields:
    name: str
    boards: tuple[BoardFields, ...]


@dataclass(frozen=True, kw_only=True)
class LineUpPage:
    league: Event
    club: Club
    fixture: int
    team: str
    opponents: str
    side: str
    parts: tuple[PartFields, ...]
    rules: tuple[str, ...]
    faulty: bool
    """Whether there are faults at boards, which stand there."""
    submitted: bool
    other_in: bool
    swapped: bool
    """Whether the team met others in it before a host swapped places."""
    refusal: str = ""
    for_host: bool = False
    """Whether a host types it for the team."""


def fault_words(fault: Fault, names: Mapping[int, str]) -> str:
    """What is wrong at a board."""
    who, other = (names.get(player or 0, "") for player in (fault.player, fault.other))
    boards = listed([str(each) for each in sorted((fault.board, fault.other or fault.board))])
    twice = _("{name} plays at boards {boards} at the same time.")
    if fault.other == fault.board:
        twice = _("{name} is at board {board} twice.")
    return {
        "missing": _("Choose who plays here, or leave the board to the others."),
        "too-many": _("Too many players."),
        "not-in-squad": _("{name} is not in the squad."),
        "twice": twice,
        "too-many-singles": _("{name} plays too many singles."),
        "too-many-doubles": _("{name} plays too many doubles."),
        "out-of-order": _("{name} must play before {other}: line-ups follow the order of the squad."),
    }[fault.code].format(name=who, other=other, board=fault.board, boards=boards)


def line_up_page(
    *,
    league: Event,
    state: League,
    fixture: int,
    side: int,
    names: Mapping[int, str],
    chosen: LineUp | None,
    faults: Sequence[Fault],
    submitted: Collection[int],
    checked: bool = False,
    refusal: str = "",
    for_host: bool = False,
) -> LineUpPage:
    """`chosen`: what is shown; None for nothing. `checked`: whether the faults are shown. `names` by player."""
    met = state.encounter(fixture)
    sides = state.fixture(fixture).sides
    return LineUpPage(
        league=league,
        club=league.club,
        fixture=fixture,
        team=team_name(state, sides[side], names),
        opponents=team_name(state, sides[1 - side], names),
        side=SIDE_NAMES[side],
        parts=tuple(
            PartFields(
                part_name(met.form, part),
                tuple(
                    _board_fields(met, side, board, names, chosen, faults if checked else ())
                    for board in met.form.boards_of(part)
                ),
            )
            for part in met.form.parts
        ),
        rules=tuple(_rules(met.form)),
        faulty=checked and bool(faults),
        submitted=side in submitted,
        other_in=1 - side in submitted,
        swapped=state.fixture(fixture).round == state.rounds_made and sides[side] in state.swapped,
        refusal=refusal,
        for_host=for_host,
    )


def encounter_page(
    *,
    league: Event,
    state: League,
    fixture: int,
    now: EncounterNow,
    names: Mapping[int, str],
    submitted: Collection[int],
    own: int | None,
    free_tables: Sequence[int],
    host: bool,
    key: str,
    refusal: str = "",
    typed: Typed,
) -> EncounterPage:
    """`submitted`: the sides whose line-ups are in. `own`: the side of a captain.
    `free_tables`: their numbers, for a host."""
    met, score = now.encounter, now.score
    sides = state.fixture(fixture).sides
    teams = tuple(
        TeamLine(entrant, team_name(state, entrant, names), side in submitted or met.open, SIDE_NAMES[side])
        for side, entrant in enumerate(sides)
    )
    parts = [
        PartLines(
            part,
            part_name(met.form, part),
            tuple(_board_line(now, board, names, free, typed) for board in met.form.boards_of(part)),
        )
        for part in met.form.parts
        if met.open
        for free in [iter(free_tables)]
    ]
    return EncounterPage(
        league=league,
        club=league.club,
        fixture=fixture,
        teams=teams,
        opened=met.open,
        parts=tuple(parts),
        points=tuple(number(each) for each in score.game_points),
        verdict=_verdict(now, teams),
        over=score.over,
        notes=tuple(
            _("Board {board}, {team}: {players} instead of {before}. {why}").format(
                board=each.board,
                team=teams[each.side].name,
                players=_listed(each.players, names),
                before=_listed(each.instead_of, names),
                why=each.why,
            )
            for each in met.substitutes
        ),
        own="" if own is None else SIDE_NAMES[own],
        host=host,
        key=key,
        refusal=refusal,
        closed=state.closed,
        can_change=any(board.can_change for part in parts for board in part.boards),
        step=typed.step,
    )


def round_page(now: EventNow, submitted: Mapping[int, Collection[int]], *, key: str, refusal: str) -> RoundPage:
    """`submitted`: by fixture, the sides whose line-ups are in."""
    secret = [
        each.fixture
        for each in round_to_play(fixtures_now(now))
        if each.encounter and not each.encounter.encounter.open
    ]
    found = []
    for fixture in secret:
        home, away = (named_in(now, entrant) for entrant in fixture.sides)
        missing = tuple(name for side, name in enumerate((home, away)) if side not in submitted.get(fixture.number, ()))
        found.append(Meeting(fixture.number, home, away, missing))
    return RoundPage(
        league=now.event,
        club=now.event.club,
        round=secret[0].round if secret else 0,
        meetings=tuple(each for each in found if len(each.missing) < len(SIDES)),
        waiting=tuple(each for each in found if len(each.missing) == len(SIDES)),
        refusal=refusal,
        key=key,
    )


def team_name(state: League, entrant: int, names: Mapping[int, str]) -> str:
    """The name of a team, else of its players."""
    team = state.entrants[entrant]
    return team.name or " + ".join(names[player] for player in team.players)


def part_name(form: Form, part: int) -> str:
    """The singles or doubles of an evening, else its part."""
    sizes = {form.boards[board - 1].size for board in form.boards_of(part)}
    alone = len([each for each in form.parts if {form.boards[n - 1].size for n in form.boards_of(each)} == sizes]) == 1
    if len(sizes) == 1 and alone:
        return _("Doubles") if sizes == {DOUBLE} else _("Singles")
    return _("Part {n}").format(n=part)


def _rules(form: Form) -> list[str]:
    rules = [_("At the same time everybody plays at one board.")]
    singles = [board for board in form.boards if board.size < DOUBLE]
    doubles = [board for board in form.boards if board.size == DOUBLE]
    if singles:
        text = ngettext("Everybody plays {n} single at most.", "Everybody plays {n} singles at most.", form.singles)
        rules.append(text.format(n=form.singles))
    if doubles:
        text = ngettext("Everybody plays {n} double at most.", "Everybody plays {n} doubles at most.", form.doubles)
        rules.append(text.format(n=form.doubles))
    if form.in_order:
        rules.append(_("Line-ups follow the order of the squad."))
    return rules


def _board_fields(
    met: Encounter, side: int, board: int, names: Mapping[int, str], chosen: LineUp | None, faults: Sequence[Fault]
) -> BoardFields:
    played = met.form.boards[board - 1]
    there = [str(player) for player in chosen[board - 1]] if chosen else []
    left = chosen is not None and not there and not any(f.board == board and f.code == "missing" for f in faults)
    places = []
    for place in range(1, played.size + 1):
        now = there[place - 1] if place <= len(there) else NOBODY if left and place == 1 else ""
        options = [("", _("Choose…")), *((str(player), names[player]) for player in met.squads[side])]
        if place == 1:
            options.append((NOBODY, _("Nobody: the board is lost")))
        label = _("Player {n}").format(n=place) if played.size > 1 else _("Player")
        choices = tuple(Choice(value, name, value == now) for value, name in options)
        places.append(PlaceField(field(board, place), label, choices))
    title = _("Board {n}: {game}").format(n=board, game=_(GAMES[played.game].name))
    found = tuple(fault_words(each, names) for each in faults if each.board == board)
    return BoardFields(board, title, tuple(places), found)


def _board_line(
    now: EncounterNow, board: int, names: Mapping[int, str], free: Iterator[int], typed: Typed
) -> BoardLine:
    """Takes a table from `free` if the board can start."""
    match, score = now.matches.get(board), now.score
    played = score.played.get(board)
    best = score.best_at(board) if played else None
    if match and match.sheet["stopped"] != "abandoned":
        totals: Sequence[object] = sides_at(board, match)
    else:
        totals = ("", "")
    sides = tuple(
        BoardSide(
            tuple(names[player] for player in now.encounter.playing[side][board - 1]),
            leads(board) == side,
            str(totals[side]),
            best == side,
        )
        for side in SIDES
    )
    absent, form = now.encounter.absent_at(board), now.encounter.form
    mine = typed if typed.board == board else NOT_TYPED
    substitutes = mine.players if mine.step == "substitute" else ()
    game = GAMES[form.boards[board - 1].game]
    idle = match is None or match.sheet["stopped"] == "abandoned"
    return BoardLine(
        board,
        _(game.name),
        sides,
        _board_state(match, absent, over=played is not None),
        match.pk if match else None,
        match.table.number if match and match.table else None,
        game.lower_wins,
        idle and not absent,
        idle and (bool(absent) or not score.over),
        not absent,
        tuple(enumerate((*substitutes, *("",) * form.boards[board - 1].size)[: form.boards[board - 1].size], 1)),
        next(free, None) if idle and not absent else None,
        mine.fields if mine.step == "result" else {},
        mine.fields.get("why", "") if mine.step == "substitute" else "",
    )


def _board_state(match: Match | None, absent: Collection[int], *, over: bool) -> str:
    if absent:
        return _("forfeit")
    if over:
        return _("over")
    if match is None:
        return _("to be played")
    return _("abandoned") if match.finished_at else _("in play")


def _verdict(now: EncounterNow, teams: Sequence[TeamLine]) -> str:
    """Who won, once it is over."""
    points = now.score.match_points
    if points is None:
        return ""
    if now.encounter.nobody_came:
        return _("Nobody came: both teams lose.")
    home, away = now.score.game_points
    if home == away:
        return _("The encounter is drawn.")
    return _("{team} win.").format(team=teams[0 if home > away else 1].name)


def _listed(players: Sequence[int], names: Mapping[int, str]) -> str:
    return listed([names[player] for player in players]) if players else _("nobody")


BOTH_OPEN = gettext_lazy("Both line-ups are in, and open now.")
SUBMITTED = gettext_lazy("Submitted.")
WITHDRAWN = gettext_lazy(
    "The line-ups of this team that were not open are withdrawn. The captain needs to submit them again."
)
