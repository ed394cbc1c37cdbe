"""The common part of all events with rounds, as a fold of the steps of their hosts.

A ``Program`` is immutable: ``enter`` returns the next one or raises ``Impossible``. The one before stays, so undo costs
nothing. The effects of a step outside the event (it opens matches, or calls a last hand) are left to the caller.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

from scorekeeper.events.rounds import Impossible, Pairing, Round, Setting

Entry = Mapping[str, Any]
"""A step of a host as JSON: its ``kind`` and the keys of that kind."""


@dataclass(frozen=True)
class Program:
    """The part that all kinds of events have: players, rounds, a draft, the end."""

    here: tuple[int, ...] = ()
    """The players who can be drawn, in the order in which they came."""
    came: tuple[int, ...] = ()
    """All players who were here at any time."""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    """How games are played, as set by the host."""
    rounds: tuple[Round, ...] = ()
    """The rounds that have been seated."""
    draft: Round | None = None
    """The next round, which only hosts see."""
    closed: bool = False
    removed: bool = False
    """Whether it is only kept in case somebody restores it, by undoing this."""
    before: Self | None = field(default=None, compare=False, repr=False)
    """The event before the last step that was not undone."""
    did: Entry | None = field(default=None, compare=False, repr=False)
    """That step."""

    INDEPENDENT: ClassVar[frozenset[str]] = frozenset({"game"})
    """The kinds of steps that mean the same, whatever another host does at the same time."""

    AFTER_THE_END: ClassVar[frozenset[str]] = frozenset()
    """The kinds of steps that are possible after the end, besides undo."""

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> Self:
        program = cls()
        for entry in entries:
            program = program.enter(entry)
        return program

    def enter(self, entry: Entry) -> Self:
        """The event after one more step. Impossible "nothing-to-undo", "closed", "nothing-drawn", "not-in-the-draw",
        "somebody-twice", "not-here" or "no-such-step", or another code of this kind of event."""
        if entry["kind"] == "undo":
            if self.before is None:
                raise Impossible("nothing-to-undo")
            return self.before
        if self.closed and entry["kind"] not in self.AFTER_THE_END:
            raise Impossible("closed")
        step = self.STEPS.get(entry["kind"])
        if step is None:
            raise Impossible("no-such-step")
        after: Self = step(self, entry)
        return replace(after, before=self, did=entry)

    @property
    def can_undo(self) -> bool:
        """Whether there is a step that can be undone."""
        return self.before is not None

    @property
    def public(self) -> bool:
        """Whether everybody may see it, or only hosts."""
        return True

    @property
    def clock_waits(self) -> bool:
        """Whether the clock of a round that is seated waits until somebody starts it."""
        return False

    @property
    def outlook(self) -> bool:
        """Whether spectators see who stands better in its matches."""
        return False

    @property
    def rounds_overlap(self) -> bool:
        """Whether a round may be seated while some of its players still play in an earlier one."""
        return False

    def walk_over(self, pairing: Pairing) -> frozenset[int]:
        """The sides of a table of the draft, by index, that are gone: it is decided without play."""
        return frozenset()

    def number_of(self, pairing: Pairing) -> int:
        """The number of the round in which a table of the draft is played."""
        return len(self.rounds) + 1

    @property
    def numbers(self) -> Mapping[int, int]:
        """By player who was ever here: their number in the event, from 1."""
        return {player: number for number, player in enumerate(self.came, 1)}

    def _game(self, entry: Entry) -> Self:
        """``drafted``: whether it holds for the tables of a draft too. Older steps do not."""
        setting = Setting(entry["options"], entry["minutes"])
        draft = self.draft.played_as(entry["game"], setting) if self.draft and "drafted" in entry else self.draft
        return replace(self, settings={**self.settings, entry["game"]: setting}, draft=draft)

    def _draft(self, entry: Entry) -> Self:
        draft = Round.of(entry["round"])
        seated = [player for pairing in draft.pairings for player in pairing.players]
        if len(draft.players) < len(seated) + len(draft.byes):
            raise Impossible("somebody-twice")
        if not draft.players <= set(self.here):
            raise Impossible("not-here")
        return replace(self, draft=draft)

    def _swap(self, entry: Entry) -> Self:
        """``players``: two of them, or those of two pairs."""
        players = entry["players"]
        ones, others = players[: len(players) // 2], players[len(players) // 2 :]
        draft = self._drawn()
        if not {*players} <= draft.players:
            raise Impossible("not-in-the-draw")
        return replace(self, draft=draft.with_others(dict(zip(players, [*others, *ones], strict=True))))

    def _table(self, entry: Entry) -> Self:
        setting = Setting(entry["options"], entry["minutes"])
        return replace(self, draft=self._drawn().with_another_game(entry["table"], entry["game"], setting))

    def _drop(self, entry: Entry) -> Self:
        self._drawn()
        return replace(self, draft=None)

    def _seat(self, entry: Entry) -> Self:
        return replace(self, rounds=(*self.rounds, self._drawn()), draft=None)

    def _last_hand(self, entry: Entry) -> Self:
        return self

    def _close(self, entry: Entry) -> Self:
        return replace(self, closed=True, draft=None)

    def _drawn(self) -> Round:
        if self.draft is None:
            raise Impossible("nothing-drawn")
        return self.draft

    STEPS: ClassVar[Mapping[str, Callable[[Any, Entry], Any]]] = {
        "game": _game,
        "draft": _draft,
        "swap": _swap,
        "table": _table,
        "drop": _drop,
        "seat": _seat,
        "last-hand": _last_hand,
        "close": _close,
    }
    """The function for each kind of step, except ``undo``."""
