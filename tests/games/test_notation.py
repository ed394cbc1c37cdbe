"""The notation: a written record reads back the same, and any text gives a record or an error with its line."""

import contextlib
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games
from games.errors import Malformed
from games.notation import WIDTH, read, read_all, write
from games.read import LARGEST

ROOT = Path(__file__).parents[2]
TILES = [f"{high}-{low}" for high in range(7) for low in range(high + 1)]
CARDS = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS"]
# By game: the word for the seat that opens a hand, and the numbers of players.
FAMILY = ("draw", "block", "all-fives", "all-threes", "fives-and-threes")
OPENERS = {
    **{game: ("leader", [2]) for game in FAMILY},
    "domino-whist": ("opener", [4]),
    "domizerka": ("dealer", [3]),
    "dom": ("dealer", [2]),
    "dominards": ("leader", [2, 3, 4]),
}


# --- any record that is well formed, whether or not the rules allow it ----------------------------------------
wholes = st.integers(0, 12) | st.integers(0, LARGEST - 1)
tiles = st.sampled_from(TILES)
cards = st.sampled_from(CARDS)
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
NAMES = """Ana|Bo|Ana María|O'Neill|李||x| |-|?|#2|0|1.|5-5|won|out|pass|null|Bo:|"|\\|{|}|;|(|]|a,b|\u2028|\ufeff"""
names = st.sampled_from([*NAMES.split("|"), "x" * 21, "a\nb", '\n[Game "dom"]'])
texts = names | texts


def keyed(required: dict[str, Any], optional: dict[str, Any] | None = None) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(required, optional=optional or {})


def by_seat(one: st.SearchStrategy[Any], seats: int) -> st.SearchStrategy[list[Any]]:
    return st.lists(one, min_size=seats, max_size=seats)


def moves_of(game: str, seats: int) -> st.SearchStrategy[dict[str, Any]]:
    seat = st.integers(0, seats - 1)
    some = st.lists(tiles, max_size=3)

    def move(kind: str, required: dict[str, Any], optional: dict[str, Any] | None = None) -> Any:
        return keyed({"seat": seat, "type": st.just(kind), **required}, optional)

    if game == "dom":
        return move("place", {"card": cards, "at": st.sampled_from([f"r{r}c{c}" for r in "1234" for c in "1234"])})
    if game == "domizerka":
        contract = st.sampled_from(["evens", "odds", "zero", "domizerka"])
        return st.one_of(
            move("contract", {"contract": contract}, {"trump": wholes}),
            move("discard", {"count": wholes}, {"tiles": some, "drawn": some}),
            move("play", {"tile": tiles}, {"suit": wholes}),
        )
    claim = st.one_of(
        keyed({"by": st.just("card"), "card": cards}),
        keyed({"by": st.just("multiple")}),
        keyed({"by": st.just("virtual"), "drop": cards}),
    )
    laid = {"end": st.sampled_from("wens")} | ({"claim": claim} if game == "dominards" else {})
    play = move("play", {"tile": tiles}, laid)
    draw = move("draw", {"count": wholes}, {"tiles": some})
    roll = move("roll", {"dice": st.lists(wholes, max_size=4)})
    return play | draw | move("pass", {}) | (roll if game == "dominards" else st.nothing())


def finals_of(game: str, seats: int) -> st.SearchStrategy[dict[str, Any]]:
    seat = st.integers(0, seats - 1)
    nobody = seat | st.none()
    left = by_seat(wholes | st.lists(tiles, max_size=7), seats)
    numbers = by_seat(wholes, seats)
    if game == "domino-whist":
        return keyed({"left": left, "out": nobody}) | keyed({"bad": by_seat(wholes, 2), "out": nobody})
    if game == "domizerka":
        contract = st.sampled_from(["evens", "odds", "zero", "domizerka"])
        return keyed({"contract": contract, "tricks": numbers}, {"trump": wholes})
    if game == "dom":
        return keyed({"points": numbers})
    if game == "dominards":
        dropped = by_seat(st.lists(cards, max_size=5), seats)
        return keyed({"points": numbers, "dropped": dropped, "tiles": numbers, "out": nobody})
    ended = keyed({"table": numbers, "left": left, "out": nobody}, {"last": nobody})
    return ended | keyed({"table": numbers, "reached": seat})


