"""A hand put right on the replay: its moves, its end, what that would change, and then one button that saves it."""

import itertools
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

import games
from games import GameError, moves
from games.cards import NAMES as CARDS
from games.errors import Malformed, marked
from games.line import ENDS
from games.match import alike
from games.moves import CELLS, CLAIMS, Play
from games.record import read_move
from games.tiles import NAMES
from scorekeeper import words
from scorekeeper.access import actor_of, match_for
from scorekeeper.forms.corrections import (
    DICE,
    Draft,
    end_of,
    kinds_of,
    move_of,
    typed_end,
    typed_move,
)
from scorekeeper.forms.entries import left_rows
from scorekeeper.models import Match
from scorekeeper.selectors import corrections as selectors
from scorekeeper.selectors.matches import entries_since, position
from scorekeeper.services import corrections as services
from scorekeeper.services.errors import Refused, Stale, in_words
from scorekeeper.templatetags.tiles import halves
from scorekeeper.views.boards import board_shown
from scorekeeper.views.boards.line import in_tray_order
from scorekeeper.views.showing import hands_shown, sides, whom

PUT_IN = "before"


@dataclass
class Desk:
    """One look at the editor: the hand as it was made up so far, what of it is open, what is said about it."""

    found: Match
    state: games.Match
    draft: Draft
    open: str = ""
    """The part that is open: move-3, before-3, end, final, opener."""
    typed: QueryDict | None = None
    """What was typed into it and not taken."""
    why: str = ""
    error: GameError | None = None
    said: str = ""
    """What else is to be said."""
    newer: list[str] = field(default_factory=list)
    status: int = 200

    @property
    def old(self) -> Draft:
        return Draft.of(self.state, self.draft.number)

    @property
    def can_be_given_up(self) -> bool:
        """Whether it is the hand in play."""
        return self.state.hand is not None and self.draft.number == len(self.state.hands) - 1

    @property
    def openers(self) -> list[int]:
        """The seats that may open this hand."""
        before = replace(self.state, hands=self.state.hands[: self.draft.number], stopped=None)
        return list(before.offers()["openers"])


