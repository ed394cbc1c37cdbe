"""The newest round of a Swiss league on its desk, as long as who plays whom in it can change."""

from dataclasses import replace
from functools import partial

from scorekeeper.events import League
from scorekeeper.events.league import Fixture
from scorekeeper.pages import pairing_words
from scorekeeper.pages.schedule_words import NAMED
from scorekeeper.pages.tournament_schedule import Effect, Named, RoundPlanned, TablePlanned
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.leagues import drawn_worth, fixtures_by_hand, league_of, team_name


def round_to_change(now: EventNow) -> RoundPlanned | None:
    """The fixtures of the newest round that can change, with why these meet."""
    state = league_of(now)
    fixtures = [] if state.closed else state.can_change
    if not fixtures:
        return None
    name = partial(team_name, now)
    whys, by_hand = {}, fixtures_by_hand(now)
    for division in {each.division for each in fixtures}:
        field, drawn = drawn_worth(now, division)
        for table in drawn.tables:
            there = frozenset(each for side in table.sides for each in side)
            whys[there] = " ".join(pairing_words.table_words(field, drawn, table, name, by_hand))

    def planned(fixture: Fixture) -> TablePlanned:
        sides = tuple((Named(at, name(at)),) for at in fixture.sides)
        return TablePlanned(fixture.number, sides, why=whys.get(frozenset(fixture.sides), ""))

    tables = tuple(map(planned, fixtures))
    byes = tuple(Named(each, name(each)) for each in state.free_in(state.rounds_made))
    return RoundPlanned(state.rounds_made, tables, byes, (), seated=False, changed=False)


def effect_of_swap(now: EventNow) -> Effect | None:
    """What the last step makes of the newest round, if two swapped places in it."""
    state = league_of(now)
    if state.did is None or state.did["kind"] != "exchange" or not isinstance(state.before, League):
        return None
    division = state.division_of(state.did["entrants"][0])
    was, then = (drawn_worth(each, division) for each in (replace(now, state=state.before), now))
    changes, *told = pairing_words.compared(was, then, partial(team_name, now), fixtures_by_hand(now))
    return Effect(changes[:NAMED], changes[NAMED:], *told)