def hands_of(game: str, seats: int) -> st.SearchStrategy[dict[str, Any]]:
    dealt = st.lists(cards if game == "dom" else tiles, max_size=8)
    opener = {OPENERS[game][0]: st.integers(0, seats - 1)}
    deal = {"deal": by_seat(st.none() | dealt, seats)}
    moves = {"moves": st.lists(moves_of(game, seats), max_size=12)}
    final = {"final": finals_of(game, seats)}
    told = {
        "domizerka": {"tricks": by_seat(wholes, seats)},
        "dom": {},
    }.get(game, {"left": by_seat(wholes | st.lists(tiles, max_size=7), seats)})
    return keyed({**opener, **moves}, {**deal, **told}) | keyed({**opener, **final}, {**deal, **moves})


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    game = draw(st.sampled_from(sorted(OPENERS)))
    seats = draw(st.sampled_from(OPENERS[game][1]))
    hands = draw(st.lists(hands_of(game, seats), max_size=3))
    codes = {"pass": "wrong-pass", "draw": "cannot-draw", "play": "revoke"}
    notable = [
        {"hand": number, "move": at, "code": codes[move["type"]]}
        for number, hand in enumerate(hands)
        for at, move in enumerate(hand.get("moves", []))
        if move["type"] in codes
    ]
    # In the order of the moves, as players note them, or in any other order.
    noted = st.lists(st.sampled_from(notable), max_size=4) | st.just(notable[::2]) if notable else st.just([])
    options = st.dictionaries(texts, st.booleans() | st.none() | wholes | texts, max_size=3)
    total = st.integers(1 - LARGEST, LARGEST - 1)
    result = keyed({"totals": by_seat(total, seats), "winners": st.lists(st.integers(0, seats - 1), unique=True)})
    required = {
        "format": st.just("scorekeeper-record/1"),
        "game": st.just(game),
        "players": by_seat(texts, seats),
        "hands": st.just(hands),
    }
    optional = {
        "options": options,
        "stopped": st.sampled_from(["time", "hands", "abandoned"]),
        "noted": noted,
        "meta": st.dictionaries(texts | st.sampled_from(["event", "game", "Game", "Players"]), texts, max_size=3),
        "result": result,
    } | ({"cards": by_seat(st.none() | st.lists(cards, max_size=5), seats)} if game == "dominards" else {})
    return draw(keyed(required, optional))


def exact(value: Any) -> str:
    """A comparison that distinguishes 1 from true, and ignores the order of keys."""
    return json.dumps(value, sort_keys=True)


@settings(max_examples=60, deadline=None)
@given(records())
def test_what_is_written_reads_back_the_same(record: dict[str, Any]) -> None:
    text = write(record)
    assert exact(read(text)) == exact(record)
    assert exact(read(text.encode())) == exact(record)
    assert write(read(text)) == text
    assert exact(read(text.replace("\n", "\r\n"))) == exact(record)


@settings(max_examples=30, deadline=None)
@given(st.lists(records(), max_size=4))
def test_a_text_holds_many_matches(many: list[dict[str, Any]]) -> None:
    assert exact(list(read_all("\n".join(map(write, many))))) == exact(many)


@pytest.mark.parametrize(
    "file", sorted((ROOT / "tests" / "data" / "records").glob("*.json")), ids=lambda file: file.stem
)
def test_golden_records_read_back_the_same(file: Path) -> None:
    record = json.loads(file.read_text())["record"]
    text = write(record)
    assert exact(read(text)) == exact(record)
    assert max(map(len, text.splitlines())) <= WIDTH


@pytest.mark.parametrize("game", games.GAMES)
def test_random_matches_read_back_the_same(game: str) -> None:
    players = ["Ana", "Bo", "Cleo", "Dan"][: games.GAMES[game].seats[-1]]
    for seed in range(3):
        record = games.random_match(game, {}, players, random.Random(seed))
        text = write(record)
        assert exact(read(text)) == exact(record)
        assert max(map(len, text.splitlines())) <= WIDTH


# --- typed by hand ----------------------------------------------------------------------------------------------
def play(seat: int, tile: str, end: str | None = None, **more: Any) -> dict[str, Any]:
    return {"seat": seat, "type": "play", "tile": tile} | ({"end": end} if end else {}) | more


