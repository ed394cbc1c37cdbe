"""The pad of a table: who holds it, what others may do, and what everybody at the table sees and hears."""

import asyncio
import gzip
import html
import json
import random
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from datetime import timedelta
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from asgiref.sync import sync_to_async
from django.contrib.staticfiles import finders
from django.db import connection
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

import games
from scorekeeper import live
from scorekeeper.access import PASS_LIVES, SESSION_PHONE, Actor, actor_of, digest
from scorekeeper.live import Topic
from scorekeeper.live.hub import Hub
from scorekeeper.models import Change, Event, LogEntry, Match, Pad, Player
from scorekeeper.selectors.ending import clock_of
from scorekeeper.selectors.events import state_of
from scorekeeper.services import matches, pads, tables, tournaments
from tests.browsing import Browser, markup
from tests.conftest import NOW, Cast, enter, last_change, names_for, plan_for, snapshot
from tests.nights import at
from tests.tournaments import released, scheduled, setup_of

GAME = next(slug for slug, game in games.GAMES.items() if game.draws_seats)
HAND = {"kind": "hand", "opener": 0}


def scan(cast: Cast, client: Client | None = None) -> Browser:
    """A phone that scans the code of the first table."""
    token = tables.fresh_token(table=cast.table, now=timezone.now())
    return Browser(client).open(reverse("table_join", args=[token]))


@pytest.fixture
def match(cast: Cast) -> Match:
    return enter(cast.open(GAME), [HAND])


def holding(cast: Cast) -> list[str]:
    return [pad.phone for pad in cast.table.pads.filter(held=True).order_by("pk")]


def phone_of(browser: Browser) -> str:
    return digest(browser.client.session[SESSION_PHONE])


def records(phone: Browser, match: Match) -> bool:
    """Whether the phone can record, by its page and by the server."""
    table = reverse("table", args=[match.table_id])
    shown = phone.open(table).has_button("Ana passes") or phone.has_button("Undo")
    answer = phone.client.get(reverse("match_new", args=[match.table_id]) + f"?game={GAME}")
    assert answer.status_code == (200 if shown else 403)
    return shown


def test_a_scan_takes_the_pad(cast: Cast, match: Match) -> None:
    first = scan(cast)
    assert records(first, match)
    second = scan(cast)
    assert holding(cast) == [phone_of(second)]
    assert records(second, match)
    assert not records(first, match)
    assert "Another phone has had the pad since" in first.words
    kind, topics = last_change()
    assert kind == "pad"
    assert f"table:{cast.table.pk}" in topics


@pytest.mark.django_db(transaction=True)
def test_phones_that_scan_at_the_same_moment(cast: Cast) -> None:
    """Phones take the pad one after the other, and in the end exactly one has it."""

    def scans(phone: str) -> None:
        try:
            pads.scan(table=cast.table, phone=phone, now=NOW)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as several:
        list(several.map(scans, "abcdefgh"))
    assert len(holding(cast)) == 1
    assert Pad.objects.count() == 8


def test_only_a_digest_is_kept_of_a_phone(cast: Cast) -> None:
    phone = scan(cast)
    known = phone.client.session[SESSION_PHONE]
    assert len(known) > 20
    assert Pad.objects.get().phone == digest(known)


def test_the_pad_comes_back_by_a_tap_or_is_shared(cast: Cast, match: Match) -> None:
    first, second = scan(cast), scan(cast)
    first.open(reverse("table", args=[cast.table.pk])).press("Take the pad")
    assert records(first, match)
    assert not records(second, match)
    second.press("Record here too")
    assert records(first, match)
    assert records(second, match)
    assert len(holding(cast)) == 2
    third = scan(cast)
    assert [records(phone, match) for phone in (first, second, third)] == [False, False, True]


