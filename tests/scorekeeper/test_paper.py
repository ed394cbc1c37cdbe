"""A whole match copied from paper: columns by game, hands or a bare result, an earlier date, all or nothing."""

import random
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import games
from scorekeeper import words
from scorekeeper.access import Actor
from scorekeeper.forms.paper import PaperForm
from scorekeeper.models import Club, Event, LogEntry, Match, Player
from scorekeeper.selectors.matches import record_of
from scorekeeper.selectors.paper import Origin
from scorekeeper.selectors.standings import out_of_date
from scorekeeper.services import matches, paper
from scorekeeper.services.errors import Refused
from tests.browsing import Browser, markup
from tests.conftest import NOW, Cast, enter, names_for, plan_for, totals_for
from tests.nights import night_of

SIDES = next(slug for slug, game in games.GAMES.items() if game.final(game.read_options({})).bad)
TABLE = next(slug for slug, game in games.GAMES.items() if game.final(game.read_options({})).table)
AT = "2026-05-09T20:15"
THEN = datetime(2026, 5, 9, 20, 15, tzinfo=UTC)

Typed = dict[str, str]


def finals_of(game: str, seed: int = 3) -> tuple[games.Match, list[dict[str, Any]]]:
    """A random match, and its hands as final states, as on paper."""
    record = games.random_match(game, {}, names_for(game), random.Random(seed))
    match = games.Match.of(games.read_record(record, games.GAMES))
    hands = []
    for number, hand in enumerate(match.hands):
        assert hand.outcome
        final = final_of(match, number)
        hands.append({match.game.opener_word: hand.opener, "final": final})
    return match, hands


def final_of(match: games.Match, number: int) -> dict[str, Any]:
    """The end of a hand, in the form that its game needs."""
    hand = match.hands[number]
    outcome, form = hand.outcome, match.game.final(match.options)
    assert outcome
    seats = range(len(match.players))
    by = {reason: [_of(outcome, reason, seat) for seat in seats] for reason in {s.reason for s in outcome.scores}}
    final: dict[str, Any] = {}
    if form.contracts:
        call = hand.moves[0]
        final |= {key: call[key] for key in ("contract", "trump") if key in call}
        final["tricks"] = list(hand.state.tricks)
        return final
    if form.dropped:
        claims = [_of(outcome, ("card", "multiple", "virtual"), seat) for seat in seats]
        cards = [[_card(m) for m in hand.moves if m["seat"] == seat and _card(m)] for seat in seats]
        out = outcome.end.seat if outcome.end.by == "out" else None
        return {"points": claims, "dropped": cards, "tiles": hand.state.held(), "out": out}
    if form.points:
        return {"points": list(outcome.points)}
    if form.reached:
        final["table"] = by.get("table", [0] * len(seats))
        if outcome.end.by == "reached" and not _is_out(hand):
            return final | {"reached": outcome.end.seat}
    left = hand.ending if hand.ending is not None else [()] * len(seats)
    final["left"] = [told if isinstance(told, int) else sum(map(_pips, told)) for told in left]
    final["out"] = outcome.end.seat if outcome.end.by != "blocked" else None
    return final


def _is_out(hand: games.Hand) -> bool:
    held = hand.state.held()
    return held is not None and 0 in held


def _of(outcome: Any, reason: Any, seat: int) -> int:
    reasons = (reason,) if isinstance(reason, str) else reason
    return sum(s.points for s in outcome.scores if s.reason in reasons and seat in s.seats)


def _card(move: dict[str, Any]) -> str:
    claim = move.get("claim", {})
    return claim.get("card") or claim.get("drop") or ""


def _pips(tile: int) -> int:
    high, low = games.tiles.NAMES[tile].split("-")
    return int(high) + int(low)


def row_of(number: int, hand: dict[str, Any], opener_word: str) -> Typed:
    """The fields of a hand in the row with this number."""
    typed = {"opener": str(hand[opener_word])}
    final = dict(hand["final"])
    if "contract" in final:
        trump = final.pop("trump", None)
        typed["contract"] = "-".join(str(part) for part in (final.pop("contract"), trump) if part is not None)
    if "reached" in final:
        typed["out"] = f"reached-{final.pop('reached')}"
    if "out" in final:
        out = final.pop("out")
        typed["out"] = "blocked" if out is None else str(out)
    if final.pop("last", None) is not None:
        typed["last"] = str(hand["final"]["last"])
    for key, values in final.items():
        for at, value in enumerate(values):
            typed[f"{key}-{at}"] = " ".join(value) if isinstance(value, list) else str(value)
    return {f"h{number}-{key}": value for key, value in typed.items()}