def move(seat: int, kind: str, **more: Any) -> dict[str, Any]:
    return {"seat": seat, "type": kind, **more}


TYPED = {
    "draw": (
        """
        ; no hands were seen
        [Game draw]
        [Players Ana Bo]
        [Options draws true, points_to_win 50]
        1. leader Bo  6-6 +2 6-2w   6-1e {nobody looked} +2(5-1,5-3)? pass
           left 12 ()
        """,
        {
            "options": {"draws": True, "points_to_win": 50},
            "hands": [
                {
                    "leader": 1,
                    "moves": [
                        play(1, "6-6"),
                        move(0, "draw", count=2),
                        play(0, "6-2", "w"),
                        play(1, "6-1", "e"),
                        move(0, "draw", count=2, tiles=["5-1", "5-3"]),
                        move(0, "pass"),
                    ],
                    "left": [12, []],
                }
            ],
            "noted": [{"hand": 0, "move": 4, "code": "cannot-draw"}],
        },
    ),
    "block": (
        """
        [Game "block"] [Players "Ana" "Bo"] [Stopped time] [Result 0 5, won Bo]
        1. leader #1 final table 0 0 left 14 9 out - last #2
        2. leader Ana
        """,
        {
            "hands": [
                {"leader": 0, "final": {"table": [0, 0], "left": [14, 9], "out": None, "last": 1}},
                {"leader": 0, "moves": []},
            ],
            "stopped": "time",
            "result": {"totals": [0, 5], "winners": [1]},
        },
    ),
    "all-fives": (
        """
        [game "all-fives"] [event "Club night"] [table 3] [players Ana Bo]
        1. leader Ana   5-5 5-0e 5-1w Bo: 6-5n pass?
        2. leader Bo    - final table 40 15 reached Ana
        """,
        {
            "hands": [
                {
                    "leader": 0,
                    "moves": [
                        play(0, "5-5"),
                        play(1, "5-0", "e"),
                        play(0, "5-1", "w"),
                        play(1, "6-5", "n"),
                        move(0, "pass"),
                    ],
                },
                {"leader": 1, "moves": [], "final": {"table": [40, 15], "reached": 0}},
            ],
            "noted": [{"hand": 0, "move": 4, "code": "wrong-pass"}],
            "meta": {"event": "Club night", "table": "3"},
        },
    ),
    "all-threes": (
        """
        [Game all-threes] [Players Ana Bo] [Options] [Meta] [Noted]
        1. leader Ana
           deal (6-6 6-5 6-4 6-3 6-2 6-1 6-0) ?
           6-6 Ana:6-3w
        """,
        {
            "options": {},
            "meta": {},
            "noted": [],
            "hands": [
                {
                    "leader": 0,
                    "deal": [["6-6", "6-5", "6-4", "6-3", "6-2", "6-1", "6-0"], None],
                    "moves": [play(0, "6-6"), play(0, "6-3", "w")],
                }
            ],
        },
    ),
    "fives-and-threes": (
        """
        [Game fives-and-threes] [Players Bo Bo] [Options leader winner, hands null]
        1. leader #2  4-4 final table 9 12 left () (1-0) out #1
        [Result 10 12 won #2]
        """,
        {
            "players": ["Bo", "Bo"],
            "options": {"leader": "winner", "hands": None},
            "hands": [
                {
                    "leader": 1,
                    "moves": [play(1, "4-4")],
                    "final": {"table": [9, 12], "left": [[], ["1-0"]], "out": 0},
                }
            ],
            "result": {"totals": [10, 12], "winners": [1]},
        },
    ),
    "domino-whist": (
        """
        [Game domino-whist] [Players Ana "Bo B." Cy Di] [Noted 1.2 wrong-pass]
        1. opener "Bo B."
           5-5 pass 5-2e 5-1w "Bo B.": pass
           left (6-4) 7 0 ()
        2. opener Cy final bad 31 12 out Ana
        """,
        {
            "players": ["Ana", "Bo B.", "Cy", "Di"],
            "hands": [
                {
                    "opener": 1,
                    "moves": [
                        play(1, "5-5"),
                        move(2, "pass"),
                        play(3, "5-2", "e"),
                        play(0, "5-1", "w"),
                        move(1, "pass"),
                    ],
                    "left": [["6-4"], 7, 0, []],
                },
                {"opener": 2, "final": {"bad": [31, 12], "out": 0}},
            ],
            "noted": [{"hand": 0, "move": 1, "code": "wrong-pass"}],
        },
    ),
    "domizerka": (
        """
        [Game domizerka] [Players Ana Bo Cy] [Result 1 -2 1 won Ana Cy]
        1. dealer Cy
           evens=4 -3(0-0 1-0 2-1)+(6-6 6-5 5-5) -1 -0
           4-4 4-1 4-0?  6-3=3 3-1 3-3
           Cy: 5-5
           tricks 3 3 1
        2. dealer Ana final odds=3 tricks 2 4 1
        """,
        {
            "players": ["Ana", "Bo", "Cy"],
            "hands": [
                {
                    "dealer": 2,
                    "moves": [
                        move(0, "contract", contract="evens", trump=4),
                        move(0, "discard", count=3, tiles=["0-0", "1-0", "2-1"], drawn=["6-6", "6-5", "5-5"]),
                        move(1, "discard", count=1),
                        move(2, "discard", count=0),
                        play(0, "4-4"),
                        play(1, "4-1"),
                        play(2, "4-0"),
                        play(0, "6-3", suit=3),
                        play(1, "3-1"),
                        play(2, "3-3"),
                        play(2, "5-5"),
                    ],
                    "tricks": [3, 3, 1],
                },
                {"dealer": 0, "final": {"contract": "odds", "trump": 3, "tricks": [2, 4, 1]}},
            ],
            "noted": [{"hand": 0, "move": 6, "code": "revoke"}],
            "result": {"totals": [1, -2, 1], "winners": [0, 2]},
        },
    ),
    "dom": (
        """
        [Game dom] [Players Ana Bo]
        1. dealer Bo   KH@r1c4 7S@r1c3
        2. dealer Ana  final points 143 150
        """,
        {
            "hands": [
                {
                    "dealer": 1,
                    "moves": [move(0, "place", card="KH", at="r1c4"), move(1, "place", card="7S", at="r1c3")],
                },
                {"dealer": 0, "final": {"points": [143, 150]}},
            ]
        },
    ),
    "dominards": (
        """
        [Game dominards] [Players Ana Bo Cy] [Cards (AS KD 9C TH 2D) ? ?]
        1. leader Ana
           roll(3 4) 6-6  6-1e=KH  +1 6-3w=multiple  6-2n=virtual(2D)
        2. leader Bo   final points 30 12 0 dropped (KD) () () tiles 0 3 2 out Ana
        """,
        {
            "players": ["Ana", "Bo", "Cy"],
            "cards": [["AS", "KD", "9C", "TH", "2D"], None, None],
            "hands": [
                {
                    "leader": 0,
                    "moves": [
                        move(0, "roll", dice=[3, 4]),
                        play(0, "6-6"),
                        play(1, "6-1", "e", claim={"by": "card", "card": "KH"}),
                        move(2, "draw", count=1),
                        play(2, "6-3", "w", claim={"by": "multiple"}),
                        play(0, "6-2", "n", claim={"by": "virtual", "drop": "2D"}),
                    ],
                },
                {
                    "leader": 1,
                    "final": {"points": [30, 12, 0], "dropped": [["KD"], [], []], "tiles": [0, 3, 2], "out": 0},
                },
            ],
        },
    ),
}


