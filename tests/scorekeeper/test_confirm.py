"""A sheet is confirmed seat by seat, disputed and reopened: who may, from many phones at once, and on pages."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scorekeeper.access import Actor, Refusal
from scorekeeper.models import Call, DeviceToken, LogEntry, Match, Pad, Role
from scorekeeper.pages.share import document
from scorekeeper.selectors.standings import out_of_date
from scorekeeper.services import recording, tables
from scorekeeper.services.errors import Stale
from tests import tournaments
from tests.browsing import Browser, markup
from tests.conftest import NOW, Cast, enter
from tests.nights import night_of, played
from tests.scorekeeper.test_concurrency import together

RESULT = {"kind": "result", "totals": [10, 140, 10, 140]}
REOPEN = {"kind": "reopen", "why": "Bo counted wrong"}
ALL = {"kind": "confirm", "seats": [0, 1, 2, 3]}


def confirm(seat: int) -> dict[str, Any]:
    return {"kind": "confirm", "seats": [seat]}


def dispute(seat: int, **why: str) -> dict[str, Any]:
    return {"kind": "dispute", "seat": seat, **why}


def pad(cast: Cast, name: str = "", *, held: bool = True) -> Actor:
    """A phone that scanned the table's code, and has this owner."""
    device = DeviceToken.objects.create(table=cast.table, sha256=f"{Pad.objects.count()}", made_at=NOW)
    found = Pad.objects.create(table=cast.table, phone=f"phone-{device.pk}", name=name, held=held, since=NOW)
    let_go = frozenset() if held else frozenset({cast.table.pk})
    return Actor(devices={cast.table.pk: device.pk}, phone=found.phone, let_go=let_go)


def host(cast: Cast, role: Role = Role.SCORER) -> Actor:
    return Actor(cast.users[role])


@pytest.fixture
def over(cast: Cast) -> Match:
    """A match with one entry that has just ended."""
    return enter(cast.open("domino-whist"), [RESULT], now=timezone.now())


def say(match: Match, entry: dict[str, Any], by: Actor, *, seen: int | None = None) -> Match:
    match.refresh_from_db()
    seen = match.length if seen is None else seen
    recording.record(match_id=match.pk, seen=seen, key=f"key-{match.length}", entry=entry, by=by, now=NOW)
    match.refresh_from_db()
    return match


# --- who may -------------------------------------------------------------------------------------------------
EVERYBODY: dict[str, Callable[[Cast], Actor]] = {
    "nobody": lambda cast: Actor(),
    "stranger": lambda cast: Actor(cast.users["stranger"]),
    "player": lambda cast: host(cast, Role.PLAYER),
    "member": lambda cast: host(cast, Role.MEMBER),
    "scorer": lambda cast: host(cast, Role.SCORER),
    "director": lambda cast: host(cast, Role.DIRECTOR),
    "owner": lambda cast: host(cast, Role.OWNER),
    "pad": pad,
    "Bo's phone without the pad": lambda cast: pad(cast, "Bo", held=False),
    "phone of nobody without the pad": lambda cast: pad(cast, held=False),
}
FOR_ALL = {"scorer", "director", "owner", "pad"}
MAY: list[tuple[dict[str, Any], set[str]]] = [
    (confirm(1), FOR_ALL | {"Bo's phone without the pad"}),
    (dispute(1, why="We had 30"), FOR_ALL | {"Bo's phone without the pad"}),
    (confirm(0), FOR_ALL),
    (dispute(0), FOR_ALL),
    (ALL, FOR_ALL),
    (REOPEN, {"scorer", "director", "owner"}),
]


@pytest.mark.parametrize("who", EVERYBODY)
@pytest.mark.parametrize("number", range(len(MAY)))
def test_who_may_confirm_and_dispute_a_sheet(cast: Cast, over: Match, number: int, who: str) -> None:
    entry, may = MAY[number]
    by = EVERYBODY[who](cast)
    if entry == REOPEN:
        say(over, ALL, host(cast))
    length = over.length
    if who in may:
        assert say(over, entry, by).length == length + 1
        return
    with pytest.raises(Refusal):
        say(over, entry, by)
    over.refresh_from_db()
    assert (over.length, Call.objects.count()) == (length, 0)


