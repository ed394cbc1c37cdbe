"""Leagues through the services: a season from its first fixture to the next season."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from scorekeeper.forms.entrants import named
from scorekeeper.models import Event
from scorekeeper.selectors.events import results_now
from scorekeeper.selectors.leagues import State, champions, league_in, promoted, team_name
from scorekeeper.services import events, leagues
from scorekeeper.services.errors import Refused
from tests.conftest import Cast
from tests.leagues import TOMORROW, begun, fixture_between, fixtures_of, points_of, setup_of, typed
from tests.nights import at
from tests.tournaments import played

TOP, LOW = ["Ana", "Bo", "Cleo", "Dan"], ["Eva", "Finn", "Gus", "Hana"]


def now_of(event: Event) -> Event:
    return Event.objects.select_related("club").get(pk=event.pk)


def test_a_season_and_the_next_one(cast: Cast) -> None:
    event = begun(cast, {"First": TOP, "Second": LOW})
    assert len(league_in(event).fixtures) == 12
    ana_bo, ana_cleo = fixture_between(event, "Ana", "Bo"), fixture_between(event, "Ana", "Cleo")
    later = datetime.combine(TOMORROW + timedelta(days=40), time(20), ZoneInfo("UTC"))
    leagues.set_date(event_id=event.pk, fixture=ana_bo, at=None, reason="snow", step=at(event, "snow"))
    assert fixtures_of(event)[ana_bo].state == State.POSTPONED
    leagues.set_date(event_id=event.pk, fixture=ana_bo, at=later, step=at(event, "later"))
    found = fixtures_of(event)[ana_bo]
    assert (found.fixture.at, found.fixture.postponed, found.fixture.changes) == (later, "snow", 2)
    # One is played at a table, the others are typed; one is given up.
    match = leagues.play(event_id=event.pk, fixture=ana_cleo, table=cast.table.number, step=at(event, "play"))
    assert (match.event_id, match.round) == (event.pk, ana_cleo)
    assert fixtures_of(event)[ana_cleo].state == State.PLAYING
    played(match)
    assert fixtures_of(event)[ana_cleo].state == State.PLAYED
    finn_gus = fixture_between(event, "Finn", "Gus")
    sides = league_in(event).fixtures[finn_gus].sides
    leagues.give_up(event_id=event.pk, fixture=finn_gus, absent=[1], reason="ill", step=at(event, "ill"))
    names = {number: team_name(results_now(now_of(event)), number) for number in range(1, 9)}
    assert points_of(event)[1][names[sides[0]]] == "2"
    for number, each in fixtures_of(event).items():
        if each.open:
            best_at_home = each.fixture.home < each.fixture.away
            typed(event, number, *((100, 20) if best_at_home else (20, 100)))
    first = min(fixtures_of(event))
    before = points_of(event)
    home, away = fixtures_of(event)[first].totals or (0, 0)
    typed(event, first, away, home, why="the sheet was upside down")
    assert points_of(event) != before
    events.undo(event_id=event.pk, step=at(event, "undo"))
    assert points_of(event) == before
    leagues.close(event_id=event.pk, step=at(event, "close"))
    snapshot = results_now(now_of(event))
    top, low = (list(names) for names in points_of(event))
    assert champions(snapshot) == [top[0]]
    proposed = [[team_name(snapshot, each) for each in division] for division in promoted(snapshot)]
    assert proposed == [[*top[:3], low[0]], [top[3], *low[1:]]]
    following = leagues.next_season(
        event_id=event.pk,
        name="Spring league",
        setup=setup_of(),
        divisions=[(f"Division {at}", [named(name) for name in names]) for at, names in enumerate(proposed, 1)],
        step=at(event, "next"),
    )
    assert league_in(following).setup["series"] == event.pk
    assert [len(each.entrants) for each in league_in(following).divisions] == [4, 4]
    assert {row.player_id for row in following.entrants.all()} == {row.player_id for row in event.entrants.all()}


@pytest.mark.parametrize(("played_before", "annulled"), [(1, True), (2, False)])
def test_who_leaves_before_half_of_their_fixtures_counts_no_more(
    cast: Cast, played_before: int, annulled: bool
) -> None:
    event = begun(cast, {"First": TOP})
    theirs = league_in(event).fixtures_of(1)
    for each in theirs[:played_before]:
        typed(event, each.number, *((100, 20) if each.home == 1 else (20, 100)))
    leagues.withdraw(event_id=event.pk, entrant=1, step=at(event, "leave"))
    states = [fixtures_of(event)[each.number].state for each in theirs]
    table = points_of(event)[0]
    if annulled:
        assert states == [State.ANNULLED] * 3
        assert table == {"Bo": "0", "Cleo": "0", "Dan": "0"}
    else:
        assert states == [State.PLAYED, State.PLAYED, State.GIVEN_UP]
        assert sorted(table.values()) == ["0", "0", "2", "4"]
    with pytest.raises(Refused, match="have left already"):
        leagues.withdraw(event_id=event.pk, entrant=1, step=at(event, "again"))
