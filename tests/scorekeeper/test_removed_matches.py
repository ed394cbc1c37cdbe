"""A match that was entered by mistake: a host removes it, it is nowhere, and it comes back in one step."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scorekeeper.access import Actor
from scorekeeper.models import AuditEntry, Call, Event, Match, SeatResult
from scorekeeper.pages.share import document, text_of
from scorekeeper.selectors.events import event_now
from scorekeeper.selectors.standings import club_tables, event_tables
from scorekeeper.services import calls, recording, removing
from scorekeeper.services.errors import Refused
from tests.browsing import Browser
from tests.conftest import NOW, Cast, plan_for
from tests.nights import night_of, played
from tests.tournaments import released, scheduled, setup_of

Host = Callable[[str], Client]


@pytest.fixture
def night(cast: Cast) -> Event:
    night = night_of(cast, 4)
    played(night.matches.get())
    return night


@pytest.fixture
def match(night: Event) -> Match:
    return night.matches.select_related("table").get()


def everywhere(night: Event, match: Match) -> list[bool]:
    """Whether the match is in each list, count, table, file and page."""
    club, snapshot = night.club, event_now(night)
    name = next(seat.name for seat in match.seats.all())
    pages = [reverse("club", args=[club.slug]), reverse("night", args=[night.pk]), f"/nights/{night.pk}/screen/"]
    texts = [text_of(snapshot), "".join(document(night, "en", lambda *_: None)).partition("<main")[2]]
    return [
        match.pk in [each.pk for each in snapshot.matches],
        bool(club_tables(club)),
        bool(event_tables(night)),
        *(f"/matches/{match.pk}/" in Client().get(page).content.decode() for page in pages[:2]),
        "won" in "".join(texts) or any(f" {total}" in texts[0] for total in match.sheet["totals"]),
        name in texts[0],
        Client().get(reverse("match", args=[match.pk])).status_code == 200,
        Client().get(reverse("api-record", args=[match.pk])).status_code == 200,
    ]


def test_a_host_removes_a_match_and_restores_it(night: Event, match: Match, as_user: Host) -> None:
    rows = [*SeatResult.objects.values_list("points", "place")]
    assert all(everywhere(night, match))
    host = Browser(as_user("director")).open(reverse("match", args=[match.pk]))
    host.press("Remove the match", why="Typed twice")
    assert host.path == reverse("club_audit", args=[night.club.slug])
    one, other = ([seat.name for seat in match.seats.all() if seat.number % 2 == side] for side in (0, 1))
    totals = "{} : {}".format(*match.sheet["totals"][:2])
    played = f"{' + '.join(one)} – {' + '.join(other)}, {totals}"
    said = host.words.replace("\N{NO-BREAK SPACE}", " ")
    assert f"director removed the match: “Typed twice” {played} match {match.pk} (removed) · Table 1" in said
    assert not any(everywhere(night, match))
    assert not SeatResult.objects.exists()
    host.press("Restore")
    assert host.path == reverse("match", args=[match.pk])
    assert all(everywhere(night, match))
    assert [*SeatResult.objects.values_list("points", "place")] == rows
    assert not host.open(reverse("club_audit", args=[night.club.slug])).has_button("Restore")
    assert {*AuditEntry.objects.filter(match=match).values_list("kind", flat=True)} == {
        "match-removed",
        "match-restored",
    }


def test_only_hosts_remove_and_they_say_why(night: Event, match: Match, as_user: Host) -> None:
    path = reverse("match_remove", args=[match.pk])
    assert not Browser(as_user("scorer")).open(reverse("match", args=[match.pk])).has_button("Remove the match")
    host = Browser(as_user("owner")).open(reverse("match", args=[match.pk]))
    host.post(path, {"do": ["remove"], "why": [" "]})
    assert "Say why you remove this match" in host.words
    host.post(path, {"do": ["remove"], "why": ["x" * 300]})
    assert "up to 200 characters" in host.words
    assert Match.objects.count() == 1


def test_a_match_in_play_leaves_its_table_free(cast: Cast) -> None:
    match = cast.open("domino-whist")
    call = calls.call(table=cast.table, match=match, name="", why="a mistake", now=NOW)
    page = reverse("table", args=[cast.table.pk])
    assert "Ana" in Browser().open(page).words
    removing.remove(match_id=match.pk, why="Wrong game", now=NOW, by=cast.users["owner"])
    assert "Ana" not in Browser().open(page).words
    entry = plan_for("domino-whist")[0]
    with pytest.raises(Match.DoesNotExist):
        recording.record(match_id=match.pk, seen=0, key="k", entry=entry, by=Actor(), now=timezone.now())
    assert Call.objects.get(pk=call.pk).match is None, "the call is the table's"
    removing.restore(match_id=match.pk, now=NOW, by=cast.users["owner"])
    assert "Ana" in Browser().open(page).words


def test_removing_and_restoring_twice_is_once(cast: Cast, match: Match) -> None:
    for _ in range(2):
        removing.remove(match_id=match.pk, why="Twice", now=NOW, by=None)
    for _ in range(2):
        removing.restore(match_id=match.pk, now=NOW, by=None)
    assert AuditEntry.objects.filter(match=match).count() == 2


def test_a_table_of_a_round_of_a_tournament_stays(cast: Cast) -> None:
    match, *_others = released(scheduled(cast, setup_of("block", "heads"), 4))
    with pytest.raises(Refused) as refused:
        removing.remove(match_id=match.pk, why="Wrong", now=NOW, by=None)
    assert refused.value.code == "of-a-round"
