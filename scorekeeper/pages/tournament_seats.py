"""“Where do I sit?” at a tournament: for every player their table, what comes next, and their results so far."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scorekeeper import live, words
from scorekeeper.events import Tournament
from scorekeeper.live.parts import shared
from scorekeeper.models import Club, Event
from scorekeeper.names import alphabetical
from scorekeeper.pages import context
from scorekeeper.pages.event import Attendee, attendees, seats_in, snapshot, snapshot_of, version
from scorekeeper.pages.tournament import RoundShown, SideShown, TableShown, round_shown
from scorekeeper.pages.tournament_day import ClockShown, clock_shown
from scorekeeper.pages.tournament_schedule import cells_of, released
from scorekeeper.selectors.ending import clock_of
from scorekeeper.selectors.events import EventNow, in_play
from scorekeeper.selectors.tournaments import rounds_announced, tournament_of


@dataclass(frozen=True, slots=True)
class ResultLine:
    """A round of one player."""

    round: int
    table: int | None
    """None with a bye."""
    match: int | None
    against: str
    total: int | None
    theirs: str
    """The totals of the others, in their order."""
    note: str
    """In words: who did not come, and who won."""


@dataclass(frozen=True, slots=True)
class NextLine:
    """A released round to come of one player."""

    round: int
    table: int | None
    """None with a bye."""
    partners: tuple[str, ...]
    opponents: tuple[str, ...]
    changed: bool
    """Whether it was public in another form before."""


@dataclass(frozen=True, slots=True)
class PlaceShown:
    """Where a player sits, and how they played so far."""

    seat: Attendee
    """Where they play now."""
    table_id: int | None
    """Of that table."""
    earlier: int
    """The round in which they play now, if it is not the newest one; else 0."""
    then: Attendee | None
    """Their place in the newest round, while they play in an earlier one."""
    left: bool
    """Whether they have left the tournament."""
    away: bool
    """Whether they asked not to play in the newest round."""
    results: tuple[ResultLine, ...]
    """The newest round first, without matches in play."""
    coming: tuple[NextLine, ...]
    """The next round first."""


@dataclass(frozen=True, kw_only=True)
class TournamentSeats:
    """All players by name, without the draft."""

    tournament: Event
    club: Club
    version: str
    round: int
    """The newest one; 0 before the first."""
    rounds_planned: int
    clock: ClockShown
    """Of the newest round."""
    places: list[PlaceShown]


@dataclass(frozen=True, slots=True)
class Me:
    """The visitor of the page, if they have chosen their name."""

    me: PlaceShown | None


def seats_shown(now: EventNow) -> TournamentSeats:
    """No query."""
    state = tournament_of(now)
    rounds = [round_shown(now, number) for number in range(len(state.rounds), 0, -1)]
    lines = _lines(now, state, rounds)
    # Whoever is in two matches plays the older one.
    at = {each.player: (match, each) for match in now.matches if in_play(match) for each in seats_in(now, match)}
    coming = {} if now.event.closed_at else _coming(now, state)
    gone = {player for number in state.withdrawn for player in state.entrants[number]}
    away = {*state.away(len(state.rounds))}
    newest = {each.player: each for each in attendees(now)}

    def place(player: int) -> PlaceShown:
        last = newest.get(player) or Attendee(player, now.name(player))
        match, seat = at.get(player, (None, last))
        then = last if last.still_at and last.still_at != last.table else None
        return PlaceShown(
            seat,
            match.table_id if match else None,
            match.round or 0 if match and last.still_at else 0,
            then,
            player in gone,
            state.numbers[player] in away,
            tuple(lines.get(player, ())),
            tuple(coming.get(state.numbers[player], ())),
        )

    everybody = sorted(state.numbers, key=lambda player: alphabetical(now.name(player)))
    return TournamentSeats(
        tournament=now.event,
        club=now.event.club,
        version=version(now),
        round=len(state.rounds),
        rounds_planned=rounds_announced(now),
        clock=clock_shown([match for match in now.matches if match.round == len(state.rounds)], timezone.now()),
        places=[place(player) for player in everybody],
    )


@dataclass(frozen=True, slots=True)
class SeatsDrawn:
    """The page for everybody, and the list of all players, already drawn."""

    shown: TournamentSeats
    drawn: SafeString


def seats_drawn(event: Event) -> SeatsDrawn:
    """The page of a tournament from `access.tournament_for`, made once for everybody, until something changes or a
    clock runs out."""
    snapshot = snapshot_of(event)
    ends = (clock_of(match).until for match in snapshot.matches if in_play(match))
    over = sum(end <= timezone.now() for end in ends if end)

    def draw(_before: SeatsDrawn | None) -> SeatsDrawn:
        shown = seats_shown(snapshot)
        text = render_to_string("scorekeeper/_tournament_seats.html", context(shown))
        return SeatsDrawn(shown, mark_safe(text))  # noqa: S308 (drawn by our own template)

    kept = shared(live.Topic.of_event(event), "seats page", get_language() or "", str(over))
    made: SeatsDrawn = kept.of(event.newest_change, draw)
    return made


def _lines(now: EventNow, state: Tournament, rounds: Sequence[RoundShown]) -> dict[int, list[ResultLine]]:
    found: dict[int, list[ResultLine]] = {}
    for shown in rounds:
        for player in state.rounds[shown.number - 1].byes:
            found.setdefault(player, []).append(ResultLine(shown.number, None, None, "", None, "", _("bye")))
        for table in shown.tables:
            if table.over or not table.match or not in_play(table.match):
                for side in table.sides:
                    for player in side.players:
                        found.setdefault(player, []).append(_line(shown.number, table, side))
    return found


def _line(number: int, table: TableShown, side: SideShown) -> ResultLine:
    others = [each for each in table.sides if each.index != side.index]
    notes = [_who_came(side, others), _("abandoned") if table.abandoned else _outcome(side, others)]
    return ResultLine(
        round=number,
        table=table.number,
        match=table.match.pk if table.match else None,
        against=" · ".join(each.name for each in others),
        total=side.total,
        theirs=" · ".join("–" if each.total is None else words.number(each.total) for each in others),
        note=" · ".join(note for note in notes if note),
    )


def _who_came(side: SideShown, others: Sequence[SideShown]) -> str:
    """Who did not come, for a player of this side; "" if everybody did."""
    absent = [each.name for each in others if each.absent]
    if side.absent:
        return _("you did not come") if len(side.players) == 1 else _("your side did not come")
    if side.alone:
        return _("they did not come: won by forfeit")
    return _("{name} did not come").format(name=words.listed(absent)) if absent else ""


def _outcome(side: SideShown, others: Sequence[SideShown]) -> str:
    """In a word; "" without a total. Of three and more at a table, whoever did not win has not lost: places count."""
    if side.total is None:
        return ""
    if side.won or side.tied:
        return _("won") if side.won else _("tied")
    return _("lost") if [each.won for each in others] == [True] else ""


def _coming(now: EventNow, state: Tournament) -> dict[int, list[NextLine]]:
    """By start number."""
    found: dict[int, list[NextLine]] = {number: [] for number in state.entrants}
    for planned in released(now):
        for number, cell in cells_of(planned).items():
            partners, opponents = (tuple(each.name for each in side) for side in (cell.partners, cell.opponents))
            found[number].append(NextLine(planned.number, cell.table, partners, opponents, planned.changed))
    return found


def places(kind: str, number: int) -> str:
    """The live part of the page."""
    return render_to_string("scorekeeper/_tournament_seats.html", context(seats_shown(snapshot(number, kind))))


live.register(Event.Kind.TOURNAMENT, places=places)
