"""The practice table: its pages, what they refuse, and what they show nobody."""

import io
import json
import re
from random import Random
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.http import StreamingHttpResponse
from django.test import Client
from django.urls import reverse

from games import GAMES
from games.cards import NAMES
from games.domizerka import dealt_first
from games.moves import Discard, move_entry, move_json
from games.tiles import members, names
from scorekeeper.practice.contest import YOU, Contest, Setting, written
from scorekeeper.practice.saved import table_json
from scorekeeper.practice.table import PracticeTable
from scorekeeper.practice.themes import COLOURS, ORIGINAL, contrast
from scorekeeper.selectors.practice import KEY, table_of
from scorekeeper.services import practice
from scorekeeper.serving.thinking import LEAST, MOST_WAITING, PROCESSES, Busy, Thinking

pytestmark = pytest.mark.django_db(transaction=True)  # Nestor's moves are written by a thread of their own
GAME = GAMES["all-fives"]
PLAYERS = ("You", "Nestor", "Nestor 2", "Nestor 3")


@pytest.fixture
def visitor() -> Client:
    return Client()


def fields(level: str = "easy", **more: str) -> dict[str, str]:
    """The form of the settings, with a game to 50."""
    options = {f"option-{option.name}": _typed(option.default) for option in GAME.options}
    kept = {name: value for name, value in options.items() if value}
    return kept | {"game": GAME.slug, "seats": "2", "level": level, "option-points_to_win": "50"} | more


def _typed(value: object) -> str:
    return "on" if value is True else str(value or "")


def table(visitor: Client) -> PracticeTable:
    return table_of(visitor.session)


def post(visitor: Client, route: str, script: bool = False, seen: int | None = None, **data: Any) -> Any:
    headers = {"X-Part": "sheet"} if script else {}
    known = str(table(visitor).step if seen is None else seen)
    answer = visitor.post(reverse(route), {"seen": known, **data}, headers=headers)
    if isinstance(answer, StreamingHttpResponse):
        assert reverse("practice") in async_to_sync(whole)(answer)
    return answer


async def whole(answer: StreamingHttpResponse) -> str:
    return b"".join([part async for part in answer]).decode()  # type: ignore[attr-defined]


def begin(visitor: Client, **more: str) -> None:
    answer = visitor.post(
        reverse("practice_settings"), fields(**more) | {"seen": str(table(visitor).step), "begin": "yes"}
    )
    assert answer.status_code == 302, answer.content.decode()


def entry(move: dict[str, Any]) -> str:
    return json.dumps({"kind": "move", "move": move})


def step(visitor: Client) -> None:
    """Presses what the page offers: the first tile that can be laid, Draw, Pass or OK."""
    page = visitor.get(reverse("practice")).content.decode()
    if reverse("practice_nestor") in page:
        answer = post(visitor, "practice_nestor")
    else:
        state = table(visitor).contest
        assert state is not None
        view = state.view.offers()
        tile = next(iter(view["plays"]), None)
        ends = view["plays"][tile] if tile else []
        move = {"seat": YOU, "type": "draw", "count": 1} if view["draw"] else {"seat": YOU, "type": "pass"}
        if tile:
            move = {"seat": YOU, "type": "play", "tile": tile} | ({"end": ends[0]} if ends else {})
        answer = post(visitor, "practice_entry", entry=entry(move))
    assert answer.status_code == (200 if answer.streaming else 302)


def on_turn(visitor: Client) -> None:
    """Goes on until it is the visitor's turn and a tile fits."""
    for _ in range(60):
        contest = table(visitor).contest
        assert contest is not None
        if contest.turn == YOU and contest.view.offers()["plays"]:
            return
        step(visitor)
    pytest.fail("the visitor could never lay a tile")


def tiles(visitor: Client) -> set[str]:
    """The tiles that the table shows."""
    page = visitor.get(reverse("practice")).content.decode()
    return set(re.findall(r'data-tile="(\d-\d)"', page.partition('id="sheet"')[2]))


# --- a game ------------------------------------------------------------------------------------------------
def test_a_game_is_played_to_its_end_without_scripts(visitor: Client) -> None:
    begin(visitor)
    for _ in range(400):
        contest = table(visitor).contest
        assert contest is not None
        if contest.over:
            break
        step(visitor)
    page = visitor.get(reverse("practice")).content.decode()
    assert "won the game" in page
    assert table(visitor).tally.games == 1
    assert post(visitor, "practice_again").status_code == 302
    newer = table(visitor).contest
    assert newer is not None
    assert newer.number == 2


