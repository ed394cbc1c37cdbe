"""Four phones, a watch page and the page of the host during a whole match: by moves, by final state, and with
errors."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.hall import NAMES, PHONE, SCREEN, Club, Hall, Phone, Table, board, shows, version
from tests.browser.radio import Radio
from tests.running import ROOT

pytestmark = pytest.mark.browser

# Bo draws the highest tile and is forehand; Dan draws the second and sits opposite.
DRAWN = {"Ana": "2-1", "Bo": "6-6", "Cleo": "5-0", "Dan": "6-4"}
SAID = {"en": ("{0} laid {1}", "{0} passed"), "es": ("{0} puso el {1}", "{0} pasó")}
# A hand blocked by its sixes. Bo's first pass is wrong. Pips left: 27, 5, 26 and 32.
LEFT = (
    ("5-2", "5-1", "4-1", "3-2", "3-1"),
    ("3-0", "2-0", "0-0"),
    ("4-4", "4-2", "3-3", "2-2", "1-1"),
    ("5-5", "5-3", "5-4", "4-0", "1-0"),
)


# The moves of this hand as they are recorded in the end, one of each player after the other.
MOVES = (
    *("6-6", "6-1 w", "6-3 e", "2-1 w", "pass", "4-3 e", "6-4 e", "pass", "6-2 w"),
    *("6-5 w", "pass", "5-0 w", "pass", "6-0 w", "pass", "pass", "pass", "pass"),
)
NOTED = {"kind": "note", "hand": 0, "move": 4, "code": "wrong-pass"}
COUNTED = {"kind": "left", "left": [list(LEFT[0]), list(LEFT[1]), 26, 32]}
LAST = {"kind": "hand", "opener": 1, "final": {"left": [14, [], 3, 9], "out": 1}}
OPTIONS = {"target": 60}


def told(count: int) -> list[dict[str, Any]]:
    """The entries of the hand with its first moves, and the note about the wrong pass when it is proved."""
    entries: list[dict[str, Any]] = [{"kind": "hand", "opener": 0}]
    for number, text in enumerate(MOVES[:count]):
        if text == "6-2 w":
            entries.append(NOTED)
        tile, _space, end = text.partition(" ")
        move: dict[str, Any] = {"seat": number % 4, "type": "pass"}
        if tile != "pass":
            move |= {"type": "play", "tile": tile} | ({"end": end} if end else {})
        entries.append({"kind": "move", "move": move})
    return entries


class Evening:
    """Everybody who looks at one match, and what they should see."""

    def __init__(self, phones: dict[str, Phone], screens: list[Page], air: Radio) -> None:
        self.phones, self.screens = phones, screens
        self.air = air  # Ana's
        self.match = self.length = 0
        self.laid: list[str] = []

    @property
    def pages(self) -> Iterator[Page]:
        yield from (phone.page for phone in self.phones.values())
        yield from self.screens

    def at(self, seat: int) -> Phone:
        """The phone of this seat, or else the first one."""
        return self.phones.get(NAMES[seat]) or next(iter(self.phones.values()))

    def stay(self) -> None:
        """From now on no page may be loaded again."""
        for page in self.pages:
            page.evaluate("window.neverReloaded = true")

    def stayed(self, *, but: Phone | None = None) -> None:
        for page in self.pages:
            assert (but and page is but.page) or page.evaluate("window.neverReloaded"), page.url

    def entered(self, count: int = 1, *, but: Phone | None = None) -> None:
        """Waits until every page shows the last entry; `but` is a page that cannot know it yet."""
        self.length += count
        for page in self.pages:
            if but is None or page is not but.page:
                shows(page, self.match, self.length)
                assert board(page) == sorted(self.laid)

    def says(self, which: int, *what: str) -> None:
        """Every page announces it in its own language: 0 is a play, 1 a pass."""
        for page in self.pages:
            language = page.evaluate("document.documentElement.lang")
            expect(page.locator("[data-live]")).to_contain_text(SAID[language][which].format(*what))

    def lay(self, seat: int, tile: str, end: str | None = None, **how: Any) -> None:
        """The phone of this seat enters the play, and all others follow."""
        self.at(seat).lay(tile, end, **{key: value for key, value in how.items() if key != "but"})
        self.laid.append(tile)
        self.entered(but=how.get("but"))

    def passes(self, seat: int, *, but: Phone | None = None) -> None:
        self.at(seat).tap(self.at(seat).pass_button)
        self.entered(but=but)


class Room:
    """The room with its table; whoever comes in has a phone at the table."""

    def __init__(self, hall: Hall, table: Table, visit: Callable[..., Page], air: Radio) -> None:
        self.hall, self.table, self.visit, self.air = hall, table, visit, air

    def come(self, *names: str, watched: bool = True) -> Evening:
        """Before a match. Dan's phone speaks Spanish; Ana's is connected through the radio."""
        phones = {name: Phone(self.visit(**PHONE, locale="es-ES" if name == "Dan" else "en-GB")) for name in names}
        for name, phone in phones.items():
            link = self.table.link
            if name == "Ana":
                link = self.hall.table_link(self.table.pk).replace(str(self.hall.port), str(self.air.port))
            phone.join(link)
        for name in names[:-1]:  # the last phone took the pad; at this table all of them record
            phones[name].record_here_too()
        screens = [self.visit(**SCREEN)] if watched else []
        for screen in screens:
            screen.goto(f"{self.table.path}watch/")
            expect(screen.get_by_text("No match here yet.")).to_be_visible()
        return Evening(phones, screens, self.air)

    def play(self, evening: Evening, moves: int, *entries: dict[str, Any]) -> None:
        """A match with the first moves of the hand, and more entries, is recorded at the table."""
        log = [*told(moves), *entries]
        evening.match = self.hall.play(self.table, "domino-whist", NAMES, log, OPTIONS)
        evening.laid = [text.partition(" ")[0] for text in MOVES[:moves] if text != "pass"]
        evening.length = len(log)
        for page in evening.pages:
            shows(page, evening.match, evening.length)
        evening.stay()


@pytest.fixture
def room(hall: Hall, table: Table, visit: Callable[..., Page], air: Radio) -> Room:
    return Room(hall, table, visit, air)


def test_seats_are_drawn_and_everybody_follows(room: Room) -> None:
    evening = room.come("Bo", "Cleo", "Dan", "Ana")
    evening.stay()
    phone = evening.phones["Bo"]
    page = phone.page
    phone.tap(page.get_by_role("link", name="Domino Whist"))
    for name in DRAWN:
        phone.press(name)
    phone.tap(page.get_by_text("Options", exact=True))
    page.get_by_label("Bad points to reach").fill("60")
    phone.press("Draw tiles for the seats")
    for tile in DRAWN.values():
        phone.tap(page.locator(f'[data-tile="{tile}"]:visible').first)
    phone.press("Show who sits where")
    expect(page.get_by_text("forehand")).to_be_visible()
    phone.press("Everybody is seated: start")
    expect(page.get_by_text("The tiles are dealt. Who opens?")).to_be_visible()
    evening.match = version(page)[0]
    evening.entered(0)
    expect(evening.at(2).opener("Bo")).to_be_visible()
    evening.at(3).open_hand("Bo")
    evening.entered()
    evening.lay(0, "6-6")
    evening.says(0, "Bo", "6-6")
    evening.lay(1, "6-1", "w")
    evening.stayed(but=phone)  # it went through the form for a new match


def test_a_tile_too_many_is_undone_on_another_phone(room: Room) -> None:
    evening = room.come("Cleo", "Dan")
    room.play(evening, 4)
    evening.passes(0)
    evening.says(1, "Bo")
    evening.lay(1, "3-1", "e")
    evening.at(2).tap(evening.at(2).undo_button)
    evening.laid.remove("3-1")
    evening.entered()
    evening.says(1, "Bo")
    evening.lay(1, "4-3", "e")
    evening.stayed()


def test_a_wrong_pass_is_noted(room: Room) -> None:
    """Bo lays what he could have laid when he passed: it did happen."""
    evening = room.come("Bo", "Dan")
    room.play(evening, 6)
    evening.passes(2)
    evening.lay(3, "4-0", "e")
    bo = evening.at(0)
    bo.tap(bo.tile("6-2"))
    expect(bo.refusal).to_contain_text("Bo passed")
    expect(bo.refusal).to_contain_text("6-2")
    evening.entered(0)
    bo.press("It happened: note it and continue")
    evening.laid.append("6-2")
    evening.entered(2)
    expect(bo.refusal).to_have_count(0)
    evening.says(0, "Bo", "6-2")
    evening.lay(1, "3-0", "e")
    evening.stayed()


def test_a_wrong_entry_is_found_by_the_play_that_disproves_it(room: Room) -> None:
    """Whoever entered Dan's pass made a slip. The refusal of Dan's play leads back to it."""
    evening = room.come("Dan")
    slip = [
        {"kind": "move", "move": {"seat": 2, "type": "pass"}},
        {"kind": "move", "move": {"seat": 3, "type": "play", "tile": "4-0", "end": "e"}},
        NOTED,
        {"kind": "move", "move": {"seat": 0, "type": "play", "tile": "6-2", "end": "w"}},
        {"kind": "move", "move": {"seat": 1, "type": "play", "tile": "3-0", "end": "e"}},
    ]
    room.play(evening, 6, *slip)
    dan = evening.at(2)
    dan.tap(dan.tile("6-4"))
    expect(dan.refusal).to_contain_text("Dan pasó")
    dan.tap(dan.refusal.get_by_role("button").filter(has_text="Dan pasó"))
    evening.entered()
    evening.lay(2, "6-4", "e")
    evening.passes(3)
    evening.lay(0, "6-2", "w")  # with the pass noted it is accepted
    evening.stayed()


def test_a_phone_sees_what_it_missed_without_a_connection(room: Room) -> None:
    """Ana's phone misses two entries, and then gets them."""
    evening = room.come("Bo", "Ana", watched=False)
    room.play(evening, 9)
    ana = evening.at(3)
    evening.air.cut()
    expect(ana.page.get_by_text("Reconnecting…")).to_be_visible()
    before = evening.length
    evening.lay(1, "6-5", "w", on_the_board=True, but=ana)
    evening.passes(2, but=ana)
    assert version(ana.page) == (evening.match, before)
    evening.air.heal()
    evening.entered(0)
    expect(ana.page.get_by_text("Reconnecting…")).to_be_hidden()
    evening.stayed()


