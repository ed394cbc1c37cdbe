"""The notation: a match as a text that a person reads and types, in the spirit of PGN.

It says what a record says and knows no rules: ``read`` gives the value of a record's JSON, which ``games.record`` then
judges; ``write`` writes such a value. Hands, moves and seats count from 1, as people count; those of a record from 0.

    match    = { header | hand }
    header   = "[" ( Game text | Players { text } | Options { key value } | Cards { item } | Stopped text | Meta
                   | Noted { hand "." move code } | Result { number } [ won { seat } ] | key text ) "]"
    hand     = number "." ( leader | opener | dealer ) seat { [ seat ":" ] move [ "?" ] | "-" | clause } [ final ]
    clause   = ( deal | left | tricks ) { item }
    final    = final { contract | ( table | left | bad | tricks | points | dropped | tiles ) { item }
                     | ( out | last | reached ) ( seat | "-" ) }
    move     = tile [ end ] [ "=" suit ] [ "=" claim ] | pass | "+" count [ list ] | roll list | contract
             | "-" count [ list ] [ "+" list ] | card "@" cell
    contract = ( evens | odds | zero | domizerka ) [ "=" trump ]
    claim    = card | multiple | virtual "(" card ")"
    item     = number | list | "?"                    ("?": not known)
    list     = "(" { tile | card | number } ")"
    seat     = a player's name as text | "#" number
    text     = a JSON string | a word
    value    = text | number | true | false | null

- Items go by seat. In a move there are no blanks, but for those in a list; commas are blanks everywhere.
- The first move of a hand is the opener's (after a dealer, the next player's), each later one the next player's
  clockwise, or the same player's after a draw, a roll or a contract. Where it is otherwise the seat is said.
- ``?`` after a move notes its irregularity, which was let stand; the header Noted can note any place.
- ``-`` says that there are no moves, which needs to be said before ``final`` only: else a hand has moves, maybe none.
- Any other header is an entry of ``meta``. Its key is in quotes if it is no word, or one of our words.
- ``{…}`` and ``;`` to the end of the line are comments. A line that begins with ``[Game`` begins a match, whatever
  stands before it; so no mistake reaches beyond its own match.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from games import read as reading
from games.errors import Code, Malformed, marked
from games.record import FORMAT
from games.tiles import NAMES

WIDTH = 80
"""Columns of a line, as far as it can be parted."""
INDENT = "\n   "
"""How a header or a hand goes on in the next line."""
LONGEST = 20
"""Characters of a name that is said again in the hands; who has a longer one is called by the seat."""

T = TypeVar("T")

# --- spellings ---------------------------------------------------------------------------------------------
_NUMBER = f"[0-9]{{1,{len(str(reading.LARGEST)) - 1}}}"
_TILE = "|".join(NAMES)
_CARD = "[A2-9TJQK][CDHS]"
_LIST = rf"\([\s,]*+(?:(?:{_TILE}|{_CARD}|{_NUMBER})(?:[\s,]++|(?=\))))*+\)"
_LOOKS = {
    **dict.fromkeys(("count", "suit", "trump"), _NUMBER),
    **dict.fromkeys(("tiles", "drawn", "dice"), _LIST),
    **dict.fromkeys(("card", "drop"), _CARD),
    "claim": rf"{_CARD}|multiple|virtual\({_CARD}\)",
    "contract": "evens|odds|zero|domizerka",
    "tile": _TILE,
    "end": "[wens]",
    "at": "r[1-4]c[1-4]",
}
"""How the value of each key is written."""


class _Spelling:
    """How an entry is written: ``{key}`` is the value of a key, what stands in brackets may be missing."""

    def __init__(self, template: str) -> None:
        self.parts: list[tuple[str, str]] = []
        """Each with the key without which it is left out; "" if it never is."""
        pattern = ""
        for part, key in re.findall(r"(\[[^]]*\{(\w+)\}[^]]*\]|[^[]+)", template):
            text = part.strip("[]")
            self.parts.append((text, key))
            looks = re.sub(r"\\\{(\w+)\\\}", lambda name: f"(?P<{name[1]}>{_LOOKS[name[1]]})", re.escape(text))
            pattern += f"(?:{looks})?" if key else looks
        self.pattern = re.compile(pattern)

    def read(self, word: str) -> dict[str, Any] | None:
        """The keys with their values; None if the word is not spelled so."""
        found = self.pattern.fullmatch(word)
        if found is None:
            return None
        return {
            key: _claim(said) if key == "claim" else _value(said) for key, said in found.groupdict().items() if said
        }

    def write(self, entry: Mapping[str, Any]) -> str:
        words = {key: _spelled(value) for key, value in entry.items()}
        return "".join(text.format_map(words) for text, key in self.parts if not key or key in entry)


_MOVES = {
    "play": _Spelling("{tile}[{end}][={suit}][={claim}]"),
    "pass": _Spelling("pass"),
    "draw": _Spelling("+{count}[{tiles}]"),
    "roll": _Spelling("roll{dice}"),
    "contract": _Spelling("{contract}[={trump}]"),
    "discard": _Spelling("-{count}[{tiles}][+{drawn}]"),
    "place": _Spelling("{card}@{at}"),
}
_CLAIMS = {"card": _Spelling("{card}"), "multiple": _Spelling("multiple"), "virtual": _Spelling("virtual({drop})")}
_NOTED = {"play": Code.REVOKE, "pass": Code.WRONG_PASS, "draw": Code.CANNOT_DRAW}
"""What ``?`` notes after a move of each type."""

_STAYS = ("draw", "roll", "contract")
"""After these it is the same player's move."""
_OPENERS = ("leader", "opener", "dealer")
_BEFORE, _AFTER = ("deal",), ("left", "tricks")
"""What a hand says by seat before its moves and after them."""
_FINAL = ("table", "left", "bad", "tricks", "points", "dropped", "tiles")
_FINAL_SEATS = ("out", "last", "reached")
_CONSTANTS = {"true": True, "false": False, "null": None}

