"""The line of play on the pad: the marks on its tiles and at its ends."""

import json
import random
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import games
from games.line import Kind, Line
from games.tiles import tile
from scorekeeper.models import Match
from scorekeeper.pages.boards import board_pad
from scorekeeper.services import tables
from tests.browsing import Browser, markup
from tests.conftest import Cast, enter

NAMES = ("Ana", "Bo")
FAMILY = [slug for slug, game in games.GAMES.items() if game.preset]
COUNTED = [slug for slug in FAMILY if games.GAMES[slug].final(games.GAMES[slug].read_options({})).table]
HAND = {"kind": "hand", "opener": 0}


def played(game: str, seed: int) -> list[tuple[games.Match, dict[str, Any]]]:
    """Two random hands: every position in which a move is due, with the move that followed."""
    match, found = games.Match.new(game, {}, NAMES), []
    for entry in games.entries(games.random_match(game, {}, NAMES, random.Random(seed), hands=2)):
        if entry["kind"] == "move":
            found.append((match, entry))
        match = match.enter(entry)
    return found


@pytest.mark.parametrize("game", FAMILY)
def test_what_a_play_would_score_is_what_it_scores(game: str) -> None:
    seen = 0
    for match, entry in [each for seed in range(4) for each in played(game, seed)]:
        worth = match.offers().get("worth")
        assert (worth is None) == (game not in COUNTED)
        if worth is None or entry["move"]["type"] != "play":
            continue
        move, offers = entry["move"], match.offers()
        at = offers["plays"][move["tile"]].index(move["end"]) if "end" in move else 0
        seat = move["seat"]
        after = match.enter(entry)
        told = worth[move["tile"]][at]
        scored = sum(s.points for s in after.hands[-1].state.scores if seat in s.seats)
        before = sum(s.points for s in match.hands[-1].state.scores if seat in s.seats)
        assert scored - before == told
        seen += told > 0
    assert seen or game not in COUNTED


@pytest.mark.parametrize("game", COUNTED)
def test_every_tile_on_the_pad_says_it(game: str) -> None:
    for match, _entry in played(game, 5):
        offers, board = match.offers(), board_pad(match, {})
        assert board.count == offers["count"] == (match.hand.line.total if match.hand else None)
        for each in board.tray:
            worth = offers["worth"].get(each.name, [])
            assert list(each.worth) == (worth if any(worth) else [])
            if each.lit and len(each.ends) > 1:
                ends = board_pad(match, {"tile": each.name}).ends
                assert [end.worth or 0 for end in ends if end.entry] == worth


def test_the_count_is_that_of_the_rules() -> None:
    line, counts = Line.of(Kind.SPINNER), []
    for name, end in (("66", None), ("61", "e"), ("63", "w"), ("11", "e"), ("60", "n"), ("65", "s")):
        line = line.lay(tile(int(name[0]), int(name[1])), end)
        counts.append(line.total)
    assert counts == [12, 13, 4, 5, 5, 10]


def test_the_pad_shows_them_with_a_switch_and_the_watch_page_the_count_alone(cast: Cast) -> None:
    moves = ("6-6", None), ("6-1", "e"), ("6-3", "w"), ("1-1", "e")
    match = enter(cast.open(COUNTED[0]), [HAND, *laid(*moves)])
    phone = scan(cast)
    text = phone.markup
    assert re.search(r"<button[^>]*data-counts[^>]*>Table count<b>5</b>", text)
    assert set(re.findall(r'data-end="(.)"', text)) == {"w", "e", "n", "s"}
    assert re.findall(r"<text x=[^>]*>(.)</text>", text) == ["W", "E", "N", "S"]
    assert text.count('class="pin"') == 1
    assert match.offers["worth"]["6-0"] == [5, 5]
    assert "6-0 (+5)" in text
    watch = markup(Client().get(reverse("table_watch", args=[cast.table.pk])).content.decode())
    assert '<p class="count">Table count<b>5</b></p>' in watch
    assert "data-counts" not in watch


@pytest.mark.parametrize("game", [slug for slug in FAMILY if slug not in COUNTED])
def test_where_the_table_scores_nothing_nothing_is_counted(cast: Cast, game: str) -> None:
    enter(cast.open(game), [HAND, *laid(("6-6", None))])
    assert "Table count" not in scan(cast).words


def test_what_is_drawn_this_turn_is_told(cast: Cast) -> None:
    game = next(slug for slug in FAMILY if games.GAMES[slug].read_options({})["draws"])
    draw = {"kind": "move", "move": {"seat": 1, "type": "draw", "count": 1}}
    match = enter(cast.open(game), [HAND, *laid(("6-6", None)), draw, draw])
    assert "12 left 2 drawn, faces unknown" in scan(cast).words
    enter(match, [{"kind": "move", "move": {"seat": 1, "type": "play", "tile": "6-5", "end": "e"}}])
    assert "faces unknown" not in scan(cast).words


@pytest.mark.parametrize(
    ("moves", "tile", "names"),
    [([("6-6", None)], "5-4", ["5-4"]), ([("6-6", None), ("6-5", "e")], "6-5", ["6-5"])],
    ids=["fits no end", "laid already"],
)
def test_a_refusal_points_at_its_tiles(
    cast: Cast, moves: list[tuple[str, str | None]], tile: str, names: list[str]
) -> None:
    match = enter(cast.open(FAMILY[0]), [HAND, *laid(*moves)])
    phone = scan(cast)
    move = {"seat": len(moves) % 2, "type": "play", "tile": tile}
    body = {"seen": match.length, "key": "k", "entry": json.dumps({"kind": "move", "move": move})}
    answer = phone.client.post(reverse("match_entry", args=[match.pk]), body, headers={"X-Part": "sheet"})
    assert answer.status_code == 422
    assert re.findall('data-at="([^"]*)"', answer.content.decode()) == names