def test_scanning_again_with_the_pad_changes_nothing(cast: Cast, match: Match) -> None:
    first, second = scan(cast), scan(cast)
    first.open(reverse("table", args=[cast.table.pk])).press("Record here too")
    since, events = list(Pad.objects.values_list("since", flat=True)), Change.objects.count()
    scan(cast, first.client)
    assert len(holding(cast)) == 2
    assert records(second, match)
    assert (list(Pad.objects.values_list("since", flat=True)), Change.objects.count()) == (since, events)


def test_the_same_phone_keeps_another_table_as_well(cast: Cast, match: Match) -> None:
    phone = scan(cast)
    other = tables.fresh_token(table=cast.other_table, now=timezone.now())
    phone.open(reverse("table_join", args=[other]))
    assert records(phone, match)
    scan(cast)
    assert not records(phone, match)
    assert "Start a match" in phone.open(reverse("table", args=[cast.other_table.pk])).words


def test_a_phone_without_the_pad_enters_nothing_and_keeps_what_it_typed(cast: Cast, match: Match) -> None:
    phone = scan(cast)
    scan(cast)
    before = snapshot(match)
    entry = json.dumps({"kind": "move", "move": {"seat": 0, "type": "play", "tile": "6-4"}})
    path = reverse("match_entry", args=[match.pk])
    body = {"seen": ["1"], "key": ["k"], "entry": [entry]}
    phone.post(path, body)
    assert phone.status == 403
    assert "Another phone keeps the score of this table now." in phone.words
    assert "You entered: Ana laid 6-4" in phone.words
    assert phone.has_button("Take the pad")
    part = phone.client.post(path, body, headers={"X-Part": "sheet"})
    text = markup(part.content.decode())
    assert part.status_code == 403
    assert text.startswith('<div id="refusal"')
    for words in ("Ana laid 6-4", "Another phone has had the pad since", 'value="take"', 'value="too"'):
        assert words in text
    answer = phone.client.post(
        reverse("api-entries", args=[match.pk]),
        {"seen": 1, "key": "k", "kind": "undo"},
        content_type="application/json",
    )
    assert (answer.status_code, answer.json()["code"]) == (403, "pad-elsewhere")
    assert snapshot(match) == before
    phone.post(path, {"seen": ["x"], "entry": ["{"]})
    assert phone.status == 403
    phone.press("Record here too").press("6-4")
    match.refresh_from_db()
    assert match.length == 2


def test_names_typed_for_a_match_stay_when_the_pad_goes(cast: Cast) -> None:
    phone = scan(cast)
    phone.open(f"{phone.path}matches/?game={GAME}")
    scan(cast)
    people = {f"player_{seat}": name for seat, name in enumerate(("Eva", "Fay", "Gus", "Hal"))}
    phone.press("Start with these seats", **people, minutes="40")
    assert phone.status == 403
    assert "Another phone keeps the score of this table now." in phone.words
    assert "Another phone has had the pad since" in phone.words
    for name in people.values():
        assert f'value="{name}"' in phone.answer.content.decode()
    assert not Match.objects.exists()
    phone.press("Take the pad").press("Start with these seats")
    match = Match.objects.get()
    assert [seat.name for seat in match.seats.all()] == [*people.values()]
    assert match.minutes == 40
    scan(cast)
    phone.open(reverse("match_new", args=[cast.table.pk]) + f"?game={GAME}&player-0=Eva")
    assert (phone.status, "Record here too" in phone.words) == (403, True)
    path = reverse("table_pad", args=[cast.table.pk])
    answer = phone.client.post(path, {"do": "too", "back": "//elsewhere.example/"})
    assert answer["Location"] == reverse("table", args=[cast.table.pk])


def test_programs_and_scorers_are_never_locked_out_and_never_take_the_pad(
    cast: Cast, match: Match, as_user: Callable[[str], Client]
) -> None:
    program, phone = cast.phone(), scan(cast)
    scorer = scan(cast, as_user("scorer"))
    assert holding(cast) == [phone_of(phone)]
    assert records(scorer, match)
    assert records(phone, match)
    scan(cast)
    assert records(scorer, match)
    answer = program.post(reverse("api-entries", args=[match.pk]), {"seen": 1, "key": "k", "kind": "undo"})
    assert answer.status_code == 201
    assert (
        program.client.post(
            reverse("table_pad", args=[cast.table.pk]), {"do": "take"}, headers=program.headers
        ).status_code
        == 403
    )


