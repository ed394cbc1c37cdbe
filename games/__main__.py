"""``python -m games``: checks records, shows them, makes random ones, converts them from and to text, and solves hands.

    verify [FILE …]     one verdict for each record, as a line of JSON
    show [FILE …]       records as text for people, with the arithmetic of every score
    random GAME         a random legal match as a record
    to-text [FILE …]    records in the notation
    to-json [FILE …]    matches in the notation as records, one JSON line each
    solve [FILE …]      the best play of the hand in play, if all its tiles are known, as a line of JSON
    nestor [FILE …]     the move that the computer player Nestor makes for a seat, as a line of JSON

Reads one record (a JSON object) on each line, from standard input if no file is named.
"""

import argparse
import errno
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from io import TextIOWrapper
from random import Random
from time import monotonic
from typing import Any, BinaryIO

from games import notation
from games.errors import GameError, Malformed, marked
from games.nestor.asked import asked
from games.random_play import random_match
from games.read import json_value
from games.record import read_record
from games.registry import GAMES
from games.show import show
from games.solving import solved
from games.verify import verify, verify_line

STANDARD_INPUT = "-"
SEATED = ("North", "East", "South", "West")


def main(argv: Sequence[str] | None = None) -> int:
    """Returns the exit status: 0 if all are valid, 1 if some are not, 2 if a file cannot be opened."""
    parser = argparse.ArgumentParser(prog="python -m games", description="The rules of the games.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, help_ in (
        ("verify", "check records, one JSON object per line"),
        ("show", "records as text for people"),
        ("to-text", "records in the notation"),
        ("to-json", "matches in the notation as records"),
        ("solve", "the best play of a hand whose tiles are all known"),
        ("nestor", "a move of the computer player"),
    ):
        reading = commands.add_parser(name, help=help_)
        reading.add_argument("files", nargs="*", metavar="FILE", help="what to read (standard input if none)")
    playing = commands.add_parser("random", help="a random legal match as a record")
    playing.add_argument("game", choices=list(GAMES))
    playing.add_argument("--seed", type=int, required=True, help="the same number gives the same match")
    playing.add_argument("--players", type=int, help="number of players, for games that allow several")
    playing.add_argument("--observed", action="store_true", help="as a table sees it: hands and draws unknown")
    given = parser.parse_args(argv)
    if given.command == "random":
        seats = GAMES[given.game].seats[0] if given.players is None else given.players
        if seats not in GAMES[given.game].seats:
            playing.error(f"{given.game} is played by {', '.join(map(str, GAMES[given.game].seats))}")
        rng = Random(given.seed)
        print(json.dumps(random_match(given.game, {}, SEATED[:seats], rng, observed=given.observed)))
        return 0
    return _answer_all(given.files, ANSWERS[given.command])


def _answer_all(files: Sequence[str], answers: Callable[[BinaryIO], Iterator[tuple[str, bool]]]) -> int:
    """Prints the answers for the content of each file. Returns the exit status."""
    status = 0
    for path in files or [STANDARD_INPUT]:
        try:
            source = _opened(path)
        except OSError as reason:
            print(f"{path}: {reason.strerror}", file=sys.stderr)
            status = 2
            continue
        with source as lines:
            for answer, good in answers(lines):
                print(answer, flush=True)  # another program may wait for each answer
                status = max(status, int(not good))
    return status


def _opened(path: str) -> AbstractContextManager[BinaryIO]:
    """The file, or standard input, which stays open after use. OSError if it cannot be read."""
    if path != STANDARD_INPUT:
        return open(path, "rb")
    if sys.stdin is None:
        raise OSError(errno.EBADF, "standard input is closed")
    return nullcontext(sys.stdin.buffer)


def _verdicts(source: Iterable[bytes]) -> Iterator[tuple[str, bool]]:
    for line in source:
        if line.strip():
            verdict = verify_line(line)
            yield json.dumps(verdict), verdict["valid"]


def _shown(source: Iterable[bytes]) -> Iterator[tuple[str, bool]]:
    yield from _each(source, lambda value: (show(value) + "\n", verify(value)["valid"]))


def _texts(source: Iterable[bytes]) -> Iterator[tuple[str, bool]]:
    yield from _each(source, _text)


def _text(value: Any) -> tuple[str, bool]:
    """The notation of anything that can be read as a record, even if the rules do not allow it."""
    read_record(value, GAMES)
    return notation.write(value), True


def _each(source: Iterable[bytes], answer: Callable[[Any], tuple[str, bool]]) -> Iterator[tuple[str, bool]]:
    """The answer for each record; for a line that cannot be read, a comment that says why."""
    for number, line in enumerate(source, 1):
        if line.strip():
            try:
                yield answer(json_value(line))
            except GameError as error:
                yield f"; line {number}: {error.message} ({error.code})", False


def _solved(source: Iterable[bytes]) -> Iterator[tuple[str, bool]]:
    yield from _answered(source, solved)


def _asked(source: Iterable[bytes]) -> Iterator[tuple[str, bool]]:
    yield from _answered(source, lambda value: asked(value, monotonic))


def _answered(source: Iterable[bytes], answer: Callable[[Any], dict[str, Any]]) -> Iterator[tuple[str, bool]]:
    """The answer to each line, or its error."""
    for line in source:
        if line.strip():
            try:
                yield json.dumps(answer(json_value(line))), True
            except GameError as error:
                yield json.dumps({"error": error.as_json()}), False


def _records(source: BinaryIO) -> Iterator[tuple[str, bool]]:
    text = source.read()
    values = list(notation.read_all(text))
    if not values and text.strip():
        values.append(Malformed(marked("No match found. Each match begins with a line like [Game dom].")))
    for value in values:
        if isinstance(value, Malformed):
            yield json.dumps({"valid": False, "errors": [value.as_json()]}), False
        else:
            yield json.dumps(value), True


ANSWERS = {
    "verify": _verdicts,
    "show": _shown,
    "to-text": _texts,
    "to-json": _records,
    "solve": _solved,
    "nestor": _asked,
}


if __name__ == "__main__":
    if isinstance(sys.stdout, TextIOWrapper):  # a name may have letters that this terminal cannot show
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        sys.exit(main())
    except BrokenPipeError:  # the reader, such as `head`, has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
