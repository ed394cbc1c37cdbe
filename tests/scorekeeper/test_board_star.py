"""The pad of the star with plain forms: plays, rolls, claims and cards, compared with the engine."""

import json
import random
import re
from typing import Any

import pytest
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone

import games
from games import cards
from games.moves import Play, move_json
from scorekeeper import words
from scorekeeper.access import Actor
from scorekeeper.models import Match
from scorekeeper.pages.boards import star
from scorekeeper.selectors.matches import position
from scorekeeper.services import matches, tables
from tests.browsing import Browser
from tests.conftest import NOW, Cast, enter

GAME = next(slug for slug, game in games.GAMES.items() if game.board == "star")
NAMES = ["Ana", "Bo", "Cleo", "Dan"]


@pytest.fixture
def phone(cast: Cast) -> Browser:
    """A phone that scanned the code of the first table; it runs no scripts."""
    token = tables.fresh_token(table=cast.table, now=timezone.now())
    return Browser().open(reverse("table_join", args=[token]))


def newest() -> Match:
    return Match.objects.latest("pk")


def seated(match: Match) -> list[str]:
    return [seat.name for seat in match.seats.order_by("number")]


# --- who plays -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("count", games.GAMES[GAME].seats)
def test_as_many_play_as_are_named(phone: Browser, count: int) -> None:
    phone.follow("Dominards")
    assert "2 to 4 play: leave the last names empty." in phone.words
    phone.press("Start", **{f"player_{seat}": name for seat, name in enumerate(NAMES[:count])})
    assert seated(Match.objects.get()) == NAMES[:count]


def test_a_name_missing_before_another_is_asked_for(phone: Browser) -> None:
    phone.follow("Dominards")
    phone.press("Start", player_0="Ana", player_1="Bo", player_3="Dan")
    assert phone.status == 422
    assert "Only the last ones can be empty" in phone.words
    phone.press("Start", player_2="Cleo")
    assert seated(Match.objects.get()) == NAMES


def test_too_few_names_are_refused(phone: Browser) -> None:
    phone.follow("Dominards")
    phone.press("Start", player_0="Ana")
    assert phone.status == 422
    assert not Match.objects.exists()


# --- a hand by plain forms -----------------------------------------------------------------------------------------
def begun(cast: Cast, players: int = 2, cards: Any = None, **options: Any) -> Match:
    """A match with its first hand opened by Ana."""
    match = matches.open_match(
        table=cast.table, game=GAME, options=options, players=NAMES[:players], by=Actor(), now=NOW
    )
    told = [{"kind": "cards", "cards": cards}] if cards else []
    return enter(match, [*told, {"kind": "hand", "opener": 0}])


def buttons(phone: Browser, name: str) -> list[str]:
    """The values of the enabled buttons with this name."""
    return [
        button.value
        for form in phone.forms
        for button in form.buttons
        if button.name == name and button.value and not button.disabled
    ]


def send(phone: Browser, name: str, value: str) -> Browser:
    """Presses the button with this value, which must exist."""
    form = next(form for form in phone.forms for button in form.buttons if (button.name, button.value) == (name, value))
    return phone.post(form.action, {key: [said] for key, said in form.fields} | {name: [value]})


def entries_of(phone: Browser, kind: str) -> list[dict[str, Any]]:
    moves = [json.loads(value).get("move", {}) for value in buttons(phone, "entry")]
    return [move for move in moves if move.get("type") == kind]


def test_a_roll_is_tapped_die_by_die(cast: Cast, phone: Browser) -> None:
    match = begun(cast)
    phone.open(phone.path)
    assert "What did Ana roll?" in phone.words
    assert "Ana rolls now" in phone.words
    assert not entries_of(phone, "roll"), "one die makes no roll"
    send(phone, "ask", "number=4")
    for dice in ("6", "65", "651"):
        send(phone, "ask", f"number=4&dice={dice}")
    assert [move["dice"] for move in entries_of(phone, "roll")] == [[6, 5, 1, face] for face in range(1, 7)]
    phone.press("a 2")
    assert position(newest()).hand.state.dice == (6, 5, 1, 2)
    assert "5 turns" not in phone.words
    assert "3 turns, then Bo rolls" in phone.words
    assert match.pk == newest().pk


