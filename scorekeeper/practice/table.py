"""Everything that one visitor has at the practice table, and what the menu does with it.

Source: "Electrum Dominoes", the sections on the game menu, the tally and the settings menu.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, NamedTuple, Self

from games import read
from games.errors import Malformed, marked
from games.moves import Pass
from scorekeeper.practice.contest import YOU, Contest, Setting, written
from scorekeeper.practice.themes import Themes

KEPT = 12
"""The number of games that can be preserved."""
NAME = 40
"""The number of letters that the name of a preserved game may have."""
STEPS_BACK = 8
"""How many steps can be undone: a move that is no pass, and what was restored or cleared since."""
STEPS = ("move", "restore", "clear")
"""What can be undone."""
PEEKS = ("hands", "boneyard")
"""What can be looked at."""


class Tally(NamedTuple):
    """The games that ended, by who won them."""

    you: int = 0
    nestor: int = 0
    drawn: int = 0
    marked: int = 0
    """In how many of these the visitor undid a move or looked at hidden tiles."""

    @property
    def games(self) -> int:
        return self.you + self.nestor + self.drawn


class Comfort(NamedTuple):
    """What makes the play quicker or harder, whatever the rules."""

    table_count: bool = True
    """Whether the table count is shown."""
    auto_ok: bool = False
    """Whether Nestor plays, and the next hand is dealt, without being asked."""
    auto_draw: bool = False
    """Whether a draw goes on until a tile fits."""


@dataclass(frozen=True, slots=True)
class Before:
    """What there was before the last step that can be undone."""

    step: str
    """One of ``STEPS``."""
    contest: Contest | None
    tally: Tally
    before: "Before | None" = None

    def shortened(self, steps: int) -> "Before":
        """Without what came before the last so many steps."""
        return replace(self, before=self.before.shortened(steps - 1) if self.before and steps > 1 else None)


class Preserved(NamedTuple):
    """A game that was put aside under a name, with the tally of that moment."""

    name: str
    contest: Contest
    tally: Tally


@dataclass(frozen=True, slots=True)
class PracticeTable:
    """Immutable: each step returns the next value. GameError for what cannot be done now."""

    step: int = 0
    """Grows with every change: a page that shows an older one is old."""
    setting: Setting | None = None
    """How the next game is played; None before the first."""
    comfort: Comfort = field(default_factory=Comfort)
    contest: Contest | None = None
    """The game on the table."""
    begun: int = 0
    """How many games were begun."""
    tally: Tally = field(default_factory=Tally)
    before: Before | None = None
    preserved: tuple[Preserved, ...] = ()
    marks: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """By the number of a game: ``undo`` if a move was undone, ``peek`` if hidden tiles were shown."""
    shown: frozenset[str] = frozenset()
    """What is looked at now, of ``PEEKS``."""
    themes: Themes = field(default_factory=Themes)

    # --- what is asked -------------------------------------------------------------------------------------
    @property
    def marked(self) -> frozenset[str]:
        """The marks of the game on the table."""
        return self.marks.get(self.contest.number, frozenset()) if self.contest else frozenset()

    def contests(self) -> Iterator[Contest]:
        """Every game that is kept: on the table, preserved, or to go back to."""
        yield from filter(None, [self.contest, *(each.contest for each in self.preserved)])
        before = self.before
        while before is not None:
            yield from filter(None, [before.contest])
            before = before.before

    def percent(self, games: int) -> int:
        """So many games of the tally, in percent of all, rounded."""
        return (200 * games + self.tally.games) // (2 * self.tally.games) if self.tally.games else 0

    # --- play ----------------------------------------------------------------------------------------------
    def new_game(self, setting: Setting, names: Sequence[str], rng: Random) -> Self:
        """With a new game on the table. What can be undone stays so until the next tile."""
        contest = Contest.begun(self.begun + 1, setting.check(), names, rng)
        return self._changed(contest=contest, setting=setting, begun=contest.number, shown=frozenset())

    def with_setting(self, setting: Setting) -> Self:
        """With other rules for the next game."""
        return self._changed(setting=setting.check())

    def with_comfort(self, comfort: Comfort) -> Self:
        return self._changed(comfort=comfort)

    def entered(self, move: Any, rng: Random) -> Self:
        """After the visitor's move."""
        contest = self._on_the_table()
        after = contest.entered(move, rng, draw_on=self.comfort.auto_draw)
        made = after.match.hands[-1].state.moves[-1]
        before = self.before if isinstance(made, Pass) else Before("move", contest, self.tally)
        return self._with(after, before=before)

    def obliged(self, rng: Random) -> Self:
        """After what Nestor must do without a choice; after the deal, if the next hand is due. The same table if there
        is nothing of the kind."""
        contest = self._on_the_table()
        if contest.over or contest.turn == YOU:
            return self
        after = contest.dealt(rng) if contest.state is None else contest.obliged(rng)
        return self if after is contest else self._with(after)

    def answered(self, move: Any, rng: Random) -> Self:
        """After a move of Nestor."""
        return self._with(self._on_the_table().answered(move, rng))

    def _with(self, contest: Contest, **also: Any) -> Self:
        """With the game one step further. A game that has ended is counted."""
        tally = self.tally if not contest.over else self._counted(contest)
        return self._changed(contest=contest, tally=tally, shown=frozenset(), **also)

    def _counted(self, contest: Contest) -> Tally:
        winners, tally = contest.match.winners, self.tally
        others = any(seat not in contest.match.sides[0] for seat in winners)
        won = "drawn" if YOU in winners and others else "you" if YOU in winners else "nestor"
        tally = tally._replace(**{won: getattr(tally, won) + 1})
        return tally._replace(marked=tally.marked + bool(self.marked))

    # --- the menu ------------------------------------------------------------------------------------------
    def undone(self) -> Self:
        """Before the last move that is no pass, or the last restore or clearing since. A move taken back marks the
        game."""
        if self.before is None:
            raise Malformed(marked("There is nothing to undo."))
        back = self.before
        after = self._changed(contest=back.contest, tally=back.tally, before=back.before, shown=frozenset())
        return after._marked("undo") if back.step == "move" else after

    def cleared(self) -> Self:
        """With an empty tally."""
        return self._changed(tally=Tally(), before=self._back("clear"))

    def looking(self, at: str) -> Self:
        """With hidden tiles shown until the next step. That marks the game."""
        if at not in PEEKS:
            raise Malformed(marked("There is nothing to look at."))
        self._on_the_table()
        return self._changed(shown=self.shown | {at})._marked("peek")

    def hidden(self) -> Self:
        """With nothing shown any more."""
        return self._changed(shown=frozenset())

    def preserve(self, name: str) -> Self:
        """With the game on the table put aside under a name, in place of an earlier moment of it with that name."""
        name = " ".join(read.text(name).split())[:NAME]
        if not any(letter.isprintable() and not letter.isspace() for letter in name):
            raise Malformed(marked("Give the game a name."))
        aside = Preserved(name, self._on_the_table(), self.tally)
        if any(each.name == name and each.contest.number != aside.contest.number for each in self.preserved):
            text = marked("Another game is preserved as {name}. Choose another name, or remove that game first.")
            raise Malformed(text, name=name)
        others = tuple(each for each in self.preserved if each.name != name)
        if len(others) >= KEPT:
            raise Malformed(marked("You have preserved {most} games. Remove one first."), most=KEPT)
        return self._changed(preserved=(*others, aside))

    def restore(self, name: str) -> Self:
        """With a preserved game on the table, by its own rules, and its tally. It stays preserved.

        If it is the game on the table at another moment, moves are taken back, which marks it."""
        aside = self._preserved(name)
        now = self.contest
        back = now is not None and now.number == aside.contest.number and written(now) != written(aside.contest)
        after = self._changed(contest=aside.contest, tally=aside.tally, before=self._back("restore"), shown=frozenset())
        return after._marked("undo") if back else after

    def forget(self, name: str) -> Self:
        """Without this preserved game."""
        self._preserved(name)
        return self._changed(preserved=tuple(each for each in self.preserved if each.name != name))

    def with_themes(self, themes: Themes) -> Self:
        return self._changed(themes=themes)

    # --- inner ---------------------------------------------------------------------------------------------
    def _changed(self, **what: Any) -> Self:
        return replace(self, step=self.step + 1, **what)

    def _back(self, step: str) -> Before:
        return Before(step, self.contest, self.tally, self.before).shortened(STEPS_BACK)

    def _marked(self, mark: str) -> Self:
        """With this mark on the game on the table, and on it wherever it is kept."""
        if self.contest is None:
            return self
        marks = {**self.marks, self.contest.number: self.marked | {mark}}
        kept = {contest.number for contest in self.contests()}
        return replace(self, marks={number: marks[number] for number in sorted(marks) if number in kept})

    def _on_the_table(self) -> Contest:
        if self.contest is None:
            raise Malformed(marked("There is no game on the table. Start a new one."))
        return self.contest

    def _preserved(self, name: str) -> Preserved:
        for each in self.preserved:
            if each.name == name:
                return each
        raise Malformed(marked("No game was preserved as {name}."), name=name)
