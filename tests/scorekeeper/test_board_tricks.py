"""The pad and the sheet of a game with tricks show exactly what the engine offers, with and without scripts."""

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

import games
from games.moves import Contract, Discard, Follow, Move, move_json
from scorekeeper.models import Match
from scorekeeper.pages import table as parts
from scorekeeper.selectors.matches import position
from scorekeeper.services import tables
from tests.browsing import Browser
from tests.conftest import Cast, enter, names_for, plan_for

GAME = next(slug for slug, game in games.GAMES.items() if game.board == "tricks")
NAMES = names_for(GAME)
DEALS = 12


def deal(dealer: int, *moves: tuple[int, str]) -> list[dict[str, Any]]:
    """A deal with these moves, such as (0, "zero"), (1, "-2"), (0, "6-5=5"), (1, "4-4")."""
    return [{"kind": "hand", "opener": dealer}, *({"kind": "move", "move": _move(*move)} for move in moves)]


def _move(seat: int, text: str) -> dict[str, Any]:
    if text[0].isalpha():
        contract, _space, trump = text.partition(" ")
        return {"seat": seat, "type": "contract", "contract": contract} | ({"trump": int(trump)} if trump else {})
    if text[0] == "-":
        return {"seat": seat, "type": "discard", "count": int(text[1:])}
    tile, _sign, suit = text.partition("=")
    return {"seat": seat, "type": "play", "tile": tile} | ({"suit": int(suit)} if suit else {})