def test_a_phone_sees_what_it_missed_in_a_tunnel(room: Room) -> None:
    """Ana's connection dies silently. As soon as her phone has a network again, she sees what she missed."""
    evening = room.come("Bo", "Ana", watched=False)
    room.play(evening, 12)
    ana = evening.at(3)
    evening.air.fall_silent()
    ana.page.context.set_offline(True)
    evening.passes(0, but=ana)
    ana.page.context.set_offline(False)
    evening.entered(0)
    evening.stayed()


def test_two_at_the_same_moment(room: Room) -> None:
    """Cleo's pass was sent from the same sheet as Ana's play, and comes second. It is not entered, and Cleo sees
    why."""
    evening = room.come("Cleo", "Ana", watched=False)
    room.play(evening, 11)
    ana, cleo = evening.at(3), evening.at(1)
    held: list[Route] = []
    cleo.page.route("**/entries/", lambda route: held.append(route), times=1)
    cleo.tap(cleo.pass_button)
    ana.lay("5-0", "w")
    evening.laid.append("5-0")
    evening.entered(but=cleo)
    held.pop().continue_()
    expect(cleo.refusal).to_contain_text("Another phone was quicker. Your entry was not recorded.")
    expect(cleo.refusal).to_contain_text("Ana laid 5-0")
    evening.entered(0)
    cleo.tap(cleo.refusal.get_by_text("Continue with the newer sheet"))
    expect(cleo.refusal).to_have_count(0)
    evening.stayed()


