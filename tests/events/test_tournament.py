"""A tournament as a fold: it has rounds like a night, but other rules for who takes part."""

from typing import Any

import pytest

from scorekeeper.events import Tournament
from scorekeeper.events.penalties import Penalty
from scorekeeper.events.rounds import Impossible, Pairing, Round

PAIRS = {"kind": "enter", "entrants": [[1, 2], [3, 4], [5, 6]]}


def drawn(*tables: tuple[int, ...], byes: tuple[int, ...] = ()) -> dict[str, Any]:
    pairings = tuple(Pairing(number, "domino-whist", {}, None, players) for number, players in enumerate(tables, 1))
    return {"kind": "draft", "round": Round(pairings, byes).as_json()}


SEATED = {"kind": "seat", "matches": [9]}
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
    gone = Tournament.of([SETUP, PAIRS, entrants("withdraw", 2)])
    assert (gone.here, gone.came) == ((1, 2, 5, 6), (1, 2, 3, 4, 5, 6))
    assert gone.enter(entrants("return", 2)).here == (1, 2, 3, 4, 5, 6)


def test_a_table_of_the_draft_is_given_up_and_nobody_is_moved_into_it() -> None:
    draft = Tournament.of([*FIRST, entrants("withdraw", 2)]).draft
    assert draft
    assert draft.pairings == ()
    assert set(draft.byes) == {1, 2, 5, 6}


def test_rounds_are_seated_and_undone_as_at_a_night() -> None:
    seated = Tournament.of([SETUP, *FIRST, {"kind": "seat", "matches": [9]}])
    assert (len(seated.rounds), seated.draft) == (1, None)
    assert seated.enter({"kind": "undo"}) == Tournament.of([SETUP, *FIRST])


WITHDRAWN = entrants("withdraw", 1, 2, 3)
SETUP = {
    "kind": "setup",
    "game": "domino-whist",
    "options": {},
    "minutes": 30,
    "format": "heads",
    "size": 2,
    "rounds": None,
    "double": False,
}
PLAN = {
    "kind": "plan",
    "rounds": [{"tables": [[2, 1]], "byes": [3]}, {"tables": [[3, 2]], "byes": [1]}, {"tables": [[1, 3]], "byes": [2]}],
}
PLANNED = [SETUP, PAIRS, PLAN]


def planned_round(tournament: Tournament, *tables: int) -> dict[str, Any]:
    return {"kind": "draft", "round": tournament.next_round(tables).as_json()}


def test_the_next_round_follows_the_plan_and_pairs_sit_opposite() -> None:
    tournament = Tournament.of(PLANNED)
    first = tournament.next_round([5, 6])
    assert first == Round((Pairing(5, "domino-whist", {}, 30, (3, 1, 4, 2)),), (5, 6))
    assert tournament.sides_of(first.pairings[0].game, first.pairings[0].players) == [[2], [1]]
    seated = Tournament.of([*PLANNED, planned_round(tournament, 5), {"kind": "seat", "matches": [1]}])
    assert (len(seated.rounds), len(seated.plan)) == (1, 2)
    assert seated.next_round([5]).pairings[0].players == (5, 3, 6, 4)
    assert seated.enter({"kind": "undo"}).plan == tournament.plan


def test_partners_of_one_match_sit_as_planned() -> None:
    singles = {"kind": "enter", "entrants": [[n] for n in (11, 12, 13, 14)]}
    plan = {"kind": "plan", "rounds": [{"tables": [[4, 1, 2, 3]], "byes": []}]}
    tournament = Tournament.of([SETUP, singles, plan])
    (pairing,) = tournament.next_round([1]).pairings
    assert pairing.players == (14, 11, 12, 13)
    assert tournament.sides_of(pairing.game, pairing.players) == [[4, 2], [1, 3]]


def test_who_would_meet_somebody_who_left_has_a_bye() -> None:
    gone = Tournament.of([*PLANNED, entrants("withdraw", 1)])
    assert gone.next_round([1]) == Round((), (5, 6, 3, 4))


