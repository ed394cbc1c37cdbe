"""The pages of a table without scripts, only with plain forms and links."""

import json
import random
import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

import games
from scorekeeper import live, words
from scorekeeper.forms.matches import NewMatchForm
from scorekeeper.models import LogEntry, Match
from scorekeeper.services import tables
from tests.browsing import Browser, markup
from tests.conftest import Cast, enter, names_for, plan_for, snapshot

FOUR = next(slug for slug, game in games.GAMES.items() if game.draws_seats)


@pytest.fixture
def phone(cast: Cast) -> Browser:
    """A phone that scanned the table's code."""
    token = tables.fresh_token(table=cast.table, now=timezone.now())
    return Browser().open(reverse("table_join", args=[token]))


def newest() -> Match:
    return Match.objects.latest("pk")


def start(phone: Browser, game: str = FOUR) -> Match:
    """A match with four (or two) names by seat, and its first hand opened by the first seat."""
    names = names_for(game)
    phone.open(f"{phone.path}matches/?game={game}")
    phone.press(
        "Start with these seats" if games.GAMES[game].draws_seats else "Start",
        **{f"player_{seat}": name for seat, name in enumerate(names)},
    )
    phone.press(names[0])
    return newest()


def test_scanning_the_code_leads_to_the_table_and_says_what_to_do(phone: Browser) -> None:
    assert phone.path.startswith("/tables/")
    assert "Start a match" in phone.words


def test_who_did_not_scan_only_watches(cast: Cast) -> None:
    stranger = Browser().open(reverse("table", args=[cast.table.pk]))
    assert "No match here yet" in stranger.words
    assert not stranger.has_button("Undo")


def test_a_hand_by_plain_posts_from_the_seats_to_the_next_hand(phone: Browser) -> None:
    """A complete random hand: every move is a button on the page; the tiles left are typed and agreed."""
    record = games.random_match(FOUR, {}, names_for(FOUR), random.Random(7), hands=1)
    start(phone)
    hand = record["hands"][0]
    turn = hand[games.GAMES[FOUR].opener_word]
    # The same hand, rotated so that the first seat opens it.
    for move in hand["moves"]:
        assert move["seat"] == turn % 4
        name = names_for(FOUR)[(move["seat"] - hand[games.GAMES[FOUR].opener_word]) % 4]
        if move["type"] == "pass":
            phone.press(f"{name} passes")
        else:
            phone.press(move["tile"])
            if phone.has_button("W at") and "tile=" in phone.path:
                phone.press({"w": "W at", "e": "E at"}[move["end"]])
        assert phone.status == 200, phone.words
        turn += 1
    if newest().offers["next"] == "left":
        left = [hand["left"][(seat + hand[games.GAMES[FOUR].opener_word]) % 4] for seat in range(4)]
        known = newest().offers["known"]
        tiles = {f"tiles_{seat}": held for seat, held in enumerate(left) if known[seat] is None and held}
        before = newest().length
        phone.press("Work out the score", **tiles)
        assert newest().length == before, "a preview is not counted"
        assert "New score" in phone.words
        phone.press("All agree")
    match = newest()
    assert match.sheet["hands"][0]["state"] == "counted"
    assert sum(match.sheet["totals"]) == 2 * sum(int(tile[0]) + int(tile[2]) for held in hand["left"] for tile in held)
    assert "Score of hand" in phone.words
    phone.press("The tiles are dealt")
    assert newest().offers["next"] == "move"


def test_seats_by_draw_of_tiles(phone: Browser) -> None:
    phone.open(f"{phone.path}matches/?game={FOUR}")
    names = {f"player_{seat}": name for seat, name in enumerate(names_for(FOUR))}
    phone.press("Draw tiles", **names)
    phone.press("Show who sits where", tile_0="1-0", tile_1="66", tile_2="6-5", tile_3="4 4")
    assert "Take your seats" in phone.words
    phone.press("Everybody is seated")
    # Bo drew the highest tile and is forehand; Cleo sits opposite; Dan sits on Bo's left, Ana on Bo's right.
    assert [seat.name for seat in newest().seats.all()] == ["Bo", "Dan", "Cleo", "Ana"]


