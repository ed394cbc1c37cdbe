"""The editor of a recorded hand: the draft, the part that is open, and what is wrong with it."""

import secrets
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

import games
from games import GameError, moves
from games.base import FinalForm, Game
from games.cards import NAMES as CARDS
from games.corrections import alike
from games.errors import Malformed, marked
from games.line import ENDS
from games.moves import CELLS, CLAIMS, Play
from games.record import read_move
from games.tiles import NAMES
from scorekeeper import words
from scorekeeper.forms.corrections import HandDraft, end_of, typed_end
from scorekeeper.forms.final import LeftRow, left_rows
from scorekeeper.forms.moves import DICE, kinds_of, move_of, typed_move
from scorekeeper.models import Match
from scorekeeper.pages.boards import board_shown
from scorekeeper.pages.boards.base import BoardShown
from scorekeeper.pages.boards.line import in_tray_order
from scorekeeper.pages.compared import Compared, compared
from scorekeeper.pages.corrections import score
from scorekeeper.pages.match import Side, sides
from scorekeeper.selectors.matches import entries_since, position
from scorekeeper.words import in_words


@dataclass(frozen=True)
class Desk:
    """One look at the editor."""

    found: Match
    state: games.Match
    draft: HandDraft
    open: str = ""
    """The part that is open: move-3, before-3, end, final, opener."""
    typed: QueryDict | None = None
    """What was typed into it, if it was refused."""
    why: str = ""
    error: GameError | None = None
    message: str = ""
    """A message that does not come from the rules."""
    newer: tuple[str, ...] = ()
    status: int = 200

    @property
    def old(self) -> HandDraft:
        return HandDraft.of(self.state, self.draft.number)

    @property
    def changed(self) -> bool:
        return self.draft != self.old

    @property
    def can_be_given_up(self) -> bool:
        """Whether it is the hand in play."""
        return self.state.hand is not None and self.draft.number == len(self.state.hands) - 1

    @property
    def openers(self) -> list[int]:
        """The seats that may open this hand."""
        before = replace(self.state, hands=self.state.hands[: self.draft.number], stopped=None)
        return list(before.offers()["openers"])

    def turned_to(self, part: str) -> "Desk":
        """With a part open. Parts without fields take effect at once: out-3 removes a move, drop-3 takes back a later
        hand and all after it, given-up gives up the hand."""
        (name, at), count = _part(part), len(self.draft.moves)
        if name == "given" and self.can_be_given_up:
            return replace(self, draft=replace(self.old, given_up=True))
        if name == "drop" and self.draft.number < at < len(self.state.hands):
            return replace(self, draft=replace(self.draft, drop=at))
        if name == "out" and at < count:
            return replace(self, draft=self.draft.without(at))
        there = {"move": at < count, "before": at <= count, "end": True, "final": True, "opener": True}
        return replace(self, open=part) if there.get(name) else self

    def at_fault(self) -> "Desk":
        """With the wrong move open, unless another part is open."""
        error = self.error
        if error is None or self.open or error.hand != self.draft.number or error.move is None:
            return self
        return self.turned_to(f"move-{error.move}")

    def taken(self, data: QueryDict) -> "Desk":
        """With the open part changed as typed. GameError if it is not a move or an ending."""
        return replace(self, draft=self._with(data), open="", typed=None)

    def _with(self, data: QueryDict) -> HandDraft:
        (name, at), draft, game = _part(self.open), self.draft, self.state.game
        match name:
            case "move":
                return draft.changed(at, move_of(data, game))
            case "before":
                return draft.put_in(at, move_of(data, game))
            case "opener":
                return draft.opened_by(game.opener_word, int(data.get("opener") or 0))
            case "final":
                return draft.ended(end_of(data, draft.begun(self.state, moves="final" in draft.hand)))
            case "end":
                return draft.ended(end_of(data, draft.begun(self.state)))
        return draft

    def overtaken(self, seen: int) -> "Desk":
        """Another phone was quicker: what it entered, and this draft against what is there now. Two queries."""
        state = position(self.found)
        return replace(
            self,
            state=state,
            message=_("Another phone was quicker. Your entry was not recorded."),
            newer=tuple(words.entry_words(entry, state) for entry in entries_since(self.found, seen)),
            status=409,
        )


def _part(part: str) -> tuple[str, int]:
    name, _dash, at = part.partition("-")
    return name, int(at) if at.isascii() and at.isdigit() and len(at) < 6 else 0