@pytest.mark.parametrize(("slug", "seats"), [("domizerka", 3), ("dom", 2), ("dominards", 3)])
def test_the_other_games_are_played_to_their_end_without_scripts(visitor: Client, slug: str, seats: int) -> None:
    """What the others hold is in no page on the way: neither their tiles and cards, nor one's own that come later."""
    seen = str(table(visitor).step)
    answer = visitor.post(
        reverse("practice_settings"),
        {"game": slug, "seats": seats, "level": "beginner", "option-hands": "1", "seen": seen, "begin": "yes"},
    )
    assert answer.status_code == 302, answer.content.decode()
    while (contest := table(visitor).contest) is not None and not contest.over:
        page = visitor.get(reverse("practice")).content.decode().partition('id="sheet"')[2]
        assert not shown(page) & hidden(contest)
        if contest.turn != YOU or contest.state is None:
            answer = post(visitor, "practice_nestor")
            assert answer.status_code == (200 if answer.streaming else 302)
            continue
        move = contest.choices[0]
        if isinstance(move, Discard):
            away = names(contest.hands()[YOU])[:2]
            answer = post(visitor, "practice_entry", exchange="chosen", away=away)
        else:
            answer = post(visitor, "practice_entry", entry=json.dumps(move_entry(move)))
        assert answer.status_code == 302, answer.content.decode()
    assert table(visitor).tally.games == 1


def shown(sheet: str) -> set[str]:
    """The tiles and cards that a page shows or has in its buttons."""
    sheet = re.sub(r' d="[^"]*"', "", sheet)  # the outlines of drawings are numbers and letters, too
    return {*re.findall(r"\b\d-\d\b", sheet), *re.findall(r"\b[A2-9TJQK][CDHS]\b", sheet)}


def hidden(contest: Contest) -> set[str]:
    """The tiles and cards that the visitor must not see."""
    tiles, packs = contest.hands(), contest.cards()
    own = tiles[YOU] if tiles else 0
    if contest.match.game.slug == "domizerka" and contest.state and contest.state.rules is None:
        own = dealt_first(own)
    laid = contest.state.holdings.unlaid if tiles else 0
    others = [NAMES[card] for seat, pack in enumerate(packs) for card in members(pack) if seat != YOU]
    return {*names(laid & ~own), *others}


@pytest.mark.parametrize(
    ("slug", "seats", "asked"), [("domizerka", 3, "Which suit is led?"), ("dominards", 2, "At which end?")]
)
def test_a_tile_waits_for_the_rest_of_the_move(visitor: Client, slug: str, seats: int, asked: str) -> None:
    """Without scripts, the page asks for it."""
    for seed in range(400):
        contest = Contest.begun(
            1, Setting(slug, GAMES[slug].read_options({}), seats, "easy"), PLAYERS[:seats], Random(seed)
        )
        rng = Random(seed)
        for _ in range(6):
            if contest.turn == YOU and (tile := waits(contest)):
                break
            made = contest.choices[0]
            contest = contest.answered(move_json(made._replace(tiles=()) if isinstance(made, Discard) else made), rng)
        else:
            continue
        break
    session = visitor.session
    session[KEY] = table_json(PracticeTable(contest=contest), written)
    session.save()
    if slug == "domizerka":
        answer = post(visitor, "practice_entry", entry=entry({"seat": YOU, "type": "play", "tile": tile}))
    else:
        answer = post(visitor, "practice_entry", ask=f"tile={tile}")
    assert answer.status_code == 302
    page = visitor.get(answer["Location"]).content.decode()
    assert re.search(rf'aria-label="{re.escape(asked)}"\s*>', page), "it is not hidden"


def waits(contest: Contest) -> str:
    """A tile that needs a suit, or an end; "" if there is none."""
    offers = contest.view.offers()
    plays = offers["plays"] if offers.get("stage", "play") == "play" else {}
    return next((tile for tile, ways in plays.items() if len(ways) > 1), "")


def test_what_is_hidden_is_in_no_page_until_it_is_shown(visitor: Client) -> None:
    begin(visitor)
    contest = table(visitor).contest
    assert contest is not None
    hidden = set(names(contest.hands()[1] | contest.boneyard()))
    assert tiles(visitor)
    assert not tiles(visitor) & hidden
    assert post(visitor, "practice_menu", do="show:hands").status_code == 302
    assert tiles(visitor) & hidden == set(names(contest.hands()[1]))
    assert "You looked at hidden tiles in this game." in visitor.get(reverse("practice")).content.decode()


