"""Play at the boards of an encounter of teams, once its line-ups are open."""

from collections import Counter
from collections.abc import Mapping
from itertools import chain, count

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.events import League
from scorekeeper.events.rounds import Impossible, Pairing
from scorekeeper.models import Event, Match
from scorekeeper.selectors.encounters import boards_to_start
from scorekeeper.selectors.events import event_now
from scorekeeper.selectors.leagues import fixtures_now, league_in, round_to_play
from scorekeeper.services import events, matches, seating
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.errors import Refused
from scorekeeper.services.events import Step, table_numbered
from scorekeeper.words import listed


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
    for table, times in Counter(tables.values()).items():
        if times > 1:
            text = _("Boards {boards} cannot all play at table {n}. Choose another table for each.")
            boards_there = listed([str(board) for board in sorted(tables) if tables[board] == table])
            raise Refused("table-twice", text.format(boards=boards_there, n=table))
    state = league_in(event)
    try:
        pairings = {board: _pairing(state, fixture, board, table) for board, table in sorted(tables.items())}
    except Impossible as error:
        raise Refused(error.code, events.words_of(error)) from error
    before = state.fixture(fixture).matches
    played = event.matches.filter(pk__in=[before[board] for board in pairings if board in before])
    counting = {match.pk for match in played if match.sheet["stopped"] != "abandoned"}
    begun = [board for board in pairings if before.get(board) in counting]
    if begun:
        text = ngettext(
            "Board {boards} is played already, or is in play. Reload the page.",
            "Boards {boards} are played already, or are in play. Reload the page.",
            len(begun),
        )
        raise Refused("board-begun", text.format(boards=listed([str(board) for board in begun])))
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


@in_one_transaction
def start_round(*, event_id: int, step: Step) -> None:
    """Starts the next boards of every encounter of the round at free tables, the lowest numbers first. Adds tables if
    they are too few. Refused "nothing-to-start", and as `start`."""
    event = Event.objects.select_for_update(no_key=True, of=("self",)).select_related("club").get(pk=event_id)
    if event.log.filter(key=step.key).exists():
        return
    snapshot = event_now(event)
    met = {each.fixture.number: each.encounter for each in round_to_play(fixtures_now(snapshot)) if each.encounter}
    waiting = {fixture: boards for fixture, now in met.items() if (boards := boards_to_start(now))}
    if not waiting:
        raise Refused("nothing-to-start", _("No boards can start now. Open the line-ups, or end the boards in play."))
    last = max((table.number for table in snapshot.tables), default=0)
    numbers = chain((number for number in snapshot.free_tables if number <= last), count(last + 1))
    key, seen = step.key, step.seen
    for fixture, boards in waiting.items():
        at = Step(step.by, key, seen, step.now, step.typist)
        start(event_id=event_id, fixture=fixture, tables=dict(zip(boards, numbers, strict=False)), step=at)
        key, seen = f"{step.key}-{fixture}", seen + 1


def _pairing(state: League, fixture: int, board: int, table: int) -> Pairing:
    """Impossible "no-such-fixture", "no-teams", "no-such-board", "line-ups-secret" or "board-forfeited"."""
    if not 0 < board <= len(state.encounter(fixture).form.boards):
        raise Impossible("no-such-board")
    return state.pairing(state.fixture(fixture), table, board)