def test_a_wrong_pass_points_at_the_tile_and_names_both_entries(cast: Cast) -> None:
    game = next(slug for slug in FAMILY if not games.GAMES[slug].read_options({})["draws"])
    passed = {"kind": "move", "move": {"seat": 1, "type": "pass"}}
    match = enter(cast.open(game), [HAND, *laid(("6-6", None)), passed, *laid(("6-5", "e"))])
    phone = scan(cast)
    move = {"seat": 1, "type": "play", "tile": "6-4", "end": "w"}
    body = {"seen": match.length, "key": "k", "entry": json.dumps({"kind": "move", "move": move})}
    text = phone.client.post(
        reverse("match_entry", args=[match.pk]), body, headers={"X-Part": "sheet"}
    ).content.decode()
    assert "Bo passed with 6 open, and laid 6-4 later." in text
    assert 'data-at="6-4"' in text
    assert "Bo passed" in text.split("data-mend")[1]


@pytest.mark.parametrize("leader", ["doublet", "winner", "loser", "alternate"])
def test_after_a_hand_the_page_says_who_leads_and_why(cast: Cast, leader: str) -> None:
    """Ana led and went out."""
    final = {"table": [0, 0], "left": [[], 20], "out": 0}
    enter(cast.open(FAMILY[0], leader=leader), [{"kind": "hand", "opener": 0, "final": final}])
    words = scan(cast).words
    if leader == "doublet":
        assert "Who holds the heaviest double?" in words
        assert "Nobody has a double? Shuffle and draw again: nothing is recorded." in words
        return
    who = {"winner": "Ana", "loser": "Bo", "alternate": "Bo"}[leader]
    assert f"{who} opens the next hand" in words
    assert "with any tile" in words


def test_after_a_blocked_hand_the_heaviest_double_leads_again(cast: Cast) -> None:
    final = {"table": [0, 0], "left": [12, 20], "out": None}
    enter(cast.open(FAMILY[0], leader="winner"), [{"kind": "hand", "opener": 0, "final": final}])
    words = scan(cast).words
    assert "The last hand was blocked. The heaviest double leads." in words


def test_a_preset_shows_its_switches_at_first_sight(cast: Cast) -> None:
    phone = scan(cast)
    phone.open(f"{phone.path}matches/?game={COUNTED[0]}")
    text = phone.answer.content.decode()
    first = text.partition("More options")[0]
    for name in (*games.GAMES[COUNTED[0]].preset, "points_to_win"):
        assert f'name="option-{name}"' in first
    assert 'name="option-leader"' not in first
    assert re.findall(r'<button type="button" value="(\d+)">', first) == [
        "50",
        "100",
        "150",
        "200",
        "250",
        "305",
        "500",
    ]
    typed = dict(next(form.fields for form in phone.forms if "player-0" in form.names))
    typed |= {"player-0": "Ana", "player-1": "Bo", "option-threes": "on", "option-points_to_win": "50", "do": "start"}
    phone.post(phone.path, {name: [value] for name, value in typed.items()})
    match = Match.objects.get()
    assert (match.options["threes"], match.options["points_to_win"]) == (True, 50)
    assert "Threes: yes · Points to win: 50" in phone.words


@pytest.mark.parametrize("game", FAMILY)
def test_switches_that_amount_to_another_preset_say_so(cast: Cast, game: str) -> None:
    phone = scan(cast)
    rules, other = games.GAMES[game], games.GAMES[next(slug for slug in FAMILY if slug != game)]
    path = f"{phone.path}matches/?game={game}"
    phone.open(path)
    assert said_presets(phone) == []
    usual = {option.name: option.default for option in other.options}
    switches = "&".join(f"option-{name}={'on' if usual[name] else ''}" for name in rules.preset)
    phone.open(f"{path}&player-0=Ana&player-1=Bo&{switches}")
    assert said_presets(phone) == [f"This is {other.name}."]


def said_presets(phone: Browser) -> list[str]:
    return re.findall(r"<p data-switches=\"[^\"]*\">([^<]*)</p>", phone.markup)


def test_points_made_by_moves_need_no_typing(cast: Cast) -> None:
    match = enter(cast.open(COUNTED[0]), [HAND, *laid(("5-5", None))])
    phone = scan(cast)
    phone.press("Work out the score", out="0", left_1="20").press("All agree")
    match.refresh_from_db()
    assert match.sheet["totals"] == [30, 0]


def test_the_choice_of_a_final_state_survives_a_refusal(cast: Cast) -> None:
    enter(cast.open(COUNTED[0], block_award="last"), [HAND])
    phone = scan(cast)
    phone.press("Work out the score", out="reached-1", table_0="10", table_1="20")
    assert phone.status == 422
    assert "With these table points Bo has 20. The target is 150." in phone.words
    fields = next(form.fields for form in phone.forms if "table-0" in form.names)
    assert {("out", "reached-1"), ("table-0", "10"), ("table-1", "20")} <= set(fields)


def laid(*moves: tuple[str, str | None]) -> list[dict[str, Any]]:
    """Plays by seats in turn."""
    return [
        {"kind": "move", "move": {"seat": n % 2, "type": "play", "tile": tile} | ({"end": end} if end else {})}
        for n, (tile, end) in enumerate(moves)
    ]


def scan(cast: Cast) -> Browser:
    token = tables.fresh_token(table=cast.table, now=timezone.now())
    return Browser().open(reverse("table_join", args=[token]))
