"""Records of matches: the format ``scorekeeper-record/1``, read and written.

This module knows no rules of play: ``read_record`` reads a whole record, and the rules are checked later.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from games import cards, read, tiles
from games.base import Game
from games.errors import Code, Malformed, marked
from games.moves import Move, Reader, move_json, move_type

FORMAT = "scorekeeper-record/1"
STOPPED = ("time", "hands", "abandoned")
EARLY = {
    "early": "ended early",
    "last-hand": "ended after the last hand",
    "night-closed": "ended when the night was closed",
    "tournament-closed": "ended when the tournament was closed",
}
"""What else can end a match whose score counts. A record has only ``time`` for these, and the text in ``meta``."""
NOTED = {Code.WRONG_PASS: "pass", Code.CANNOT_DRAW: "draw", Code.REVOKE: "play"}
"""The irregularities that players can note and leave as they are, each with its type of move."""


class Noted(NamedTuple):
    """An irregularity that the players noted and left as it is."""

    hand: int
    move: int
    code: str

    def as_json(self) -> dict[str, Any]:
        return self._asdict()


class Substitute(NamedTuple):
    """A player who took over a seat, from this hand on."""

    hand: int
    seat: int
    player: str

    def as_json(self) -> dict[str, Any]:
        return self._asdict()


class Abandoned(NamedTuple):
    """A hand that was given up unfinished. The next hand got its number."""

    hand: int
    opener: int
    moves: int
    """The number of moves made in it."""
    why: str = ""

    def as_json(self) -> dict[str, Any]:
        return self._asdict()


class HandRecord(NamedTuple):
    opener: int
    deal: tuple[int | None, ...] | None = None
    moves: tuple[Move, ...] | None = None
    ending: Any = None
    """What the record adds after the moves, by the game's ``ending_key``: ``left`` or ``tricks``."""
    final: Mapping[str, Any] | None = None


class Result(NamedTuple):
    totals: tuple[int, ...]
    winners: tuple[int, ...]


class Record(NamedTuple):
    game: Game[Any]
    options: Mapping[str, Any]
    players: tuple[str, ...]
    hands: tuple[HandRecord, ...] = ()
    stopped: str | None = None
    noted: tuple[Noted, ...] = ()
    meta: Mapping[str, str] | None = None
    result: Result | None = None
    cards: tuple[int | None, ...] | None = None
    """The cards with which each seat began, as masks; None if not known."""
    substitutes: tuple[Substitute, ...] = ()
    """In the order of their hands. Written only as a text in ``meta``, which is not read back."""
    abandoned: tuple[Abandoned, ...] = ()
    """In the order in which they were given up. Also written only as a text in ``meta``."""

    @property
    def totals_alone(self) -> tuple[int, ...] | None:
        """The totals of a record that has a result but no hands; None for other records."""
        over = self.result and (self.result.winners or self.stopped)
        return self.result.totals if self.result and over and not self.hands else None


# --- reading -----------------------------------------------------------------------------------------------
def read_record(value: Any, games: Mapping[str, Game[Any]]) -> Record:
    """Reads a record. Malformed (also with ``unknown-game``, ``wrong-seat-count`` or ``bad-option``) if it cannot."""
    record = read.keyed(
        value,
        required=("format", "game", "players", "hands"),
        optional=("options", "stopped", "noted", "meta", "result", "cards"),
    )
    if record["format"] != FORMAT:
        raise Malformed(marked("This program reads the format {format}."), format=FORMAT)
    game, options, players = read_setting(games, record["game"], record.get("options", {}), record["players"])
    hands = tuple(
        read_hand(hand, game, options, len(players), number) for number, hand in enumerate(read.listed(record["hands"]))
    )
    return Record(
        game,
        options,
        players,
        hands,
        read.one_of(record["stopped"], STOPPED) if "stopped" in record else None,
        tuple(dict.fromkeys(_noted(each, hands) for each in read.listed(record.get("noted", [])))),
        _meta(record["meta"]) if "meta" in record else None,
        _result(record["result"], len(players)) if "result" in record else None,
        read_cards(record["cards"], game, len(players)) if "cards" in record else None,
    )