def sheet_of(game: str, *rows: Typed, **more: str) -> Typed:
    """The fields of a sheet: names, date, rows. An underscore in a key means a dash."""
    names = {f"player-{seat}": name for seat, name in enumerate(names_for(game))}
    typed = {"at": AT, "sheet": "7-12", "left-as": "left", "key": "k1", **names}
    for option in games.GAMES[game].options:
        if option.default is not None and option.default is not False:
            typed[f"option-{option.name}"] = str(option.default)
    for row in rows:
        typed |= row
    return typed | {key.replace("_", "-"): value for key, value in more.items()}


def address(**query: object) -> str:
    return reverse("paper", args=["rovers"]) + "?" + "&".join(f"{key}={value}" for key, value in query.items())


@pytest.fixture
def scorer(as_user: Callable[[str], Client]) -> Client:
    return as_user("scorer")


def saved(client: Client, game: str, typed: Typed, **query: object) -> Match:
    answer = client.post(address(game=game, **query), {"do": "save"} | typed)
    assert answer.status_code == 302, answer.content.decode()
    return Match.objects.latest("pk")


def refused(client: Client, game: str, typed: Typed, **query: object) -> str:
    """The message by which the sheet is refused. Checks that nothing is saved."""
    before = Match.objects.count(), LogEntry.objects.count(), Player.objects.count()
    answer = client.post(address(game=game, **query), {"do": "save"} | typed)
    assert answer.status_code == 422
    assert (Match.objects.count(), LogEntry.objects.count(), Player.objects.count()) == before
    page = answer.content.decode()
    return page.split('id="refusal"')[1].split("<p>")[1].split("</p>")[0]


BAD = [{"h0-out": "0", "h0-bad-0": "31", "h0-bad-1": "12"}, {"h1-out": "blocked", "h1-bad-0": "40", "h1-bad-1": "55"}]
LAST = {"h2-out": "1", "h2-bad-0": "35", "h2-bad-1": "9"}


def whist_sheet(**more: str) -> Typed:
    """Three hands with four players; the result is 106 to 76."""
    return sheet_of(SIDES, *BAD, LAST, left_as="bad", **more)


# --- every game ----------------------------------------------------------------------------------------------
def test_a_match_of_every_game_is_typed_in_hand_by_hand(cast: Cast, scorer: Client, game: str) -> None:
    match, hands = finals_of(game)
    rows = [row_of(number, hand, match.game.opener_word) for number, hand in enumerate(hands)]
    kept = saved(scorer, game, sheet_of(game, *rows))
    assert (kept.status, kept.sheet["totals"]) == (Match.Status.FINISHED, list(match.totals))
    assert kept.sheet["winners"] == list(match.winners)
    assert [hand["points"] for hand in kept.sheet["hands"]] == [list(hand.points) for hand in match.hands]
    assert not kept.unverified
    record = record_of(kept)
    assert games.verify(record)["errors"] == []
    assert len(record["hands"]) == len(hands)
    assert out_of_date(kept) == []


def test_the_running_totals_are_those_of_the_engine_after_every_row(cast: Cast, scorer: Client, game: str) -> None:
    match, hands = finals_of(game)
    rows = [row_of(number, hand, match.game.opener_word) for number, hand in enumerate(hands)]
    page = markup(scorer.post(address(game=game), sheet_of(game, *rows), headers={"X-Part": "sums"}).content.decode())
    running = [0] * len(match.players)
    for number, hand in enumerate(match.hands):
        running = [total + points for total, points in zip(running, hand.points, strict=True)]
        for at, side in enumerate(match.sides):
            assert f'<output id="total-{number}-{at}"><b>{words.number(running[side[0]])}</b>' in page
    assert not Match.objects.exists()