def finals(count: int) -> list[dict[str, Any]]:
    """Deals entered by their tricks alone, in which everybody calls the contracts in the same order."""
    calls: list[dict[str, Any]] = [
        {"contract": "evens", "trump": 4},
        {"contract": "odds", "trump": 1},
        {"contract": "zero"},
        {"contract": "domizerka"},
    ]
    tricks = ([5, 1, 1], [0, 7, 0], [2, 2, 3])
    return [
        {"kind": "hand", "opener": n % 3, "final": calls[n // 3] | {"tricks": tricks[n % len(tricks)]}}
        for n in range(count)
    ]


@pytest.fixture
def match(cast: Cast) -> Match:
    return cast.open(GAME)


@pytest.fixture
def phone(cast: Cast) -> Browser:
    """A phone that scanned the table's code."""
    return Browser().open(reverse("table_join", args=[tables.fresh_token(table=cast.table, now=timezone.now())]))


# --- what the pad offers -----------------------------------------------------------------------------------
class _Offered(HTMLParser):
    """The entries that can be tapped for a move, and the suits that a tile offers."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[dict[str, Any]] = []
        self.suits: dict[str, list[int]] = {}
        self._hidden: list[str] = []
        self._open: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        got = dict(attrs)
        if tag == "form":
            self._inside = "data-board" in got
        if tag in ("div", "form", "p", "button"):
            self._open.append(tag)
            if "hidden" in got:
                self._hidden.append(f"{len(self._open)}")
        if tag != "button" or not self._inside or self._hidden or "disabled" in got or not got.get("value"):
            return
        entry = json.loads(got["value"] or "")
        lit = "data-suits" not in got or "lit" in (got.get("class") or "").split()
        if lit and entry["kind"] == "move":
            self.entries.append(entry["move"])
            if got.get("data-suits"):
                self.suits[entry["move"]["tile"]] = [int(suit) for suit in (got["data-suits"] or "").split()]

    def handle_endtag(self, tag: str) -> None:
        if tag in ("div", "form", "p", "button"):
            if self._hidden and self._hidden[-1] == f"{len(self._open)}":
                self._hidden.pop()
            self._open.pop()


def offered(match: Match) -> set[str]:
    """Every move that can be tapped on the pad, one for each suit if the pad asks for one."""
    with override("en"):
        html = parts.pad("table", match.table_id)
    read = _Offered()
    read.feed(html)
    moves = [
        move | ({"suit": suit} if suit is not None else {})
        for move in read.entries
        for suit in read.suits.get(move.get("tile", ""), [None])  # type: ignore[list-item]
    ]
    assert len({json.dumps(move) for move in moves}) == len(moves), "nothing stands there twice"
    return {json.dumps(move, sort_keys=True) for move in moves}


def may_come(state: Any) -> set[str]:
    """The moves of the engine. With an empty boneyard, the pad does not ask for exchanges."""
    moves: list[Move] = [m for m in state.legal() if not isinstance(m, Discard) or state.offers()["exchange"]["most"]]
    return {json.dumps(move_json(move), sort_keys=True) for move in moves}


@pytest.mark.parametrize("seed", [2, 5])
def test_the_pad_offers_just_what_may_come(match: Match, seed: int) -> None:
    """Checks every step of a random deal, which follows a deal that used up a contract."""
    plan = plan_for(GAME, seed, hands=4)
    begins = [at for at, entry in enumerate(plan) if entry["kind"] == "hand"]
    enter(match, plan[: begins[3] + 1])
    for entry in plan[begins[3] + 1 :]:
        hand = position(match).hand
        assert hand is not None
        assert offered(match) == may_come(hand.state)
        enter(match, [entry])
    assert match.offers["next"] == "hand"


def test_what_is_called_before_is_closed_and_says_when(match: Match, phone: Browser) -> None:
    enter(match, [*finals(3), {"kind": "hand", "opener": 0}])
    phone.open(phone.path)
    assert phone.button("evens, trumps 4")[1].disabled
    assert "called in hand 1" in phone.words
    phone.press("odds, trumps 3")
    assert newest().offers["contract"] == "odds"


def newest() -> Match:
    return Match.objects.latest("pk")


def test_a_deal_without_scripts_and_its_suit_is_asked_of_who_leads_alone(match: Match, phone: Browser) -> None:
    phone.open(phone.path).press("Cleo")  # deals
    phone.press("call zero").press("Bo exchanges 3")
    assert "Ana caller · exchanged 0" in phone.words
    phone.press("6-5")
    assert "Which suit is led?" in phone.words
    assert newest().offers["table"] == []
    phone.press("5")
    assert newest().offers["table"] == [{"seat": 0, "tile": "6-5"}]
    assert newest().offers["led"] == 5
    for tile in ("5-4", "5-5"):  # two suits, but the trick was led with a five
        phone.press(tile)
    offers = newest().offers
    assert offers["taken"]["winner"] == 2
    assert "Cleo won and leads" in phone.words
    assert offers["tricks"] == [0, 0, 1]
    phone.press("6-0")  # a zero and nothing else
    assert newest().offers["led"] == 0


def test_the_trick_that_was_taken_lies_there_until_the_next_is_led(match: Match) -> None:
    def lies() -> list[str]:
        with override("en"):
            html = parts.watch("table", match.table_id)
        return re.findall(r'class="hear">(\d-\d)<', html.partition("trick-seats")[2].partition("</ol>")[0])

    enter(match, deal(2, (0, "zero"), (0, "6-5=5"), (1, "5-4"), (2, "5-5")))
    assert lies() == ["6-5", "5-4", "5-5"]
    enter(match, deal(2, (2, "6-6"))[1:])
    assert lies() == ["6-6"]


def test_a_revoke_names_both_plays_and_offers_ways_on(match: Match, phone: Browser) -> None:
    enter(match, deal(2, (0, "zero"), (1, "-5"), (0, "6-5=5"), (1, "4-4"), (2, "4-3"), (0, "6-6")))
    phone.open(phone.path).press("5-1")
    assert phone.status == 422
    assert "Bo did not follow suit with 4-4 in trick 1, and played 5-1 later." in phone.words
    assert "You entered: Bo played 5-1" in phone.words
    assert "It contradicts: Bo played 4-4 (hand 1, move 4)" in phone.words
    assert phone.has_button("Undo “Bo played 4-4” and everything after it")
    phone.press("It happened: note it and continue")
    assert newest().sheet["irregularities"] == [{"hand": 0, "move": 3, "code": "revoke"}]
    assert newest().offers["table"][-1] == {"seat": 1, "tile": "5-1"}


# --- by the final state ------------------------------------------------------------------------------------
def test_a_deal_by_its_tricks_closes_what_was_called(match: Match, phone: Browser) -> None:
    enter(match, finals(3))
    phone.open(phone.path)
    assert "What did Bo call?" in phone.words
    assert 'value="evens-2" required disabled' in page(phone)
    assert 'value="odds-1" required>' in page(phone)
    told = {"tricks_0": "3", "tricks_1": "3", "tricks_2": "1"}
    phone.press("Work out the score", contract="odds-5", **told).press("All agree")
    assert newest().sheet["hands"][3]["called"] == {"seat": 1, "contract": "odds", "trump": 5}
    assert newest().sheet["hands"][3]["points"] == [2, -1, -1]


def page(phone: Browser) -> str:
    return phone.markup


def test_a_deal_goes_from_moves_to_tricks(match: Match, phone: Browser) -> None:
    """The form keeps the contract that was called, and allows no fewer tricks than were seen."""
    enter(match, deal(2, (0, "odds 3"), (0, "6-5=5"), (1, "5-4"), (2, "5-5")))
    phone.open(phone.path)
    assert 'value="odds-3" required checked' in page(phone)
    assert 'value="odds-1" required disabled' in page(phone)
    assert 'name="tricks-2" value="0" required disabled' in page(phone)
    phone.press("Work out the score", tricks_0="4", tricks_1="2", tricks_2="2")
    assert "There are seven tricks in a hand, not 8." in phone.words
    phone.press("Work out the score", tricks_0="4", tricks_1="2", tricks_2="1").press("All agree")
    assert newest().sheet["hands"][0]["points"] == [0, 0, 0]


# --- the sheet ---------------------------------------------------------------------------------------------
def test_the_sheet_of_a_match_has_its_sums_and_what_is_still_to_call(match: Match, cast: Cast) -> None:
    enter(match, [*finals(5), *deal(2, (0, "odds 3"))])
    for path in (reverse("match", args=[match.pk]), reverse("table_watch", args=[cast.table.pk])):
        rows = ledger(Browser().open(path))
        assert [row[0] for row in rows[:DEALS]] == [str(number) for number in range(1, DEALS + 1)]
        assert rows[0][1:] == ["evens 4 Bo Ana dealt", "4 +4 5/1", "−3 −3 1/4", "−1 −1 1/2", "0"]
        assert rows[5][1:] == ["odds 3 Ana in play", "2 0/4", "6 0/2", "−8 0/1", "0"]
        for row in rows[:6]:
            assert sum(int(cell.split()[0].replace("−", "-")) for cell in row[2:5]) == int(row[5]) == 0
        assert rows[DEALS + 1][1:5] == ["Evens", "hand 3", "hand 1", "hand 2"]
        assert rows[DEALS + 2][1:5] == ["Odds", "still to call", "hand 4", "hand 5"]


def test_a_match_made_shorter_has_as_many_rows(cast: Cast) -> None:
    match = enter(cast.open(GAME, hands=2), finals(2))
    rows = ledger(Browser().open(reverse("match", args=[match.pk])))
    assert [row[0] for row in rows if row[0].isdigit()] == ["1", "2"]


def ledger(browser: Browser) -> list[list[str]]:
    """The cells of the sheet's rows, without its heading."""
    table = page(browser).partition('class="ledger"')[2].partition("</table>")[0].partition("</thead>")[2]
    rows = table.split("<tr")[1:]
    cells = [re.findall(r"<(?:td|th)\b[^>]*>(.*?)</(?:td|th)>", row, re.DOTALL) for row in rows]
    return [[" ".join(re.sub(r"<[^>]*>", " ", cell).split()) for cell in row] for row in cells]


# --- what nobody else may know -----------------------------------------------------------------------------
def test_what_was_exchanged_in_an_open_deal_stays_at_the_table(match: Match, cast: Cast) -> None:
    exchange = {"seat": 0, "type": "discard", "count": 1, "tiles": ["3-1"], "drawn": ["2-1"]}
    enter(match, [*deal(2, (0, "zero")), {"kind": "move", "move": exchange}, *deal(2, (0, "6-5=5"))[1:]])
    for path in (
        reverse("table_watch", args=[cast.table.pk]),
        *(f"{reverse('match', args=[match.pk])}?hand=0&move={move}" for move in (1, 2, 3)),
    ):
        told = page(Browser().open(path))
        assert "3-1" not in told
        assert "2-1" not in told
    assert "Ana exchanged a tile" in Browser().open(f"{reverse('match', args=[match.pk])}?hand=0&move=2").words
    assert "6-5" in told


def test_every_moment_of_a_replay_draws_the_trick_as_it_lay(match: Match) -> None:
    plan = plan_for(GAME, 3, hands=1)
    enter(match, plan)
    moves = position(match).hands[0].state.moves
    state = position(match).game.begin(position(match).hands[0].state.opening)
    for at, move in enumerate(moves, 1):
        state = state.play(move)
        words = Browser().open(f"{reverse('match', args=[match.pk])}?hand=0&move={at}").words
        if isinstance(move, Contract):
            assert "caller" in words
        if isinstance(move, Follow):
            offers = state.offers()
            for seat, (won, quota) in enumerate(zip(offers["tricks"], offers["quotas"], strict=True)):
                assert f"{NAMES[seat]} {won} of {quota}" in words
