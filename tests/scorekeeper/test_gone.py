"""A match is deleted while its page is open: every page says so and leads on, and the table can be used again."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scorekeeper.models import Event, Match
from scorekeeper.services import events, tables
from tests.browsing import Browser
from tests.conftest import Cast, plan_for
from tests.nights import at, night_of


@pytest.fixture
def phone(cast: Cast) -> Browser:
    """A phone that has scanned the code of the first table, and shows its match."""
    token = tables.fresh_token(table=cast.table, now=timezone.now())
    night_of(cast, 4)
    return Browser().open(reverse("table_join", args=[token]))


@pytest.fixture
def gone(phone: Browser) -> Match:
    """The match, removed by the host while the phone shows it."""
    match = Match.objects.get()
    night = Event.objects.get()
    events.undo(event_id=night.pk, step=at(night, "back"))
    assert not Match.objects.exists()
    return match


def test_the_table_can_be_used_again(cast: Cast, phone: Browser, gone: Match) -> None:
    phone.open(reverse("table", args=[cast.table.pk]))
    assert "Start a match" in phone.words


@pytest.mark.parametrize("headers", [{}, {"X-Part": "sheet"}], ids=["page", "script"])
def test_an_entry_from_the_old_page_says_that_it_is_gone_and_leads_on(
    cast: Cast, phone: Browser, gone: Match, headers: dict[str, str]
) -> None:
    data = {"seen": "0", "key": "late", "entry": '{"kind":"hand","opener":0}'}
    answer = phone.client.post(reverse("match_entry", args=[gone.pk]), data, headers=headers)
    assert answer.status_code == 404
    page = answer.content.decode()
    assert 'id="refusal"' in page
    assert "This match does not exist." in page
    assert f'href="{reverse("home")}"' in page


@pytest.mark.parametrize("name", ["match", "match_record", "api-match", "api-record"])
def test_its_pages_are_not_found(phone: Browser, gone: Match, name: str) -> None:
    assert Client().get(reverse(name, args=[gone.pk])).status_code == 404


def test_its_live_stream_is_not_found(phone: Browser, gone: Match) -> None:
    assert Client().get(reverse("live") + f"?topic=match:{gone.pk}&part=watch").status_code == 404


def test_a_call_from_it_is_the_tables(cast: Cast, phone: Browser, gone: Match) -> None:
    phone.open(reverse("table", args=[cast.table.pk])).press("A rule")
    assert "Called at" in phone.words
    call = cast.table.calls.get()
    assert (call.match, call.why) == (None, "a rule")


def test_a_tap_from_a_page_of_the_history_is_not_entered_unsaid(cast: Cast, phone: Browser) -> None:
    """A page from before the last entry: another tap on it is refused, and the answer shows the present state."""
    match = Match.objects.get()
    first = plan_for(match.game, hands=1)[0]
    opener = {"seen": "0", "key": "one", "entry": f'{{"kind":"hand","opener":{first["opener"]}}}'}
    path = reverse("match_entry", args=[match.pk])
    assert phone.client.post(path, opener).status_code == 303
    assert phone.client.post(path, opener).status_code == 303  # the same tap again is the same entry
    stale = phone.client.post(path, opener | {"key": "two"})
    assert (stale.status_code, "Another phone was quicker" in stale.content.decode()) == (409, True)
    other = phone.client.post(path, opener | {"entry": '{"kind":"stop","stopped":"abandoned"}'})
    assert other.status_code in (409, 422)
    assert 'class="loud"' in other.content.decode()
    match.refresh_from_db()
    assert match.length == 1