_ITEM = re.compile(rf"\?|{_NUMBER}|{_LIST}")
_WHOLE = re.compile(f"-?{_NUMBER}")
_SEAT = re.compile(f"#({_NUMBER})")
_NUMBERED = re.compile(r"[0-9]+\.")
_PLACE = re.compile(rf"({_NUMBER})\.({_NUMBER})")


def _value(said: str) -> Any:
    """What an item, or an element of a list, says."""
    if said.startswith("("):
        return [_value(each) for each in said[1:-1].replace(",", " ").split()]
    if said == "?":
        return None
    return int(said) if said.isdecimal() else said


def _claim(said: str) -> dict[str, Any]:
    return next({"by": by, **found} for by, way in _CLAIMS.items() if (found := way.read(said)) is not None)


def _spelled(value: Any) -> str:
    if isinstance(value, Mapping):
        return _CLAIMS[value["by"]].write(value)
    if isinstance(value, list):
        return f"({' '.join(map(_spelled, value))})"
    return "?" if value is None else str(value)


def _turn(hand: Mapping[str, Any], last: Mapping[str, Any] | None, seats: int) -> int:
    """Whose move comes after the last one, or first in this hand, if it is not said."""
    if last is None:
        opener = _opener(hand)
        return int(hand[opener] + (opener == "dealer")) % seats
    return int(last["seat"] + (last["type"] not in _STAYS)) % seats


def _opener(hand: Mapping[str, Any]) -> str:
    return next(key for key in _OPENERS if key in hand)


# --- reading -----------------------------------------------------------------------------------------------
_TEXT = r'"(?:[^"\\\n]++|\\.)*+"'
_WORD = r'(?:[^][\s,\ufeff(){}";:]++|\([^()]*+\))++'
_TOKEN = re.compile(
    rf"""(?:[\s,\ufeff]++ | ;[^\n]*+ | {{[^}}]*+}})*+ ()
    (?: (?P<word>{_WORD})(?!:) | (?P<text>{_TEXT})(?!:) | (?P<seat>(?:{_WORD}|{_TEXT}):)
      | (?P<open>\[) | (?P<close>\]) | (?P<end>\Z) | (?P<stray>.) )""",
    re.VERBOSE,
)
"""Blanks and comments, then a token, whatever it is; the empty group is where it begins."""
_GAME = re.compile(r'^[ \t\ufeff]*+\[\s*+Game(?=[\s"])', re.MULTILINE | re.IGNORECASE)
_STRINGS = json.JSONDecoder(strict=False)


def read(text: str | bytes) -> dict[str, Any]:
    """The record of a text with one match, as the value of its JSON; Malformed says which line is wrong."""
    matches = _matches(text)
    line, only = next(matches, (1, ""))
    record = _Reader(only, line).record()
    for line, _another in matches:
        raise Malformed(marked("Line {line}: a second match begins here."), line=line)
    return record


