"""What counts for ratings: seen before it is chosen, then calculated again, and told."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client

from games import GAMES
from scorekeeper.access import Actor
from scorekeeper.models import Club, Job, Match, Player, RatingNews, RatingRules, Table
from scorekeeper.ratings import DEFAULT, Rules
from scorekeeper.selectors.rankings import Wanted, news_of_ratings, of_club, ranking
from scorekeeper.services import jobs, matches, people, rating_rules, ratings, removing
from scorekeeper.services.errors import Refused
from scorekeeper.tasks import WORK
from tests.browsing import Browser
from tests.conftest import NOW, Cast, enter

GAME = next(slug for slug, game in GAMES.items() if game.seats == (2,))
HOUR = timedelta(hours=1)
CHANGES = "/clubs/rovers/ranking/changes/"
HALF = DEFAULT._replace(agreed=50)


def played(cast: Cast, *names: str, game: str = GAME, hours: int = 0, table: Table | None = None) -> Match:
    at = NOW + hours * HOUR
    match = matches.open_match(
        table=table or cast.table, game=game, options={}, players=names, by=Actor(), now=at, parallel=True
    )
    totals = [90, 10, 90, 10][: len(names)]
    return enter(match, [{"kind": "result", "totals": totals, "stopped": "time"}], now=at)


def work_off() -> None:
    while job := Job.objects.filter(state=Job.State.NEW, kind__in=[ratings.KIND, rating_rules.KIND]).first():
        jobs.run(job.pk, WORK)


def shown(club: Club) -> dict[str, int]:
    names = dict(club.players.values_list("pk", "name"))
    ranked, _count = ranking(of_club(club), Wanted(group=GAME, at=NOW + 99 * HOUR, since=NOW))
    return {names[each.person]: each.rating.shown for each in ranked}


@pytest.fixture
def owner(as_user: Callable[[str], Client]) -> Browser:
    return Browser(as_user("owner"))


@pytest.mark.parametrize(
    ("rules", "kind", "hands", "unverified", "weight"),
    [
        (DEFAULT, None, 1, False, 100),
        (Rules(nights=50), "night", 3, False, 50),
        (Rules(nights=50), "tournament", 3, False, 100),
        (Rules(tournaments=200), "tournament", 3, False, 200),
        (Rules(shortest=4), "night", 3, False, 0),
        (Rules(shortest=4), "night", 4, False, 100),
        (Rules(shortest=4), "night", 0, True, 100),
        (Rules(unverified=False), "night", 0, True, 0),
    ],
)
def test_the_weight_of_a_match(rules: Rules, kind: str | None, hands: int, unverified: bool, weight: int) -> None:
    assert rules.weight(kind, hands=hands, unverified=unverified) == weight


def test_a_weight_is_the_part_of_what_would_be_won(cast: Cast) -> None:
    played(cast, "Ana", "Bo")
    work_off()
    assert shown(cast.club) == {"Ana": 1579, "Bo": 1421}
    rating_rules.choose(club=cast.club, rules=HALF, by=None, now=NOW)
    assert shown(cast.club) == {"Ana": 1579, "Bo": 1421}  # until all is calculated
    work_off()
    assert shown(cast.club) == {"Ana": 1540, "Bo": 1460}
    assert "The club changed what counts for ratings." in Browser().open(CHANGES).words


OLD = "Until that is done, this is the old ranking."


def test_the_ranking_says_that_it_is_the_old_one_until_all_is_calculated(cast: Cast) -> None:
    first = played(cast, "Ana", "Bo")
    played(cast, "Bo", "Cleo", hours=1)
    work_off()
    page, club = Browser(), "/clubs/rovers/ranking/"
    assert not any(OLD in page.open(address).words for address in (club, "/ranking/"))
    stream = news_of_ratings(cast.club).change
    rating_rules.choose(club=cast.club, rules=HALF, by=None, now=NOW)
    assert news_of_ratings(cast.club).change > stream  # open pages hear of it
    assert OLD in page.open(club).words
    assert "Waiting to start." in page.words
    assert OLD not in page.open("/ranking/").words
    Job.objects.filter(kind=ratings.KIND, state=Job.State.NEW).update(state=Job.State.RUNNING, progress=1, total=2)
    assert "1 of 2 matches" in page.open(club).words
    Job.objects.filter(state=Job.State.RUNNING).update(state=Job.State.NEW)
    work_off()
    assert OLD not in page.open(club).words
    assert "1540" in page.words
    removing.remove(match_id=first.pk, why="Twice", now=NOW + 2 * HOUR, by=None)
    ratings.recalculate(Match.objects.all(), why=ratings.Cause("repair", None), now=NOW)
    assert OLD in page.open("/ranking/").words
    work_off()
    assert OLD not in page.open("/ranking/").words
    assert "Ana" not in page.open(club).words


def test_what_a_club_does_not_count_still_counts_on_the_server(cast: Cast) -> None:
    match = played(cast, "Ana", "Bo")
    rating_rules.choose(club=cast.club, rules=DEFAULT._replace(agreed=0), by=None, now=NOW)
    work_off()
    assert shown(cast.club) == {}
    assert [(line.values, line.everywhere[GAME][3]) for line in match.ratings.all()] == [(None, 1), (None, 1)]


def test_an_owner_sees_what_other_rules_would_do_before_they_count(cast: Cast, owner: Browser) -> None:
    played(cast, "Ana", "Bo")
    work_off()
    sent = {"nights": "100", "tournaments": "100", "agreed": "50", "shortest": "1", "unverified": "on"}
    address = owner.client.post("/clubs/rovers/ranking/rules/", sent)["Location"]
    assert "Waiting to start" in owner.open(address).words
    work_off()
    page = owner.open(address)
    assert "1 match would count; now it is 1." in page.words
    assert "1579 → 1540" in page.words
    assert "1 → 1" in page.words
    assert "Other matches: count half (now: count)." in page.words
    assert "Draw: 2 people move" in page.words
    assert not RatingRules.objects.exists()
    owner.client.post(address, {"do": "choose"})
    assert rating_rules.rules_of(cast.club, None) == HALF
    work_off()
    assert shown(cast.club)["Ana"] == 1540
    audit = owner.open("/clubs/rovers/audit/").words
    assert "changed what counts for ratings" in audit
    assert rating_rules.KIND not in audit, "to look changes nothing"


def test_a_preview_can_be_cancelled_and_the_same_rules_are_not_looked_at(cast: Cast, owner: Browser) -> None:
    played(cast, "Ana", "Bo")
    job = rating_rules.ask(club=cast.club, rules=HALF, by=None, now=NOW)
    owner.client.post(f"/clubs/rovers/ranking/rules/?job={job.pk}", {"do": "cancel"})
    assert "Nothing has changed" in owner.open(f"/clubs/rovers/ranking/rules/?job={job.pk}").words
    with pytest.raises(Refused, match="what counts now"):
        rating_rules.ask(club=cast.club, rules=DEFAULT, by=None, now=NOW)
    same = {"nights": "100", "tournaments": "100", "agreed": "100", "shortest": "1", "unverified": "on"}
    answer = owner.client.post("/clubs/rovers/ranking/rules/", same)
    assert (answer.status_code, "Change something" in answer.text) == (422, True)
    assert owner.open("/clubs/rovers/ranking/rules/?job=x").status == 200


def test_the_news_say_why_and_whose_rating_is_another_one(cast: Cast) -> None:
    first = played(cast, "Ana", "Bo")
    played(cast, "Bo", "Cleo", hours=1)
    work_off()
    assert "no older match has changed" in Browser().open(CHANGES).words
    before = shown(cast.club)
    removing.remove(match_id=first.pk, why="Twice", now=NOW + 2 * HOUR, by=None)
    work_off()
    news, now = RatingNews.objects.get(club=cast.club), shown(cast.club)
    names = dict(cast.club.players.values_list("pk", "name"))
    moved = {names[player]: tuple(values) for player, *values in news.moved[GAME]}

    def place(ratings: dict[str, int], name: str) -> int | None:
        return 1 + sum(other > ratings[name] for other in ratings.values()) if name in ratings else None

    assert moved == {
        name: (before[name], now.get(name), place(before, name), place(now, name))
        for name in before
        if before[name] != now.get(name)
    }
    assert moved["Ana"] == (1579, None, 1, None)
    page = Browser().open(CHANGES)
    assert "A match was removed. Ana" in page.words
    assert "1 → – 1579 → –" in page.words
    cast.club.players.filter(name="Ana").update(hidden=True)
    assert "Ana" not in Browser().open(CHANGES).words


def test_the_news_tell_what_kind_of_change_it_was(cast: Cast) -> None:
    first = played(cast, "Ana", "Bo")
    played(cast, "Bo", "Cleo", hours=3)
    work_off()
    for hours in (1, 2):
        played(cast, "Ana", "Cleo", hours=hours)
    work_off()
    page = Browser().open(CHANGES)
    assert "2 matches were entered later." in page.words
    assert f'href="/matches/{first.pk + 2}/"' in page.markup
    removing.remove(match_id=first.pk, why="Twice", now=NOW + 4 * HOUR, by=None)
    work_off()
    removing.restore(match_id=first.pk, now=NOW + 5 * HOUR, by=None)
    work_off()
    assert "A removed match was restored. Ana" in Browser().open(CHANGES).words


def test_linked_people_are_one_on_the_whole_server(cast: Cast) -> None:
    played(cast, "Ana", "Bo")
    there = Table.objects.create(club=cast.other_club, number=9, open=True)
    later = played(cast, "Ana", "Bo", hours=1, table=there)
    one, other = (club.players.get(name="Ana") for club in (cast.club, cast.other_club))
    Player.objects.filter(pk__in=[one.pk, other.pk]).update(person=one)
    ratings.recalculate(Match.objects.all(), why=ratings.Cause("repair", None), now=NOW + 2 * HOUR)
    work_off()
    line = later.ratings.get(player=other)
    assert (line.person, line.values[GAME][3], line.everywhere[GAME][3]) == (one, 1, 2)


def test_the_arithmetic_of_a_match(cast: Cast) -> None:
    match = played(cast, "Ana", "Bo")
    work_off()
    page = Browser().open(f"/matches/{match.pk}/ratings/")
    assert "1500 → 1579 +79" in page.words
    for step in (
        "c² = 69.4514 + 69.4514 + 2 × 17.3611 = 173.6250, c = 13.1767",
        "e = exp(25.0000 ÷ 13.1767) = 6.6678",
        "S = 6.6678 + 6.6678 = 13.3356",
        "6.6678 ÷ (6.6678 + 6.6678) = 50.0 %",
        "69.4514 ÷ 13.1767 × (1 − 0.5000) = 2.6354",
        "1500 + 30 × (27.6354 − 25) = 1579",
        "d = 1500 − 1500 = 0, 1 ÷ (1 + 10^(−d ÷ 400)) = 50 %",
        "40 × (1.0 − 0.50) = 20.00, rounded +20: 1500 → 1520",
    ):
        assert step in page.words
    going_on = cast.open(GAME)
    said = Browser().open(f"/matches/{going_on.pk}/ratings/").words
    assert "This match is not over. Ratings change when it ends." in said
    assert "Expected by the rating" not in said
    ana = cast.club.players.get(name="Ana")
    people.set_state(club=cast.club, player_id=ana.pk, field="hidden", value=True, now=NOW)
    page.open(f"/matches/{match.pk}/ratings/")
    assert "people who are hidden" in page.words
    assert "1579" not in page.words
    assert "Ana" not in page.words
    assert "1500 → 1421" in page.words


def test_the_arithmetic_of_partners_after_a_pause_with_a_weight(cast: Cast) -> None:
    pairs = next(slug for slug, game in GAMES.items() if (0, 2) in [tuple(side) for side in game.sides(4)])
    rating_rules.choose(club=cast.club, rules=HALF, by=None, now=NOW)
    for hours in (0, 240):
        match = played(cast, "Ana", "Bo", "Cleo", "Dan", game=pairs, hours=hours)
    work_off()
    page = Browser().open(f"/matches/{match.pk}/ratings/")
    assert "+ 10 × 0.04 + 0.0069" in page.words
    assert "Share of Ana in σ² of the side" in page.words
    assert "The match counts 50 %" in page.words
    for rating in match.ratings.all():
        assert f"= {1500 + round(30 * (rating.values[pairs][0] - 25))}, ±" in page.words


def test_a_removed_tournament_does_not_count(cast: Cast) -> None:
    event = cast.club.events.create(kind="tournament", name="Spring Cup", started_at=NOW)
    match = played(cast, "Ana", "Bo")
    work_off()
    Match.objects.filter(pk=match.pk).update(event=event)
    cast.club.events.update(removed=True)
    why = ratings.Cause("event-removed", cast.club.pk, event=event.pk)
    ratings.recalculate(event.matches.all(), why=why, now=NOW)
    ratings.recalculate(event.matches.all(), why=ratings.Cause("repair", None), now=NOW)
    work_off()
    assert shown(cast.club) == {}
    page = Browser().open(CHANGES)
    assert "The tournament Spring Cup was removed." in page.words
    assert "A check of all ratings found wrong ones and corrected them." in page.words


def test_a_merge_is_news_and_separating_gives_the_ratings_back(cast: Cast) -> None:
    played(cast, "Ana", "Bo")
    played(cast, "Annie", "Cleo", hours=1)
    work_off()
    before = shown(cast.club)
    ana, annie = (cast.club.players.get(name=name) for name in ("Ana", "Annie"))
    people.merge(club=cast.club, player_id=annie.pk, into_id=ana.pk, now=NOW + 2 * HOUR)
    work_off()
    assert "Annie and Ana are one person now." in Browser().open(CHANGES).words
    people.separate(club=cast.club, player_id=annie.pk, now=NOW + 3 * HOUR)
    work_off()
    assert shown(cast.club) == before
    assert "Annie and Ana are two people again." in Browser().open(CHANGES).words
    cast.club.players.filter(name="Annie").update(hidden=True)
    assert "Somebody and Ana are two people again." in Browser().open(CHANGES).words