def test_every_game_is_typed() -> None:
    assert TYPED.keys() == OPENERS.keys() >= games.GAMES.keys()


@pytest.mark.parametrize("game", TYPED)
def test_typed_by_hand(game: str) -> None:
    text, expected = TYPED[game]
    record = {"format": "scorekeeper-record/1", "game": game, "players": ["Ana", "Bo"], **expected}
    assert exact(read(text)) == exact(record)
    assert exact(read(write(record))) == exact(record)


def test_options_are_numbers_words_or_texts() -> None:
    options = {
        "a": 1,
        "b": "1",
        "c": True,
        "d": "true",
        "e": None,
        "f": "null",
        "g": "low",
        "h": "so-so",
        "two words": "",
    }
    typed = '[Options a 1 b "1" c true d "true" e null f "null" g "low" h so-so "two words" ""]'
    record = read(f"[Game block] [Players Ana Bo] {typed}")
    assert exact(record["options"]) == exact(options)
    assert exact(read(write(record))) == exact(record)


# --- the normal form --------------------------------------------------------------------------------------------
def test_the_normal_form() -> None:
    text = """
[game domino-whist] [table 3] ["Players" "all new"]
[players Ana "Bo B." Cy "Bartholomew the Younger" ] ; four of them
[options debit higher target 0100 hands null] [result 7 11 7 11]
1. opener Cy deal ? ? ? (6-5 6-4 6-3 6-2 6-1 6-0 5-4)
5-5 #4: 5-4e {a comment} "Bo B.":5-1w? Cy:pass?
6-4e 6-5e 6-6e 6-3e 6-2e 6-1e 6-0e 5-0w 4-0w 3-0w 2-0w 1-0w 0-0w 1-1w
left 3 (6-4 6-3), (),()
2. opener #4 - final out -
"""
    assert (
        write(read(text))
        == """\
[Game "domino-whist"]
[table "3"]
["Players" "all new"]
[Players "Ana" "Bo B." "Cy" "Bartholomew the Younger"]
[Options debit higher, target 100, hands null]
[Result 7 11 7 11]

1. opener Cy
   deal ? ? ? (6-5 6-4 6-3 6-2 6-1 6-0 5-4)
   5-5 5-4e "Bo B.": 5-1w? pass? 6-4e 6-5e 6-6e 6-3e 6-2e 6-1e 6-0e 5-0w 4-0w
   3-0w 2-0w 1-0w 0-0w 1-1w
   left 3 (6-4 6-3) () ()

2. opener #4
   -
   final out -
"""
    )


