"""Undo, preserve, restore and clear, in any order, against a plain model."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games import GAMES, GameError
from games.moves import Draw, Play, move_json
from scorekeeper.practice.contest import YOU, Contest, Setting, read_written, written
from scorekeeper.practice.saved import imported, read_table, table_json
from scorekeeper.practice.table import KEPT, STEPS_BACK, PracticeTable

PLAYERS = ("You", "Nestor")
NAMES = st.sampled_from(["one", "two", "three"])


@dataclass
class Plain:
    """What the table should hold, as lists and dictionaries that are changed in place. A game is its JSON text."""

    game: str = ""
    tally: tuple[int, int, int] = (0, 0, 0)
    back: list[tuple[str, str, tuple[int, int, int]]] = field(default_factory=list)
    """What can be undone, the last at the end: the step, and the game and the tally before it."""
    kept: dict[str, tuple[str, tuple[int, int, int]]] = field(default_factory=dict)
    undone: set[int] = field(default_factory=set)
    peeked: set[int] = field(default_factory=set)


def number_of(game: str) -> int:
    return read_written(game).number


class Menu(RuleBasedStateMachine):
    """Plays with small targets, so that games end, and Nestor moves at random: what he plays does not matter here."""

    @initialize(seed=st.integers(0, 2**32))
    def begin(self, seed: int) -> None:
        self.rng = Random(seed)
        game = self.rng.choice([game for game in GAMES.values() if "points_to_win" in game.read_options({})])
        options = game.read_options({"points_to_win": 15})
        self.setting = Setting(game.slug, options, 2, "easy")
        self.table = PracticeTable()
        self.plain = Plain()
        self.new_game()

    @rule()
    def new_game(self) -> None:
        self.table = self.table.new_game(self.setting, PLAYERS, self.rng)
        self.plain.game = self.now()

    @rule()
    def play(self) -> None:
        contest = self.contest()
        if contest.turn != YOU or contest.state is None:
            return
        move = self.rng.choice(contest.state.legal())
        if isinstance(move, Play | Draw):
            self.plain.back = [("move", self.plain.game, self.plain.tally)]
        self.table = self.table.entered(move_json(move), self.rng)
        self.went_on()

    @rule()
    def nestor(self) -> None:
        contest = self.contest()
        if contest.over or contest.turn == YOU:
            return
        after = self.table.obliged(self.rng)
        if after is self.table:
            assert contest.state is not None
            after = self.table.answered(move_json(self.rng.choice(contest.state.legal())), self.rng)
        self.table = after
        self.went_on()

    @rule(turns=st.integers(2, 20))
    def play_on(self, turns: int) -> None:
        for _ in range(turns):
            self.play()
            self.nestor()

    def went_on(self) -> None:
        """The game went one step further; if it is over, it is counted."""
        self.plain.game, match = self.now(), self.contest().match
        if match.finished:
            you, nestor, marked = self.plain.tally
            won = match.winners == (YOU,)
            again = self.number() in self.plain.undone | self.plain.peeked
            self.plain.tally = (you + won, nestor + (not won), marked + again)

    @rule()
    def undo(self) -> None:
        if not self.plain.back:
            try:
                self.table.undone()
            except GameError:
                return
            raise AssertionError("there was nothing to undo")
        step, self.plain.game, self.plain.tally = self.plain.back.pop()
        self.table = self.table.undone()
        if step == "move":
            self.plain.undone.add(number_of(self.plain.game))

    @rule()
    def clear(self) -> None:
        self.plain.back.append(("clear", self.plain.game, self.plain.tally))
        self.plain.tally = (0, 0, 0)
        self.table = self.table.cleared()

    @rule(name=NAMES)
    def preserve(self, name: str) -> None:
        if name in self.plain.kept and number_of(self.plain.kept[name][0]) != self.number():
            with pytest.raises(GameError, match="Another game is preserved as"):
                self.table.preserve(name)
            return
        self.plain.kept[name] = (self.plain.game, self.plain.tally)
        self.table = self.table.preserve(name)

    @precondition(lambda self: self.plain.kept)
    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.plain.kept)))
        game, tally = self.plain.kept[name]
        if number_of(game) == self.number() and game != self.plain.game:
            self.plain.undone.add(self.number())
        self.plain.back.append(("restore", self.plain.game, self.plain.tally))
        self.plain.game, self.plain.tally = game, tally
        self.table = self.table.restore(name)

    @precondition(lambda self: self.plain.kept)
    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.plain.kept)))
        del self.plain.kept[name]
        self.table = self.table.forget(name)

    @rule(at=st.sampled_from(["hands", "boneyard"]))
    def peek(self, at: str) -> None:
        self.plain.peeked.add(self.number())
        self.table = self.table.looking(at)
        assert at in self.table.shown

    @rule()
    def through_the_session(self) -> None:
        self.table = read_table(table_json(self.table, written), read_written)

    @invariant()
    def is_as_the_model_says(self) -> None:
        table, plain = self.table, self.plain
        plain.back = plain.back[-STEPS_BACK:]
        assert self.now() == plain.game
        assert (table.tally.you, table.tally.nestor, table.tally.marked) == plain.tally
        assert {each.name: written(each.contest) for each in table.preserved} == {
            name: game for name, (game, _) in plain.kept.items()
        }
        assert (table.before is not None) == bool(plain.back)
        assert ("undo" in table.marked) == (self.number() in plain.undone)
        assert ("peek" in table.marked) == (self.number() in plain.peeked)

    def contest(self) -> Contest:
        assert self.table.contest is not None
        return self.table.contest

    def now(self) -> str:
        return written(self.contest())

    def number(self) -> int:
        return self.contest().number


TestMenu: Any = Menu.TestCase
TestMenu.settings = settings(
    max_examples=60, stateful_step_count=60, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def begun(seed: int = 1) -> PracticeTable:
    game = GAMES["draw"]
    return PracticeTable().new_game(Setting(game.slug, game.read_options({}), 2, "easy"), PLAYERS, Random(seed))


def test_a_game_keeps_its_own_rules_when_it_is_restored() -> None:
    table = begun().preserve("aside")
    other = GAMES["block"]
    setting = Setting(other.slug, other.read_options({"points_to_win": 50}), 2, "tough")
    table = table.new_game(setting, PLAYERS, Random(2)).restore("aside")
    assert table.contest is not None
    assert table.contest.match.game is GAMES["draw"]
    assert table.contest.level == "easy"
    assert table.setting == setting, "the next game is played by the newer one"


@pytest.mark.parametrize("name", ["", "  ", "\u200b", "a\0b", "\ud800"])
def test_a_name_that_nobody_can_read_is_refused(name: str) -> None:
    with pytest.raises(GameError):
        begun().preserve(name)


def test_only_so_many_games_are_preserved() -> None:
    table = begun()
    for number in range(KEPT):
        table = table.preserve(f"moment {number}")
    assert len(table.preserve("moment 3").preserved) == KEPT
    with pytest.raises(GameError, match="Remove one first"):
        table.preserve("one more")


def test_a_file_brings_everything_and_marks_what_it_shows() -> None:
    table = begun().preserve("aside").with_themes(begun().themes.using(2))
    after = imported(table_json(table), 41)
    assert after.step == 42
    assert after.themes == table.themes
    assert [each.name for each in after.preserved] == ["aside"]
    assert after.marked == {"peek"}
    assert not table.marked


def test_percentages_are_rounded() -> None:
    table = begun()
    assert table.percent(0) == 0
    tally = table.tally._replace(you=2, nestor=1)
    table = PracticeTable(tally=tally)
    assert (table.percent(2), table.percent(1)) == (67, 33)