def test_an_actor_takes_at_most_three_queries(cast: Cast, django_assert_max_num_queries: Any) -> None:
    phone = scan(cast)
    scan(cast)
    request = RequestFactory().get("/")
    request.session, request.user = phone.client.session, None
    assert request.session[SESSION_PHONE]
    with django_assert_max_num_queries(3):
        actor = actor_of(request)
    assert (actor.tables, actor.let_go) == (frozenset(), {cast.table.pk})


def test_a_phone_that_scanned_the_code_long_ago_scans_it_again(cast: Cast, match: Match) -> None:
    phone = scan(cast)
    Pad.objects.update(since=timezone.now() - PASS_LIVES)
    assert not records(phone, match)
    answer = phone.client.post(reverse("match_entry", args=[match.pk]), {"seen": "1", "key": "k", "entry": "{}"})
    assert (answer.status_code, "Scan it again" in html.unescape(answer.content.decode())) == (403, True)
    assert records(scan(cast, phone.client), match)


def test_a_scan_asks_before_it_takes_a_pad_that_somebody_uses(cast: Cast, match: Match) -> None:
    first = scan(cast)
    Pad.objects.update(name="Bo")
    first.open(reverse("table", args=[cast.table.pk])).press("Undo")
    second = scan(cast)
    assert holding(cast) == [phone_of(first)]
    for words in ("Bo has had the pad since", "The last entry was made at"):
        assert words in second.words
    assert records(first, match)
    assert not records(second, match)
    second.press("Take the pad")
    assert holding(cast) == [phone_of(second)]
    assert "Another phone has had the pad since" in first.open(reverse("table", args=[cast.table.pk])).words


def test_a_pad_that_nobody_uses_is_taken_by_a_scan(cast: Cast, match: Match) -> None:
    first = scan(cast)
    first.open(reverse("table", args=[cast.table.pk])).press("Undo")
    LogEntry.objects.update(at=timezone.now() - pads.IN_USE)
    second = scan(cast)
    assert holding(cast) == [phone_of(second)]


def test_the_pad_of_somebody_who_does_not_sit_at_the_table_is_free(cast: Cast, match: Match) -> None:
    first = scan(cast)
    first.open(reverse("table", args=[cast.table.pk])).press("Undo")
    Pad.objects.update(name="Zoe")
    second = scan(cast)
    assert holding(cast) == [phone_of(second)]


def test_a_phone_says_where_its_owner_sits_now(cast: Cast, match: Match) -> None:
    phone = scan(cast)
    phone.client.post(reverse("table_pad", args=[cast.table.pk]), {"do": "name", "name": "Dan"})
    assert "You sit at table" not in phone.open(phone.path).words
    enter(match, [{"kind": "stop", "stopped": "abandoned"}])
    assert "This phone: Dan" in phone.open(phone.path).words, "nobody plays elsewhere yet"
    cast.open(GAME, table=cast.other_table)
    others = ["Eva", "Fay", "Gus", "Hal"]
    matches.open_match(table=cast.table, game=GAME, options={}, players=others, by=Actor(), now=NOW)
    assert phone.open(phone.path).follow("You sit at table 2 now").path == reverse("table", args=[cast.other_table.pk])
    summary = phone.open(reverse("table", args=[cast.table.pk])).markup.split("<summary>")
    assert not any("This phone: Dan" in each.split("</summary>")[0] for each in summary[1:])
    scan(cast)
    assert "You sit at table 2 now" in phone.open(reverse("table", args=[cast.table.pk])).words