def test_what_is_tapped_without_a_server_is_entered_once_it_is_back(room: Room) -> None:
    evening = room.come("Cleo", watched=False)
    room.play(evening, 13)
    cleo = evening.at(1)
    room.hall.stop()
    for page in evening.pages:
        expect(page.locator("#waiting")).to_be_visible()
    cleo.lay("6-0", "w")
    expect(cleo.refusal).to_contain_text("Your entry is saved and will be sent automatically.")
    room.hall.start()
    evening.laid.append("6-0")
    evening.entered()
    expect(cleo.refusal).to_have_count(0)
    for page in evening.pages:
        expect(page.locator("#waiting")).to_be_hidden()
    evening.passes(2)
    evening.stayed()


def test_tiles_and_pips_left_are_counted(room: Room, club: Club) -> None:
    """Two hands are entered by tiles, two by pips. The sum is shown before it counts."""
    evening = room.come("Ana")
    club.page.goto(club.address)
    club.page.evaluate("window.neverReloaded = true")
    room.play(evening, len(MOVES) - 1)
    evening.passes(1)
    expect(evening.screens[0].get_by_text("The hand is over: counting tiles")).to_be_visible()
    ana = evening.at(3)
    ana.leave(0, *LEFT[0])
    ana.leave(1, *LEFT[1])
    ana.page.get_by_label("Dan").first.fill("26")
    ana.page.locator("#left-3").fill("32")
    preview = ana.page.locator("#preview-left")
    for words in ("Bo + Dan", "53", "27", "Cleo + Ana", "37"):
        expect(preview).to_contain_text(words)
    evening.entered(0)  # nothing counts yet
    ana.press("All agree: count it")
    evening.laid = []
    evening.length += 1
    for page in evening.pages:
        shows(page, evening.match, evening.length)
        expect(page.locator("[data-live]")).to_contain_text("53")
    expect(club.page.locator("[data-live]")).to_contain_text("53")
    assert club.page.evaluate("window.neverReloaded")
    evening.stayed()


