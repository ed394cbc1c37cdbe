"""A round of a tournament: the director's desk, two phones and the big screen, all at once."""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

import games
from scorekeeper import models
from scorekeeper.services import clubs, directing, events, jobs, schedules, tournaments
from scorekeeper.tasks import WORK
from tests.browser.hall import PHONE, Club, Hall, OtherClub, Phone
from tests.browser.test_accessibility import NARROW, good
from tests.browser.test_big_screen import HD, SMALL, figures_in_line
from tests.browser.test_turn_cue import LISTEN, given
from tests.nights import at, first, names_of
from tests.tournaments import setup_of
from tests.waiting import until

pytestmark = pytest.mark.browser

GAME = "block"
FIRST = ("María Fernanda", "José Luis", "Concepción", "Juan Carlos")
LAST = ("Hernández de la Cruz", "Rodríguez Montenegro", "Betancourt Santamaría")
LONG = "Maximiliane-Charlotte Wilhelmina Featherstonehaugh-Smythe von Hohenstein-Ebers"


def _began(slug: str, names: list[str], now: datetime) -> int:
    club = models.Club.objects.get(slug=slug)
    ids = [clubs.player_add(club=club, name=name, now=now).pk for name in names]
    setup = setup_of(GAME, "heads", minutes=40)
    event = tournaments.start(club=club, name="Spring cup", setup=setup, step=first("start", now))
    tournaments.enter(event_id=event.pk, entrants=[[pk] for pk in ids], step=at(event, "enter", now))
    event.refresh_from_db()
    jobs.run(schedules.schedule(event=event, rng=random.Random(1), step=at(event, "plan", now)).pk, WORK)
    tournaments.draft_next(event_id=event.pk, step=at(event, "draft", now))
    events.seat(event_id=event.pk, step=at(event, "seat", now))
    return event.pk


def _close(pk: int, now: datetime) -> None:
    event = models.Event.objects.get(pk=pk)
    events.close(event_id=pk, open_matches="abandon", step=at(event, "close", now))


def _run(pk: int, now: datetime) -> None:
    event = models.Event.objects.get(pk=pk)
    directing.set_clock(event_id=pk, do="run", round_number=1, step=at(event, "run", now))


def _penalties(pk: int, now: datetime) -> None:
    for entrant in (1, 2):
        step = at(models.Event.objects.get(pk=pk), f"penalty {entrant}", now)
        tournaments.penalise(event_id=pk, entrant=entrant, round_number=1, points=1, reason="late", step=step)


def _match(pk: int, table: int) -> tuple[int, list[str]]:
    match = models.Match.objects.get(event=pk, table__number=table)
    return match.pk, [seat.name for seat in match.seats.all()]


@dataclass(frozen=True)
class Cup:
    """A tournament whose first round is seated, at a club of its own."""

    club: OtherClub
    pk: int

    @property
    def path(self) -> str:
        return f"/tournaments/{self.pk}/"

    @property
    def hall(self) -> Hall:
        return self.club.hall

    def names(self, table: int) -> list[str]:
        return self.hall.does(_match, self.pk, table)[1]

    def link(self, table: int) -> str:
        match = self.hall.does(lambda: models.Match.objects.get(event=self.pk, table__number=table).table_id)
        assert match
        return self.hall.table_link(match)

    def start_the_clock(self) -> None:
        self.hall.does(_run, self.pk, timezone.now())

    def play(self, table: int) -> None:
        """The match of this table is played to its end, by another program."""
        match, names = self.hall.does(_match, self.pk, table)
        record = games.random_match(GAME, {"hands": 1}, names, random.Random(table))
        self.hall.go_on(match, games.entries(record))


@pytest.fixture
def cup(club: Club, request: pytest.FixtureRequest) -> Iterator[Cup]:
    """Four entrants, or as many as the test says."""
    names = getattr(request, "param", names_of(4))
    with OtherClub.opened(club, "Ramblers") as other:
        cup = Cup(other, other.hall.does(_began, other.slug, names, timezone.now()))
        yield cup
        cup.hall.does(_close, cup.pk, timezone.now())


def typed(desk: Page) -> Locator:
    return desk.locator("#penalise-form [name=reason]")