def test_at_a_closed_table_or_without_a_pass_nothing_is_taken(cast: Cast, match: Match) -> None:
    first, second = scan(cast), scan(cast)
    tables.table_set_open(table=cast.table, is_open=False, now=NOW)
    path = reverse("table_pad", args=[cast.table.pk])
    assert first.client.post(path, {"do": "take"}).status_code == 403
    scan(cast, first.client)
    tables.table_set_open(table=cast.table, is_open=True, now=NOW)
    assert holding(cast) == [phone_of(second)]
    tables.revoke_tokens(table=cast.table, now=timezone.now())
    assert first.client.post(path, {"do": "take"}).status_code == 403
    assert holding(cast) == [phone_of(second)]


def test_whose_phone_it_is(cast: Cast, match: Match) -> None:
    phone = scan(cast)
    assert "Who holds this phone?" in phone.words
    path = reverse("table_pad", args=[cast.table.pk])
    assert phone.client.post(path, {"do": "name", "name": "Nobody here"}).status_code == 404
    phone.post(path, {"do": ["name"], "name": ["Bo"]})
    assert "This phone: Bo" in phone.words
    other = scan(cast)
    assert "Bo has the pad" not in other.words
    other.client.post(path, {"do": "name", "name": "Dan"})
    assert "Dan has had the pad since" in phone.open(phone.path).words


def test_it_is_asked_once_and_only_when_there_are_names(cast: Cast) -> None:
    phone = scan(cast)
    assert "Who holds this phone?" not in phone.words
    cast.open(GAME)
    pages = [phone.open(phone.path).markup for _time in (1, 2)]
    assert ['<details class="more beneath" open' in page for page in pages] == [True, False]


@pytest.mark.django_db(transaction=True)
def test_the_stream_of_a_phone_ends_when_its_pad_goes(cast: Cast, match: Match) -> None:
    """The phone without the pad is told to reload, and gets nothing after that. The phone with the pad follows on."""
    hub, held = Hub(), [True]
    topic = Topic("table", cast.table.pk)

    async def story() -> None:
        async with (
            aclosing(hub.subscribe(topic, "pad", may=lambda: held[0])) as loses,
            aclosing(hub.subscribe(topic, "pad", may=lambda: True)) as keeps,
        ):
            for stream in (loses, keeps):
                await anext(stream)
                assert b"event: pad" in await anext(stream)
            held[0] = False
            await sync_to_async(pads.take)(table=cast.table, phone="x", now=NOW)
            assert b"event: reset" in await anext(loses)
            with pytest.raises(StopAsyncIteration):
                await anext(loses)
            assert b"event: pad" in await anext(keeps)

    asyncio.run(story())


def test_only_phones_with_the_pad_follow_it(cast: Cast, match: Match) -> None:
    phone = scan(cast)
    path = f"/live/?topic=table:{cast.table.pk}&part="
    assert phone.client.get(path + "pad").status_code == 200
    scan(cast)
    assert phone.client.get(path + "pad").status_code == 403
    assert phone.client.get(path + "elsewhere").status_code == 200
    phone.client.post(reverse("table_pad", args=[cast.table.pk]), {"do": "take"})
    assert phone.client.get(path + "elsewhere").status_code == 403, "an old page would say that its owner has the pad"


def test_a_phone_without_the_pad_shows_the_public_page(cast: Cast) -> None:
    record = games.random_match(GAME, {}, names_for(GAME), random.Random(3), hands=1, observed=False)
    enter(cast.open(GAME), games.entries(record)[:6])
    phone = scan(cast)
    scan(cast)
    phone.open(phone.path)
    with override("en"):
        part = live.renderers["elsewhere"]("table", cast.table.pk)
    for text in (part, phone.answer.content.decode()):
        assert "tiles choosing" not in text
        assert 'name="entry"' not in text


# --- how long it goes on -------------------------------------------------------------------------------------------
def timed(cast: Cast, minutes: int, ago: timedelta) -> Match:
    return matches.open_match(
        table=cast.table,
        game=GAME,
        options={},
        players=names_for(GAME),
        minutes=minutes,
        by=Actor(),
        now=timezone.now() - ago,
    )


WHOLE = {"kind": "hand", "opener": 0, "final": {"out": 0, "left": [0, 5, 6, 7]}}


