"""The demonstration club is made by the same services as a real club."""

import itertools
import random
from collections import Counter

import pytest
from django.urls import reverse
from django.utils import timezone

import games
from scorekeeper.models import Club, LogEntry, Match, RatingLine
from scorekeeper.selectors.events import state_of
from scorekeeper.selectors.matches import record_of
from scorekeeper.selectors.standings import out_of_date
from scorekeeper.services import clubs, demo
from scorekeeper.services.demo import NIGHTS, PLAYERS
from scorekeeper.services.errors import Refused
from tests.browsing import Browser
from tests.conftest import NOW
from tests.scorekeeper.test_ratings_kept import work_off

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
    nights = list(club.events.order_by("pk"))
    assert [night.closed_at is None for night in nights] == [False, False, False, False, True]
    assert {match.game for match in club.matches.all()} == games.GAMES.keys()
    assert all(3 <= night.matches.count() / rounds <= 4 for night, (rounds, _hands) in zip(nights, NIGHTS, strict=True))
    last = max(match.round for match in nights[-1].matches.all())
    for match in club.matches.all():
        assert match.status == ("playing" if (match.event_id, match.round) == (nights[-1].pk, last) else "finished")
    for night in nights:
        byes = [player for each in state_of(night).rounds for player in each.byes]
        assert len(set(byes)) == len(byes) <= len(state_of(night).rounds)
    for match in club.matches.all():
        assert out_of_date(match) == []
        assert games.verify(record_of(match))["errors"] == []
        assert all(seat.player is not None for seat in match.seats.all())
    assert LogEntry.objects.order_by("-at")[0].at <= NOW
    work_off()
    rated = Counter(RatingLine.objects.values_list("player", flat=True))
    assert {*rated} == {*club.players.values_list("pk", flat=True)}
    assert min(rated.values()) >= 5
    page = Browser().open(reverse("season", args=[club.seasons.get().pk]))
    assert all(player in page.words for player in PLAYERS)


def test_it_is_by_itself_as_soon_as_there_is_another_club(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "NIGHTS", ((1, 1), (1, 1)))
    club = demo.make(rng=random.Random(4), now=timezone.now())
    work_off()
    night = club.events.order_by("pk")[0]
    together = (reverse("ranking"), reverse("ranking_csv"), reverse("everybody"), "/search/?q=keiko")
    own = (reverse("club", args=["demo"]), reverse("club_ranking", args=["demo"]), reverse("night", args=[night.pk]))

    def shown(path: str) -> bool:
        return any(name in Browser().open(path).answer.content.decode() for name in PLAYERS)

    assert all(map(shown, (*together, *own)))
    over = f"/matches/{night.matches.order_by('pk')[0].pk}/review/"
    button = "Start the review"
    assert button in Browser().open(over).words, "it has no members, so anybody tries it out"
    Club.objects.create(slug="rovers", name="Rovers", created_at=NOW)
    assert all(map(shown, own))
    assert button not in Browser().open(over).words
    assert not any(map(shown, together))
    assert reverse("night", args=[night.pk]) not in Browser().open(f"/search/?q={night.started_at:%Y}").markup
    assert "Demonstration" in Browser().open("/").words
    played = list(club.matches.order_by("pk").prefetch_related("seats"))
    assert played == sorted(played, key=lambda match: match.created_at), "lists look sorted"
    for one, other in itertools.combinations(played, 2):
        if one.finished_at is None or other.created_at < one.finished_at:
            assert not {seat.name for seat in one.seats.all()} & {seat.name for seat in other.seats.all()}


def test_there_is_one_it_does_not_stand_in_the_way_and_the_same_dice_make_it_again(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "NIGHTS", ((2, 1), (1, 1)))  # everybody is home early
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
    assert Match.objects.count() == 2 * len(first[0])
