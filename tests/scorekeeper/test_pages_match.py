"""The page of a match: replay, sheet with its sums, and the link for people who may correct it."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import games
from scorekeeper import words
from scorekeeper.models import Match
from scorekeeper.selectors.matches import position
from tests.browsing import Browser
from tests.conftest import Cast, enter, plan_for, snapshot


@pytest.fixture
def match(cast: Cast, game: str) -> Match:
    return enter(cast.open(game, hands=2), plan_for(game, hands=2))


def page_of(match: Match, query: str = "", client: Client | None = None) -> Browser:
    return Browser(client).open(reverse("match", args=[match.pk]) + query)


def test_every_move_has_its_page(cast: Cast, game: str) -> None:
    client, match = Client(), enter(cast.open(game, hands=1), plan_for(game, hands=1))
    for number, hand in enumerate(match_record(match)["hands"]):
        for at in range(len(hand["moves"]) + 1):
            page = page_of(match, f"?hand={number}&move={at}", client)
            assert page.status == 200
            html = page.answer.content.decode()
            if has_line(match):
                laid = sum(move["type"] == "play" for move in hand["moves"][:at])
                drawn = html.split('<svg class="line"')[1].split("</svg>")[0]
                assert drawn.count("data-tile=") == laid
            else:
                assert '<svg class="line"' not in html
            assert html.count("<li aria-current") == bool(at)


def has_line(match: Match) -> bool:
    """Whether tiles are laid to a line in this game."""
    return position(match).hands[0].line is not None


def totals_of(match: Match) -> list[int]:
    """By side."""
    sides = games.GAMES[match.game].sides(match.seats.count())
    return [match.sheet["totals"][side[0]] for side in sides]


def match_record(match: Match) -> dict[str, Any]:
    return json.loads(Client().get(reverse("match_record", args=[match.pk])).content)


@pytest.mark.parametrize(
    ("game", "final", "said"),
    [
        (
            "all-fives",
            {"table": [35, 20], "left": [[], ["5-2", "1-1"]], "out": 0},
            "Left at the end Ana nothing left 9 Bo What was scored 35 Ana on the table 20 Bo on the table 9 Ana went",
        ),
        (
            "block",
            {"table": [0, 0], "left": [14, 9], "out": None},
            "Left at the end 14 Ana pips left 9 Bo pips left What was scored 5 Bo blocked",
        ),
        ("domino-whist", {"bad": [31, 12], "out": 0}, "Left at the end 31 Ana + Cleo pips left 12 Bo + Dan pips left"),
        (
            "dominards",
            {"points": [30, 12], "dropped": [["KD"], []], "tiles": [0, 3], "out": 0},
            "Left at the end Ana nothing left 3 Bo tiles left What was scored",
        ),
        ("dom", {"points": [143, 150]}, "What was scored 143 Ana"),
    ],
)
def test_a_hand_known_by_its_end_shows_what_was_left_and_scored(
    cast: Cast, game: str, final: dict[str, Any], said: str
) -> None:
    opener = games.GAMES[game].opener_word
    page = page_of(enter(cast.open(game), [{"kind": "hand", opener: 0, "final": final}]))
    assert said in page.words, page.words
    assert '<svg class="line"' not in page.markup, "no empty table"


def test_an_address_that_says_nonsense_shows_the_newest(match: Match) -> None:
    for query in ("?hand=99&move=99", "?hand=x&move=-1", "?hand=²"):
        assert page_of(match, query).status == 200


def test_the_sums_of_every_hand_are_there(match: Match) -> None:
    words = page_of(match).words
    for hand in match.sheet["hands"]:
        for score in hand["scores"]:
            assert str(score["points"]) in words


def test_it_is_downloaded_as_a_record_that_verifies(match: Match) -> None:
    answer = Client().get(reverse("match_record", args=[match.pk]))
    assert answer["Content-Disposition"].startswith("attachment")
    verdict = games.verify(json.loads(answer.content))
    assert verdict["valid"]
    assert verdict["totals"] == match.sheet["totals"]


def test_people_who_only_watch_cannot_undo(match: Match) -> None:
    assert not page_of(match, "?hand=0&move=3").has_button("Take it")


def test_a_host_goes_back_to_any_entry(match: Match, as_user: Callable[[str], Client]) -> None:
    page = page_of(match, "?hand=0&move=3", as_user("scorer"))
    before, old, hands = snapshot(match), totals_of(match), len(match.sheet["hands"])
    page.press("Undo it and everything after it")
    said = page.words
    assert snapshot(match) == before
    page.press("Undo it all")
    assert page.path == reverse("match", args=[match.pk])
    match.refresh_from_db()
    assert (len(match.sheet["hands"]), match.status) == (1, Match.Status.PLAYING)
    old_said, new_said = (" : ".join(map(words.number, totals)) for totals in (old, totals_of(match)))
    assert f"{old_said} becomes {new_said}, {hands} counted hand{'s are' if hands > 1 else ' is'} undone" in said
    assert len(match_record(match)["hands"][0]["moves"]) == 2


def test_a_whole_hand_is_taken_back(match: Match, as_user: Callable[[str], Client]) -> None:
    last = len(match.sheet["hands"]) - 1
    page = page_of(match, f"?hand={last}&move=0", as_user("scorer"))
    page.press("Undo it and everything after it").press("Undo it all")
    match.refresh_from_db()
    assert (len(match.sheet["hands"]), match.offers["next"]) == (last, "hand")


def test_a_correction_says_what_follows_the_entry(match: Match, as_user: Callable[[str], Client]) -> None:
    hands = match_record(match)["hands"]
    page = page_of(match, f"?hand=0&move={len(hands[0]['moves'])}", as_user("scorer"))
    assert not re.search("moves? follows? it", page.words)
    assert ("One later hand follows." in page.words) == (len(hands) == 2)


def test_a_correction_can_be_left(match: Match, as_user: Callable[[str], Client]) -> None:
    page = page_of(match, "?hand=0&move=1", as_user("scorer")).press("Undo it and everything after it")
    before = snapshot(match)
    page.follow("Leave it as it is")
    assert page.path == reverse("match", args=[match.pk])
    assert snapshot(match) == before


def test_the_last_few_moves_go_at_one_tap(cast: Cast, game: str, as_user: Callable[[str], Client]) -> None:
    match = enter(cast.open(game), plan_for(game)[:8])
    page = page_of(match, "?hand=0&move=4", as_user("scorer")).press("Undo it and everything after it")
    assert page.path == reverse("match", args=[match.pk])
    assert len(match_record(match)["hands"][0]["moves"]) == 3
    match.refresh_from_db()
    enter(match, [{"kind": "undo"}])
    assert len(match_record(match)["hands"][0]["moves"]) == 7


def test_a_match_that_the_table_has_left_can_be_ended(cast: Cast, game: str, as_user: Callable[[str], Client]) -> None:
    match = cast.open(game)
    cast.open(game)
    assert not page_of(match).has_button("Abandon the match")
    page = page_of(match, client=as_user("scorer")).press("Abandon the match")
    match.refresh_from_db()
    assert (page.path, match.status) == (reverse("match", args=[match.pk]), Match.Status.STOPPED)
    assert not page.has_button("Abandon the match")


def test_a_match_without_a_hand_says_so(cast: Cast, game: str) -> None:
    assert "No hand has been played yet." in page_of(cast.open(game)).words


def header_of(page: Browser) -> str:
    return re.sub(r"<[^>]+>", " ", page.markup.partition('<header class="score">')[2].partition("</header>")[0])


def test_an_abandoned_match_says_so_instead_of_who_won(cast: Cast, game: str, as_user: Callable[[str], Client]) -> None:
    match = enter(cast.open(game, hands=2), [*plan_for(game, hands=2)[:3], {"kind": "stop", "stopped": "abandoned"}])
    page = page_of(match, client=as_user("scorer"))
    assert "abandoned" in header_of(page)
    assert page.words.count("abandoned") == 2, "the other one is on the score sheet"
    assert "in play" not in page.words
    assert "abandoned" not in header_of(page_of(match, "?hand=0&move=0"))


def test_a_match_abandoned_before_its_first_hand_has_no_score_to_agree_on(
    cast: Cast, game: str, as_user: Callable[[str], Client]
) -> None:
    match = enter(cast.open(game), [{"kind": "stop", "stopped": "abandoned"}])
    page = page_of(match, client=as_user("scorer"))
    assert "Is the score correct?" not in page.words
    assert "No hand has been played yet." in page.words
    assert "abandoned" in header_of(page)
    assert all(seat.name in header_of(page) for seat in match.seats.all())