def test_a_die_tapped_wrong_is_taken_off(cast: Cast, phone: Browser) -> None:
    """Any die can be undone alone. Undo takes back the last one; if no die is tapped, it takes back the last entry."""
    begun(cast)
    phone.open(phone.path)
    send(phone, "ask", "number=4")
    for dice in ("&dice=6", "&dice=65", "&dice=651"):
        send(phone, "ask", f"number=4{dice}")
    assert "Remove the 5" in phone.answer.content.decode()
    send(phone, "ask", "number=4&dice=61")
    assert [move["dice"] for move in entries_of(phone, "roll")] == []
    send(phone, "ask", "number=4&dice=6")
    assert untaps(phone) == ("number=4", False)
    send(phone, "ask", "number=4")
    assert untaps(phone) == ("", True)
    assert newest().length == 1, "nothing was entered and nothing taken back"


def untaps(phone: Browser) -> tuple[str, bool]:
    """What Undo for a die sends, and whether Undo for an entry is shown instead."""
    html = phone.markup
    die = re.search(r'value="([^"]*)" data-untap( hidden)?>', html)
    entry = re.search(r"data-undo( disabled)?( hidden)?>", html)
    assert die
    assert entry
    assert bool(die[2]) != bool(entry[2])
    return die[1], bool(die[2])


def test_the_number_of_dice_is_remembered(cast: Cast, phone: Browser) -> None:
    match = begun(cast, 2)
    rolls = [{"kind": "move", "move": {"seat": 0, "type": "roll", "dice": [1, 2, 3, 4]}}]
    plays = [{"seat": 0, "tile": "6-6"}, {"seat": 1, "tile": "6-5", "end": "w"}, {"seat": 0, "tile": "6-4", "end": "e"}]
    enter(match, rolls + [{"kind": "move", "move": {"type": "play", **play}} for play in plays])
    assert '<button class="button main" name="roll" value="4" data-roll>' in phone.open(phone.path).markup


def test_the_phone_rolls_the_same_for_the_same_post(cast: Cast, phone: Browser) -> None:
    begun(cast)
    phone.open(phone.path).press("Let the phone roll")
    rolled = position(newest()).hand.state.dice
    assert len(rolled) == 2
    assert set(rolled) <= set(range(1, 7))
    phone.post(*phone.last_post)
    assert (phone.status, newest().length) == (200, 2)
    assert position(newest()).hand.state.dice == rolled


def test_rolls_of_the_phone_differ(cast: Cast, phone: Browser) -> None:
    begun(cast)
    seen = set()
    for _again in range(8):
        phone.open(phone.path).press("Let the phone roll")
        seen.add(position(newest()).hand.state.dice)
        phone.press("Undo")
    assert len(seen) > 1


@pytest.mark.parametrize("number", ["3", "", "x", "99999999999"])
def test_the_phone_rolls_two_dice_or_four(cast: Cast, phone: Browser, number: str) -> None:
    match = begun(cast)
    phone.post(reverse("match_entry", args=[match.pk]), {"seen": ["1"], "key": ["k"], "roll": [number]})
    assert phone.status == 422
    assert newest().length == 1


# --- claims --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(6))
def test_the_claims_offered_are_those_the_engine_takes(cast: Cast, seed: int) -> None:
    """In a random match, the pad offers exactly the engine's moves, for every tile at every end."""
    rng = random.Random(seed)
    record = games.random_match(GAME, {}, NAMES[: 2 + seed % 3], rng, hands=2, observed=bool(seed % 2))
    match = games.Match.new(GAME, record.get("options", {}), record["players"])
    for entry in games.entries(record):
        match = match.enter(entry)
        if match.hand is None or match.hand.state.turn is None or rng.random() < 0.7:
            continue
        legal = match.hand.state.legal()
        offers = match.offers()
        if offers["roll"]:
            assert star.pad(match, {}).stage == "roll"
            continue
        engine = {
            json.dumps(move_json(move), sort_keys=True)
            for move in legal
            if isinstance(move, Play) and not (move.claim and match.hand.line.lay(move.tile, move.end).total == 0)
        }
        assert plays_of_the_pad(match) == engine


def plays_of_the_pad(match: games.Match) -> set[str]:
    """Every play that can be reached by taps on the pad."""
    found, waiting = set(), [tile.tap for tile in star.pad(match, {}).tray if tile.lit]
    while waiting:
        tap = waiting.pop()
        if tap.name == "entry":
            found.add(json.dumps(json.loads(tap.value)["move"], sort_keys=True))
            continue
        board = star.pad(match, QueryDict(tap.value).dict())
        waiting += [end.tap for end in board.ends if end.tap]
        waiting += [card.tap for card in board.pack if card.tap]
        if claim := board.claim:
            ways = [claim.plain, claim.multiple, not claim.dropping and claim.virtual]
            waiting += [way for way in ways if way]
    return found


