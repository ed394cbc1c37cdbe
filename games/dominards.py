"""Dominards: two to four players, tiles laid in a star, points by cards and dice; the cards last the whole match.

Source: "Dominards", the sections on setup, play and scoring.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Any

from games import cards, read
from games.base import HANDS, End, FinalForm, Game, Left, Opening, Outcome, Score, Term, points_of
from games.course import LayingRules
from games.errors import Code, Contradiction, Illegal, marked
from games.hand_end import TilesLeft, check_left, wrong_number
from games.holdings import Holdings
from games.laying import LayingState, total_terms
from games.line import Kind, Line
from games.moves import CLAIMS, Claim, Draw, Move, Play, Roll, read_claiming_play, read_draw, read_pass, read_roll
from games.tiles import COUNT, HIGH, LOW, NAMES, mask, members, parse, union

DEALT = 6
CARDS = 5
FOR_A_TILE = 1
"""Points for each tile in the other hands, scored by the player who lays their last tile."""
FOR_A_CARD = 2
"""Points for each card in the other hands, scored by the player who drops their last card."""
MOST_CLAIMED = sum(sorted((HIGH[tile] * (1 + (HIGH[tile] == LOW[tile])) for tile in range(COUNT)), reverse=True)[:4])
"""No total is more: four tiles at the ends, of which doubles count whole."""
DICE = {2: "multiple", 4: "virtual"}
"""By the number of dice rolled, the claim that they allow."""
PIPS = range(1, 7)
ROLLS = tuple(dice for number in DICE for dice in combinations_with_replacement(PIPS, number))
"""Every roll, with its dice in ascending order."""


def values(card: int) -> tuple[int, ...]:
    """The totals that a card can claim: one, or two for an ace."""
    rank = cards.rank(card)
    return (1, 14) if rank == 1 else (rank,)


WORTH = {total: mask(card for card in range(cards.COUNT) if total in values(card)) for total in range(1, 15)}
"""For each total, the mask of the cards that can claim it."""


@dataclass(frozen=True, slots=True)
class DominardsState:
    """A hand at one moment: its tiles, the dice in force, and the cards dropped. Immutable: ``play`` returns the next
    state."""

    laying: LayingState
    dropped: tuple[int, ...]
    """The cards that each seat has dropped in this match, as masks."""
    dice: tuple[int, ...] = ()
    """The last roll of this hand."""
    turns: int = 0
    """For how many turns the dice are in force, including the present one; 0 if a roll is due."""
    scores: tuple[Score, ...] = ()

    # --- the tiles -----------------------------------------------------------------------------------------
    @property
    def opening(self) -> Opening:
        return self.laying.opening

    @property
    def moves(self) -> tuple[Move, ...]:
        return self.laying.moves

    @property
    def end(self) -> End | None:
        return self.laying.end

    @property
    def turn(self) -> int | None:
        return self.laying.turn

    @property
    def line(self) -> Line:
        return self.laying.line

    @property
    def holdings(self) -> Holdings:
        return self.laying.holdings

    def held(self) -> list[int]:
        """How many tiles each seat holds."""
        return self.laying.held()

    def whereabouts(self, left: Left | None = None) -> tuple[int, ...]:
        """For each seat, then the boneyard: the mask of unlaid tiles that it may have."""
        return self.laying.whereabouts(left)

    def deals(self, left: Left | None = None) -> int:
        """The number of deals that fit every entry, and what is ``left`` if that is known."""
        return self.laying.deals(left)

    @property
    def rolls_next(self) -> int | None:
        """The seat that rolls next: now, or after the turns of the dice in force. None once the hand is over."""
        return None if self.turn is None else (self.turn + self.turns) % len(self.opening.players)

    def cards_left(self) -> list[int]:
        """How many cards each seat has left."""
        return [CARDS - gone.bit_count() for gone in self.dropped]

    def dropped_names(self) -> list[list[str]]:
        """The cards that each seat has dropped in this match, by name."""
        return [_names(gone) for gone in self.dropped]

    # --- one move ------------------------------------------------------------------------------------------
    def play(self, move: Move) -> "DominardsState":
        """The state after this move. Illegal if the rules forbid it, Contradiction if known facts exclude it."""
        if isinstance(move, Roll) and self.turn is not None:
            return self._rolled(move)
        if move.seat == self.turn:
            self._check_rolled(move.seat)
        if isinstance(move, Play):
            return self._scored(move, self._laid(move))
        return replace(self, laying=self.laying.play(move), turns=self.turns - (not isinstance(move, Draw)))

    def _laid(self, move: Play) -> LayingState:
        """The tiles after this play. An error in its claim is reported before a contradiction about hidden tiles."""
        if move.claim is None:
            return self.laying.play(move)
        try:
            laying = self.laying.play(move)
        except Contradiction:
            self._check_claim(move, move.claim, self.line.lay(move.tile, move.end))
            raise
        self._check_claim(move, move.claim, laying.line)
        return laying

    def _rolled(self, move: Roll) -> "DominardsState":
        """The state after a roll. Illegal unless the player on turn has to roll."""
        at, opening = len(self.moves), self.opening
        if self.turns:
            raise opening.error(
                Illegal,
                Code.NOT_YOUR_ROLL,
                marked("Nobody rolls now. The dice last {turns} more turns."),
                at,
                turns=self.turns,
            )
        if move.seat != self.turn:
            raise opening.error(
                Illegal,
                Code.NOT_YOUR_ROLL,
                marked("It is not {player}'s turn to roll."),
                at,
                player=opening.players[move.seat],
            )
        if len(move.dice) not in DICE or not all(die in PIPS for die in move.dice):
            raise opening.error(Illegal, Code.BAD_ROLL, marked("Roll two dice or four. Each shows 1 to 6."), at)
        # The dice last for one turn of every player, then one more turn of the player who rolled.
        return replace(self, laying=self.laying.aside(move), dice=move.dice, turns=len(opening.players) + 1)

    def _check_rolled(self, seat: int) -> None:
        """Illegal if this seat has to roll first."""
        if not self.turns:
            raise self.opening.error(
                Illegal,
                Code.ROLL_NEEDED,
                marked("{player} must roll first."),
                len(self.moves),
                player=self.opening.players[seat],
            )

    def _check_claim(self, move: Play, claim: Claim, line: Line) -> None:
        """Illegal if the total after the play cannot be claimed this way, or the seat does not have the card."""
        at, total = len(self.moves), line.total
        if claim.card is not None:
            _check_card(self.opening, self.dropped, move.seat, claim.card, at)
        if claim not in self.claims(total):
            raise self.opening.error(
                Illegal, Code.BAD_CLAIM, marked("The total is {total} and cannot be claimed that way."), at, total=total
            )

    def _scored(self, move: Play, laying: LayingState) -> "DominardsState":
        """The state after a play, with its scores: for the claim, the last tile, the last card."""
        seat, claim, scores, dropped = move.seat, move.claim, self.scores, self.dropped
        if claim:
            terms = total_terms(seat, laying.line)
            total = sum(term.value for term in terms)
            scores += (Score((seat,), total, claim.by, terms),) if total else ()
        if claim and claim.card is not None:
            dropped = _with(dropped, seat, claim.card)
        scores += tuple(_bonuses(seat if laying.end else None, laying.held(), dropped))
        last = _without_cards(dropped)
        if last is not None:
            laying = laying.ended(End("dropped", last))
        return replace(self, laying=laying, dropped=dropped, scores=scores, turns=self.turns - 1)

    # --- what may come next --------------------------------------------------------------------------------
    def claims(self, total: int) -> list[Claim]:
        """Every claim by which the player on turn can score a total, with every card that may be in their hand."""
        assert self.turn is not None
        held, serves = _droppable(self.opening, self.dropped, self.turn), DICE[len(self.dice)]
        result = [Claim("card", card) for card in members(held & WORTH.get(total, 0))]
        if serves == "multiple" and total % sum(self.dice) == 0:
            result.append(Claim("multiple"))
        if serves == "virtual" and total == sum(self.dice):
            result += [Claim("virtual", card) for card in members(held)]
        return result

    def legal(self) -> list[Move]:
        """Every possible next move. If a roll is due: every roll, dice in ascending order. Each play comes without a
        claim first, then with every claim."""
        if self.turn is None:
            return []
        if not self.turns:
            return [Roll(self.turn, dice) for dice in ROLLS]
        result: list[Move] = []
        for move in self.laying.legal():
            result.append(move)
            if isinstance(move, Play):
                total = self.line.lay(move.tile, move.end).total
                result += [move._replace(claim=claim) for claim in self.claims(total)]
        return result

    def offers(self) -> dict[str, Any]:
        """The offers of the tiles, and in addition:

        - ``roll``: whether a roll is due; ``rolls``: how many dice may be rolled; ``rolls_next``: who rolls next
        - ``dice``: the roll in force; ``turns``: for how many turns
        - ``total``: the total now; ``totals``: the total after each play, and the possible claims
        - ``cards``: for each seat, how many cards it holds, which it dropped, and which it may still have
        """
        offers = self.laying.offers()
        if self.turn is None:
            return offers
        seats, due = range(len(self.opening.players)), not self.turns
        if due:
            offers |= {"plays": {}, "pass": False, "draw": False}
        return {
            **offers,
            "roll": due,
            "rolls": list(DICE),
            "dice": [] if due else list(self.dice),
            "turns": self.turns,
            "rolls_next": self.rolls_next,
            "total": self.line.total,
            "totals": [self.made(parse(tile), end) for tile, ends in offers["plays"].items() for end in ends or [None]],
            "cards": [
                {
                    "held": held,
                    "dropped": dropped,
                    "droppable": _names(_droppable(self.opening, self.dropped, seat)),
                }
                for seat, held, dropped in zip(seats, self.cards_left(), self.dropped_names(), strict=True)
            ],
        }

    def made(self, tile: int, end: str | None) -> dict[str, Any]:
        """The total after a play, and the claims that the player on turn can make on it."""
        total = self.line.lay(tile, end).total
        claims = self.claims(total)
        return {
            "tile": NAMES[tile],
            "end": end,
            "total": total,
            "cards": [cards.NAMES[card] for by, card in claims if by == "card" and card is not None],
            "multiple": any(by == "multiple" for by, _ in claims),
            "virtual": any(by == "virtual" for by, _ in claims),
        }


class Dominards(Game[DominardsState]):
    slug = "dominards"
    name = marked("Dominards")
    seats = (2, 3, 4)
    opener_word = "leader"
    double_leads_first = True
    moves = {"roll": read_roll, "play": read_claiming_play, "draw": read_draw, "pass": read_pass}
    dealt = DEALT
    board = "star"
    starts_with_cards = CARDS
    scored_by_moves = True
    options = (HANDS,)

    def final(self, options: Mapping[str, Any]) -> FinalForm:
        return FinalForm(points=True, dropped=True, tiles=True)

    def leaders(self, opening: Opening) -> tuple[int, ...]:
        """The holder of the heaviest double leads; while the hands are hidden, that can be any seat."""
        return tuple(range(len(opening.players)))

    def lead(self, opening: Opening) -> str:
        return "doublet"

    def begin(self, opening: Opening) -> DominardsState:
        seats = len(opening.players)
        after = tuple((seat + 1) % seats for seat in range(seats))
        rules = LayingRules(DEALT, after, Kind.STAR, lead_double=True, draws=True)
        return DominardsState(LayingState.begin(opening, rules), _dropped_before(opening))

    def count(self, state: DominardsState, ending: Left | None) -> Outcome:
        assert state.end is not None
        if ending is not None:
            check_left(state.laying, ending)
        points = points_of(len(state.opening.players), state.scores)
        return Outcome(state.end, points, state.scores, state.dropped)

    def count_final(self, state: DominardsState, final: Mapping[str, Any]) -> Outcome:
        opening, out, seats = state.opening, final["out"], len(state.opening.players)
        dropped = _dropped_after(opening, final["dropped"])
        _check_game_end(opening, dropped, out)
        _check_tiles(state, final["tiles"], out)
        _check_moves(state, final["points"], dropped)
        claims = (
            Score((seat,), points, "claims", (Term(seat, "", points),))
            for seat, points in enumerate(final["points"])
            if points
        )
        scores = (*claims, *_bonuses(out, final["tiles"], dropped))
        return Outcome(_end(out, dropped), points_of(seats, scores), scores, dropped)

    def read_final(self, value: Any, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
        final = read.keyed(value, required=("points", "dropped", "tiles", "out"))
        return {
            "points": read.whole_numbers(final["points"], seats),
            "dropped": tuple(
                tuple(read.card(card) for card in read.listed(each)) for each in read.listed(final["dropped"], seats)
            ),
            "tiles": read.whole_numbers(final["tiles"], seats),
            "out": read.seat_or_none(final["out"], seats),
        }

    def check_final(self, opening: Opening, final: Mapping[str, Any]) -> None:
        claimed, laid = sum(final["points"]), COUNT - sum(final["tiles"])
        if claimed > laid * MOST_CLAIMED:
            raise opening.error(
                Illegal,
                Code.LEFT_MISMATCH,
                marked(
                    "{points} points cannot be claimed: at most {laid} tiles were laid, for up to {most} points each."
                ),
                None,
                points=claimed,
                laid=laid,
                most=MOST_CLAIMED,
            )

    def is_over(self, options: Mapping[str, Any], totals: Sequence[int], hands: int, last: Outcome) -> bool:
        return last.end.by == "dropped"


# --- cards -------------------------------------------------------------------------------------------------
def _dropped_before(opening: Opening) -> tuple[int, ...]:
    """The cards that each seat dropped in earlier hands, as masks."""
    return opening.previous.outcome.carried if opening.previous else (0,) * len(opening.players)


def _droppable(opening: Opening, dropped: Sequence[int], seat: int) -> int:
    """The mask of cards that this seat may still have: its own cards if known, else all cards with which nobody else
    began. Dropped cards are left out."""
    own = opening.cards[seat]
    if own is None:
        own = (1 << cards.COUNT) - 1 & ~union(known or 0 for known in opening.cards)
    return 0 if dropped[seat].bit_count() == CARDS else own & ~union(dropped)


def _check_card(opening: Opening, dropped: Sequence[int], seat: int, card: int, at: int | None) -> None:
    """Illegal if this seat cannot have this card."""
    if not _droppable(opening, dropped, seat) >> card & 1:
        raise opening.error(
            Illegal,
            Code.CARD_NOT_HELD,
            marked("{player} does not hold {card}."),
            at,
            player=opening.players[seat],
            card=cards.shown(card),
        )


def _with(dropped: tuple[int, ...], seat: int, card: int) -> tuple[int, ...]:
    return (*dropped[:seat], dropped[seat] | 1 << card, *dropped[seat + 1 :])


def _without_cards(dropped: Sequence[int]) -> int | None:
    """The seat that has dropped its last card; None if no seat has."""
    return next((seat for seat, gone in enumerate(dropped) if gone.bit_count() == CARDS), None)


def _names(held: int) -> list[str]:
    return [cards.NAMES[card] for card in members(held)]


# --- the end of a hand -------------------------------------------------------------------------------------
def _bonuses(out: int | None, tiles: Sequence[int], dropped: Sequence[int]) -> Iterator[Score]:
    """The score of the player who went ``out``, then the score for the last card dropped. ``tiles``: how many tiles
    each seat has left."""
    if out is not None:
        yield _bonus(out, "out", "1 for each tile", tiles, FOR_A_TILE)
    last = _without_cards(dropped)
    if last is not None:
        yield _bonus(last, "dropped", "2 for each card", [CARDS - gone.bit_count() for gone in dropped], FOR_A_CARD)


def _bonus(seat: int, reason: str, label: str, held: Sequence[int], worth: int) -> Score:
    terms = tuple(Term(other, label, number * worth) for other, number in enumerate(held) if other != seat)
    return Score((seat,), sum(term.value for term in terms), reason, terms)


def _end(out: int | None, dropped: Sequence[int]) -> End:
    """How a hand ended, by its final state."""
    last = _without_cards(dropped)
    if last is not None:
        return End("dropped", last)
    return End("blocked" if out is None else "out", out)


# --- the final state ---------------------------------------------------------------------------------------
def _dropped_after(opening: Opening, now: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The cards that each seat has dropped after a hand in which it dropped these. Illegal if it cannot have one, or
    has dropped it already."""
    dropped = _dropped_before(opening)
    for seat, named in enumerate(now):
        for card in named:
            _check_card(opening, dropped, seat, card, None)
            dropped = _with(dropped, seat, card)
    return dropped


