"""What every event with rounds has in common, as a fold of what its hosts did.

A ``Program`` is a value: ``enter`` gives the next one or raises ``Impossible``, and the one before is kept, so that
undo costs nothing. What a step does outside the event (a match is opened, a last hand is called) is the caller's work.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

from scorekeeper.events.rounds import Impossible, Round, Setting

Entry = Mapping[str, Any]
"""A step of a host: ``kind`` and what it needs, as plain JSON."""


@dataclass(frozen=True)
class Program:
    """The part of an event that is the same for every kind: players, rounds, a draft, the end."""

    here: tuple[int, ...] = ()
    """Who can be drawn, in the order in which they came."""
    came: tuple[int, ...] = ()
    """Everybody who was here at any time."""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    """How games are played, where the host has said so."""
    rounds: tuple[Round, ...] = ()
    """The rounds that have been seated."""
    draft: Round | None = None
    """The next round, which only hosts see."""
    closed: bool = False
    before: Self | None = field(default=None, compare=False, repr=False)
    """The event before its last step that was not undone."""
    did: Entry | None = field(default=None, compare=False, repr=False)
    """That step."""

    INDEPENDENT: ClassVar[frozenset[str]] = frozenset({"game"})
    """Kinds of steps that mean the same whatever other hosts did at the same moment."""

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> Self:
        program = cls()
        for entry in entries:
            program = program.enter(entry)
        return program

    def enter(self, entry: Entry) -> Self:
        """The event after one more step. Impossible where it is not allowed: "nothing-to-undo", "closed",
        "nothing-drawn", "not-in-the-draw", "somebody-twice", "not-here", and the codes of its kind."""
        if entry["kind"] == "undo":
            if self.before is None:
                raise Impossible("nothing-to-undo")
            return self.before
        if self.closed:
            raise Impossible("closed")
        after: Self = self.STEPS[entry["kind"]](self, entry)
        return replace(after, before=self, did=entry)

    def _game(self, entry: Entry) -> Self:
        setting = Setting(entry["options"], entry["minutes"])
        return replace(self, settings={**self.settings, entry["game"]: setting})

    def _draft(self, entry: Entry) -> Self:
        draft = Round.of(entry["round"])
        seated = [player for pairing in draft.pairings for player in pairing.players]
        if len(draft.players) < len(seated) + len(draft.byes):
            raise Impossible("somebody-twice")
        if not draft.players <= set(self.here):
            raise Impossible("not-here")
        return replace(self, draft=draft)

    def _swap(self, entry: Entry) -> Self:
        one, other = entry["players"]
        draft = self._drawn()
        if not {one, other} <= draft.players:
            raise Impossible("not-in-the-draw")
        return replace(self, draft=draft.swapped(one, other))

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
    """What each kind of entry changes; ``undo`` is the same everywhere and not among them."""