def test_an_account_speaks_for_the_player_it_claimed_and_reaches_no_sheet_from_afar(
    cast: Cast, over: Match, as_user: Callable[[str], Client]
) -> None:
    cast.club.players.filter(name="Bo").update(user=cast.users["player"])
    client = as_user("player")
    assert client.post(f"/matches/{over.pk}/confirm/", {"kind": "confirm", "seats": "1"}).status_code == 403
    phone = pad(cast, "Ana", held=False)
    signed_in = Actor(cast.users["player"], devices=phone.devices, phone=phone.phone, let_go=phone.let_go)
    with pytest.raises(Refusal):
        say(over, confirm(2), signed_in)
    assert say(over, confirm(1), signed_in).sheet["confirmed"] == [1]


PHONES: dict[str, Callable[[Cast], Actor]] = {
    "his own": lambda cast: pad(cast, "Bo"),
    "his own without the pad": lambda cast: pad(cast, "Bo", held=False),
    "the table's": pad,
    "another's": lambda cast: pad(cast, "Ana"),
    "another's without the pad": lambda cast: pad(cast, "Ana", held=False),
    "of who plays no more": lambda cast: pad(cast, "Eva"),
    "of a program": lambda cast: Actor(devices=pad(cast).devices),
    "scorer": host,
}
HIS = {"his own", "his own without the pad", "the table's", "of who plays no more", "of a program", "scorer"}
WITHDRAWS: list[tuple[dict[str, Any], set[str]]] = [
    (confirm(1), HIS),
    ({"kind": "undo"}, HIS),
    ({"kind": "confirm", "seats": [0, 1]}, {"his own", "scorer"}),
]


@pytest.mark.parametrize("who", PHONES)
def test_a_dispute_is_withdrawn_by_its_author_or_a_host(cast: Cast, over: Match, who: str) -> None:
    his, by = pad(cast, "Bo", held=False), PHONES[who](cast)
    for entry, may in WITHDRAWS:
        if "disputed" not in over.sheet:
            say(over, dispute(1, why="We had 30"), his)
        if who in may:
            assert "disputed" not in say(over, entry, by).sheet
            continue
        with pytest.raises(Refusal):
            say(over, entry, by)
        over.refresh_from_db()
        assert over.sheet["disputed"] == [{"seat": 1, "why": "We had 30"}]


def test_the_table_s_phone_withdraws_for_one_at_a_time(cast: Cast, over: Match) -> None:
    for seat in (1, 2):
        say(over, dispute(seat), pad(cast))
    with pytest.raises(Refusal):
        say(over, {"kind": "confirm", "seats": [1, 2]}, pad(cast))
    for seat in (1, 2):
        say(over, confirm(seat), pad(cast))
    assert over.sheet["confirmed"] == [1, 2]


def test_anybody_who_records_can_undo_a_confirmation(cast: Cast, over: Match) -> None:
    say(over, dispute(1), pad(cast))
    say(over, confirm(1), pad(cast, "Bo"))
    say(over, {"kind": "undo"}, pad(cast, "Ana"))
    assert [each["seat"] for each in over.sheet["disputed"]] == [1]


# --- many at once --------------------------------------------------------------------------------------------
def test_players_can_confirm_without_seeing_other_confirmations(cast: Cast, over: Match) -> None:
    seen = over.length
    for seat in (0, 1):
        say(over, confirm(seat), pad(cast), seen=seen)
    say(over, dispute(2), pad(cast), seen=seen)
    assert over.sheet["confirmed"] == [0, 1]
    assert over.sheet["disputed"] == [{"seat": 2, "why": ""}]
    with pytest.raises(Stale):
        say(over, {"kind": "undo"}, pad(cast), seen=seen)
    say(over, {"kind": "swap", "seats": [0, 3, 2, 1]}, pad(cast))
    with pytest.raises(Stale):
        say(over, confirm(0), pad(cast), seen=seen)
    with pytest.raises(Stale):
        say(over, confirm(0), pad(cast), seen=over.length + 1)
    assert out_of_date(Match.objects.get(pk=over.pk)) == []


