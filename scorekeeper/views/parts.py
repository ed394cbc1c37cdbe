"""The parts of pages that live updates replace: one function each for the page and for the stream."""

import secrets
from collections.abc import Sequence
from typing import Any

from django.http import QueryDict
from django.template.loader import render_to_string

from games import GAMES
from games.line import Line
from games.moves import Draw, Pass, Play, move_json
from games.tiles import NAMES, parse
from scorekeeper import live, words
from scorekeeper.forms.entries import left_rows
from scorekeeper.models import Club, Match, Table
from scorekeeper.selectors.matches import match_with_seats, matches_of, position, recordable, seated_now
from scorekeeper.selectors.nights import open_night
from scorekeeper.selectors.standings import club_table, games_of
from scorekeeper.selectors.tables import current_match, tables_of
from scorekeeper.views.showing import Side, line_shown, match_shown, tray, unseen_tray

AT_ONCE = 20  # matches on a club's page


def pad_context(table: Table, *, data: QueryDict | None = None, tile: str = "", final: bool = False) -> dict[str, Any]:
    """What who records at the table sees: its current match and what may be entered next.

    `data` is what was typed and not taken, `tile` one that waits for its end, `final` opens the result's form.
    """
    match = current_match(table)
    games = [game for game in GAMES.values() if recordable(game)]
    context: dict[str, Any] = {"table": table, "games": games, "recording": True}
    if match is None:
        return context | {"version": f"table:{table.pk}:{table.open}", "next": "start"}
    shown = match_shown(match, recording=True)
    offers = shown["offers"]
    context |= shown | {"next": offers["next"], "key": secrets.token_hex(16), "typed": data or QueryDict()}
    if offers["next"] == "done" and match.night and match.night.closed_at is None:
        context["night"] = match.night
    if offers["next"] != "done" and not recordable(shown["game"]):
        return context | {"next": "elsewhere"}
    if offers["next"] == "move":
        seat, tiles, last = offers["seat"], tray(offers, shown["hand_line"]), shown["last_move"]
        ends = next((each.ends for each in tiles if each.name == tile and not each.gone), ())
        context |= {
            "tray": tiles,
            "chosen": tile if ends else "",
            "ends": ends_shown(shown["hand_line"], Play(seat, parse(tile)) if ends else None, ends),
            # Who cannot lay draws as long as there are tiles, then passes.
            "lacking": {"kind": "move", "move": move_json(Draw(seat, 1) if offers["boneyard"] else Pass(seat))},
            "line": line_shown(shown["hand_line"], last, lit=ends) if ends else shown["line"],
        }
    if offers["next"] in ("hand", "move", "left"):
        state = position(match)
        context |= {
            "rows": left_rows(data, state),
            "unseen": unseen_tray(offers.get("unseen", NAMES)),
            "by_draw": state.game.draws_seats and not state.hands,
            "final_form": state.game.final(state.options),
            "final_open": final or bool(data and data.get("form") == "final"),
        }
    return context


def ends_shown(line: Line, waiting: Play | None, fitting: Sequence[str]) -> list[dict[str, Any]]:
    """A button for every open end: its place and pips, and the entry if a tile is waiting that fits there."""
    return [
        {
            "end": end,
            "arrow": words.ARROWS[end],
            "where": words.end_words(end),
            "pips": pips,
            "entry": {"kind": "move", "move": move_json(waiting._replace(end=end))}
            if waiting is not None and end in fitting
            else None,
        }
        for end, pips in line.open.items()
    ]


def watch_context(match: Match | None, table: Table | None) -> dict[str, Any]:
    """What everybody may see of the match."""
    if match is None:
        return {"table": table, "version": "none", "line": line_shown(Line(), None)}
    return {"table": table} | match_shown(match, recording=False)


def pad(kind: str, number: int) -> str:
    table = Table.objects.select_related("club").get(pk=number)
    return render_to_string("scorekeeper/_pad.html", pad_context(table))


def watch(kind: str, number: int) -> str:
    if kind == "match":
        return render_to_string("scorekeeper/_watch.html", watch_context(match_with_seats(number), None))
    table = Table.objects.select_related("club").get(pk=number)
    return render_to_string("scorekeeper/_watch.html", watch_context(current_match(table), table))


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
    unplayed = stopped == "abandoned" and not any(totals)
    return {
        "match": match,
        "game": game,
        "hand": len(match.sheet["hands"]),
        "sides": [
            Side(
                side,
                tuple(names[seat] for seat in side),
                None if unplayed else totals[side[0]],
                side[0] in match.sheet["winners"],
            )
            for side in game.sides(len(names))
        ],
    }


live.renderers.update(pad=pad, watch=watch, club=club)
