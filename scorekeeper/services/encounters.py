"""Play at the boards of an encounter of teams, once its line-ups are open."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from scorekeeper.events import League
from scorekeeper.events.rounds import Impossible, Pairing
from scorekeeper.models import Match
from scorekeeper.selectors.leagues import league_in
from scorekeeper.services import events, matches, seating
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.errors import Refused
from scorekeeper.services.events import Step, table_numbered


@in_one_transaction
def start(*, event_id: int, fixture: int, tables: Mapping[int, int], step: Step) -> list[Match]:
    """Opens a match for each of these boards, at the table with this number. Adds tables that do not exist yet.

    Refused "line-ups-secret", "no-such-board", "board-forfeited", "board-begun", "table-twice", "nothing-to-start"
    without boards, and as `matches.open_match`; then nothing has changed.
    """
    asked = {"kind": "part", "fixture": fixture, "tables": {str(board): tables[board] for board in sorted(tables)}}
    event, known = events.locked(event_id, asked, step)
    if known:
        return list(event.matches.filter(pk__in=known["matches"]))
    if not tables:
        raise Refused("nothing-to-start", _("Choose a table for each board that starts now."))
    if len({*tables.values()}) < len(tables):
        raise Refused("table-twice", _("Choose another table for each board."))
    state = league_in(event)
    try:
        pairings = {board: _pairing(state, fixture, board, table) for board, table in sorted(tables.items())}
    except Impossible as error:
        raise Refused(error.code, events.words_of(error)) from error
    before = state.fixture(fixture).matches
    begun = event.matches.filter(pk__in=[before[board] for board in pairings if board in before])
    if [match for match in begun if match.sheet["stopped"] != "abandoned"]:
        raise Refused("board-begun", _("One of these boards is played already, or is in play. Reload the page."))
    players = [player for pairing in pairings.values() for player in pairing.players]
    people = event.club.players.in_bulk(players)
    # All of them at once, although each table asks for its own: the host reads everybody's name.
    seating.must_not_play_elsewhere(event, None, [people[player] for player in players])
    rows = event.club.tables.select_for_update(no_key=True).filter(number__in=tables.values()).order_by("pk")
    there = {table.number: table for table in rows}
    opened = {
        board: matches.open_at(
            there.get(pairing.table) or table_numbered(event.club, pairing.table, step.now),
            pairing,
            event=event,
            round_number=fixture,
            by=step.by,
            now=step.now,
        )
        for board, pairing in pairings.items()
    }
    boards = {str(board): match.pk for board, match in opened.items()}
    events.append(event, asked | {"boards": boards, "matches": [*boards.values()]}, step)
    return [*opened.values()]


def _pairing(state: League, fixture: int, board: int, table: int) -> Pairing:
    """Impossible "no-such-fixture", "no-teams", "no-such-board", "line-ups-secret" or "board-forfeited"."""
    if not 0 < board <= len(state.encounter(fixture).form.boards):
        raise Impossible("no-such-board")
    return state.pairing(state.fixture(fixture), table, board)
