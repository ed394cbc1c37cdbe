"""A night of 22 people whose host makes every mistake there is. Each has its way out on the page where it happens."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.hall import PHONE, SCREEN, Club, Night, OtherClub, Phone, shows, version

pytestmark = pytest.mark.browser

# They were there last time. The tables of tonight are known by who sits there, whoever is drawn where.
LAST_TIME = (
    *("Alice Moss", "Boris Hahn", "Carla Nunes", "Derek Shaw", "Edith Lang", "Frank Otto", "Gilda Rossi", "Henry Dunn"),
    *("Iris Blum", "Jonas Kerr", "Karin Vogt", "Louis Petit", "Maria Soto", "Niels Bohm", "Olive Grant", "Piotr Zych"),
    *("Queenie Ford", "Ralph Stone", "Sonja Weiss", "Tomas Ruiz"),
)
BACK, MEMBER, SUBSTITUTE, NEW, DIRECTOR = "David Evans", "Ulla Maier", "Zita Klein", "Uschi Kint", "Dora Lund"
PLAYED = [{"kind": "hand", "opener": 0, "final": {"bad": [31, 12], "out": 0}}]
TIED = [{"kind": "hand", "opener": 0, "final": {"bad": [20, 20], "out": 0}}]


@pytest.fixture
def other_club(club: Club) -> Iterator[OtherClub]:
    """A club whose last night had matches of one hand, as has every night after it."""
    with OtherClub.opened(club, "Mistakes") as other:
        with other.night(LAST_TIME) as night:
            night.draw(hands=1).seat()
        other.add_players(BACK, MEMBER, SUBSTITUTE)
        yield other
        other.close_nights()


class Host:
    """The host, at a laptop."""

    def __init__(self, club: OtherClub) -> None:
        self.club, self.hall, self.page = club, club.hall, club.page

    def press(self, name: str, *, inside: Locator | None = None) -> None:
        (inside or self.page.locator("main")).get_by_role("button", name=name, exact=True).first.click()

    def open(self, part: str) -> None:
        self.page.locator("summary").filter(has_text=part).first.click()

    # --- the start ----------------------------------------------------------------------------------------------
    def starts_a_night(self) -> Night:
        """Ticks everybody from last time at once, and writes a member with a slip."""
        page = self.page
        page.goto(self.club.address)
        page.get_by_role("link", name="Start a night").first.click()
        page.get_by_label("Everybody from last time (20 people)").check()
        page.get_by_label("Guests and new people, one name per line").fill("Davd Evans")
        page.get_by_role("radio", name="Domino Whist").check()
        self.press("Fill the tables")
        expect(page.get_by_text("You typed Davd Evans. Did you mean David Evans?")).to_be_visible()
        page.get_by_label("Use David Evans").check()
        self.press("Continue")
        expect(page.get_by_role("heading", name="21 people here")).to_be_visible()
        return Night(self.club, int(re.findall(r"/nights/(\d+)/", page.url)[0]))

    def wants_a_game_for_another_number(self) -> None:
        table = self.page.locator(".drawn-table").first
        table.locator("summary").click()
        expect(table).to_contain_text(re.compile(r"Not for this table:.*DOM \(2 players\)", re.S))

    def seats(self, night: Night) -> None:
        self.press("Seat them")
        expect(self.page.get_by_role("link", name=re.compile("no entries yet")).first).to_be_visible()
        night.seated()

    # --- matches and sheets -------------------------------------------------------------------------------------
    def wrote_the_wrong_person(self, match: int, wrong: str, right: str) -> None:
        """The match is over. Somebody else played, who was not drawn to the table."""
        page = self.page
        page.goto(f"/matches/{match}/")
        page.get_by_role("link", name="The seats are wrong").click()
        page.get_by_text("Somebody else played").click()
        page.get_by_label(f"Not {wrong}, but").fill(right)
        self.press("Show what it changes")
        expect(page.get_by_role("row", name=re.compile(f"{wrong} {right}"))).to_be_visible()
        self.press("Save the correction")
        expect(page.get_by_role("heading", name="Corrections")).to_be_visible()
        assert right in self.hall.record(match)["players"]

    def types_a_sheet(self, night: Night, match: int) -> None:
        self.page.goto(f"{night.path}desk/")
        self.page.get_by_role("link", name="Enter a paper sheet").click()
        self.page.locator(f'a[href="?match={match}"]').click()
        self._fill_sheet()
        self.press("Save")
        expect(self.page.get_by_role("status").filter(has_text="Saved:")).to_be_visible()

    def types_it_again(self, night: Night, players: list[str]) -> int:
        """The same players with the same result. Returns the new match."""
        page = self.page
        page.goto(f"{night.path}desk/")
        page.get_by_role("link", name="Enter a paper sheet").click()
        page.get_by_role("link", name="Domino Whist", exact=True).click()
        for seat, name in enumerate(players):
            page.locator(f"[name=player-{seat}]").fill(name)
        self._fill_sheet()
        self.press("Save")
        expect(page.locator("#refusal")).to_contain_text(re.compile(r"31 : 12, was saved .* ago. Save it again\?"))
        self.press("Save anyway")
        expect(page.get_by_role("status").filter(has_text="Saved:")).to_be_visible()
        return int(page.url.rstrip("/").rpartition("/")[2])

    def _fill_sheet(self) -> None:
        page = self.page
        page.locator("[name=h0-out]").select_option("1")
        page.locator("[name=h0-bad-0]").fill("31")
        page.locator("[name=h0-bad-1]").fill("12")
        page.locator("[name=h0-bad-1]").press("Tab")
        expect(page.locator("#verdict")).to_contain_text("won")

    def removes(self, match: int) -> None:
        self.page.goto(f"/matches/{match}/")
        self.open("Remove this match")
        self.page.get_by_label("Why was it entered by mistake?").fill("Typed twice")
        self.press("Remove the match")
        expect(self.page.get_by_role("status").filter(has_text="Match removed.")).to_be_visible()

    def removes_the_wrong_one(self, match: int) -> None:
        """What is removed can be restored where it was removed."""
        self.removes(match)
        self.press(f"Restore: match {match}")
        expect(self.page.get_by_role("status").filter(has_text="Match restored.")).to_be_visible()

    def takes_it_all_back(self, match: int) -> None:
        """A typed sheet, with its result."""
        self.page.goto(f"/matches/{match}/")
        self.press("Undo it and everything after it")
        expect(self.page.get_by_role("alert")).to_contain_text("31 : 12 becomes 0 : 0")
        self.press("Undo it all")
        expect(self.page.get_by_text("No hand has been played yet.")).to_be_visible()

    # --- the second round, and the end --------------------------------------------------------------------------
    def types_a_name_and_mixes(self, night: Night, left: str) -> None:
        """Whoever was replaced has left. Then without saving who is here, and at first without network. Two of the 22
        are left over and play a game for two."""
        page = self.page
        page.goto(f"{night.path}desk/")
        page.get_by_role("heading", name="22 people here").click()
        page.locator(".tick").filter(has_text=left).click()
        expect(page.get_by_role("heading", name="21 people here")).to_be_visible()
        page.get_by_label("Add somebody, one name per line").fill(NEW)
        page.get_by_label("Players left over").select_option(label="plays Draw (2 players)")
        page.route("**/entries/", lambda route: route.abort())
        self.press("Mix: new partners, new opponents")
        expect(page.get_by_role("alert")).to_contain_text("Nothing was saved.")
        expect(page.get_by_label("Add somebody, one name per line")).to_have_value(NEW)
        page.unroute("**/entries/")
        self.press("Mix: new partners, new opponents")
        expect(page.get_by_role("heading", name="22 people here")).to_be_visible()
        expect(page.locator(".drawn-table")).to_have_count(6)

    def closes_too_early(self, night: Night) -> None:
        """One match is still in play."""
        page = self.page
        page.goto(f"{night.path}desk/")
        self.press("Close the night")
        expect(page.get_by_role("alert")).to_contain_text("Choose below what to do with them")
        page.get_by_role("radio", name=re.compile("the current scores? count")).check()
        self.press("Close the night")
        expect(page.get_by_role("heading", name="The night is closed")).to_be_visible()

    # --- people and accounts ------------------------------------------------------------------------------------
    def merges_two_people(self) -> None:
        """Who came as NEW tonight is in the club already, or so it seems. The search finds them with a slip."""
        page = self.page
        page.goto(self.club.address)
        search = page.get_by_role("searchbox", name="Search")
        search.fill("ushci kint")
        search.press("Enter")
        page.get_by_role("link", name=re.compile(f"{NEW}.*{self.club.name}")).first.click()
        page.get_by_role("link", name="Names, merging and more").click()
        page.get_by_label("The person who stays").fill(MEMBER)
        self.press("Merge")
        page.get_by_role("button", name=re.compile("^Merge .+ with ")).click()
        expect(page.get_by_role("heading", name=MEMBER)).to_be_visible()
        expect(page.get_by_text("Has played 1 match.")).to_be_visible()
        self.press("Separate")
        expect(page.get_by_text("Has played 0 matches.")).to_be_visible()

    def makes_a_link(self, button: str, inside: str) -> str:
        """On the page of the members. The link is shown once."""
        page = self.page
        page.goto(f"{self.club.address}members/")
        if inside:
            self.open(inside)
            self.press(button, inside=page.get_by_role("listitem").filter(has_text=inside))
        else:
            page.locator("form", has=page.get_by_role("button", name=button)).get_by_label("Role").select_option(
                "director"
            )
            self.press(button)
        return page.locator(".card .address").inner_text().strip()


class Tables:
    """The phones at the tables."""

    def __init__(self, visit: Callable[..., Page], night: Night) -> None:
        self.visit, self.night = visit, night

    def phone(self) -> Phone:
        return Phone(self.visit(**PHONE))

    def take_the_pad_in_use(self, host: Host, match: int) -> Phone:
        """One phone plays. Another one types the code of the table, first a wrong one, then with capitals and spaces.
        Returns it."""
        names = host.hall.record(match)["players"]
        playing, other = self.phone(), self.phone()
        playing.join(self.night.link(1))
        playing.open_hand(names[0])
        playing.lay("6-6")
        shows(playing.page, match, 2)
        host.page.goto(f"{host.club.address}tables/")
        host.press("QR code")
        code = host.page.locator(".short").inner_text()
        other.page.goto("/t/")
        for typed in ("grace", code.replace("-", " ").upper()):
            other.page.get_by_label("The code on the card of the table").fill(typed)
            other.press("Go to the table")
            if typed == "grace":
                expect(other.refusal).to_contain_text("No table plays with this code.")
        expect(other.page.get_by_text("The last entry was made at")).to_be_visible()
        other.press("Take the pad")
        expect(playing.page.locator(".handed")).to_contain_text("Another phone has had the pad since")
        return other

    def replace_with_a_slip(self, phone: Phone, host: Host, match: int) -> None:
        """Whom the name of a substitute means is asked on the phone, before anything is entered."""
        page, leaves = phone.page, host.hall.record(match)["players"][3]
        phone.tap(page.locator("#substitute > summary"))
        phone.tap(page.locator("#substitute .choice").filter(has_text=leaves))
        page.get_by_label("Who replaces them?").fill("Zita Kleni")
        phone.press("Replace")
        expect(phone.refusal).to_contain_text(f"You typed Zita Kleni. Did you mean {SUBSTITUTE}?")
        phone.press(f"Use {SUBSTITUTE}")
        shows(page, match, 3)
        expect(page.get_by_text(f"{SUBSTITUTE} for {leaves}").first).to_be_visible()

    def dispute(self, phone: Phone, host: Host, match: int) -> None:
        """A player calls the host by a dispute, which everybody sees until the host settles it. The phone learns that
        too."""
        name, page, desk = host.hall.record(match)["players"][1], phone.page, host.page
        everybody = self.visit(**PHONE)
        phone.tap(page.locator("summary").filter(has_text=f"Dispute: {name}"))
        page.get_by_label("What is wrong?").filter(visible=True).fill("We had 31")
        phone.press(f"{name}: dispute and call the host")
        everybody.goto(self.night.path)
        expect(everybody.locator(f"#night-result-{match}")).to_contain_text("disputed")
        desk.goto(f"{self.night.path}desk/")
        expect(desk.locator("#tables li").first).to_contain_text("disputed")
        desk.locator("#calls").get_by_role("button", name="Settled: the score stays").click()
        expect(page.locator("#call")).to_contain_text(f"{host.club.host} settled this at")
        expect(page.locator("#sheet")).not_to_contain_text("Disputed by")
        expect(everybody.locator(f"#night-result-{match}")).not_to_contain_text("disputed")

    def choose_the_wrong_chip(self, host: Host) -> int:
        """At a free table. A chip replaces the name in the focused field, else in the last one. Returns the match."""
        phone = self.phone()
        phone.join(host.club.make_table().link)
        phone.tap(phone.page.get_by_role("link", name="Draw"))
        chips = phone.page.locator("[data-quick]")
        first, second = (phone.page.get_by_label(f"Player {number}") for number in (1, 2))
        for name in LAST_TIME[:3]:
            phone.tap(chips.get_by_role("button", name=name))
        expect(second).to_have_value(LAST_TIME[2])
        first.focus()
        phone.tap(chips.get_by_role("button", name=LAST_TIME[3]))
        phone.press("Start")
        expect(phone.sheet).to_have_attribute("data-version", re.compile(":0$"))
        match, _length = version(phone.page)
        assert host.hall.record(match)["players"] == [LAST_TIME[3], LAST_TIME[2]]
        return match


def signs_in(page: Page, name: str, password: str) -> None:
    page.goto("/login/")
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()


def forgets_the_password(host: Host, visit: Callable[..., Page]) -> None:
    """A director who comes by an invitation, signs in with other capitals, and then has forgotten the password."""
    invited, phone = visit(**SCREEN), visit(**PHONE)
    invited.goto(host.makes_a_link("Make an invitation", ""))
    invited.get_by_label("Your name").fill(DIRECTOR)
    invited.get_by_label("Password").fill("slow tiles click")
    invited.get_by_role("button", name="Accept").click()
    expect(invited.get_by_role("heading", name=host.club.name)).to_be_visible()
    signs_in(phone, DIRECTOR.swapcase(), "slow tiles click")
    phone.get_by_role("button", name="Sign out").click()
    phone.context.clear_cookies()  # another phone
    for _ in range(5):
        signs_in(phone, DIRECTOR, "forgotten")
        expect(phone.get_by_role("alert")).to_contain_text(re.compile("Wrong name or password|Try again in"))
    signs_in(phone, DIRECTOR, "slow tiles click")
    expect(phone.get_by_role("alert")).to_contain_text("Try again in 15 minutes")
    phone.get_by_role("link", name="Forgotten your password?").click()
    expect(phone.get_by_text("An owner of your club can also give you a link")).to_be_visible()
    link = host.makes_a_link("Link for a new password", DIRECTOR)
    phone.goto(link)
    phone.get_by_label("New password").fill("quick tiles clack")
    phone.get_by_role("button", name="Save and sign in").click()
    expect(phone.get_by_role("status")).to_contain_text("Your password is changed.")
    phone.goto(link)
    expect(phone.get_by_role("heading", name="This link was already used or has expired.")).to_be_visible()


def middle(place: Locator) -> float:
    box = place.bounding_box()
    assert box
    return box["y"] + box["height"] / 2


def test_words_are_level_with_their_tick_and_a_message_has_room(other_club: OtherClub) -> None:
    page = other_club.page  # people have just been added
    guests = page.get_by_role("checkbox", name="They are guests")
    assert abs(middle(guests) - middle(page.get_by_text("They are guests"))) < 2
    bar, said = page.locator(".bar").bounding_box(), page.get_by_text("3 players added.").locator("..").bounding_box()
    assert bar
    assert said
    assert said["y"] >= bar["y"] + bar["height"] + 8


def test_a_tick_for_many_people_stays_while_all_of_them_are_ticked(other_club: OtherClub) -> None:
    page = other_club.page
    page.goto(f"{other_club.address}nights/new/")
    everybody, members = page.get_by_label("Everybody from last time"), page.get_by_label("All members")
    ticks = page.locator("[name=here]")
    members.check()
    assert ticks.and_(page.locator(":checked")).count() == 3
    everybody.check()
    page.get_by_label(MEMBER).uncheck()
    expect(members).not_to_be_checked()
    expect(everybody).to_be_checked()
    assert ticks.and_(page.locator(":checked")).count() == ticks.count() - 1


def test_a_night_of_every_mistake(other_club: OtherClub, visit: Callable[..., Page]) -> None:
    host, hall = Host(other_club), other_club.hall
    night = host.starts_a_night()
    host.wants_a_game_for_another_number()
    host.seats(night)
    phones, replaced, tied, twice, taken_back = night.matches.values()
    players = {match: hall.record(match)["players"] for match in night.matches.values()}
    (out,) = {*LAST_TIME, BACK} - {name for names in players.values() for name in names}

    tables = Tables(visit, night)
    phone = tables.take_the_pad_in_use(host, phones)
    tables.replace_with_a_slip(phone, host, phones)
    hall.go_on(phones, [{"kind": "final", "final": PLAYED[0]["final"]}])
    tables.dispute(phone, host, phones)

    hall.go_on(replaced, PLAYED)
    host.wrote_the_wrong_person(replaced, players[replaced][0], out)
    host.types_a_sheet(night, twice)
    again = host.types_it_again(night, players[twice])
    host.removes_the_wrong_one(twice)
    host.removes(again)
    host.types_a_sheet(night, taken_back)
    host.takes_it_all_back(taken_back)
    hall.go_on(taken_back, PLAYED)
    hall.go_on(tied, TIED)
    hall.go_on(tables.choose_the_wrong_chip(host), [{"kind": "stop", "stopped": "abandoned"}])

    host.types_a_name_and_mixes(night, players[phones][3])
    host.seats(night)
    *over, unfinished = night.matches.values()
    for match in over:
        hall.go_on(match, PLAYED)
    hall.go_on(unfinished, [{"kind": "hand", "opener": 0, "final": {"table": [0, 0], "left": [0, 12], "out": 0}}])
    host.closes_too_early(night)
    host.merges_two_people()
    forgets_the_password(host, visit)

    _status, text = hall.server.ask("GET", f"{night.path}results.txt")
    assert text.count("(Domino Whist") == 10, "no sheet counts twice"
    assert re.search("3: .* 20, .* 20 .*tied", text)
    assert re.search("6: .*Draw, ended when the night was closed", text)
