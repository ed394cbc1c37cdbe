"""One server, one browser and one club for all tests in this folder; each test has its own table."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from pytest_django.plugin import DjangoDbBlocker

from tests.browser.hall import PHONE, SCREEN, Club, Hall, Phone, Table, launch, shows
from tests.browser.radio import Radio

PLAYERS = ("Ana", "Bo", "Cleo", "Dan")
FAILED = pytest.StashKey[bool]()

expect.set_options(timeout=15_000)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="package", autouse=True)
def _services(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Allows services to write to the database of a hall (see `Hall.does`)."""
    with django_db_blocker.unblock():
        yield


@pytest.fixture(scope="package")
def hall(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with Hall.opened(browser, tmp_path_factory.mktemp("hall") / "data") as hall:
        yield hall


@pytest.fixture(scope="package")
def club(hall: Hall) -> Iterator[Club]:
    """The club, founded by its host with the printed link, with its players."""
    with hall.visitor(**SCREEN) as page:
        club = Club(hall, page)
        club.add_players(*PLAYERS)
        yield club


@pytest.fixture
def table(club: Club) -> Table:
    return club.make_table()


@pytest.fixture
def visit(hall: Hall, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Opens pages, and closes them after the test. If the test fails, keeps pictures of all of them."""
    hall.trouble.clear()
    opened: list[Page] = []
    with ExitStack() as stack:

        def visit(**kind: Any) -> Page:
            opened.append(stack.enter_context(hall.visitor(**kind)))
            return opened[-1]

        yield visit
        if request.node.stash.get(FAILED, False):
            for number, page in enumerate(opened):
                page.screenshot(path=tmp_path / f"{number}.png")
            print(f"Pictures of every page: {tmp_path}")
    assert not hall.trouble, "\n".join(hall.trouble)


@pytest.fixture
def phone(visit: Callable[..., Page], table: Table) -> Phone:
    """A phone that has scanned the table's code."""
    phone = Phone(visit(**PHONE))
    phone.join(table.link)
    return phone


@pytest.fixture
def match(hall: Hall, table: Table, phone: Phone) -> int:
    """A match in which Bo has opened with 6-6: it has two entries, and Cleo is on turn."""
    match = hall.open_match(table, "6-6")
    shows(phone.page, match, 2)
    return match


@pytest.fixture
def air(hall: Hall) -> Iterator[Radio]:
    air = Radio(hall.port)
    yield air
    air.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report