def test_the_last_hand_is_shown_on_pad_and_watch_page(cast: Cast, match: Match) -> None:
    phone, watch = scan(cast), reverse("table_watch", args=[cast.table.pk])
    assert "Last hand" not in phone.words
    version = re.search('data-version="[^"]*"', phone.answer.content.decode())
    matches.call_last_hand(match_id=match.pk, now=NOW)
    for path in (phone.path, watch):
        assert "Last hand" in phone.open(path).words
    assert version.group() not in phone.answer.content.decode(), "a live page takes it for news"
    matches.cancel_last_hand(match_id=match.pk, now=NOW)
    assert "Last hand" not in phone.open(phone.path).words


def test_between_hands_it_is_the_next_one(cast: Cast) -> None:
    match = enter(cast.open(GAME), [WHOLE])
    matches.call_last_hand(match_id=match.pk, now=NOW)
    assert "The next hand is the last" in scan(cast).words


def test_when_time_runs_out_the_page_says_why_the_hand_is_the_last(cast: Cast) -> None:
    enter(timed(cast, 30, timedelta(minutes=31)), [{"kind": "hand", "opener": 0}])
    phone, watch = scan(cast), reverse("table_watch", args=[cast.table.pk])
    for path in (phone.path, watch):
        assert "Time is up: this is the last hand" in phone.open(path).words


def test_without_scripts_the_end_of_the_time_is_said(cast: Cast) -> None:
    match = timed(cast, 30, timedelta(minutes=10))
    end = match.created_at + timedelta(minutes=30)
    phone = scan(cast)
    assert f"Ends at {end:%H:%M}" in phone.words
    assert f'datetime="{end.isoformat()}"' in phone.answer.content.decode()
    assert "Do not start a new hand" not in phone.words


def test_time_is_up_between_two_hands(cast: Cast) -> None:
    match = enter(timed(cast, 30, timedelta(minutes=31)), [WHOLE])
    phone = scan(cast)
    assert "Time is up" in phone.words
    assert "opens the next hand" not in phone.words
    body = {"seen": ["1"], "key": ["k"], "entry": ['{"kind":"hand","opener":1}']}
    phone.post(reverse("match_entry", args=[match.pk]), body)
    assert phone.status == 422
    assert "Do not start a new hand. Count the current score, or ask the host for more time." in phone.words
    phone.press("Count the current score")
    match.refresh_from_db()
    assert (match.status, match.sheet["stopped"]) == (Match.Status.STOPPED, "time")


def test_the_host_gives_more_time_at_the_table(cast: Cast, as_user: Callable[[str], Client]) -> None:
    match = enter(timed(cast, 30, timedelta(minutes=31)), [WHOLE])
    phone, host = scan(cast), Browser(as_user("director")).open(reverse("table", args=[cast.table.pk]))
    assert not phone.has_button("5 minutes")
    assert "Ends at" not in host.words
    host.press("5 minutes")
    match.refresh_from_db()
    left = clock_of(match).until - timezone.now()
    assert timedelta(minutes=4) < left <= timedelta(minutes=5, seconds=1), "from now, because time was up"
    for browser in (host, phone.open(phone.path)):
        assert "Ends at" in browser.words
        assert "opens the next hand" in browser.words
    host.press("Last hand at this table")
    assert "The next hand is the last" in phone.open(phone.path).words
    host.press("Cancel last hand").press("no limit")
    match.refresh_from_db()
    assert (match.minutes, match.last_hand) == (None, None)
    host.press("10 minutes")
    match.refresh_from_db()
    left = clock_of(match).until - timezone.now()
    assert timedelta(minutes=9) < left <= timedelta(minutes=10, seconds=1)
    assert not Browser(as_user("scorer")).open(host.path).has_button("no limit")


def test_what_comes_when_the_time_is_up_is_drawn_before(cast: Cast) -> None:
    enter(timed(cast, 30, timedelta(minutes=10)), [WHOLE])
    text = scan(cast).answer.content.decode()
    rings = re.findall(r'<(p|form) class="[^"]*"[^>]*data-from="[^"]*" hidden', text)
    assert sorted(rings) == ["form", "p"]


