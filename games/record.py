"""A match as it is written down: ``scorekeeper-record/1``.

``read_record`` reads one whole before anything in it is judged; the classes here know no rules.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from games import read
from games.base import Draw, Game, Left, Move, Pass, Play
from games.errors import Code, GameError, Malformed, marked
from games.line import ENDS
from games.tiles import NAMES, names

FORMAT = "scorekeeper-record/1"
STOPPED = ("time", "hands", "abandoned")
NOTED = {Code.WRONG_PASS: "pass", Code.CANNOT_DRAW: "draw", Code.REVOKE: "play"}
"""The irregularities a table may let stand, with the type of move each is about."""


class Noted(NamedTuple):
    """An irregularity the table knows of and let stand."""

    hand: int
    move: int
    code: str

    def as_json(self) -> dict[str, Any]:
        return self._asdict()


class HandRecord(NamedTuple):
    opener: int
    deal: tuple[int | None, ...] | None = None
    moves: tuple[Move, ...] | None = None
    left: Left | None = None
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


# --- reading -----------------------------------------------------------------------------------------------
def read_record(value: Any, games: Mapping[str, Game[Any]]) -> Record:
    """A record; Malformed (also ``unknown-game``, ``wrong-seat-count``, ``bad-option``) if it cannot be read."""
    record = read.keyed(
        value,
        required=("format", "game", "players", "hands"),
        optional=("options", "stopped", "noted", "meta", "result"),
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
    )


def read_setting(
    games: Mapping[str, Game[Any]], game: Any, options: Any, players: Any
) -> tuple[Game[Any], dict[str, Any], tuple[str, ...]]:
    """What a match is played by, and by whom."""
    slug = read.text(game)
    if slug not in games:
        raise Malformed(marked("There is no game {game} here."), code=Code.UNKNOWN_GAME, game=read.shown(slug))
    rules = games[slug]
    names = tuple(read.text(player) for player in read.listed(players))
    if len(names) not in rules.seats:
        raise Malformed(
            marked("{game} is played by {seats}, not by {given}."),
            code=Code.WRONG_SEAT_COUNT,
            game=rules.name,
            seats=", ".join(map(str, rules.seats)),
            given=len(names),
        )
    return rules, rules.read_options(read.mapping(options)), names


def read_hand(value: Any, game: Game[Any], options: Mapping[str, Any], seats: int, number: int) -> HandRecord:
    """A hand of a record; errors are placed in hand ``number``."""
    try:
        hand = read.keyed(value, required=(game.opener_word,), optional=("deal", "moves", "left", "final"))
        if "moves" not in hand and "final" not in hand:
            raise Malformed(marked("{key} is missing."), key="moves")
        if "left" in hand and "final" in hand:
            raise Malformed(marked("{key} has no place here."), key="left")
        return HandRecord(
            read.seat(hand[game.opener_word], seats),
            read.deal(hand["deal"], seats, game.dealt) if "deal" in hand else None,
            tuple(_placed(read_move, each, game, seats, at) for at, each in enumerate(read.listed(hand["moves"])))
            if "moves" in hand
            else None,
            read.left(hand["left"], seats) if "left" in hand else None,
            game.read_final(hand["final"], options) if "final" in hand else None,
        )
    except Malformed as error:
        error.hand = number
        raise


def _placed(reader: Callable[[Any, Game[Any], int], Move], value: Any, game: Game[Any], seats: int, at: int) -> Move:
    try:
        return reader(value, game, seats)
    except Malformed as error:
        error.move = at
        raise


def read_move(value: Any, game: Game[Any], seats: int) -> Move:
    """A move as it is written in a record."""
    kind = read.one_of(read.mapping(value).get("type"), game.moves)
    if kind == "play":
        move = read.keyed(value, required=("seat", "type", "tile"), optional=("end",))
        end = read.one_of(move["end"], ENDS) if "end" in move else None
        return Play(read.seat(move["seat"], seats), read.tile(move["tile"]), end)
    if kind == "draw":
        move = read.keyed(value, required=("seat", "type", "count"), optional=("tiles",))
        count = read.whole(move["count"])
        if not count:
            raise Malformed(marked("A whole number is expected, not {value}."), value=0)
        tiles = read.tile_list(read.listed(move["tiles"], count)) if "tiles" in move else None
        return Draw(read.seat(move["seat"], seats), count, tiles)
    move = read.keyed(value, required=("seat", "type"))
    return Pass(read.seat(move["seat"], seats))


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
    """Malformed if there is no such entry, or it is none that can be irregular so."""
    if noted.move >= len(moves) or move_json(moves[noted.move])["type"] != NOTED[Code(noted.code)]:
        raise Malformed(marked("There is no entry that can be noted so."))


def _meta(value: Any) -> dict[str, str]:
    return {read.text(key): read.text(text) for key, text in read.mapping(value).items()}


def _result(value: Any, seats: int) -> Result:
    result = read.keyed(value, required=("totals", "winners"))
    totals = read.listed(result["totals"], seats)
    if not all(isinstance(total, int) and not isinstance(total, bool) for total in totals):
        raise Malformed(marked("Totals are whole numbers."))
    winners = tuple(read.seat(seat, seats) for seat in read.listed(result["winners"]))
    if len(set(winners)) != len(winners):
        raise Malformed(marked("A seat stands twice among the winners."))
    return Result(tuple(totals), tuple(sorted(winners)))


# --- writing -----------------------------------------------------------------------------------------------
def record_json(record: Record) -> dict[str, Any]:
    """The record as it is written; reading it gives the same record again."""
    result = record.result
    return {
        "format": FORMAT,
        "game": record.game.slug,
        "options": dict(record.options),
        "players": list(record.players),
        "hands": [hand_json(hand, record.game) for hand in record.hands],
        **({"stopped": record.stopped} if record.stopped else {}),
        **({"noted": [noted.as_json() for noted in record.noted]} if record.noted else {}),
        **({"meta": dict(record.meta)} if record.meta is not None else {}),
        **({"result": {"totals": list(result.totals), "winners": list(result.winners)}} if result else {}),
    }


def hand_json(hand: HandRecord, game: Game[Any]) -> dict[str, Any]:
    return {
        game.opener_word: hand.opener,
        **({"deal": [None if d is None else names(d) for d in hand.deal]} if hand.deal is not None else {}),
        **({"moves": [move_json(move) for move in hand.moves]} if hand.moves is not None else {}),
        **({"left": left_json(hand.left)} if hand.left is not None else {}),
        **({"final": final_json(hand.final)} if hand.final is not None else {}),
    }


def left_json(left: Left) -> list[Any]:
    return [said if isinstance(said, int) else [NAMES[tile] for tile in said] for said in left]


def final_json(final: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: left_json(value) if key == "left" else list(value) if isinstance(value, tuple) else value
        for key, value in final.items()
    }


def move_json(move: Move) -> dict[str, Any]:
    if isinstance(move, Play):
        end = {} if move.end is None else {"end": move.end}
        return {"seat": move.seat, "type": "play", "tile": NAMES[move.tile], **end}
    if isinstance(move, Draw):
        tiles = {} if move.tiles is None else {"tiles": [NAMES[tile] for tile in move.tiles]}
        return {"seat": move.seat, "type": "draw", "count": move.number, **tiles}
    return {"seat": move.seat, "type": "pass"}


__all__ = [
    "FORMAT",
    "GameError",
    "HandRecord",
    "Noted",
    "Record",
    "Result",
    "read_hand",
    "read_move",
    "read_record",
    "record_json",
]