def read_all(text: str | bytes) -> Iterator[dict[str, Any] | Malformed]:
    """The records of all matches in order; in the place of one that cannot be read, what is wrong with it."""
    for line, one in _matches(text):
        try:
            result: dict[str, Any] | Malformed = _Reader(one, line).record()
        except Malformed as error:
            result = error.with_traceback(None)  # which would keep the text of the match
        yield result


def _matches(text: str | bytes) -> Iterator[tuple[int, str]]:
    """The number of each match's first line, and its text."""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "surrogateescape")
    line, begin = 1, 0
    while begin < len(text):
        later = _GAME.search(text, begin + 1)
        end = later.start() if later else len(text)
        one = text[begin:end]
        if begin or next(_TOKEN.finditer(one)).lastgroup != "end":
            yield line, one
        line += one.count("\n")
        begin = end


class _Reader:
    """Reads one match. What is found wrong is the token that was taken last."""

    def __init__(self, text: str, line: int) -> None:
        self.text = text
        self.line = line
        self.tokens = _TOKEN.finditer(text)
        self.token = self.taken = next(self.tokens)
        self.headers: dict[str, Any] = {}
        self.meta: dict[str, str] = {}
        self.hands: list[dict[str, Any]] = []
        self.noted: list[dict[str, Any]] = []
        self.seats: dict[str, int | None] = {}
        """The seat that a name means; None where it means two."""

    def record(self) -> dict[str, Any]:
        while self.token.lastgroup != "end":
            if self.coming("open"):
                self.header()
            else:
                self.hand()
        for key in ("game", "players"):
            if key not in self.headers:
                raise Malformed(marked("Line {line}: this match has no {key}."), line=self.line, key=key)
        if self.noted:
            self.headers["noted"] = self.headers.get("noted", []) + self.noted
        if self.meta:
            self.headers["meta"] = self.meta
        return {"format": FORMAT, **self.headers, "hands": self.hands}

    # tokens
    def coming(self, *kinds: str) -> str | None:
        """The next token, which is not taken; None if it is of another kind."""
        kind = self.token.lastgroup
        return self.token[kind] if kind in kinds else None

    def take(self, *kinds: str) -> str:
        """The next token, which must be of one of these kinds."""
        token = self.taken = self.token
        kind = token.lastgroup or ""
        if kind == "end":
            raise self.wrong(marked("Line {line}: something is missing at the end of this match."))
        if kind == "stray":
            raise self.wrong(marked("Line {line}: {said} is not closed, or not expected here."))
        if kind not in kinds:
            raise self.wrong()
        self.token = next(self.tokens)
        return token[kind]

    def wrong(self, template: str = marked("Line {line}: unexpected {said}."), **facts: Any) -> Malformed:
        begin, end = self.taken.start(1), self.taken.end()
        line = self.line + self.text.count("\n", 0, begin)
        return Malformed(template, line=line, said=reading.shown(self.text[begin:end]), **facts)

    # values
    def string(self, said: str) -> str:
        """What a text or a word says."""
        try:
            return reading.text(_STRINGS.decode(said) if said.startswith('"') else said)
        except (ValueError, Malformed) as reason:
            raise self.wrong(marked("Line {line}: this text has characters that cannot be written.")) from reason

    def name(self) -> str:
        return self.string(self.take("text", "word"))

    def put(self, known: dict[str, Any], key: str, value: Callable[[], Any]) -> None:
        """Reads the value of a key, which must be new."""
        if key in known:
            raise self.wrong(marked("Line {line}: {key} appears twice."), key=reading.shown(key))
        known[key] = value()

    def number(self) -> int:
        word = self.take("word")
        if not _WHOLE.fullmatch(word):
            raise self.wrong()
        return int(word)

    def option(self) -> Any:
        word = self.coming("word")
        if word in _CONSTANTS:
            return _CONSTANTS[self.take("word")]
        return self.number() if word and word.removeprefix("-").isdecimal() else self.name()

    def seat(self, *kinds: str) -> int:
        said = self.take(*kinds).removesuffix(":")
        by_number = _SEAT.fullmatch(said)
        seat = int(by_number[1]) - 1 if by_number else self.seats.get(self.string(said))
        if seat is None or not 0 <= seat < len(self.headers.get("players", ())):
            raise self.wrong(marked("Line {line}: it is not clear which player {said} is."))
        return seat

    def nobody_or_seat(self) -> int | None:
        if self.coming("word") != "-":
            return self.seat("text", "word")
        self.take("word")
        return None

    def items(self) -> list[Any]:
        result = []
        while (word := self.coming("word")) and _ITEM.fullmatch(word):
            result.append(_value(self.take("word")))
        return result

    # headers
    def header(self) -> None:
        self.take("open")
        word = (self.coming("word") or "").lower()
        name = self.name()
        if word in _HEADERS:
            self.put(self.headers, word, partial(_HEADERS[word], self))
        else:
            self.put(self.meta, name, self.name)
        self.take("close")

    def each(self, one: Callable[[], T]) -> list[T]:
        """All that is said up to the end of the header."""
        result = []
        while not self.coming("close"):
            result.append(one())
        return result

    def players(self) -> list[str]:
        names = self.each(self.name)
        for seat, name in enumerate(names):
            self.seats[name] = None if name in self.seats else seat
        return names

    def options(self) -> dict[str, Any]:
        result: dict[str, Any] = {}
        while not self.coming("close"):
            self.put(result, self.name(), self.option)
        return result

    def note(self) -> dict[str, Any]:
        place = _PLACE.fullmatch(self.take("word"))
        if not place or not int(place[1]) or not int(place[2]):
            raise self.wrong()
        return {"hand": int(place[1]) - 1, "move": int(place[2]) - 1, "code": self.name()}

    def result(self) -> dict[str, Any]:
        totals = []
        while (word := self.coming("word")) and word != "won":
            totals.append(self.number())
        if word:
            self.take("word")
        return {"totals": totals, "winners": self.each(lambda: self.seat("text", "word"))}

    # hands
    def hand(self) -> None:
        number = len(self.hands) + 1
        if self.take("word") != f"{number}.":
            raise self.wrong(marked("Line {line}: expected hand {number}, not {said}."), number=number)
        opener = self.take("word")
        if opener not in _OPENERS:
            raise self.wrong(marked("Line {line}: expected leader, opener or dealer, not {said}."))
        hand: dict[str, Any] = {opener: self.seat("text", "word")}
        self.hands.append(hand)
        moves: list[dict[str, Any]] = []
        while said := self.coming("seat", "word"):
            if said in _BEFORE + _AFTER:
                self.put(hand, self.take("word"), self.items)
            elif said == "-":
                self.take("word")
                hand["moves"] = moves
            elif said == "final" or _NUMBERED.fullmatch(said):
                break
            else:
                turn = _turn(hand, moves[-1] if moves else None, len(self.headers["players"]))
                moves.append(self.move(self.seat("seat") if self.coming("seat") else turn, len(moves)))
        if said == "final":
            self.take("word")
            hand["final"] = self.final()
        if moves or "final" not in hand:
            hand["moves"] = moves

    def move(self, seat: int, number: int) -> dict[str, Any]:
        word = self.take("word")
        kept = word.removesuffix("?")
        for kind, spelling in _MOVES.items():
            found = spelling.read(kept)
            if found is not None and (kept == word or kind in _NOTED):
                if kept != word:
                    self.noted.append({"hand": len(self.hands) - 1, "move": number, "code": str(_NOTED[kind])})
                return {"seat": seat, "type": kind, **found}
        raise self.wrong(marked("Line {line}: {said} is not a move."))

    def final(self) -> dict[str, Any]:
        result: dict[str, Any] = {}
        while word := self.coming("word"):
            if contract := _MOVES["contract"].read(word):
                self.take("word")
                self.put(result, "contract", lambda: None)
                result |= contract
            elif word in _FINAL:
                self.put(result, self.take("word"), self.items)
            elif word in _FINAL_SEATS:
                self.put(result, self.take("word"), self.nobody_or_seat)
            else:
                break
        return result


