"""``python -m games verify [FILE …]``: a verdict a record, one JSON line each."""

import argparse
import json
import os
import sys
from collections.abc import Iterable, Sequence

from games.verify import verify_line


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status: 0 all valid, 1 some not, 2 a file cannot be opened."""
    parser = argparse.ArgumentParser(prog="python -m games", description="The rules of the games.")
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("verify", help="check records, one JSON object a line")
    check.add_argument("files", nargs="*", metavar="FILE", help="records to check (standard input if none)")
    return _verify(parser.parse_args(argv).files)


def _verify(files: Sequence[str]) -> int:
    if not files:
        return int(not _all_valid(sys.stdin.buffer))
    status = 0
    for path in files:
        try:
            source = open(path, "rb")  # noqa: SIM115 (closed below; only opening it may fail)
        except OSError as reason:
            print(f"{path}: {reason.strerror}", file=sys.stderr)
            status = 2
            continue
        with source:
            status = max(status, int(not _all_valid(source)))
    return status


def _all_valid(source: Iterable[bytes]) -> bool:
    valid = True
    for line in source:
        if line.strip():
            verdict = verify_line(line)
            print(json.dumps(verdict))
            valid = valid and verdict["valid"]
    return valid


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:  # whoever read the verdicts has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