def test_forfeits_and_penalties_are_kept_until_they_are_cancelled() -> None:
    tournament = Tournament.of(PLANNED)
    seated = Tournament.of([*PLANNED, planned_round(tournament, 5), {"kind": "seat", "matches": [1]}])
    absent = seated.enter({"kind": "forfeit", "round": 1, "table": 5, "absent": [1]})
    assert absent.forfeits == {(1, 5): frozenset({1})}
    assert absent.enter({"kind": "forfeit", "round": 1, "table": 5, "absent": []}).forfeits == {}
    late = seated.enter({"kind": "penalty", "entrant": 2, "round": 1, "points": "1/2", "reason": "late"})
    assert late.penalties == (Penalty(2, 1, "1/2", "late"),)
    assert late.enter({"kind": "cancel-penalty", "number": 0}).penalties[0].cancelled


def test_another_way_to_play_gives_the_schedule_up() -> None:
    plan = {"kind": "plan", "rounds": [{"tables": [[1, 2]], "byes": [3]}], "at": [1]}
    planned = Tournament.of([SETUP, PAIRS, plan, {"kind": "publish"}])
    assert planned.enter(SETUP | {"minutes": 20}).plan == planned.plan
    other = planned.enter(SETUP | {"game": "block", "format": "triples", "teams": True})
    assert (other.plan, other.published) == ((), ())


def test_an_entrant_by_mistake_goes_with_the_schedule_and_the_others_keep_their_numbers() -> None:
    wish = {"kind": "wish", "what": "apart", "entrants": [1, 2], "first": 1, "last": None}
    before = Tournament.of([SETUP, PAIRS, PLAN, {"kind": "publish"}, drawn((1, 3, 2, 4), byes=(5, 6)), wish])
    after = before.enter({"kind": "remove-entrant", "entrant": 2})
    assert after.entrants == {1: (1, 2), 3: (5, 6)}
    assert (after.here, after.came, after.plan, after.published, after.draft) == ((1, 2, 5, 6),) * 2 + ((), (), None)
    assert after.wishes == ()
    assert after.enter({"kind": "enter", "entrants": [[7, 8]]}).entrants[4] == (7, 8)
    assert after.enter({"kind": "undo"}) == before
    late = before.enter({"kind": "enter", "entrants": [[7, 8]]}).enter({"kind": "remove-entrant", "entrant": 4})
    assert late.plan == before.plan, "a schedule without them stays"


def test_others_take_a_start_number_and_the_schedule_stays() -> None:
    before = Tournament.of([SETUP, PAIRS, PLAN, drawn((1, 3, 2, 4), byes=(5, 6))])
    after = before.enter({"kind": "replace-players", "entrant": 2, "players": [4, 9]})
    assert (after.entrants[2], after.numbers[9], after.here) == ((4, 9), 2, (1, 2, 4, 9, 5, 6))
    assert (after.came, after.plan, after.draft) == ((1, 2, 4, 5, 6, 9), before.plan, None)


@pytest.mark.parametrize(("was", "now"), [((1, 3, 2, 4), (5, 3, 6, 4)), ((3, 1, 4, 2), (3, 5, 4, 6))])
def test_two_swap_in_a_seated_round_and_one_of_them_has_a_bye(was: tuple[int, ...], now: tuple[int, ...]) -> None:
    seated = Tournament.of([SETUP, PAIRS, drawn(was, byes=(5, 6)), SEATED])
    swapped = seated.enter({"kind": "reseat", "round": 1, "entrants": [1, 3], "how": None})
    assert (swapped.rounds[0].pairings[0].players, swapped.rounds[0].byes) == (now, (1, 2))
    assert swapped.enter({"kind": "reseat", "round": 1, "entrants": [1, 3], "how": None}).rounds == seated.rounds
    assert seated.enter({"kind": "reseat", "round": 1, "entrants": [1, 3], "how": "as-drawn"}).rounds == seated.rounds


