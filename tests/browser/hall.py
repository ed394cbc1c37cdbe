"""A hall: a server without TLS, its host, its tables, and phones and screens of all kinds."""

import json
import random
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from django.db import connections, transaction
from django.db.utils import ConnectionHandler
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Playwright, expect

from games import GAMES
from scorekeeper import models
from scorekeeper.access import Actor
from scorekeeper.events.night import Wish
from scorekeeper.services import clubs, draws, events, jobs, matches, recording, tables
from scorekeeper.settings import database
from scorekeeper.tasks import WORK
from tests.nights import at, first
from tests.running import Running
from tests.services_needed import BROWSERS
from tests.waiting import free_port, until

NAME = "hall.test"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SCREEN = {"viewport": {"width": 1280, "height": 800}}
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--host-resolver-rules=MAP {NAME} 127.0.0.1",
)
NAMES = ("Bo", "Cleo", "Dan", "Ana")  # by seat
SETTLE = 350  # ms in which something new on the page ignores taps
SLOW_DOUBLE_TAP = 300  # ms between its two taps
RESTING = "#sheet:is([data-rests], :has([data-rests]))"  # while it does
T = TypeVar("T")
JOIN = re.compile(r"^http://hall\.test:\d+/t/\S+$")


def _move(seat: int, text: str) -> dict[str, Any]:
    tile, _space, end = text.partition(" ")
    move = {"seat": seat, "type": "pass"} if tile == "pass" else {"seat": seat, "type": "play", "tile": tile}
    return {"kind": "move", "move": move | ({"end": end} if end else {})}


def launch(playwright: Playwright) -> Browser:
    found = next(filter(None, map(shutil.which, BROWSERS)))
    return playwright.chromium.launch(executable_path=found, args=list(ARGUMENTS))


def _token(table: int, now: datetime) -> str:
    return tables.fresh_token(table=models.Table.objects.get(pk=table), now=now)


def _table(club: str, now: datetime) -> tuple[int, int]:
    table = clubs.table_add(club=models.Club.objects.get(slug=club), now=now)
    return table.pk, table.number


@transaction.atomic  # pages are drawn once
def _played(
    table: int,
    game: str,
    names: Sequence[str],
    entries: Sequence[dict[str, Any]],
    options: dict[str, Any],
    now: datetime,
) -> int:
    match = matches.open_match(
        table=models.Table.objects.get(pk=table), game=game, options=options, players=names, by=Actor(), now=now
    )
    _append(match.pk, entries, now)
    return match.pk


def _append(match: int, entries: Sequence[dict[str, Any]], now: datetime) -> None:
    """Writes all entries at once, and rebuilds everything else from the log."""
    seen = models.LogEntry.objects.filter(match=match).count()
    models.LogEntry.objects.bulk_create(
        models.LogEntry(match_id=match, seq=seq, kind=entry["kind"], payload=entry, at=now, key=f"other-{seq}")
        for seq, entry in enumerate(entries, seen)
    )
    recording.rebuild(match_id=match)


def _club(name: str, host: str, now: datetime) -> str:
    # A worker that takes tests over from another one may make the club of a module again.
    slug = f"{name.lower()}-{models.Club.objects.count()}"
    club = models.Club.objects.create(slug=slug, name=name, created_at=now)
    owner = models.User.objects.get(username=host)
    models.Membership.objects.create(user=owner, club=club, role=models.Role.OWNER)
    return club.slug


def _night(club: str, people: Sequence[str], now: datetime) -> int:
    step = first("start", now)
    return events.start(club=models.Club.objects.get(slug=club), players=[], guests=people, step=step).pk


def _draw(pk: int, options: dict[str, Any], now: datetime) -> None:
    night, whist = models.Event.objects.get(pk=pk), GAMES["domino-whist"]
    step = at(night, f"game-{night.length}", now)
    events.set_game(event_id=pk, game=whist, options=options, minutes=None, step=step)
    step = at(night, f"draw-{night.length}", now)
    draw = draws.draw(event=night, wishes=[Wish(whist)], rng=random.Random(1), step=step)
    jobs.run(draw.pk, WORK)