def test_equal_tiles_decide_nothing_and_stay_typed(phone: Browser) -> None:
    phone.open(f"{phone.path}matches/?game={FOUR}")
    phone.press("Draw tiles", **{f"player_{seat}": name for seat, name in enumerate(names_for(FOUR))})
    phone.press("Show who sits where", tile_0="1-0", tile_1="1-0", tile_2="6-5", tile_3="4-4")
    assert phone.status == 422
    assert "different tile" in phone.words
    assert ("tile-2", "6-5") in next(form.fields for form in phone.forms if "tile-0" in form.names)


def test_the_phone_draws(phone: Browser) -> None:
    phone.open(f"{phone.path}matches/?game={FOUR}")
    phone.press("Draw tiles", **{f"player_{seat}": name for seat, name in enumerate(names_for(FOUR))})
    phone.press("Let the phone draw").press("Everybody is seated")
    assert sorted(seat.name for seat in newest().seats.all()) == sorted(names_for(FOUR))


def test_after_a_draw_the_phone_says_who_opens(cast: Cast, phone: Browser) -> None:
    match = cast.open(FOUR)
    assert "who drew the highest tile, opens" in phone.open(phone.path).words
    buttons = re.findall(r'<button class="button(| quiet) seat-(\d)".*?>(.*?)</button>', phone.markup)
    assert [(kind, seat, "forehand" in text) for kind, seat, text in buttons] == [
        ("", "0", True),
        *((" quiet", str(seat), False) for seat in (1, 2, 3)),
    ]
    assert "Who opened?" not in phone.words, "a hand entered by its result needs no answer either"
    enter(match, plan_for(FOUR, hands=1))
    assert "forehand" not in phone.open(phone.path).words.lower()


def test_on_a_night_the_draw_of_the_tables_says_who_opens(cast: Cast, phone: Browser) -> None:
    Match.objects.filter(pk=cast.open(FOUR).pk).update(round=1)
    opener = names_for(FOUR)[0]
    assert f"The draw of the tables decided who opens the first hand: {opener}." in phone.open(phone.path).words


def test_only_more_than_two_sit_clockwise(phone: Browser) -> None:
    for game, clockwise in ((FOUR, True), ("draw", False)):
        assert ("clockwise" in phone.open(f"{phone.path}matches/?game={game}").words) == clockwise


def test_before_the_first_entry_there_is_nothing_to_correct(cast: Cast, phone: Browser) -> None:
    match = cast.open(FOUR)
    assert "Correct an earlier entry" not in phone.open(phone.path).words
    enter(match, plan_for(FOUR)[:1])
    assert "Correct an earlier entry" in phone.open(phone.path).words


def test_options_come_from_the_game_and_are_kept(phone: Browser, tapped_game: str) -> None:
    phone.open(f"{phone.path}matches/?game={tapped_game}")
    people = {f"player_{seat}": name for seat, name in enumerate(names_for(tapped_game))}
    phone.press(
        "Start with these seats" if games.GAMES[tapped_game].draws_seats else "Start", **people, option_hands="3"
    )
    assert newest().options["hands"] == 3


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_choice_is_said_in_words_of_its_own(language: str, game: str) -> None:
    with override(language):
        form = NewMatchForm(games.GAMES[game])
        choices = [field.field.choices for field in form.option_fields() if hasattr(field.field, "choices")]
    for options in choices:
        assert len({said for _value, said in options}) == len(options)
        assert all(" " in said for _value, said in options), "a bare word"


def test_a_number_may_be_as_large_as_the_rules_have_it(phone: Browser) -> None:
    phone.open(f"{phone.path}matches/?game={FOUR}")
    people = {f"player_{seat}": name for seat, name in enumerate(names_for(FOUR))}
    phone.press("Start with these seats", **people, option_hands=str(10**12))
    assert phone.status == 422
    phone.press("Start with these seats", option_hands=str(10**12 - 1))
    assert newest().options["hands"] == 10**12 - 1


def test_a_number_that_is_none_is_refused_beside_its_name(phone: Browser) -> None:
    phone.open(f"{phone.path}matches/?game={FOUR}")
    people = {f"player_{seat}": name for seat, name in enumerate(names_for(FOUR))}
    phone.press("Start with these seats", **people, option_hands="-3")
    assert phone.status == 422
    assert not Match.objects.exists()


def test_starting_twice_opens_one_match(phone: Browser) -> None:
    phone.open(f"{phone.path}matches/?game={FOUR}")
    phone.press("Start with these seats", **{f"player_{seat}": name for seat, name in enumerate(names_for(FOUR))})
    phone.post(*phone.last_post)
    assert Match.objects.count() == 1