@pytest.mark.django_db(transaction=True)
def test_four_phones_confirm_at_the_same_moment(cast: Cast, over: Match) -> None:
    phones = [pad(cast, name, held=False) for name in ("Ana", "Bo", "Cleo", "Dan")]
    seen = over.length

    def one(seat: int) -> int:
        key, by = f"phone-{seat}", phones[seat]
        return recording.record(match_id=over.pk, seen=seen, key=key, entry=confirm(seat), by=by, now=NOW).seq

    assert sorted(together(one, 4)) == [seen, seen + 1, seen + 2, seen + 3]
    over.refresh_from_db()
    assert (over.length, over.sheet["confirmed"], over.offers["confirm"]) == (seen + 4, [0, 1, 2, 3], [])


def test_a_confirmation_sent_twice_counts_once(cast: Cast, over: Match) -> None:
    by, seen = pad(cast), over.length
    say(over, confirm(3), by)
    for repeated in (False, True):
        done = recording.record(match_id=over.pk, seen=seen, key="k", entry=confirm(0), by=by, now=NOW)
        assert (done.seq, done.length, done.repeated) == (seen + 1, seen + 2, repeated)


# --- not so --------------------------------------------------------------------------------------------------
def test_a_dispute_calls_the_host_once_with_name_and_reason(cast: Cast, over: Match) -> None:
    say(over, dispute(1, why="We had 30"), pad(cast))
    call = Call.objects.get()
    assert (call.table, call.match, call.name, call.why) == (cast.table, over, "Bo", "We had 30")
    say(over, dispute(2), pad(cast))
    assert Call.objects.get().pk == call.pk


def test_a_match_opened_again_is_corrected_at_the_table_and_still_counts(cast: Cast, over: Match) -> None:
    ended = over.finished_at
    say(over, ALL, host(cast))
    assert (over.status, over.finished_at) == ("finished", ended)
    say(over, REOPEN, host(cast))
    assert (over.status, over.sheet["reopened"]) == ("finished", REOPEN["why"])
    say(over, {"kind": "undo"}, pad(cast))
    assert over.status == "playing"
    say(over, RESULT | {"totals": [30, 120, 30, 120]}, pad(cast))
    assert say(over, ALL, host(cast)).offers["confirm"] == []


def test_the_call_on_the_desk_shows_the_present_disputes(
    cast: Cast, over: Match, as_user: Callable[[str], Client]
) -> None:
    director, address = as_user("director"), reverse("club_calls", args=[cast.club.slug])
    stamps, said = set(), []
    for entry in (dispute(1, why="We had 30"), dispute(0), ALL):
        say(over, entry, host(cast))
        page = Browser(director).open(address)
        stamps.add(re.search(r'data-stamp="(\w+)"', page.answer.content.decode()).group(1))  # type: ignore[union-attr]
        said += [
            words for words in ("One player disputes", "2 players dispute", "Everybody now says") if words in page.words
        ]
    assert said == ["One player disputes", "2 players dispute", "Everybody now says"]
    assert len(stamps) == 3


def test_a_host_who_settles_the_call_settles_the_dispute(
    cast: Cast, over: Match, as_user: Callable[[str], Client]
) -> None:
    for entry in (dispute(1, why="We had 30"), dispute(0)):
        say(over, entry, host(cast))
    page = Browser(as_user("scorer")).open(reverse("club_calls", args=[cast.club.slug]))
    assert reverse("match", args=[over.pk]) in page.markup, "to correct the score"
    page.press("Settled: the score stays")
    over.refresh_from_db()
    assert "disputed" not in over.sheet
    assert over.sheet["confirmed"] == [0, 1]
    last = over.log.latest("seq")
    assert (last.payload, last.user) == ({"kind": "confirm", "seats": [0, 1]}, cast.users["scorer"])
    assert "Table 1 calls" not in page.words
    length = over.length
    page.post(*page.last_post)  # a second tap
    over.refresh_from_db()
    assert over.length == length


def test_a_disputed_score_is_marked_for_everybody_until_it_is_settled(
    cast: Cast, as_user: Callable[[str], Client]
) -> None:
    night = night_of(cast, 4)
    over = played(night.matches.get())

    def marked() -> list[bool]:
        pages = ["/clubs/rovers/", *(f"/nights/{night.pk}/{page}" for page in ("", "screen/", "results.txt"))]
        pages += [f"/tables/{over.table_id}/watch/"]
        texts = [Client().get(page).content.decode() for page in pages]
        texts += [as_user("director").get(f"/nights/{night.pk}/desk/").content.decode()]
        texts += ["".join(document(night, "en", lambda *_: None))]
        return [bool(re.search(r"\bdisputed\b", text)) for text in texts]

    assert not any(marked())
    say(over, dispute(1), host(cast))
    assert all(marked())
    say(over, ALL, host(cast))
    assert not any(marked())