def test_the_result_of_a_hand_takes_five_taps_and_outlives_a_restart(room: Room, club: Club) -> None:
    """Cleo went out; the pips of the others. The documents promise at most six taps."""
    evening = room.come("Cleo")
    club.page.goto(club.address)
    room.play(evening, len(MOVES), COUNTED)
    cleo = evening.at(1)
    page = cleo.page
    cleo.taps = 0
    cleo.tap(page.get_by_text("Already played? Enter only the result"))
    cleo.tap(page.get_by_role("group", name="Who went out?").get_by_role("radio", name="Cleo", exact=True))
    expect(page.locator("#final-left-0")).to_be_focused()
    page.keyboard.type("14")
    room.hall.stop()
    expect(page.locator("#waiting")).to_be_visible()
    cleo.tap(page.locator("#final-left-2"))
    page.keyboard.type("3")
    room.hall.start()
    expect(page.locator("#waiting")).to_be_hidden()
    expect(page.locator("#final-left-0")).to_have_value("14")
    cleo.tap(page.locator("#final-left-3"))
    page.keyboard.type("9")
    expect(page.locator("#preview-final")).to_contain_text("Cleo + Ana won")
    cleo.press("All agree: count it")
    assert cleo.taps == 5
    for each in evening.pages:
        shows(each, evening.match, evening.length + 1)
        for total in ("70", "46"):
            expect(each.locator("[data-live]")).to_contain_text(total)
    expect(evening.screens[0].locator("[data-live]")).to_contain_text("Cleo + Ana won")
    expect(club.page.locator("[data-live]")).to_contain_text("70")
    expect(club.page.locator("[data-live]")).to_contain_text("finished")
    assert room.hall.record(evening.match)["hands"][1]["final"] == LAST["final"]
    evening.stayed()


def test_the_match_is_shown_and_downloaded(hall: Hall, table: Table, visit: Callable[..., Page], tmp_path: Any) -> None:
    match = hall.play(table, "domino-whist", NAMES, [*told(len(MOVES)), COUNTED, LAST], OPTIONS)
    page = visit(**SCREEN)
    look_at_the_match(page, match)
    download(page, tmp_path)


def look_at_the_match(page: Page, match: int) -> None:
    """What everybody sees afterwards: the result, the sum of each hand, the replay."""
    page.goto(f"/matches/{match}/")
    for words in ("70", "46", "won", "Only the result of this hand was entered."):
        expect(page.get_by_role("main")).to_contain_text(words)
    page.get_by_role("link", name="Hand 1").click()
    slider = page.get_by_role("slider", name="Move")
    expect(slider).to_have_attribute("max", "18")
    slider.fill("3")
    expect(page.get_by_text("Dan laid 6-3").first).to_be_visible()
    expect(page.locator("svg.line:visible [data-tile]")).to_have_count(3)
    assert board(page) == ["6-1", "6-3", "6-6"]
    page.get_by_role("link", name="Next move").click()
    expect(page.locator("svg.line:visible [data-tile]")).to_have_count(4)
    slider.focus()
    page.keyboard.press("End")
    expect(page.locator("svg.line:visible [data-tile]")).to_have_count(10)
    page.get_by_text("How it was counted").first.click()
    expect(page.get_by_text("bad points").first).to_be_visible()


def download(page: Page, folder: Any) -> None:
    """The record from the page is valid by the command line."""
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Download as a record").click()
    waiting.value.save_as(folder / "record.json")
    record = json.loads((folder / "record.json").read_text())
    (folder / "record.ndjson").write_text(json.dumps(record) + "\n")
    command = [sys.executable, "-m", "games", "verify", str(folder / "record.ndjson")]
    verdict = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    assert verdict["valid"]
    assert verdict["finished"]
    assert verdict["totals"] == record["result"]["totals"] == [70, 46, 70, 46]
    assert verdict["winners"] == record["result"]["winners"] == [1, 3]
    assert verdict["irregularities"] == [{"hand": 0, "move": 4, "code": "wrong-pass"}]
