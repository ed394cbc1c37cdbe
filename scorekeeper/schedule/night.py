"""A club night as what its host did, entry by entry.

A ``Night`` is a value: ``enter`` gives the next one or raises, and what it was before is still there, so that an undo
costs nothing. What an entry does beyond the night (a match that is opened, a last hand that is called) is the caller's.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self


class Impossible(Exception):
    """What cannot be done as the night stands: ``code`` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Pairing:
    """Who sits at a table for a match: ``table`` is the table's number, ``players`` are by seat, clockwise."""

    table: int
    game: str
    options: Mapping[str, Any]
    minutes: int | None
    """How long the match may take; None: as long as its options say."""
    players: tuple[int, ...]

    def as_json(self) -> dict[str, Any]:
        return {
            "table": self.table,
            "game": self.game,
            "options": dict(self.options),
            "minutes": self.minutes,
            "players": list(self.players),
        }

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> Self:
        return cls(value["table"], value["game"], value["options"], value["minutes"], tuple(value["players"]))


@dataclass(frozen=True, slots=True)
class Setting:
    """How a game is played tonight."""

    options: Mapping[str, Any]
    minutes: int | None


@dataclass(frozen=True, slots=True)
class Round:
    """Tables drawn together, and who sits out meanwhile."""

    pairings: tuple[Pairing, ...]
    byes: tuple[int, ...]

    @property
    def players(self) -> frozenset[int]:
        """Everybody it has a place for, be it a bye."""
        return frozenset(self.byes).union(*(pairing.players for pairing in self.pairings))

    def as_json(self) -> dict[str, Any]:
        return {"pairings": [pairing.as_json() for pairing in self.pairings], "byes": list(self.byes)}

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> Self:
        return cls(tuple(map(Pairing.of, value["pairings"])), tuple(value["byes"]))

    def swapped(self, one: int, other: int) -> "Round":
        """The round with the places of two people exchanged."""
        places = {one: other, other: one}
        return Round(
            tuple(replace(each, players=_named(each.players, places)) for each in self.pairings),
            _named(self.byes, places),
        )

    def without(self, player: int) -> "Round":
        """The round without somebody: who sits out longest in the list takes the seat; with nobody there, the table is
        given up and the others at it sit out."""
        if player in self.byes:
            return replace(self, byes=tuple(each for each in self.byes if each != player))
        if self.byes:
            return self.swapped(player, self.byes[0]).without(player)
        kept = tuple(each for each in self.pairings if player not in each.players)
        left = [each for pairing in self.pairings if player in pairing.players for each in pairing.players]
        return Round(kept, tuple(each for each in left if each != player))


