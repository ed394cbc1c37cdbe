"""The square on the pad: choose a cell and a card, see how the engine counts its lines, then enter it."""

import json
import random
import re

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

import games
from games import cards
from games.moves import CELLS
from scorekeeper.models import LogEntry, Match
from scorekeeper.pages.boards import board_counted, board_pad
from scorekeeper.pages.hands import hands_shown
from scorekeeper.selectors.matches import position
from scorekeeper.services import tables
from tests.browsing import Browser
from tests.conftest import Cast, enter, plan_for

SQUARE = next(slug for slug, game in games.GAMES.items() if game.board == "square")


@pytest.fixture
def match(cast: Cast) -> Match:
    return cast.open(SQUARE)


@pytest.fixture
def phone(cast: Cast, match: Match) -> Browser:
    token = tables.fresh_token(table=cast.table, now=timezone.now())
    return Browser().open(reverse("table_join", args=[token]))


def place(seat: int, card: str, at: str) -> dict[str, object]:
    return {"kind": "move", "move": {"seat": seat, "type": "place", "card": card, "at": at}}


def opened(match: Match, *written: str) -> Match:
    """The first game, dealt by the second seat, with these cards on the square, such as `KHr1c4`."""
    moves = [place(number % 2, each[:2], each[2:]) for number, each in enumerate(written)]
    return enter(match, [{"kind": "hand", "opener": 1}, *moves])


def words_of(answer: Browser) -> str:
    return re.sub(r"\s+", " ", answer.words)


def test_a_whole_match_by_links_and_buttons_alone(phone: Browser, match: Match) -> None:
    record = games.random_match(SQUARE, {}, ["Ana", "Bo"], random.Random(5))
    expected = games.Match.new(SQUARE, {}, ("Ana", "Bo"))
    for number, hand in enumerate(record["hands"]):
        phone.open(phone.path)
        dealer = "Ana" if hand["dealer"] == 0 else "Bo"
        if number == 0:
            assert "Who deals?" in phone.words
            phone.press(dealer)
        else:
            assert f"{dealer} deals the next hand" in phone.words
            phone.press("The cards are dealt")
        expected = expected.enter({"kind": "hand", "opener": hand["dealer"]})
        # A whole game takes too long by pages, so only its first and last cards are entered there.
        moves = hand["moves"]
        for at, move in enumerate(moves):
            entry = {"kind": "move", "move": move}
            expected = expected.enter(entry)
            if 2 <= at < len(moves) - 1:
                match.refresh_from_db()
                enter(match, [entry], prefix=f"g{number}-")
                continue
            phone.open(phone.path.partition("?")[0])
            before = Match.objects.get(pk=match.pk).length
            phone.open(f"{phone.path}?cell={move['at']}")
            assert "now the card" in phone.words
            phone.open(f"{phone.path}&card={move['card']}")
            assert Match.objects.get(pk=match.pk).length == before, "shown is not counted"
            totals = " : ".join(map(str, expected.totals))
            assert totals in words_of(phone)
            phone.press("Count it")
    assert position(Match.objects.get(pk=match.pk)).record() == expected.record()
    assert games.verify(expected.record())["valid"]


def test_a_card_may_be_tapped_before_its_cell(phone: Browser, match: Match) -> None:
    opened(match)
    phone.open(f"{phone.path}?card=KH")
    assert "now a corner" in phone.words
    hrefs = re.findall(r'href="([^"]+)" data-cell="r1c4"', phone.markup)
    phone.open(hrefs[0].replace("&amp;", "&"))
    phone.press("Count it")
    assert LogEntry.objects.filter(match=match).latest("seq").payload == place(0, "KH", "r1c4")


def test_the_first_card_lights_the_corners_alone(match: Match) -> None:
    def lit() -> list[str]:
        return [cell.name for cell in board_pad(position(match), {}).cells if cell.lit]

    opened(match)
    assert lit() == ["r1c1", "r1c4", "r4c1", "r4c4"]
    enter(match, [place(0, "KH", "r1c4")])
    assert lit() == [cell for cell in CELLS if cell != "r1c4"]


