"""Free play on the director's desk, on the public page and on the big screen: who is free, and who plays."""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper import words
from scorekeeper.events import Tournament
from scorekeeper.pages.pairing_words import table_words
from scorekeeper.pairing.field import Field
from scorekeeper.pairing.rounds import NextRound
from scorekeeper.schedule.seating import FORMATS
from scorekeeper.selectors.events import EventNow, where_playing
from scorekeeper.selectors.free_play import drafted, met_among, waiting
from scorekeeper.selectors.tournaments import entrant_name, tournament_of


@dataclass(frozen=True, slots=True)
class Free:
    """An entrant who can play at once."""

    number: int
    name: str
    since: datetime
    played: int
    met: str
    """Whom of the others who are free they have met; "" if nobody."""


@dataclass(frozen=True, slots=True)
class WaitingShown:
    """An entrant who can play at once, for everybody to see."""

    name: str
    since: datetime | None
    """None before the first table."""


@dataclass(frozen=True, slots=True)
class Resting:
    number: int
    name: str


@dataclass(frozen=True, slots=True)
class OwnBreak:
    """An entrant who can take a break from their own phone, or end it."""

    number: int
    name: str
    resting: bool


@dataclass(frozen=True, kw_only=True)
class OwnBreaks:
    """What somebody can do on the public page who has claimed the name of an entrant."""

    own: list[OwnBreak]
    length: int
    """How many steps of the tournament the page knows."""
    key: str


@dataclass(frozen=True, slots=True)
class DraftedTable:
    number: int
    sides: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class FreeDraft:
    """Tables for those who are free, which only directors see."""

    tables: list[DraftedTable]
    waiting: list[str]
    """Who goes on waiting, in sentences."""
    entrants: list[Resting]
    """Who can swap places."""


@dataclass(frozen=True, slots=True)
class FreePlay:
    """What a director sees instead of the next round."""

    free: list[Free]
    """Whoever waits longest is first."""
    resting: list[Resting]
    elsewhere: str
    """Who plays a match outside the tournament, and where; "" if nobody does."""
    draft: FreeDraft | None
    tables: list[int]
    """The numbers of tables of the club that are free."""
    how_many: str
    """How many sit at a table, in words."""
    only_new: bool
    """Whether the desk proposes only tables at which nobody meets again. At larger tables somebody soon does."""
    can_match: bool


def free_play_of(snapshot: EventNow) -> FreePlay | None:
    """None where rounds are drawn. One query."""
    state = tournament_of(snapshot)
    if not state.free_play or state.closed:
        return None
    there = waiting(snapshot)
    met = met_among(snapshot, [each.entrant for each in there]) if there else {}
    sizes = FORMATS[state.setup["format"]].sizes
    existing = {table.number for table in snapshot.tables}
    return FreePlay(
        free=[
            Free(
                each.entrant,
                entrant_name(snapshot, each.entrant),
                each.since,
                each.played,
                _met_words(snapshot, met[each.entrant]),
            )
            for each in there
        ],
        elsewhere=words.some_of(_elsewhere(snapshot, state)),
        resting=[Resting(each, entrant_name(snapshot, each)) for each in sorted(state.resting)],
        draft=_draft(snapshot, state) if state.draft else None,
        tables=[number for number in snapshot.free_tables if number in existing],
        how_many=_(" or ").join(map(str, sizes)),
        only_new=sizes[-1] == 2,
        can_match=len(there) >= state.fewest,
    )


def _elsewhere(snapshot: EventNow, state: Tournament) -> list[str]:
    here = {player for entrant in state.taking_part for player in state.entrants[entrant]}
    playing = ((player, match) for player, match in snapshot.elsewhere.items() if player in here)
    return [where_playing(snapshot.name(player), match, snapshot.event) for player, match in playing]


def waiting_shown(snapshot: EventNow) -> list[WaitingShown]:
    """Who is free in free play, whoever waits longest first. Whoever plays outside the tournament stays among them: no
    change of the tournament says when that begins and ends. One query, none elsewhere or after the end."""
    state, snapshot = tournament_of(snapshot), replace(snapshot, elsewhere={})
    if not state.free_play or state.closed:
        return []
    return [
        WaitingShown(entrant_name(snapshot, each.entrant), each.since if state.rounds else None)
        for each in waiting(snapshot)
    ]


def breaks_of(snapshot: EventNow, players: Collection[int]) -> OwnBreaks:
    """`players`: whom the visitor has claimed. No query."""
    state = tournament_of(snapshot)
    there = state.taking_part if state.free_play and not state.closed else ()
    own = [each for each in there if not {*players}.isdisjoint(state.entrants[each])]
    return OwnBreaks(
        own=[OwnBreak(each, entrant_name(snapshot, each), each in state.resting) for each in own],
        length=snapshot.event.length,
        key=secrets.token_hex(16),
    )


def _met_words(snapshot: EventNow, met: Sequence[tuple[int, int]]) -> str:
    said = []
    for other, times in met:
        name = entrant_name(snapshot, other)
        said.append(name if times == 1 else _("{name} ({n} times)").format(name=name, n=times))
    return words.listed(said) if said else ""


def _draft(snapshot: EventNow, state: Tournament) -> FreeDraft:
    assert state.draft
    field, drawn, passed_over = drafted(snapshot)
    whys = {frozenset(each for side in table.sides for each in side): table for table in drawn.tables}

    def name(entrant: int) -> str:
        return entrant_name(snapshot, entrant)

    tables = []
    for pairing in state.draft.pairings:
        sides = state.sides_of(pairing.game, pairing.players)
        table = whys[frozenset(each for side in sides for each in side)]
        shown = tuple(" + ".join(map(name, side)) for side in sides)
        tables.append(DraftedTable(pairing.table, shown, " ".join(table_words(field, drawn, table, name))))
    there = dict.fromkeys(state.numbers[player] for player in (*_seated(state), *state.draft.byes))
    return FreeDraft(
        tables, _waiting_words(snapshot, field, drawn, passed_over), [Resting(each, name(each)) for each in there]
    )


def _seated(state: Tournament) -> list[int]:
    return [player for pairing in state.draft.pairings for player in pairing.players] if state.draft else []


def _waiting_words(snapshot: EventNow, field: Field, drawn: NextRound, passed_over: Collection[int]) -> list[str]:
    """Who goes on waiting. Whoever had waited longer than somebody who plays now, and was passed over by the draw, gets
    the reason."""
    byes = field.given_byes
    seated = [field.players[each].queue for table in drawn.tables for side in table.sides for each in side]
    longer = [each for each in byes if each in passed_over and field.players[each].queue > min(seated, default=0)]
    others = [each for each in byes if each not in longer]
    said = []
    if longer:
        text = ngettext(
            "{names} goes on waiting, although others came later: with these tables, fewer people meet again.",
            "{names} go on waiting, although others came later: with these tables, fewer people meet again.",
            len(longer),
        )
        said.append(text.format(names=words.listed([entrant_name(snapshot, each) for each in longer])))
    if others:
        text = ngettext("{names} goes on waiting.", "{names} go on waiting.", len(others))
        said.append(text.format(names=words.listed([entrant_name(snapshot, each) for each in others])))
    return said
