"""A tournament's day on the director's desk, without scripts: results, no-shows, penalties, two directors."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games import Illegal
from scorekeeper.access import Actor
from scorekeeper.events import Tournament
from scorekeeper.events.night import Night
from scorekeeper.live import Topic
from scorekeeper.models import Event, Match
from scorekeeper.pages.desk import STEPS
from scorekeeper.pages.tournament import round_shown
from scorekeeper.pages.tournament_screen import screen_shown
from scorekeeper.selectors.audit import Asked, traces
from scorekeeper.selectors.events import event_now, state_of
from scorekeeper.selectors.matches import position
from scorekeeper.services import directing, events, matches, recording, tables, tournaments
from scorekeeper.services.errors import Behind, Refused
from scorekeeper.services.matches import table_must_be_free
from scorekeeper.standings.worths import PLACE, SCORE
from tests.browsing import Browser
from tests.conftest import NOW, Cast, enter
from tests.nights import at
from tests.tournaments import file_of, played, released, scheduled, setup_of

Host = Callable[[str], Client]


def begun(cast: Cast, minutes: int | None = 30, entrants: int = 4) -> Event:
    """A tournament whose first round is seated now, with the clock running."""
    event = scheduled(cast, setup_of("block", "heads", minutes=minutes, clock_waits=False), entrants)
    released(event)
    Match.objects.filter(event=event).update(created_at=timezone.now())
    return event


def desk_of(event: Event, client: Client) -> Browser:
    return Browser(client).open(f"/tournaments/{event.pk}/desk/")


def one_of(event: Event, table: int = 1) -> Match:
    return event.matches.get(table__number=table)


def test_every_step_has_words_on_the_button_that_undoes_it() -> None:
    assert {*Night.STEPS, *Tournament.STEPS} == {*STEPS, "people", "setup"}


def test_undo_says_what_it_would_undo_after_somebody_came_after_all(cast: Cast, as_user: Host) -> None:
    event = begun(cast)
    host = desk_of(event, as_user("director")).press("They lose by forfeit", absent="1")
    assert host.has_button("Undo: forfeit at table 1")
    host.press("Came after all")
    assert host.has_button("Undo: everybody came to table 1")
    host.press("Undo: everybody came to table 1")
    assert host.has_button("Came after all")


def test_a_table_without_entries_has_not_started_also_after_an_undo(cast: Cast, as_user: Host) -> None:
    event = begun(cast)
    match = one_of(event)
    said = [desk_of(event, as_user("director")).words.count("not started")]
    enter(match, [{"kind": "hand", "opener": 0}, {"kind": "undo"}])
    said.append(desk_of(event, as_user("director")).words.count("not started"))
    assert said == [2, 2]


def test_the_desk_says_who_has_a_bye_while_the_round_is_played(cast: Cast, as_user: Host) -> None:
    event = begun(cast, entrants=3)
    (bye,) = round_shown(event_now(event), 1).byes
    host = desk_of(event, as_user("director"))
    assert f"Bye: {bye}" in host.words
    assert "Tables without a result: 1 of 1" in host.words


def test_the_last_round_says_what_comes_next(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads", rounds=1), 4)
    released(event)
    host = desk_of(event, as_user("director"))
    assert "What comes next This is the last round." in host.words
    for match in event.matches.all():
        played(match)
    assert "What comes next All rounds are played." in host.open(host.path).words


def test_a_drafted_round_is_not_drafted_again(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    tournaments.draft_next(event_id=event.pk, step=at(event, "draft"))
    with pytest.raises(Refused, match="Round 1 is drafted already"):
        tournaments.draft_next(event_id=event.pk, step=at(event, "again"))
    desk_of(event, as_user("director")).press("Discard the draft")
    tournaments.draft_next(event_id=event.pk, step=at(event, "anew"))


# --- results and ends -----------------------------------------------------------------------------------------------
def test_the_desk_says_what_a_typed_total_means(cast: Cast, as_user: Host) -> None:
    whist = scheduled(cast, setup_of("domino-whist", "partners"), 4)
    released(whist)
    assert "Bad points of each side: the fewest win." in desk_of(whist, as_user("director")).words


def test_a_table_in_play_is_refused_by_its_number_and_event(cast: Cast) -> None:
    match = one_of(begun(cast))
    assert match.table
    assert match.event
    with pytest.raises(Refused, match=f"A match of {match.event.name} is in play at table {match.table.number}"):
        table_must_be_free(match.table)


def test_a_result_that_was_only_typed_is_unverified_wherever_its_table_is(cast: Cast, as_user: Host) -> None:
    event = begun(cast)
    played(one_of(event, 1))
    enter(one_of(event, 2), [{"kind": "result", "totals": [90, 10], "stopped": "early"}])
    paths = ("desk/", "", "screen/")
    pages = [Browser(as_user("director")).open(f"/tournaments/{event.pk}/{each}").words for each in paths]
    assert [page.count("without hands") for page in pages] == [1, 1, 1]


def test_the_big_screen_keeps_the_plus_with_a_name(cast: Cast) -> None:
    event = scheduled(cast, setup_of("domino-whist", "partners"), 4)
    released(event)
    screen = Browser().open(f"/tournaments/{event.pk}/screen/?show=tables").markup
    assert screen.count("</bdi>&nbsp;+") == 2


def test_the_big_screen_has_the_figures_that_decide(cast: Cast) -> None:
    """Equal points: one pair is separated by matches won, another one by the difference."""
    order = ["points", "wins", "difference", "start"]
    event = scheduled(cast, setup_of("block", "heads", order=order), 6)
    released(event)
    tournaments.forfeit(event_id=event.pk, round_number=1, table=1, absent=[1], step=at(event, "forfeit"))
    for table, total in ((2, 10), (3, 20)):
        step = at(event, f"table {table}")
        directing.type_result(event_id=event.pk, round_number=1, table=table, totals=[60, total], step=step)
    columns = screen_shown(event_now(Event.objects.get(pk=event.pk)), looks_on=False).standings[0].standings.columns
    assert [column.head for column in columns] == ["Points", "Won", "Difference"]


def test_a_result_is_typed_and_undone(cast: Cast, as_user: Host) -> None:
    event = begun(cast)
    host = desk_of(event, as_user("director"))
    host.press("Save the result", **{"total-0": "12", "total-1": ""})
    assert host.status == 422
    assert "Final total, field 2: enter a whole number of up to nine digits, like 112." in host.words
    assert host.markup.count('value="12"') == 1, "what was typed stays, at its table alone"
    host.press("Save the result", **{"total-0": "112", "total-1": "84"})
    assert "Tables without a result: 1 of 2" in host.words
    (one, other) = file_of(event)["stages"][0]["rounds"][0]["tables"]
    assert (one["totals"], other["totals"]) == ([112, 84], None)
    assert "112" in Browser().open(f"/tournaments/{event.pk}/").words
    host.press("Undo: result of table 1")
    assert "Tables without a result: 2 of 2" in host.words
    match = one_of(event)
    assert (match.status, position(match).result) == (Match.Status.PLAYING, None)
    host.press("Save the result", **{"total-0": "101", "total-1": "84"}).press("Undo: result of table 1")
    played(one_of(event))
    assert "Tables without a result: 1 of 2" in host.open(host.path).words


def test_a_typed_result_that_does_not_end_the_match_asks_whether_it_ended_early(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("all-fives", "heads", options={"points_to_win": 100}), 4)
    released(event)
    host = desk_of(event, as_user("director"))
    assert "The match ended early" not in host.words
    host.press("Save the result", **{"total-0": "40", "total-1": "20"})
    assert host.status == 422
    assert "Nobody has reached 100. Correct the score, or say that the match ended early." in host.words
    assert one_of(event).blank
    host.press("Save the result", early="yes")
    match = one_of(event)
    assert (match.status, match.sheet["totals"], match.sheet["winners"]) == (Match.Status.STOPPED, [40, 20], [0])
    words = Browser().open(f"/matches/{match.pk}/").words
    assert "ended early" in words
    assert "time was up" not in words
    host.press("Undo: result of table 1")
    assert one_of(event).status == Match.Status.PLAYING


def test_a_result_for_a_table_that_began_to_play_leads_to_where_it_replaces_the_hands(
    cast: Cast, as_user: Host
) -> None:
    event = begun(cast)
    host = desk_of(event, as_user("director"))
    match = one_of(event)
    played(match)
    host.press("Save the result", **{"total-0": "7", "total-1": "5"})
    assert "Table 1 already has" in host.words
    assert host.follow("Replace what is there").path == f"/matches/{match.pk}/result/"


def test_a_result_that_ends_the_match_did_not_end_it_early(cast: Cast) -> None:
    event = scheduled(cast, setup_of("all-fives", "heads", options={"points_to_win": 100}), 4)
    released(event)
    step = at(event, "typed")
    directing.type_result(event_id=event.pk, round_number=1, table=1, totals=[105, 20], early=True, step=step)
    assert one_of(event).status == Match.Status.FINISHED


def test_a_short_result_was_ended_by_the_clock_only_if_that_is_up(cast: Cast) -> None:
    setup = setup_of("all-fives", "heads", options={"points_to_win": 100}, minutes=30, clock_waits=False)
    event = scheduled(cast, setup, 4)
    end = released(event)[0].created_at + timedelta(minutes=30)
    step = at(event, "typed", end - timedelta(minutes=1))
    with pytest.raises(Illegal, match="Nobody has reached 100"):
        directing.type_result(event_id=event.pk, round_number=1, table=1, totals=[40, 20], step=step)
    step = at(event, "typed", end)
    directing.type_result(event_id=event.pk, round_number=1, table=1, totals=[40, 20], step=step)
    sheet = one_of(event).sheet
    assert (sheet["stopped"], "ended" in sheet) == ("time", False)


@pytest.mark.parametrize(("minutes", "said"), [(None, "ended early"), (1, "time was up")])
def test_a_match_that_the_director_ends_says_whether_its_clock_was_up(
    cast: Cast, as_user: Host, minutes: int | None, said: str
) -> None:
    event = scheduled(cast, setup_of("all-fives", "heads", options={}, minutes=minutes, clock_waits=False), 4)
    match = released(event)[0]
    enter(match, [{"kind": "hand", "opener": 0, "final": {"table": [40, 20], "left": [[], 30], "out": 0}}])
    host = desk_of(event, as_user("director")).press("End the match")
    assert said in Browser().open(f"/matches/{match.pk}/").words
    host.press("Undo: end of the match at table")
    match.refresh_from_db()
    assert match.status == Match.Status.PLAYING


def test_an_undone_result_goes_even_after_everybody_confirmed_it(cast: Cast) -> None:
    event = begun(cast)
    directing.type_result(event_id=event.pk, round_number=1, table=1, totals=[50, 20], step=at(event, "result"))
    match = one_of(event)
    director = Actor(user=cast.users["director"])
    for seat in (0, 1):
        match.refresh_from_db()
        recording.record(
            match_id=match.pk,
            seen=match.length,
            key=f"yes-{seat}",
            entry={"kind": "confirm", "seats": [seat]},
            by=director,
            now=NOW,
        )
    events.undo(event_id=event.pk, step=replace(at(event, "undo"), by=director))
    match.refresh_from_db()
    assert (match.status, position(match).result) == (Match.Status.PLAYING, None)


def test_what_the_table_has_undone_is_not_undone_again(cast: Cast) -> None:
    event = begun(cast)
    match = one_of(event)
    directing.end_match(event_id=event.pk, round_number=1, table=1, how="abandoned", step=at(event, "end"))
    match.refresh_from_db()
    played(enter(match, [{"kind": "undo"}]))
    events.undo(event_id=event.pk, step=at(event, "undo"))
    match.refresh_from_db()
    assert match.sheet["winners"]


def test_a_match_ends_at_the_desk(cast: Cast, as_user: Host) -> None:
    event = begun(cast)
    host = desk_of(event, as_user("director"))
    host.press("Abandon the match")
    assert "abandoned" in host.words
    assert "Tables without a result: 1 of 2" in host.words
    host.press("Undo: end of the match at table 1")
    assert one_of(event).status == Match.Status.PLAYING
    for refused, how in (("No hand is counted there yet", "time"),):
        with pytest.raises(Refused, match=refused):
            directing.end_match(event_id=event.pk, round_number=1, table=1, how="time", step=at(event, how))
    played(one_of(event))
    with pytest.raises(Refused, match="is over already"):
        directing.end_match(event_id=event.pk, round_number=1, table=1, how="time", step=at(event, "over"))
    with pytest.raises(Refused, match="You typed"):
        directing.type_result(event_id=event.pk, round_number=1, table=1, totals=[1, 2], step=at(event, "late"))
    with pytest.raises(Refused, match="does not exist in that round"):
        directing.type_result(event_id=event.pk, round_number=1, table=7, totals=[1, 2], step=at(event, "where"))


def test_a_no_show_is_offered_and_the_director_decides(cast: Cast, as_user: Host) -> None:
    event = begun(cast)
    client = as_user("director")
    host = desk_of(event, client)
    offers = 'data-from="'
    assert host.markup.count(offers) > 0
    Match.objects.filter(event=event).update(created_at=timezone.now() - timedelta(minutes=16))
    enter(one_of(event, 2), [{"kind": "hand", "opener": 0}])
    host.open(host.path)
    assert host.words.count("No entries after 15 minutes") == 1, "table 2 plays"
    host.press("Save the minutes", minutes="20")
    assert state_of(event).no_show_after == 20  # type: ignore[attr-defined]
    assert "No entries after 20 minutes" in host.words, "hidden, until the clock of the page says so"
    host.press("They lose by forfeit", absent="0")
    assert "No entries after" not in host.words
    name = one_of(event).seats.order_by("number")[0].name
    assert f"Who did not come {name}, table 1 Round 1" in host.words.replace(" ,", ",")
    host.press("Came after all")
    assert "absent" not in file_of(event)["stages"][0]["rounds"][0]["tables"][0]
    assert one_of(event).status == Match.Status.PLAYING
    host.press("They lose by forfeit", absent="0")
    assert file_of(event)["stages"][0]["rounds"][0]["tables"][0]["absent"] == [0]


def test_of_three_the_others_play_on_if_one_does_not_come(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("dominards", "triples", worth=PLACE), 9)
    released(event)
    host, visitor = desk_of(event, as_user("director")), Browser()
    sides = [seat.name for seat in one_of(event).seats.all()]
    assert host.press("They lose by forfeit", absent="2").status == 200
    assert "1 did not come" in host.words
    assert f"{sides[2]} did not come the others play" in host.words
    assert host.words.count("No entries after") == 2, "nothing more to ask at this table"
    form = host.markup[host.markup.index('id="result-1-1"') :]
    assert 'name="total-2"' not in form[: form.index("</form>")]
    host.press("Save the result", **{"total-0": "40", "total-1": "30"})
    assert "Tables without a result: 2 of 3" in host.words
    assert file_of(event)["stages"][0]["rounds"][0]["tables"][0]["totals"] == [40, 30, None]
    for page in ("", "screen/"):
        words = visitor.open(f"/tournaments/{event.pk}/{page}").words
        assert f"{sides[0]} won 40 {sides[1]} 30 {sides[2]} did not come" in words, words
    assert "40 : 30 · –" in visitor.open(f"/tournaments/{event.pk}/seats/").words
    host.open(f"/matches/{one_of(event).pk}/").follow("Correct the typed result")
    assert 'name="total-2"' not in host.markup
    host.press("Show what it changes", **{"total-0": "20", "total-1": "30"}).press("Save", why="misread")
    assert file_of(event)["stages"][0]["rounds"][0]["tables"][0]["totals"] == [20, 30, None]
    said = traces(cast.club, Asked(log="nights"))[0].said
    assert said["totals"] == "40 : 30 : 0 → 20 : 30 : –"


def test_who_did_not_come_wins_nothing_with_the_zero_that_the_match_gives_them(cast: Cast) -> None:
    event = scheduled(cast, setup_of("domizerka", "triples", worth=PLACE), 3)
    released(event)
    tournaments.forfeit(event_id=event.pk, round_number=1, table=1, absent=[2], step=at(event, "absent"))
    totals = [0, 0, None]
    directing.type_result(event_id=event.pk, round_number=1, table=1, totals=totals, step=at(event, "typed"))
    sides = round_shown(event_now(event), 1).tables[0].sides
    assert [(side.won, side.tied, side.total) for side in sides] == [
        (False, True, 0),
        (False, True, 0),
        (False, False, None),
    ]


def test_a_forfeit_is_called_by_its_name_everywhere(cast: Cast, as_user: Host) -> None:
    event = begun(cast)
    host, visitor = desk_of(event, as_user("director")), Browser()
    one, other = (seat.name for seat in one_of(event).seats.all())
    host.press("They lose by forfeit", absent="1")
    assert "1 forfeit" in host.words
    for page in ("", "screen/"):
        words = visitor.open(f"/tournaments/{event.pk}/{page}").words
        assert f"{one} won by forfeit {other} did not come" in words
        assert "abandoned" not in words
    words = visitor.open(f"/tournaments/{event.pk}/seats/").words
    assert "won by forfeit" in words
    assert "did not come" in words


def phone_at(match: Match) -> Browser:
    assert match.table
    return Browser().open(f"/t/{tables.fresh_token(table=match.table, now=timezone.now())}/")


def test_the_phone_at_the_table_says_who_won_by_forfeit(cast: Cast, as_user: Host) -> None:
    event = begun(cast)
    match = one_of(event)
    one, other = (seat.name for seat in match.seats.all())
    phone = phone_at(match)
    desk_of(event, as_user("director")).press("They lose by forfeit", absent="1")
    words = phone.open(phone.path).words
    assert f"{one} won by forfeit {other} did not come" in words
    assert "bandoned" not in words


def test_the_phone_of_a_table_that_plays_on_says_who_did_not_come(cast: Cast) -> None:
    event = scheduled(cast, setup_of("dominards", "triples", options={}), 3)
    (match,) = released(event)
    phone, gone = phone_at(match), match.seats.get(number=1).name
    assert "did not come" not in phone.words
    before = Topic("table", match.table_id or 0).newest()
    tournaments.forfeit(event_id=event.pk, round_number=1, table=1, absent=[1], step=at(event, "forfeit"))
    assert Topic("table", match.table_id or 0).newest() > before, "phones show it at once"
    words = phone.open(phone.path).words
    assert f"{gone} did not come" in words.partition("Who holds the heaviest double?")[0]
    assert f"{gone} did not come" in words.partition("Who holds the heaviest double?")[2], "where who opens is chosen"


# --- penalties ------------------------------------------------------------------------------------------------------
def test_no_list_of_people_begins_with_somebody_chosen(cast: Cast, as_user: Host) -> None:
    host = desk_of(begun(cast), as_user("director"))
    lists = re.findall(r'<select name="(\w+)"([^>]*)>\s*<option value="([^"]*)"', host.markup)
    nobody = {name: (rest.strip(), first) for name, rest, first in lists if name != "table"}
    assert nobody == dict.fromkeys(("entrant", "one", "other"), ("required", ""))
    for button, fields in (
        ("Take the points off", {"points": "1", "reason": "late"}),
        ("They leave", {}),
    ):
        host.press(button, entrant="", **fields)
        assert host.status == 422
        assert "Choose a name first." in host.words


@pytest.mark.parametrize(
    ("typed", "shown"), [("1", "−1"), ("½", "−½"), ("1½", "−1½"), ("0,5", "−½"), ("3/2", "−1½"), ("1/3", "−⅓")]
)
def test_a_penalty_is_public_and_cancelled_with_a_reason(cast: Cast, as_user: Host, typed: str, shown: str) -> None:
    event = begun(cast)
    host, visitor = desk_of(event, as_user("director")), Browser()
    host.press("Take the points off", points=typed, reason="came late", entrant="2")
    assert host.status == 200, host.words
    visitor.open(f"/tournaments/{event.pk}/")
    assert f"Bruno {shown}" in visitor.words
    assert "came late" in visitor.words
    host.press("Cancel the penalty", reason=" ")
    assert "Give a reason for cancelling the penalty." in host.words
    host.press("Cancel the penalty", reason="the bus was late")
    visitor.open(visitor.path)
    assert "the bus was late" in visitor.words
    assert file_of(event)["stages"][0]["penalties"][0]["cancelled"]


@pytest.mark.parametrize("typed", ["", "0", "-1", "x", "1/0", "9" * 30, "½/", "1e9"])
def test_points_that_are_none_are_refused_and_stay_typed(cast: Cast, as_user: Host, typed: str) -> None:
    host = desk_of(begun(cast), as_user("director"))
    host.press("Take the points off", points=typed, reason="came late", entrant="2")
    assert (host.status, "enter a number above 0" in host.words) == (422, True)
    assert 'value="came late"' in host.markup


# --- steps that change nothing --------------------------------------------------------------------------------------
def test_what_changes_nothing_is_refused(cast: Cast) -> None:
    event = begun(cast)
    one = {"event_id": event.pk}

    def refused(code: str, service: Callable[..., object], **about: object) -> str:
        with pytest.raises(Refused) as why:
            service(**one, **about, step=at(event, code))
        assert why.value.code == code
        return why.value.message

    assert refused("has-not-left", tournaments.come_back, entrants=[1, 2]) == "Ada and Bruno have not left."
    tournaments.withdraw(event_id=event.pk, entrants=[1], step=at(event, "leaves"))
    assert refused("has-left", tournaments.withdraw, entrants=[1]) == "Ada has left already."
    too_many = {"entrant": 1, "round_number": 1, "points": "7/2", "reason": "late"}
    says = "Nobody can have more than 3 points here. Enter fewer."
    assert refused("too-many-points", tournaments.penalise, **too_many) == says
    tournaments.penalise(
        event_id=event.pk, entrant=1, round_number=1, points=1, reason="late", step=at(event, "penalty")
    )
    tournaments.cancel_penalty(event_id=event.pk, number=0, reason="the bus", step=at(event, "cancel"))
    refused("cancelled-already", tournaments.cancel_penalty, number=0, reason="again")
    refused("no-such-penalty", tournaments.cancel_penalty, number=1, reason="again")
    assert state_of(event).penalties[0].cancelled_because == "the bus"  # type: ignore[attr-defined]
    directing.type_result(event_id=event.pk, round_number=1, table=1, totals=[5, 3], step=at(event, "typed"))
    refused("same-result", directing.replace_result, round_number=1, table=1, totals=[5, 3], why="sure")


def test_refusals_say_what_to_do(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    with pytest.raises(Refused, match="No round is released yet"):
        tournaments.close(event_id=event.pk, open_matches=None, early=True, step=at(event, "close"))
    with pytest.raises(Refused, match="No match is open"):
        events.call_last_hand(event_id=event.pk, step=at(event, "last"))
    with pytest.raises(Refused, match="There is no draft of the next round"):
        events.seat(event_id=event.pk, step=at(event, "seat"))
    released(event)
    events.call_last_hand(event_id=event.pk, step=at(event, "last"))
    with pytest.raises(Refused, match="already on its last hand"):
        events.call_last_hand(event_id=event.pk, step=at(event, "again"))
    host = desk_of(event, as_user("director")).press("Close the tournament", early="yes")
    assert "Choose whether their scores count" in host.words


# --- two directors, wrong seats -------------------------------------------------------------------------------------
def test_of_two_directors_the_second_sees_the_step_of_the_first(cast: Cast, as_user: Host) -> None:
    event = begun(cast)
    one, other = desk_of(event, as_user("director")), desk_of(event, as_user("owner"))
    one.press("Pause the clock")
    other.press("Save the result", **{"total-0": "3", "total-1": "2"})
    assert other.status == 422
    assert "something has changed since" in other.words
    assert "Paused:" in other.words, "the desk shows the step of the other one"
    assert not one_of(event).length
    other.press("Save the result", **{"total-0": "3", "total-1": "2"})
    assert other.status == 200
    one.press("Continue the clock")
    assert one.status == 422
    assert "Tables without a result: 1 of 2" in one.words
    old = replace(at(event, "old"), seen=Event.objects.get(pk=event.pk).length - 1)
    with pytest.raises(Behind):
        tournaments.withdraw(event_id=event.pk, entrants=[1], step=old)


def test_wrong_seats_are_swapped_from_the_desk(cast: Cast, as_user: Host) -> None:
    event = begun(cast)
    host = desk_of(event, as_user("director"))
    names = [seat.name for seat in one_of(event).seats.all()]
    host.follow("The wrong people sat down")
    assert host.path == f"/matches/{one_of(event).pk}/seats/"
    host.press("Show what it changes", **{"seat-0": "1", "seat-1": "0"}).press("Save")
    assert [seat.name for seat in one_of(event).seats.all()] == names[::-1]
    played(one_of(event))
    totals = file_of(event)["stages"][0]["rounds"][0]["tables"][0]
    assert totals["sides"] == [[number] for number in totals_of(event, names[::-1])]
    visitor = Browser().open(f"/tournaments/{event.pk}/")
    assert visitor.words.index(names[1]) != visitor.words.index(names[0])


def totals_of(event: Event, names: list[str]) -> list[int]:
    entrants = {each["name"]: each["id"] for each in file_of(event)["entrants"]}
    return [entrants[name] for name in names]


# --- phones ---------------------------------------------------------------------------------------------------------
def test_where_do_i_sit(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 5)
    ids = {player.name: str(player.pk) for player in cast.club.players.all()}
    phone = Browser().open(f"/tournaments/{event.pk}/").follow("Where do I sit?")
    assert "The first round is not released yet." in phone.words
    released(event)
    away = next(name for name, player in ids.items() if int(player) in state_of(event).rounds[0].byes)
    match = one_of(event)
    name = match.seats.all()[0].name
    phone.open(f"/tournaments/{event.pk}/seats/?me={ids[name]}")
    assert phone.words.index("Table 1") < phone.words.index("Round 1")
    assert f"Seat 1, against {match.seats.all()[1].name}" in phone.words
    assert f'href="/tables/{match.table_id}/"' in phone.markup
    phone.open(f"/tournaments/{event.pk}/seats/")
    assert f"Seat 1, against {match.seats.all()[1].name}" in phone.words, "the phone remembers the name"
    phone.open(f"/tournaments/{event.pk}/seats/?me={ids[away]}")
    assert "You have a bye in this round." in phone.words
    played(match)
    phone.open(f"/tournaments/{event.pk}/seats/?me={ids[name]}")
    match.refresh_from_db()
    assert "Your match is over." in phone.words
    assert f"{match.sheet['totals'][0]} : {match.sheet['totals'][1]}" in phone.words


def test_the_code_of_a_table_leads_to_the_match_of_the_round(cast: Cast) -> None:
    event = begun(cast)
    match = one_of(event)
    assert match.table
    phone = Browser().open(f"/t/{tables.fresh_token(table=match.table, now=timezone.now())}/")
    assert all(seat.name in phone.words for seat in match.seats.all())
    enter(match, [{"kind": "stop", "stopped": "abandoned"}])
    enter(one_of(event, 2), [{"kind": "stop", "stopped": "abandoned"}])
    released(event)
    newest = event.matches.filter(table=match.table).order_by("-pk").first()
    assert newest is not None
    assert newest.pk != match.pk
    phone.open(f"/tables/{match.table_id}/")
    assert all(seat.name in phone.words for seat in newest.seats.all())


# --- screens --------------------------------------------------------------------------------------------------------
def test_screens_and_phones_ask_as_much_of_many_players(
    cast: Cast, django_assert_max_num_queries: Callable[[int], object]
) -> None:
    event = begun(cast, entrants=8)
    for page in ("seats", "screen"):
        with django_assert_max_num_queries(13):
            assert Client().get(f"/tournaments/{event.pk}/{page}/").status_code == 200


def test_links_say_that_it_is_a_tournament(cast: Cast, as_user: Host) -> None:
    event = begun(cast)
    watched = Browser().open(f"/tables/{one_of(event).table_id}/watch/").follow("The whole tournament")
    assert watched.path == f"/tournaments/{event.pk}/"
    scorer = Browser(as_user("director")).open(f"/clubs/{cast.club.slug}/paper/?night={event.pk}")
    assert scorer.follow("Cup").path == f"/tournaments/{event.pk}/"
    audit = Browser(as_user("director")).open(f"/clubs/{cast.club.slug}/audit/")
    assert audit.follow("the tournament").path == f"/tournaments/{event.pk}/"


def test_a_round_is_released_with_other_minutes(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads", minutes=30), 4)
    host = desk_of(event, as_user("director")).press("Draft the first round")
    host.press("Release round 1", minutes="0")
    assert "Minutes: enter a whole number from 1 to 1440." in host.words
    host.press("Release round 1", minutes="45")
    assert [match.minutes for match in event.matches.all()] == [45, 45]
    host.press("Undo: round 1 seated").press("Release round 1")
    assert [match.minutes for match in event.matches.all()] == [30, 30]


def test_a_phone_at_a_table_that_is_done_leads_to_the_next_table(cast: Cast) -> None:
    event = begun(cast)
    match = one_of(event)
    assert match.table
    phone = Browser().open(f"/t/{tables.fresh_token(table=match.table, now=timezone.now())}/")
    played(match)
    phone.open(f"/tables/{match.table_id}/")
    assert "The director releases the next round." in phone.words
    assert phone.follow("Where do I sit?").path == f"/tournaments/{event.pk}/seats/"
    assert phone.status == 200


def test_a_paper_sheet_of_a_table_counts_in_the_tournament(cast: Cast, as_user: Host) -> None:
    event = begun(cast)
    host = desk_of(event, as_user("director")).follow("Enter every hand from paper")
    assert f"match={one_of(event).pk}" in host.path
    host.press("Save and choose", **{"total-0": "112", "total-1": "84", "stopped": "time"})
    assert f"night={event.pk}" in host.path, host.words
    assert file_of(event)["stages"][0]["rounds"][0]["tables"][0]["totals"] == [112, 84]


def test_totals_have_a_true_minus_sign_everywhere(cast: Cast) -> None:
    event = scheduled(cast, setup_of("domizerka", "triples", worth=SCORE, order=["points", "start"]), 6)
    released(event)
    step = at(event, "typed")
    directing.type_result(event_id=event.pk, round_number=1, table=1, totals=[20, 0, -20], step=step)
    match = one_of(event)
    shown = ["", "screen/", "seats/", "standings/", "entrants/1/", "print/standings/"]
    for address in [*(f"/tournaments/{event.pk}/{each}" for each in shown), f"/matches/{match.pk}/"]:
        words = Browser().open(address).words
        assert "-20" not in words, address
    for each in ("", "screen/", "seats/", "standings/"):
        assert "−20" in Browser().open(f"/tournaments/{event.pk}/{each}").words, each


def test_a_round_goes_to_free_tables_where_others_play_since_its_draft(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads", minutes=30, clock_waits=False), 4)
    tournaments.draft_next(event_id=event.pk, step=at(event, "draft"))
    first = cast.club.tables.order_by("number")[0]
    matches.open_match(table=first, game="block", options={}, players=["Una", "Vera"], by=Actor(), now=NOW)
    desk = desk_of(event, as_user("director"))
    assert "A match is in play at table 1. Table 3 will be used instead. See table 1" in desk.words
    desk.press("Release round 1")
    assert desk.words.count("A match") == 0
    there = set(event.matches.values_list("table__number", flat=True))
    assert len(there) == 2
    assert first.number not in there
    desk.press("Undo: round 1 seated")
    assert event.matches.count() == 0
    assert desk.has_button("Release round 1")
