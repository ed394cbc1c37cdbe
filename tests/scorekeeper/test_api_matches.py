"""The API of a match: what each address answers, and what it refuses to whom."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import games
from scorekeeper.models import Change, DeviceToken, LogEntry, Match, Player
from scorekeeper.services import tables
from tests.conftest import Cast, Phone, enter, last_change, names_for, plan_for, snapshot

GAME = sorted(games.GAMES)[0]


def entries_of(match: Match) -> str:
    return reverse("api-entries", args=[match.pk])


@pytest.fixture
def match(cast: Cast) -> Match:
    return cast.open(GAME)


@pytest.fixture
def opening(match: Match) -> dict:
    """A valid first entry, with seen and key."""
    return {"seen": 0, "key": "first", **plan_for(GAME)[0]}


# --- opening a match ---------------------------------------------------------------------------------------
def test_a_match_is_opened_by_the_table(cast: Cast, game: str) -> None:
    path = reverse("api-match-open", args=[cast.table.pk])
    answer = cast.phone().post(path, {"game": game, "options": {"hands": 3}, "players": names_for(game)})
    assert answer.status_code == 201
    body = answer.json()
    assert set(body) == {"id", "game", "options", "players", "status", "length", "sheet", "offers"}
    assert (body["game"], body["players"], body["status"], body["length"]) == (game, names_for(game), "playing", 0)
    assert body["options"] == dict(games.Match.new(game, {"hands": 3}, names_for(game)).options)
    assert body["offers"]["next"] == "hand"
    assert {change.match_id for change in Change.objects.exclude(kind="players")} == {body["id"]}
    assert cast.phone().get(reverse("api-match", args=[body["id"]])).json() == body


def test_a_player_is_named_by_number_or_by_the_name_the_club_knows(cast: Cast) -> None:
    ana = Player.objects.create(club=cast.club, name="Ana")
    bo = Player.objects.create(club=cast.club, name="Bo")
    given = [bo.pk, "Ana", "Somebody", "Somebody else"][: games.GAMES[GAME].seats[0]]
    path = reverse("api-match-open", args=[cast.table.pk])
    body = cast.phone().post(path, {"game": GAME, "players": given}).json()
    seats = Match.objects.get(pk=body["id"]).seats
    assert body["players"][:2] == ["Bo", "Ana"]
    assert list(seats.values_list("player", flat=True))[:2] == [bo.pk, ana.pk]


def test_a_match_is_not_opened_with_wrong_players_or_options(cast: Cast) -> None:
    names = names_for(GAME)
    ana = Player.objects.create(club=cast.club, name="Ana")
    elsewhere = Player.objects.get(club=cast.other_club, name="Bo")
    wrong = [
        ({"game": "chess", "players": names}, "unknown-game"),
        ({"game": GAME, "players": [*names, "Eve", "Fay"]}, "wrong-seat-count"),
        ({"game": GAME, "players": names, "options": {"hands": 0}}, "bad-option"),
        ({"game": GAME, "players": names, "options": {"speed": 3}}, "bad-option"),
        ({"game": GAME, "players": [elsewhere.pk, *names[1:]]}, "malformed"),
        ({"game": GAME, "players": [ana.pk, "Ana", *names[2:]]}, "malformed"),
        ({"game": GAME, "players": ["Eve", "Eve", *names[2:]]}, "malformed"),
        ({"game": GAME, "players": [2**80, *names[1:]]}, "malformed"),
        ({"game": GAME, "players": [True, *names[1:]]}, "malformed"),
        ({"game": GAME, "players": ["  ", *names[1:]]}, "malformed"),
        ({"game": GAME, "players": "Ana"}, "malformed"),
        ({"game": GAME, "players": names, "colour": "red"}, "malformed"),
        ({"game": [], "players": names}, "malformed"),
        ({"players": names}, "malformed"),
    ]
    for body, code in wrong:
        answer = cast.phone().post(reverse("api-match-open", args=[cast.table.pk]), body)
        assert (answer.status_code, answer.json()["code"]) == (422, code), body
    assert not Match.objects.exists()


# --- recording ---------------------------------------------------------------------------------------------
def test_a_whole_match_is_recorded_entry_by_entry(cast: Cast, game: str) -> None:
    match, phone = cast.open(game, hands=2), cast.phone()
    plan = plan_for(game, hands=2)
    for seen, entry in enumerate(plan):
        answer = phone.post(entries_of(match), {"seen": seen, "key": f"k{seen}", **entry})
        assert answer.status_code == 201, answer.content
        assert set(answer.json()) == {"seq", "length", "sheet", "offers"}
        assert (answer.json()["seq"], answer.json()["length"]) == (seen, seen + 1)
    body = phone.get(reverse("api-match", args=[match.pk])).json()
    assert (body["status"], body["length"], body["offers"]["next"]) == ("finished", len(plan), "done")
    assert {key: answer.json()[key] for key in ("sheet", "offers")} == {key: body[key] for key in ("sheet", "offers")}
    record = phone.get(reverse("api-record", args=[match.pk])).json()
    assert record["players"] == names_for(game)
    assert games.verify(record)["errors"] == []
    assert games.verify(record)["totals"] == body["sheet"]["totals"]
    assert Match.objects.get(pk=match.pk).finished_at is not None


FINALS = {
    "block": {"table": [0, 0], "left": [9, 20], "out": None},
    "all-fives": {"table": [150, 20], "reached": 0},
    "domino-whist": {"bad": [31, 12], "out": 0},
    "domizerka": {"contract": "odds", "trump": 3, "tricks": [2, 4, 1]},
    "dom": {"points": [143, 150]},
    "dominards": {"points": [30, 12], "dropped": [["KD"], []], "tiles": [0, 3], "out": 0},
}
"""Final states of a hand in every form."""


@pytest.mark.parametrize("final_of", FINALS)
def test_a_hand_is_entered_by_its_final_state_and_corrected(cast: Cast, final_of: str) -> None:
    match, phone, told = cast.open(final_of), cast.phone(), {"opener": 0, "final": FINALS[final_of]}
    done = phone.post(entries_of(match), {"seen": 0, "key": "a", "kind": "hand", **told})
    assert done.status_code == 201, done.content
    assert done.json()["sheet"]["hands"][0]["state"] == "counted"
    undo = phone.post(entries_of(match), {"seen": 1, "key": "b", "kind": "undo"})
    assert undo.json()["sheet"]["hands"] == []
    again = phone.post(entries_of(match), {"seen": 2, "key": "c", "kind": "undo", "to": {"hand": 0, "move": None}})
    assert (again.status_code, again.json()["code"]) == (422, "malformed")
    opened = phone.post(entries_of(match), {"seen": 2, "key": "d", "kind": "hand", "opener": 0})
    assert opened.json()["sheet"]["hands"][0]["state"] == "open"
    counted = phone.post(entries_of(match), {"seen": 3, "key": "e", "kind": "final", "final": FINALS[final_of]})
    assert counted.json()["sheet"]["hands"] == done.json()["sheet"]["hands"]
    word = games.GAMES[final_of].opener_word
    with_it = {word: 0, "final": FINALS[final_of]}
    replaced = phone.post(entries_of(match), {"seen": 4, "key": "f", "kind": "replace", "hand": 0, "with": with_it})
    assert replaced.json()["sheet"] == counted.json()["sheet"]
    record = phone.get(reverse("api-record", args=[match.pk])).json()
    assert record["hands"] == [with_it]
    assert games.verify(record)["errors"] == []


def test_the_cards_of_a_match_are_entered_before_its_first_hand(cast: Cast) -> None:
    match, phone = cast.open("dominards"), cast.phone()
    known = {"kind": "cards", "cards": [["AS", "TH", "9C", "KD", "2D"], None]}
    for seen, (cards, code) in enumerate([(known["cards"], 201), ([["AS"], None], 422), ([None], 422), ("AS", 422)]):
        answer = phone.post(
            entries_of(match), {"seen": min(seen, 1), "key": f"{seen}", "kind": "cards", "cards": cards}
        )
        assert answer.status_code == code, answer.content
    phone.post(entries_of(match), {"seen": 1, "key": "h", "kind": "hand", "opener": 0})
    late = phone.post(entries_of(match), {"seen": 2, "key": "l", **known})
    assert (late.status_code, late.json()["code"]) == (422, "malformed")
    own, others = (each.get(reverse("api-match", args=[match.pk])).json()["offers"] for each in (phone, Phone()))
    assert set(own["cards"][0]["droppable"]) == set(known["cards"][0])
    assert len(others["cards"][0]["droppable"]) == 52
    elsewhere = phone.post(entries_of(cast.open(GAME)), {"seen": 0, "key": "x", **known})
    assert (elsewhere.status_code, elsewhere.json()["code"]) == (422, "malformed")


def test_the_tricks_of_a_hand_are_compared_with_its_moves(cast: Cast) -> None:
    plan = plan_for("domizerka", hands=1)
    match, phone = enter(cast.open("domizerka", hands=1), plan, now=timezone.now()), cast.phone()
    right = [sum(term["value"] for term in score["terms"] if term["label"] == "tricks") for score in scores_of(match)]
    right = [abs(tricks) for tricks in right]
    wrong = [*right[1:], right[0]]
    assert wrong != right
    answers = [
        phone.post(entries_of(match), {"seen": match.length, "key": key, "kind": "tricks", "tricks": tricks})
        for key, tricks in (("w", wrong), ("r", right))
    ]
    assert [answer.status_code for answer in answers] == [422, 201], answers[1].content
    assert answers[0].json()["code"] == "tricks-mismatch"
    assert phone.get(reverse("api-record", args=[match.pk])).json()["hands"][0]["tricks"] == right


def scores_of(match: Match) -> list[dict]:
    """The scores of its first hand, by seat."""
    return match.sheet["hands"][0]["scores"]


def test_the_log_has_the_author_and_the_time_of_each_entry(cast: Cast, match: Match, opening: dict) -> None:
    before = timezone.now()
    cast.phone().post(entries_of(match), opening)
    entry = LogEntry.objects.get()
    assert entry.device == DeviceToken.objects.get()
    assert (entry.user, entry.seq, entry.key, entry.kind) == (None, 0, "first", "hand")
    assert before <= entry.at <= timezone.now()
    assert entry.payload == plan_for(GAME)[0]
    kind, topics = last_change()
    assert kind == "hand"
    assert topics >= {f"match:{match.pk}", f"table:{cast.table.pk}", f"club:{cast.club.pk}"}
    assert set(Change.objects.filter(kind="hand").values_list("match", "length")) == {(match.pk, 1)}


def test_the_same_key_again_is_answered_as_the_first_time(cast: Cast, match: Match) -> None:
    phone, plan = cast.phone(), plan_for(GAME)
    first = phone.post(entries_of(match), {"seen": 0, "key": "a", **plan[0]})
    phone.post(entries_of(match), {"seen": 1, "key": "b", **plan[1]})
    state = snapshot(match)
    again = phone.post(entries_of(match), {"seen": 0, "key": "a", **plan[0]})
    assert (again.status_code, again.json()) == (200, first.json())
    assert snapshot(match) == state


def test_a_key_cannot_stand_for_two_entries(cast: Cast, match: Match, opening: dict) -> None:
    phone = cast.phone()
    phone.post(entries_of(match), opening)
    state = snapshot(match)
    answer = phone.post(entries_of(match), {"seen": 1, "key": "first", "kind": "undo"})
    assert (answer.status_code, answer.json()["code"]) == (422, "key-used")
    assert snapshot(match) == state


def test_two_matches_may_use_the_same_key(cast: Cast, match: Match, opening: dict) -> None:
    phone, second = cast.phone(), cast.open(GAME)
    assert [phone.post(entries_of(m), opening).status_code for m in (match, second)] == [201, 201]


@pytest.mark.parametrize("seen", [0, 2, -1, 2**70])
def test_a_phone_that_is_behind_gets_the_newer_sheet(cast: Cast, match: Match, opening: dict, seen: int) -> None:
    phone = cast.phone()
    done = phone.post(entries_of(match), opening).json()
    state = snapshot(match)
    answer = phone.post(entries_of(match), {"seen": seen, "key": "late", "kind": "undo"})
    body = answer.json()
    assert (answer.status_code, body["code"], bool(body["message"])) == (409, "stale", True)
    assert {name: body[name] for name in ("length", "sheet", "offers")} == {
        "length": 1,
        "sheet": done["sheet"],
        "offers": done["offers"],
    }
    assert snapshot(match) == state


def test_a_refused_entry_changes_nothing_and_offers_ways_on(cast: Cast, match: Match, opening: dict) -> None:
    phone = cast.phone()
    phone.post(entries_of(match), opening)
    state, events = snapshot(match), Change.objects.count()
    wrong = {"seen": 1, "key": "x", "kind": "move", "move": plan_for(GAME)[1]["move"] | {"end": "e"}}
    answer = phone.post(entries_of(match), wrong)
    body = answer.json()
    assert answer.status_code == 422
    assert set(body) == {"code", "message", "hand", "move", "proof", "ways"}
    assert (body["code"], body["hand"], body["move"], body["proof"]) == ("no-such-end", 0, 0, None)
    assert {"way": "mend"} in body["ways"]
    assert {"way": "final", "hand": 0} in body["ways"]
    assert snapshot(match) == state
    assert Change.objects.count() == events


def test_the_key_of_a_refused_entry_is_free(cast: Cast, match: Match, opening: dict) -> None:
    phone = cast.phone()
    assert phone.post(entries_of(match), opening | {"opener": 99}).status_code == 422
    assert phone.post(entries_of(match), opening).status_code in (201, 422)
    assert phone.post(entries_of(match), {"seen": 0, "key": "first", **plan_for(GAME)[0]}).status_code in (200, 201)


def test_undo_is_an_entry_and_opens_a_finished_match_again(cast: Cast, game: str) -> None:
    plan = plan_for(game, hands=1)
    if games.GAMES[game].scored_by_moves:
        # The tiles left are only compared: the moves had finished the match already.
        plan = [entry for entry in plan if entry["kind"] in ("hand", "move")]
    match = enter(cast.open(game, hands=1), plan, now=timezone.now())
    assert (match.status, match.finished_at is None) == ("finished", False)
    answer = cast.phone().post(entries_of(match), {"seen": match.length, "key": "u", "kind": "undo"})
    assert answer.status_code == 201
    match.refresh_from_db()
    assert (match.status, match.finished_at, match.length) == ("playing", None, len(plan) + 1)


def test_a_closed_match_takes_no_more(cast: Cast, game: str) -> None:
    match, phone = cast.open(game), cast.phone()
    stop = {"seen": 0, "key": "s", "kind": "stop", "stopped": "abandoned"}
    assert phone.post(entries_of(match), stop).status_code == 201
    match.refresh_from_db()
    assert match.status == "stopped"
    answer = phone.post(entries_of(match), {"seen": 1, "key": "t", **plan_for(game)[0]})
    assert (answer.status_code, answer.json()["code"]) == (422, "match-over")


def test_a_preview_saves_nothing(cast: Cast, match: Match) -> None:
    phone, entry = cast.phone(), plan_for(GAME)[0]
    state = snapshot(match)
    answer = phone.post(entries_of(match) + "?preview=1", {"seen": 0, **entry})
    assert answer.status_code == 200
    assert snapshot(match) == state
    saved = phone.post(entries_of(match), {"seen": 0, "key": "k", **entry})
    assert saved.json() == answer.json()
    assert phone.post(entries_of(match) + "?preview=1", {"seen": 0, **entry}).status_code == 409
    assert phone.post(entries_of(match) + "?preview=1", {"seen": 1, "kind": "dance"}).status_code == 422


@pytest.mark.parametrize("preview", ["0", "true", "", "1&preview=2"])
def test_what_may_be_meant_as_a_preview_records_nothing(cast: Cast, match: Match, preview: str) -> None:
    state, body = snapshot(match), {"seen": 0, "key": "k", **plan_for(GAME)[0]}
    answer = cast.phone().post(f"{entries_of(match)}?preview={preview}", body)
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
    assert snapshot(match) == state


@pytest.mark.parametrize("key", [None, 7, "", "k" * 65])
def test_a_preview_refuses_a_key_that_cannot_be_recorded(cast: Cast, match: Match, key: object) -> None:
    answer = cast.phone().post(entries_of(match) + "?preview=1", {"seen": 0, "key": key, **plan_for(GAME)[0]})
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")


def test_codes_and_sheets_do_not_depend_on_the_language(cast: Cast, game: str) -> None:
    bodies = []
    for language in ("en", "es"):
        match, phone = cast.open(game, hands=1), cast.phone(language=language)
        answers = [
            phone.post(entries_of(match), {"seen": seen, "key": f"k{seen}", **entry})
            for seen, entry in enumerate(plan_for(game, hands=1))
        ]
        refused = phone.post(entries_of(match), {"seen": match.length, "key": "z", "kind": "dance"}).json()
        del refused["message"]
        bodies.append([*(answer.json() for answer in answers), refused])
    assert bodies[0] == bodies[1]


# --- who may ------------------------------------------------------------------------------------------------
def test_a_stranger_may_look_but_not_write(cast: Cast, match: Match, opening: dict) -> None:
    state, nobody = snapshot(match), Phone()
    assert nobody.get(reverse("api-match", args=[match.pk])).status_code == 200
    assert nobody.get(reverse("api-record", args=[match.pk])).status_code == 200
    answer = nobody.post(entries_of(match), opening)
    assert (answer.status_code, answer.json()["code"], bool(answer.json()["message"])) == (403, "not-allowed", True)
    assert snapshot(match) == state


@pytest.mark.parametrize("door", ["record", "open"])
def test_each_pass_that_is_not_good_is_refused_with_its_reason(
    cast: Cast, match: Match, opening: dict, door: str
) -> None:
    path = entries_of(match) if door == "record" else reverse("api-match-open", args=[cast.table.pk])
    state, count = snapshot(match), Match.objects.count()
    revoked = cast.phone()
    tables.revoke_tokens(table=cast.table, now=timezone.now())
    wrong = {
        "other-table": cast.phone(table=cast.other_table),
        "token-unknown": Phone("made-up"),
    }
    for code, phone in wrong.items():
        answer = phone.post(path, opening)
        assert (answer.status_code, answer.json()["code"]) == (403, code)
        assert answer.json()["message"]
    assert revoked.post(path, opening).json()["code"] == "token-revoked"
    assert (snapshot(match), Match.objects.count()) == (state, count)


@pytest.mark.parametrize("token", ["", " ", "é", "\udcff", "x" * 5000, "a b c"])
def test_no_token_whatever_it_looks_like_breaks_the_door(match: Match, opening: dict, token: str) -> None:
    answer = Client().post(
        entries_of(match), opening, content_type="application/json", HTTP_AUTHORIZATION=f"Bearer {token}"
    )
    assert (answer.status_code, answer.json()["code"]) == (403, "token-unknown")


def test_a_closed_table_takes_nothing_by_token(cast: Cast, match: Match, opening: dict) -> None:
    phone = cast.phone()
    tables.table_set_open(table=cast.table, is_open=False, now=timezone.now())
    for path in (entries_of(match), reverse("api-match-open", args=[cast.table.pk])):
        answer = phone.post(path, opening)
        assert (answer.status_code, answer.json()["code"]) == (403, "not-allowed")


def test_what_is_not_there_is_not_found(cast: Cast, opening: dict) -> None:
    phone = cast.phone()
    for number in (999, 10**17):
        paths = [reverse(name, args=[number]) for name in ("api-match", "api-record", "api-entries", "api-match-open")]
        answers = [phone.get(paths[0]), phone.get(paths[1]), phone.post(paths[2], opening), phone.post(paths[3], {})]
        assert [(a.status_code, a.json()["code"]) for a in answers] == [(404, "not-found")] * 4
    assert phone.get("/api/v1/nothing/").json()["code"] == "not-found"
    assert phone.post("/api/v1/nothing/", b"{").status_code == 404


def test_the_wrong_verb_is_named(cast: Cast, match: Match) -> None:
    answer = cast.phone().get(entries_of(match))
    assert (answer.status_code, answer.json()["code"]) == (405, "method-not-allowed")
    assert "POST" in answer.headers["Allow"]
    assert cast.phone().post(reverse("api-match", args=[match.pk]), {}).status_code == 405


@pytest.mark.parametrize("accept", ["text/html", "application/x-ndjson", "image/png", "", "a b"])
def test_the_answer_is_json_whatever_is_accepted(match: Match, accept: str) -> None:
    path = reverse("api-match", args=[match.pk])
    for answer in (
        Client().get(path + "?format=xml", headers={"Accept": accept}),
        Client().options(path, headers={"Accept": accept}),
    ):
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/json")


# --- by session ----------------------------------------------------------------------------------------------
def test_a_scorer_writes_by_session_and_only_with_the_csrf_token(cast: Cast, match: Match, opening: dict) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(cast.users["scorer"], backend="django.contrib.auth.backends.ModelBackend")
    refused = browser.post(entries_of(match), opening, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (403, "not-allowed")
    browser.cookies["csrftoken"] = "c" * 32
    answer = browser.post(
        entries_of(match), opening, content_type="application/json", headers={"X-CSRFToken": "c" * 32}
    )
    assert answer.status_code == 201
    assert LogEntry.objects.get().user == cast.users["scorer"]


def test_a_phone_that_scanned_the_code_writes_by_session_and_only_with_the_csrf_token(
    cast: Cast, match: Match, opening: dict
) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.get(reverse("table_join", args=[tables.fresh_token(table=cast.table, now=timezone.now())]))
    device = DeviceToken.objects.get()
    assert browser.post(entries_of(match), opening, content_type="application/json").status_code == 403
    browser.cookies["csrftoken"] = "c" * 32
    header = {"X-CSRFToken": "c" * 32}
    answer = browser.post(entries_of(match), opening, content_type="application/json", headers=header)
    assert answer.status_code == 201
    assert LogEntry.objects.get().device == device


def test_a_result_that_ends_no_match_says_what_did(cast: Cast) -> None:
    match, phone = cast.open("block", points_to_win=100), cast.phone()
    body = {"seen": 0, "key": "k", "kind": "result", "totals": [60, 20]}
    for path in (entries_of(match), f"{entries_of(match)}?preview=1"):
        refused = phone.post(path, body)
        assert (refused.status_code, refused.json()["code"]) == (422, "hand-unfinished")
        assert "Nobody has reached 100." in refused.json()["message"]
    done = phone.post(entries_of(match), body | {"stopped": "early"})
    assert (done.status_code, done.json()["sheet"]["ended"]) == (201, "early")


def test_a_result_after_time_is_up_was_ended_by_it(cast: Cast) -> None:
    match, phone = cast.open("block", points_to_win=100), cast.phone()
    Match.objects.filter(pk=match.pk).update(minutes=1, created_at=timezone.now() - timedelta(hours=1))
    body = {"seen": 0, "key": "k", "kind": "result", "totals": [60, 20]}
    done, again = (phone.post(entries_of(match), body) for _time in range(2))
    assert (done.status_code, again.status_code) == (201, 200)
    assert done.json()["sheet"]["stopped"] == "time"
    assert "ended" not in done.json()["sheet"], "the clock ended it"


@pytest.mark.parametrize(
    ("totals", "said"),
    [
        ([-3, 155], "totals: Nobody can have -3 points. Check the result."),
        ([155.5, 20], "totals: 155.5 is not a whole number."),
        (["155", 20], 'totals: Expected a whole number, not "155".'),
        ([155], "totals: Expected a list of 2, not of 1."),
        (155, "totals: Expected a list, not 155."),
    ],
)
def test_what_is_wrong_with_a_result_is_said_with_its_field(cast: Cast, totals: Any, said: str) -> None:
    match, phone = cast.open("block"), cast.phone()
    refused = phone.post(entries_of(match), {"seen": 0, "key": "k", "kind": "result", "totals": totals})
    assert (refused.status_code, refused.json()["message"]) == (422, said)


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ([-3, 155], "final: Expected a whole number from 0 up, not -3."),
        ([155.5, 20], "final.points: 155.5 is not a whole number."),
        ([561, 20], "final: Nobody can have 561 points: one game gives 560 at most. Check the points."),
    ],
)
def test_what_is_wrong_with_a_final_state_is_said_with_its_field(cast: Cast, points: list[Any], said: str) -> None:
    match, phone = cast.open("dom"), cast.phone()
    entry = {"seen": 0, "key": "k", "kind": "hand", "opener": 0, "final": {"points": points}}
    refused = phone.post(entries_of(match), entry)
    assert (refused.status_code, refused.json()["message"]) == (422, said)
