"""The corrections of a match: when, by whom, what changed, and the score before and after."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import games
from scorekeeper import words
from scorekeeper.models import Match
from scorekeeper.pages.compared import Pair, changed_moves, result
from scorekeeper.selectors import corrections as selectors


@dataclass(frozen=True, kw_only=True, slots=True)
class Corrected:
    """A correction in one line: when, who, where, the score before and after, and why."""

    at: datetime
    who: str
    place: str
    """The round and the table, as far as it has them."""
    old: str
    """The score before, the sides in order; "" if nobody knows."""
    new: str
    """The score after; "" if the old one was set aside."""
    why: str
    match: int | None
    """Its match; None if that was removed."""
    swapped: str = ""
    """Who changed places with it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CorrectionShown(Corrected):
    """A correction on the page of its match."""

    what: tuple[str, ...]
    won: Pair
    stands: bool
    """False if it was undone."""


def corrections_shown(found: Match) -> list[CorrectionShown]:
    """The newest first."""
    return [
        CorrectionShown(
            at=each.at,
            who=who(each.user, each.table),
            place=place(found.round, found.table.number if found.table else None),
            old=score(each.before),
            new="" if each.after.stopped == "abandoned" else score(each.after),
            why=each.entry.get("why", ""),
            match=found.pk,
            what=tuple(_what(each)),
            won=Pair(result(each.before), result(each.after)),
            stands=each.stands,
        )
        for each in reversed(selectors.corrections_of(found))
    ]


def who(user: str, table: int | None) -> str:
    """Who corrected: a user, or the phone of the table with this number."""
    return user or (_("somebody") if table is None else _("a phone of table {number}").format(number=table))


def place(round_number: int | None, table: int | None) -> str:
    if table is None:
        return ""
    if round_number is None:
        return _("Table {n}").format(n=table)
    return _("Round {round}, table {table}").format(round=round_number, table=table)


def score(state: games.Match) -> str:
    """ "" before the first hand."""
    if not state.hands and not state.finished:
        return ""
    return words.totals(state.totals[side[0]] for side in state.sides)


def _what(correction: selectors.Correction) -> list[str]:
    """One step in words."""
    before, after = correction.before, correction.after
    match correction.entry:
        case {"kind": "replace", "hand": int(number)}:
            where = _("Hand {n}").format(n=number + 1)
            return [f"{where}: {what}" for what in _changes(before, after, number)] or [where]
        case {"kind": "undo", "to": {"hand": int(number), "move": int(move)}}:
            text = _("Hand {n}: undone from move {move}: “{what}”")
            was = words.move_words(before.hands[number].state.moves[move], before.seated(number))
            return [text.format(n=number + 1, move=move + 1, what=was)]
        case {"kind": "undo", "to": {"hand": int(number)}}:
            return [_("Hand {n} and all later hands were undone").format(n=number + 1)]
        case {"kind": "note", "hand": int(number), "move": int(move), "code": str(code)}:
            text = _("Hand {n}: noted and kept: “{what}” ({code})")
            was = words.move_words(before.hands[number].state.moves[move], before.seated(number))
            return [text.format(n=number + 1, what=was, code=words.word(code))]
        case {"kind": "swap"}:
            text = _("Seats changed from {old} to {new}")
            return [text.format(old=", ".join(before.present), new=", ".join(after.present))]
        case {"kind": "abandon"}:
            return [_("Hand {n} was given up").format(n=len(before.hands))]
        case {"kind": "dispute", "seat": int(seat)}:
            return [_("{player} disputed the score").format(player=before.present[seat])]
        case {"kind": "reopen"}:
            return [_("The match was reopened")]
        case {"kind": "result"} if before.hands:
            number = len(before.hands)
            text = ngettext(
                "A result was typed in place of {n} hand", "A result was typed in place of {n} hands", number
            )
            return [text.format(n=number)]
        case {"kind": "result"}:
            return [_("The typed result was corrected")]
        case {"kind": "stop", "stopped": "abandoned"}:
            return [_("The match was set aside: it counts for nobody")]
    return [words.entry_words(correction.entry, before)]


def _changes(before: games.Match, after: games.Match, number: int) -> list[str]:
    """What changed in a hand."""
    players = before.seated(number)
    old, new = before.hands[number], after.hands[number]
    first, gone, come = changed_moves(before, after, number)
    left_behind = bool(old.state.moves) and not new.state.moves
    changes: list[str] = []
    if old.opener != new.opener:
        opened = (words.opened(players[each.opener], before.game.opener_word) for each in (old, new))
        changes.append(_("“{old}” became “{new}”").format(**dict(zip(("old", "new"), opened, strict=True))))
    if left_behind and new.final is not None:
        changes.append(_("scored by its result instead of its moves"))
    elif len(gone) == 1 == len(come):
        text = _("move {move}, “{old}” became “{new}”")
        changes.append(text.format(move=first + 1, old=gone[0], new=come[0]))
    elif gone or come:
        changes += [
            _("move {move}, “{what}”, was removed").format(move=first + n, what=w) for n, w in enumerate(gone, 1)
        ]
        changes += [
            _("“{what}” was added as move {move}").format(move=first + n, what=w) for n, w in enumerate(come, 1)
        ]
    if (old.ending, old.final) != (new.ending, new.final) and not left_behind:
        changes.append(_("the ending was changed"))
    return changes
