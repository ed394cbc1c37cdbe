"""What people take home: a night as plain text for a chat, an event as one file that needs no server."""

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.formats import date_format
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper import words
from scorekeeper.models import Event, Match
from scorekeeper.pages import context
from scorekeeper.pages.boards import board_shown
from scorekeeper.pages.event import NightShown, night_shown, results, standings
from scorekeeper.pages.hands import HandShown, hands_shown
from scorekeeper.pages.match import MatchLine, Side
from scorekeeper.pages.tournament_document import tournament_head
from scorekeeper.selectors.events import EventNow, event_now, in_play
from scorekeeper.selectors.matches import position
from scorekeeper.standings import Row
from scorekeeper.words import number, signed

WON = "✓"


@dataclass(frozen=True, kw_only=True)
class DocumentHead(NightShown):
    """The top of a night's file, before the matches."""

    day: date


@dataclass(frozen=True, kw_only=True)
class DocumentMatch(MatchLine):
    hands: list[HandShown]
    mark: str
    """That it counts for nobody; "" if it counts."""


def day_of(night: Event) -> date:
    """The day on which the night began, at the club."""
    return localdate(night.started_at)


def text_of(snapshot: EventNow) -> str:
    """The night in short lines of plain text. A tick marks the winners."""
    night = snapshot.event
    several = len({match.game for match in snapshot.matches}) > 1
    blocks = [[night.club.name, *([night.name] if night.name else []), date_format(day_of(night), "j M Y")]]
    blocks += [[group.title, *(_line_text(line, several) for line in group.lines)] for group in results(snapshot)]
    blocks += [
        [_("{game}: won / played, difference").format(game=_(game.name)), *map(_row_text, rows)]
        for game, rows in standings(snapshot)
    ]
    if going := sum(map(in_play, snapshot.matches)):
        blocks.append([ngettext("{n} match is in play", "{n} matches are in play", going).format(n=going)])
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _line_text(line: MatchLine, several: bool) -> str:
    """“3: ✓ Ana + Bo 44, Cleo + Dan 46 (Block)”: the table, its sides with the winners first, and the game if the
    night had several."""
    match, game = line.match, line.game
    sides = sorted(line.sides, key=lambda side: not side.won)
    texts = [_side_text(side) for side in sides]
    notes = [_(game.name)] if several else []
    notes += [_("tied")] if any(side.tied for side in sides) else []
    notes += [words.stopped(match.sheet)] if match.sheet["stopped"] else []
    notes += [_("disputed")] if match.sheet.get("disputed") else []
    notes += [_("without hands")] if match.unverified else []
    table = f"{match.table.number}: " if match.table else ""
    return table + ", ".join(texts) + (f" ({', '.join(notes)})" if notes else "")


def _side_text(side: Side) -> str:
    names = [words.together([_apart(name) for name in side.names])]
    return " ".join([WON] * side.won + names + [str(side.points)] * (side.points is not None))


def _row_text(row: Row) -> str:
    """“1. Ana 2½ / 3, +34”: what the order follows from, matches won and played and the difference of points."""
    return f"{row.place}. {_apart(row.name)} {number(row.wins)} / {row.played}, {signed(row.difference)}"


def _apart(name: str) -> str:
    """Isolates a name, so that one written from right to left does not move the numbers next to it."""
    runs_left = any(unicodedata.bidirectional(letter) in ("R", "AL", "RLE", "RLO", "RLI") for letter in name)
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}" if runs_left else name


def document(event: Event, language: str, progress: Callable[[int, int], None]) -> Iterator[str]:
    """The event as one self-contained file. Calls `progress(done, total)` after each match."""
    with translation.override(language):
        snapshot = event_now(event)
        lines = [line for group in results(snapshot) for line in group.lines]
        yield HEADS[event.kind](snapshot, lines)
        for done, line in enumerate(lines, start=1):
            shown = DocumentMatch(**context(line), hands=hands_of(line.match), mark=_mark(snapshot, line.match))
            yield render_to_string("scorekeeper/_document_match.html", context(shown))
            progress(done, len(lines))
        yield "</main>\n</body>\n</html>\n"


def _mark(snapshot: EventNow, match: Match) -> str:
    if match.sheet["stopped"] != "abandoned":
        return ""
    newest = snapshot.at_tables.get((match.round, match.table.number)) if match.round and match.table else None
    return words.stopped(match.sheet) if newest in (None, match) else _("set aside, does not count")


def _night_head(snapshot: EventNow, lines: Sequence[MatchLine]) -> str:
    head = DocumentHead(**context(night_shown(snapshot)), day=day_of(snapshot.event))
    return render_to_string("scorekeeper/night_document.html", context(head))


def _tournament_head(snapshot: EventNow, lines: Sequence[MatchLine]) -> str:
    head = tournament_head(snapshot, day_of(snapshot.event), {line.match.pk for line in lines})
    return render_to_string("scorekeeper/tournament_document.html", context(head))


HEADS: Mapping[str, Callable[[EventNow, Sequence[MatchLine]], str]] = {
    Event.Kind.NIGHT: _night_head,
    Event.Kind.TOURNAMENT: _tournament_head,
}
"""By the kind of event, the file before its matches, which are these."""


def hands_of(match: Match) -> list[HandShown]:
    """Every hand with its arithmetic, and with its final table if its moves are known."""
    state = position(match).public()
    return [
        replace(shown, board=board_shown(state.game, hand.state, state.seated(shown.number), slim=True))
        if hand.moves
        else shown
        for shown, hand in zip(hands_shown(state, state.sheet()), state.hands, strict=True)
    ]
