"""People see a translated word for every word of the engine."""

import random
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils.translation import override

import games
from games.moves import move_type
from games.tiles import NAMES
from scorekeeper import words
from scorekeeper.pages.hands import hands_shown
from tests.conftest import names_for

PLAYERS = ("Ana", "Bo", "Cleo", "Dan")
# Final states of a hand, as the API takes them.
FINALS: list[tuple[str, dict[str, Any]]] = [
    ("block", {"table": [0, 0], "left": [9, 20], "out": None}),
    ("all-fives", {"table": [150, 20], "reached": 0}),
    ("domino-whist", {"bad": [31, 12], "out": 0}),
    ("domizerka", {"contract": "odds", "trump": 3, "tricks": [2, 4, 1]}),
    ("dom", {"points": [143, 150]}),
    ("dominards", {"points": [30, 12], "dropped": [["KD"], []], "tiles": [0, 3], "out": 0}),
    ("dominards", {"points": [50, 12], "dropped": [["AD", "2D", "3D", "4D", "5D"], []], "tiles": [2, 3], "out": None}),
]


def by_moves(game: str, **options: Any) -> games.Match:
    """A random match with all its moves."""
    record = games.random_match(game, options, names_for(game), random.Random(1), 3, observed=False)
    match = games.Match.new(game, options, names_for(game))
    for entry in games.entries(record):
        match = match.enter(entry)
    return match


def by_final(game: str, final: dict[str, Any]) -> games.Match:
    return games.Match.new(game, {}, names_for(game)).enter({"kind": "hand", "opener": 0, "final": final})


def matches() -> Iterator[games.Match]:
    yield from (by_moves(game) for game in games.GAMES)
    yield from (by_final(game, final) for game, final in FINALS)
    yield by_moves("domino-whist", debit="higher")


def said_by_the_engine(match: games.Match) -> set[str]:
    """The words in its sheet: reasons of scores, ways to end a hand, and labels of terms that are neither tiles nor
    numbers."""
    hands = match.sheet()["hands"]
    scores = [score for hand in hands for score in hand["scores"]]
    labels = {term["label"] for score in scores for term in score["terms"]} - {*NAMES, ""}
    ends = {hand["end"]["by"] for hand in hands if hand["end"]}
    return {score["reason"] for score in scores} | ends | {label for label in labels if not label.isdigit()}


def test_every_reason_ending_and_label_has_words() -> None:
    engine = set[str]().union(*map(said_by_the_engine, matches()))
    assert len(engine) > 15
    with override("es"):
        assert not {each for each in engine if words.word(each) == each}


def test_a_word_nobody_knows_yet_is_shown_as_it_is() -> None:
    match = by_moves("dominards")
    sheet = match.sheet()
    sheet["hands"][0]["scores"][0]["reason"] = "a-new-reason"
    sheet["hands"][0]["scores"][0]["terms"][0]["label"] = "a-new-label"
    sheet["hands"][0]["end"]["by"] = "a-new-end"
    hand = hands_shown(match, sheet)[0]
    shown = render_to_string("scorekeeper/_sums.html", {"hand": hand})
    assert "a-new-reason" in shown
    assert "a-new-label" in shown
    assert hand.end == "a-new-end"


def test_what_is_taken_off_is_said_as_that() -> None:
    match = by_final("domizerka", {"contract": "odds", "trump": 3, "tricks": [1, 4, 2]})
    shown = render_to_string("scorekeeper/_sums.html", {"hand": hands_shown(match, match.sheet())[0]})
    said = " ".join(re.sub("<[^>]+>", " ", shown).split())
    assert "Ana tricks Ana tricks: 1 − quota: 1 = 0" in said
    assert "Bo tricks Bo tricks: 4 − quota: 4 = 0" in said


def test_points_for_what_another_has_left_say_whose_they_are() -> None:
    match = by_final("all-fives", {"left": [13, 0], "table": [0, 0], "out": 1})
    shown = render_to_string("scorekeeper/_sums.html", {"hand": hands_shown(match, match.sheet())[0]})
    assert " ".join(re.sub("<[^>]+>", " ", shown).split()) == "13 Bo went out Ana 13"