def test_a_claim_by_plain_forms(cast: Cast, phone: Browser) -> None:
    match = begun(cast)
    enter(match, [{"kind": "move", "move": {"seat": 0, "type": "roll", "dice": [3, 4]}}])
    phone.open(phone.path)
    send(phone, "ask", "tile=6-6")
    assert newest().length == 2, "nothing is laid before the claim is said"
    assert "Total 12" in phone.words
    phone.press("Q♥")
    assert newest().sheet["totals"] == [12, 0]
    assert "Q♥" in phone.words
    assert 'aria-label="6-2, total 8/14"' in phone.answer.content.decode()
    send(phone, "ask", "tile=6-1")
    assert "N at the 6 (upper end)" in phone.words
    send(phone, "ask", "tile=6-1&end=n")
    phone.press("A multiple of 7")
    assert "Bo laid 6-1 N" in phone.words
    assert newest().sheet["totals"] == [12, 7]
    send(phone, "ask", "tile=6-2")
    send(phone, "ask", "tile=6-2&end=w")
    phone.press("No claim")
    assert newest().sheet["totals"] == [12, 7]
    send(phone, "entry", json.dumps({"kind": "undo"}, separators=(",", ":")))
    assert newest().length == 6


def test_the_virtual_card_drops_any_card(cast: Cast, phone: Browser) -> None:
    match = begun(cast)
    enter(match, [{"kind": "move", "move": {"seat": 0, "type": "roll", "dice": [1, 2, 3, 6]}}])
    phone.open(phone.path)
    send(phone, "ask", "tile=6-6")
    send(phone, "ask", "tile=6-6&by=virtual")
    assert "Which card do you drop?" in phone.words
    assert len(entries_of(phone, "play")) >= 52
    phone.press("4♣")
    assert newest().sheet["totals"] == [12, 0]
    assert position(newest()).hand.state.dropped_names() == [["4C"], []]


def test_of_known_cards_only_those_are_offered(cast: Cast, phone: Browser) -> None:
    match = begun(cast, cards=[["QH", "2C", "3C", "4C", "5C"], None])
    enter(match, [{"kind": "move", "move": {"seat": 0, "type": "roll", "dice": [1, 2, 3, 6]}}])
    board = star.pad(position(match), {"tile": "6-6"})
    assert [card.name for card in board.pack if card.tap] == ["QH"]
    board = star.pad(position(match), {"tile": "6-6", "by": "virtual"})
    assert sorted(card.name for card in board.pack if card.tap) == ["2C", "3C", "4C", "5C", "QH"]


@pytest.mark.parametrize(
    "asked", ["tile=9-9", "tile=6-6&end=q", "number=3", "dice=999999", "number=4&dice=abc", "by=virtual", "tile=%00"]
)
def test_an_address_made_up_asks_nothing_wrong(cast: Cast, phone: Browser, asked: str) -> None:
    begun(cast)
    assert phone.open(f"{phone.path}?{asked}").status == 200
    enter(newest(), [{"kind": "move", "move": {"seat": 0, "type": "roll", "dice": [3, 4]}}])
    assert phone.open(f"{phone.path}?{asked}").status == 200


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ({"type": "play", "tile": "6-6"}, "Ana must roll first."),
        ({"type": "roll", "dice": [1, 2, 3]}, "Roll two dice or four"),
        ({"type": "roll", "dice": [1, 7]}, "Roll two dice or four"),
        ({"type": "roll", "dice": [1, 2], "seat": 1}, "It is not Bo's turn to roll."),
    ],
)
def test_a_wrong_roll_is_refused_in_words(cast: Cast, phone: Browser, move: dict[str, Any], said: str) -> None:
    match = begun(cast)
    entry = json.dumps({"kind": "move", "move": {"seat": 0} | move})
    phone.post(reverse("match_entry", args=[match.pk]), {"seen": ["1"], "key": ["k"], "entry": [entry]})
    assert (phone.status, newest().length) == (422, 1)
    assert said in phone.words


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ({"by": "card", "card": "KD"}, "The total is 12 and cannot be claimed that way."),
        ({"by": "multiple"}, "The total is 12 and cannot be claimed that way."),
        ({"by": "card", "card": "QS"}, "Ana does not hold Q♠."),
    ],
)
def test_a_wrong_claim_is_refused_in_words(cast: Cast, phone: Browser, claim: dict[str, Any], said: str) -> None:
    match = begun(cast, cards=[["QH", "KD", "3C", "4C", "5C"], None])
    enter(match, [{"kind": "move", "move": {"seat": 0, "type": "roll", "dice": [3, 4]}}])
    entry = json.dumps({"kind": "move", "move": {"seat": 0, "type": "play", "tile": "6-6", "claim": claim}})
    phone.post(reverse("match_entry", args=[match.pk]), {"seen": ["3"], "key": ["k"], "entry": [entry]})
    assert (phone.status, newest().length) == (422, 3)
    assert said in phone.words