def test_entrants_can_come_with_their_start_numbers() -> None:
    known = {"name": "", "club": "North", "rating": None}
    tournament = Tournament.of([{"kind": "enter", "entrants": [[1], [2]], "numbers": [3, 9], "about": [known, known]}])
    assert tournament.entrants == {3: (1,), 9: (2,)}
    assert tournament.about[9].club == "North"
    assert tournament.enter({"kind": "enter", "entrants": [[5]]}).entrants[10] == (5,)


@pytest.mark.parametrize(
    ("entries", "code"),
    [
        ([PAIRS, {"kind": "enter", "entrants": [[9]], "numbers": [1]}], "entered-twice"),
        ([PAIRS, {"kind": "enter", "entrants": [[7, 1]]}], "entered-twice"),
        ([{"kind": "enter", "entrants": [[1, 1]]}], "entered-twice"),
        ([PAIRS, entrants("withdraw", 4)], "not-entered"),
        ([PAIRS, entrants("withdraw", 1), drawn((1, 3, 2, 4))], "not-here"),
        ([PAIRS, {"kind": "close", "matches": []}, entrants("return", 1)], "closed"),
        ([PAIRS, {"kind": "people", "came": [7], "left": []}], "no-such-step"),
        ([SETUP, *FIRST, {"kind": "seat", "matches": [9]}, SETUP | {"size": 1}], "begun"),
        ([SETUP, PAIRS, SETUP | {"size": 1}], "entrants-of-other-size"),
        ([SETUP, PAIRS, SETUP | {"size": 3, "teams": True}], "entrants-of-other-size"),
        ([SETUP, PAIRS, WITHDRAWN, SETUP | {"size": 1}, entrants("return", 1)], "entrants-of-other-size"),
        ([PAIRS, {"kind": "penalty", "entrant": 1, "round": 0, "points": 1, "reason": "late"}], "no-such-round"),
        ([PAIRS, {"kind": "plan", "rounds": [{"tables": [[1, 4]], "byes": []}]}], "not-entered"),
        ([PAIRS, {"kind": "plan", "rounds": [{"tables": [[1, 2]], "byes": [2]}]}], "somebody-twice"),
        ([PAIRS, {"kind": "forfeit", "round": 1, "table": 1, "absent": [0]}], "no-such-table"),
        ([PAIRS, {"kind": "penalty", "entrant": 4, "round": 1, "points": 1, "reason": "late"}], "not-entered"),
        ([PAIRS, {"kind": "cancel-penalty", "number": 0}], "no-such-penalty"),
        ([PAIRS, {"kind": "category", "number": None, "name": "Ladies", "entrants": [1, 4]}], "not-entered"),
        ([PAIRS, {"kind": "category", "number": 0, "name": "Ladies", "entrants": [1]}], "no-such-category"),
        ([PAIRS, {"kind": "remove-category", "number": -1}], "no-such-category"),
        ([PAIRS, {"kind": "remove-entrant", "entrant": 4}], "not-entered"),
        ([SETUP, *FIRST, SEATED, {"kind": "remove-entrant", "entrant": 1}], "begun"),
        ([SETUP, *FIRST, SEATED, {"kind": "replace-players", "entrant": 1, "players": [8, 9]}], "begun"),
        ([SETUP, PAIRS, {"kind": "replace-players", "entrant": 1, "players": [1, 3]}], "entered-twice"),
        ([SETUP, PAIRS, {"kind": "replace-players", "entrant": 1, "players": [1]}], "entrants-of-other-size"),
        ([SETUP, *FIRST, {"kind": "reseat", "round": 1, "entrants": [1, 2], "how": None}], "no-such-round"),
        ([SETUP, *FIRST, SEATED, {"kind": "reseat", "round": 1, "entrants": [1, 1], "how": None}], "not-in-the-round"),
        ([SETUP, *FIRST, SEATED, {"kind": "reseat", "round": 1, "entrants": [1, 4], "how": None}], "not-in-the-round"),
    ],
)
def test_what_cannot_be(entries: list[dict[str, Any]], code: str) -> None:
    before = Tournament.of(entries[:-1])
    with pytest.raises(Impossible) as refused:
        before.enter(entries[-1])
    assert refused.value.code == code
