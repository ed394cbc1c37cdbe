"""The review of a match, from the button to the page; also by a real worker process, which is killed meanwhile."""

import json
import os
import re
import signal
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

import games
from games.entries import entries_of
from games.nestor.positions import is_choice
from games.random_play import random_match
from games.record import read_record
from scorekeeper.access import Actor
from scorekeeper.models import Club, Job, LogEntry, Match, Review, Seat
from scorekeeper.selectors.audit import NO_JOBS
from scorekeeper.selectors.matches import position, projection
from scorekeeper.services import jobs, reviews
from scorekeeper.tasks import WORK
from tests.conftest import NOW, Cast, Phone, enter, names_for, plan_for
from tests.job_worker import job_worker
from tests.waiting import until

RECORD = json.loads((Path(__file__).parents[1] / "data" / "records" / "domino_whist.json").read_text())["record"]
CONFIRM = {"kind": "confirm", "seats": [0, 1, 2, 3]}


@pytest.fixture
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nestor thinks shorter: what he finds is tested elsewhere."""
    monkeypatch.setattr(reviews, "MS", 1)
    monkeypatch.setattr(reviews, "OPENED_MS", 200)


pytestmark = pytest.mark.usefixtures("_quick")


def whist(cast: Cast, hands: int = 1) -> Match:
    """A match of the first hands of a published record, all four played to the end."""
    match = cast.open("domino-whist", hands=hands)
    return enter(match, [{"kind": "hand", **hand} for hand in RECORD["hands"][:hands]])


def url_of(match: Match) -> str:
    return f"/matches/{match.pk}/review/"


def start(browser: Client, match: Match) -> int:
    return browser.post(url_of(match), {"do": "review"}).status_code


def work(*, state: str = Job.State.DONE) -> Job:
    job = Job.objects.filter(kind="review").latest("pk")
    jobs.run(job.pk, WORK)
    job.refresh_from_db()
    assert job.state == state, job.error
    return job


def reviewed(cast: Cast, hands: int = 1) -> Match:
    match = whist(cast, hands)
    start(cast.browser("owner"), match)
    work()
    return match


def text_of(page: bytes) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page.decode()).split())


@pytest.mark.django_db
def test_one_button_reviews_the_match_for_everybody(cast: Cast) -> None:
    match, owner = whist(cast), cast.browser("owner")
    assert url_of(match) in owner.get(f"/matches/{match.pk}/").content.decode()
    assert "Start the review" in owner.get(url_of(match)).content.decode()
    assert start(owner, match) == 302
    waiting = owner.get(url_of(match)).content.decode()
    assert 'data-again="700"' in waiting
    assert "Cancel" in waiting
    assert "Cancel" not in Client().get(url_of(match)).content.decode(), "others only look at it"
    work()
    page = Client().get(url_of(match)).content
    plays = sum(move["type"] == "play" for move in RECORD["hands"][0]["moves"])
    assert f"Reviewed: {plays} of {plays} moves." in text_of(page)
    assert page.decode().count('<circle class="dot') == plays
    assert "Start the review" not in text_of(page)
    for name in ("Ana", "Bo", "Cleo", "Dan"):
        assert name in text_of(page)


@pytest.mark.django_db
def test_each_play_says_on_what_it_rests_and_where_the_replay_is(cast: Cast) -> None:
    match = reviewed(cast)
    page = Client().get(url_of(match), {"hand": "0", "move": "0"}).content
    assert "Ana laid 5-3" in text_of(page)
    assert re.search(r"the mean of \d+ deals? that fits? what Ana knew", text_of(page))
    assert "33 % 33 % 33 %" in text_of(page)
    assert f'href="/matches/{match.pk}/?hand=0&amp;move=0"' in page.decode()
    alone = Client().get(url_of(match), {"hand": "0", "move": "4"}).content
    assert "It was the only possible play." in text_of(alone)
    late = Client().get(url_of(match), {"hand": "0", "move": "23"}).content
    assert "With all hands known, nothing was better." in text_of(late)
    plays = [play for play in Review.objects.get(match=match).plays if play["line"]]
    could_be_better = set()
    for play in plays:
        shown = text_of(Client().get(url_of(match), {"hand": "0", "move": str(play["at"])}).content)
        better = play["line"][0]
        assert "The best play from here with all hands known" in shown
        named = f"With all hands known, {better['tile']} {better.get('end', '').upper()}".rstrip() in shown
        assert named != ("With all hands known, nothing was better." in shown)
        could_be_better.add(named)
    assert could_be_better == {True, False}


@pytest.mark.django_db
@pytest.mark.parametrize("query", ["hand=99&move=1", "hand=x&move=", "hand=0&move=999", "hand=-1"])
def test_an_address_with_other_numbers_shows_something(cast: Cast, query: str) -> None:
    match = reviewed(cast)
    assert Client().get(f"{url_of(match)}?{query}").status_code == 200


@pytest.mark.django_db
def test_the_same_hands_are_reviewed_once(cast: Cast) -> None:
    match, owner = whist(cast), cast.browser("owner")
    start(owner, match)
    start(owner, match)
    assert Job.objects.filter(kind="review").count() == 1
    work()
    start(owner, match)
    enter(match, [CONFIRM], by=Actor(user=cast.users["owner"]))
    start(owner, match)
    assert Job.objects.filter(kind="review").count() == 1, "an answer to the score changes no hand"
    assert "Reviewed:" in text_of(owner.get(url_of(match)).content)


@pytest.mark.django_db
def test_a_corrected_match_can_be_reviewed_again(cast: Cast) -> None:
    match, owner = reviewed(cast), cast.browser("owner")
    enter(match, [{"kind": "undo"}, {"kind": "hand", **RECORD["hands"][1]}], prefix="again")
    assert "Start the review" in text_of(owner.get(url_of(match)).content)
    start(owner, match)
    work()
    assert "Reviewed:" in text_of(owner.get(url_of(match)).content)
    assert Review.objects.count() == 1


@pytest.mark.django_db
def test_changed_during_the_review_it_is_not_saved(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    match, owner = whist(cast), cast.browser("owner")
    start(owner, match)
    think = reviews._reviewed

    def slowly(run: jobs.Run, match: Match) -> list[dict[str, Any]]:
        found = think(run, match)
        enter(match, [{"kind": "undo"}, {"kind": "hand", **RECORD["hands"][1]}], prefix="meanwhile")
        return found

    monkeypatch.setattr(reviews, "_reviewed", slowly)
    job = Job.objects.get(kind="review")
    with pytest.raises(reviews.Refused, match="changed during the review"):
        jobs.run(job.pk, WORK)
    assert not Review.objects.exists()
    page = text_of(owner.get(url_of(match)).content)
    assert "The match was changed during the review. Start it again." in page
    assert "Start the review" in page


@pytest.mark.django_db
def test_a_match_in_play_gets_no_help(cast: Cast) -> None:
    match, owner = cast.open("block"), cast.browser("owner")
    enter(match, plan_for("block")[:4])
    assert start(owner, match) == 422
    assert "when it is over" in text_of(owner.get(url_of(match)).content)
    assert url_of(match) not in owner.get(f"/matches/{match.pk}/").content.decode()
    assert not Job.objects.filter(kind="review").exists()


@pytest.mark.django_db
def test_a_match_played_on_shows_its_review_no_more(cast: Cast) -> None:
    match = reviewed(cast)
    enter(match, [{"kind": "undo"}], prefix="open")
    page = text_of(Client().get(url_of(match)).content)
    assert "when it is over" in page
    assert "would have laid" not in page


OTHERS = {
    "domizerka": ("Contracts are left out", "not in play", 3),
    "dom": ("with this card and the three after it", "row 1, column", 1),
    "dominards": ("How many dice were rolled is a choice", "dice", 1),
}
"""By game: what its page explains, what else is on it, and how many curves there are."""


@pytest.mark.django_db
@pytest.mark.parametrize("slug", OTHERS)
def test_the_other_games_are_reviewed_too(cast: Cast, slug: str) -> None:
    record = random_match(slug, {"hands": 1}, names_for(slug), Random(4), observed=False)
    match = cast.open(slug, hands=1)
    enter(match, entries_of(read_record(record, games.GAMES)))
    start(cast.browser("owner"), match)
    work()
    page = Client().get(url_of(match)).content
    explained, more, curves = OTHERS[slug]
    assert explained in text_of(page)
    assert more in text_of(page)
    assert page.decode().count('<svg class="standing-line"') == curves
    total = sum(map(is_choice, position(match).hands[0].state.moves))
    assert f"Reviewed: {total} of {total} moves." in text_of(page)
    assert page.decode().count('<circle class="dot') == total
    for play in Review.objects.get().plays:
        assert Client().get(url_of(match), {"hand": "0", "move": play["at"]}).status_code == 200


@pytest.mark.django_db
def test_what_the_record_does_not_say_is_left_out(cast: Cast) -> None:
    """Without the cards of the players, nobody knows what they could claim."""
    match, owner = cast.open("dominards", hands=1), cast.browser("owner")
    enter(match, plan_for("dominards", hands=1))
    assert start(owner, match) == 302
    work()
    assert "nothing can be reviewed" in text_of(owner.get(url_of(match)).content)


@pytest.mark.django_db
def test_who_only_watches_starts_nothing(cast: Cast) -> None:
    match = whist(cast)
    for browser in (Client(), cast.browser("stranger")):
        assert "Members of the club can start one." in text_of(browser.get(url_of(match)).content)
        assert start(browser, match) == 403
    assert Phone(cast.phone().token).post(url_of(match), b"do=review", "application/x-www-form-urlencoded").status_code
    assert Job.objects.filter(kind="review").count() == 1, "the phone of the table may"


@pytest.mark.django_db
def test_a_club_cannot_fill_the_queue(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "MOST", 2)
    owner = cast.browser("owner")
    found = [whist(cast) for _ in range(3)]
    assert [start(owner, match) for match in found] == [302, 302, 422]
    jobs.cancel(job_id=Job.objects.filter(kind="review").earliest("pk").pk, now=NOW)
    assert start(owner, found[2]) == 302


@pytest.mark.django_db
def test_cancelled_it_leaves_nothing_and_can_be_started_again(cast: Cast) -> None:
    match, owner = whist(cast), cast.browser("owner")
    start(owner, match)
    assert owner.post(url_of(match), {"do": "made-up"}).status_code == 404
    assert owner.post(url_of(match), {"do": "cancel"}).status_code == 302
    job = work(state=Job.State.CANCELLED)
    assert job.kind in NO_JOBS, "it is pruned"
    assert not Review.objects.exists()
    assert "Start the review" in text_of(owner.get(url_of(match)).content)
    start(owner, match)
    work()


@pytest.mark.django_db
def test_a_review_has_no_names(cast: Cast) -> None:
    reviewed(cast)
    kept = json.dumps(Review.objects.get().plays)
    assert not any(name in kept for name in ("Ana", "Bo", "Cleo", "Dan"))


@pytest.mark.django_db
def test_the_page_costs_the_same_for_every_length(cast: Cast, django_assert_num_queries: Any) -> None:
    short, long = reviewed(cast), reviewed(cast, 4)
    for match in (short, long):
        visitor = Client()
        visitor.get(url_of(match))
        with django_assert_num_queries(4):
            page = visitor.get(url_of(match)).content
        assert "Reviewed:" in text_of(page)


# --- with a real worker ------------------------------------------------------------------------------------
@pytest.fixture
def committed(transactional_db: None) -> Match:
    """A match of one hand, which a worker process can see."""
    club = Club.objects.create(slug="reviewers", name="Reviewers", created_at=NOW)
    state = games.Match.new("domino-whist", {"hands": 1}, ["Ana", "Bo", "Cleo", "Dan"])
    entry = {"kind": "hand", **RECORD["hands"][0]}
    state = state.enter(entry)
    sheet, offers, status = projection(state)
    match = Match.objects.create(
        club=club,
        game="domino-whist",
        options=dict(state.options),
        sheet=sheet,
        offers=offers,
        status=status,
        length=1,
        created_at=NOW,
        finished_at=NOW,
    )
    Seat.objects.bulk_create(Seat(match=match, number=n, begun=n, name=name) for n, name in enumerate(state.players))
    LogEntry.objects.create(match=match, seq=0, kind="hand", payload=entry, at=NOW, key="0")
    return match


def test_killed_in_the_middle_it_is_made_by_the_next_worker(committed: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    with job_worker(monkeypatch) as worker:
        job = reviews.start(match=committed, by=Actor(), now=timezone.now())
        assert job

        def now() -> Job:
            return Job.objects.get(pk=job.pk)

        until(lambda: now().progress > 2, within=60)
        assert worker.child
        os.kill(worker.child.pid, signal.SIGKILL)
        worker.child.wait()
        assert now().state == "running", "the dead tell nobody"
        assert not Review.objects.exists()
        jobs.sweep(now=timezone.now() + jobs.LEASE)
        until(lambda: now().state not in ("new", "running"), within=120)
        assert (now().state, now().tries, now().error) == ("done", 2, "")
    review = Review.objects.get(match=committed)
    plays = sum(move["type"] == "play" for move in RECORD["hands"][0]["moves"])
    assert (review.length, review.total, len(review.plays)) == (1, plays, plays)