OTHERS = {f"player_{seat}": name for seat, name in enumerate(["Eva", "Fay", "Gus", "Hal"])}


def typed_names(page: Browser) -> list[str]:
    fields = next(dict(form.fields) for form in page.forms if "player-0" in dict(form.fields))
    return [fields[f"player-{seat}"] for seat in range(4)]


def test_the_slower_of_two_phones_does_not_put_a_match_aside(cast: Cast, phone: Browser) -> None:
    phone.open(f"{phone.path}matches/?game={FOUR}")
    match = cast.open(FOUR)
    phone.press("Start with these seats", **OTHERS)
    assert (phone.status, Match.objects.count()) == (409, 1)
    assert "A match is in play at table 1." in phone.words
    assert any("Continue that match" in text for _href, text in phone._read.links)
    assert typed_names(phone) == list(OTHERS.values())
    phone.press("Abandon the match")
    assert typed_names(phone) == list(OTHERS.values())
    phone.press("Start with these seats")
    assert [seat.name for seat in newest().seats.all()] == list(OTHERS.values())
    match.refresh_from_db()
    assert match.status == Match.Status.STOPPED


def test_who_would_start_a_match_beside_one_in_play_is_told_first(cast: Cast, phone: Browser) -> None:
    path = f"{phone.path}matches/?game={FOUR}"
    assert "A match is in play" not in phone.open(path).words
    cast.open(FOUR)
    assert "A match is in play at table 1." in phone.open(path).words


def switch_language(page: Browser) -> Browser:
    return page.press("Español")


def test_the_language_is_switched_in_the_middle_of_a_new_match(phone: Browser) -> None:
    phone.open(f"{phone.path}matches/?game={FOUR}").press("Draw tiles", **OTHERS, option_hands="7")
    switch_language(phone)
    assert (phone.status, typed_names(phone)) == (200, list(OTHERS.values()))
    assert "¿Quién juega?" in phone.words
    assert 'value="7"' in phone.answer.content.decode()


def test_the_language_is_switched_under_seats_that_were_drawn(phone: Browser) -> None:
    phone.open(f"{phone.path}matches/?game={FOUR}").press("Draw tiles", **OTHERS)
    phone.press("Show who sits where", tile_0="1-0", tile_1="66", tile_2="6-5", tile_3="4 4")
    seated = typed_names(phone)
    assert seated == ["Fay", "Hal", "Gus", "Eva"]
    assert typed_names(switch_language(phone)) == seated


def test_the_language_is_switched_beside_a_refusal(phone: Browser) -> None:
    start(phone)
    phone.press("6-4").press("5-5")
    assert phone.status == 422
    assert switch_language(phone).status == 200
    assert "Juega Bo" in phone.words


def test_equal_ends_have_names_of_their_own(phone: Browser) -> None:
    start(phone)
    for tap in ("6-4", "6-1", "4-1"):
        phone.press(tap)
        if "tile=" in phone.path:
            phone.press("E at")
    phone.press("1-0")
    ends = [button.words for form in phone.forms for button in form.buttons if "at the 1" in button.words]
    assert ends == ["W at the 1 (left end)", "E at the 1 (right end)"]


def test_a_tile_for_two_ends_waits_for_its_end(phone: Browser) -> None:
    match = start(phone)
    phone.press("6-4").press("4-1")
    before = snapshot(match)
    phone.press("6-1")
    assert "At which end?" in phone.words
    assert snapshot(match) == before
    phone.press("E at")
    assert newest().log.last().payload["move"] == {"seat": 2, "type": "play", "tile": "6-1", "end": "e"}


def test_who_cannot_lay_draws_while_there_are_tiles_and_then_passes(phone: Browser) -> None:
    game = next(slug for slug, game in games.GAMES.items() if game.read_options({}).get("draws"))
    start(phone, game)
    phone.press("6-6")
    for left in range(14, 0, -1):
        assert f"Bo draws a tile {left} left" in phone.words
        assert not phone.has_button("Bo passes")
        phone.press("Bo draws a tile")
        assert phone.status == 200, phone.words
        assert (
            "Bo drew a tile. Bo to play" in phone.words if left == 14 else f"Bo drew {15 - left} tiles." in phone.words
        )
    assert not phone.has_button("Bo draws")
    assert newest().sheet["held"] == [6, 21]
    phone.press("Undo")
    assert "Bo draws a tile 1 left" in phone.words