def test_a_tile_that_fits_two_ends_waits_for_its_end(visitor: Client) -> None:
    begin(visitor)
    for _ in range(200):
        on_turn(visitor)
        contest = table(visitor).contest
        assert contest is not None
        several = [tile for tile, ends in contest.view.offers()["plays"].items() if len(ends) > 1]
        if several:
            break
        step(visitor)
    answer = post(visitor, "practice_entry", entry=entry({"seat": YOU, "type": "play", "tile": several[0]}))
    assert answer.status_code == 302
    page = visitor.get(answer["Location"]).content.decode()
    assert "At which end?" in page
    assert re.search(r'data-at="\w"\s*>', page), "an end can be pressed"


def test_the_table_count_can_be_left_out(visitor: Client) -> None:
    begin(visitor, table_count="on")
    assert "Table count" in visitor.get(reverse("practice")).content.decode()
    begin(visitor)
    assert "Table count" not in visitor.get(reverse("practice")).content.decode()


def test_a_hint_names_a_tile_and_changes_nothing(visitor: Client) -> None:
    begin(visitor)
    for _ in range(200):
        contest = table(visitor).contest
        assert contest is not None
        if contest.turn == YOU and contest.must_choose:
            break
        step(visitor)
    before = table(visitor).step
    headers = {"X-Part": "sheet"}
    answer = visitor.post(reverse("practice_hint"), {"seen": str(before)}, headers=headers)
    assert isinstance(answer, StreamingHttpResponse)
    said = re.findall(r'<p class="hint">([^<]*)</p>', async_to_sync(whole)(answer))
    assert re.fullmatch(r"Lay \d-\d( \w)?\.", said[0])
    assert len(said) > 1
    assert table(visitor).step == before
    assert post(visitor, "practice_hint", script=True, seen=before - 1).status_code == 409


# --- what is refused ---------------------------------------------------------------------------------------
def test_an_old_page_changes_nothing(visitor: Client) -> None:
    begin(visitor)
    before = table(visitor)
    for name in ("practice_entry", "practice_nestor", "practice_menu", "practice_again", "practice_use_theme"):
        answer = post(visitor, name, script=True, seen=before.step - 1, do="clear", entry='{"kind":"undo"}', theme="1")
        assert answer.status_code == 409
        assert "This page was old" in answer.content.decode()
    assert table(visitor).step == before.step


def test_a_move_out_of_turn_is_refused_in_a_sentence(visitor: Client) -> None:
    begin(visitor)
    while (contest := table(visitor).contest) is not None and contest.turn == YOU:
        step(visitor)
    answer = post(visitor, "practice_entry", script=True, entry=entry({"seat": YOU, "type": "pass"}))
    assert answer.status_code == 422
    assert "It is not your turn." in answer.content.decode()


@pytest.mark.parametrize(
    "sent", ["", "{", "[]", '{"kind":"stop"}', '{"kind":"move"}', '{"kind":"move","move":{"seat":1}}']
)
def test_what_cannot_be_read_is_refused(visitor: Client, sent: str) -> None:
    begin(visitor)
    on_turn(visitor)
    before = table(visitor).step
    assert post(visitor, "practice_entry", script=True, entry=sent).status_code == 422
    assert table(visitor).step == before


def test_too_many_points_and_unknown_games_are_refused(visitor: Client) -> None:
    sent = fields() | {"seen": "0", "option-points_to_win": "100000"}
    answer = visitor.post(reverse("practice_settings"), sent)
    assert answer.status_code == 422
    assert "1000" in answer.content.decode()
    assert visitor.get(reverse("practice_settings") + "?game=chess").status_code == 404