def test_a_round_on_the_desk_and_two_phones(cup: Cup, visit: Callable[..., Page]) -> None:
    desk = cup.club.page
    desk.add_init_script(LISTEN)
    desk.clock.install()
    desk.goto(f"{cup.path}desk/")
    player = Phone(visit(**PHONE))
    player.join(cup.link(1))
    seeker = visit(**PHONE)
    seeker.goto(f"{cup.path}seats/")
    name = cup.names(1)[0]
    seeker.get_by_label("Where do I sit?").select_option(label=name)
    expect(seeker.locator("#my-seat")).to_contain_text("Table 1")
    expect(desk.locator(".missing-now")).to_contain_text("Tables without a result: 2 of 2")
    expect(player.page.locator(".ending")).to_have_text("The clock starts soon: 40:00")
    expect(desk.locator(".round-clock")).to_have_text(re.compile(r"Starts soon:\s+40:00"))
    desk.get_by_role("button", name="Start the clock").click()
    expect(desk.locator(".round-clock [data-left]")).to_have_text(re.compile(r"^(40:00|39:\d\d)$"))
    expect(player.page.locator(".ending .left")).to_have_text(re.compile(r"^(40:00|39:\d\d)$"))

    # Typed text and open parts stay while the desk follows.
    desk.get_by_text("Give a penalty").click()
    typed(desk).fill("came late")
    desk.get_by_role("button", name="Pause the clock").click()
    expect(desk.locator(".round-clock")).to_have_text(re.compile(r"Paused:\s+39:\d\d\s+left"))
    expect(player.page.locator(".ending")).to_have_text(re.compile(r"The clock is paused: 39:\d\d left"))
    assert desk.url.endswith("/desk/"), "no step leaves the page"
    expect(typed(desk)).to_have_value("came late")
    desk.get_by_role("button", name="Continue the clock").click()
    expect(player.page.locator(".ending .left")).to_have_text(re.compile(r"^39:\d\d$"))
    desk.get_by_text("Extra time, another time").click()
    desk.get_by_role("button", name="Give extra time").click()
    expect(player.page.locator(".ending .left")).to_have_text(re.compile(r"^4[45]:\d\d$"))
    good(desk)

    # A table calls.
    given(desk)
    player.tap(player.page.get_by_role("link", name="Call the host").first)
    player.press("A rule")
    expect(desk.locator(".spot.calling")).to_contain_text("1")
    until(lambda: given(desk) == ["sound"])
    desk.get_by_role("button", name="Settled").click()
    expect(desk.locator(".spot.calling")).to_have_count(0)

    # The first result arrives by itself. Ticks stay, too.
    desk.locator("#absent-1-2 summary").click()
    absent = desk.locator("#absent-1-2").get_by_role("checkbox", name=cup.names(2)[1])
    absent.check()
    typed(desk).focus()
    cup.play(1)
    expect(seeker.locator("#my-seat")).to_contain_text("Your match is over.")
    typed(desk).blur()
    expect(desk.locator(".missing-now")).to_contain_text("Tables without a result: 1 of 2")
    expect(typed(desk)).to_have_value("came late")
    expect(typed(desk)).to_be_visible()
    expect(absent).to_be_checked()
    assert given(desk) == []

    # Nobody is at table 2: after a while the desk offers it, and the director decides.
    offer = desk.locator("#missing .notice")
    expect(offer).to_be_hidden()
    desk.clock.fast_forward("16:00")
    expect(offer).to_contain_text("No entries after 15 minutes.")
    good(desk)
    desk.locator("#absent-1-2 summary").click()
    expect(absent).to_be_hidden()
    offer.get_by_role("link", name="Enter the no-show").click()
    expect(absent).to_be_checked()
    desk.get_by_role("button", name="They lose by forfeit").click()
    expect(desk.locator(".missing-now")).to_contain_text("All results are in.")
    assert given(desk) == ["sound"]
    expect(desk.locator("#announce")).to_have_text("All results are in.")
    expect(desk.get_by_role("button", name="Draft the next round")).to_be_visible()


def test_penalties_on_the_desk_have_room(cup: Cup) -> None:
    desk = cup.club.page
    cup.hall.does(_penalties, cup.pk, timezone.now())
    desk.goto(f"{cup.path}desk/")
    one, other = (each.bounding_box() for each in desk.locator(".penalties .who").all())
    assert one
    assert other
    assert other["y"] - (one["y"] + one["height"]) >= 8
    good(desk)


def test_fields_that_can_no_longer_change_look_like_it(cup: Cup) -> None:
    page = cup.club.page
    page.goto(f"{cup.path}setup/")
    look = "each => [getComputedStyle(each).backgroundColor, getComputedStyle(each).borderStyle]"
    enabled, disabled = (page.locator(f"[name={name}]").evaluate(look) for name in ("name", "lots"))
    assert all(one != other for one, other in zip(enabled, disabled, strict=True))
    good(page)


def test_a_result_typed_at_the_desk_reaches_phone_and_page(cup: Cup, visit: Callable[..., Page]) -> None:
    desk, visitor = cup.club.page, visit(**NARROW)
    desk.goto(f"{cup.path}desk/")
    visitor.goto(cup.path)
    table = desk.locator("#table-1-1")
    table.get_by_text("Type the result").click()
    for side, total in enumerate(("112", "84")):
        table.locator(f"[name=total-{side}]").fill(total)
    table.get_by_role("button", name="Save the result").click()
    expect(desk.locator(".spot.over")).to_have_count(1)
    expect(visitor.locator("#tournament")).to_contain_text("112")
    good(visitor)
    for path in ("seats/", "standings/", "cross-table/", "desk/"):
        page = desk if path == "desk/" else visitor
        page.goto(f"{cup.path}{path}")
        good(page)