def test_a_tap_sent_twice_is_one_entry(phone: Browser) -> None:
    match = start(phone)
    phone.press("6-4")
    phone.post(*phone.last_post)
    assert phone.status == 200
    assert LogEntry.objects.filter(match=match, kind="move").count() == 1


def test_undo_takes_the_last_entry_back(phone: Browser) -> None:
    start(phone)
    phone.press("6-4").press("Undo")
    assert phone.has_button("6-4")
    assert "Ana to play" in phone.words


def test_a_tile_that_does_not_fit_is_refused_loudly_with_ways_on(phone: Browser) -> None:
    match = start(phone)
    phone.press("6-4")
    before = snapshot(match)
    phone.press("5-5")
    assert phone.status == 422
    assert snapshot(match) == before
    assert "5-5 does not fit" in phone.words
    assert "You entered: Bo laid 5-5" in phone.words
    assert 'role="alert"' in phone.answer.content.decode()
    assert any("Fix this entry" in text for _href, text in phone._read.links)


def disprove(phone: Browser) -> Match:
    """Bo passed with 6 and 4 open, and lays a tile with a 6 in the next round."""
    match = start(phone)
    for tap in ("6-4", "Bo passes", "6-1", "4-3", "1-0", "6-3"):
        phone.press(tap)
    return match


def test_a_disproved_pass_can_be_noted_and_the_table_goes_on(phone: Browser) -> None:
    match = disprove(phone)
    assert phone.status == 422, phone.words
    phone.press("It happened")
    assert phone.status == 200
    match.refresh_from_db()
    assert [noted["code"] for noted in match.sheet["irregularities"]] == ["wrong-pass"]
    assert match.log.last().payload["move"]["tile"] == "6-3"


def test_a_disproved_pass_can_be_gone_back_to(phone: Browser) -> None:
    match = disprove(phone)
    phone.press("Undo “Bo passed” and everything after it")
    match.refresh_from_db()
    assert match.log.last().kind == "undo"
    assert "Bo to play" in phone.words


def test_a_refused_hand_can_be_finished_by_its_final_state(phone: Browser) -> None:
    match = disprove(phone)
    phone.follow("Enter only the result of this hand")
    phone.press("Work out the score", out="0", bad_0="40", bad_1="20").press("All agree")
    match.refresh_from_db()
    assert match.sheet["totals"] == [40, 20, 40, 20]


def test_a_hand_by_its_final_state_only(phone: Browser, tapped_game: str) -> None:
    phone.open(f"{phone.path}matches/?game={tapped_game}")
    names = names_for(tapped_game)
    phone.press(
        "Start with these seats" if games.GAMES[tapped_game].draws_seats else "Start",
        **{f"player_{seat}": name for seat, name in enumerate(names)},
    )
    lefts = {f"left_{seat}": "9" for seat in range(1, len(names))}
    if not games.GAMES[tapped_game].draws_seats:  # else the draw says who opens
        lefts["opener"] = "0"
    phone.press("Work out the score", out="0", **lefts)
    assert phone.status == 200, phone.words
    assert not newest().length
    phone.press("All agree")
    assert newest().sheet["hands"][0]["state"] == "counted"
    assert newest().sheet["hands"][0]["end"]["by"] in ("out", "final")


TABLE_POINTS = [slug for slug, game in games.GAMES.items() if game.final(game.read_options({})).table]


@pytest.mark.parametrize("game", TABLE_POINTS)
def test_a_target_reached_in_play_ends_a_match_by_its_final_state(phone: Browser, game: str) -> None:
    phone.open(f"{phone.path}matches/?game={game}")
    phone.press("Start", player_0="Ana", player_1="Bo")
    phone.press("Work out the score", opener="1", out="reached-0", table_0="150", table_1="45")
    assert "New score 150 : 45 · Ana won" in phone.words
    phone.press("All agree")
    assert (newest().status, newest().sheet["totals"]) == (Match.Status.FINISHED, [150, 45])