def read(desk: Desk, data: QueryDict) -> Desk:
    """The desk with what the page sends: the draft, the fields of the open part, which part to open next."""
    try:
        desk = replace(desk, draft=HandDraft.sent(data, desk.draft.number), why=data.get("why", "").strip())
        seen = data.get("seen", "")
        if not (seen.isascii() and seen.isdigit() and len(seen) < 10):
            raise Malformed(marked("This page is too old. Reload it and try again."))
        if int(seen) != desk.found.length and not _is_repeated(desk, data):
            return desk.overtaken(int(seen))
        if data.get("do") == "work-out":
            desk = replace(desk, open=data.get("part", ""), typed=data)
            desk = desk.taken(data)
    except GameError as error:
        return replace(desk, error=error, status=422)
    return desk.turned_to(data.get("open", ""))


def _is_repeated(desk: Desk, data: QueryDict) -> bool:
    """Whether this was saved already and is sent once more."""
    return data.get("do") == "save" and desk.found.log.filter(key=data.get("key", "")).exists()


def saved_words(old: games.Match, new: games.Match, number: int) -> str:
    before, after = score(old), score(new)
    if before == after:
        return _("Hand {n} was corrected; the score stays {score}.").format(n=number + 1, score=after)
    return _("Hand {n} was corrected: {old} became {new}.").format(n=number + 1, old=before, new=after)


# --- what is shown -----------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class DraftMove:
    at: int
    words: str
    new: bool
    fault: bool


@dataclass(frozen=True, slots=True)
class HandEndShown:
    editable: bool
    """Whether something about the end may be changed."""
    final: bool
    """Whether the hand is known by its final state."""


@dataclass(frozen=True, slots=True)
class FaultShown:
    """What the rules have against the draft, and where."""

    words: str
    later: int | None
    """The later hand that no longer follows."""
    move: int | None
    whole: bool
    """Whether no single move is at fault."""
    proof: int | None
    """The move at which the fault shows."""


@dataclass(frozen=True, slots=True)
class Part:
    """The part that is open."""

    name: str
    at: int
    value: str


@dataclass(frozen=True, slots=True)
class MovePart(Part):
    typed: QueryDict
    was: str
    board: BoardShown | None
    """The table before the move; None if it cannot be known."""
    kinds: tuple[tuple[str, str], ...]
    fields: Mapping[str, str]
    tiles: tuple[str, ...]
    laid: AbstractSet[str]
    ends: tuple[tuple[str, str, str], ...]
    contracts: tuple[tuple[str, int | None], ...]
    cards: tuple[tuple[str, str], ...]
    suits: Sequence[int] = range(7)
    cells: Sequence[str] = CELLS
    claims: Sequence[str] = tuple(CLAIMS)
    dice: Sequence[int] = range(DICE)


@dataclass(frozen=True, slots=True)
class EndPart(Part):
    typed: QueryDict
    ending_key: str | None
    rows: list[LeftRow]
    unseen: tuple[str, ...]
    final_form: FinalForm


@dataclass(frozen=True, slots=True)
class UnknownEnd(Part):
    """The end of a hand whose moves are wrong: nothing can be said of it yet."""

    unknown: bool = True


@dataclass(frozen=True, slots=True)
class EditorPage:
    match: Match
    game: Game[Any]
    players: tuple[str, ...]
    sides: list[Side]
    number: int
    desk: Desk
    draft: HandDraft
    changed: bool
    moves: tuple[DraftMove, ...]
    end: HandEndShown
    opener: int | None
    """Who opened the hand, or dealt it; None if the draft does not say."""
    openers: list[int]
    fault: FaultShown | None
    part: Part | None
    compared: Compared | None
    key: str


def editor_page(desk: Desk, after: games.Match | None) -> EditorPage:
    """The page of the editor; `after` is the match as the draft would make it, where that can be shown."""
    desk = desk.at_fault()
    number, game = desk.draft.number, desk.state.game
    players, opener = desk.state.seated(number), desk.draft.hand.get(game.opener_word)
    return EditorPage(
        match=desk.found,
        game=game,
        players=players,
        sides=sides(desk.state, players, desk.state.totals),
        number=number,
        desk=desk,
        draft=desk.draft,
        changed=desk.changed,
        moves=_moves(desk, players),
        end=_end(desk),
        opener=opener if isinstance(opener, int) and opener < len(players) else None,
        openers=desk.openers,
        fault=_fault(desk, desk.error) if desk.error else None,
        part=_open(desk, players),
        compared=compared(desk.found, desk.state, after, number) if after else None,
        key=secrets.token_hex(16),
    )


