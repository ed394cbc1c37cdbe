"""The pages with the standings of a tournament, of an entrant and of who met whom, and the same as CSV."""

import csv
import re
from collections.abc import Callable
from fractions import Fraction
from io import StringIO

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scorekeeper.access import Actor, tournament_for
from scorekeeper.events.records import About
from scorekeeper.forms.criteria import EXPLAINED
from scorekeeper.live import parts
from scorekeeper.models import Event
from scorekeeper.pages.criteria import NAMES, WITHOUT_COLUMN, number
from scorekeeper.pages.tournament_exports import decimal
from scorekeeper.selectors.tournament_results import tournament_results
from scorekeeper.services import clubs, entrants, events, tournaments
from scorekeeper.standings.criteria import CRITERIA
from scorekeeper.standings.worths import PLACE
from tests.browsing import Browser
from tests.conftest import Cast, enter
from tests.nights import at, first
from tests.scorekeeper.test_tournament_corrections import typed
from tests.tournaments import commanded, entered, made, played, played_out, released, scheduled, setup_of

ORDER = ["points", "head-to-head", "buchholz-cut-1", "difference", "lots"]


def heads(cast: Cast, number: int = 4, order: list[str] = ORDER) -> Event:
    return scheduled(cast, setup_of("block", "heads", order=order), number)


def path(event: Event, what: str = "standings/") -> str:
    return f"/tournaments/{event.pk}/{what}"


def rows(page: Browser) -> list[str]:
    """The rows of the first table, each as its words, without what can still be reached."""
    body = page.markup.split("<tbody>")[1].split("</tbody>")[0]
    body = re.sub(r"<(td|small)[^>]*no-print.*?</\1>", "", body, flags=re.DOTALL)
    return [" ".join(re.sub("<[^>]*>", " ", row).split()) for row in body.split("</tr>") if row.strip()]


def won_by_forfeit(event: Event, *winners: int) -> None:
    """Releases the next round, and nobody but the entrants with these start numbers comes."""
    numbers = {player.pk: number for number, player in enumerate(event.club.players.order_by("pk"), 1)}
    for match in released(event):
        assert match.round
        assert match.table
        absent = [seat.number for seat in match.seats.all() if numbers[seat.player_id or 0] not in winners]
        step = at(event, f"{match.round}-{match.table.number}")
        tournaments.forfeit(
            event_id=event.pk, round_number=match.round, table=match.table.number, absent=absent, step=step
        )


def test_standings_now_after_each_round_and_final(cast: Cast) -> None:
    event, visitor = heads(cast), Browser()
    assert "The standings begin with the first round." in visitor.open(path(event)).words
    matches = released(event)
    assert "provisional: 2 results are open" in visitor.open(path(event)).words
    played(matches[0])
    assert "provisional: 1 result is open" in visitor.open(path(event)).words
    played(matches[1])
    assert "provisional" not in visitor.open(path(event)).words
    one = rows(visitor)
    released(event)
    assert rows(visitor.open(path(event, "standings/?after=1"))) == one, "a round in play changes nothing before it"
    assert "provisional" not in visitor.words
    visitor.open(path(event)).follow("1")
    assert visitor.path.endswith("?after=1")
    assert "Standings after round 1" in visitor.words
    assert 'aria-current="page"' in visitor.markup
    assert "data-again" not in visitor.markup, "the past does not change by itself"
    for match in event.matches.filter(finished_at=None):
        played(match)
    played_out(event)
    events.close(event_id=event.pk, open_matches=None, step=at(event, "close"))
    assert "Final standings" in visitor.open(path(event)).words


@pytest.mark.parametrize("after", ["0", "2", "x", "-1", "1" * 12, "²"])
def test_a_round_that_is_not_there_says_so(cast: Cast, after: str) -> None:
    event = heads(cast)
    released(event)
    visitor = Browser().open(path(event, f"standings/?after={after}"))
    assert visitor.status == 404
    assert "This round has not been released." in visitor.words


