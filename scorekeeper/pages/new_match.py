"""A new match at a table in up to three steps: who plays, which tile each player drew, who sits where."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from games.base import Game
from games.tiles import NAMES
from scorekeeper.forms.matches import NewMatchForm
from scorekeeper.forms.options import as_typed
from scorekeeper.models import Match, Pad, Player, Table
from scorekeeper.pages import context
from scorekeeper.pages.boards.line import TRAY
from scorekeeper.pages.match import MatchLine, match_line
from scorekeeper.selectors.clubs import listed_of
from scorekeeper.selectors.events import open_night, state_of
from scorekeeper.selectors.matches import matches_at
from scorekeeper.selectors.tables import pads_held, played_last


@dataclass(frozen=True, kw_only=True)
class Busy(MatchLine):
    """The match that must end before another one begins at its table."""

    words: str
    """The reason."""
    key: str
    """The key of the entry that ends it."""


@dataclass(frozen=True, kw_only=True)
class NewMatchPage:
    table: Table
    game: Game[Any]
    form: NewMatchForm
    stage: str
    """names, seat-draw or plan."""
    people: Iterable[Player]
    """For the names that are typed."""
    tray: list[str]
    seated: list[str]
    """The plan: who sits where."""
    drawn: list[tuple[str, Any]]
    """The plan: who drew which tile."""
    refusal: str
    """Why this phone may not open a match here."""
    pads: list[Pad]
    busy: Busy | None
    here: str


def new_match_page(table: Table, form: NewMatchForm, stage: str, *, refusal: str, busy: str, here: str) -> NewMatchPage:
    """`busy`: why no match can begin here now; `here`: the address of this page."""
    plan = stage == "plan"
    return NewMatchPage(
        table=table,
        game=form.game,
        form=form,
        stage=stage,
        people=list(listed_of(table.club)),
        tray=[NAMES[number] for number in TRAY],
        seated=form.seats() if plan else [],
        drawn=list(zip(form.people(), form.tiles(), strict=True)) if plan else [],
        refusal=refusal,
        pads=pads_held(table) if refusal else [],
        busy=_busy(table, busy) if busy else None,
        here=here,
    )


def _busy(table: Table, words: str) -> Busy:
    return Busy(**context(match_line(matches_at(table)[0])), words=words, key=secrets.token_hex(16))


def known_before(table: Table, game: Game[Any]) -> dict[str, str]:
    """What the page knows before anybody types, by field: the length and the options that the host set for the night,
    else those of the last match; the players of the last match, if as many play."""
    night = open_night(table.club_id)
    how = state_of(night).settings.get(game.slug) if night else None
    last = how or played_last(table, game.slug)
    newest = matches_at(table).first()
    return (as_typed(last.options, last.minutes) if last else {}) | (_players(newest, game) if newest else {})


def _players(newest: Match, game: Game[Any]) -> dict[str, str]:
    names = [seat.name for seat in newest.seats.all()]
    return {f"player-{seat}": name for seat, name in enumerate(names)} if len(names) in game.seats else {}


def fields(form: NewMatchForm, stage: str) -> str:
    """What was entered so far, as the query of an address."""
    data = {name: form.data.get(name, "") for name in form.fields if not name.startswith("tile-")}
    if stage == "plan":
        data |= {f"player-{seat}": name for seat, name in enumerate(form.seats())}
    return urlencode({"game": form.game.slug} | data)