def test_a_match_with_a_time_limit_is_opened_on_the_pad(cast: Cast, tapped_game: str) -> None:
    phone = scan(cast)
    phone.open(f"{phone.path}matches/?game={tapped_game}")
    people = {f"player_{seat}": name for seat, name in enumerate(names_for(tapped_game))}
    start = "Start with these seats" if games.GAMES[tapped_game].draws_seats else "Start"
    phone.press(start, **people, minutes="x")
    assert phone.status == 422
    phone.press(start, minutes="40")
    assert Match.objects.get().minutes == 40


# --- in a night ----------------------------------------------------------------------------------------------------
@pytest.fixture
def night(cast: Cast) -> Event:
    return Event.objects.create(club=cast.club, kind="night", started_at=NOW)


def test_the_form_names_people_who_still_play_elsewhere(cast: Cast, night: Event) -> None:
    cast.open(GAME, table=cast.other_table)
    phone = scan(cast)
    phone.open(f"{phone.path}matches/?game={GAME}")
    phone.press(
        "Start with these seats", **{f"player_{seat}": name for seat, name in enumerate(["Eva", "Fay", "Gus", "Dan"])}
    )
    assert phone.status == 422
    assert "Still playing: Dan (table 2)." in phone.words
    assert not Player.objects.filter(name="Eva").exists()


def test_a_match_at_a_table_begins_as_the_host_has_it_tonight(cast: Cast, night: Event) -> None:
    entry = {"kind": "game", "game": GAME, "options": games.GAMES[GAME].read_options({"hands": 7}), "minutes": 25}
    night.log.create(seq=0, kind="game", payload=entry, at=NOW, key="k")
    phone = scan(cast)
    phone.open(f"{phone.path}matches/?game={GAME}")
    phone.press("Start with these seats", **{f"player_{seat}": name for seat, name in enumerate(names_for(GAME))})
    match = Match.objects.get()
    assert (match.minutes, match.options["hands"], match.event) == (25, 7, night)


def test_after_a_match_of_the_night_the_host_draws_the_next(cast: Cast, night: Event) -> None:
    enter(cast.open(GAME, hands=1), [WHOLE])
    phone = scan(cast)
    assert "The host draws the next round." in phone.words
    assert reverse("night_seats", args=[night.pk]) in [href for href, _text in phone._read.links]
    assert any(f"?game={GAME}" in href for href, _text in phone._read.links)
    Event.objects.update(closed_at=NOW)
    assert "The host draws" not in phone.open(phone.path).words


def test_a_scorer_of_several_tables_goes_from_one_to_the_next(
    cast: Cast, night: Event, as_user: Callable[[str], Client]
) -> None:
    cast.open(GAME)
    other = matches.open_match(
        table=cast.other_table, game=GAME, options={}, players=["E", "F", "G", "H"], by=Actor(), now=NOW
    )
    scorer = Browser(as_user("scorer")).open(reverse("table", args=[cast.table.pk]))
    assert scorer.follow("Next unfinished").path == reverse("table", args=[cast.other_table.pk])
    assert scorer.follow("Next unfinished").path == reverse("table", args=[cast.table.pk])
    enter(other, [{"kind": "stop", "stopped": "abandoned"}])
    scorer.open(scorer.path)
    assert "Next unfinished" not in scorer.words
    assert "2 ✓" in scorer.words
    assert "Next unfinished" not in scan(cast).words
    Event.objects.update(closed_at=NOW)
    assert "2 ✓" not in scorer.open(scorer.path).words


# --- what is read out ----------------------------------------------------------------------------------------------
def said(match: Match) -> str:
    """What is read out when this arrives on pad and watch page, which say the same."""
    with override("en"):
        parts = [live.renderers[part]("table", match.table_id) for part in ("pad", "watch")]
    texts = {re.search('data-say="([^"]*)"', part).group(1) for part in parts}
    assert len(texts) == 1
    return texts.pop()