def test_a_hand_with_draws_is_counted_by_its_final_state_after_some_moves(phone: Browser) -> None:
    """A player can have more tiles left than were dealt. Points made by moves count too."""
    game = TABLE_POINTS[0]
    phone.open(f"{phone.path}matches/?game={game}")
    phone.press("Start", player_0="Ana", player_1="Bo").press("Ana")
    for tap in ("5-5", "Bo draws a tile", "Bo draws a tile", "5-0", "E at"):
        phone.press(tap)
    assert newest().sheet["totals"] == [10, 10]
    phone.press("Work out the score", out="0", left_1="90", table_0="10", table_1="5")
    assert phone.status == 422
    assert "In the moves of this hand, Bo scored 10 table points" in phone.words
    phone.press("Work out the score", out="0", left_1="90", table_0="20", table_1="10").press("All agree")
    assert newest().sheet["totals"] == [110, 10]


def test_a_final_state_that_cannot_be_keeps_what_was_typed(phone: Browser) -> None:
    phone.open(f"{phone.path}matches/?game={FOUR}")
    phone.press("Start with these seats", **{f"player_{seat}": name for seat, name in enumerate(names_for(FOUR))})
    phone.press("Work out the score", out="0", left_1="170", left_2="3", left_3="4")
    assert phone.status == 422
    assert "You entered: Ana 0, Bo 170, Cleo 3, Dan 4" in phone.words
    fields = next(form.fields for form in phone.forms if "left-1" in form.names)
    assert ("left-1", "170") in fields
    assert ("out", "0") in fields


def test_a_count_that_is_not_possible_says_why(phone: Browser) -> None:
    phone.open(f"{phone.path}matches/?game=all-fives")
    phone.press("Start", player_0="Ana", player_1="Bo")
    typed = {"opener": "0", "out": "0", "left_1": "12", "table_1": "5"}
    phone.press("Work out the score", **typed, table_0="97")
    assert phone.status == 422
    assert "Table points come in fives: 97 is not possible." in phone.words
    phone.press("Work out the score", **typed, table_0="95").press("All agree")
    assert newest().sheet["totals"] == [107, 5]


def test_a_preview_that_is_good_takes_an_old_refusal_away(phone: Browser) -> None:
    match = start(phone)
    body = {"seen": "1", "form": "final", "out": "0", "bad-0": "40", "bad-1": "20", "preview": "1"}
    answer = phone.client.post(reverse("match_entry", args=[match.pk]), body, headers={"X-Part": "preview"})
    assert '<div id="refusal"></div>' in markup(answer.content.decode())


def test_two_have_won_in_spanish_as_two() -> None:
    one = games.Match.new("dom", {}, ["Al", "Bo"]).enter({"kind": "result", "totals": [90, 120]})
    two = games.Match.new(FOUR, {}, ["Al", "Bo", "Cy", "Di"]).enter({"kind": "result", "totals": [100, 40, 100, 40]})
    with override("es"):
        assert (words.won(one), words.won(two)) == ("Ganó Bo", "Ganaron Bo + Di")


def test_an_entry_on_an_old_sheet_shows_the_newer_one_and_what_was_entered(cast: Cast, phone: Browser) -> None:
    start(phone)
    token = tables.fresh_token(table=cast.table, now=timezone.now())
    other = Browser().open(reverse("table_join", args=[token]))
    other.press("Record here too").press("6-4")
    phone.press("5-5")
    assert phone.status == 409
    assert "Another phone was quicker" in phone.words
    assert "Ana laid 6-4" in phone.words
    assert "Bo to play" in phone.words


def test_a_match_is_ended_early(phone: Browser) -> None:
    start(phone)
    assert "The match ends now. The score so far is its result." in phone.words
    phone.press("End the match")
    assert newest().status == Match.Status.STOPPED
    assert "Ended early" in phone.words
    assert phone.has_button("Same table again")


