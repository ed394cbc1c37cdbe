"""Reads matches in the notation."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeVar

from games import read as reading
from games.errors import Malformed, marked
from games.notation.spelling import (
    AFTER,
    BEFORE,
    CONSTANTS,
    FINAL,
    FINAL_SEATS,
    LIST,
    MOVES,
    NOTED,
    NUMBER,
    OPENERS,
    next_seat,
    value_of,
)
from games.record import FORMAT

T = TypeVar("T")

_ITEM = re.compile(rf"\?|{NUMBER}|{LIST}")
_WHOLE = re.compile(f"-?{NUMBER}")
_SEAT = re.compile(f"#({NUMBER})")
_NUMBERED = re.compile(r"[0-9]+\.")
_HAND_AND_MOVE = re.compile(rf"({NUMBER})\.({NUMBER})")

# In some releases of Python 3.11 (Debian 12 has one), a possessive group does not go back if its last alternative
# fails halfway. So the last alternative here is (?!), which fails before it moves.
_TEXT = r'"(?:[^"\\\n]++|\\.|(?!))*+"'
_WORD = r'(?:[^][\s,\ufeff(){}";:]++|\([^()]*+\)|(?!))++'
_TOKEN = re.compile(
    rf"""(?:[\s,\ufeff]++ | ;[^\n]*+ | {{[^}}]*+}} | (?!))*+ ()
    (?: (?P<word>{_WORD})(?!:) | (?P<text>{_TEXT})(?!:) | (?P<seat>(?:{_WORD}|{_TEXT}):)
      | (?P<open>\[) | (?P<close>\]) | (?P<end>\Z) | (?P<stray>.) )""",
    re.VERBOSE,
)
"""Blanks and comments, then one token of any kind. The empty group marks where the token begins."""
_GAME = re.compile(r'^[ \t\ufeff]*+\[\s*+Game(?=[\s"])', re.MULTILINE | re.IGNORECASE)
_STRINGS = json.JSONDecoder(strict=False)


def read(text: str | bytes) -> dict[str, Any]:
    """Reads a text with one match. Returns the JSON value of its record; Malformed names the wrong line."""
    matches = _matches(text)
    line, only = next(matches, (1, ""))
    record = _Reader(only, line).record()
    for line, _another in matches:
        raise Malformed(marked("Line {line}: a second match begins here."), line=line)
    return record


def read_all(text: str | bytes) -> Iterator[dict[str, Any] | Malformed]:
    """Reads all matches in order. Yields the record of each, or the error if it cannot be read."""
    for line, one in _matches(text):
        try:
            result: dict[str, Any] | Malformed = _Reader(one, line).record()
        except Malformed as error:
            result = error.with_traceback(None)  # the traceback would keep the text in memory
        yield result


def _matches(text: str | bytes) -> Iterator[tuple[int, str]]:
    """The text of each match, with the number of its first line."""
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
    """Reads one match. An error always refers to the token taken last."""

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
        """The seat of each name; None for a name that two players have."""

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
        """The next token if it is of one of these kinds, without taking it; else None."""
        kind = self.token.lastgroup
        return self.token[kind] if kind in kinds else None

    def take(self, *kinds: str) -> str:
        """Takes the next token. Malformed if it is of another kind."""
        token = self.taken = self.token
        kind = token.lastgroup or ""
        if kind == "end":
            raise self.wrong(marked("Line {line}: something is missing at the end of this match."))
        if kind == "stray":
            raise self.wrong(marked("Line {line}: {text} is not closed, or not expected here."))
        if kind not in kinds:
            raise self.wrong()
        self.token = next(self.tokens)
        return token[kind]

    def wrong(self, template: str = marked("Line {line}: unexpected {text}."), **facts: Any) -> Malformed:
        begin, end = self.taken.start(1), self.taken.end()
        line = self.line + self.text.count("\n", 0, begin)
        return Malformed(template, line=line, text=reading.shown(self.text[begin:end]), **facts)

    # values
    def string(self, word: str) -> str:
        """The string that a text or a word stands for."""
        try:
            return reading.text(_STRINGS.decode(word) if word.startswith('"') else word)
        except (ValueError, Malformed) as reason:
            raise self.wrong(marked("Line {line}: this text has characters that cannot be written.")) from reason

    def name(self) -> str:
        return self.string(self.take("text", "word"))

    def put(self, known: dict[str, Any], key: str, value: Callable[[], Any]) -> None:
        """Reads the value of a key. Malformed if the key is already there."""
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
        if word in CONSTANTS:
            return CONSTANTS[self.take("word")]
        return self.number() if word and word.removeprefix("-").isdecimal() else self.name()

    def seat(self, *kinds: str) -> int:
        word = self.take(*kinds).removesuffix(":")
        by_number = _SEAT.fullmatch(word)
        seat = int(by_number[1]) - 1 if by_number else self.seats.get(self.string(word))
        if seat is None or not 0 <= seat < len(self.headers.get("players", ())):
            raise self.wrong(marked("Line {line}: it is not clear which player {text} is."))
        return seat

    def nobody_or_seat(self) -> int | None:
        if self.coming("word") != "-":
            return self.seat("text", "word")
        self.take("word")
        return None

    def items(self) -> list[Any]:
        result = []
        while (word := self.coming("word")) and _ITEM.fullmatch(word):
            result.append(value_of(self.take("word")))
        return result

    # headers
    def header(self) -> None:
        self.take("open")
        word = (self.coming("word") or "").lower()
        name = self.name()
        if word in HEADERS:
            self.put(self.headers, word, partial(HEADERS[word], self))
        else:
            self.put(self.meta, name, self.name)
        self.take("close")

    def each(self, one: Callable[[], T]) -> list[T]:
        """Reads everything up to the end of the header."""
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
        at = _HAND_AND_MOVE.fullmatch(self.take("word"))
        if not at or not int(at[1]) or not int(at[2]):
            raise self.wrong()
        return {"hand": int(at[1]) - 1, "move": int(at[2]) - 1, "code": self.name()}

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
            raise self.wrong(marked("Line {line}: expected hand {number}, not {text}."), number=number)
        opener = self.take("word")
        if opener not in OPENERS:
            raise self.wrong(marked("Line {line}: expected leader, opener or dealer, not {text}."))
        hand: dict[str, Any] = {opener: self.seat("text", "word")}
        self.hands.append(hand)
        moves: list[dict[str, Any]] = []
        while symbol := self.coming("seat", "word"):
            if symbol in BEFORE + AFTER:
                self.put(hand, self.take("word"), self.items)
            elif symbol == "-":
                self.take("word")
                hand["moves"] = moves
            elif symbol == "final" or _NUMBERED.fullmatch(symbol):
                break
            else:
                turn = next_seat(hand, moves[-1] if moves else None, len(self.headers["players"]))
                moves.append(self.move(self.seat("seat") if self.coming("seat") else turn, len(moves)))
        if symbol == "final":
            self.take("word")
            hand["final"] = self.final()
        if moves or "final" not in hand:
            hand["moves"] = moves

    def move(self, seat: int, number: int) -> dict[str, Any]:
        word = self.take("word")
        kept = word.removesuffix("?")
        for kind, spelling in MOVES.items():
            found = spelling.read(kept)
            if found is not None and (kept == word or kind in NOTED):
                if kept != word:
                    self.noted.append({"hand": len(self.hands) - 1, "move": number, "code": str(NOTED[kind])})
                return {"seat": seat, "type": kind, **found}
        raise self.wrong(marked("Line {line}: {text} is not a move."))

    def final(self) -> dict[str, Any]:
        result: dict[str, Any] = {}
        while word := self.coming("word"):
            if contract := MOVES["contract"].read(word):
                self.take("word")
                self.put(result, "contract", lambda: None)
                result |= contract
            elif word in FINAL:
                self.put(result, self.take("word"), self.items)
            elif word in FINAL_SEATS:
                self.put(result, self.take("word"), self.nobody_or_seat)
            else:
                break
        return result


HEADERS: Mapping[str, Callable[[_Reader], Any]] = {
    "game": _Reader.name,
    "players": _Reader.players,
    "options": _Reader.options,
    "cards": _Reader.items,
    "stopped": _Reader.name,
    "noted": lambda reader: reader.each(reader.note),
    "result": _Reader.result,
    "meta": lambda _reader: {},
}