def test_a_disputed_result_of_a_tournament_is_marked_whether_it_counts_already_or_not(
    cast: Cast, as_user: Callable[[str], Client]
) -> None:
    cup = tournaments.scheduled(cast, tournaments.setup_of("block", "heads", confirm=2), 2)
    over = tournaments.released(cup)[0]
    tournaments.played(over)
    over.refresh_from_db()

    def marked() -> list[bool]:
        pages = [f"/tournaments/{cup.pk}/", f"/tournaments/{cup.pk}/screen/"]
        texts = [Client().get(page).content.decode() for page in pages]
        texts += [as_user("director").get(f"/tournaments/{cup.pk}/desk/").content.decode()]
        cup.refresh_from_db()
        texts += ["".join(document(cup, "en", lambda *_: None)).split("Score sheets")[0]]
        assert all("not confirmed yet" not in text or "disputed" not in text for text in texts[::3])
        return [bool(re.search(r"\bdisputed\b", text)) for text in texts]

    assert not any(marked())
    say(over, dispute(1), host(cast))
    assert all(marked())
    say(over, {"kind": "confirm", "seats": [0, 1]}, host(cast))
    assert not any(marked())


# --- pages ---------------------------------------------------------------------------------------------------
def phone_at(cast: Cast, name: str = "", *, held: bool = True) -> Client:
    """A browser that scanned the table's code, and has this owner."""
    client = Client()
    client.get(reverse("table_join", args=[tables.fresh_token(table=cast.table, now=timezone.now())]))
    Pad.objects.filter(pk=Pad.objects.latest("pk").pk).update(name=name, held=held)
    return client


def press(client: Client, match: Match, label: str, why: str = "") -> str:
    """Presses this button on the page of the match's table, with a reason. Returns the next page."""
    browser = Browser(client).open(reverse("table", args=[match.table_id]))
    browser.press(label, **({"why": why} if why else {}))
    match.refresh_from_db()
    return browser.words


def test_the_pad_confirms_for_each_and_for_all(cast: Cast, over: Match) -> None:
    phone = phone_at(cast)
    page = press(phone, over, "Bo: correct")
    assert "Confirmed by 1 of 4" in page
    assert "Undo the last entry" not in page
    page = press(phone, over, "All the others: correct")
    assert "Confirmed by all" in page
    assert over.sheet["confirmed"] == [0, 1, 2, 3]
    assert "correct</button>" not in phone.get(reverse("table", args=[cast.table.pk])).content.decode()


def test_only_the_next_thing_to_do_stands_out(cast: Cast) -> None:
    match = enter(night_of(cast, 4).matches.get(), [RESULT], now=timezone.now())
    phone = phone_at(cast)

    def loud() -> list[str]:
        page = phone.get(reverse("table", args=[match.table_id])).content.decode()
        unfolded = re.sub("<details.*?</details>", "", page, flags=re.DOTALL)
        return re.findall('class="button big"[^>]*>([^<]+)<', markup(unfolded))

    assert loud() == ["All of us: correct"]
    say(match, ALL, host(cast))
    assert loud() == ["Where do I sit?"]


def test_a_phone_without_the_pad_says_it_for_its_holder_alone(cast: Cast, over: Match) -> None:
    phone = phone_at(cast, "Bo", held=False)
    page = press(phone, over, "Bo: dispute and call the host", "We had <30>")
    assert over.sheet["disputed"] == [{"seat": 1, "why": "We had <30>"}]
    assert "Disputed by Bo." in page
    assert "When it is settled, tap “correct”, or a host decides." in page
    assert "We had <30>" in page
    assert "confirmed" not in over.sheet
    page = press(phone, over, "Ana: correct")
    assert "This phone can answer only for its owner." in page
    assert "confirmed" not in over.sheet
    press(phone, over, "Bo: correct")
    assert (over.sheet["confirmed"], "disputed" in over.sheet) == ([1], False)