def test_movement_since_the_round_before(cast: Cast) -> None:
    event, visitor = heads(cast, order=["points"]), Browser()
    won_by_forfeit(event, 1, 2)  # against 4 and 3
    ada, bruno, *rest = rows(visitor.open(path(event)))
    assert "place" not in f"{ada} {bruno} {rest}", "before the first round all are equal"
    won_by_forfeit(event, 3, 1)  # against 4 and 2
    names = [player.name for player in event.club.players.order_by("pk")]
    assert rows(visitor.open(path(event))) == [
        f"1 same place {names[0]} 2",
        f"2 1 down 1 place {names[1]} 1",
        f"2 1 up 1 place {names[2]} 1",
        f"4 1 down 1 place {names[3]} 0",
    ]


def test_earlier_standings_have_only_those_who_were_there(cast: Cast) -> None:
    """5 is entered after round 2; 4 leaves then."""
    event, visitor = heads(cast, order=["points", "start"]), Browser()
    won_by_forfeit(event, 1, 2)
    won_by_forfeit(event, 3, 1)  # against 4 and 2
    eva = clubs.player_add(club=cast.club, name="Eva", now=event.started_at)
    tournaments.enter(event_id=event.pk, entrants=[[eva.pk]], step=at(event, "late"))
    tournaments.withdraw(event_id=event.pk, entrants=[4], step=at(event, "leaves"))
    won_by_forfeit(event, 1)
    for after in (1, 2):
        listed = rows(visitor.open(path(event, f"standings/?after={after}")))
        assert [row[0] for row in listed] == ["1", "2", "3", "4"]
        assert "Eva" not in visitor.words
        assert ("has left" in visitor.words) is (after == 2)
        words = visitor.open(path(event, f"entrants/4/?after={after}")).words
        assert "Place 4 of 4" in words
        assert ("Has left" in words) is (after == 2)
    assert "Place" not in visitor.open(path(event, "entrants/5/?after=1")).words
    assert "Eva" in visitor.open(path(event)).words
    assert "has left" in visitor.words


def test_what_decides_is_marked_and_who_left_too(cast: Cast) -> None:
    event, visitor = heads(cast, order=["points", "head-to-head", "lots"]), Browser()
    won_by_forfeit(event, 1, 2)
    won_by_forfeit(event, 4, 2)  # against 3 and 1
    tournaments.withdraw(event_id=event.pk, entrants=[3], step=at(event, "leaves"))
    one, two, three, four = rows(visitor.open(path(event)))
    assert "decides" not in one, "the first criterion needs no mark"
    assert "decides" in two, "1 has beaten 4"
    assert "decides" not in three
    assert "has left" in four
    won_by_forfeit(event, 4)  # against 2; 1 has a bye
    assert [row.count("decided by lots") for row in rows(visitor.open(path(event)))] == [1, 1, 0, 0]


def test_every_figure_opens_to_its_sum(cast: Cast) -> None:
    event, visitor = heads(cast, 5), Browser()
    for winners in ((1, 2), (1, 5), (1, 2)):
        won_by_forfeit(event, *winners)
    tournaments.penalise(
        event_id=event.pk, entrant=1, round_number=2, points="1/2", reason="late", step=at(event, "late")
    )
    visitor.open(path(event))
    name = event.club.players.order_by("pk")[0].name
    assert f'href="{path(event, "entrants/1/")}#points"' in visitor.markup
    visitor.follow(name)
    assert visitor.path == path(event, "entrants/1/")
    assert "− ½" in visitor.words
    assert "round 2, penalty: late" in visitor.words
    assert "won by forfeit" in visitor.words
    assert "first hand" not in visitor.words, "the heaviest double leads"
    assert "left out: " in visitor.words, "Buchholz, cut 1"
    assert Browser().open(path(event, "entrants/6/")).status == 404
    assert "after round 1" in Browser().open(path(event, "entrants/1/?after=1")).words