def test_the_bare_result_of_every_game_is_taken_as_it_stands(cast: Cast, scorer: Client, game: str) -> None:
    sides = games.GAMES[game].sides(len(names_for(game)))
    best, *rest = totals_for(game, len(sides))
    totals = [games.GAMES[game].target(games.GAMES[game].read_options({})) or best, *rest]
    typed = {f"total-{side}": str(total) for side, total in enumerate(totals)}
    match = saved(scorer, game, sheet_of(game) | typed)
    assert (match.status, match.unverified) == (Match.Status.FINISHED, True)
    assert [match.sheet["totals"][side[0]] for side in sides] == totals
    assert games.verify(record_of(match))["unverified"] is True
    assert out_of_date(match) == []
    for path in (reverse("match", args=[match.pk]), reverse("club", args=["rovers"])):
        assert "without hands" in Browser().open(path).words
    assert "Only the result is known" in Browser().open(reverse("match", args=[match.pk])).words


def test_a_result_that_does_not_end_the_match_says_how_it_ended(cast: Cast, scorer: Client) -> None:
    sheet = sheet_of(TABLE) | {"total-0": "40", "total-1": "20", "option-points_to_win": "100"}
    said = refused(scorer, TABLE, sheet)
    assert said == "Nobody has reached 100. Correct the score, or say that the match ended early."
    match = saved(scorer, TABLE, sheet | {"stopped": "early"})
    assert (match.status, match.sheet["totals"], match.sheet["winners"]) == (Match.Status.STOPPED, [40, 20], [0])
    assert "ended early" in Browser().open(reverse("match", args=[match.pk])).words
    record = record_of(match)
    assert (record["stopped"], record["meta"]["stopped"]) == ("time", "ended early")
    assert games.verify(record)["finished"] is True
    given_up = saved(scorer, TABLE, sheet | {"stopped": "abandoned", "key": "2", "again": "save"})
    assert given_up.sheet["winners"] == []
    assert out_of_date(match) == out_of_date(given_up) == []


def test_a_match_with_a_clock_that_does_not_reach_the_target_ended_by_the_clock(cast: Cast, scorer: Client) -> None:
    drawn = matches.open_match(
        table=cast.table, game=TABLE, options={}, players=names_for(TABLE), minutes=20, by=Actor(), now=NOW
    )
    match = saved(scorer, TABLE, sheet_of(TABLE) | {"total-0": "40", "total-1": "20"}, match=drawn.pk)
    assert (match, match.sheet["totals"], match.sheet["stopped"]) == (drawn, [40, 20], "time")
    assert "time was up" in Browser().open(reverse("match", args=[match.pk])).words


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"table-0": "97"}, "Table points come in fives: 97 is not possible."),
        ({"left-1": "165"}, "Bo cannot have 165 pips left: all the tiles they can have count 153."),
    ],
)
def test_a_count_that_is_not_possible_says_why(cast: Cast, scorer: Client, row: Typed, reason: str) -> None:
    hand = {"out": "0", "table-0": "40", "table-1": "20", "left-1": "12"} | row
    sheet = sheet_of("all-fives", {f"h0-{key}": value for key, value in hand.items()}, stopped="early")
    assert reason in refused(scorer, "all-fives", sheet)


@pytest.mark.parametrize("typed", ["6H TD", "6h, 10d", "6♥ 10♦", " 6♥  td,"])
def test_cards_are_typed_as_people_write_them(cast: Cast, scorer: Client, typed: str) -> None:
    game = next(slug for slug, game in games.GAMES.items() if game.final(game.read_options({})).dropped)
    row = {"points-0": "16", "points-1": "0", "out": "0", "tiles-1": "3", "dropped-0": typed}
    match = saved(scorer, game, sheet_of(game, {f"h0-{key}": value for key, value in row.items()}, stopped="time"))
    assert record_of(match)["hands"][0]["final"]["dropped"] == [["6H", "TD"], []]


@pytest.mark.parametrize("left_as", ["bad", "left"])
def test_what_is_left_is_told_by_sides_or_by_hands(cast: Cast, scorer: Client, left_as: str) -> None:
    page = scorer.post(address(game=SIDES), sheet_of(SIDES, left_as=left_as)).content.decode()
    assert ('name="h0-bad-0"' in page, 'name="h0-left-0"' in page) == (left_as == "bad", left_as == "left")


