"""Correcting a hand: the page previews the change, saves exactly that, and everybody sees it."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import games
from games.moves import move_json
from scorekeeper.access import Actor
from scorekeeper.forms.corrections import HandDraft
from scorekeeper.forms.moves import FIELDS, move_of, typed_move
from scorekeeper.models import Match, Player
from scorekeeper.pages.corrections import CorrectionShown, corrections_shown
from scorekeeper.selectors import corrections as selectors
from scorekeeper.selectors.matches import position
from scorekeeper.selectors.standings import event_tables, out_of_date
from scorekeeper.services import corrections as services
from tests.browsing import Browser
from tests.conftest import NOW, Cast, enter, names_for, plan_for
from tests.nights import names_of, night_of
from tests.nights import played as played_out

Host = Callable[[str], Client]


def address(match: Match, hand: int = 0) -> str:
    return reverse("hand_correct", args=[match.pk, hand])


def test_every_move_of_every_game_can_be_typed(game: str) -> None:
    """The form shows everything in the record, and returns the same record."""
    rules = games.GAMES[game]
    assert set(rules.moves.values()) <= FIELDS.keys()
    state = games.Match.new(game, {}, names_for(game))
    for entry in plan_for(game):
        if entry["kind"] == "move":
            assert move_of(typed_move(entry["move"]), rules) == entry["move"]
        state = state.enter(entry)
    assert state.finished


Change = tuple[list[dict[str, Any]], int, dict[str, Any]]


@cache
def change_of(game: str) -> Change:
    """The entries of a match of two hands; the number of a hand in which one move can be replaced by another so that
    the match stays legal but the points change; and the new hand. If the hand has tiles left, these are corrected
    too."""
    for seed in range(1, 20):
        plan, state = plan_for(game, seed, hands=2), games.Match.new(game, {"hands": 2}, names_for(game))
        for entry in plan:
            state = state.enter(entry)
        for number in range(len(state.hands)):
            for draft in others(state, HandDraft.of(state, number)):
                with suppress(games.GameError):
                    after = state.enter(draft.entries()[0])
                    if after.hands[number].points != state.hands[number].points and after.finished:
                        return plan, number, draft.hand
    raise AssertionError("no move may be another one")


def others(state: games.Match, old: HandDraft) -> Iterator[HandDraft]:
    then = state.game.begin(state.hands[old.number].state.opening)
    left = old.hand.get("left")
    for at, move in enumerate(state.hands[old.number].state.moves):
        was = old.moves[at]
        for new in (move_json(each) for each in then.legal() if each.seat == move.seat and each != move):
            draft = old.changed(at, new)
            if left and "tile" in new and "tile" in was and new["tile"] in left[move.seat]:
                instead = [[was["tile"] if each == new["tile"] else each for each in seat] for seat in left]
                yield draft.ended({"left": instead})
            elif not left or new.get("tile") == was.get("tile"):
                yield draft
        then = then.play(move)


@pytest.fixture
def change(game: str) -> Change:
    return change_of(game)


@pytest.fixture
def played(cast: Cast, game: str, change: Change) -> Match:
    """A complete match of every game in turn."""
    return enter(cast.open(game, hands=2), change[0])


def worked_out(match: Match, client: Client, number: int, hand: dict[str, Any]) -> Browser:
    """The editor with this hand."""
    page = Browser(client).open(address(match, number))
    return page.post(address(match, number), sent_by(page) | {"draft": [json.dumps(hand)], "do": ["work-out"]})


def sent_by(page: Browser) -> dict[str, list[str]]:
    """The fields that the editor sends with every button."""
    form = next(form for form in page.forms if any(name == "draft" for name, _value in form.fields))
    return {name: [value] for name, value in form.fields}


def numbers(page: Browser) -> dict[str, list[int]]:
    """The old and the new points in the comparison."""
    assert page.answer is not None
    text = page.answer.content.decode()
    return {
        column: [int(each) for each in re.findall(rf'<td class="{column} number">(-?\d+)</td>', text)]
        for column in ("was", "becomes")
    }


def test_what_was_shown_is_what_is_saved(played: Match, change: Change, as_user: Host) -> None:
    _plan, number, hand = change
    before = position(played)
    page = worked_out(played, as_user("scorer"), number, hand)
    assert page.status == 200, page.words
    assert Match.objects.get(pk=played.pk).length == played.length
    shown = numbers(page)
    page.press("Save the correction", why="misread")
    after = position(Match.objects.get(pk=played.pk))
    assert after.hands[number].points != before.hands[number].points
    assert json.loads(json.dumps(HandDraft.of(after, number).hand)) == hand
    for state, column in ((before, "was"), (after, "becomes")):
        first = [side[0] for side in state.sides]
        assert shown[column][: 2 * len(first)] == [
            *(state.hands[number].points[seat] for seat in first),
            *(state.totals[seat] for seat in first),
        ]
    assert not out_of_date(Match.objects.get(pk=played.pk))
    assert f"Hand {number + 1} was corrected" in page.words


def test_a_move_is_changed_by_its_fields(played: Match, change: Change, as_user: Host) -> None:
    """A move opened from the replay and replaced leaves everything else unchanged."""
    _plan, number, _hand = change
    old = HandDraft.of(position(played), number)
    for at in (0, len(old.moves) - 1):
        page = Browser(as_user("scorer")).open(f"{address(played, number)}?open=move-{at}")
        assert page.status == 200
        page.press("Show what it changes")
        assert page.status == 200, page.words
        assert json.loads(sent_by(page)["draft"][0]) == old.hand


def test_a_move_is_taken_out_and_another_put_in(cast: Cast, as_user: Host) -> None:
    """Removing a move makes a later one illegal. The page says which, and from there it can be fixed."""
    game = "block"
    match = enter(cast.open(game), plan_for(game)[:8])
    old = HandDraft.of(position(match), 0)
    page = Browser(as_user("scorer")).open(f"{address(match)}?open=out-2")
    assert "Move 3:" in page.words
    assert json.loads(sent_by(page)["draft"][0])["moves"] == [*old.moves[:2], *old.moves[3:]]
    page.press("Add a move before it")
    was = typed_move(old.moves[2])
    page.press("Show what it changes", **{key: was[key] for key in was})
    assert json.loads(sent_by(page)["draft"][0]) == old.hand


def test_an_error_is_shown_at_its_move_and_nothing_is_saved(cast: Cast, as_user: Host) -> None:
    match = enter(cast.open("block"), plan_for("block")[:8])
    hand = HandDraft.of(position(match), 0)
    wrong = hand.changed(1, {**hand.moves[1], "tile": hand.moves[0]["tile"], "type": "play"}).hand
    page = worked_out(match, as_user("scorer"), 0, wrong)
    assert page.status == 422
    assert "Move 2:" in page.words
    assert "Nothing is saved yet" in page.words
    assert not page.has_button("Save the correction")
    page.post(address(match), sent_by(page) | {"draft": [json.dumps(wrong)], "do": ["save"]})
    assert page.status == 422
    assert Match.objects.get(pk=match.pk).length == match.length


def test_a_final_state_replaces_the_moves_of_a_hand(cast: Cast, as_user: Host) -> None:
    match = cast.open("domino-whist", hands=2)
    enter(match, plan_for("domino-whist", hands=2))
    page = Browser(as_user("scorer")).open(f"{address(match)}?open=final")
    page.press("Show what it changes", out="blocked", bad_0="10", bad_1="20")
    assert page.status == 200, page.words
    page.press("Save the correction")
    assert "Hand 1 was corrected" in page.words
    assert position(Match.objects.get(pk=match.pk)).hands[0].points == (10, 20, 10, 20)


def test_what_is_left_can_be_corrected(cast: Cast, as_user: Host) -> None:
    match = enter(cast.open("domino-whist", hands=2), plan_for("domino-whist", hands=2))
    old = HandDraft.of(position(match), 1)
    page = Browser(as_user("scorer")).open(f"{address(match, 1)}?open=end").press("Show what it changes")
    assert page.status == 200, page.words
    assert json.loads(sent_by(page)["draft"][0]) == old.hand


@pytest.mark.parametrize("who", ["member", "player", "stranger"])
def test_only_people_who_may_record_may_correct(cast: Cast, as_user: Host, who: str) -> None:
    match = enter(cast.open("block"), plan_for("block")[:8])
    client = as_user(who)
    assert client.get(address(match)).status_code == 403
    assert client.post(address(match), {"do": "save"}).status_code == 403
    assert "hands/0/" not in client.get(reverse("match", args=[match.pk])).content.decode()


def test_another_phone_was_quicker(cast: Cast, as_user: Host) -> None:
    """The page shows the entry of somebody else, and keeps the correction to be saved."""
    plan = plan_for("domino-whist", hands=2)
    match = enter(cast.open("domino-whist", hands=2), plan[:-4])
    hand = {"opener": 0, "final": {"bad": [10, 20], "out": None}} | {"opener": plan[0]["opener"]}
    page = worked_out(match, as_user("scorer"), 0, hand)
    enter(match, plan[-4:-3])
    page.press("Save the correction")
    assert page.status == 409
    assert "Another phone was quicker" in page.words
    page.press("Save the correction")
    assert page.status == 200
    assert position(Match.objects.get(pk=match.pk)).hands[0].points == (10, 20, 10, 20)


def test_saved_twice_it_counts_once(cast: Cast, as_user: Host) -> None:
    match = enter(cast.open("domino-whist", hands=2), plan_for("domino-whist", hands=2))
    hand = {"opener": position(match).hands[0].opener, "final": {"bad": [10, 20], "out": None}}
    page = worked_out(match, as_user("scorer"), 0, hand).press("Save the correction")
    again = page.post(*page.last_post)
    assert again.status == 200
    assert Match.objects.get(pk=match.pk).length == match.length + 1


def test_a_later_hand_that_no_longer_follows_is_named_and_may_go_too(cast: Cast, as_user: Host) -> None:
    match = enter(cast.open("domino-whist", hands=3), plan_for("domino-whist", hands=3))
    opener = position(match).hands[0].opener
    hand = {"opener": (opener + 1) % 4, "final": {"bad": [10, 20], "out": None}}
    page = worked_out(match, as_user("scorer"), 0, hand)
    assert page.status == 422
    assert "Hand 2 no longer fits" in page.words
    page.press("Undo hand 2 and all later hands too")
    assert page.status == 200, page.words
    assert "Play continues" in page.words
    page.press("Save the correction")
    after = Match.objects.get(pk=match.pk)
    assert (after.status, len(position(after).hands)) == (Match.Status.PLAYING, 1)
    assert not out_of_date(after)


def test_the_table_of_the_night_follows(cast: Cast, as_user: Host) -> None:
    night = night_of(cast, 4, names=names_of(4), rounds=1, hands=2)
    match = played_out(night.matches.get())
    before = event_tables(night)["domino-whist"]
    totals = position(match).totals
    bad = [90, 5] if totals[0] < totals[1] else [5, 90]
    hand = {"opener": position(match).hands[0].opener, "final": {"bad": bad, "out": None}}
    entries = HandDraft(0, hand).entries()
    moved = selectors.event_table(
        match, services.preview(match_id=match.pk, seen=match.length, entries=entries, by=Actor(), now=NOW)
    )
    page = worked_out(match, as_user("scorer"), 0, hand)
    assert "Tonight's standings" in page.words
    page.press("Save the correction")
    after = event_tables(night)["domino-whist"]
    assert before != after
    assert {each.name: each.old for each in moved} == {row.name: row for row in before}
    assert {each.name: each.new for each in moved} == {row.name: row for row in after}


# --- wrong seats -------------------------------------------------------------------------------------------
def test_two_change_seats_and_everybody_has_the_points_of_his_own(cast: Cast, as_user: Host) -> None:
    night = night_of(cast, 4, names=names_of(4), rounds=1, hands=2)
    match = played_out(night.matches.get())
    state = position(match)
    had = dict(zip(state.players, state.totals, strict=True))
    seats = reverse("match_seats", args=[match.pk])
    page = Browser(as_user("scorer")).open(seats).press("Show what it changes", seat_0="1", seat_1="0")
    assert page.status == 200, page.words
    shown = numbers(page)
    page.press("Save the correction", why="sat down wrongly")
    after = position(Match.objects.get(pk=match.pk))
    first, second, *others = state.players
    assert after.players == (second, first, *others)
    assert after.totals == state.totals
    has = dict(zip(after.players, after.totals, strict=True))
    assert has == {**had, first: had[second], second: had[first]}
    assert shown["was"] == list(had.values())
    assert shown["becomes"] == [has[name] for name in state.players]
    assert not out_of_date(Match.objects.get(pk=match.pk))
    rows = {row.name: row for row in event_tables(night)["domino-whist"]}
    assert {name: row.points_for for name, row in rows.items()} == has
    assert "sat down wrongly" in page.words


def test_nobody_sits_in_two_seats(cast: Cast, as_user: Host) -> None:
    match = enter(cast.open("block"), plan_for("block")[:4])
    page = Browser(as_user("scorer")).open(reverse("match_seats", args=[match.pk]))
    page.press("Show what it changes", seat_0="1", seat_1="1")
    assert page.status == 422
    assert "Name each seat once" in page.words
    page.press("Show what it changes", seat_0="0", seat_1="1")
    assert page.status == 422
    assert "Everybody already sits there" in page.words


def test_a_host_says_who_else_played(cast: Cast, as_user: Host) -> None:
    night = night_of(cast, 4, names=names_of(4), rounds=1, hands=2)
    match = played_out(night.matches.get())
    state, seats = position(match), reverse("match_seats", args=[match.pk])
    _wrong, *others = state.players
    assert "Somebody else played" not in Browser(as_user("scorer")).open(seats).words
    page = Browser(as_user("director")).open(seats).press("Show what it changes", who_0="Zoe")
    assert page.status == 200, page.words
    shown = numbers(page)
    assert (shown["was"][:4], shown["becomes"][-4:]) == ([*state.totals], [*state.totals[1:], state.totals[0]])
    page.press("Save the correction", why="Zoe sat in for nobody")
    assert position(Match.objects.get(pk=match.pk)).players == ("Zoe", *others)
    assert {row.name for row in event_tables(night)["domino-whist"]} == {"Zoe", *others}
    for path in (f"/nights/{night.pk}/", f"/clubs/{cast.club.slug}/"):
        assert "Zoe" in Browser().open(path).words
    assert f"Seats changed from {', '.join(state.players)} to Zoe, {', '.join(others)}" in page.words
    assert "corrected the seats" in Browser(as_user("director")).open(f"/clubs/{cast.club.slug}/audit/").words
    page.open(seats).press("Show what it changes", who_1="Zoe")
    assert "A player can sit in one seat only" in page.words


def test_a_host_is_asked_whom_a_nearly_known_name_means(cast: Cast, as_user: Host) -> None:
    match = enter(cast.open("block"), plan_for("block")[:4])
    Player.objects.create(club=cast.club, name="David Evans")
    page = Browser(as_user("director")).open(reverse("match_seats", args=[match.pk]))
    page.press("Show what it changes", who_0="Davd Evans").press("Save the correction")
    assert "You typed Davd Evans. Did you mean David Evans?" in page.words
    assert position(Match.objects.get(pk=match.pk)).players == ("Ana", "Bo")
    page.press("Continue", **{"meant:davd evans": str(Player.objects.get(name="David Evans").pk)})
    assert position(Match.objects.get(pk=match.pk)).players == ("David Evans", "Bo")


def test_seats_put_right_from_an_old_page_are_refused(cast: Cast, as_user: Host) -> None:
    plan = plan_for("block")
    match = enter(cast.open("block"), plan[:4])
    page = Browser(as_user("scorer")).open(reverse("match_seats", args=[match.pk]))
    page.press("Show what it changes", seat_0="1", seat_1="0")
    enter(match, plan[4:5])
    page.press("Save the correction")
    assert page.status == 409
    assert position(Match.objects.get(pk=match.pk)).players == ("Ana", "Bo")


# --- what was put right ------------------------------------------------------------------------------------
def lines(match: Match) -> list[CorrectionShown]:
    return corrections_shown(Match.objects.get(pk=match.pk))


def test_a_correction_is_announced_to_everybody(played: Match, change: Change, as_user: Host) -> None:
    _plan, number, hand = change
    before = position(played)
    worked_out(played, as_user("scorer"), number, hand).press("Save the correction", why="misread")
    [line] = lines(played)
    assert (line.who, line.why, line.stands) == ("scorer", "misread", True)
    assert line.old == " : ".join(str(before.totals[side[0]]) for side in before.sides).replace("-", "−")
    assert line.old != line.new
    assert any("became" in what for what in line.what), line
    assert line.what[0].startswith(f"Hand {number + 1}: move ")
    page = Browser().open(reverse("match", args=[played.pk]))
    assert line.what[0] in page.words
    assert "misread" in page.words


def test_the_last_entry_taken_back_by_the_table_is_no_correction(cast: Cast) -> None:
    match = enter(cast.open("block"), [*plan_for("block")[:4], {"kind": "undo"}])
    assert lines(match) == []


def test_what_was_put_right_and_taken_back_again_says_so(cast: Cast) -> None:
    match = enter(cast.open("domino-whist", hands=2), plan_for("domino-whist", hands=2))
    hand = {"opener": position(match).hands[0].opener, "final": {"bad": [10, 20], "out": None}}
    enter(match, [*HandDraft(0, hand).entries(), {"kind": "undo"}])
    [line] = lines(match)
    assert (line.stands, line.new == line.old) == (False, False)


def test_every_kind_of_step_has_its_words(cast: Cast) -> None:
    match = enter(cast.open("domino-whist"), plan_for("domino-whist")[:6])
    steps: list[dict[str, Any]] = [
        {"kind": "undo", "to": {"hand": 0, "move": 3}},
        {"kind": "abandon", "why": "a tile was missing"},
        {"kind": "swap", "seats": [1, 0, 2, 3]},
        {"kind": "hand", "opener": 0, "final": {"bad": [10, 20], "out": None}},
        {"kind": "undo", "to": {"hand": 0, "move": None}},
        {"kind": "stop", "stopped": "time"},
        {"kind": "dispute", "seat": 1, "why": "we had 20"},
        {"kind": "reopen", "why": "they had"},
    ]
    enter(match, steps, by=Actor(cast.users["scorer"]))
    said = [" ".join(line.what) for line in reversed(lines(match))]
    assert [text.split(":")[0] for text in said] == [
        "Hand 1",
        "Hand 1 was given up",
        "Seats changed from Ana, Bo, Cleo, Dan to Bo, Ana, Cleo, Dan",
        "Hand 1 and all later hands were undone",
        "Ana disputed the score",
        "The match was reopened",
    ]
    assert [line.why for line in reversed(lines(match))] == [
        "",
        "a tile was missing",
        "",
        "",
        "we had 20",
        "they had",
    ]


def test_confirmations_after_a_dispute_are_listed(cast: Cast) -> None:
    match = enter(cast.open("block", hands=1), plan_for("block", hands=1))
    right = {"kind": "confirm", "seats": [0, 1]}
    says = [{"kind": "confirm", "seats": [0]}, {"kind": "dispute", "seat": 1}, right, {"kind": "reopen", "why": "so"}]
    enter(match, says[:1], by=Actor(cast.users["scorer"]))
    assert lines(match) == []
    enter(match, says[1:], by=Actor(cast.users["scorer"]))
    told = [(line.what[0], line.stands) for line in reversed(lines(match))]
    assert told == [
        ("Bo disputed the score", True),
        ("Ana and Bo: correct", True),
        ("The match was reopened", True),
    ]


def test_corrected_seats_show_the_new_winners(cast: Cast) -> None:
    match = enter(
        cast.open("block"),
        [{"kind": "result", "totals": [120, 40], "stopped": "early"}, {"kind": "swap", "seats": [1, 0]}],
    )
    [line] = lines(match)
    assert (line.old, line.new) == ("120 : 40", "120 : 40")
    assert (line.won.old, line.won.new) == ("Ana won", "Bo won")
    assert "Ana won → Bo won" in Browser().open(reverse("match", args=[match.pk])).words


def test_a_changed_move_is_shown_next_to_the_old_one(played: Match, change: Change, as_user: Host) -> None:
    _plan, number, hand = change
    page = worked_out(played, as_user("scorer"), number, hand).words
    worked_out(played, as_user("scorer"), number, hand).press("Save the correction")
    old, new = re.search(r"move \d+, “(.+)” became “(.+)”", lines(played)[0].what[0]).groups()  # type: ignore[union-attr]
    assert f"{old} {new}" in page


def test_what_a_phone_put_right_says_at_which_table(cast: Cast) -> None:
    match = enter(cast.open("block"), plan_for("block")[:6])
    phone = cast.phone()
    body = {"seen": match.length, "key": "far", "kind": "undo", "to": {"hand": 0, "move": 1}}
    assert phone.post(f"/api/v1/matches/{match.pk}/entries/", body).status_code == 201
    assert [line.who for line in lines(match)] == ["a phone of table 1"]


def test_the_price_of_what_was_put_right(cast: Cast, django_assert_num_queries: Any) -> None:
    match = enter(cast.open("block"), plan_for("block")[:6])
    with django_assert_num_queries(1):
        selectors.corrections_of(match)
    enter(match, [{"kind": "undo", "to": {"hand": 0, "move": 1}}])
    with django_assert_num_queries(3):
        selectors.corrections_of(match)


def test_a_hand_nobody_finished_is_given_up(cast: Cast, as_user: Host) -> None:
    match = enter(cast.open("block"), plan_for("block")[:6])
    page = Browser(as_user("scorer")).open(address(match)).press("Give up this hand")
    assert "given up" in page.words
    page.press("Save the correction", why="a tile was missing")
    assert position(Match.objects.get(pk=match.pk)).hands == ()
    assert lines(match)[0].why == "a tile was missing"


def test_a_match_that_all_have_confirmed_is_not_put_right(cast: Cast, as_user: Host) -> None:
    match = enter(cast.open("block", hands=1), plan_for("block", hands=1))
    enter(match, [{"kind": "confirm", "seats": [0, 1]}], by=Actor(cast.users["scorer"]))
    for path in (address(match), reverse("match_seats", args=[match.pk])):
        page = Browser(as_user("scorer")).open(path)
        assert page.path == reverse("match", args=[match.pk])
        assert "A host can reopen it" in page.words
