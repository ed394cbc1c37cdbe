"""The demonstration club is made by the same services as a real club."""

import itertools
import random

import pytest

import games
from scorekeeper.models import Club, LogEntry, Match
from scorekeeper.selectors.events import state_of
from scorekeeper.selectors.matches import record_of
from scorekeeper.selectors.standings import out_of_date
from scorekeeper.services import clubs, demo
from scorekeeper.services.errors import Refused
from tests.conftest import NOW

pytestmark = pytest.mark.django_db


def told(club: Club) -> list:
    """Everything visible of a club's matches."""
    rows = LogEntry.objects.filter(match__club=club).order_by("match", "seq")
    return [
        [(m.game, m.status, m.sheet, m.created_at, m.finished_at) for m in club.matches.order_by("pk")],
        list(rows.values_list("seq", "payload", "at", "key")),
    ]


@pytest.fixture
def club(transactional_db: None) -> Club:
    return demo.make(rng=random.Random(4), now=NOW)


def test_it_has_what_it_promises_every_sheet_holds_and_nobody_sits_at_two_tables(club: Club) -> None:
    assert (club.slug, club.players.count(), club.tables.count()) == ("demo", 13, 4)
    over, tonight = club.events.order_by("pk")
    assert (over.closed_at is not None, tonight.closed_at) == (True, None)
    assert {match.game for match in club.matches.all()} == games.GAMES.keys()
    statuses = [(match.event_id, match.round, match.status) for match in club.matches.all()]
    assert sorted(statuses) == sorted(
        [(over.pk, number, "finished") for number in (1, 2, 3)] * 4
        + [(tonight.pk, 1, "finished"), (tonight.pk, 2, "playing")] * 4
    )
    for night in (over, tonight):
        byes = [player for each in state_of(night).rounds for player in each.byes]
        assert len(set(byes)) == len(byes) <= len(state_of(night).rounds)
    for match in club.matches.all():
        assert out_of_date(match) == []
        assert games.verify(record_of(match))["errors"] == []
        assert all(seat.player is not None for seat in match.seats.all())
    assert LogEntry.objects.order_by("-at")[0].at <= NOW
    totals = [tuple(map(tuple, (hand["points"] for hand in match.sheet["hands"]))) for match in club.matches.all()]
    assert len(set(totals)) == len(totals)
    played = list(club.matches.order_by("pk").prefetch_related("seats"))
    assert played == sorted(played, key=lambda match: match.created_at), "lists look sorted"
    for one, other in itertools.combinations(played, 2):
        if one.finished_at is None or other.created_at < one.finished_at:
            assert not {seat.name for seat in one.seats.all()} & {seat.name for seat in other.seats.all()}


def test_there_is_one_it_does_not_stand_in_the_way_and_the_same_dice_make_it_again(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "HANDS", 1)  # everybody is home early
    club = demo.make(rng=random.Random(4), now=NOW)
    with pytest.raises(Refused) as refused:
        demo.make(rng=random.Random(4), now=NOW)
    assert refused.value.code == "club-exists"
    assert Club.objects.count() == 1
    assert clubs.setup_link(NOW)
    first = told(club)
    club.slug = "old"
    club.save()
    assert told(demo.make(rng=random.Random(4), now=NOW)) == first
    assert Match.objects.count() == 40
