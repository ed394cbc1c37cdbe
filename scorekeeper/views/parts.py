"""The parts of pages that live updates replace: one function each for the page and for the stream."""

import secrets
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.template.loader import render_to_string

import games
from games import GAMES
from games.errors import marked
from games.line import Line
from games.tiles import NAMES
from scorekeeper import live, words
from scorekeeper.forms.entries import by_moves, left_rows
from scorekeeper.forms.options import as_typed
from scorekeeper.live.parts import made_of, shared
from scorekeeper.models import Club, Match, Table
from scorekeeper.selectors.calls import open_call
from scorekeeper.selectors.matches import match_with_seats, matches_of, seated_now
from scorekeeper.selectors.nights import open_night
from scorekeeper.selectors.standings import club_table, games_of
from scorekeeper.selectors.tables import table_now, tables_of
from scorekeeper.views.boards import board_ahead, board_pad, board_shown
from scorekeeper.views.boards.line import in_tray_order, line_shown
from scorekeeper.views.calling import calling
from scorekeeper.views.showing import Side, match_shown, unplayed

AT_ONCE = 20  # matches on a club's page
# What a host is called for; kept as it stands here, read in the reader's language.
REASONS = [marked("a rule"), marked("a mistake"), marked("a missing tile"), marked("somebody is missing")]


def pad_context(
    table: Table, match: Match | None, *, data: QueryDict | None = None, final: bool = False
) -> dict[str, Any]:
    """What who records at the table sees: its current match and what may be entered next.

    `data` is what was typed and not taken, or waits for the rest of it; `final` opens the result's form.
    """
    typed = data or QueryDict()
    context: dict[str, Any] = {"table": table, "games": list(GAMES.values()), "recording": True} | call_shown(table)
    if match is None:
        return context | {"version": f"table:{table.pk}:{table.open}", "next": "start"}
    shown = match_shown(match, recording=True)
    offers = shown["offers"]
    context |= shown | {
        "next": offers["next"],
        "key": secrets.token_hex(16),
        "typed": by_moves(shown["state"]) | typed.dict(),
    }
    if offers["next"] == "done" and match.night and match.night.closed_at is None:
        context["night"] = match.night
    if offers["next"] == "done":
        context["repeat"] = _repeat(match, shown["players"])
    state = shown["state"]
    context["board"] = board_pad(state, typed) if offers["next"] == "move" else _board(state, slim=True)
    if offers["next"] in ("hand", "move", "left"):
        context |= {
            "ahead": board_ahead(state, context["board"].get("ahead")),
            "rows": left_rows(data, state),
            "unseen": list(in_tray_order(offers.get("unseen", NAMES))),
            "by_draw": state.game.draws_seats and not state.hands,
            "final_form": state.game.final(state.options),
            "calling": calling(state),
            "final_open": final or typed.get("form") == "final",
        }
    return context


def _board(state: games.Match, *, slim: bool = False) -> dict[str, Any]:
    """How the table lies."""
    return board_shown(state.game, state.last.state if state.last else None, state.present, slim=slim)


def _repeat(match: Match, names: Sequence[str]) -> dict[str, Any]:
    """The form by which the same people play the same once more, and the address at which they sit otherwise."""
    fields = {"game": match.game} | as_typed(match.options, match.minutes)
    fields |= {f"player-{seat}": name for seat, name in enumerate(names)}
    length = words.length_words(GAMES[match.game], match.options, match.minutes)
    return {"fields": fields.items(), "query": urlencode(fields), "length": length}


def call_shown(table: Table) -> dict[str, Any]:
    """The table's call for the host, and what a table may call for. One query."""
    return {"call": open_call(table.pk), "reasons": REASONS}


def watch_context(match: Match | None, table: Table | None) -> dict[str, Any]:
    """What everybody may see of the match."""
    if match is None:
        return {"table": table, "version": "none", "line": line_shown(Line(), None)}
    shown = match_shown(match, recording=False)
    return {"table": table, "board": _board(shown["state"])} | shown


def pad(kind: str, number: int) -> str:
    context = pad_context(*_at(number))
    return "".join(render_to_string(f"scorekeeper/{each}.html", context) for each in ("_pad", "_call"))


def watch(kind: str, number: int) -> str:
    if kind == "match":
        return render_to_string("scorekeeper/_watch.html", watch_context(match_with_seats(number), None))
    table, match = _at(number)
    return render_to_string("scorekeeper/_watch.html", watch_context(match, table))


def _at(number: int) -> tuple[Table, Match | None]:
    """The table with its current match; no query where it was just read for another part."""
    topic = live.Topic("table", number)
    found: tuple[Table, Match | None] = shared(topic, "now").of(made_of(topic), lambda _before: table_now(number))
    return found


def club(kind: str, number: int) -> str:
    context = club_context(Club.objects.get(pk=number))
    return "".join(render_to_string(f"scorekeeper/{each}.html", context) for each in ("_club", "_club_matches"))


def club_context(found: Club, *, before: int | None = None) -> dict[str, Any]:
    """The night that goes on, tables with what goes on at them, a page of matches (the first, or those after `before`).

    Eight queries, one more for older matches, however many there are.
    """
    rows = tables_of(found)
    page = list(matches_of(found, below=before)[: AT_ONCE + 1])
    return {
        "club": found,
        "tonight": open_night(found.pk),
        "tables": [(row.table, row.match and match_line(row.match)) for row in rows],
        "matches": [match_line(match) for match in page[:AT_ONCE]],
        "before": before,
        "older": page[AT_ONCE - 1].pk if len(page) > AT_ONCE else None,
    }


def points_context(found: Club, game: str) -> dict[str, Any]:
    """Who won how much at this game, or at the one played most where it is none of the club's; the others to choose
    from. Four queries, one before the first match is over."""
    played = games_of(found)
    chosen = game if game in played else next(iter(played), None)
    return {
        "games": [GAMES[slug] for slug in played],
        "chosen": chosen and GAMES[chosen],
        "rows": club_table(found, chosen) if chosen else [],
    }


def match_line(match: Match) -> dict[str, Any]:
    """A match in a list: its sides with their points, from what is cached with it."""
    game = GAMES[match.game]
    seats = zip(seated_now(match), match.seats.all(), strict=True)
    names = [words.seated(now.name, first.name) for now, first in seats]
    totals, stopped = match.sheet["totals"], match.sheet["stopped"]
    no_points = unplayed(stopped, totals)
    return {
        "match": match,
        "game": game,
        "hand": len(match.sheet["hands"]),
        "sides": tuple(
            Side(
                side,
                tuple(names[seat] for seat in side),
                None if no_points else totals[side[0]],
                side[0] in match.sheet["winners"],
            )
            for side in game.sides(len(names))
        ),
    }


live.renderers.update(pad=pad, watch=watch, club=club)
