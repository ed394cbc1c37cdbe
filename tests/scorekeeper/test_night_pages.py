"""The public pages of a club night: who sits where, the big screen, sharing."""

import re
from collections.abc import Callable, Iterator
from html import unescape
from html.parser import HTMLParser
from typing import Any
from zipfile import ZipFile

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from games import GAMES
from scorekeeper.models import Club, Event, Job, Match, Player
from scorekeeper.selectors.events import state_of
from scorekeeper.selectors.matches import record_of
from scorekeeper.services import archive, clubs, event_file, events, files, jobs, matches
from scorekeeper.tasks import WORK
from tests.browsing import Browser
from tests.conftest import NOW, Cast, enter
from tests.nights import at, drawn, first, names_of, night_of, played, seated

WHIST = "domino-whist"
LONG = "Maximiliane-Charlotte Wilhelmina Featherstonehaugh-Smythe von und zu Hohenstein"[:80]
HARD = ("<b>Bold</b>", 'Ann & "Co" \'O', LONG, "אבגדה")


def page(night: Event, of: str = "", client: Client | None = None) -> str:
    answer = (client or Client()).get(f"/nights/{night.pk}/{of}")
    assert answer.status_code == 200
    return answer.content.decode()


def words(html: str) -> str:
    """The visible text of the page."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def going(night: Event) -> list[Match]:
    return list(night.matches.filter(status=Match.Status.PLAYING).order_by("table__number"))


def close(night: Event) -> Event:
    events.close(event_id=night.pk, open_matches="abandon", step=at(night, "close"))
    night.refresh_from_db()
    return night


def test_a_closed_night_says_so_and_lists_nobody_as_waiting(cast: Cast) -> None:
    night = close(night_of(cast, 9))
    for of in ("", "seats/", "screen/"):
        shown = words(page(night, of))
        assert "The night is over" in shown
        assert "waits" not in shown
        assert "Waiting" not in shown


@pytest.mark.parametrize("tables", [2, 20])
def test_the_night_costs_few_queries_whatever_its_size(
    cast: Cast, tables: int, as_user: Callable[[str], Client], django_assert_max_num_queries: Any
) -> None:
    night = night_of(cast, tables * 4 + 2)
    for match in going(night)[::2]:
        played(match)
    host = as_user("owner")
    assert host.get(f"/tables/{cast.table.pk}/").status_code == 200
    me = state_of(night).here[0]
    with django_assert_max_num_queries(16) as night_page:
        assert words(page(night, f"?me={me}", host)).count("not started") == tables // 2
    prices = [len(night_page)]
    for other in ("seats/", "screen/", "results.txt"):
        with django_assert_max_num_queries(16) as queries:
            page(night, other, host)
        prices.append(len(queries))
    assert prices == [16, 12, 16, 12]


def test_a_draft_is_the_hosts_alone(cast: Cast) -> None:
    night = night_of(cast, 9)
    for match in going(night):
        played(match)
    pages = ("", "seats/", "screen/", "results.txt")

    def shown() -> list[str]:
        return [words(page(night, of)) for of in pages]

    before = shown()
    drawn(night)
    assert shown() == before
    seated(night)
    assert shown()[:3] != before[:3]
    assert "not started" in shown()[0]


def test_before_anything_is_drawn_it_says_what_comes(cast: Cast) -> None:
    night = night_of(cast, 9, rounds=0)
    for of in ("", "screen/"):
        said = words(page(night, of))
        assert "No draw yet" in said
        assert "9 people are here" in said
    assert "The host draws the seats next" in words(page(night, "seats/"))
    drawn(night)
    assert "No draw yet" in words(page(night))


def test_a_substitute_is_one_of_those_who_are_here(cast: Cast) -> None:
    night = night_of(cast, 5)
    match = going(night)[0]
    enter(match, [{"kind": "substitute", "seat": 0, "from": 0, "player": "Zora"}])
    played(match)
    assert "6 people are here" in words(page(night, "screen/"))


def test_a_new_name_is_on_all_pages_of_an_open_night(cast: Cast, as_user: Callable[[str], Client]) -> None:
    night = night_of(cast, names=["Davd Evans", "Bruno", "Carmen", "Dmitri"], rounds=2)
    renamed = Player.objects.get(name="Davd Evans")
    clubs.player_rename(club=cast.club, player_id=renamed.pk, name="Dafydd Evans", now=NOW)
    shown = [page(night, of) for of in ("", f"?me={renamed.pk}", "seats/", "screen/", "results.txt")]
    shown += [page(night, of, as_user("director")) for of in ("desk/", "scorer/")]
    for each in shown:
        assert "Dafydd Evans" in each
        assert "Davd Evans" not in each
    assert "Davd Evans" in words(Client().get(f"/matches/{going(night)[0].pk}/").content.decode())
    night = close(night)
    assert "Davd Evans" in page(night, "results.txt"), "as it was written down"


def test_who_sits_where_says_table_and_seat(cast: Cast) -> None:
    night = night_of(cast, 5)
    seats = [seat.name for seat in going(night)[0].seats.all()]
    assert f"{seats[0]} 1 seat 1 with {seats[2]}" in words(page(night, "seats/"))


def test_the_big_screen_says_in_words_who_has_no_table(cast: Cast) -> None:
    shown = words(page(night_of(cast, 5), "screen/"))
    assert "sits out" in shown
    assert "–:" not in shown


def test_where_do_i_sit(cast: Cast) -> None:
    night = night_of(cast, 9)
    match = going(night)[0]
    names = [seat.name for seat in match.seats.all()]
    visitor = Browser().open(f"/nights/{night.pk}/")
    assert answer_of(visitor) == ""
    form, _button = visitor.button("Show")
    assert (form.method, form.names) == ("get", {"me"})
    player = match.seats.get(number=2).player_id
    visitor.open(f"/nights/{night.pk}/?me={player}")
    assert answer_of(visitor) == f"Table 1 Seat 3, with {names[0]}, against {names[1]} and {names[3]}"
    visitor.open(f"/nights/{night.pk}/")
    assert answer_of(visitor).startswith("Table 1"), "the phone knows him the next time"
    (out,) = state_of(night).rounds[-1].byes
    visitor.open(f"/nights/{night.pk}/?me={out}")
    assert answer_of(visitor) == "You sit out this round. This is your first time tonight."
    for stranger in ("", "999999", "made-up", "%0a%00é", "x" * 5000):
        visitor.open(f"/nights/{night.pk}/?me={stranger}")
        assert answer_of(visitor) == ""


def answer_of(visitor: Browser) -> str:
    assert visitor.answer is not None
    found = re.search(r'<p id="my-seat".*?</p>', visitor.answer.content.decode(), re.DOTALL)
    assert found
    return words(re.sub("</?bdi>", "", found[0]))


def test_people_who_wait_and_people_with_another_bye(cast: Cast) -> None:
    night = night_of(cast, 5, names=["Ana", "Bo", "Cleo", "Dan", "Eva"])
    (first,) = state_of(night).rounds[0].byes
    assert "Waiting for the next draw" not in words(page(night))
    events.tick(event_id=night.pk, came=[], left=[], guests=["Late"], step=at(night, "late"))
    assert "Waiting for the next draw Late" in words(page(night))
    played(going(night)[0])
    said = words(page(night, f"?me={first}"))
    assert "Sitting out" not in said
    assert "Wait for the next draw." in said


def test_a_substitute_is_shown_at_the_seat(cast: Cast) -> None:
    night = night_of(cast, 5, names=["Ana", "Bo", "Cleo", "Dan", "Eva"])
    match = played(going(night)[0], moves=3)
    (out,) = state_of(night).rounds[0].byes
    name = Player.objects.get(pk=out).name
    first = match.seats.get(number=0)
    enter(match, [{"kind": "substitute", "seat": 0, "player": name, "from": 0}], prefix="s")
    assert answer_of(Browser().open(f"/nights/{night.pk}/?me={out}")).startswith("Table 1 Seat 1, with")
    assert "Wait for" in answer_of(Browser().open(f"/nights/{night.pk}/?me={first.player_id}"))
    assert f"{name} for {first.name}" in words(page(night))
    partner = match.seats.get(number=2)
    assert f"with {name}" in answer_of(Browser().open(f"/nights/{night.pk}/?me={partner.player_id}"))


def test_results_by_round_name_the_winners(cast: Cast) -> None:
    night = night_of(cast, 8, rounds=2)
    first = night.matches.filter(round=1).order_by("table__number")[0]
    winners = next(side for side in GAMES[first.game].sides(4) if side[0] in first.sheet["winners"])
    won = " + ".join(seat.name for seat in first.seats.all() if seat.number in winners)
    said = words(page(night))
    assert "Round 2" not in said
    assert f"{won} won" in said.replace(" + ", " + ")
    Match.objects.filter(pk=first.pk).update(unverified=True)
    played(going(night)[0])
    said = words(page(night))
    assert said.index("Round 2") < said.index("Round 1")
    assert "without hands" in said
    assert " won " in words(page(night, "screen/"))


def test_a_match_given_up_before_its_first_hand_is_no_result(cast: Cast) -> None:
    night = night_of(cast, 4)
    enter(going(night)[0], [{"kind": "stop", "stopped": "abandoned"}])
    assert "Results" not in words(page(night)).replace("Results as text", "")
    assert page(night, "results.txt") == "Rovers\n\n9 May 2026\n".replace("\n\n", "\n")


def test_the_points_of_the_night(cast: Cast) -> None:
    night = night_of(cast, 9, rounds=3, games=(WHIST, "block"))
    said = words(page(night))
    assert "Domino Whist Place Name Won Played Bad points Difference 1 " in said
    assert "Block Place Name Won Played Points Difference 1 " in said
    assert "Points" in words(page(night, "screen/"))


def test_the_points_of_the_most_played_game_are_open(cast: Cast) -> None:
    night = night_of(cast, 10, rounds=2, games=(WHIST, "draw"))
    points = page(night).split('id="night-points"')[1]
    assert re.findall(r'id="part-points-([a-z-]+)"( open)?', points) == [("draw", ""), (WHIST, " open")]


def test_the_last_hand_and_the_time(cast: Cast) -> None:
    night = night_of(cast, 8, minutes=45)
    assert 'data-until="2026-05-09T20:15:00+00:00"' in page(night, "screen/")
    first, _second = going(night)
    matches.call_last_hand(match_id=first.pk, now=NOW)
    some = words(page(night, "screen/"))
    assert ("Last hand" in some, some.count("last hand")) == (False, 1), "at its table alone"
    events.call_last_hand(event_id=night.pk, step=at(night, "last"))
    assert words(page(night)).count("last hand") == 2
    assert "Last hand" in words(page(night, "screen/"))


def test_hard_names_are_names_everywhere(cast: Cast) -> None:
    night = night_of(cast, names=HARD, rounds=2)
    for match in going(night):
        played(match)
    shown = {of: page(night, of) for of in ("", "seats/", "screen/")}
    shown["document"] = document(close(night))
    for html in shown.values():
        assert "<b>Bold" not in html
        said = words(html)
        for name in HARD[1:]:
            assert name in said
    text = page(night, "results.txt")
    assert "<b>Bold</b>" in text
    assert "\N{FIRST STRONG ISOLATE}אבגדה\N{POP DIRECTIONAL ISOLATE}" in text


def test_results_as_text(cast: Cast) -> None:
    night = night_of(cast, 5, names=["Ana", "Bo", "Cleo", "Dan", "Eva"], rounds=2)
    answer = Client().get(f"/nights/{night.pk}/results.txt")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    lines = answer.content.decode().splitlines()
    assert lines[:4] == ["Rovers", "9 May 2026", "", "Round 1"]
    assert re.fullmatch(r"1: ✓ \w+ \+ \w+ \d+, \w+ \+ \w+ \d+", lines[4])
    assert lines[6] == "Domino Whist: won / played, difference"
    assert re.fullmatch(r"1\. \w+ 1 / 1, \+\d+", lines[7])
    differences = [int(line.rpartition(", ")[2].replace("−", "-")) for line in lines[7:11]]
    assert differences == sorted(differences, reverse=True), "the figures shown are those that decide the order"
    assert lines[-1] == "1 match is in play"
    assert max(map(len, lines)) < 60
    in_spanish = Client().get(f"/nights/{night.pk}/results.txt", headers={"Accept-Language": "es"}).content.decode()
    assert "9 May 2026" in in_spanish


def test_what_was_given_up_before_anything_was_scored_has_no_points(cast: Cast) -> None:
    night = night_of(cast, 8)
    given_up, other = going(night)
    enter(given_up, [{"kind": "hand", "opener": 0}])
    played(other)
    close(night)
    first, second = page(night, "results.txt").splitlines()[4:6]
    assert re.fullmatch(r"1: \w+ \+ \w+, \w+ \+ \w+ \(abandoned\)", first)
    assert re.search(r" \d+, .+ \d+$", second)
    in_file = words(document(night))
    assert re.search(r"1 \w+ \+ \w+ \w+ \+ \w+ Domino Whist · abandoned", in_file)


def everywhere(night: Event, match: Match) -> dict[str, str]:
    """The words of all pages and texts that show a match of a night that is closed."""
    visitor = Browser()
    shown = {of: words(page(night, of)) for of in ("", "screen/", "results.txt")}
    shown["file"] = words(document(night))
    shown["match"] = visitor.open(f"/matches/{match.pk}/").words
    shown["club"] = visitor.open("/clubs/rovers/").words
    return shown


def test_a_match_that_ended_with_the_night_says_so_everywhere(cast: Cast) -> None:
    night = night_of(cast, 4, games=("draw", "draw"), hands=9)
    match = going(night)[0]
    enter(match, [{"kind": "hand", "opener": 0, "final": {"table": [0, 0], "left": [[], 30], "out": 0}}])
    events.close(event_id=night.pk, open_matches="count", step=at(night, "close"))
    match.refresh_from_db()
    assert (match.sheet["stopped"], match.sheet["ended"]) == ("time", "night-closed")
    for of, said in everywhere(night, match).items():
        assert "ended when the night was closed" in said, of
        assert "time was up" not in said, of
    record = record_of(match)
    assert (record["stopped"], record["meta"]["stopped"]) == ("time", "ended when the night was closed")
    events.undo(event_id=night.pk, step=at(night, "undo"))
    match.refresh_from_db()
    assert match.status == Match.Status.PLAYING


def test_a_result_that_was_only_typed_is_unverified_everywhere(cast: Cast, as_user: Callable[[str], Client]) -> None:
    night, host = night_of(cast, 4), as_user("director")
    match = enter(going(night)[0], [{"kind": "result", "totals": [10, 100, 10, 100], "stopped": "early"}])
    lists = {"": "night-tables", "screen/": "items cards", "desk/": "list desk-tables", "scorer/": "list"}
    for of, name in lists.items():
        row = page(night, of, host).split(f'"{name}"')[1].split("</li>")[0]
        assert "ended early · without hands" in words(row), of
    for of, said in everywhere(close(night), match).items():
        assert "without hands" in said, of


def test_a_tie_is_a_tie_everywhere(cast: Cast) -> None:
    night = night_of(cast, 4, games=("draw", "draw"), hands=1)
    match = going(night)[0]
    enter(match, [{"kind": "hand", "opener": 0, "final": {"table": [0, 0], "left": [20, 20], "out": None}}])
    Event.objects.filter(pk=night.pk).update(closed_at=NOW)
    one, other = (seat.name for seat in match.seats.all())
    assert f"{one} and {other} tied" in Browser().open(f"/tables/{match.table_id}/watch/").words
    for of, said in everywhere(night, match).items():
        assert "tied" in said, of
        assert not re.search(r"\d won |✓ " + f"|{one} won|{other} won", said), of
    job = archive.start(club=night.club, by=None, now=NOW, night=night)
    work()
    job.refresh_from_db()
    file = files.file_of(job)
    assert file
    with ZipFile(file) as folder:
        assert folder.read("matches.csv").decode().count(",tie,") == 2


def test_results_name_the_game_where_there_are_several(cast: Cast) -> None:
    night = night_of(cast, 8, rounds=2, games=(WHIST, "block"))
    text = page(night, "results.txt")
    assert re.search(r"^\d: ✓ .+ \(Domino Whist\)$", text, re.M)
    assert re.search(r"^\d: ✓ .+ \(Block\)$", text, re.M)
    assert "Block: won / played, difference" in text.splitlines()


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    yield
    for file in files.archives().glob("*"):
        file.unlink()


def work() -> None:
    """Runs every job that waits, as a worker does."""
    for job in Job.objects.filter(state=Job.State.NEW):
        jobs.run(job.pk, WORK)


def document(night: Event) -> str:
    """The night's file as a visitor gets it."""
    visitor = Browser().open(f"/nights/{night.pk}/").press("The night as one file")
    assert "Waiting to start" in visitor.words
    work()
    visitor.open(visitor.path)
    assert "The file is ready" in visitor.words
    answer: Any = visitor.client.get(f"{visitor.path}?download")
    assert "attachment" in answer["Content-Disposition"]
    return b"".join(answer.streaming_content).decode()