# --- what cannot be read ----------------------------------------------------------------------------------------
HEAD = '[Game "block"]\n[Players "Ana" "Bo" "Cy" "Cy"]\n'
AT_FAULT = [
    ("", 1, "match"),
    (" \n{ nothing } ; here", 1, "match"),
    ('[Players "Ana" "Bo"]', 1, "game"),
    ('\n[Game "block"]\n', 2, "players"),
    ("\n\n1. leader Ana", 3, "Ana"),
    ("\n\nhello\n", 3, "hello"),
    (HEAD + "\n[Game dom]", 4, "second match"),
    (HEAD + "[ game dom]", 3, "second match"),
    (HEAD + "1. leader Ana [Players Ana]", 3, "players"),
    (HEAD + "[event a]\n[event b]", 4, "event"),
    (HEAD + "[Options target 1,\ntarget 2]", 4, "target"),
    (HEAD + "[Options target 1234567890123]", 3, "1234567890123"),
    (HEAD + "[Options target]", 3, "]"),
    (HEAD + "[Cards (AX)]", 3, "AX"),
    (HEAD + "[Result 1 2\nlost Ana]", 4, "lost"),
    (HEAD + "[Result 1 2 won Dan]", 3, "Dan"),
    (HEAD + "[Result 1 2 won Cy]", 3, "Cy"),
    (HEAD + "[Result 1 2 won #5]", 3, "#5"),
    (HEAD + "[Result 1 2 won #0]", 3, "#0"),
    (HEAD + "[Noted 1 wrong-pass]", 3, "1"),
    (HEAD + "[Noted 0.1 wrong-pass]", 3, "0.1"),
    (HEAD + "[Noted 1.0 wrong-pass]", 3, "1.0"),
    (HEAD + '[event "no \\q"]', 3, "characters"),
    (HEAD + '[event "no \\u0000"]', 3, "characters"),
    (HEAD + '[event "no \\ud800"]', 3, "characters"),
    (HEAD + '[event "not closed]\n]', 3, '"'),
    (HEAD + "\n{ not closed", 4, "{"),
    (HEAD + "1. leader Ana\n5-5 +2(5-1", 4, "("),
    (HEAD + "[event", 3, "end"),
    (HEAD + "2. leader Ana", 3, "2."),
    (HEAD + "1. leader Ana\n1. leader Bo", 4, "1."),
    (HEAD + "1. left (6-4)", 3, "left"),
    (HEAD + "1. leader\n", 4, "end"),
    (HEAD + "1. leader Ana\n left 3 left 4", 4, "left"),
    (HEAD + "1. leader Ana\n 4-6", 4, "4-6"),
    (HEAD + "1. leader Ana\n {…\n} 6-4x", 5, "6-4x"),
    (HEAD + "1. leader Ana 1H@r1c1", 3, "1H@r1c1"),
    (HEAD + "1. leader Ana KH@r5c1", 3, "KH@r5c1"),
    (HEAD + "1. leader Ana roll(3 4)?", 3, "roll(3 4)?"),
    (HEAD + "1. leader Ana +2(6-4 9-1)", 3, "+2(6-4 9-1)"),
    (HEAD + "1. leader Ana +" + "1" * 10_000, 3, "+111"),
    (HEAD + "1. leader Ana Bo:\n[event x]", 4, "["),
    (HEAD + "1. leader Ana Bo: left 3 4", 3, "left"),
    (HEAD + "1. leader Ana\nfinal out Ana\nout Bo", 5, "out"),
    (HEAD + "1. leader Ana\nfinal zero\nzero", 5, "contract"),
    (HEAD + "1. leader Ana\nfinal out Ana\n5-5", 5, "5-5"),
    (HEAD + "1. leader Ana\nfinal out ?", 4, "?"),
    (HEAD + "\n]", 4, "]"),
]