def test_the_page_of_a_team_says_who_plays(cast: Cast) -> None:
    event = entered(cast, setup_of("domino-whist", "heads", size=2), 2, size=2)
    owls = About(name="The Owls", club="North", rating=1610)
    entrants.describe(event_id=event.pk, entrant=2, about=owls, step=at(event, "owls"))
    third, fourth = (player.name for player in event.club.players.order_by("pk")[2:4])
    page = Browser().open(path(event, "entrants/2/"))
    assert "The Owls" in page.words
    assert f"North · rating 1610 · {third} and {fourth}" in page.words
    assert "rating" not in Browser().open(path(event, "entrants/1/")).words


def test_a_tournament_without_entrants_or_rounds(cast: Cast) -> None:
    empty = tournaments.start(club=cast.club, name="Empty", setup=setup_of("block", "heads"), step=first("empty"))
    for what in ("standings/", "cross-table/", "standings.csv", "results.csv", "print/", "print/standings/"):
        assert Client().get(path(empty, what)).status_code == 200
    assert Client().get(path(empty, "entrants/1/")).status_code == 404
    assert "Nobody is entered yet." in Browser().open(path(empty)).words


def test_queries_and_answers_without_computing(cast: Cast) -> None:
    event = heads(cast, 8)
    for match in released(event):
        played(match)
    pages = (
        "",
        "standings/",
        "entrants/1/",
        "cross-table/",
        "results.csv",
        "file.json",
        "schedule/",
        "seats/",
        "print/",
    )
    for what in pages:
        parts.kept.cache_clear()
        with CaptureQueriesContext(connection) as first_time:
            page = Client().get(path(event, what))
        assert len(first_time) <= 10, what
        with CaptureQueriesContext(connection) as second_time:
            Client().get(path(event, what))
        assert len(second_time) <= 4, "the second visitor gets what the first one had computed"
        with CaptureQueriesContext(connection) as known:
            same = Client().get(path(event, what), headers={"If-None-Match": page["ETag"]})
        assert (same.status_code, len(known) <= 2) == (304, True), what
    player = event.club.players.order_by("pk")[0]
    clubs.player_rename(club=cast.club, player_id=player.pk, name="Zoë", now=event.started_at)
    assert "Zoë" in Browser().open(path(event)).words, "a new name is a change"


