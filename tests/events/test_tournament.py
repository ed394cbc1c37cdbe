"""A tournament as a fold: it has rounds like a night, but other rules for who takes part."""

from typing import Any

import pytest

from scorekeeper.events import Tournament
from scorekeeper.events.rounds import Impossible, Pairing, Round

PAIRS = {"kind": "enter", "entrants": [[1, 2], [3, 4], [5, 6]]}


def drawn(*tables: tuple[int, ...], byes: tuple[int, ...] = ()) -> dict[str, Any]:
    pairings = tuple(Pairing(number, "whist", {}, None, players) for number, players in enumerate(tables, 1))
    return {"kind": "draft", "round": Round(pairings, byes).as_json()}


FIRST = [PAIRS, drawn((1, 3, 2, 4), byes=(5, 6))]


def entrants(kind: str, *numbers: int) -> dict[str, Any]:
    return {"kind": kind, "entrants": list(numbers)}


def test_entrants_get_the_next_start_numbers_and_their_players_can_be_drawn() -> None:
    late = {"kind": "enter", "entrants": [[7, 8]]}
    tournament = Tournament.of([PAIRS, late])
    assert tournament.entrants == {1: (1, 2), 2: (3, 4), 3: (5, 6), 4: (7, 8)}
    assert tournament.here == tuple(range(1, 9))
    assert tournament.numbers == {1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3, 7: 4, 8: 4}


def test_whoever_withdraws_is_not_drawn_and_may_return() -> None:
    gone = Tournament.of([PAIRS, entrants("withdraw", 2)])
    assert (gone.here, gone.came) == ((1, 2, 5, 6), (1, 2, 3, 4, 5, 6))
    assert gone.enter(entrants("return", 2)).here == (1, 2, 3, 4, 5, 6)


def test_a_table_of_the_draft_is_given_up_and_nobody_is_moved_into_it() -> None:
    draft = Tournament.of([*FIRST, entrants("withdraw", 2)]).draft
    assert draft
    assert draft.pairings == ()
    assert set(draft.byes) == {1, 2, 5, 6}


def test_rounds_are_seated_and_undone_as_at_a_night() -> None:
    seated = Tournament.of([*FIRST, {"kind": "seat", "matches": [9]}])
    assert (len(seated.rounds), seated.draft) == (1, None)
    assert seated.enter({"kind": "undo"}) == Tournament.of(FIRST)


@pytest.mark.parametrize(
    ("entries", "code"),
    [
        ([PAIRS, {"kind": "enter", "entrants": [[7, 1]]}], "entered-twice"),
        ([{"kind": "enter", "entrants": [[1, 1]]}], "entered-twice"),
        ([PAIRS, entrants("withdraw", 4)], "not-entered"),
        ([PAIRS, entrants("withdraw", 1), drawn((1, 3, 2, 4))], "not-here"),
        ([PAIRS, {"kind": "close", "matches": []}, entrants("return", 1)], "closed"),
        ([PAIRS, {"kind": "people", "came": [7], "left": []}], "no-such-step"),
    ],
)
def test_what_cannot_be(entries: list[dict[str, Any]], code: str) -> None:
    before = Tournament.of(entries[:-1])
    with pytest.raises(Impossible) as refused:
        before.enter(entries[-1])
    assert refused.value.code == code