def test_a_tile_that_is_both_ends_is_shown_once() -> None:
    lead = {"seat": 0, "type": "play", "tile": "5-5"}
    match = games.Match.new("all-fives", {}, ["Ana", "Bo"]).enter({"kind": "hand", "opener": 0})
    match = match.enter({"kind": "move", "move": lead})
    shown = render_to_string("scorekeeper/_sums.html", {"hand": hands_shown(match, match.sheet())[0]})
    assert " ".join(re.sub("<[^>]+>", " ", shown).split()) == "10 Ana on the table Ana 10"


def test_every_move_is_a_sentence_of_its_own_in_every_language(game: str) -> None:
    said: dict[str, set[str]] = {"en": set(), "es": set()}
    match = by_moves(game)
    kinds = set()
    for hand in match.hands:
        for move in hand.state.moves:
            kinds.add(move_type(move))
            for language, sentences in said.items():
                with override(language):
                    sentence = words.move_words(move, PLAYERS)
                assert PLAYERS[move.seat] in sentence
                sentences.add(sentence)
    assert kinds
    assert not said["en"] & said["es"]


@pytest.mark.parametrize(
    ("move", "english"),
    [
        ({"type": "draw", "count": 1}, "Bo drew a tile"),
        ({"type": "draw", "count": 2, "tiles": ["3-1", "6-2"]}, "Bo drew 2 tiles"),
        ({"type": "roll", "dice": [3, 4]}, "Bo rolled 3, 4"),
        ({"type": "play", "tile": "6-3", "end": "w", "claim": {"by": "card", "card": "TD"}}, "Bo laid 6-3 W"),
        ({"type": "play", "tile": "6-3", "claim": {"by": "virtual", "drop": "4C"}}, "Bo laid 6-3"),
    ],
)
def test_a_move_in_words(move: dict[str, Any], english: str) -> None:
    match = games.Match.new("dominards", {}, PLAYERS)
    said = words.entry_words({"kind": "move", "move": {"seat": 1} | move}, match)
    claim = move.get("claim", {})
    card = {"card": " (claimed with a card: 10♦)", "virtual": " (the virtual card of four dice: 4♣)"}
    assert said == english + card.get(claim.get("by"), "")


@pytest.mark.parametrize(
    ("move", "english"),
    [
        ({"type": "contract", "contract": "evens", "trump": 4}, "Bo called evens, trumps are 4"),
        ({"type": "contract", "contract": "zero"}, "Bo called zero"),
        ({"type": "discard", "count": 3}, "Bo exchanged 3 tiles"),
        ({"type": "discard", "count": 0}, "Bo exchanged 0 tiles"),
        ({"type": "play", "tile": "6-3"}, "Bo played 6-3"),
        ({"type": "play", "tile": "6-3", "suit": 3}, "Bo led 6-3 in the suit of 3"),
    ],
)
def test_a_move_of_tricks_in_words(move: dict[str, Any], english: str) -> None:
    match = games.Match.new("domizerka", {}, PLAYERS[:3])
    assert words.entry_words({"kind": "move", "move": {"seat": 1} | move}, match) == english


@pytest.mark.parametrize("wrong", [None, [], {"seat": 9, "type": "pass"}, {"seat": 0, "type": "place", "card": "1X"}])
def test_an_entry_that_cannot_be_read_is_called_one(game: str, wrong: Any) -> None:
    match = games.Match.new(game, {}, names_for(game))
    for say in (words.entry_words, words.typed_words):
        assert say({"kind": "move", "move": wrong}, match) == "an entry"
        assert say({"kind": "final", "final": wrong}, match)


@pytest.mark.parametrize(
    ("value", "plain", "signed", "spanish"),
    [
        (Fraction(27, 5), "5.4", "+5.4", "5,4"),
        (Fraction(-1, 3), "−0.3", "−0.3", "−0,3"),
        (Fraction(-1, 100), "0.0", "0.0", "0,0"),
        (12, "12.0", "+12.0", "12,0"),
    ],
)
def test_a_number_with_one_decimal(value: int | Fraction, plain: str, signed: str, spanish: str) -> None:
    assert (words.tenths(value), words.signed_tenths(value)) == (plain, signed)
    with override("es"):
        assert words.tenths(value) == spanish