def test_the_columns_are_those_of_the_options(cast: Cast, scorer: Client) -> None:
    shown = scorer.post(address(game=TABLE), sheet_of(TABLE)).content.decode()
    assert 'name="h0-table-0"' in shown
    without = {key: value for key, value in sheet_of(TABLE).items() if key not in ("option-fives", "option-threes")}
    shown = scorer.post(address(game=TABLE), without).content.decode()
    assert 'name="h0-table-0"' not in shown
    assert "reached the target" not in shown


# --- what is kept --------------------------------------------------------------------------------------------
def test_a_match_is_dated_back_and_says_which_sheet_it_is_from(cast: Cast, scorer: Client) -> None:
    cleo = Player.objects.create(club=cast.club, name="Cleo")
    match = saved(scorer, SIDES, whist_sheet(player_2="  Cleo "))
    assert (match.created_at, match.finished_at, match.paper) == (THEN, THEN, "7-12")
    assert (match.event, match.table, match.sheet["totals"]) == (None, None, [106, 76, 106, 76])
    assert [seat.player == cleo for seat in match.seats.all()] == [False, False, True, False]
    entries = list(match.log.all())
    assert [entry.kind for entry in entries] == ["hand"] * 3
    assert {entry.user for entry in entries} == {cast.users["scorer"]}
    assert min(entry.at for entry in entries) > timezone.now() - timedelta(minutes=5)
    assert "Entered from paper sheet 7-12." in Browser().open(reverse("match", args=[match.pk])).words


def test_the_time_is_that_of_the_clock_at_the_club(cast: Cast, scorer: Client) -> None:
    Club.objects.update(time_zone="Europe/Madrid")
    match = saved(scorer, SIDES, whist_sheet())
    assert match.created_at == THEN - timedelta(hours=2)


def test_an_early_end_is_said(cast: Cast, scorer: Client) -> None:
    typed = sheet_of(SIDES, *BAD, left_as="bad")
    assert "These hands do not finish the match" in refused(scorer, SIDES, typed)
    match = saved(scorer, SIDES, typed | {"stopped": "time"})
    assert (match.status, match.sheet["stopped"], match.sheet["winners"]) == (Match.Status.STOPPED, "time", [1, 3])
    assert match.finished_at == THEN


def test_sent_twice_it_is_one_match(cast: Cast, scorer: Client) -> None:
    first = saved(scorer, SIDES, whist_sheet())
    assert saved(scorer, SIDES, whist_sheet()) == first
    assert saved(scorer, SIDES, whist_sheet(key="k2", again="save")) != first


@pytest.mark.parametrize(
    ("sheet", "said"),
    [
        ("7-12", "Sheet 7-12 was saved before: Ana + Cleo – Bo + Dan, 106 : 76. Save it again?"),
        ("9", "Ana + Cleo – Bo + Dan, 106 : 76, was saved 1 minute ago. Save it again?"),
    ],
)
def test_a_sheet_that_was_saved_before_is_saved_again_only_after_a_question(
    cast: Cast, scorer: Client, sheet: str, said: str
) -> None:
    saved(scorer, SIDES, whist_sheet())
    page = Browser(scorer).post(
        address(game=SIDES),
        {"do": ["save"]} | {name: [text] for name, text in whist_sheet(key="k2", sheet=sheet).items()},
    )
    assert page.status == 422
    assert said in page.words
    assert Match.objects.count() == 1
    page.press("Save anyway")  # the page has everything that was typed
    assert [match.sheet["totals"][:2] for match in Match.objects.all()] == [[106, 76]] * 2


def test_a_sheet_of_another_day_needs_no_question(cast: Cast, scorer: Client) -> None:
    saved(scorer, SIDES, whist_sheet())
    LogEntry.objects.update(at=timezone.now() - timedelta(minutes=61))
    saved(scorer, SIDES, whist_sheet(key="k2", at="2026-05-11T20:15"))
    assert Match.objects.count() == 2


def test_blank_rows_are_no_hands(cast: Cast, scorer: Client) -> None:
    later = {key.replace("h2", "h7"): value for key, value in LAST.items()}
    match = saved(scorer, SIDES, sheet_of(SIDES, *BAD, later, left_as="bad"))
    assert len(match.sheet["hands"]) == 3


def test_the_result_on_the_sheet_is_compared_with_its_hands(cast: Cast, scorer: Client) -> None:
    said = refused(scorer, SIDES, whist_sheet(total_0="107", total_1="76"))
    assert said == "The hands add up to 106 : 76, but the sheet has another result."
    match = saved(scorer, SIDES, whist_sheet(total_0="106", total_1="76"))
    assert not match.unverified