# --- cards, final states, who may see what -------------------------------------------------------------------------
def fields(count: int) -> dict[str, str]:
    return {f"player_{seat}": name for seat, name in enumerate(NAMES[:count])}


def test_cards_are_entered_before_the_first_hand(cast: Cast, phone: Browser) -> None:
    phone.follow("Dominards").press("Start", **fields(2))
    assert "Enter the cards (optional)" in phone.words
    phone.press("Save these cards", cards_0="kd 10h 4♣, As 2c", cards_1="")
    assert position(newest()).record()["cards"] == [["AS", "TH", "KD", "4C", "2C"], None]
    assert "Change the cards" in phone.words
    phone.press("Ana")
    assert "Enter the cards" not in phone.words


@pytest.mark.parametrize("typed", ["KD", "KD KD 2C 3C 4C", "KD XX 2C 3C 4C", "KD 2C 3C 4C 5C 6C"])
def test_wrong_cards_are_refused_and_stay_typed(cast: Cast, phone: Browser, typed: str) -> None:
    phone.follow("Dominards").press("Start", **fields(2))
    phone.press("Save these cards", cards_0=typed, cards_1="")
    assert (phone.status, newest().length) == (422, 0)
    assert ("cards-0", typed) in next(form.fields for form in phone.forms if "cards-0" in form.names)


def test_watchers_see_dice_and_dropped_cards_but_no_other_cards(cast: Cast) -> None:
    held = ["QH", "JS", "9S", "8S", "7S"]
    match = begun(cast, 3, cards=[held, None, None])
    moves = [
        {"type": "roll", "dice": [3, 4]},
        {"type": "play", "tile": "6-6", "claim": {"by": "card", "card": "QH"}},
    ]
    enter(match, [{"kind": "move", "move": {"seat": 0, **move}} for move in moves])
    for path in (reverse("table_watch", args=[cast.table.pk]), reverse("match", args=[match.pk])):
        page = Browser().open(path)
        html = page.answer.content.decode()
        assert "Q♥" in html
        assert 'data-die="3"' in html
        assert "<b data-total>12</b>" in html
        for card in held[1:]:
            assert f'"{card}"' not in html
            assert words.card_words(cards.parse(card)) not in html


def test_a_replay_shows_the_dice_of_that_moment(cast: Cast) -> None:
    match = begun(cast)
    enter(match, [{"kind": "move", "move": {"seat": 0, "type": "roll", "dice": [3, 4]}}])
    page = Browser().open(reverse("match", args=[match.pk]) + "?hand=0&move=0")
    assert 'data-die="3"' not in page.answer.content.decode()
    assert "Ana rolls now" in page.words
    page.open(reverse("match", args=[match.pk]) + "?hand=0&move=1")
    assert 'data-die="3"' in page.answer.content.decode()


def test_a_hand_goes_from_moves_to_its_final_state(cast: Cast, phone: Browser) -> None:
    match = begun(cast, 3, hands=1)
    moves = [
        {"type": "roll", "dice": [3, 4]},
        {"type": "play", "tile": "6-6", "claim": {"by": "card", "card": "QH"}},
    ]
    enter(match, [{"kind": "move", "move": {"seat": 0, **move}} for move in moves])
    phone.open(phone.path)
    by_moves = next(dict(form.fields) for form in phone.forms if "points-0" in form.names)
    assert [by_moves[f"points-{seat}"] for seat in range(3)] == ["12", "0", "0"]
    assert [by_moves[f"dropped-{seat}"] for seat in range(3)] == ["QH", "", ""]
    told = {"points_0": "5", "points_1": "7", "points_2": "0", "dropped_0": "QH", "dropped_1": "", "dropped_2": ""}
    told |= {"out": "1", "tiles_0": "2", "tiles_1": "", "tiles_2": "3"}
    phone.press("Work out the score", **told)
    assert phone.status == 422
    assert "In the moves, Ana claimed 12 points and dropped Q♥." in phone.words
    phone.press("Work out the score", points_0="12")
    assert "1 for each tile" in phone.words
    phone.press("All agree: count it")
    assert newest().sheet["totals"] == [12, 12, 0]
    record = position(newest()).record()
    assert games.verify(record)["valid"]