def test_placed_cards_are_gone_and_a_known_deal_limits_the_tray(match: Match) -> None:
    deal = [["AS", "AH", "AD", "9C", "KD", "QD", "JD", "TD"], None]
    enter(match, [{"kind": "hand", "opener": 1, "deal": deal}, place(0, "AS", "r1c1")])
    tray = [card for _suit, row in board_pad(position(match), {}).tray for card in row]
    assert len(tray) == cards.COUNT
    assert [card.name for card in tray if card.gone] == ["AS"]
    assert {card.name for card in tray if not card.lit} == set(deal[0])
    enter(match, [place(1, "2S", "r1c2")])
    tray = [card for _suit, row in board_pad(position(match), {}).tray for card in row]
    assert {card.name for card in tray if card.lit} == set(deal[0]) - {"AS"}


@pytest.mark.parametrize(
    ("cards_before", "last", "points", "told"),
    [
        ((), "ASr1c1", 0, ["aces 1: 1 → 0", "aces 11: 11 → 0"]),
        (("KHr1c1",), "QSr1c2", 4, ["10 + 10 = 20 → 20 ÷ 5 = 4"]),
        (("KHr1c1",), "KSr1c2", 6, ["10 + 10 = 20 → 20 ÷ 5 = 4", "pair 2"]),
        (
            ("ASr1c1", "AHr1c2", "KSr1c3"),
            "QSr1c4",
            22,
            [
                "aces 1: 1 + 1 + 10 + 10 = 22 → 0",
                "aces 11: 11 + 11 + 10 + 10 = 42 → 42 ÷ 3 = 14 + 42 ÷ 7 = 6",
                "pair 2",
            ],
        ),
        (
            ("ASr1c1", "AHr1c2", "ADr1c3"),
            "9Cr1c4",
            30,
            [
                "1 + 1 + 1 + 9 = 12 → 12 ÷ 3 = 4",
                "11 + 11 + 11 + 9 = 42 → 42 ÷ 3 = 14 + 42 ÷ 7 = 6",
                "three of a kind 6",
            ],
        ),
        (
            ("TSr1c1", "JSr1c2", "QSr1c3"),
            "KSr1c4",
            16,
            ["10 + 10 + 10 + 10 = 40 → 40 ÷ 5 = 8", "run 4 · flush 4"],
        ),
    ],
)
def test_the_known_lines_are_reckoned_as_the_rules_print_them(
    phone: Browser, match: Match, cards_before: tuple[str, ...], last: str, points: int, told: list[str]
) -> None:
    opened(match, *cards_before)
    phone.open(f"{phone.path}?cell={last[2:]}&card={last[:2]}")
    row = words_of(phone).partition("Row 1")[2].partition("Column")[0]
    for words in told:
        assert words in row
    after = position(match).enter(place(len(cards_before) % 2, last[:2], last[2:]))
    lines = board_counted(after.game, after.hands[0].state, after.present)[-1].lines
    assert (lines[0].name, lines[0].points) == ("Row 1", points)


def test_the_arithmetic_shown_is_the_engines_score_of_every_card(match: Match) -> None:
    enter(match, plan_for(SQUARE, seed=9))
    state = position(match)
    for hand in state.hands:
        plays = board_counted(state.game, hand.state, state.present)
        assert sum(len(play.lines) for play in plays) == len(hand.state.scores)
        scores = iter(hand.state.scores)
        for play in plays:
            for line in play.lines:
                shown = sum(count.points for count in line.counts) + sum(points for _name, points in line.bonuses)
                assert shown == line.points == next(scores).points
                for count in line.counts:
                    given = [int(each.rpartition(" ")[2]) for each in count.divided]
                    assert sum(given) == count.points
                    assert sum(map(int, (count.sum or str(count.pips)).split(" + "))) == count.pips
            assert play.points == sum(line.points for line in play.lines)


def test_a_first_card_off_the_corners_is_explained_and_its_cell_marked(phone: Browser, match: Match) -> None:
    opened(match)
    phone.open(f"{phone.path}?cell=r2c2&card=KH")
    assert "now a corner" in phone.words
    assert "The first card must go to a corner." in phone.words
    assert not phone.has_button("Count it")
    assert re.search(r'class="cell[^"]* blamed[^"]*"[^>]*data-cell="r2c2"', phone.answer.content.decode())


def test_a_taken_cell_says_so_before_a_card_is_chosen(phone: Browser, match: Match) -> None:
    opened(match, "KHr1c4")
    phone.open(f"{phone.path}?cell=r1c4")
    assert "K♥ is already in row 1, column 4. Bo: tap a cell and a card" in words_of(phone)
    html = phone.answer.content.decode()
    assert re.findall(r'class="cell[^"]* blamed[^"]*"[^>]*data-cell="(\w+)"', html) == ["r1c4"]
    assert re.findall(r'data-cell="(\w+)"[^>]* data-refused="K♥ is already in row 1, column 4."', html) == ["r1c4"]
    assert "cell=r1c4&amp;card" not in html