@dataclass(frozen=True)
class Night:
    here: tuple[int, ...] = ()
    """Who is here, in the order of coming."""
    came: tuple[int, ...] = ()
    """Everybody the host ticked at any time, be it as gone."""
    rounds: tuple[Round, ...] = ()
    """What was drawn and seated."""
    draft: Round | None = None
    """What is drawn and only the host sees yet."""
    closed: bool = False
    settings: Mapping[str, Setting] = field(default_factory=dict)
    """By game, where the host said so."""
    before: "Night | None" = field(default=None, compare=False, repr=False)
    """The night before its last entry that stands."""
    did: Mapping[str, Any] | None = field(default=None, compare=False, repr=False)
    """That entry."""

    @classmethod
    def of(cls, entries: Iterable[Mapping[str, Any]]) -> "Night":
        night = cls()
        for entry in entries:
            night = night.enter(entry)
        return night

    def enter(self, entry: Mapping[str, Any]) -> "Night":
        """The night after one entry; Impossible, and nothing changed, if it cannot be.

        Codes: ``nothing-to-undo``, ``night-closed``, ``nothing-drawn``, ``not-in-the-draw``, ``somebody-twice``,
        ``not-here``.
        """
        if entry["kind"] == "undo":
            if self.before is None:
                raise Impossible("nothing-to-undo")
            return self.before
        if self.closed:
            raise Impossible("night-closed")
        return replace(ENTRIES[entry["kind"]](self, entry), before=self, did=entry)

    def _came(self, entry: Mapping[str, Any]) -> "Night":
        new = tuple(dict.fromkeys(each for each in entry["players"] if each not in self.here))
        draft = self.draft and replace(self.draft, byes=(*self.draft.byes, *new))
        return replace(self, here=self.here + new, came=tuple(dict.fromkeys(self.came + new)), draft=draft)

    def _left(self, entry: Mapping[str, Any]) -> "Night":
        gone, draft = set(entry["players"]), self.draft
        for player in sorted(gone):
            if draft and player in draft.players:
                draft = draft.without(player)
        here = tuple(each for each in self.here if each not in gone)
        return replace(self, here=here, came=tuple(dict.fromkeys((*self.came, *entry["players"]))), draft=draft)

    def _draft(self, entry: Mapping[str, Any]) -> "Night":
        draft = Round.of(entry["round"])
        seated = [player for pairing in draft.pairings for player in pairing.players]
        if len(draft.players) < len(seated) + len(draft.byes):
            raise Impossible("somebody-twice")
        if not draft.players <= set(self.here):
            raise Impossible("not-here")
        return replace(self, draft=draft)

    def _swap(self, entry: Mapping[str, Any]) -> "Night":
        one, other = entry["players"]
        draft = self._drawn()
        if not {one, other} <= draft.players:
            raise Impossible("not-in-the-draw")
        return replace(self, draft=draft.swapped(one, other))

    def _drop(self, entry: Mapping[str, Any]) -> "Night":
        self._drawn()
        return replace(self, draft=None)

    def _game(self, entry: Mapping[str, Any]) -> "Night":
        setting = Setting(entry["options"], entry["minutes"])
        return replace(self, settings={**self.settings, entry["game"]: setting})

    def _table(self, entry: Mapping[str, Any]) -> "Night":
        """Another game at a table of the draft, for those who sit there."""
        draft = self._drawn()
        change = {key: entry[key] for key in ("game", "options", "minutes")}
        if entry["table"] not in {each.table for each in draft.pairings}:
            raise Impossible("not-in-the-draw")
        pairings = (replace(each, **change) if each.table == entry["table"] else each for each in draft.pairings)
        return replace(self, draft=replace(draft, pairings=tuple(pairings)))

    def _seat(self, entry: Mapping[str, Any]) -> "Night":
        return replace(self, rounds=(*self.rounds, self._drawn()), draft=None)

    def _last_hand(self, entry: Mapping[str, Any]) -> "Night":
        return self

    def _close(self, entry: Mapping[str, Any]) -> "Night":
        return replace(self, closed=True, draft=None)

    def _drawn(self) -> Round:
        if self.draft is None:
            raise Impossible("nothing-drawn")
        return self.draft


ENTRIES: Mapping[str, Callable[[Night, Mapping[str, Any]], Night]] = {
    "came": Night._came,
    "left": Night._left,
    "draft": Night._draft,
    "swap": Night._swap,
    "drop": Night._drop,
    "game": Night._game,
    "table": Night._table,
    "seat": Night._seat,
    "last-hand": Night._last_hand,
    "close": Night._close,
}
"""The kinds of entries a night's log can have, beside ``undo``."""


def again(last: Round, free: Sequence[int], tables: Iterable[int]) -> Round:
    """The last round once more at those of its ``tables``, with those of ``free`` who were in it. Who sits out makes up
    for who is missing; who was not in it sits out."""
    kept = tuple(pairing for pairing in last.pairings if pairing.table in set(tables))
    seated = {player for pairing in kept for player in pairing.players}
    waiting = tuple(player for player in free if player not in seated)
    again = Round(kept, waiting)
    for player in sorted(seated - set(free)):
        again = again.without(player)
    return again


def _named(players: tuple[int, ...], places: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(places.get(each, each) for each in players)