def _check_game_end(opening: Opening, dropped: Sequence[int], out: int | None) -> None:
    """Illegal if two players ended the match. A last card ends it at once, so nobody else can drop theirs or go out."""
    ended = {seat for seat, gone in enumerate(dropped) if gone.bit_count() == CARDS}
    if len(ended | {out} - {None}) > 1:
        raise opening.error(
            Illegal,
            Code.MATCH_OVER,
            marked("{player} dropped their last card and ended the match. Nobody else can end it."),
            None,
            player=opening.players[min(ended)],
        )


def _check_tiles(state: DominardsState, tiles: Sequence[int], out: int | None) -> None:
    """Illegal if the seats cannot have these numbers of tiles left. Only the player who is out has none. Once the moves
    have ended the hand, the numbers are known; before that, a seat can have at most its tiles and the boneyard."""
    opening, held = state.opening, state.held()
    for seat, number in enumerate(tiles):
        most = held[seat] if state.end else held[seat] + state.laying.boneyard()
        can_be = TilesLeft(0, 0) if seat == out else TilesLeft(most if state.end else 1, most)
        if not can_be.least <= number <= can_be.most or (number == 0) != (seat == out):
            raise wrong_number(opening, seat, number, can_be)
    # At least the lead is on the table; if somebody is out, at least all the tiles dealt to them.
    laid = max(len(state.line.laid), 1 if out is None else DEALT)
    if sum(tiles) > COUNT - laid:
        raise opening.error(
            Illegal,
            Code.LEFT_MISMATCH,
            marked("{count} tiles cannot be left: at least {laid} of the {all} were laid. Count them again."),
            None,
            count=sum(tiles),
            laid=laid,
            all=COUNT,
        )


def _check_moves(state: DominardsState, points: Sequence[int], dropped: Sequence[int]) -> None:
    """Illegal if the final state has fewer points or dropped cards than the moves; if the moves have ended the hand,
    also if it has more."""
    opening = state.opening
    claims = points_of(len(points), [score for score in state.scores if score.reason in CLAIMS])
    for seat, made in enumerate(claims):
        missed = points[seat] < made or state.dropped[seat] & ~dropped[seat]
        added = points[seat] > made or dropped[seat] & ~state.dropped[seat]
        if missed or (state.end and added):
            raise opening.error(
                Illegal,
                Code.LEFT_MISMATCH,
                marked("In the moves, {player} claimed {points} points and dropped {cards}."),
                None,
                player=opening.players[seat],
                points=made,
                cards=", ".join(map(cards.shown, members(state.dropped[seat] & ~_dropped_before(opening)[seat])))
                or "–",
            )