@pytest.mark.parametrize(
    ("move", "words", "at"),
    [
        (place(1, "QS", "r1c4"), "K♥ is already in row 1, column 4.", "r1c4"),
        (place(1, "KH", "r1c1"), "K♥ is already on the square.", "KH"),
        (place(1, "AS", "r1c1"), "Bo does not hold A♠.", "AS"),
    ],
)
def test_a_refusal_names_the_card_or_cell_that_caused_it(
    phone: Browser, match: Match, move: dict[str, object], words: str, at: str
) -> None:
    deal = [["AS", "AH", "AD", "KH", "KD", "QD", "JD", "TD"], None]
    enter(match, [{"kind": "hand", "opener": 1, "deal": deal}, place(0, "KH", "r1c4")])
    body = {"seen": "2", "key": "k", "preview": "1", "form": "move", "entry": json.dumps(move)}
    answer = phone.client.post(reverse("match_entry", args=[match.pk]), body, headers={"X-Part": "sheet"})
    assert answer.status_code == 422
    text = answer.content.decode()
    assert escape(words) in text
    assert at in re.search(r'data-at="([^"]*)"', text)[1].split()
    assert Match.objects.get(pk=match.pk).length == 2


def test_a_script_is_told_what_it_would_count_and_nothing_is_entered(phone: Browser, match: Match) -> None:
    opened(match, "KHr1c1")
    body = {"seen": "2", "key": "k", "preview": "1", "form": "move", "entry": json.dumps(place(1, "QS", "r1c2"))}
    answer = phone.client.post(reverse("match_entry", args=[match.pk]), body, headers={"X-Part": "sheet"})
    text = answer.content.decode()
    assert answer.status_code == 200
    assert 'id="preview-move"' in text
    assert "20 ÷ 5 = 4" in text
    assert escape(json.dumps(place(1, "QS", "r1c2")).replace(" ", "")) in text
    assert Match.objects.get(pk=match.pk).length == 2


def test_the_score_sheet_goes_card_by_card(phone: Browser, match: Match) -> None:
    enter(match, plan_for(SQUARE, seed=2))
    page = phone.open(reverse("match", args=[match.pk]))
    html = page.markup
    for hand in hands_shown(position(match), position(match).sheet()):
        assert len(hand.plays()) == 16
    assert html.count('class="plays"') == 2
    assert html.count("<li><details><summary>") == 32


def test_the_replay_lights_the_lines_of_the_last_card(phone: Browser, match: Match) -> None:
    opened(match, "KHr1c1", "QSr1c2", "2Cr3c3")
    html = phone.open(f"{reverse('match', args=[match.pk])}?hand=0&move=2").markup
    cells = dict(re.findall(r'class="cell([^"]*)" data-cell="(r\dc\d)"', html)[i][::-1] for i in range(16))
    assert "last" in cells["r1c2"]
    assert {cell for cell, kind in cells.items() if "scored" in kind} == {
        *(f"r1c{n}" for n in (1, 2, 3, 4)),
        *(f"r{n}c2" for n in (1, 2, 3, 4)),
    }
    assert 'class="margin row1">+4<' in html
    assert 'class="margin column2">+2<' in html
    assert {cell for cell, kind in cells.items() if "taken" in kind} == {"r1c1", "r1c2"}


def test_a_game_goes_on_by_its_final_state(phone: Browser, match: Match) -> None:
    opened(match, "KHr1c1", "QSr1c2")
    phone.open(f"{phone.path}?final=1")
    phone.press("Work out the score", points_0="143", points_1="150").press("All agree")
    state = position(Match.objects.get(pk=match.pk))
    assert state.hands[0].points == (143, 150)
    assert "points of the whole game" in phone.open(reverse("match", args=[match.pk])).words


def test_each_game_stands_beside_the_sum_of_both(phone: Browser, match: Match) -> None:
    points = [[143, 150], [60, 61]]
    enter(match, [{"kind": "hand", "opener": n, "final": {"points": each}} for n, each in enumerate(points)])
    words = words_of(phone.open(reverse("match", args=[match.pk])))
    assert "203 Ana game 1: 143 + game 2: 60" in words
    assert "211 Bo game 1: 150 + game 2: 61" in words