def read_setting(
    games: Mapping[str, Game[Any]], game: Any, options: Any, players: Any
) -> tuple[Game[Any], dict[str, Any], tuple[str, ...]]:
    """Reads the game, its options and the players of a match."""
    slug = read.text(game)
    if slug not in games:
        raise Malformed(marked("There is no game {game}."), code=Code.UNKNOWN_GAME, game=read.shown(slug))
    rules = games[slug]
    names = tuple(read.text(player) for player in read.listed(players))
    check_seats(rules, len(names))
    return rules, rules.read_options(read.mapping(options)), names


def check_seats(game: Game[Any], given: int) -> None:
    """Raises Malformed (``wrong-seat-count``) if the game cannot be played by ``given`` players."""
    if given not in game.seats:
        raise Malformed(
            marked("{game} is for {seats} players, not {given}."),
            code=Code.WRONG_SEAT_COUNT,
            game=game.name,
            seats=", ".join(map(str, game.seats)),
            given=given,
        )


def read_cards(value: Any, game: Game[Any], seats: int) -> tuple[int | None, ...]:
    """The cards with which each seat begins the match, as masks; None if not known."""
    if not game.starts_with_cards:
        raise Malformed(marked("Unexpected key: {key}."), key="cards")
    return read.deal(value, seats, game.starts_with_cards, read.card)


def read_hand(value: Any, game: Game[Any], options: Mapping[str, Any], seats: int, number: int) -> HandRecord:
    """Reads a hand. An error gets the number of the hand."""
    try:
        ending = game.ending_key
        hand = read.keyed(value, required=(game.opener_word,), optional=("deal", "moves", *_one(ending), "final"))
        if "moves" not in hand and "final" not in hand:
            raise Malformed(marked("{key} is missing."), key="moves")
        if "final" in hand and ending in hand:
            raise Malformed(marked("Unexpected key: {key}."), key=ending)
        return HandRecord(
            read.seat(hand[game.opener_word], seats),
            read_deal(hand["deal"], game, seats) if "deal" in hand else None,
            _read_moves(hand["moves"], game, seats) if "moves" in hand else None,
            read_ending(hand[ending], game, seats) if ending is not None and ending in hand else None,
            read_final(hand["final"], game, options, seats) if "final" in hand else None,
        )
    except Malformed as error:
        error.hand = number
        raise


def _one(key: str | None) -> tuple[str, ...]:
    return () if key is None else (key,)


def read_deal(value: Any, game: Game[Any], seats: int) -> tuple[int | None, ...]:
    """What each seat was dealt, as masks; None if not known."""
    return read.deal(value, seats, game.dealt, read.card if game.deals_cards else read.tile)


def read_final(value: Any, game: Game[Any], options: Mapping[str, Any], seats: int) -> dict[str, Any]:
    """The final state of a hand."""
    with read.field("final"):
        return game.read_final(value, options, seats)


def read_ending(value: Any, game: Game[Any], seats: int) -> Any:
    """What each seat has left, or its tricks, by the game's ``ending_key``."""
    return read.left(value, seats) if game.ending_key == "left" else read.whole_numbers(value, seats)


def _read_moves(value: Any, game: Game[Any], seats: int) -> tuple[Move, ...]:
    moves: list[Move] = []
    try:
        for each in read.listed(value):
            moves.append(read_move(each, game.moves, seats))
    except Malformed as error:
        error.move = len(moves) if isinstance(value, list) else None
        raise
    return tuple(moves)


def read_move(value: Any, readers: Mapping[str, Reader], seats: int) -> Move:
    """Reads a move."""
    try:
        reader = readers[value["type"]]
    except (KeyError, TypeError) as reason:
        raise Malformed(
            marked("{value} is not one of: {choices}."),
            value=read.shown(read.mapping(value).get("type")),
            choices=", ".join(readers),
        ) from reason
    return reader(value, seats)