class References(HTMLParser):
    """Everything in a document that could load something from elsewhere."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.outside: list[str] = re.findall(r"url\s*\(|@import|https?://|data:", html)
        self.ids: set[str] = set()
        self.inside: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "link", "iframe", "img", "object", "embed", "base", "form", "use", "image"):
            self.outside.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.add(value or "")
            if name == "href" and (value or "").startswith("#"):
                self.inside.add((value or "")[1:])
            elif name in ("src", "href", "xlink:href", "srcset", "action", "data", "poster") or name.startswith("on"):
                self.outside.append(f"{name}={value}")


def test_the_file_needs_nothing_from_elsewhere(cast: Cast) -> None:
    night = night_of(cast, 9, rounds=2, games=(WHIST, "block"))
    match = going(night)[0]
    played(match)
    html = document(close(night))
    found = References(html)
    assert found.outside == []
    assert found.inside == {f"match-{each.pk}" for each in night.matches.filter(status="finished")}
    assert found.inside <= found.ids
    assert html.count('<svg class="line"') == sum(
        len(each.sheet["hands"]) for each in night.matches.filter(status="finished")
    )
    assert "url(" not in html
    said = words(html)
    assert said.count("Round 2") == 2
    assert "Points" in said
    assert re.search(r"\[\d-\d\] \d", said), "the arithmetic, tile by tile"


def test_the_file_is_made_once_and_again_when_something_changed(cast: Cast) -> None:
    night = night_of(cast, 8)
    visitor = Browser().open(f"/nights/{night.pk}/file/")
    assert "after the host closes the night" in visitor.words
    visitor.post(f"/nights/{night.pk}/file/", {})
    files_made = Job.objects.filter(kind=event_file.KIND)
    assert not files_made.exists()
    close(night)
    document(night)
    for _tap in range(3):
        visitor.post(f"/nights/{night.pk}/file/", {})
        assert "The file is ready" in visitor.words
    assert files_made.count() == 1
    other = Browser(language="es").post(f"/nights/{night.pk}/file/", {})
    assert files_made.count() == 2, "in each language one"
    assert other.status == 200
    events.undo(event_id=night.pk, step=at(night, "undo"))
    played(going(night)[0])
    assert not visitor.open(f"/nights/{night.pk}/file/").has_button("Make")
    close_again(night)
    assert visitor.open(f"/nights/{night.pk}/file/").has_button("Make the file")


def close_again(night: Event) -> None:
    events.close(event_id=night.pk, open_matches="abandon", step=at(night, "close again"))


def test_a_file_that_failed_is_made_again(cast: Cast) -> None:
    night = close(night_of(cast, 4))
    visitor = Browser().post(f"/nights/{night.pk}/file/", {})
    Job.objects.update(state=Job.State.FAILED, finished_at=timezone.now())
    visitor.open(visitor.path)
    assert "This failed" in visitor.words
    visitor.press("Make the file")
    work()
    assert "The file is ready" in visitor.open(visitor.path).words


def test_the_archive_of_a_night_has_its_matches_alone(cast: Cast, as_user: Callable[[str], Client]) -> None:
    night = night_of(cast, 8)
    cast.open(WHIST)
    Match.objects.filter(event=night).exclude(round=1).update(event=None)
    host = Browser(as_user("owner")).open(f"/nights/{night.pk}/").press("Archive: records")
    assert "Archive of this night" in host.words
    assert host.post(f"/nights/{night.pk}/archive/", {}).path == host.path
    archives = Job.objects.filter(kind=archive.KIND).order_by("pk")
    assert archives.count() == 1
    assert "Archive of all matches" in host.post("/clubs/rovers/archive/", {}).words
    work()
    jobs_by_size = [matches_in(job) for job in archives]
    assert jobs_by_size == [2, 3]


def matches_in(job: Job) -> int:
    file = files.file_of(job)
    assert file
    with ZipFile(file) as archive:
        return len(archive.read("records.ndjson").splitlines())


def test_the_short_address_leads_to_the_screen(cast: Cast) -> None:
    visitor = Browser().open("/tv/")
    assert "No club night right now" in visitor.words
    assert "The last night" not in visitor.words
    night = night_of(cast, 4)
    assert visitor.open("/tv").path == f"/nights/{night.pk}/screen/"
    other = events.start(club=cast.other_club, players=[], step=first("start"))
    assert visitor.open("/tv/").follow("Wanderers").path == f"/nights/{other.pk}/screen/"
    for each in (night, other):
        close(each)
    visitor.open("/tv/").follow("The last night of Wanderers")
    assert "No match was finished" in visitor.words


def test_ways_to_the_night(cast: Cast) -> None:
    night = night_of(cast, 4)
    path = f"/nights/{night.pk}/"
    table = going(night)[0].table_id
    assert Browser().open("/").follow("Follow the club night at Rovers").path == path
    assert Browser().open(f"/tables/{table}/watch/").follow("The whole club night").path == path
    assert Browser().open(path).follow("Big screen").path == f"{path}screen/"
    assert Browser().open(path).follow("Who sits where").path == f"{path}seats/"
    close(night)
    assert "Follow the club night" not in Browser().open("/").words


def test_the_screen_tells_phones_where_to_go(cast: Cast, settings: Any) -> None:
    night = night_of(cast, 4)
    settings.PUBLIC_URL = "https://scores.example.org"
    said = words(page(night, "screen/"))
    assert f"scores.example.org /nights /{night.pk}" in said
    assert "Phones cannot reach this address" not in said


def test_the_list_of_seats_is_in_the_order_of_names(cast: Cast) -> None:
    night = night_of(cast, 26, names=[name.lower() if n % 2 else name for n, name in enumerate(names_of(26))])
    names = re.findall(r'<th scope="row"><bdi>(\w+)</bdi></th>', page(night, "seats/"))
    assert names == sorted(names, key=str.casefold)
    assert len(names) == 26


def test_a_night_of_another_club_is_its_own(cast: Cast) -> None:
    Club.objects.filter(pk=cast.other_club.pk).update(name="<i>Others</i>")
    night = events.start(club=Club.objects.get(pk=cast.other_club.pk), players=[], step=first("start"))
    for of in ("", "seats/", "screen/"):
        assert "<i>Others" not in page(night, of)
    answer: HttpResponse = Client().get("/nights/999999/")
    assert answer.status_code == 404