_HEADERS: Mapping[str, Callable[[_Reader], Any]] = {
    "game": _Reader.name,
    "players": _Reader.players,
    "options": _Reader.options,
    "cards": _Reader.items,
    "stopped": _Reader.name,
    "noted": lambda reader: reader.each(reader.note),
    "result": _Reader.result,
    "meta": lambda _reader: {},
}


# --- writing -----------------------------------------------------------------------------------------------
def write(record: Mapping[str, Any]) -> str:
    """The text of a record, given as the value of its JSON; reading it gives this value again.

    Malformed if something is in it that the notation has no words for.
    """
    names = _names(record["players"])
    marks = _marks(record)
    hands = (_hand(hand, number, names, marks) for number, hand in enumerate(record["hands"]))
    text = "\n".join([*_headers(record, names, marks), *(f"\n{hand}" for hand in hands), ""])
    if list(read_all(text)) != [record]:
        raise Malformed(marked("This record has something that the notation cannot write."))
    return text


def _headers(record: Mapping[str, Any], names: Sequence[str], marks: set[tuple[int, int]]) -> Iterator[str]:
    yield _header("Game", [_quoted(record["game"])])
    if record.get("meta") == {}:
        yield _header("Meta", [])
    for key, text in record.get("meta", {}).items():
        yield _header(_quoted(key) if key.lower() in _HEADERS else _word(key), [_quoted(text)])
    yield _header("Players", map(_quoted, record["players"]))
    if "options" in record:
        *options, last = [f"{_word(key)} {_option(value)}" for key, value in record["options"].items()] or [""]
        yield _header("Options", [*(f"{option}," for option in options), last])
    if "cards" in record:
        yield _header("Cards", map(_spelled, record["cards"]))
    if "stopped" in record:
        yield _header("Stopped", [_quoted(record["stopped"])])
    if "noted" in record and not marks:
        yield _header("Noted", (f"{at['hand'] + 1}.{at['move'] + 1} {_quoted(at['code'])}" for at in record["noted"]))
    if "result" in record:
        won = [names[seat] for seat in record["result"]["winners"]]
        yield _header("Result", [*map(str, record["result"]["totals"]), *(["won", *won] if won else [])])