@pytest.mark.parametrize("cup", [[*names_of(59), LONG]], indirect=True)
def test_the_screen_at_ten_metres(cup: Cup, visit: Callable[..., Page]) -> None:
    page = visit(**HD)
    page.clock.install(time=timezone.now())
    page.goto(f"{cup.path}screen/")
    expect(page.locator(".leaf:visible h2")).to_contain_text("Round 1")
    expect(page.locator(".left")).to_have_text(re.compile(r"The clock starts soon\s+40:00"))
    cup.start_the_clock()
    expect(page.locator(".left b")).to_have_text("40 min")
    height = HD["viewport"]["height"]
    people: list[str] = []
    seen: list[str] = []
    while (heading := page.locator(".leaf:visible h2").inner_text()) not in seen:
        seen.append(heading)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), heading
        letters = page.locator(".leaf:visible").locator(".name, .points, .number, .at, .place").filter(visible=True)
        sizes = letters.evaluate_all("all => all.map(each => parseFloat(getComputedStyle(each).fontSize))")
        assert min(sizes) >= height / 25, heading
        for item in page.locator(".leaf:visible .items > li:visible, .qr, .clock").all():
            box = item.bounding_box()
            assert box
            assert 0 <= box["y"] < box["y"] + box["height"] <= height, heading
        if heading.startswith("Who sits where"):
            people += page.locator(".leaf:visible .name:visible").all_inner_texts()
        page.keyboard.press("ArrowRight")
    assert sorted(people) == sorted([*names_of(59), LONG])
    assert any(heading.startswith("Standings") for heading in seen)
    page.clock.fast_forward(timedelta(minutes=36).seconds * 1000)
    expect(page.locator(".left b")).to_have_text(re.compile(r"^[34]:\d\d$"))
    page.clock.fast_forward(timedelta(minutes=5).seconds * 1000)
    expect(page.locator(".left")).to_have_text("Time is up: last hand")


@pytest.mark.parametrize("cup", [names_of(8)], indirect=True)
@pytest.mark.parametrize("part", ["seats", "standings"])
def test_few_entrants_fill_the_screen(cup: Cup, visit: Callable[..., Page], part: str) -> None:
    page = visit(**HD)
    page.goto(f"{cup.path}screen/?show={part}")
    expect(page.locator(".leaf:visible h2")).to_contain_text("ound 1")
    last = page.locator(".leaf:visible .items > li").nth(3).bounding_box()
    assert last
    assert last["y"] + last["height"] > HD["viewport"]["height"] * 0.5
    name = page.locator(".leaf:visible .name").filter(has_text=re.compile("^\\s*Carmen"))
    word = "each => { const all = document.createRange(); all.selectNodeContents(each.querySelector('bdi') ?? each);"
    assert name.evaluate(f"{word} return all.getClientRects().length; }}") == 1, "no name is broken"
    if part == "seats":
        opponent = cup.names(1)[1]
        assert f"against {opponent}" in page.locator(".leaf:visible").inner_text()


@pytest.mark.parametrize("cup", [names_of(9), names_of(40)], indirect=True)
def test_figures_of_the_standings_stand_below_each_other_and_their_headings(
    cup: Cup, visit: Callable[..., Page]
) -> None:
    page = visit(**HD)
    for table in (1, 2, 3):
        cup.play(table)
    page.goto(f"{cup.path}screen/?show=standings")
    leaf = page.locator(".leaf:visible")
    items = leaf.locator(".items > li:visible")
    expect(items.first).to_be_visible()
    assert until(lambda: figures_in_line(page)) == 2, "points, and what decides"
    assert items.count() > 8


@pytest.mark.parametrize("cup", [[f"{first} {last}" for first in FIRST for last in LAST]], indirect=True)
@pytest.mark.parametrize("kind", [HD, SMALL])
def test_six_tables_share_a_leaf_with_all_names_in_full(
    cup: Cup, visit: Callable[..., Page], kind: dict[str, Any]
) -> None:
    page = visit(**kind)
    page.goto(f"{cup.path}screen/?show=tables")
    expect(page.locator(".leaf:visible .card:visible")).to_have_count(6)
    names = page.locator(".card bdi").evaluate_all("all => all.map(each => each.getClientRects().length)")
    assert len(names) == 12
    assert set(names) <= {1, 2}
    cards = (
        "all => all.filter(each => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight + 1)"
    )
    assert page.locator(".card").evaluate_all(f"{cards}.length") == 0
    last = page.locator(".card").last.bounding_box()
    assert last
    height = kind["viewport"]["height"]
    assert 0.9 * height < last["y"] + last["height"] <= height, "nothing is empty, nothing lies outside"


def test_a_screen_holds_one_part_and_follows(cup: Cup, visit: Callable[..., Page]) -> None:
    page = visit(**HD)
    page.clock.install(time=timezone.now())
    page.goto(f"{cup.path}screen/?show=standings")
    shown = page.locator(".leaf:visible h2")
    for _ in range(3):
        expect(shown).to_contain_text("Standings")
        expect(shown).to_contain_text("provisional")
        page.clock.fast_forward(12_000)
    first_place = page.locator(".leaf:visible li").first
    expect(first_place).to_contain_text("0")
    cup.play(1)
    expect(first_place.locator(".figure").first).to_contain_text("Points 1")
    assert page.locator(".leaf:visible").count() == 1