def _seat(pk: int, now: datetime) -> dict[int, int]:
    night = models.Event.objects.get(pk=pk)
    return _by_table(events.seat(event_id=pk, step=at(night, f"seat-{night.length}", now)))


def _in_play(pk: int) -> dict[int, int]:
    return _by_table(
        models.Match.objects.filter(event=pk, status=models.Match.Status.PLAYING).order_by("table__number")
    )


def _by_table(matches: Iterable[models.Match]) -> dict[int, int]:
    return {match.table.number: match.pk for match in matches if match.table}


def _close_nights(club: str, now: datetime) -> None:
    for night in models.Event.objects.filter(club__slug=club, closed_at=None):
        events.close(event_id=night.pk, open_matches="abandon", step=at(night, "end", now))


def _table_at(club: str, number: int) -> int:
    return models.Table.objects.get(club__slug=club, number=number).pk


class Hall:
    """The server and the people in the room, each with their own browser. `trouble`: the errors of scripts."""

    def __init__(self, browser: Browser, data: Path) -> None:
        self.browser, self.data, self.port = browser, data, free_port()
        self.url = f"http://{NAME}:{self.port}"
        self.trouble: list[str] = []
        self._services = ThreadPoolExecutor(1, initializer=self._connect)
        self.server = self._start()
        self.setup_link = next(line.strip() for line in self.server.lines if "/setup/" in line)

    def _start(self) -> Running:
        return Running(self.data, "--public-url", self.url, port=self.port).until_ready()

    @classmethod
    @contextmanager
    def opened(cls, browser: Browser, data: Path) -> Iterator["Hall"]:
        """Starts a hall, and stops it in the end."""
        hall = cls(browser, data)
        try:
            yield hall
        finally:
            hall.does(connections.close_all)
            hall.stop()

    def stop(self) -> None:
        """Stops the server with Ctrl-C."""
        self.server.ctrl_c()
        assert self.server.ended() == 0, self.server.output

    def start(self) -> None:
        """Starts the server again with the same command."""
        self.server = self._start()

    def does(self, service: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """Calls a service on the server's database, as another process of the server would. This is much faster than
        pages, and the open pages follow it."""
        return self._services.submit(service, *args, **kwargs).result()

    def _connect(self) -> None:
        """Gives the thread of the services its own connection. Django refuses the thread of the browser."""
        connections["default"] = ConnectionHandler({"default": database("", self.data)})["default"]

    def open_match(self, table: "Table", *moves: str) -> int:
        """A match of Domino Whist with its first hand opened by Bo and played up to here by another program: `6-6`,
        `6-4 w`, `pass`. Returns its id."""
        played = (_move(number % 4, text) for number, text in enumerate(moves))
        return self.play(table, "domino-whist", NAMES, [{"kind": "hand", "opener": 0}, *played])

    def play(
        self,
        table: "Table",
        game: str,
        names: Sequence[str],
        entries: Sequence[dict[str, Any]],
        options: dict[str, Any] | None = None,
    ) -> int:
        """A match at the table with these entries. Returns its id."""
        return self.does(_played, table.pk, game, names, entries, options or {}, timezone.now())

    def go_on(self, match: int, entries: Sequence[dict[str, Any]]) -> None:
        """Adds entries to the match."""
        self.does(_append, match, entries, timezone.now())

    def record(self, match: int) -> dict[str, Any]:
        """A match by the API."""
        status, text = self.server.ask("GET", f"/matches/{match}/record/")
        assert status == 200, text
        return dict(json.loads(text))

    def a_day_passes(self) -> None:
        """Every phone scanned its code so long ago that it needs to scan it again."""
        self.change("UPDATE scorekeeper_pad SET since = datetime(since, '-1 day')")

    def change(self, statement: str) -> None:
        """Changes the stored data without the server."""
        with closing(sqlite3.connect(self.data / "db.sqlite3", timeout=20)) as database, database:
            database.execute(statement)

    def table_link(self, pk: int) -> str:
        """A new link to the table."""
        return f"{self.url}/t/{self.does(_token, pk, timezone.now())}/"

    @contextmanager
    def visitor(self, **kind: Any) -> Iterator[Page]:
        """A page in a browser of its own."""
        context = self.browser.new_context(base_url=self.url, **kind)
        try:
            yield self.page_of(context)
        finally:
            context.close()

    def page_of(self, context: BrowserContext) -> Page:
        page = context.new_page()
        page.on("pageerror", lambda error: self.trouble.append(f"{page.url}: {error}"))
        page.on("console", lambda said: self._heard(page, said.text))
        return page

    def _heard(self, page: Page, text: str) -> None:
        if "Content Security Policy" in text:
            self.trouble.append(f"{page.url}: {text}")


class Club:
    """The club at its host's laptop, signed in with the one-time link."""

    name, host = "Rovers", "Hanna"
    password = "doubles lie across"

    def __init__(self, hall: Hall, page: Page) -> None:
        self.hall, self.page = hall, page
        page.goto(hall.setup_link)
        page.get_by_label("Club name").fill(self.name)
        page.get_by_label("Your name").fill(self.host)
        page.get_by_label("Password").fill(self.password)
        page.get_by_role("button", name="Make the club").click()
        expect(page.get_by_role("heading", name=self.name)).to_be_visible()
        self.address = page.url
        self.slug = page.url.rstrip("/").rpartition("/")[2]

    def add_players(self, *names: str) -> None:
        self.page.goto(f"{self.address}players/")
        self.page.get_by_label("Names, one per line").fill("\n".join(names))
        self.page.get_by_role("button", name="Add", exact=True).click()
        for name in names:
            expect(self.page.get_by_role("listitem").filter(has_text=name)).to_be_visible()

    def make_table(self) -> "Table":
        """Makes a table with a link. Test_first_run makes one on the pages."""
        pk, number = self.hall.does(_table, self.slug, timezone.now())
        return Table(pk, number, self.hall.table_link(pk))

    def fresh_link(self, table: "Table") -> str:
        """The address in a new QR code for the table."""
        self.page.goto(f"{table.path}qr/")
        self.page.get_by_role("button", name="Show the QR code").click()
        return self.page.get_by_text(JOIN).inner_text().strip()

    def renew_code(self, table: "Table") -> None:
        self.page.goto(f"{table.path}devices/")
        for _question_then_answer in range(2):
            self.page.get_by_role("button", name="Renew the code").click()
        expect(self.page.get_by_text("This code is new.")).to_be_visible()

    def close_during_a_match(self, table: "Table") -> None:
        self._row_of(table).get_by_role("button", name="Close", exact=True).click()
        self.page.get_by_role("button", name=f"Close table {table.number}").click()
        expect(self.page.get_by_text(f"Table {table.number} closed.")).to_be_visible()

    def open_again(self, table: "Table") -> None:
        self._row_of(table).get_by_role("button", name="Open", exact=True).click()
        expect(self.page.get_by_text(f"Table {table.number} opened.")).to_be_visible()

    def _row_of(self, table: "Table") -> Locator:
        self.page.goto(f"{self.address}tables/")
        return self.page.get_by_role("listitem").filter(has=self.page.locator(f'a[href="{table.path}"]'))


class OtherClub(Club):
    """Another club of the same host, made by the services: for tests that need the club for themselves."""

    def __init__(self, club: Club, name: str, page: Page) -> None:
        self.hall, self.page, self.name = club.hall, page, name
        self.slug = self.hall.does(_club, name, club.host, timezone.now())
        self.address = f"{self.hall.url}/clubs/{self.slug}/"

    @classmethod
    @contextmanager
    def opened(cls, club: Club, name: str) -> Iterator["OtherClub"]:
        """At another laptop of the host."""
        with club.hall.visitor(**SCREEN, storage_state=club.page.context.storage_state()) as page:
            yield cls(club, name, page)

    @contextmanager
    def night(self, people: Sequence[str]) -> Iterator["Night"]:
        """Opens a night with these guests, and closes it in the end."""
        night = Night(self, self.hall.does(_night, self.slug, people, timezone.now()))
        try:
            yield night
        finally:
            self.close_nights()

    def close_nights(self) -> None:
        self.hall.does(_close_nights, self.slug, timezone.now())


class Night:
    """A club night; `matches` are the ids of the seated matches by table number."""

    def __init__(self, club: Club, pk: int) -> None:
        self.club, self.pk, self.path = club, pk, f"/nights/{pk}/"
        self.matches: dict[int, int] = {}

    def draw(self, **options: Any) -> "Night":
        """Draws a round of Domino Whist for everybody."""
        self.club.hall.does(_draw, self.pk, options, timezone.now())
        return self

    def seat(self) -> "Night":
        self.matches = self.club.hall.does(_seat, self.pk, timezone.now())
        return self

    def seated(self) -> "Night":
        """After a host has seated a round on the desk."""
        self.matches = self.club.hall.does(_in_play, self.pk)
        return self

    def link(self, number: int) -> str:
        """A new link to the table with this number."""
        hall = self.club.hall
        return hall.table_link(hall.does(_table_at, self.club.slug, number))


class Table:
    """A table as described on its QR card."""

    def __init__(self, pk: int, number: int, link: str) -> None:
        self.pk, self.number, self.link = pk, number, link
        self.path = f"/tables/{pk}/"


def drag(one: Locator, onto: Locator) -> None:
    """Lets go only when the page says that it would take the drop."""
    mouse = one.page.mouse
    one.hover()
    mouse.down()
    onto.hover()
    expect(onto).to_have_class(re.compile(r"\bunder\b"))
    onto.hover()
    mouse.up()


def middle(target: Locator) -> tuple[float, float]:
    """The point of the screen where a finger taps this, once it is there."""
    box = target.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Phone:
    """A page with the table's sheet. Finds what it taps by meaning, so it works in every language."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0
        self._hurries = False

    def hurry(self) -> None:
        """Sets the phone's clock forward before each tap from now on, so that no tap waits for something new."""
        self.page.clock.install()
        self._hurries = True

    def join(self, link: str) -> None:
        self.page.goto(link)
        self.page.wait_for_url("**/tables/*/")

    def record_here_too(self) -> None:
        """Gives the pad back to this phone too, after another phone scanned the code: now both have it."""
        self.tap(self.page.locator("[data-take] [value=too]"))
        expect(self.page.locator("[data-part=pad]")).to_be_visible()

    def tap(self, target: Locator) -> None:
        if self._hurries:
            self.page.clock.fast_forward(SETTLE)
        target.wait_for()
        until(lambda: not self.page.locator(RESTING).count())
        target.tap()
        self.taps += 1

    def double_tap(self, target: Locator) -> None:
        """Taps twice at the same point, as slowly as one does, whatever is there after the first tap."""
        until(lambda: not self.page.locator(RESTING).count())
        with self.at_once():
            target.scroll_into_view_if_needed()  # a list of many people can push it off the screen
            point = middle(target)
            self.page.touchscreen.tap(*point)
            self.page.clock.run_for(SLOW_DOUBLE_TAP)
            self.page.touchscreen.tap(*point)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Stops the phone's clock, so that what appears still ignores taps, however slow this machine is."""
        self.page.clock.install()
        self.page.clock.pause_at(self.page.evaluate("Date.now()") / 1000 + 1)
        yield
        self.page.clock.resume()

    def press(self, name: str) -> None:
        self.tap(self.page.get_by_role("button", name=name, exact=True))

    def opener(self, name: str) -> Locator:
        """The button by which a player opens the hand. The one of forehand also says so."""
        return self.page.locator(".plan").get_by_role("button", name=re.compile(rf"^{name}\b"))

    def open_hand(self, name: str) -> None:
        self.tap(self.opener(name))

    @property
    def sheet(self) -> Locator:
        return self.page.locator("[data-live]")

    @property
    def refusal(self) -> Locator:
        return self.page.get_by_role("alert").filter(visible=True)

    def tile(self, name: str) -> Locator:
        return self.page.locator(f'button[data-ends][aria-label^="{name}"]')

    @property
    def pass_button(self) -> Locator:
        return self.page.locator("button[name=entry][value*='\"pass\"']")

    @property
    def draw_button(self) -> Locator:
        return self.page.locator("button[name=entry][value*='\"draw\"']")

    @property
    def undo_button(self) -> Locator:
        return self.page.locator("button[name=entry][value*='\"undo\"']").first

    def lay(self, tile: str, end: str | None = None, *, on_the_board: bool = False) -> None:
        """Taps the tile, and then its end if it fits several: on the bar of ends, or at the place in the line."""
        button = self.tile(tile)
        ends = (button.get_attribute("data-ends") or "").split()
        self.tap(button)
        if len(ends) > 1:
            place = f'svg [data-end="{end}"] .finger' if on_the_board else f'button[data-at="{end}"]'
            self.tap(self.page.locator(place))

    def leave(self, seat: int, *tiles: str) -> None:
        """Enters what a seat has left by tapping tiles. Keeps those that the page has chosen already."""
        row = self.page.locator(f'[data-seat="{seat}"]:has([type=checkbox])')
        summary = row.locator("summary")
        if not row.locator("details").evaluate("details => details.open"):
            self.tap(summary)
        for tile in tiles:
            box = row.locator(f'[value="{tile}"]')
            if not box.is_checked():
                self.tap(row.locator("label", has=self.page.locator(f'[value="{tile}"]')))
            expect(box).to_be_checked()

    def enter(self, move: dict[str, Any]) -> None:
        """A move of a record."""
        if move["type"] == "pass":
            self.tap(self.pass_button)
        elif move["type"] == "draw":
            self.tap(self.draw_button)
        else:
            self.lay(move["tile"], move.get("end"))

    def start_match(self, game: str, names: Sequence[str], **options: str) -> int:
        """Opens a match with these names by seat, without a draw. Returns its id."""
        self.fill_names(game, names, **options)
        self.tap(self.page.locator("button[name=do][value=start]"))
        expect(self.sheet).to_have_attribute("data-version", re.compile(r"^\d+:0$"))
        return version(self.page)[0]

    def fill_names(self, game: str, names: Sequence[str], **options: str) -> None:
        self.tap(self.page.get_by_role("link", name=game))
        for number, name in enumerate(names, 1):
            self.page.get_by_label(f"Player {number}").fill(name)
        if options:
            more = self.page.locator("details", has=self.page.get_by_text(re.compile(r"^\s*(O|More o)ptions\s*$")))
            if not more.evaluate("details => details.open"):
                self.tap(more.locator("summary"))
        for label, value in options.items():
            self.page.locator(f'[name="option-{label}"]').fill(value)


def version(page: Page) -> tuple[int, int]:
    """The match on the page, and its number of entries there."""
    match, _colon, length = (page.locator("[data-live]").get_attribute("data-version") or "").partition(":")
    return int(match), int(length)


def shows(page: Page, match: int, length: int) -> None:
    """Waits until the page shows the match after so many entries, with shorter pauses than `expect` makes: it is what
    tests wait for most."""
    page.locator(f'[data-live][data-version="{match}:{length}"]').wait_for(state="attached", timeout=15_000)


def board(page: Page) -> list[str]:
    """The tiles of the line of play that is drawn on the page."""
    drawn = page.locator("svg.line:visible [data-tile]")
    return sorted(drawn.evaluate_all("tiles => tiles.map(tile => tile.dataset.tile)"))
