"""What a correction changes, old and new side by side: the hand, the match, later hands, the table of the night."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django.utils.translation import gettext as _

import games
from games.corrections import alike
from scorekeeper import words
from scorekeeper.models import Event, Match
from scorekeeper.pages.hands import HandShown, hands_shown
from scorekeeper.pages.match import whom
from scorekeeper.pages.tournament_reach import Reach, reach_of
from scorekeeper.selectors.corrections import RowChange, event_table
from scorekeeper.selectors.events import results_now
from scorekeeper.selectors.leagues import moved_by, moved_text
from scorekeeper.selectors.standings import Seated
from scorekeeper.words import number


@dataclass(frozen=True, slots=True)
class Pair:
    old: Any
    new: Any

    @property
    def changed(self) -> bool:
        return bool(self.old != self.new)


@dataclass(frozen=True, slots=True)
class NamedPair(Pair):
    name: str


@dataclass(frozen=True, slots=True)
class NumberedPair(Pair):
    number: int


@dataclass(frozen=True, slots=True)
class HandCompared:
    moves: tuple[NumberedPair, ...]
    """Moves that differ, numbered from 1."""
    rows: tuple[NamedPair, ...]
    """The points of each side."""
    old: HandShown
    new: HandShown | None
    """None: the hand is given up."""
    ended: Pair


@dataclass(frozen=True, slots=True)
class RowCompared:
    """A player's row in the table of the night."""

    name: str
    changed: bool
    pairs: tuple[tuple[Any, Any], ...]
    """Place, wins and points, each old and new; None without a row."""


@dataclass(frozen=True, slots=True)
class Compared:
    hand: HandCompared | None
    total: tuple[NamedPair, ...]
    won: Pair
    again: bool
    """Whether a match that was over is in play again."""
    over: bool
    """Whether the match ends by it."""
    later: tuple[NumberedPair, ...]
    """The totals after each later hand, numbered from 0; None for a hand that was undone. Empty if all are alike."""
    sides: tuple[str, ...]
    night: tuple[RowCompared, ...]
    of_night: bool
    reach: Reach | None
    """In the tournament of the match."""
    league: str | None
    """Whose place in the table of a league changes; "" for nobody, None if the match is of none."""
    needs_note: bool
    """Whether it changes a result of a tournament or league, so that it must say why."""


def compared(
    found: Match, old: games.Match, new: games.Match, number: int | None, seats: Seated | None = None
) -> Compared:
    """The match as it is and as it would be. `number`: the hand that is corrected; `seats`: who really sat where, if
    that is corrected."""
    before, after = hands_shown(old, old.sheet()), hands_shown(new, new.sheet())
    totals = {each.number: each.totals for each in after}
    later = tuple(
        NumberedPair(each.totals, totals.get(each.number), each.number)
        for each in before
        if number is not None and each.number > number
    )
    here = None
    if number is not None:
        here = _hand(old, new, before[number], after[number] if number < len(after) else None)
    reach = reach_of(found, new, seats)
    league = _league(found, new)
    of_night = found.event_id is not None and reach is None and league is None
    return Compared(
        hand=here,
        total=_totals(old, new, seats),
        won=Pair(result(old), result(new)),
        again=old.finished and not new.finished,
        over=new.finished and not old.finished,
        later=later if any(each.changed for each in later) else (),
        sides=tuple(words.together([old.present[seat] for seat in side]) for side in old.sides),
        night=tuple(_row(row) for row in event_table(found, new, seats)) if of_night else (),
        of_night=of_night,
        reach=reach,
        league=league,
        needs_note=not of_night and found.event_id is not None and old.finished,
    )


def _league(found: Match, new: games.Match) -> str | None:
    """Whose place changes; None for a match of no league."""
    if found.event is None or found.event.kind != Event.Kind.LEAGUE:
        return None
    return moved_text(moved_by(results_now(found.event), found, new))


def _hand(old: games.Match, new: games.Match, was: HandShown, now: HandShown | None) -> HandCompared:
    names = [words.together([old.seated(was.number)[seat] for seat in side]) for side in old.sides]
    return HandCompared(
        moves=_moves(old, new, was.number) if now else (),
        rows=_pairs(names, was.points, now.points if now else [None] * len(names)),
        old=was,
        new=now,
        ended=Pair(_ended(was), _ended(now) if now else _("given up")),
    )


def _moves(old: games.Match, new: games.Match, number: int) -> tuple[NumberedPair, ...]:
    first, gone, come = changed_moves(old, new, number)
    pairs = zip_longest(gone, come, fillvalue="–")
    return tuple(NumberedPair(*both, at) for at, both in enumerate(pairs, first + 1))


def changed_moves(old: games.Match, new: games.Match, number: int) -> tuple[int, list[str], list[str]]:
    """Where the moves of a hand begin to differ, counted from 0, and the moves in words that go and that come."""
    players = old.seated(number)
    was, now = (state.hands[number].state.moves for state in (old, new))
    first, last = alike(was, now)
    gone, come = ([words.move_words(m, players) for m in each[first : len(each) - last]] for each in (was, now))
    return first, gone, come


def _row(row: RowChange) -> RowCompared:
    both = [each and (each.place, number(each.wins), number(each.points_for)) for each in (row.old, row.new)]
    old, new = (each or (None,) * 3 for each in both)
    return RowCompared(row.name, row.changed, tuple(zip(old, new, strict=True)))


def _totals(old: games.Match, new: games.Match, seats: Seated | None) -> tuple[NamedPair, ...]:
    """The points of each side; of each player if others sit there, or they change seats."""
    if seats is None:
        names = [words.together([whom(old)[seat] for seat in side]) for side in old.sides]
        return _pairs(names, *([state.totals[side[0]] for side in state.sides] for state in (old, new)))
    after = [*zip(seats, new.totals, strict=True)]
    stayed = {seat: total for seat, total in after if isinstance(seat, int)}
    came = [(player.name, total) for player, total in after if not isinstance(player, int)]
    then = [*(stayed.get(seat) for seat in range(len(seats))), *(total for _name, total in came)]
    return _pairs([*whom(old), *(name for name, _total in came)], [*old.totals, *(None for _each in came)], then)


def _pairs(names: Sequence[str], old: Sequence[int | None], new: Sequence[int | None]) -> tuple[NamedPair, ...]:
    return tuple(NamedPair(was, now, name) for name, was, now in zip(names, old, new, strict=True))


def _ended(hand: HandShown) -> str:
    if hand.state != "counted":
        return _("in play")
    return _("{player} went out").format(player=hand.out) if hand.out else hand.end


def result(state: games.Match) -> str:
    return words.won(state) or (_("The match is over") if state.finished else _("in play"))