def test_a_hand_that_changes_no_result_draws_nothing_again(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads", order=ORDER, options={"hands": 50}), 4)
    match = released(event)[0]
    before = tournament_results(tournament_for(Actor(), event.pk))
    played(match, moves=40)
    assert match.log.count() == 40
    now = tournament_results(tournament_for(Actor(), event.pk))
    assert now is not before
    assert (now.version, now.standings()) == (before.version, before.standings())
    tournaments.withdraw(event_id=event.pk, entrants=[4], step=at(event, "leaves"))
    assert tournament_results(tournament_for(Actor(), event.pk)).version > now.version


def test_a_cross_table_of_two_sides(cast: Cast) -> None:
    event, visitor = heads(cast), Browser()
    won_by_forfeit(event, 1, 2)
    matches = released(event)
    played(matches[0])
    visitor.open(path(event, "cross-table/"))
    assert "Provisional: results are open. Numbers on top are start numbers. f: by forfeit." in visitor.words
    for match in event.matches.all():
        assert visitor.markup.count(f'href="/matches/{match.pk}/"') == 2
    assert visitor.markup.count(">1f</a>") == 2
    assert visitor.markup.count('class="self"') == 4
    assert visitor.markup.count('title="round 2, in play">…</a>') == 2


def test_an_abandoned_match_is_not_in_play(cast: Cast) -> None:
    event, visitor = heads(cast), Browser()
    one, other = released(event)
    enter(one, [{"kind": "stop", "stopped": "abandoned"}])
    visitor.open(path(event, "cross-table/"))
    assert visitor.markup.count('title="round 1, abandoned">×</a>') == 2
    assert visitor.markup.count('title="round 1, in play">…</a>') == 2
    assert visitor.open(path(event, "")).words.count("abandoned") == 1
    results = [*csv.DictReader(StringIO(Client().get(path(event, "results.csv")).content.decode("utf-8-sig")))]
    assert [line["result"] for line in results if line["match"] == str(one.pk)] == ["abandoned"] * 2
    assert [line["result"] for line in results if line["match"] == str(other.pk)] == ["open"] * 2
    number = one.seats.all()[0].player.entries.get(event=event).number  # type: ignore[union-attr]
    assert "abandoned" in visitor.open(path(event, f"entrants/{number}/")).words


def test_places_begin_with_the_first_result(cast: Cast) -> None:
    event, visitor = heads(cast, order=["points", "lots"]), Browser()
    matches = released(event)
    names = [player.name for player in event.club.players.order_by("pk")]
    assert rows(visitor.open(path(event))) == [f"– {name} 0" for name in names]
    assert rows(visitor.open(path(event, ""))) == [f"– {name} 0" for name in names]
    played(matches[0])
    assert [row[0] for row in rows(visitor.open(path(event)))] == ["1", "2", "3", "4"]
    assert "decided by lots" in visitor.words
    assert "decided by lots" in visitor.open(path(event, "")).words


def test_head_to_head_is_what_the_command_says_and_opens_to_its_sums(cast: Cast) -> None:
    event, visitor = heads(cast, order=["points", "head-to-head"]), Browser()
    won_by_forfeit(event, 1, 2)  # against 4 and 3
    won_by_forfeit(event, 3, 1)  # against 4 and 2
    shown = [row.replace(" decides", "").split()[-1] for row in rows(visitor.open(path(event)))]
    file = Client().get(path(event, "file.json")).content
    assert [row["values"]["head-to-head"] for row in commanded(file)["stages"][0]["rows"]] == list("1121")
    assert shown == list("–12–"), "a page shows it only where it compares somebody"
    bruno, carla = (player.name for player in event.club.players.order_by("pk")[1:3])
    assert f'href="{path(event, "entrants/1/")}#head-to-head"' in visitor.markup
    assert "Nobody else is equal so far." in visitor.open(path(event, "entrants/1/")).words
    equal = visitor.open(path(event, "entrants/2/")).words
    assert f"{bruno} and {carla}: 1 = 1 1 round 1 from {carla}" in equal
    assert "by their results against each other" in equal
    assert f"{bruno} and {carla}: 0 = 0 0 round 1 from {bruno}" in visitor.open(path(event, "entrants/3/")).words


def test_the_best_table_opens_to_all_tables(cast: Cast) -> None:
    event = heads(cast, order=["best-table"])
    released(event)
    for table in (1, 2):
        typed(event, 1, table, [60, 60])
    released(event)
    for table in (1, 2):
        typed(event, 2, table, [40, 40])
    assert "60, the best of 60, 40" in Browser().open(path(event, "entrants/1/")).words


@pytest.mark.parametrize("begin", [0, 8, 16])
def test_every_figure_opens_to_what_its_criterion_means(cast: Cast, begin: int) -> None:
    order = [name for name in CRITERIA if name not in WITHOUT_COLUMN][begin : begin + 8]
    event, visitor = heads(cast, order=order), Browser()
    played_out(event)
    shown = visitor.open(path(event)).markup
    visitor.open(path(event, "entrants/1/"))
    for name in order:
        assert f'href="{path(event, "entrants/1/")}#{name}"' in shown
        assert f'id="{name}"' in visitor.markup
        assert str(EXPLAINED[name]) in visitor.words


def test_who_was_entered_later_did_not_move(cast: Cast) -> None:
    event = heads(cast, order=["points"])
    won_by_forfeit(event, 1, 2)
    late = clubs.player_add(club=cast.club, name="Late", now=event.started_at)
    tournaments.enter(event_id=event.pk, entrants=[[late.pk]], step=at(event, "late"))
    won_by_forfeit(event, 3, 1)
    shown = rows(Browser().open(path(event)))
    assert "4 Late 0" in shown


def test_too_few_tables_are_marked_on_every_page(cast: Cast, as_user: Callable[[str], Client]) -> None:
    event = scheduled(cast, setup_of("block", "heads", minimum_played=2), 4)
    won_by_forfeit(event, 1, 2)
    host = Browser(as_user("director"))
    for what in ("", "standings/", "screen/"):
        assert "came to fewer than 2 tables" in host.open(path(event, what)).words, what


@pytest.mark.parametrize(
    ("game", "format", "people", "titles"),
    [
        ("domino-whist", "partners", 8, ["How often they were opponents", "How often they were partners"]),
        ("domizerka", "triples", 9, ["How often they were opponents"]),
    ],
)
def test_matrices_of_three_and_four_at_a_table(
    cast: Cast, game: str, format: str, people: int, titles: list[str]
) -> None:
    worth = {"worth": PLACE} if format == "triples" else {}
    event = scheduled(cast, setup_of(game, format, order=["points", "start"], **worth), people)
    for match in released(event):
        played(match)
    visitor = Browser().open(path(event, "cross-table/"))
    shown = re.findall("<h2>(.*?)</h2>", visitor.markup.split("<main")[1])
    assert shown == [*titles, "How often in each seat"]
    assert visitor.markup.count('class="self"') == people * len(titles)
    assert "Leads" in visitor.words
    assert "Numbers on top are start numbers." in visitor.words
    assert not any(sign in visitor.words for sign in ("forfeit", "abandoned", "penalties")), "there are no points"


def test_csv_for_spreadsheets(cast: Cast) -> None:
    event = entered(cast, setup_of("block", "heads", order=["points", "difference", "lots"]), 3)
    evil = clubs.player_add(club=cast.club, name='=HYPERLINK("x")', now=event.started_at)
    tournaments.enter(event_id=event.pk, entrants=[[evil.pk]], step=at(event, "evil"))
    made(event)
    won_by_forfeit(event, 1)  # nobody comes to the other table
    matches = released(event)
    played(matches[0])
    standings = [*csv.DictReader(StringIO(Client().get(path(event, "standings.csv")).content.decode("utf-8-sig")))]
    assert [line["place"] for line in standings] == ["1", "2", "3", "4"] or standings[0]["place"] == "1"
    assert "'=HYPERLINK" in " ".join(line["name"] for line in standings)
    answer = Client().get(path(event, "results.csv"))
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    results = [*csv.DictReader(StringIO(answer.content.decode("utf-8-sig")))]
    assert len(results) == 8, "two rounds, two tables, two sides"
    assert {line["result"] for line in results if line["round"] == "1"} == {"forfeit", "did-not-come"}
    over = [line for line in results if line["match"] == str(matches[0].pk)]
    matches[0].refresh_from_db()
    assert [int(line["total"]) for line in over] == matches[0].sheet["totals"]
    assert [line["result"] for line in results if line["match"] == str(matches[1].pk)] == ["open", "open"]
    assert [line["leads"] for line in over] == ["yes", ""]
    one = Client().get(path(event, "standings.csv?after=1"))
    assert "round-1" in one["Content-Disposition"]


@pytest.mark.parametrize(
    ("value", "shown", "in_csv"),
    [
        (Fraction(21, 2), "10½", "10.5"),
        (Fraction(-1, 2), "−½", "-0.5"),
        (Fraction(7, 3), "2⅓", "2.3333"),
        (Fraction(2, 5), "2\N{FRACTION SLASH}5", "0.4"),
        (Fraction(-17, 5), "−3\N{NARROW NO-BREAK SPACE}2\N{FRACTION SLASH}5", "-3.4"),
        (0, "0", "0"),
        (-12, "−12", "-12"),
    ],
)
def test_numbers_as_people_and_as_spreadsheets_write_them(value: Fraction, shown: str, in_csv: str) -> None:
    assert number(value) == shown
    assert str(decimal(value)) == in_csv


def test_every_criterion_has_a_name() -> None:
    assert CRITERIA.keys() < NAMES.keys()
