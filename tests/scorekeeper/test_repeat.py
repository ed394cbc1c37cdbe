"""The next match at a table: the same again with one tap, or with the options of last time."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from games import GAMES
from scorekeeper.access import Actor
from scorekeeper.models import Match
from scorekeeper.services import events, matches, tables
from tests.browsing import Browser
from tests.conftest import NOW, Cast, enter, names_for
from tests.nights import at, night_of

GAME, OTHER = "all-fives", "fives-and-threes"
STOP = {"kind": "stop", "stopped": "time"}


@pytest.fixture
def phone(cast: Cast) -> Browser:
    """A phone that has scanned the table's code."""
    token = tables.fresh_token(table=cast.table, now=timezone.now())
    return Browser().open(reverse("table_join", args=[token]))


def over(cast: Cast, *, table: int = 1, minutes: int | None = None, **options: object) -> Match:
    """A finished match at a table."""
    match = matches.open_match(
        table=(cast.table, cast.other_table)[table - 1],
        game=GAME,
        options=options,
        players=names_for(GAME),
        minutes=minutes,
        by=Actor(),
        now=NOW,
        parallel=True,
    )
    return enter(match, [STOP])


def test_one_tap_plays_the_same_once_more(cast: Cast, phone: Browser) -> None:
    first = over(cast, minutes=25, points_to_win=77, spinner=False)
    phone.open(reverse("table", args=[cast.table.pk])).press("Same table again")
    again = Match.objects.exclude(pk=first.pk).get()
    assert (again.game, again.options, again.minutes) == (first.game, first.options, 25)
    assert [seat.name for seat in again.seats.all()] == names_for(GAME)
    assert again.status == "playing"


def test_two_taps_are_one_match(cast: Cast, phone: Browser) -> None:
    over(cast)
    phone.open(reverse("table", args=[cast.table.pk])).press("Same table again")
    phone.post(*phone.last_post)
    assert Match.objects.count() == 2
    assert "is in play" not in phone.words


def test_a_substitute_plays_on(cast: Cast, phone: Browser) -> None:
    match = over(cast)
    enter(match, [{"kind": "undo"}, {"kind": "substitute", "seat": 1, "player": "Eva", "from": 0}, STOP], prefix="s")
    phone.open(reverse("table", args=[cast.table.pk])).press("Same table again")
    assert [seat.name for seat in Match.objects.exclude(pk=match.pk).get().seats.all()] == ["Ana", "Eva"]


def test_other_seats_are_chosen_on_the_page_of_a_new_match(cast: Cast, phone: Browser) -> None:
    over(cast, minutes=25, points_to_win=77, spinner=False)
    phone.open(reverse("table", args=[cast.table.pk])).follow("Same players, other seats")
    [form] = [form for form in phone.forms if form.action.endswith("/matches/")]
    typed = dict(form.fields)
    assert (typed["player-0"], typed["player-1"]) == ("Ana", "Bo")
    assert (typed["option-points_to_win"], typed["minutes"]) == ("77", "25")
    assert "option-spinner" not in typed


def test_at_a_night_with_drawn_rounds_the_seats_come_first(cast: Cast, phone: Browser) -> None:
    night = night_of(cast, 4)
    enter(night.matches.get(), [STOP])
    page = phone.open(reverse("table", args=[cast.table.pk]))
    html = page.answer.content.decode()
    assert html.index("Where do I sit?") < html.index("Start a match at this table anyway")
    assert html.index("Start a match at this table anyway") < html.index("Same table again")


def test_options_are_those_of_the_last_time_at_this_table_else_in_the_club(cast: Cast, phone: Browser) -> None:
    def shown() -> tuple[str, str]:
        phone.open(reverse("match_new", args=[cast.table.pk]) + f"?game={GAME}")
        [form] = [form for form in phone.forms if form.action.endswith("/matches/")]
        typed = dict(form.fields)
        return typed["option-points_to_win"], typed["minutes"]

    assert shown() == ("150", "")
    over(cast, table=2, points_to_win=60, minutes=10)
    assert shown() == ("60", "10")
    over(cast, points_to_win=90)
    over(cast, table=2, points_to_win=70)
    assert shown() == ("90", "")
    night = night_of(cast, 4, now=NOW + timedelta(hours=1))
    assert shown() == ("90", "")
    tonight = {"game": GAMES[GAME], "options": {}, "minutes": 33}
    events.set_game(event_id=night.pk, **tonight, step=at(night, "set"))
    assert shown() == ("150", "33")
