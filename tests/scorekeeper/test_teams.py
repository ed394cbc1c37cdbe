"""Encounters of teams: line-ups that nobody else reads before they open, and an evening of boards."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games import GAMES
from scorekeeper.access import Actor
from scorekeeper.events.encounters import Form, LineUp, usual_boards
from scorekeeper.events.records import About
from scorekeeper.forms.entrants import named
from scorekeeper.live.topics import Topic
from scorekeeper.models import AuditEntry, CaptainLink, Change, Event, EventEntry, Job, Match, Player
from scorekeeper.models import LineUp as Submitted
from scorekeeper.pages.encounter import fault_words
from scorekeeper.selectors.events import results_now
from scorekeeper.selectors.leagues import league_file, league_in
from scorekeeper.services import captains, encounters, events, jobs, leagues, line_ups
from scorekeeper.services.entrants import Named
from scorekeeper.services.errors import Refused
from scorekeeper.services.line_ups import WrongLineUp
from scorekeeper.standings.calculation import calculate
from scorekeeper.standings.ranking import Standing
from scorekeeper.standings.reading import read_value
from scorekeeper.tasks import WORK
from tests.browsing import Browser
from tests.conftest import NOW, Cast
from tests.leagues import setup_of
from tests.nights import at, first
from tests.team_leagues import EVENING, SETTING, league_of_teams, usual_line_up

pytestmark = pytest.mark.django_db

Host = Callable[[str], Client]
NOBODY = Actor()


@pytest.fixture
def league(cast: Cast) -> Event:
    return league_of_teams(cast.club)


def squad(league: Event, entrant: int) -> tuple[int, ...]:
    return tuple(league_in(league).squad_of(entrant))


def submit(league: Event, side: int, line_up: LineUp | None = None) -> bool:
    chosen = line_up or usual_line_up(squad(league, side + 1))
    return line_ups.submit(event_id=league.pk, fixture=1, side=side, line_up=chosen, by=NOBODY, now=NOW)


def opened(league: Event) -> Event:
    submit(league, 0)
    submit(league, 1)
    league.refresh_from_db()
    return league


def posted(line_up: LineUp) -> dict[str, str]:
    return {
        f"board-{board}-{place}": str(player)
        for board, players in enumerate(line_up, 1)
        for place, player in enumerate(players, 1)
    }


def captain(league: Event, entrant: int) -> Client:
    """The browser of somebody who opened the secret link of a team."""
    token = captains.make_link(event_id=league.pk, entrant=entrant, by=None, now=NOW)
    client = Client()
    assert client.get(f"/captain/{token}/").status_code == 302
    return client


def path(league: Event, side: str) -> str:
    return f"/leagues/{league.pk}/fixtures/1/line-up/{side}/"


def boards(league: Event) -> str:
    return f"/leagues/{league.pk}/fixtures/1/boards/"


# --- the secret --------------------------------------------------------------------------------------------
def test_line_ups_open_at_once_when_both_are_in(league: Event) -> None:
    assert not submit(league, 0)
    assert league_in(league).encounters == {}
    assert submit(league, 1)
    met = league_in(league).encounters[1]
    assert met.playing == (usual_line_up(squad(league, 1)), usual_line_up(squad(league, 2)))
    assert not Submitted.objects.exists(), "the log has them now"
    with pytest.raises(Refused, match="open") as refused:
        submit(league, 0)
    assert refused.value.code == "line-ups-open"


def test_a_captain_may_change_the_line_up_until_the_other_is_in(league: Event) -> None:
    submit(league, 0)
    *_others, seventh = squad(league, 1)
    changed = ((seventh,), *usual_line_up(squad(league, 1))[1:])
    submit(league, 0, changed)
    assert Submitted.objects.count() == 1
    submit(league, 1)
    assert league_in(league).encounters[1].playing[0] == changed


def test_what_was_opened_cannot_be_undone(league: Event) -> None:
    opened(league)
    with pytest.raises(Refused) as refused:
        events.undo(event_id=league.pk, step=at(league, "undo"))
    assert refused.value.code == "nothing-to-undo"


CHOSEN = re.compile(r'name="board-[^>]*>(?:(?!</select>).)*selected>\s*Player 1\.', re.DOTALL)
"""A player of team 1 who is chosen at a board of a form."""


def read_by(client: Client, league: Event) -> dict[str, str]:
    """What a visitor gets who tries every address of the teams, and where a club shows what happened."""
    club = f"/clubs/{league.club.slug}/"
    begin = [boards(league), path(league, "home"), path(league, "away"), club, f"/leagues/{league.pk}/boards/"]
    begin += [f"/leagues/{league.pk}/teams/{entrant}/" for entrant in (1, 2)]
    begin += [f"{club}audit/", f"{club}audit.csv", f"{club}audit.ndjson"]
    answers = {address: client.get(address) for address in begin}
    assert {answer.status_code for answer in answers.values()} <= {200, 302, 403}
    return {address: answer.content.decode() for address, answer in answers.items() if not answer.streaming}


def test_nobody_else_reads_a_line_up_before_it_opens(cast: Cast, league: Event, as_user: Host) -> None:
    """In the pages a line-up shows as chosen players, in data as a list of lists of their numbers."""
    mine, other = captain(league, 1), captain(league, 2)
    submit(league, 0)
    secret = json.dumps([list(players) for players in usual_line_up(squad(league, 1))], separators=(",", ":"))
    assert CHOSEN.search(mine.get(path(league, "home")).content.decode())
    Player.objects.filter(pk=squad(league, 1)[1]).update(user=cast.users["player"])
    visitors = {each: as_user(each) for each in ("director", "owner", "player", "member")}
    visitors |= {"public": Client(), "other captain": other}
    for who, client in visitors.items():
        for address, text in read_by(client, league).items():
            assert not CHOSEN.search(text), (who, address)
            assert secret not in text.replace(" ", ""), (who, address)
    for who, status in (("public", 403), ("other captain", 403), ("player", 403), ("director", 302), ("owner", 302)):
        assert visitors[who].get(path(league, "home")).status_code == status
    assert "not yet in" in Browser(visitors["director"]).open(boards(league)).words
    file, state = league_file(results_now(league)), Topic.of_event(league).state()
    log = [*EventEntry.objects.filter(event=league).values_list("payload", flat=True)]
    for kept in (file, state, log, [*AuditEntry.objects.values_list("what", flat=True)], [*Change.objects.values()]):
        assert secret not in json.dumps(kept, default=str).replace(" ", "")


def test_a_captain_of_a_season_reads_of_no_swap(league: Event) -> None:
    mine = Browser(captain(league, 1))
    for page in (f"/leagues/{league.pk}/teams/1/", path(league, "home")):
        assert "changed the draw" not in mine.open(page).words


def test_the_account_of_the_captain_is_let_in_and_another_of_the_squad_is_not(
    cast: Cast, league: Event, as_user: Host
) -> None:
    first, second = squad(league, 1)[:2]
    Player.objects.filter(pk=first).update(user=cast.users["player"])
    assert as_user("player").get(path(league, "home")).status_code == 200
    assert as_user("player").get(path(league, "away")).status_code == 403
    captains.appoint(event_id=league.pk, entrant=1, player=second, step=at(league, "captain"))
    assert as_user("player").get(path(league, "home")).status_code == 403


def test_whoever_makes_a_link_or_a_captain_reads_no_line_up_with_it(cast: Cast, league: Event, as_user: Host) -> None:
    """The host does both, and undoes them: what a captain has submitted is withdrawn each time."""
    host, there = as_user("director"), f"/leagues/{league.pk}/teams/1/"
    one, two = squad(league, 1)[:2]
    Player.objects.filter(pk=one).update(user=cast.users["director"])
    steps = ({"do": "link"}, {"do": "captain", "player": str(two)})
    for sent in steps:
        submit(league, 0)
        answer = host.post(there, sent | {"seen": str(again(league).length)}, follow=True)
        assert "submit them again" in answer.content.decode()
        assert not Submitted.objects.exists()
    assert not CaptainLink.objects.filter(revoked_at=None).exists(), "the link was of the captain before"
    same = host.post(there, steps[1] | {"seen": str(again(league).length)})
    assert (same.status_code, "captain already" in same.content.decode()) == (422, True)
    submit(league, 0)
    events.undo(event_id=league.pk, step=at(again(league), "undo"))
    assert not Submitted.objects.exists()
    assert not CHOSEN.search(host.get(path(league, "home")).content.decode())


def test_squads_that_are_entered_again_withdraw_the_line_ups(league: Event) -> None:
    submit(league, 0)
    lines = [f"Team {team}: {' + '.join(f'Player {team}.{n}' for n in range(7, 0, -1))}" for team in (1, 2)]
    leagues.divide(event_id=league.pk, divisions=[("One", [*map(named, lines)])], step=at(again(league), "again"))
    assert not Submitted.objects.exists()


def test_a_fixture_that_empty_boards_decided_stays_when_a_team_leaves(league: Event) -> None:
    submit(league, 0)
    line_ups.open_now(event_id=league.pk, fixture=1, step=at(again(league), "open"))
    assert [each.value for each in tables(league)[0].values.values()][:2] == [2, 18]
    leagues.withdraw(event_id=league.pk, entrant=2, step=at(again(league), "leave"))
    assert [each.value for each in tables(league)[0].values.values()][:2] == [2, 18]


def tables(league: Event) -> Sequence[Standing]:
    return calculate(read_value(league_file(results_now(again(league))))).stages[0].rows


def test_a_line_up_that_was_opened_before_the_other_was_in_can_be_taken_back(league: Event) -> None:
    submit(league, 0)
    line_ups.open_now(event_id=league.pk, fixture=1, step=at(again(league), "open"))
    events.undo(event_id=league.pk, step=at(again(league), "undo"))
    assert league_in(again(league)).encounters == {}
    assert not submit(league, 0), "its captain may change it"
    assert submit(league, 1)
    assert league_in(again(league)).encounters[1].playing[0] == usual_line_up(squad(league, 1))


def test_if_neither_team_comes_both_lose(league: Event) -> None:
    nobody: LineUp = ((),) * len(EVENING.boards)
    submit(league, 0, nobody)
    submit(league, 1, nobody)
    assert [row.values["points"].value for row in tables(league)] == [0, 0]
    assert "Nobody came: both teams lose." in Browser().open(boards(league)).words
    assert "walk-over" in Browser().open(f"/leagues/{league.pk}/").words


def test_the_links_of_all_captains_are_made_at_once_and_keep_those_that_work(league: Event, as_user: Host) -> None:
    first_captain = captain(league, 1)
    host = Browser(as_user("director")).open(f"/leagues/{league.pk}/desk/").follow("Links of the captains")
    host.press("Make links for all teams without one")
    (link,) = set(re.findall(r"/captain/[\w-]+/", host.markup))
    second = Browser().open(link)
    assert (second.status, second.path) == (200, f"/leagues/{league.pk}/teams/2/")
    assert first_captain.get(f"/leagues/{league.pk}/teams/1/").status_code == 200, "the link before still works"
    assert not host.open(host.path).has_button("Make links")
    assert "/captain/" not in host.markup, "shown once"
    again_made = host.client.post(host.path)
    assert (again_made.status_code, CaptainLink.objects.filter(revoked_at=None).count()) == (422, 2)


def test_a_revoked_link_lets_nobody_in_any_more(league: Event) -> None:
    mine = captain(league, 1)
    assert mine.get(path(league, "home")).status_code == 200
    captains.revoke_link(event_id=league.pk, entrant=1, by=None, now=NOW)
    assert mine.get(path(league, "home")).status_code == 403
    with pytest.raises(Refused, match="no link"):
        captains.revoke_link(event_id=league.pk, entrant=1, by=None, now=NOW)
    older = captain(league, 1)
    captain(league, 1)
    assert older.get(path(league, "home")).status_code == 403, "a new link ends the one before"
    assert CaptainLink.objects.filter(revoked_at=None).count() == 1


# --- line-ups that cannot be played ------------------------------------------------------------------------
def test_what_is_wrong_is_said_at_the_board_and_nothing_is_saved(league: Event) -> None:
    mine, players = captain(league, 1), squad(league, 1)
    usual = posted(usual_line_up(players))
    for changed, words in (
        ({"board-2-1": str(players[0])}, "Player 1.1 plays at boards 1 and 2 at the same time."),
        ({"board-7-2": str(players[0])}, "Player 1.1 is at board 7 twice."),
        ({"board-2-1": ""}, "Choose who plays here, or leave the board to the others."),
        ({"board-7-2": ""}, "Choose who plays here, or leave the board to the others."),
        ({"board-2-1": str(squad(league, 2)[0])}, "is not in the squad."),
    ):
        answer = mine.post(path(league, "home"), usual | changed | {"do": "submit"})
        assert answer.status_code == 422
        assert words in answer.content.decode()
    assert not Submitted.objects.exists()
    checked = mine.post(path(league, "home"), usual | {"board-2-1": str(players[0]), "do": "check"})
    assert checked.status_code == 200
    assert "at the same time" in checked.content.decode()
    assert mine.post(path(league, "home"), usual | {"board-2-1": "nobody", "do": "submit"}).status_code == 302
    assert Submitted.objects.get().boards[1] == []


def test_every_fault_has_words(league: Event) -> None:
    form = replace(EVENING, in_order=True)
    line_up = usual_line_up(squad(league, 1))
    wrong = ((*line_up[1], *line_up[2]), line_up[0], line_up[0], *line_up[3:6], (line_up[0][0],), *line_up[7:])
    found = form.faults(wrong, squad(league, 1))
    assert {fault.code for fault in found} >= {"too-many", "twice", "missing", "out-of-order"}
    assert all(fault_words(fault, {fault.player or 0: "Ana"}) for fault in found)


def test_who_is_out_of_order_is_named_with_whom_they_must_play_before(league: Event) -> None:
    one, other, *more = usual_line_up(squad(league, 1))
    found = replace(EVENING, in_order=True).faults((other, one, *more), squad(league, 1))
    words = [fault_words(fault, {one[0]: "Ana", other[0]: "Bea"}) for fault in found]
    assert words == ["Ana must play before Bea: line-ups follow the order of the squad."]


def test_a_host_chooses_only_for_a_team_that_has_not(league: Event, as_user: Host) -> None:
    host, chosen = as_user("director"), posted(usual_line_up(squad(league, 1))) | {"do": "submit"}
    assert not CHOSEN.search(host.get(path(league, "home")).content.decode())
    assert host.post(path(league, "home"), chosen).status_code == 302
    with pytest.raises(Refused) as refused:
        line_ups.submit_for(
            event_id=league.pk, fixture=1, side=0, line_up=usual_line_up(squad(league, 1)), by=NOBODY, now=NOW
        )
    assert refused.value.code == "line-up-in"


# --- the evening -------------------------------------------------------------------------------------------
def test_a_whole_evening_of_six_singles_and_three_doubles(cast: Cast, league: Event, as_user: Host) -> None:
    for entrant, side in ((1, "home"), (2, "away")):
        chosen = posted(usual_line_up(squad(league, entrant))) | {"do": "submit"}
        assert captain(league, entrant).post(path(league, side), chosen).status_code == 302
    host = Browser(as_user("director")).open(boards(league))
    assert "Player 1.1" in host.words
    assert host.words.count("the most win") == 6, "singles of Fives and Threes"
    assert host.words.count("the fewest win") == 3, "doubles of Domino Whist"
    host.press("Start Singles")
    singles = league_in(league).fixtures[1].matches
    assert sorted(singles) == [1, 2, 3, 4, 5, 6]
    assert Match.objects.filter(event=league, status=Match.Status.PLAYING).count() == 6
    assert seats_of(singles[1]) == ["Player 1.1", "Player 2.1"]
    assert seats_of(singles[2]) == ["Player 2.2", "Player 1.2"], "away leads on even boards"
    with pytest.raises(Refused) as refused:
        encounters.start(event_id=league.pk, fixture=1, tables={1: 20}, step=at(again(league), "twice"))
    assert refused.value.message == "Board 1 is played already, or is in play. Reload the page."
    with pytest.raises(Refused) as refused:
        encounters.start(event_id=league.pk, fixture=1, tables={7: 20, 9: 20}, step=at(again(league), "one table"))
    assert refused.value.message == "Boards 7 and 9 cannot all play at table 20. Choose another table for each."
    sent = {
        "do": "result:1",
        "home": "61",
        "away": "20",
        "early": "yes",
        "seen": str(again(league).length),
        "key": "r1",
    }
    answer = host.client.post(boards(league), sent)
    assert answer.status_code == 302
    assert '<details class="more" open><summary>Type a result' in host.open(answer["Location"]).markup, "for the next"
    for board in range(2, 7):
        ended(league, board, home_wins=board != 3)
    host.open(boards(league)).press("Start Doubles")
    doubles = league_in(league).fixtures[1].matches
    assert seats_of(doubles[7]) == ["Player 1.1", "Player 2.1", "Player 1.2", "Player 2.2"]
    for board in (7, 8, 9):
        ended(league, board, home_wins=board == 9)
    assert "Note a substitute" not in host.open(boards(league)).words
    public = Browser().open(boards(league))
    assert "6 : 3" in public.words
    assert "Team 1 win." in public.words
    for shown in (f"/leagues/{league.pk}/", f"/leagues/{league.pk}/entrants/2/"):
        text = Client().get(shown).content.decode()
        assert f'href="{boards(league)}"' in text
        assert ">6 : 3<" in text, "not in halves"
    assert "6 : 3" in Client().get(f"/leagues/{league.pk}/calendar.ics").content.decode()
    file = league_file(results_now(again(league)))
    (table,) = file["stages"][0]["rounds"][0]["tables"]
    assert table["totals"] == [12, 6], "in halves, because a draw is worth one"
    assert [board["shares"] for board in table["boards"]][2:4] == [[0, 1], [1, 0]]
    first, second = calculate(read_value(file)).stages[0].rows
    assert [value.value for value in first.values.values()] == [2, 12, 9 + 8 + 6 + 5 + 4 + 1]
    assert [value.value for value in second.values.values()] == [0, 6, 7 + 3 + 2]


def seats_of(match: int) -> list[str]:
    return [seat.name for seat in Match.objects.get(pk=match).seats.order_by("number")]


def again(league: Event) -> Event:
    league.refresh_from_db()
    return league


def ended(league: Event, board: int, *, home_wins: bool) -> None:
    """Types the totals of a board, so that this side wins by its rules."""
    best, worse = (20, 155) if EVENING.boards[board - 1].lower_wins else (61, 20)
    totals = [best, worse] if home_wins else [worse, best]
    leagues.type_result(
        event_id=league.pk, fixture=1, board=board, totals=totals, early=True, step=at(again(league), f"typed-{board}")
    )


def test_a_double_can_be_left_and_the_others_typed_as_totals(league: Event, as_user: Host) -> None:
    usual = usual_line_up(squad(league, 1))
    submit(league, 0, (*usual[:6], (), *usual[7:]))
    submit(league, 1, usual_line_up(squad(league, 2)))
    host = Browser(as_user("director")).open(boards(league)).press("Start Singles")
    for board in range(1, 7):
        ended(league, board, home_wins=True)
    host.open(boards(league)).press("Start Doubles")
    assert [board for board in league_in(league).fixtures[1].matches if board > 6] == [8, 9], "the first is lost"
    for board, home, away in ((8, "20", "155"), (9, "155", "20")):  # the fewest win
        sent = {"do": f"result:{board}", "home": home, "away": away, "early": "yes", "key": f"typed {board}"}
        seen = {"seen": str(again(league).length)}
        assert host.client.post(boards(league), sent | seen).status_code == 302
    assert "7 : 2" in Browser().open(boards(league)).words


def test_a_board_that_is_left_is_lost_and_a_substitute_can_still_play_it(league: Event, as_user: Host) -> None:
    left = (*usual_line_up(squad(league, 1))[:5], (), *usual_line_up(squad(league, 1))[6:])
    submit(league, 0, left)
    submit(league, 1)
    assert "0 : 1" in Browser().open(boards(league)).words
    with pytest.raises(Refused) as refused:
        encounters.start(event_id=league.pk, fixture=1, tables={6: 6}, step=at(again(league), "part"))
    assert refused.value.code == "board-forfeited"
    host = as_user("director")
    sent = {
        "do": "substitute:6:home",
        "player": "Player 1.7",
        "why": "Came late",
        "seen": str(league.length),
        "key": "s",
    }
    assert host.post(boards(league), sent).status_code == 302
    page = Browser().open(boards(league))
    assert "0 : 0" in page.words
    assert "Board 6, Team 1: Player 1.7 instead of nobody. Came late" in page.words
    encounters.start(event_id=league.pk, fixture=1, tables={6: 6}, step=at(again(league), "part now"))


def test_a_substitute_needs_a_reason_and_a_free_place(league: Event, as_user: Host) -> None:
    opened(league)
    host = as_user("director")
    sent = {"do": "substitute:1:home", "seen": str(league.length)}
    for typed, words in (
        ({"player": "Player 1.2", "why": "ill"}, "Player 1.2 plays at boards 1 and 2 at the same time."),
        ({"player": "Player 1.7", "why": ""}, "Board 1: Everybody can read the line-ups. Say why somebody else plays"),
    ):
        answer = host.post(boards(league), sent | typed)
        assert (answer.status_code, words in answer.content.decode()) == (422, True)
        kept = (f'value="{each}"' in answer.content.decode() for each in typed.values() if each)
        assert all(kept), "with what was typed"
    sent = {"do": "result:1", "home": "12", "away": "", "seen": str(league.length)}
    answer = host.post(boards(league), sent).content.decode()
    assert 'value="12"' in answer
    assert "Board 1: Total" in answer
    for players, why, code in ((["Player 1.7"], " ", "no-note"), (["Player 1.2"], "ill", "wrong-line-up")):
        with pytest.raises(Refused) as refused:
            line_ups.substitute(
                event_id=league.pk, fixture=1, board=1, side=0, players=players, why=why, step=at(league, code)
            )
        assert refused.value.code == code


def test_at_the_deadline_the_host_opens_what_is_in(league: Event, as_user: Host) -> None:
    submit(league, 1)
    host = Browser(as_user("director")).open(boards(league))
    assert "not yet in" in host.words
    host.press("Open line-ups now")
    assert "0 : 9" in host.words
    assert "Team 2 win." in host.words


def test_nothing_starts_before_the_line_ups_are_open(league: Event) -> None:
    with pytest.raises(Refused) as refused:
        encounters.start(event_id=league.pk, fixture=1, tables={1: 1}, step=at(league, "part"))
    assert refused.value.code == "line-ups-secret"


def test_a_part_begins_at_tables_that_are_free(cast: Cast, league: Event, as_user: Host) -> None:
    opened(league)
    encounters.start(event_id=league.pk, fixture=1, tables={2: 2}, step=at(again(league), "one"))
    page = as_user("director").get(boards(league))
    lines = {board.number: board for part in page.context["parts"] for board in part.boards}
    assert lines[2].suggested is None
    assert [lines[board].suggested for board in (1, 3, 4)] == [1, 3, 4]


def test_the_boards_of_a_round_go_round_tables_of_other_events_and_closed_ones(cast: Cast, as_user: Host) -> None:
    day = a_day(cast, "round-robin", 4)
    leagues.make_fixtures(event_id=day.pk, step=at(day, "fixtures"))
    lined_up(day)
    other = league_of_teams(cast.club)
    opened(other)
    encounters.start(event_id=other.pk, fixture=1, tables={1: 1, 2: 3, 3: 5}, step=at(again(other), "other"))
    cast.club.tables.filter(number=4).update(open=False)
    Browser(as_user("director")).open(f"/leagues/{day.pk}/desk/").press("Start the next boards")
    tables = Match.objects.filter(event=day).order_by("pk").values_list("table__number", flat=True)
    assert [*tables] == [2, 6, 7, 8, 9, 10]


def test_starting_a_part_can_be_undone(league: Event) -> None:
    opened(league)
    encounters.start(event_id=league.pk, fixture=1, tables={1: 1, 2: 2}, step=at(again(league), "part"))
    events.undo(event_id=league.pk, step=at(again(league), "undo"))
    assert league_in(league).fixtures[1].matches == {}
    assert not Match.objects.filter(event=league).exists()


def test_wrong_line_ups_are_refused_with_their_faults(league: Event) -> None:
    players = squad(league, 1)
    with pytest.raises(WrongLineUp) as refused:
        submit(league, 0, ((players[1],), *usual_line_up(players)[1:]))
    assert [fault.code for fault in refused.value.faults] == ["twice"]


# --- the form ----------------------------------------------------------------------------------------------
def test_a_day_of_teams_is_found_from_a_new_tournament_and_set_up_in_order(cast: Cast, as_user: Host) -> None:
    club = f"/clubs/{cast.club.slug}/"
    host = Browser(as_user("director")).open(f"{club}tournaments/new/")
    assert host.follow("make a league").has_button("Next: the setup")
    assert re.search(r'value="teams"\s+selected', host.markup)
    assert re.search(r'value="day"\s+selected', host.markup)
    host.open(f"{club}leagues/new/?way=teams&game=fives-and-threes&meeting=swiss&when=day")
    assert "Otherwise only hosts see the pages of the league." in host.words
    host.press("Set up the league", name="Team day", legs="1", leaving="half")
    assert host.status == 200, host.words
    day = Event.objects.get(name="Team day")
    setup = league_in(day).setup
    assert (setup["every"], setup["up"], setup["down"]) == (0, 0, 0)
    assert setup["first"] == timezone.localdate().isoformat()
    assert setup["worth"]["bye"] == setup["worth"]["win"] == 2, "a bye of a Swiss is a win"
    assert setup["order"] == ["points", "buchholz-cut-1", "buchholz", "wins", "difference"]
    assert host.path == f"/leagues/{day.pk}/boards/"
    host.press("Save", evening="three-singles", single="fives-and-threes")
    assert host.path == f"/leagues/{day.pk}/divisions/"
    assert "A squad is like Ship: Ana + Bo + …, with 3 players or more." in host.words
    leagues.divide(
        event_id=day.pk,
        divisions=[("", [named(f"Pub {n}: {n}a + {n}b + {n}c") for n in (1, 2)])],
        step=at(again(day), "squads"),
    )
    assert [each.name for each in league_in(again(day)).divisions] == [""], "alone it needs no name"
    host.open(f"/leagues/{day.pk}/setup/").press("Save", meeting="round-robin")
    assert league_in(again(day)).form == league_in(day).form
    assert len(league_in(again(day)).entrants) == 2
    host.open(f"/leagues/{day.pk}/setup/").press("Save", way="heads")
    assert (league_in(again(day)).form, league_in(again(day)).entrants) == (None, {})
    host.open(f"/leagues/{day.pk}/setup/").press("Save", way="teams")
    assert host.path == f"/leagues/{day.pk}/boards/", "what they play is asked next"


def test_a_host_says_what_teams_play_and_enters_squads(cast: Cast, as_user: Host) -> None:
    begun = leagues.start(club=cast.club, name="Pub league", setup=setup_of(), step=first("start"))
    host = Browser(as_user("director")).open(f"/leagues/{begun.pk}/boards/")
    host.press("Save", evening="own")
    assert host.status == 422
    assert "at least one board" in host.words
    host.press("Save", **{"evening": "own", "part-2": "0", "singles": "0"})
    assert "Board 2, Part: Enter a whole number from 1 to 30." in host.words
    assert " Singles that somebody may play: Enter a whole number from 1 to 30." in host.words
    host.press("Save", singles="1")
    host.press("Save", evening="four-singles-two-doubles", single="fives-and-threes", double="domino-whist")
    form = league_in(again(begun)).form
    assert form is not None
    assert [board.size for board in form.boards] == [1, 1, 1, 1, 2, 2]
    assert form.boards[0].setting.options == GAMES["fives-and-threes"].read_options({})
    squads = [Named(tuple(f"P{team}{each}" for each in range(5)), About(f"Pub {team}")) for team in range(2)]
    few = [replace(squads[0], players=("Ana", "Bo")), squads[1]]
    with pytest.raises(Refused) as refused:
        leagues.divide(event_id=begun.pk, divisions=[("One", few)], step=at(again(begun), "few"))
    assert refused.value.code == "wrong-size"
    with pytest.raises(Refused, match=r"“One” has too few squads. .* with 4 players or more."):
        leagues.divide(event_id=begun.pk, divisions=[("One", few[:1])], step=at(again(begun), "one"))
    leagues.divide(event_id=begun.pk, divisions=[("One", squads)], step=at(again(begun), "squads"))
    leagues.make_fixtures(event_id=begun.pk, step=at(again(begun), "fixtures"))
    assert Browser().open(f"/leagues/{begun.pk}/fixtures/1/boards/").status == 200
    kept = setup_of(up=0)
    leagues.set_up(event_id=begun.pk, name="Pub league", setup=kept, step=at(again(begun), "kept"))
    assert league_in(again(begun)).form == form, "the setup of the league does not say what teams play"
    host.open(f"/leagues/{begun.pk}/boards/").press("Entrants are no teams")
    assert league_in(again(begun)).form is None
    assert league_in(again(begun)).entrants == {}


def test_each_board_has_its_game_and_its_worth(cast: Cast, as_user: Host) -> None:
    begun = leagues.start(club=cast.club, name="Pub league", setup=setup_of(), step=first("start"))
    page = f"/leagues/{begun.pk}/boards/"
    host = Browser(as_user("director")).open(page)
    host.press("Save", evening="four-singles-two-doubles", single="fives-and-threes", double="domino-whist")
    usual = league_in(again(begun)).form
    form_sent, _button = host.open(page).button("Save")
    assert ("evening", "four-singles-two-doubles") in form_sent.fields, "a usual evening is named"
    host.press("Save")
    assert league_in(again(begun)).form == usual
    host.open(page)
    changed = {"plays-1": "1:block", "minutes-1": "30", "times-1": "2", "plays-2": "", "part-6": "3"}
    for times, why in (("0", "above 0"), ("-1/2", "above 0"), ("1/0", "is not a number"), ("x", "is not a number")):
        wrong = host.client.post(page, {"evening": "own", "plays-1": "1:block", "times-1": times, "do": "save"})
        assert why in wrong.content.decode()
    host.press("Save", evening="own", **changed)
    form = league_in(again(begun)).form
    assert form is not None
    assert [(board.game, board.size, board.part) for board in form.boards] == [
        ("block", 1, 1),
        ("fives-and-threes", 1, 1),
        ("fives-and-threes", 1, 1),
        ("domino-whist", 2, 2),
        ("domino-whist", 2, 3),
    ]
    assert [board.setting.minutes for board in form.boards] == [30, None, None, None, None]
    assert [board.worth.win for board in form.boards] == [2, 1, 1, 1, 1]
    assert form.boards[0].worth.draw == 1, "half of two"
    host.open(page).press("Save")
    assert league_in(again(begun)).form == form, "what is not changed stays"
    host.open(page).press("Save", **{"fives-and-threes-option-points_to_win": "31"})
    changed_form = league_in(again(begun)).form
    assert changed_form is not None
    assert changed_form.boards[1].setting.options["points_to_win"] == 31
    assert changed_form.boards[0] == form.boards[0]


def test_the_page_of_the_fixture_leaves_play_to_that_of_its_boards(league: Event, as_user: Host) -> None:
    """Without a board, a result would replace that of board 1."""
    opened(league)
    ended(league, 1, home_wins=True)
    host, there = as_user("director"), f"/leagues/{league.pk}/fixtures/1/"
    page = host.get(there).content.decode()
    assert boards(league) in page
    assert 'value="play"' not in page
    assert 'value="score"' not in page
    result = {"do": "score", "home": "100", "away": "20", "early": "yes", "why": "x"}
    for sent in ({"do": "play", "table": "9"}, result):
        answer = host.post(there, sent | {"seen": str(again(league).length)})
        assert answer.status_code == 422
        assert "several boards" in answer.content.decode()
    assert list(league_in(league).fixtures[1].matches) == [1]


# --- squads that change ------------------------------------------------------------------------------------
def test_a_squad_changes_in_mid_season_and_open_line_ups_stay(league: Event, as_user: Host) -> None:
    opened(league)
    before = squad(league, 1)
    host, there = as_user("director"), f"/leagues/{league.pk}/teams/1/"
    sent = {"do": "squad", "names": "Newcomer", "leaves": [str(before[0])], "seen": str(league.length)}
    assert host.post(there, sent).status_code == 302
    state = league_in(again(league))
    newcomer = Player.objects.get(name="Newcomer").pk
    assert squad(league, 1) == (*before[1:], newcomer)
    assert state.captain_of(1) == before[1], "the captain has left"
    assert state.encounters[1].playing[0] == usual_line_up(before), "who was lined up plays"
    assert {row.player_id: row.present for row in league.entrants.filter(number=1)} == {
        **dict.fromkeys(before[1:], True),
        newcomer: True,
        before[0]: False,
    }
    assert "Player 1.1" in Browser().open(boards(league)).words
    audit = host.get(f"/clubs/{league.club.slug}/audit/").content.decode()
    assert "changed a squad" in audit


def test_who_may_play_follows_the_squad(league: Event) -> None:
    players = squad(league, 1)
    submit(league, 0)
    change(league, 1, joins=["Newcomer"], leaves=[players[0]])
    assert not Submitted.objects.exists(), "it was for the squad before"
    with pytest.raises(WrongLineUp) as refused:
        submit(league, 0, usual_line_up(players))
    assert {fault.code for fault in refused.value.faults} == {"not-in-squad"}
    submit(league, 0, usual_line_up(squad(league, 1)))
    change(league, 1, joins=["Player 1.1"])
    assert squad(league, 1)[-1] == players[0], "they may come back"


def change(league: Event, entrant: int, *, joins: Sequence[str] = (), leaves: Sequence[int] = ()) -> None:
    step = at(again(league), f"squad-{again(league).length}")
    leagues.change_squad(event_id=league.pk, entrant=entrant, joins=joins, leaves=leaves, step=step)


def test_nobody_changes_teams_within_a_season_and_no_squad_is_empty(league: Event) -> None:
    one, *others = squad(league, 1)
    change(league, 1, leaves=[one])
    for joins, leaves, code in (
        (["Player 1.1"], [], "other-squad"),
        (["Player 1.2"], [], "other-squad"),
        ([], [one], "not-in-squad"),
        ([], squad(league, 2), "empty-squad"),
        ([], [], "nobody-chosen"),
        ([f"New {n}" for n in range(40)], [], "wrong-size"),
    ):
        with pytest.raises(Refused) as refused:
            change(league, 2, joins=joins, leaves=leaves)
        assert refused.value.code == code
    assert squad(league, 1) == tuple(others)


def test_the_table_shows_halves_as_they_are(league: Event) -> None:
    opened(league)
    for board in range(1, 10):
        ended(league, board, home_wins=True)
    draw = {"totals": [40, 40], "why": "both stopped", "early": True}
    leagues.type_result(event_id=league.pk, fixture=1, board=2, **draw, step=at(again(league), "draw"))
    rows = Client().get(f"/leagues/{league.pk}/").context["tables"][0].rows
    assert [row.figures[1][1] for row in rows] == ["8½", "½"]


# --- a day of teams ----------------------------------------------------------------------------------------
def a_day(cast: Cast, system: str, teams: int, boards: str = "three-singles", **more: Any) -> Event:
    """Squads who play everything on one day."""
    form = Form(usual_boards(boards, ("fives-and-threes", SETTING), ("domino-whist", SETTING)))
    setup = setup_of(form=form.as_json(), order=["points", "scored", "board-points"], system=system, every=0, **more)
    day = leagues.start(club=cast.club, name="Team day", setup=setup, step=first(f"day-{cast.club.events.count()}"))
    squads = [named(f"Team {team}: {' + '.join(f'P{team}.{n}' for n in range(1, 6))}") for team in range(1, teams + 1)]
    leagues.divide(event_id=day.pk, divisions=[("Day", squads)], step=at(day, "squads"))
    return again(day)


def lined_up(day: Event) -> None:
    """Both captains of each fixture that is to be played submit."""
    state = league_in(again(day))
    for fixture in state.fixtures.values():
        for side, entrant in enumerate(fixture.sides):
            if fixture.number not in league_in(again(day)).encounters:
                chosen = tuple((player,) for player in state.squad_of(entrant)[:3])
                line_ups.submit(event_id=day.pk, fixture=fixture.number, side=side, line_up=chosen, by=NOBODY, now=NOW)


def won(day: Event, fixture: int, *, home: int) -> None:
    """The first boards are won at home, this many of them."""
    for board in (1, 2, 3):
        totals = [61, 20] if board <= home else [20, 61]
        step = at(again(day), f"won-{fixture}-{board}")
        leagues.type_result(event_id=day.pk, fixture=fixture, board=board, totals=totals, early=True, step=step)


def test_a_swiss_day_of_teams_from_the_draw_to_the_champion(cast: Cast, as_user: Host) -> None:
    day = a_day(cast, "swiss", 5, rounds=3)
    host, desk = as_user("director"), f"/leagues/{day.pk}/desk/"
    for number in (1, 2, 3):
        page = Browser(host).open(desk)
        assert page.status == 200
        page.press(f"Draw round {number}")
        state = league_in(again(day))
        theirs = [each for each in state.fixtures.values() if each.round == number]
        assert (len(theirs), len(state.byes[number])) == (2, 1)
        (free,) = state.byes[number]
        for shown in (desk, f"/leagues/{day.pk}/"):
            assert f"Round {number} Free: Team {free}" in Browser(host).open(shown).words
        for shown in ("teams", "entrants"):
            assert "Free in round" in Browser(host).open(f"/leagues/{day.pk}/{shown}/{free}/").words
        assert {each.at for each in theirs} == {each.at for each in state.fixtures.values()}, "all on one day"
        assert f"Draw round {number + 1}" not in Browser(host).open(desk).words, "not before this one is over"
        lined_up(day)
        Browser(host).open(desk).press("Start the next boards")
        playing = Match.objects.filter(event=day, status=Match.Status.PLAYING)
        assert len({*playing.values_list("table__number", flat=True)}) == 6, "each board has a table"
        for each in theirs:
            won(day, each.number, home=3 if each.home < each.away else 0)
    state = league_in(again(day))
    met = [frozenset(each.sides) for each in state.fixtures.values()]
    assert len({*met}) == len(met) == 6, "nobody meets twice"
    assert len({*map(frozenset, state.byes.values())}) == 3, "nobody has two byes"
    (best, *_others) = tables(day)
    assert (best.name, str(best.values["points"].value)) == ("Team 1", "6")
    with pytest.raises(Refused) as refused:
        leagues.draw_round(event_id=day.pk, step=at(again(day), "more"))
    assert refused.value.code == "no-more-rounds"
    leagues.close(event_id=day.pk, early=False, step=at(again(day), "close"))
    assert "Champion: Team 1" in Browser().open(f"/leagues/{day.pk}/").words


def test_two_teams_of_a_drawn_round_swap_before_their_line_ups_open(cast: Cast, as_user: Host) -> None:
    day = a_day(cast, "swiss", 5, rounds=2)
    host, desk = as_user("director"), f"/leagues/{day.pk}/desk/"
    leagues.draw_round(event_id=day.pk, step=at(day, "round-1"))
    before = league_in(again(day))
    (one, rival), (other, fourth) = (each.sides for each in before.fixtures.values())
    (free,) = before.byes[1]
    for entrant in (one, rival, other):
        fixture = next(each for each in before.fixtures.values() if entrant in each.sides)
        chosen = tuple((player,) for player in before.squad_of(entrant)[:3])
        side = fixture.sides.index(entrant)
        if entrant != rival:
            line_ups.submit(event_id=day.pk, fixture=fixture.number, side=side, line_up=chosen, by=NOBODY, now=NOW)
    page = Browser(host).open(desk)
    assert "Change round 1" in page.words
    page.press("Swap", who=[str(one), str(other)])
    assert f"Saved: swap (Team {one} and Team {other})." in page.words
    assert f"Team {other} – Team {rival}." in page.words
    assert "What the change does" in page.words
    state = league_in(again(day))
    assert [each.sides for each in state.fixtures.values()] == [(other, rival), (one, fourth)]
    assert not again(day).line_ups.exists(), "they were for other opponents"
    told = "The host has changed the draw: you now meet Team {}. A line-up from before does not count any more."
    for entrant, met, number in ((one, fourth, 2), (other, rival, 1), (rival, other, 1), (fourth, one, 2)):
        phone = Browser(captain(day, entrant))
        assert told.format(met) in phone.open(f"/leagues/{day.pk}/teams/{entrant}/").words
        side = ("home", "away")[state.fixtures[number].sides.index(entrant)]
        assert told.format(met) in phone.open(f"/leagues/{day.pk}/fixtures/{number}/line-up/{side}/").words
    assert "changed the draw" not in Browser(captain(day, free)).open(f"/leagues/{day.pk}/teams/{free}/").words
    events.undo(event_id=day.pk, step=at(again(day), "no swap"))
    assert league_in(again(day)).fixtures == before.fixtures
    page.open(desk).press("Swap", who=[str(one), str(other)])
    page.press("Swap", who=[str(one), str(free)])
    assert league_in(again(day)).byes[1] == {one}
    assert f"Team {one} has a bye, although it is the turn of" in page.words
    assert page.press("Swap", who=[str(one)]).status == 422
    lined_up(day)
    page.open(desk)
    assert not page.has_button("Swap")
    for entrants, code in (((one, other), "fixture-open"), ((one, 99), "not-in-the-round")):
        with pytest.raises(Refused) as refused:
            leagues.exchange(event_id=day.pk, round_number=1, entrants=entrants, step=at(again(day), code))
        assert refused.value.code == code


@pytest.mark.parametrize("system", ["swiss", "round-robin", "knock-out"])
def test_a_day_of_teams_is_rehearsed_by_the_same_button(cast: Cast, as_user: Host, system: str) -> None:
    day = a_day(cast, system, 4, rounds=2)
    host, length = as_user("director"), again(day).length
    page = Browser(host).open(f"/leagues/{day.pk}/desk/")
    assert f"/leagues/{day.pk}/rehearsal/" in page.markup
    page.open(f"/leagues/{day.pk}/rehearsal/")
    assert page.press("Rehearse the day", tables="2").status == 422, "a meeting has three singles at once"
    nothing: dict[str, list[str]] = {"late": [], "no_shows": [], "wrong": [], "disputed": []}
    page.press("Rehearse the day", tables="3", start="10:00", pause="0", **nothing)
    job = Job.objects.get(kind="rehearsal")
    jobs.run(job.pk, WORK)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.error
    assert (job.best["meeting"], len(job.best["rounds"])) == (3, {"round-robin": 3}.get(system, 2))
    (first_round, *_others) = job.best["rounds"]
    assert first_round["median"] >= 2 * job.best["lengths"]["shortest"], "the two meetings use the same three tables"
    words = page.open(f"/leagues/{day.pk}/rehearsal/").words
    assert "in 9 of 10 rehearsals by" in words
    standings = words.split("Standings of this rehearsed day")[1]
    assert all(f". Team {number} " in standings for number in (1, 2, 3, 4))
    assert again(day).length == length


def test_a_rehearsal_of_teams_has_the_game_points_of_the_desk(cast: Cast, as_user: Host) -> None:
    day = a_day(cast, "swiss", 4, rounds=2)
    leagues.draw_round(event_id=day.pk, step=at(day, "round-1"))
    lined_up(day)
    won(day, 1, home=2)
    assert league_file(results_now(again(day)))["stages"][0]["rounds"][0]["tables"][0]["totals"] == [4, 2]
    page = Browser(as_user("director")).open(f"/leagues/{day.pk}/rehearsal/")
    page.press("Rehearse the day", tables="6", late=[], no_shows=[])
    jobs.run(Job.objects.get(kind="rehearsal").pk, WORK)
    words = page.open(page.path).words
    assert re.search(r"Team \d – Team \d : 2 : 1 ", words.split("Tables and results of this rehearsed day")[1])
    typed = re.search(r"(\d) : (\d) is typed instead of (\d) : (\d)", words)
    assert typed
    assert {*typed.groups()} in ({"1", "2"}, {"0", "3"})
    assert {*re.findall(r"(?<!Team )\d : \d", words)} <= {"0 : 3", "1 : 2", "2 : 1", "3 : 0"}


def test_a_season_has_no_day_to_rehearse(league: Event, as_user: Host) -> None:
    assert as_user("director").get(f"/leagues/{league.pk}/rehearsal/").status_code == 404


def test_a_knock_out_of_teams_plays_a_drawn_meeting_again(cast: Cast) -> None:
    day = a_day(cast, "knock-out", 3)
    for number in (1, 2, 3):
        leagues.draw_round(event_id=day.pk, step=at(again(day), f"round-{number}"))
        lined_up(day)
        for each in [each for each in league_in(again(day)).fixtures.values() if each.round == number]:
            assert 1 not in each.sides or number > 1, "the first seed waits"
            if number == 2:
                won(day, each.number, home=1)
                typed = {"totals": [40, 40], "early": True, "why": "both stopped"}
                leagues.type_result(
                    event_id=day.pk, fixture=each.number, board=2, **typed, step=at(again(day), "drawn")
                )
            else:
                won(day, each.number, home=3 if each.home < each.away else 0)
    state = league_in(again(day))
    assert {*state.fixtures[2].sides} == {*state.fixtures[3].sides} == {1, 2}, "the drawn final once more"
    assert [row.place for row in tables(day)] == [1, 2, 3]
    with pytest.raises(Refused) as refused:
        leagues.draw_round(event_id=day.pk, step=at(again(day), "more"))
    assert refused.value.code == "no-more-rounds"


def test_a_round_robin_of_teams_on_one_day_opens_a_round_at_once(cast: Cast, as_user: Host) -> None:
    day = a_day(cast, "round-robin", 4)
    host, desk = as_user("director"), f"/leagues/{day.pk}/desk/"
    Browser(host).open(desk).press("Make these fixtures")
    assert len({each.at for each in league_in(again(day)).fixtures.values()}) == 1
    with pytest.raises(Refused) as refused:
        leagues.draw_round(event_id=day.pk, step=at(again(day), "round"))
    assert refused.value.code == "has-a-schedule"
    submit(day, 0, tuple((player,) for player in league_in(day).squads_at(1)[0][:3]))
    page = Browser(host).open(desk).follow("Line-ups of the round")
    assert "Not in: Team 4, who would lose every board" in page.words
    assert "Neither team is in" in page.words
    page.press("Open the line-ups that are ticked")
    assert sorted(league_in(again(day)).encounters) == [1], "nobody forfeits where neither is in"
    assert Browser(host).open(f"/leagues/{day.pk}/fixtures/1/boards/").words.count("forfeit") == 3
    for fixtures, code in (([2], "no-line-ups"), ([], "nobody-chosen")):
        with pytest.raises(Refused) as kept:
            line_ups.open_several(event_id=day.pk, fixtures=fixtures, step=at(again(day), f"open-{code}"))
        assert kept.value.code == code
    with pytest.raises(Refused) as none:
        encounters.start_round(event_id=day.pk, step=at(again(day), "start"))
    assert none.value.code == "nothing-to-start"


def test_a_drawn_round_waits_for_the_one_before_and_can_be_undone(cast: Cast) -> None:
    day = a_day(cast, "swiss", 4)
    leagues.draw_round(event_id=day.pk, step=at(day, "one"))
    with pytest.raises(Refused) as refused:
        leagues.draw_round(event_id=day.pk, step=at(again(day), "two"))
    assert refused.value.code == "fixtures-open"
    events.undo(event_id=day.pk, step=at(again(day), "undo"))
    assert league_in(again(day)).fixtures == {}
    with pytest.raises(Refused) as made:
        leagues.make_fixtures(event_id=day.pk, step=at(again(day), "all"))
    assert made.value.code == "drawn-by-round"


def test_a_team_that_leaves_a_swiss_day_is_drawn_no_more_and_its_results_stay(cast: Cast) -> None:
    day = a_day(cast, "swiss", 4, rounds=2)
    leagues.draw_round(event_id=day.pk, step=at(day, "one"))
    lined_up(day)
    for number in (1, 2):
        won(day, number, home=3)
    before = {row.entrant: row.values["points"].value for row in tables(day)}
    leagues.withdraw(event_id=day.pk, entrant=1, step=at(again(day), "leave"))
    assert {row.entrant: row.values["points"].value for row in tables(day)} == before
    leagues.draw_round(event_id=day.pk, step=at(again(day), "two"))
    second = [each for each in league_in(again(day)).fixtures.values() if each.round == 2]
    assert len(second) == 1
    assert 1 not in second[0].sides