def test_a_phone_without_the_pad_enters_nothing_else(cast: Cast, over: Match) -> None:
    phone = phone_at(cast, "Bo", held=False)
    for name, status in (("match_entry", 403), ("match_confirm", 404)):
        sent = {"seen": over.length, "key": "k", "entry": '{"kind": "undo"}'}
        assert phone.post(reverse(name, args=[over.pk]), sent).status_code == status
    assert LogEntry.objects.filter(match=over).count() == 1


@pytest.mark.parametrize(
    ("entry", "status"),
    [('{"kind":"confirm","seats":[9]}', 422), ('{"kind":"reopen","why":"so"}', 403), ("nonsense", 422), ("", 422)],
)
def test_what_is_refused_comes_back_with_the_sheet(cast: Cast, over: Match, entry: str, status: int) -> None:
    say(over, confirm(0), host(cast))
    sent = {"seen": over.length, "key": "k", "entry": entry}
    answer = phone_at(cast).post(reverse("match_confirm", args=[over.pk]), sent, headers={"X-Part": "sheet"})
    text = markup(answer.content.decode())
    assert answer.status_code == status
    assert 'id="refusal" class="loud"' in text
    assert 'data-part="pad"' in text


def test_the_part_that_answers_a_phone_without_the_pad_is_no_pad(cast: Cast, over: Match) -> None:
    sent = {"seen": over.length, "key": "k", "entry": '{"kind":"confirm","seats":[1]}'}
    phone = phone_at(cast, "Bo", held=False)
    answer = phone.post(reverse("match_confirm", args=[over.pk]), sent, headers={"X-Part": "sheet"})
    assert (answer.status_code, 'data-part="elsewhere"' in answer.content.decode()) == (200, True)
    assert answer["X-Length"] == str(over.length + 1)


def test_a_host_opens_a_confirmed_match_again_from_its_page(
    cast: Cast, over: Match, as_user: Callable[[str], Client]
) -> None:
    say(over, ALL, host(cast))
    browser = Browser(as_user("scorer")).open(reverse("match", args=[over.pk]))
    assert "Confirmed by all" in browser.words
    browser.press("Reopen for corrections", why="Bo counted wrong")
    assert "Reopened by a host: Bo counted wrong" in browser.words
    over.refresh_from_db()
    assert "confirmed" not in over.sheet
    assert "Bo counted wrong" in phone_at(cast).get(reverse("table", args=[cast.table.pk])).content.decode()


@pytest.mark.parametrize("path", ["match", "table_watch"])
def test_everybody_sees_what_is_said(cast: Cast, over: Match, path: str) -> None:
    address = reverse(path, args=[over.pk if path == "match" else cast.table.pk])

    def seen() -> str:
        return Browser(Client()).open(address).words

    assert "onfirmed by" not in seen()
    say(over, confirm(0), host(cast))
    assert "Confirmed by 1 of 4" in seen()
    say(over, dispute(1), host(cast))
    assert "Disputed by Bo." in seen()
    say(over, ALL, host(cast))
    assert "Confirmed by all" in seen()


def test_the_desk_shows_confirmations_and_disputes(cast: Cast, as_user: Callable[[str], Client]) -> None:
    night = night_of(cast, 4)
    match = enter(night.matches.get(), [RESULT])
    director, desk = as_user("director"), reverse("night_desk", args=[night.pk])
    stamps, said = set(), []
    for entry in (None, confirm(0), dispute(1), ALL):
        if entry:
            say(match, entry, host(cast))
        page = director.get(desk).content.decode()
        stamps.add(re.search(r'data-desk="night:\d+" data-stamp="(\w+)"', page).group(1))  # type: ignore[union-attr]
        said.append((">disputed · without hands<" in page, "confirmed by all" in page))
    assert said == [(False, False), (False, False), (True, False), (False, True)]
    assert len(stamps) == 4


def test_a_hand_is_given_up_at_the_pad_with_a_second_tap(cast: Cast) -> None:
    match = enter(cast.open("domino-whist"), [{"kind": "hand", "opener": 0}])
    press(phone_at(cast), match, "Give it up", "The tiles fell")
    given_up = {"hand": 0, "opener": 0, "moves": 0, "why": "The tiles fell"}
    assert match.sheet["abandoned"] == [given_up]
    assert match.offers["next"] == "hand"