# --- what is refused -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"at": "2999-01-01T10:00"}, "are in the future"),
        ({"at": "1066-10-14T10:00"}, "Check the year."),
        ({"at": "yesterday"}, "Date and time"),
        ({"at": ""}, "Date and time"),
        ({"player_1": "Ana"}, "only one seat"),
        ({"player_1": ""}, "Player 2"),
        ({"player_1": "x" * 81}, "Player 2"),
        ({"h1_out": ""}, "Hand 2: Choose who went out"),
        ({"h1_out": "7"}, "Hand 2: There is no seat 7."),
        ({"h1_bad_1": ""}, "Hand 2: Enter the number for Bo + Dan."),
        ({"h1_bad_1": "many"}, "Hand 2: Expected a whole number"),
        ({"h1_bad_0": "900"}, "Hand 2: Ana + Cleo cannot have 900 pips left: all the tiles they can have count 118."),
        ({"h1_opener": "3"}, "Hand 2: Bo opens this hand."),
        ({"h3_out": "0", "h3_bad_0": "1", "h3_bad_1": "2"}, "Hand 4: This match is over."),
        ({"total_0": "106"}, "Enter the number for Bo + Dan."),
        ({"option_target": "none"}, "Bad points to reach"),
        ({"sheet": "x" * 21}, "Sheet number"),
        ({"stopped": "rain"}, "How did it end?"),
        ({"key": "x" * 40}, "Expected a text of up to"),
        ({"key": "\x00"}, "cannot be written"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_lost(cast: Cast, scorer: Client, more: dict[str, str], said: str) -> None:
    typed = whist_sheet(**more)
    assert said in refused(scorer, SIDES, typed)
    page = markup(scorer.post(address(game=SIDES), {"do": "save"} | typed).content.decode())
    for name in ("player-0", "h0-bad-0", "h2-bad-1", "h1-bad-0"):
        assert f'name="{name}" value="{typed[name]}"' in page


@pytest.mark.parametrize(
    ("more", "name"),
    [({"h0-bad-1": "900"}, "h0-bad-1"), ({"h1-bad-0": "x"}, "h1-bad-0"), ({"h0-opener": "7"}, "h0-opener")],
)
def test_the_field_that_is_wrong_is_marked(cast: Cast, scorer: Client, more: dict[str, str], name: str) -> None:
    page = markup(scorer.post(address(game=SIDES), {"do": "save"} | whist_sheet() | more).content.decode())
    [marked] = re.findall(r'name="([^"]+)"[^>]* aria-invalid="true"', page)
    assert marked == name


def test_an_empty_sheet_is_not_saved(cast: Cast, scorer: Client) -> None:
    assert "Nothing is entered yet" in refused(scorer, SIDES, sheet_of(SIDES))
    assert "Nothing is entered yet" in refused(scorer, SIDES, sheet_of(SIDES, stopped="abandoned"))


def test_what_is_still_missing_is_no_mistake_while_somebody_types(cast: Cast, scorer: Client) -> None:
    typed = sheet_of(SIDES, *BAD, {"h2-out": "1"}, left_as="bad")
    sums = scorer.post(address(game=SIDES), typed, headers={"X-Part": "sums"})
    assert sums.status_code == 200
    page = markup(sums.content.decode())
    assert '<output id="message-2" class="soft small">Enter the number for Ana + Cleo.</output>' in page
    wrong = scorer.post(address(game=SIDES), typed | {"h2-bad-0": "x", "h2-bad-1": "1"}, headers={"X-Part": "sums"})
    assert '<output id="message-2" class="errors">' in markup(wrong.content.decode())


def test_anything_may_be_typed_in_anywhere(cast: Cast, scorer: Client, game: str) -> None:
    """No text in any field breaks the page."""
    rng = random.Random(game)
    names = [*sheet_of(game), "stopped", "total-0", "total-1"]
    names += [f"h{row}-{column.key}" for row in range(3) for column in PaperForm(games.GAMES[game]).columns()]
    texts = [
        "",
        "0",
        "-1",
        "7",
        "99999999999999999999",
        "blocked",
        "reached-9",
        "reached-",
        "KD 10♥",
        "²",
        "é\x00",
        "{x}",
    ]
    for _turn in range(25):
        typed = sheet_of(game) | {name: rng.choice(texts) for name in rng.sample(names, 8)} | {"do": "save"}
        assert scorer.post(address(game=game), typed).status_code in (302, 422)


def test_a_sheet_has_no_more_rows_than_anybody_plays_hands(cast: Cast) -> None:
    data = QueryDict(mutable=True)
    data.update({"h0-out": "0", "h999-out": "0", "h1-out-7x": "0"})
    assert len(PaperForm(games.GAMES[SIDES], data).rows()) < 10


# --- a night -------------------------------------------------------------------------------------------------
@pytest.fixture
def night(cast: Cast) -> Event:
    return night_of(cast, 8, games=(SIDES,), hands=1, minutes=30)


def drawn_sheet(match: Match, **more: str) -> Typed:
    names = {f"player-{seat.number}": seat.name for seat in match.seats.all()}
    options = {f"option-{name}": str(value) for name, value in match.options.items() if value is not None}
    return sheet_of(SIDES, BAD[0], left_as="bad") | names | options | {k.replace("_", "-"): v for k, v in more.items()}


def test_the_draw_is_on_the_sheet_already(cast: Cast, scorer: Client, night: Event) -> None:
    match = night.matches.order_by("pk")[0]
    assert match.table
    which = Browser(scorer).open(reverse("paper", args=["rovers"]) + f"?night={night.pk}")
    assert all(seat.name in which.words for each in night.matches.all() for seat in each.seats.all())
    for query in ({"match": match.pk}, {"night": night.pk, "table": match.table.number}):
        page = scorer.get(address(**query)).content.decode()
        for seat in match.seats.all():
            assert f'name="player-{seat.number}" value="{seat.name}"' in page
        assert f'value="{night.pk}-1.{match.table.number}"' in page
        assert f'value="{match.created_at:%Y-%m-%dT%H:%M}"' in page


def test_another_match_of_a_night_is_played_as_the_night_plays_its_game(scorer: Client, night: Event) -> None:
    page = scorer.get(address(night=night.pk, game=SIDES)).content.decode()
    assert re.search(r'name="option-hands"[^>]* value="1"', page)


def test_the_entries_go_into_the_match_that_was_drawn(cast: Cast, scorer: Client, night: Event) -> None:
    """A sheet entered long after time was up."""
    match = night.matches.order_by("pk")[0]
    count = Match.objects.count()
    kept = saved(scorer, SIDES, drawn_sheet(match), match=match.pk)
    match.refresh_from_db()
    assert Match.objects.count() == count
    assert (match.status, match.round, match.paper) == (Match.Status.FINISHED, 1, "7-12")
    assert (match.created_at, match.finished_at, match.event) == (THEN, THEN, night)
    assert match.sheet["totals"] == [31, 12, 31, 12]
    assert kept.event == night
    assert out_of_date(match) == []
    assert scorer.get(address(match=match.pk)).status_code == 404, "something is entered in it now"


def test_other_people_than_were_drawn_play_a_match_of_their_own(cast: Cast, scorer: Client, night: Event) -> None:
    drawn = night.matches.order_by("pk")[0]
    page = scorer.post(address(match=drawn.pk), drawn_sheet(drawn, player_0="Wilma")).content.decode()
    assert "New names, added as guests: Wilma." in page
    match = saved(scorer, SIDES, drawn_sheet(drawn, player_0="Wilma"), match=drawn.pk)
    drawn.refresh_from_db()
    assert (drawn.status, drawn.sheet["stopped"]) == (Match.Status.STOPPED, "abandoned")
    assert match != drawn
    assert (match.event, match.round, match.table) == (night, 1, drawn.table)
    wilma = Player.objects.get(club=cast.club, name="Wilma")
    assert wilma.guest
    assert match.seats.get(number=0).player == wilma


def test_an_old_sheet_does_not_take_the_place_of_what_is_played_now(cast: Cast, scorer: Client, night: Event) -> None:
    busy = enter(night.matches.order_by("pk")[0], [{"kind": "hand", "opener": 0}])
    assert busy.table
    match = saved(scorer, SIDES, whist_sheet(), night=night.pk, table=busy.table.number)
    assert (match.event, match.table) == (night, None)
    assert Browser().open(reverse("night", args=[night.pk])).status == 200
    free = cast.club.tables.create(number=9)
    assert saved(scorer, SIDES, whist_sheet(key="k2", again="save"), night=night.pk, table=9).table == free


def test_a_night_that_is_closed_still_gets_its_sheets(cast: Cast, scorer: Client, night: Event) -> None:
    for number, match in enumerate(night.matches.all()):
        enter(match, [{"kind": "stop", "stopped": "abandoned"}], prefix=f"s{number}")
    night.closed_at = NOW
    night.save()
    match = saved(scorer, SIDES, whist_sheet(), night=night.pk)
    assert match.event == night
    assert Player.objects.get(club=cast.club, name="Ana").guest


def test_a_match_from_before_the_night_is_none_of_it(cast: Cast, scorer: Client, night: Event) -> None:
    """The drawn match still waits for its sheet."""
    drawn = night.matches.order_by("pk")[0]
    typed = drawn_sheet(drawn, at="2026-05-09T19:29", player_0="Wilma")
    page = scorer.post(address(match=drawn.pk), typed).content.decode()
    assert "Played before the event began" in page
    match = saved(scorer, SIDES, typed, match=drawn.pk)
    drawn.refresh_from_db()
    assert (match.event, match.round, match.table, match.club) == (None, None, None, cast.club)
    assert (drawn.length, drawn.status) == (0, Match.Status.PLAYING)
    saved(scorer, SIDES, drawn_sheet(drawn, at="2026-05-09T19:30"), match=drawn.pk)
    drawn.refresh_from_db()
    assert drawn.status == Match.Status.FINISHED, "in the minute in which the night began"


def test_a_match_that_went_on_before_the_night_has_its_sheet(cast: Cast, scorer: Client) -> None:
    """The match became part of the night when that began."""
    match = cast.open(SIDES, hands=1)
    night = night_of(cast, 8, rounds=0, now=NOW + timedelta(minutes=20))
    match.refresh_from_db()
    assert match.event == night
    assert saved(scorer, SIDES, drawn_sheet(match, at="2026-05-09T19:30"), match=match.pk).event == night


def test_a_player_plays_under_his_own_spelling(cast: Cast, scorer: Client, night: Event) -> None:
    ana = Player.objects.create(club=cast.club, name="Ana")
    players = Player.objects.count()
    answer = scorer.post(address(game=SIDES, night=night.pk), {"do": "work-out"} | whist_sheet(player_0=" ANA"))
    assert "Ana" not in answer.content.decode().split("New names, added as guests")[1]
    match = saved(scorer, SIDES, whist_sheet(player_0=" ANA"), night=night.pk)
    assert (match.seats.get(number=0).name, match.seats.get(number=0).player) == ("Ana", ana)
    assert Player.objects.count() == players + 3
    twice = refused(scorer, SIDES, whist_sheet(player_0="Ana", player_1="ana"), night=night.pk)
    assert twice == "Each player can have only one seat."


def test_without_a_night_new_names_become_guests_too(cast: Cast, scorer: Client, night: Event) -> None:
    match = saved(scorer, SIDES, whist_sheet())
    assert match.event is None
    assert match.seats.get(name="Ana").player.guest


def test_the_next_sheet_of_the_night_follows(cast: Cast, scorer: Client, night: Event) -> None:
    match = night.matches.order_by("pk")[0]
    browser = Browser(scorer).open(address(match=match.pk))
    row = {"h0-out": "0", "h0-bad-0": "31", "h0-bad-1": "12"}
    browser.press("Save and choose the next sheet", **row)
    assert browser.path == reverse("paper", args=["rovers"]) + f"?night={night.pk}"
    assert "Saved:" in browser.words
    assert f"match={match.pk}" not in browser.answer.content.decode()


def test_a_sheet_that_was_taken_back_is_typed_again_into_the_same_match(
    cast: Cast, scorer: Client, night: Event
) -> None:
    match = night.matches.order_by("pk")[0]
    row = {"h0-out": "0", "h0-bad-0": "31", "h0-bad-1": "12", "stopped": "time"}
    browser = Browser(scorer).open(address(match=match.pk)).press("Save and choose the next sheet", **row)
    assert f"match={match.pk}" not in browser.markup
    match.refresh_from_db()
    enter(match, [{"kind": "undo"}] * match.length, by=Actor(cast.users["scorer"]), prefix="back")
    browser.open(browser.path)
    assert f"match={match.pk}" in browser.markup
    again = row | {"h0-bad-0": "13"}
    browser.open(address(match=match.pk)).press("Save and choose the next sheet", **again)
    assert "Saved:" in browser.words, browser.words
    match.refresh_from_db()
    assert match.sheet["totals"][:2] == [13, 12]
    assert match.paper == f"{night.pk}-1.{match.table.number}"
    assert night.matches.count() == 2


def test_a_match_does_not_go_on_where_nobody_sees_it(cast: Cast, scorer: Client) -> None:
    """No table has it, so nobody could enter the rest."""
    match = saved(scorer, SIDES, whist_sheet())
    page = Browser(scorer).open(f"/matches/{match.pk}/?hand=1")
    page.press("Undo it and everything after it")
    assert "no table plays it now. Correct a hand so that the match is still over" in page.words
    match.refresh_from_db()
    assert match.status == Match.Status.FINISHED
    everything = {"kind": "undo", "to": {"hand": 0, "move": None}}
    enter(match, [everything], by=Actor(cast.users["scorer"]), prefix="all")
    match.refresh_from_db()
    assert match.blank, "nothing is left, so that its sheet can be typed again"
    Browser(scorer).open(f"/matches/{match.pk}/").follow("Enter its paper sheet")


def test_a_result_that_was_only_typed_is_taken_back_on_the_page_of_its_match(cast: Cast, scorer: Client) -> None:
    match = saved(scorer, SIDES, sheet_of(SIDES, **{"total-0": "44", "total-1": "38"}) | {"stopped": "time"})
    address = f"/matches/{match.pk}/"
    assert "Take the result back" not in Browser().open(address).words
    host = Browser(scorer).open(address).press("Wrong? Take the result back")
    assert host.path.startswith(address), host.path
    host.open(address).follow("Enter its paper sheet")
    host.press("Save and open the next sheet", **{"total-0": "45", "total-1": "38", "stopped": "time"})
    match.refresh_from_db()
    assert match.sheet["totals"][:2] == [45, 38]
    assert Match.objects.count() == 1


def test_somebody_was_quicker_at_the_table(cast: Cast, night: Event) -> None:
    match = night.matches.order_by("pk")[0]
    origin = Origin(night, match.table, match)
    enter(match, [{"kind": "hand", "opener": 0}])
    with pytest.raises(games.Malformed, match="malformed"):
        type_in(cast, origin=origin)
    match.refresh_from_db()
    assert match.length == 1


def type_in(cast: Cast, **given: Any) -> Match:
    sheet: dict[str, Any] = {
        "club": cast.club,
        "origin": Origin(),
        "game": SIDES,
        "options": {},
        "players": names_for(SIDES),
        "entries": [{"kind": "result", "totals": [31, 104, 31, 104]}],
        "sheet": "",
        "at": THEN,
        "by": Actor(),
        "key": "k",
        "now": THEN,
    }
    return paper.type_in(**sheet | given)


def test_the_service_takes_no_entry_that_the_rules_do_not(cast: Cast) -> None:
    for entries in ([{"kind": "move"}], plan_for(SIDES)[:3], [{"kind": "result", "totals": [1, 2, 3, 4]}], []):
        with pytest.raises((games.GameError, Refused)):
            type_in(cast, entries=entries)
        assert not Match.objects.exists()
    with pytest.raises(Refused):
        type_in(cast, at=THEN + timedelta(minutes=1))
    assert type_in(cast).unverified


@pytest.mark.parametrize(
    "query",
    [{"game": "chess"}, {"night": "x"}, {"night": "99999"}, {"match": "99999"}, {"match": "²"}, {"night": "other"}],
)
def test_what_is_not_there_is_not_found(cast: Cast, scorer: Client, query: dict[str, str]) -> None:
    other = Event.objects.create(club=cast.other_club, kind="night", started_at=NOW)
    told = {key: str(other.pk) if value == "other" else value for key, value in query.items()}
    assert scorer.get(address(**told)).status_code in (403, 404)


def test_a_table_that_is_not_there_is_no_table(cast: Cast, scorer: Client) -> None:
    assert scorer.get(address(game=SIDES, table=77)).status_code == 200