def _noted(value: Any, hands: Sequence[HandRecord]) -> Noted:
    noted = read_noted(value)
    moves = hands[noted.hand].moves if noted.hand < len(hands) else None
    check_noted(noted, moves or ())
    return noted


def read_noted(value: Any) -> Noted:
    noted = read.keyed(value, required=("hand", "move", "code"))
    code = read.one_of(noted["code"], [str(code) for code in NOTED])
    return Noted(read.whole(noted["hand"]), read.whole(noted["move"]), code)


def check_noted(noted: Noted, moves: Sequence[Move]) -> None:
    """Malformed if there is no such move, or if it cannot have this irregularity."""
    if noted.move >= len(moves) or move_type(moves[noted.move]) != NOTED[Code(noted.code)]:
        raise Malformed(marked("This entry cannot have that irregularity."))


def _meta(value: Any) -> dict[str, str]:
    return {read.text(key): read.text(text) for key, text in read.mapping(value).items()}


def _result(value: Any, seats: int) -> Result:
    result = read.keyed(value, required=("totals", "winners"))
    totals = tuple(read.number(total) for total in read.listed(result["totals"], seats))
    winners = tuple(read.seat(seat, seats) for seat in read.listed(result["winners"]))
    if len(set(winners)) != len(winners):
        raise Malformed(marked("A seat appears twice among the winners."))
    return Result(totals, tuple(sorted(winners)))


# --- writing -----------------------------------------------------------------------------------------------
def record_json(record: Record) -> dict[str, Any]:
    """The record as JSON values. ``read_record`` reads them back."""
    result = record.result
    return {
        "format": FORMAT,
        "game": record.game.slug,
        "options": dict(record.options),
        "players": list(record.players),
        **({"cards": deal_json(record.cards, cards.NAMES)} if record.cards is not None else {}),
        "hands": [hand_json(hand, record.game) for hand in record.hands],
        **({"stopped": written(record.stopped)} if record.stopped else {}),
        **({"noted": [noted.as_json() for noted in record.noted]} if record.noted else {}),
        **({"meta": dict(record.meta)} if record.meta is not None else {}),
        **({"result": {"totals": list(result.totals), "winners": list(result.winners)}} if result else {}),
    }


def written(stopped: str | None) -> str | None:
    """What ended a match, as a record and a sheet have it."""
    return "time" if stopped in EARLY else stopped


def hand_json(hand: HandRecord, game: Game[Any]) -> dict[str, Any]:
    return {
        game.opener_word: hand.opener,
        **({"deal": deal_json(hand.deal, piece_names(game))} if hand.deal is not None else {}),
        **({"moves": [move_json(move) for move in hand.moves]} if hand.moves is not None else {}),
        **({str(game.ending_key): _values_json(hand.ending)} if hand.ending is not None else {}),
        **({"final": final_json(hand.final)} if hand.final is not None else {}),
    }


def piece_names(game: Game[Any]) -> Sequence[str]:
    """The names of the tiles or cards that are dealt in this game."""
    return cards.NAMES if game.deals_cards else tiles.NAMES


def deal_json(deal: Sequence[int | None], names: Sequence[str]) -> list[list[str] | None]:
    return [None if hand is None else [names[n] for n in reversed([*tiles.members(hand)])] for hand in deal]


def _values_json(values: Sequence[Any]) -> list[Any]:
    """Numbers unchanged, tiles by name."""
    return [value if isinstance(value, int) else [tiles.NAMES[tile] for tile in value] for value in values]


def final_json(final: Mapping[str, Any]) -> dict[str, Any]:
    """The final state as JSON values, with cards and tiles by name."""
    return {
        key: [[cards.NAMES[card] for card in each] for each in value]
        if key == "dropped"
        else _values_json(value)
        if isinstance(value, tuple)
        else value
        for key, value in final.items()
    }