def _moves(desk: Desk, players: tuple[str, ...]) -> tuple[DraftMove, ...]:
    """The moves of the draft, those that are new marked."""
    moves, error = desk.draft.moves, desk.error
    first, last = alike(desk.old.moves, moves)
    wrong = error.move if error and error.hand == desk.draft.number else None
    return tuple(
        DraftMove(at, _move_words(desk.state, move, players), first <= at < len(moves) - last, at == wrong)
        for at, move in enumerate(moves)
    )


def _move_words(state: games.Match, move: Any, players: tuple[str, ...]) -> str:
    try:
        return words.move_words(read_move(move, state.game.moves, len(players)), players)
    except GameError:
        return _("an entry")


def _end(desk: Desk) -> HandEndShown:
    key = desk.state.game.ending_key
    try:
        asks = desk.draft.begun(desk.state).offers()["next"] == key
    except GameError:
        asks = False
    return HandEndShown(editable=asks or key in desk.draft.hand, final="final" in desk.draft.hand)


def _fault(desk: Desk, error: GameError) -> FaultShown:
    number = desk.draft.number
    here = error.hand == number
    return FaultShown(
        words=in_words(error),
        later=error.hand if error.hand is not None and error.hand > number else None,
        move=error.move if here else None,
        whole=here and not desk.open and error.move is None,
        proof=error.proof.move if error.proof and error.proof.hand == number else None,
    )


def _open(desk: Desk, players: tuple[str, ...]) -> Part | None:
    """The part that is open, with what stands in its fields."""
    name, at = _part(desk.open)
    if name in ("move", "before"):
        return _move_part(desk, players, name, at)
    if name in ("end", "final"):
        return _end_part(desk, name, at)
    return Part(name, at, desk.open) if name == "opener" else None


def _move_part(desk: Desk, players: tuple[str, ...], name: str, at: int) -> MovePart:
    game, moves = desk.state.game, desk.draft.moves
    state = None
    with suppress(GameError):  # an earlier move is wrong too: there is no table to show
        state = desk.draft.with_moves(moves[:at]).begun(desk.state).hands[-1].state
    if desk.typed is not None:
        typed = desk.typed
    elif name == "move":
        typed = typed_move(moves[at]) if isinstance(moves[at], dict) else QueryDict()
    else:
        turn = state.turn if state else None
        typed = typed_move({"type": next(iter(game.moves)), **({} if turn is None else {"seat": turn})})
    there = state.line.open if state and state.line else ENDS
    letters = words.end_letters()
    return MovePart(
        name=name,
        at=at,
        value=desk.open,
        typed=typed,
        was=_move_words(desk.state, moves[at], players) if name == "move" else "",
        board=board_shown(game, state, players, slim=True) if state else None,
        kinds=tuple((kind, _kind_words(reader)) for kind, reader in game.moves.items()),
        fields=kinds_of(game),
        tiles=tuple(in_tray_order(NAMES)),
        laid={NAMES[move.tile] for move in state.moves if isinstance(move, Play)} if state else set(),
        ends=tuple(
            (end, letters[end], words.end_words(end)) for end in ENDS if end in there or end == typed.get("end")
        ),
        contracts=tuple(game.final(desk.state.options).contracts),
        cards=tuple((card, words.card_words(number)) for number, card in enumerate(CARDS)),
    )


def _end_part(desk: Desk, name: str, at: int) -> EndPart | UnknownEnd:
    typed = typed_end(desk.draft.hand) if desk.typed is None else desk.typed
    try:
        then = desk.draft.begun(desk.state, moves=name == "end" or "final" in desk.draft.hand)
    except GameError:
        return UnknownEnd(name, at, desk.open)
    game = desk.state.game
    return EndPart(
        name=name,
        at=at,
        value=desk.open,
        typed=typed,
        ending_key=game.ending_key,
        rows=left_rows(typed, then),
        unseen=tuple(in_tray_order(then.offers().get("unseen", NAMES))),
        final_form=game.final(desk.state.options),
    )


def _kind_words(reader: moves.Reader) -> str:
    """A kind of move, by how the engine reads it."""
    kind_words: Mapping[moves.Reader, str] = {
        moves.read_play: _("laid a tile"),
        moves.read_claiming_play: _("laid a tile"),
        moves.read_follow: _("played a tile"),
        moves.read_draw: _("drew"),
        moves.read_pass: _("passed"),
        moves.read_roll: _("rolled"),
        moves.read_contract: _("called"),
        moves.read_discard: _("exchanged"),
        moves.read_place: _("placed a card"),
    }
    return kind_words[reader]