@pytest.mark.parametrize(("text", "line", "said"), AT_FAULT)
def test_what_is_wrong_is_told_with_its_line(text: str, line: int, said: str) -> None:
    with pytest.raises(Malformed) as caught:
        read(text)
    assert caught.value.message.startswith(f"Line {line}: ")
    assert said in caught.value.message.partition(":")[2]


def test_one_bad_match_does_not_stop_the_next() -> None:
    good = HEAD + "1. leader Ana\n5-5 pass\n"
    bad = [
        HEAD + '[event "not closed]\n',
        HEAD + "1. leader Ana { not closed\n5-5\n",
        HEAD + "1. leader Ana left (6-4\n",
        "[Game\n",
        HEAD + "[[[[\n",
        HEAD + "1. leader Ana 9-9\n",
    ]
    text = "; club night\n" + good + "".join(one + good for one in bad)
    found = list(read_all(text))
    assert [isinstance(one, Malformed) for one in found] == [False] + [True, False] * len(bad)
    assert all(one == read(good) for one in found[::2])
    for place, error in zip(range(len(bad)), found[1::2], strict=True):
        told = re.match(r"Line (\d+): ", error.message)
        begins = ("; club night\n" + good + "".join(one + good for one in bad[:place])).count("\n")
        assert told
        assert begins < int(told[1]) <= begins + bad[place].count("\n") + 1


def test_invalid_bytes_are_reported_where_they_matter() -> None:
    ok = '\ufeff[Game "block"]\n[Players "Ana" "José"] ; José\n'
    assert read(ok.encode())["players"] == ["Ana", "José"]
    latin = ok.replace('"José"', '"Bo"').replace("\ufeff", "").encode("latin-1")
    assert read(latin)["players"] == ["Ana", "Bo"]
    for wrong in (ok.encode("utf-16"), ok.replace("\ufeff", "").encode("latin-1")):
        with pytest.raises(Malformed, match=r"Line|characters") as caught:
            read(wrong)
        assert caught.value.facts["line"] in (1, 2)


def test_what_a_person_may_type_otherwise() -> None:
    one = '[Game "block"]\n[event "a\tb"]\n[Players Ana "Bo"]\n'
    many = list(
        read_all(
            f"\ufeff{one}{{ a comment\n}}  [Options]\n\ufeff{one}\t [ GAME block] [PLAYERS Ana, Bo] ; 1. leader Ana"
        )
    )
    assert many == [{**read(one), "options": {}}, read(one), read("[Game block] [Players Ana Bo]")]
    assert many[1]["meta"] == {"event": "a\tb"}


@pytest.mark.parametrize(
    "record",
    [
        {"format": "scorekeeper-record/2"},
        {"hands": [{"leader": 0, "moves": [], "seen": 1}]},
        {"hands": [{"leader": 0, "moves": [{"seat": 0, "type": "pass", "tile": "6-4"}]}]},
        {"hands": [{"leader": 0, "moves": [play(0, "4-6")]}]},
        {"result": {"totals": [LARGEST, 0], "winners": []}},
        {"players": ["Ana", "\ud800"]},
        {"players": ["Ana", "B\0"]},
    ],
)
def test_what_has_no_words_is_not_written(record: dict[str, Any]) -> None:
    whole = {"format": "scorekeeper-record/1", "game": "block", "players": ["Ana", "Bo"], "hands": []}
    assert read(write(whole)) == whole
    with pytest.raises(Malformed):
        write({**whole, **record})