def test_unreadable_colours_are_refused_with_the_contrast(visitor: Client) -> None:
    sent = {**ORIGINAL[1], "text": ORIGINAL[1]["background"], "seen": "0"}
    answer = visitor.post(reverse("practice_theme", args=[2]), sent)
    assert answer.status_code == 422
    assert "Two colors are too much alike: Text on Background." in answer.content.decode()
    assert re.search(r'<li class="errors"\s+data-upper="text"\s+data-lower="background"', answer.content.decode())
    assert table(visitor).themes.themes == ORIGINAL


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff\xfe", "not valid JSON"),
        (b"{}", "These are missing"),
        (b'{"format": 1, "format": 2}', "Duplicate key"),
        (b"[" * 9000, "not valid JSON"),
    ],
)
def test_a_file_that_cannot_be_read_changes_nothing(visitor: Client, content: bytes, said: str) -> None:
    begin(visitor)
    before = visitor.session[KEY]
    answer = post(visitor, "practice_import", file=io.BytesIO(content))
    assert answer.status_code == 422
    assert "This file cannot be used." in answer.content.decode()
    assert said in answer.content.decode()
    assert visitor.session[KEY] == before


def test_a_file_with_an_impossible_game_is_refused(visitor: Client) -> None:
    begin(visitor)
    file = json.loads(visitor.get(reverse("practice_export")).content)
    file["contest"]["record"]["hands"][0]["moves"] = [{"seat": 0, "type": "pass"}]
    answer = post(visitor, "practice_import", file=io.BytesIO(json.dumps(file).encode()))
    assert answer.status_code == 422


def test_a_visit_that_grows_too_large_is_refused(visitor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(visitor)
    monkeypatch.setattr(practice, "LARGEST", 100)
    answer = post(visitor, "practice_menu", script=True, do="preserve", name="one")
    assert answer.status_code == 422
    assert "too much to keep" in answer.content.decode()


# --- themes and files --------------------------------------------------------------------------------------
def test_a_theme_is_edited_used_and_reset(visitor: Client) -> None:
    assert visitor.get(reverse("practice_theme_css")).content == b""
    colours = {**ORIGINAL[1], "background": "#000000"}
    assert visitor.post(reverse("practice_theme", args=[2]), {**colours, "seen": "0"}).status_code == 302
    assert post(visitor, "practice_use_theme", theme="2").status_code == 302
    assert b"--background:#000000;" in visitor.get(reverse("practice_theme_css")).content
    assert reverse("practice_theme_css") in visitor.get(reverse("practice")).content.decode()
    post(visitor, "practice_menu", do="reset")
    assert table(visitor).themes.themes == ORIGINAL
    assert table(visitor).themes.used == 1
    post(visitor, "practice_use_theme", theme="")
    assert visitor.get(reverse("practice_theme_css")).content == b""


def test_every_original_theme_has_fourteen_colours_that_can_be_read(visitor: Client) -> None:
    assert len(COLOURS) == 14
    for number, theme in enumerate(ORIGINAL):
        answer = visitor.post(reverse("practice_theme", args=[number + 1]), {**theme, "seen": str(number)})
        assert answer.status_code == 302, theme


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == 21
    assert contrast("#777777", "#ffffff") < contrast("#767676", "#ffffff")
    assert float(contrast("#767676", "#ffffff")) == 4.54


def test_a_file_moves_everything_to_another_browser(visitor: Client) -> None:
    begin(visitor)
    post(visitor, "practice_menu", do="preserve", name="a hard choice")
    post(visitor, "practice_use_theme", theme="3")
    file = visitor.get(reverse("practice_export")).content
    other = Client()
    assert post(other, "practice_import", file=io.BytesIO(file)).status_code == 302
    mine, theirs = table(visitor), table(other)
    assert theirs.themes == mine.themes
    assert [each.name for each in theirs.preserved] == ["a hard choice"]
    assert theirs.contest is not None
    assert mine.contest is not None
    assert theirs.contest.match.record() == mine.contest.match.record()
    assert theirs.marked == {"peek"}


# --- Nestor ------------------------------------------------------------------------------------------------
@pytest.fixture
def thinking() -> Thinking:
    return Thinking()


def test_the_more_people_ask_the_less_time_each_question_has(thinking: Thinking) -> None:
    assert thinking.share(1000) == 1000
    thinking._waiting |= {str(number) for number in range(20 * PROCESSES)}
    assert thinking.share(1000) == 50
    assert thinking.share(50) == LEAST


def test_a_visitor_asks_one_question_at_a_time(thinking: Thinking) -> None:
    thinking._waiting.add("somebody")
    with pytest.raises(Busy):
        async_to_sync(thinking.ask)("somebody", {"ms": 1})
    thinking._waiting |= {str(number) for number in range(MOST_WAITING)}
    with pytest.raises(Busy):
        async_to_sync(thinking.ask)("somebody else", {"ms": 1})