@login_not_required
@require_http_methods(["GET", "POST"])
def hand_correct(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Any move of a hand, its end and who opened it, for who may record the match. What would change is shown by the
    engine that will count it; nothing is saved but by `do=save`."""
    actor = actor_of(request)
    found = match_for(actor, pk, need="record")
    state = position(found)
    if number >= len(state.hands):
        raise Http404(_("There is no such hand here."))
    if state.closed:
        return _is_closed(request, found)
    desk = Desk(found, state, Draft.of(state, number))
    if request.method == "GET":
        _turn_to(desk, request.GET.get("open", ""))
        return _shown(request, desk)
    _read(desk, request.POST)
    if desk.status != 200 or request.POST.get("do") != "save":
        return _shown(request, desk)
    try:
        services.correct(
            match_id=pk,
            seen=found.length,
            key=request.POST.get("key", ""),
            entries=desk.draft.entries(desk.why),
            by=actor,
            now=timezone.now(),
        )
    except Stale:
        found.refresh_from_db()
        _newer(desk, int(request.POST["seen"]))
    except Refused as error:
        desk.said, desk.status = error.message, 422
    except GameError as error:
        desk.error = error
    else:
        found.refresh_from_db()
        messages.success(request, _saved(state, position(found), number))
        return HttpResponseRedirect(f"{reverse('match', args=[pk])}?hand={number}", status=303)
    return _shown(request, desk)


# --- reading -----------------------------------------------------------------------------------------------
def _read(desk: Desk, data: QueryDict) -> None:
    """What the page sends: the hand so far, what is typed into the part that is open, which part to open next."""
    try:
        desk.draft = Draft.sent(data, desk.draft.number)
        desk.why = data.get("why", "").strip()
        seen = data.get("seen", "")
        if not (seen.isascii() and seen.isdigit() and len(seen) < 10):
            raise Malformed(marked("This page is too old to send from. Load it again."))
        if int(seen) != desk.found.length and not _is_same(desk, data):
            _newer(desk, int(seen))
            return
        if data.get("do") == "work-out":
            desk.open, desk.typed = data.get("part", ""), data
            _take(desk, data)
            desk.open, desk.typed = "", None
    except GameError as error:
        desk.error, desk.status = error, 422
        return
    if "open" in data:
        _turn_to(desk, data["open"])


def _is_same(desk: Desk, data: QueryDict) -> bool:
    """Whether this is what was saved already, sent once more."""
    return data.get("do") == "save" and desk.found.log.filter(key=data.get("key", "")).exists()


def _take(desk: Desk, data: QueryDict) -> None:
    """Puts what is typed into the open part into the hand."""
    name, at = _part(desk.open)
    draft, game = desk.draft, desk.state.game
    match name:
        case "move":
            desk.draft = draft.changed(at, move_of(data, game))
        case "before":
            desk.draft = draft.put_in(at, move_of(data, game))
        case "opener":
            desk.draft = draft.opened_by(game.opener_word, int(data.get("opener") or 0))
        case "final":
            desk.draft = draft.ended(end_of(data, draft.begun(desk.state, moves="final" in draft.hand)))
        case "end":
            desk.draft = draft.ended(end_of(data, draft.begun(desk.state)))


def _turn_to(desk: Desk, part: str) -> None:
    """Opens a part of the hand, or does at once what needs no words: out-3 takes a move out, drop-3 a later hand and
    all after it back."""
    name, at = _part(part)
    if name == "given" and desk.can_be_given_up:
        desk.draft = replace(desk.old, given_up=True)
    elif name == "drop" and desk.draft.number < at < len(desk.state.hands):
        desk.draft = replace(desk.draft, drop=at)
    elif name == "out" and at < len(desk.draft.moves):
        desk.draft = desk.draft.without(at)
    elif (
        (name == "move" and at < len(desk.draft.moves))
        or (name == "before" and at <= len(desk.draft.moves))
        or name in ("end", "final", "opener")
    ):
        desk.open = part


def _part(part: str) -> tuple[str, int]:
    name, _dash, at = part.partition("-")
    return name, int(at) if at.isascii() and at.isdigit() and len(at) < 6 else 0


def _newer(desk: Desk, seen: int) -> None:
    """Another phone was quicker: what it entered, and the hand as it was made up here against what is there now."""
    desk.state = position(desk.found)
    desk.said, desk.status = _("Another phone was quicker. Nothing of yours was entered."), 409
    desk.newer = [words.entry_words(entry, desk.state) for entry in entries_since(desk.found, seen)]


def _saved(old: games.Match, new: games.Match, number: int) -> str:
    before, after = (" : ".join(str(state.totals[side[0]]) for side in state.sides) for state in (old, new))
    if before == after:
        return _("Hand {n} was corrected; the score stays {score}.").format(n=number + 1, score=after)
    return _("Hand {n} was corrected: {old} became {new}.").format(n=number + 1, old=before, new=after)


# --- showing -----------------------------------------------------------------------------------------------
def _shown(request: HttpRequest, desk: Desk) -> HttpResponse:
    number, after = desk.draft.number, None
    if number >= len(desk.state.hands):
        messages.error(request, desk.said)
        return HttpResponseRedirect(reverse("match", args=[desk.found.pk]), status=303)
    if desk.draft != desk.old and not desk.open and desk.error is None:
        try:
            entries = desk.draft.entries(desk.why)
            after = services.preview(
                match_id=desk.found.pk, seen=desk.found.length, entries=entries, now=timezone.now()
            )
        except GameError as error:
            desk.error = error
        except Refused as error:
            desk.said, desk.status = error.message, 422
    if desk.error is not None:
        desk.status = max(desk.status, 422) if request.method == "POST" else desk.status
        if not desk.open and desk.error.hand == number and desk.error.move is not None:
            _turn_to(desk, f"move-{desk.error.move}")
    players = desk.state.seated(number)
    context = {
        "match": desk.found,
        "game": desk.state.game,
        "players": players,
        "sides": sides(desk.state, players, desk.state.totals),
        "number": number,
        "desk": desk,
        "draft": desk.draft,
        "changed": desk.draft != desk.old,
        "key": secrets.token_hex(16),
        "moves": _moves(desk, players),
        "end": _end(desk),
        "opener": players[opener] if isinstance(opener := _opener(desk), int) and opener < len(players) else "",
        "openers": desk.openers,
        "fault": _fault(desk) if desk.error else None,
        "part": _open(desk, players),
        "compared": compared(desk.found, desk.state, after, number) if after else None,
    }
    return render(request, "scorekeeper/correct.html", context, status=desk.status)


def _opener(desk: Desk) -> Any:
    return desk.draft.hand.get(desk.state.game.opener_word)


def _moves(desk: Desk, players: tuple[str, ...]) -> list[dict[str, Any]]:
    """The moves of the hand as it was made up, those that are new marked."""
    first, last = alike(desk.old.moves, desk.draft.moves)
    moves = desk.draft.moves
    error = desk.error
    return [
        {
            "at": at,
            "words": _said(desk.state, move, players),
            "new": first <= at < len(moves) - last,
            "fault": error is not None and (error.hand, error.move) == (desk.draft.number, at),
        }
        for at, move in enumerate(moves)
    ]


def _said(state: games.Match, move: Any, players: tuple[str, ...]) -> str:
    try:
        return words.move_words(read_move(move, state.game.moves, len(players)), players)
    except GameError:
        return _("an entry")


def _end(desk: Desk) -> dict[str, Any]:
    """What may be told of the end of the hand, and whether it is."""
    told = desk.state.game.told
    try:
        asks = desk.draft.begun(desk.state).offers()["next"] == told
    except GameError:
        asks = False
    return {"told": asks or told in desk.draft.hand, "final": "final" in desk.draft.hand}


def _fault(desk: Desk) -> dict[str, Any]:
    """What the rules have against it, where, and what can be done about it."""
    error = desk.error
    assert error is not None
    later = error.hand if error.hand is not None and error.hand > desk.draft.number else None
    here = error.hand == desk.draft.number and not desk.open
    return {
        "words": in_words(error),
        "later": later,
        "move": error.move if error.hand == desk.draft.number else None,
        "whole": here and error.move is None,
        "proof": error.proof.move if error.proof and error.proof.hand == desk.draft.number else None,
    }


def _open(desk: Desk, players: tuple[str, ...]) -> dict[str, Any] | None:
    """The part of the hand that is open, with what stands in its fields."""
    name, at = _part(desk.open)
    part: dict[str, Any] = {"name": name, "at": at, "value": desk.open}
    if name in ("move", "before"):
        return part | _move_part(desk, players, name, at)
    if name in ("end", "final"):
        return part | _end_part(desk, name)
    return part if name == "opener" else None


def _move_part(desk: Desk, players: tuple[str, ...], name: str, at: int) -> dict[str, Any]:
    game, moves = desk.state.game, desk.draft.moves
    state = None
    try:
        then = desk.draft.with_moves(moves[:at]).begun(desk.state)
        state = then.hands[-1].state
    except GameError:
        pass  # An earlier move is wrong too: there is no table to show.
    if desk.typed is not None:
        typed = desk.typed
    elif name == "move":
        typed = typed_move(moves[at]) if isinstance(moves[at], dict) else QueryDict()
    else:
        turn = state.turn if state else None
        typed = typed_move({"type": next(iter(game.moves)), **({} if turn is None else {"seat": turn})})
    form = game.final(desk.state.options)
    there = state.line.open if state and state.line else ENDS
    letters = words.end_letters()
    return {
        "typed": typed,
        "was": _said(desk.state, moves[at], players) if name == "move" else "",
        "board": board_shown(game, state, players, slim=True) if state else None,
        "kinds": [(kind, _kind_words(reader)) for kind, reader in game.moves.items()],
        "fields": kinds_of(game),
        "tiles": list(in_tray_order(NAMES)),
        "laid": {NAMES[move.tile] for move in state.moves if isinstance(move, Play)} if state else set(),
        "ends": [(end, letters[end], words.end_words(end)) for end in ENDS if end in there or end == typed.get("end")],
        "contracts": form.contracts,
        "suits": range(7),
        "cards": [(card, words.card_words(number)) for number, card in enumerate(CARDS)],
        "cells": CELLS,
        "claims": list(CLAIMS),
        "dice": range(DICE),
    }


def _end_part(desk: Desk, name: str) -> dict[str, Any]:
    typed = typed_end(desk.draft.hand) if desk.typed is None else desk.typed
    try:
        then = desk.draft.begun(desk.state, moves=name == "end" or "final" in desk.draft.hand)
    except GameError as error:
        desk.error = error
        return {"typed": typed, "unknown": True}
    told = desk.state.game.told
    return {
        "typed": typed,
        "told": told,
        "rows": left_rows(typed, then),
        "unseen": list(in_tray_order(then.offers().get("unseen", NAMES))),
        "final_form": desk.state.game.final(desk.state.options),
    }


def _kind_words(reader: moves.Reader) -> str:
    """A kind of move, by how the engine reads it."""
    return {
        moves.read_play: _("laid a tile"),
        moves.read_claiming_play: _("laid a tile"),
        moves.read_follow: _("played a tile"),
        moves.read_draw: _("drew"),
        moves.read_pass: _("passed"),
        moves.read_roll: _("rolled"),
        moves.read_contract: _("called"),
        moves.read_discard: _("exchanged"),
        moves.read_place: _("put a card"),
    }[reader]


# --- old and new -------------------------------------------------------------------------------------------
def compared(
    found: Match, old: games.Match, new: games.Match, number: int | None, seats: Sequence[int] | None = None
) -> dict[str, Any]:
    """What a correction changes, old and new side by side: the hand, the match, later hands, the table of the night."""
    before, after = hands_shown(old, old.sheet()), hands_shown(new, new.sheet())
    here = None
    if number is not None:
        names = [words.together([old.seated(number)[seat] for seat in side]) for side in old.sides]
        now = after[number] if number < len(after) else None
        here = {
            "moves": _moved_over(old, new, number) if now else [],
            "rows": _pairs(names, before[number]["points"], now["points"] if now else [None] * len(names)),
            "old": before[number],
            "new": now,
            "ended": _pair(_ended(before[number]), _ended(now) if now else _("given up")),
        }
    totals = {each["number"]: each["totals"] for each in after}
    later = [
        {"number": each["number"], "old": each["totals"], "new": totals.get(each["number"])}
        for each in before
        if number is not None and each["number"] > number
    ]
    return {
        "hand": here,
        "total": _totals(old, new, seats),
        "won": _pair(_result(old), _result(new)),
        "again": old.finished and not new.finished,
        "over": new.finished and not old.finished,
        "later": later if any(each["old"] != each["new"] for each in later) else [],
        "going": [each["number"] + 1 for each in later if each["new"] is None],
        "sides": [words.together([old.present[seat] for seat in side]) for side in old.sides],
        "night": [_moved(row) for row in selectors.night_table(found, new, seats)],
        "of_night": found.night_id is not None,
    }


def _moved_over(old: games.Match, new: games.Match, number: int) -> list[dict[str, Any]]:
    """The moves of the hand that are others, old and new side by side, with where they stand."""
    players = old.seated(number)
    was, now = (state.hands[number].state.moves for state in (old, new))
    first, last = alike(was, now)
    gone, come = ([words.move_words(m, players) for m in each[first : len(each) - last]] for each in (was, now))
    rows = enumerate(itertools.zip_longest(gone, come, fillvalue="–"), first + 1)
    return [{"number": at} | _pair(*both) for at, both in rows]


def _moved(row: selectors.Moved) -> dict[str, Any]:
    """Place, wins and points, old and new."""
    both = [each and (each.place, halves(each.wins), each.points_for) for each in (row.old, row.new)]
    old, new = (each or (None,) * 3 for each in both)
    return {"name": row.name, "changed": row.changed, "pairs": list(zip(old, new, strict=True))}


def _totals(old: games.Match, new: games.Match, seats: Sequence[int] | None) -> list[dict[str, Any]]:
    """The points of each side; where they change their seats, of everybody."""
    if seats is not None:
        return _pairs(whom(old), old.totals, [new.totals[seats.index(seat)] for seat in range(len(seats))])
    names = [words.together([whom(old)[seat] for seat in side]) for side in old.sides]
    return _pairs(names, *([state.totals[side[0]] for side in state.sides] for state in (old, new)))


def _pairs(names: Sequence[str], old: Sequence[int], new: Sequence[int | None]) -> list[dict[str, Any]]:
    return [{"name": name} | _pair(*both) for name, *both in zip(names, old, new, strict=True)]


def _pair(old: Any, new: Any) -> dict[str, Any]:
    return {"old": old, "new": new, "changed": old != new}


def _ended(hand: Mapping[str, Any]) -> str:
    if hand["state"] != "counted":
        return _("in play")
    return _("{player} went out").format(player=hand["out"]) if hand["out"] else str(hand["end"])


def _result(state: games.Match) -> str:
    if state.winners:
        return words.won([state.present[seat] for seat in state.winners])
    return _("The match is over") if state.finished else _("in play")


# --- wrong seats -------------------------------------------------------------------------------------------
@login_not_required
@require_http_methods(["GET", "POST"])
def match_seats(request: HttpRequest, pk: int) -> HttpResponse:
    """The seats were wrong: who really sits where, what that changes, and then it is saved."""
    actor = actor_of(request)
    found = match_for(actor, pk, need="record")
    state = position(found)
    if state.closed:
        return _is_closed(request, found)
    data, seats = request.POST, tuple(range(len(state.players)))
    chosen = tuple(_seat(data.get(f"seat-{seat}", ""), seat) for seat in seats)
    why = data.get("why", "").strip()
    context: dict[str, Any] = {"said": "", "newer": [], "compared": None, "why": why}
    entry = {"kind": "swap", "seats": list(chosen)} | ({"why": why} if why else {})
    sent_at, status = data.get("seen", ""), 200
    seen = int(sent_at) if sent_at.isascii() and sent_at.isdigit() and len(sent_at) < 10 else -1
    try:
        if data.get("do") == "save":
            services.correct(
                match_id=pk, seen=seen, key=data.get("key", ""), entries=[entry], by=actor, now=timezone.now()
            )
            messages.success(request, _("The seats were put right."))
            return HttpResponseRedirect(reverse("match", args=[pk]), status=303)
        if request.method == "POST":
            after = services.preview(match_id=pk, seen=seen, entries=[entry], now=timezone.now())
            context["compared"] = compared(found, state, after, None, chosen)
            context["places"] = [_pair(state.present[seat], after.present[seat]) for seat in seats]
    except Stale as error:
        found.refresh_from_db()
        context["said"], status = error.message, 409
        context["newer"] = [words.entry_words(each, position(found)) for each in entries_since(found, max(seen, 0))]
    except Refused as error:
        context["said"], status = error.message, 422
    except GameError as error:
        context["said"], status = in_words(error), 422
    context |= {"match": found, "game": state.game, "key": secrets.token_hex(16), "players": state.present}
    context["places_chosen"] = [{"seat": seat, "who": who} for seat, who in zip(seats, chosen, strict=True)]
    return render(request, "scorekeeper/seats.html", context, status=status)


def _seat(text: str, seat: int) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else seat


def _is_closed(request: HttpRequest, found: Match) -> HttpResponse:
    messages.error(request, _("Everybody has confirmed this match. A host can reopen it."))
    return HttpResponseRedirect(reverse("match", args=[found.pk]), status=303)


# --- what was put right ------------------------------------------------------------------------------------
def corrections_shown(found: Match) -> list[dict[str, Any]]:
    """What was put right in a match, the newest first: when, by whom, what it was and is, what it changed."""
    return [
        {
            "at": each.at,
            "who": each.user or _by_phone(each.table),
            "what": _what(each),
            "old": _standing(each.before),
            "new": _standing(each.after),
            "won": _pair(_result(each.before), _result(each.after)),
            "why": each.entry.get("why", ""),
            "stands": each.stands,
        }
        for each in reversed(selectors.corrections_of(found))
    ]


def _by_phone(table: int | None) -> str:
    return _("somebody") if table is None else _("a phone of table {number}").format(number=table)


def _standing(state: games.Match) -> str:
    return " : ".join(str(state.totals[side[0]]) for side in state.sides)


def _what(correction: selectors.Correction) -> list[str]:
    """One step in words."""
    before, after = correction.before, correction.after
    match correction.entry:
        case {"kind": "replace", "hand": int(number)}:
            where = _("Hand {n}").format(n=number + 1)
            return [f"{where}: {what}" for what in _changes(before, after, number)] or [where]
        case {"kind": "undo", "to": {"hand": int(number), "move": int(move)}}:
            text = _("Hand {n}: everything from move {move} on was taken back: “{what}”")
            was = words.move_words(before.hands[number].state.moves[move], before.seated(number))
            return [text.format(n=number + 1, move=move + 1, what=was)]
        case {"kind": "undo", "to": {"hand": int(number)}}:
            return [_("Hand {n} and all after it were taken back").format(n=number + 1)]
        case {"kind": "note", "hand": int(number), "move": int(move), "code": str(code)}:
            text = _("Hand {n}: noted and let stand: “{what}” ({code})")
            was = words.move_words(before.hands[number].state.moves[move], before.seated(number))
            return [text.format(n=number + 1, what=was, code=words.word(code))]
        case {"kind": "swap"}:
            text = _("The seats were {old}; they are {new}")
            return [text.format(old=", ".join(before.present), new=", ".join(after.present))]
        case {"kind": "abandon"}:
            return [_("Hand {n} was given up").format(n=len(before.hands))]
        case {"kind": "dispute", "seat": int(seat)}:
            return [_("{player} said that the sheet is not right").format(player=before.present[seat])]
        case {"kind": "reopen"}:
            return [_("The match was opened again")]
    return [words.entry_words(correction.entry, before)]


def _changes(before: games.Match, after: games.Match, number: int) -> list[str]:
    """What of a hand became something else."""
    players = before.seated(number)
    old, new = before.hands[number], after.hands[number]
    was, now = old.state.moves, new.state.moves
    first, last = alike(was, now)
    gone, come = ([words.move_words(m, players) for m in each[first : len(each) - last]] for each in (was, now))
    changes = []
    if old.opener != new.opener:
        opened = (words.opened(players[each.opener], before.game.opener_word) for each in (old, new))
        changes.append(_("“{old}” became “{new}”").format(**dict(zip(("old", "new"), opened, strict=True))))
    if was and not now and new.final is not None:
        changes.append(_("counted by its final state instead of its moves"))
    elif len(gone) == 1 == len(come):
        text = _("move {move}, “{old}” became “{new}”")
        changes.append(text.format(move=first + 1, old=gone[0], new=come[0]))
    elif gone or come:
        changes += [
            _("move {move}, “{what}”, was taken out").format(move=first + n, what=w) for n, w in enumerate(gone, 1)
        ]
        changes += [
            _("“{what}” was put in as move {move}").format(move=first + n, what=w) for n, w in enumerate(come, 1)
        ]
    if (old.told, old.final) != (new.told, new.final) and not (was and not now):
        changes.append(_("how it ended was told anew"))
    return changes