def test_moves_and_scores_are_read_out(cast: Cast, match: Match) -> None:
    assert said(match) == "Ana to play"
    enter(match, [{"kind": "move", "move": {"seat": 0, "type": "play", "tile": "6-4"}}])
    assert said(match) == "Ana laid 6-4. Bo to play"
    enter(match, [{"kind": "final", "final": {"out": 0, "left": [0, 5, 6, 7]}}])
    assert said(match) == "Hand 1 counted: Ana + Cleo 6, Bo + Dan 12"
    enter(match, [{"kind": "stop", "stopped": "time"}])
    assert said(match) == "Ana + Cleo won. Ana + Cleo 6, Bo + Dan 12"


def test_points_scored_by_a_move_are_read_out(cast: Cast) -> None:
    game = next(slug for slug, game in games.GAMES.items() if game.final(game.read_options({})).table)
    match = enter(cast.open(game), [HAND, {"kind": "move", "move": {"seat": 0, "type": "play", "tile": "5-5"}}])
    assert said(match) == "Ana laid 5-5. Ana 10, Bo 0. Bo to play"


# --- how much comes to a phone -------------------------------------------------------------------------------------
class _Resources(HTMLParser):
    """The addresses that a page loads by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        got = dict(attrs)
        if tag == "link" and got.get("rel") in ("stylesheet", "icon", "modulepreload"):
            self.found.append(got["href"] or "")
        if got.get("src"):
            self.found.append(got["src"] or "")


def loaded(page: HttpResponse, path: str) -> dict[str, bytes]:
    """Everything that a browser fetches for the page, by address, including what scripts import."""
    reader = _Resources()
    reader.feed(page.content.decode())
    waiting, got = [urljoin(path, each) for each in reader.found], {path: page.content}
    while waiting:
        address = urlsplit(waiting.pop()).path
        if address in got:
            continue
        file = finders.find(address.removeprefix("/static/"))
        assert file, f"{address} is not there"
        with open(file, "rb") as handle:
            got[address] = handle.read()
        text = got[address].decode(errors="ignore")
        if address.endswith(".js"):
            imported = re.findall(r"""^import .*?["'](\.[^"']+)["']""", text, re.MULTILINE)
            waiting += [urljoin(address, each) for each in imported]
        if address.endswith(".css"):
            named = re.findall(r"""url\(["']?(?!data:)([^"')]+)""", text) + re.findall(
                r"""@import ["']([^"']+)""", text
            )
            waiting += [urljoin(address, each) for each in named]
    return got


def test_the_page_of_a_table_is_light(cast: Cast, tapped_game: str) -> None:
    enter(cast.open(tapped_game), plan_for(tapped_game)[:20])
    phone = scan(cast)
    got = loaded(phone.answer, phone.path)
    assert any(address.endswith("/table.css") for address in got)
    assert any(address.endswith("/live.js") for address in got)
    sizes = {address: len(gzip.compress(content)) for address, content in got.items()}
    assert sum(sizes.values()) < 150_000, sizes


def test_a_phone_with_the_pad_leads_to_the_tournament(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads", public=True), 4)
    table = released(event)[0].table
    assert table
    phone = Browser().open(reverse("table_join", args=[tables.fresh_token(table=table, now=timezone.now())]))
    seats, standings = f"/tournaments/{event.pk}/seats/", f"/tournaments/{event.pk}/standings/"
    assert phone.follow("My next rounds").path == seats
    assert phone.open(reverse("table", args=[table.pk])).follow("Standings").path == standings
    hidden = {**state_of(event).setup, "public": False}
    tournaments.set_up(event_id=event.pk, name="Cup", setup=hidden, step=at(event, "hide"))
    assert standings not in phone.open(reverse("table", args=[table.pk])).markup
    assert "My next rounds" not in phone.words


def test_a_phone_in_no_tournament_leads_to_none(cast: Cast, match: Match) -> None:
    assert "My next rounds" not in scan(cast).words
