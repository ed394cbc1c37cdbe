"""What entrants can still reach, on the page with the standings and on the big screen."""

import re
from typing import Any

import pytest

from scorekeeper.models import Event
from scorekeeper.pages.tournament_screen import screen_shown
from scorekeeper.selectors import tournaments as reading
from scorekeeper.selectors.events import event_now
from scorekeeper.services import schedules
from tests.browsing import Browser
from tests.conftest import Cast
from tests.nights import at
from tests.scorekeeper.test_tournament_corrections import typed
from tests.scorekeeper.test_tournament_standings import path, won_by_forfeit
from tests.tournaments import released, scheduled, setup_of

AFTER_TWO_ROUNDS = [
    ("1", "By points, only place 1 is possible.", ""),
    ("1–3", "By points, the best possible place is 1 and the worst 3.", "needs a win"),
    ("1–3", "By points, the best possible place is 1 and the worst 3.", "needs a win"),
    ("2–4", "By points, the best possible place is 2 and the worst 4.", "out of the prize places"),
]
"""1 has 2 points, 2 and 3 have 1, 4 has none. 1 meets 3, and 2 meets 4. One prize: 1 can be caught, but not passed."""


def cup(cast: Cast, *, public: bool = True, **setup: Any) -> Event:
    """A round robin of four."""
    event = scheduled(cast, setup_of("block", "heads", **{"order": ["points", "start"], "prizes": 1, **setup}), 4)
    if public:
        schedules.publish(event_id=event.pk, step=at(event, "publish"))
    return event


def two_rounds(event: Event) -> Event:
    won_by_forfeit(event, 1, 2)  # against 4 and 3
    won_by_forfeit(event, 3, 1)  # against 4 and 2
    return event


def reached(page: Browser) -> list[tuple[str, str, str]]:
    """By row: the places, the same as a sentence, and the words about a prize."""
    found = []
    for row in page.markup.split("<tbody>")[1].split("</tbody>")[0].split("</tr>")[:-1]:
        cell = re.search(r'title="([^"]*)">(.*?)</td>', row, re.DOTALL)
        chance = re.search(r'<small class="no-print">(.*?)</small>', row)
        if cell:
            heard = re.search(r'class="hear">(.*?)<', cell[2])
            assert heard
            assert heard[1] == cell[1], "a title is not read to everybody"
            seen = re.sub(r'<span class="hear">.*?</span>|<[^>]*>', " ", cell[2], flags=re.DOTALL)
            found.append((" ".join(seen.split()), cell[1], chance[1] if chance else ""))
    return found


def test_nothing_is_said_while_everybody_can_reach_every_place(cast: Cast) -> None:
    event = cup(cast)
    assert "Can reach" not in Browser().open(path(event)).words
    won_by_forfeit(event, 1, 2)
    assert "Can reach" not in Browser().open(path(event)).words


def test_the_released_rounds_to_come_count_as_open(cast: Cast) -> None:
    event = two_rounds(cup(cast))
    page = Browser().open(path(event))
    assert reached(page) == AFTER_TWO_ROUNDS
    assert "Needs a win: without a win at their next table they are out of the prize places." in page.words
    assert "At most" not in page.words
    assert not reached(Browser().open(path(event, "standings/?after=1"))), "the past has nothing open"
    released(event)
    assert reached(Browser().open(path(event))) == AFTER_TWO_ROUNDS, "the same tables"


def test_a_secret_round_gives_bounds(cast: Cast) -> None:
    page = Browser().open(path(two_rounds(cup(cast, public=False))))
    bound = "By points, no place better than {} or worse than {} is possible."
    assert reached(page) == [
        ("1", "By points, only place 1 is possible.", ""),
        ("1–3 at most", bound.format(1, 3), ""),
        ("1–3 at most", bound.format(1, 3), ""),
        ("2–4 at most", bound.format(2, 4), "out of the prize places"),
    ]
    assert "At most: the range may be narrower." in page.words


def test_it_ends_with_the_last_table(cast: Cast) -> None:
    """1 wins against 3: then 1 is first, and if 4 wins against 2, all others have 1 point."""
    event = two_rounds(cup(cast, prizes=2))
    first = event.club.players.order_by("pk")[0].pk
    tables = {
        match.table.number: [seat.player_id for seat in match.seats.all()] for match in released(event) if match.table
    }
    number = next(number for number, seats in tables.items() if first in seats)
    typed(event, 3, number, [60, 10] if tables[number][0] == first else [10, 60])
    chances = [chance for *_places, chance in reached(Browser().open(path(event)))]
    assert chances == ["sure of a prize", "", "", "needs a win"]
    typed(event, 3, 3 - number, [60, 10])
    assert "Can reach" not in Browser().open(path(event)).words


@pytest.mark.parametrize("setup", [{"order": ["wins", "points"]}, {"order": ["difference"]}])
def test_nothing_is_said_where_points_do_not_count_first(cast: Cast, setup: dict[str, Any]) -> None:
    assert "Can reach" not in Browser().open(path(two_rounds(cup(cast, **setup)))).words


def test_a_field_too_large_for_a_page_has_no_ranges(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_WITH_PROSPECTS", 3)
    assert "Can reach" not in Browser().open(path(two_rounds(cup(cast)))).words


def test_the_big_screen_says_who_needs_a_win_but_not_who_is_out(cast: Cast) -> None:
    event = two_rounds(cup(cast))
    shown = (
        screen_shown(event_now(Event.objects.select_related("club").get(pk=event.pk)), looks_on=False)
        .standings[0]
        .standings
    )
    assert [column.head for column in shown.columns] == ["Points", "Can reach"]
    assert [line.figures[-1][0] for line in shown.lines] == [places for places, *_rest in AFTER_TWO_ROUNDS]
    assert [line.note for line in shown.lines] == ["", "needs a win", "needs a win", ""]
    assert Browser().open(path(event, "screen/")).words.count("needs a win") == 2


def test_the_big_screen_marks_bounds_in_its_head(cast: Cast) -> None:
    event = two_rounds(cup(cast, public=False))
    shown = (
        screen_shown(event_now(Event.objects.select_related("club").get(pk=event.pk)), looks_on=False)
        .standings[0]
        .standings
    )
    assert shown.columns[-1].head == "Can reach at most"