def _hand(hand: Mapping[str, Any], number: int, names: Sequence[str], marks: set[tuple[int, int]]) -> str:
    moves: list[str] = []
    last = None
    for at, move in enumerate(hand.get("moves", ())):
        seat = "" if move["seat"] == _turn(hand, last, len(names)) else f"{names[move['seat']]}: "
        moves.append(seat + _MOVES[move["type"]].write(move) + "?" * ((number, at) in marks))
        last = move
    parts = [
        [f"{number + 1}. {_opener(hand)} {names[hand[_opener(hand)]]}"],
        *([key, *map(_spelled, hand[key])] for key in _BEFORE if key in hand),
        moves or ["-"] * (hand.keys() >= {"moves", "final"}),
        *([key, *map(_spelled, hand[key])] for key in _AFTER if key in hand),
        [*_final(hand["final"], names)] if "final" in hand else [],
    ]
    return INDENT.join(_wrapped(part) for part in parts if part)


def _final(final: Mapping[str, Any], names: Sequence[str]) -> Iterator[str]:
    yield "final"
    if "contract" in final:
        yield _MOVES["contract"].write(final)
    for key in _FINAL:
        if key in final:
            yield from (key, *map(_spelled, final[key]))
    for key in _FINAL_SEATS:
        if key in final:
            yield f"{key} {'-' if final[key] is None else names[final[key]]}"


def _marks(record: Mapping[str, Any]) -> set[tuple[int, int]]:
    """The noted places, hand and move, if marks after these moves say just what the record says; else none."""
    noted = record.get("noted", [])
    places = {(each["hand"], each["move"]) for each in noted}
    marked_so = [
        {"hand": number, "move": at, "code": _NOTED.get(move["type"])}
        for number, hand in enumerate(record["hands"])
        for at, move in enumerate(hand.get("moves", ()))
        if (number, at) in places
    ]
    return places if marked_so == noted else set()


def _names(players: Sequence[str]) -> list[str]:
    """What each player is called in the hands: the name if it is short and nobody else's, else the seat."""
    times = Counter(players)
    return [
        _word(name) if times[name] == 1 and len(name) <= LONGEST else f"#{number}"
        for number, name in enumerate(players, 1)
    ]


def _option(value: Any) -> str:
    if isinstance(value, str):
        return _quoted(value) if value in _CONSTANTS else _word(value)
    return json.dumps(value)


def _word(text: str) -> str:
    """The text as a word if it can be one, else in quotes."""
    return text if text.isidentifier() else _quoted(text)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _header(name: str, words: Iterable[str]) -> str:
    return f"[{_wrapped([name, *words])}]"


def _wrapped(words: Iterable[str]) -> str:
    """The words in lines of ``WIDTH`` columns, as far as they go into them."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(word) < WIDTH - len(INDENT):
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return INDENT.join(lines)