def test_posting_nonsense_is_refused_and_changes_nothing(phone: Browser) -> None:
    match = start(phone)
    before = snapshot(match)
    path = reverse("match_entry", args=[match.pk])
    for body in (
        {},
        {"seen": ["x"], "entry": ["{}"]},
        {"seen": ["1"], "key": ["k"], "entry": ["[1]"]},
        {"seen": ["1"], "key": ["k"], "entry": ["{"]},
        {"seen": ["1"], "key": ["k"], "entry": ['{"kind":"move","move":{"seat":"x"}}']},
        {"seen": ["1"], "key": ["k"], "form": ["final"], "out": ["99"], "left-0": ["a"]},
        *(
            {"seen": ["1"], "key": ["k"], "entry": [json.dumps({"kind": "move", "move": move})]}
            for move in (
                None,
                {"seat": 0, "type": "play"},
                {"seat": 9, "type": "play", "tile": "6-4"},
                {"seat": 0, "type": "play", "tile": "6-4", "end": ["w"]},
                {"seat": 0, "type": "pass", "tile": {}},
            )
        ),
        {"seen": ["1"], "key": ["k"], "entry": ["[" * 100_000]},
        {"seen": ["9" * 5000], "key": ["k"], "entry": ['{"kind":"undo"}']},
        {"seen": ["1"], "key": ["k" * 65], "entry": ['{"kind":"undo"}']},
        {"seen": ["1"], "key": [""], "entry": ['{"kind":"undo"}']},
        {"seen": ["1"], "key": ["k"], "entry": ['{"kind":"undo"}'], "then": ["nothing"]},
    ):
        phone.post(path, body)
        assert phone.status == 422, body
        assert snapshot(match) == before


def test_anything_may_be_tried_first(phone: Browser) -> None:
    """A preview of an entry that counts nothing shows no score, and changes nothing."""
    match = start(phone)
    before = snapshot(match)
    body = {"seen": ["1"], "key": ["k"], "entry": ['{"kind":"undo"}'], "preview": ["1"]}
    phone.post(reverse("match_entry", args=[match.pk]), body)
    assert phone.status == 200
    assert snapshot(match) == before


def test_a_script_is_answered_with_the_parts_that_change(cast: Cast, phone: Browser) -> None:
    match = start(phone)
    body = {
        "seen": "1",
        "key": "abc",
        "entry": json.dumps({"kind": "move", "move": {"seat": 0, "type": "play", "tile": "6-4"}}),
    }
    answer = phone.client.post(reverse("match_entry", args=[match.pk]), body, headers={"X-Part": "sheet"})
    assert answer.status_code == 200
    text = answer.content.decode()
    assert "<html" not in text
    assert f'data-version="{match.pk}:2"' in text
    again = phone.client.post(reverse("match_entry", args=[match.pk]), body, headers={"X-Part": "sheet"})
    assert (again.status_code, newest().length) == (200, 2)


def test_the_page_and_the_live_update_are_the_same_fragment(cast: Cast, phone: Browser, game: str) -> None:
    match = enter(cast.open(game), plan_for(game)[:4])
    page = phone.open(reverse("table", args=[cast.table.pk])).answer.content.decode()
    with override("en"):
        part = live.renderers["pad"]("table", cast.table.pk)

    def bare(text: str) -> str:
        text = re.sub(r'<input type="hidden" name="(csrfmiddlewaretoken|key)"[^>]*>', "", text)
        return text[text.index('<section id="sheet"') : text.rindex("</section>")]

    assert bare(page) == bare(part)
    assert f'data-version="{match.pk}:4"' in part


@pytest.mark.parametrize("part", ["pad", "watch"])
def test_live_updates_come_in_the_followers_language(cast: Cast, part: str) -> None:
    enter(cast.open(FOUR), plan_for(FOUR)[:3])
    with override("es"):
        assert "Juega" in live.renderers[part]("table", cast.table.pk)
    with override("en"):
        assert "to play" in live.renderers[part]("table", cast.table.pk)


def test_who_watches_is_not_shown_a_known_deal(cast: Cast) -> None:
    record = games.random_match(FOUR, {}, names_for(FOUR), random.Random(3), hands=1, observed=False)
    entries = games.entries(record)[:6]
    assert entries[0]["deal"]
    match = enter(cast.open(FOUR), entries)
    watching = live.renderers["watch"]("match", match.pk)
    assert "deal" not in watching
    assert "tiles choosing" not in watching


def test_every_game_is_offered_where_a_match_starts(phone: Browser, game: str) -> None:
    assert any(href.endswith(f"?game={game}") for href, _text in phone._read.links)
    assert phone.open(f"{phone.path}matches/?game={game}").status == 200


def test_at_a_closed_table_nothing_is_started(cast: Cast, phone: Browser, as_user: Callable[[str], Client]) -> None:
    as_user("director").post(reverse("table_open", args=[cast.table.pk]), {"open": "0"})
    phone.open(reverse("match_new", args=[cast.table.pk]) + f"?game={FOUR}")
    assert phone.status == 403
    assert "closed" in phone.words