# --- whatever comes ---------------------------------------------------------------------------------------------
def check_any(text: str | bytes) -> None:
    """The text gives records that read back the same, or errors."""
    for found in read_all(text):
        if isinstance(found, Malformed):
            assert found.facts["line"] >= 1
            assert found.message.startswith(f"Line {found.facts['line']}: ")
            found.message.encode()
        else:
            again = write(found)
            assert exact(read(again)) == exact(found)
            assert write(read(again)) == again
    with contextlib.suppress(Malformed):
        read(text)


@settings(max_examples=60, deadline=None)
@given(st.binary() | st.text(st.characters(exclude_categories=[])))
def test_anything_is_a_record_or_a_sentence(text: str | bytes) -> None:
    check_any(text)
    head = '[Game "block"] [Players Ana Bo] 1. leader Ana '
    check_any(head.encode() + text if isinstance(text, bytes) else head + text)


SCRAPS = """
[ ] ( ) { } ; : , ? - = # . " \\ 0 1. 2. 1.1 #1 007 11111111111111111111 ٣ Ana Bo: "Bo B." won leader final out é
6-4 6-4e 6-4w=KD 6-4=3=multiple pass pass? +2 +1(6-4)? -3 -1(6-4)+() roll(3,4) evens=4 zero KH@r1c4 () a( null
[Game x] [Meta] [Noted] [event] [Players Ana Bo] [Options a 1] [Cards ? (AS)] [Result 3 -4 won Ana] [Noted 1.1 revoke]
1. leader Ana|2. dealer Bo|deal ? (6-4)|left 3 ()|tricks 1 2|table 1
"""
SCRAPS = [
    *SCRAPS.split(),
    *re.findall(r"\[.+?\]", SCRAPS),
    *SCRAPS.splitlines()[-1].split("|"),
    *"\n\r\0\x85\ufeff\ud800",
]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(SCRAPS), max_size=25))
def test_scraps_are_a_record_or_a_sentence(scraps: list[str]) -> None:
    check_any("[Game draw] [Players Ana Bo] 1. leader Ana " + " ".join(scraps))
    check_any("".join(scraps))


@settings(max_examples=60, deadline=None)
@given(records(), st.data())
def test_a_match_with_a_slip_is_a_record_or_a_sentence(record: dict[str, Any], data: st.DataObject) -> None:
    text = write(record)
    begin = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(begin, min(begin + 5, len(text))))
    check_any(text[:begin] + data.draw(st.sampled_from(["", *SCRAPS])) + text[end:])


@pytest.mark.parametrize("scrap", [*SCRAPS, "[Game x]\n", '"" ', '"\\', "( ", "() "])
def test_a_long_text_of_anything_is_read_to_its_end(scrap: str) -> None:
    """The test would not end if reading took more steps than the text is long."""
    long = scrap * (50_000 // len(scrap))
    for before in ("", HEAD, HEAD + "1. leader Ana ", HEAD + "[Options ", HEAD + "[event "):
        list(read_all(before + long))
        list(read_all((before + long).encode("utf-8", "surrogatepass")))


# --- the document -----------------------------------------------------------------------------------------------
DOCUMENT = (ROOT / "docs" / "notation.md").read_text()
SHOWN = re.findall(r"```text\n(.*?)```", DOCUMENT, re.DOTALL)


def test_the_document_shows_every_game_as_the_program_writes_it() -> None:
    assert {read(text)["game"] for text in SHOWN} == OPENERS.keys()
    for text in SHOWN:
        without_comments = re.sub(r" *\{.*?\}", "", text)
        assert write(read(text)) == without_comments


@pytest.mark.parametrize("text", SHOWN)
def test_the_document_shows_matches_that_fit_the_rules(text: str) -> None:
    record = read(text)
    if record["game"] in games.GAMES:
        assert games.verify(record)["errors"] == []


def test_the_document_shows_the_record_of_its_first_match() -> None:
    (shown,) = re.findall(r"```json\n(.*?)```", DOCUMENT, re.DOTALL)
    assert exact(read(SHOWN[0])) == exact(json.loads(shown))
