"""The file that a command is given."""

import sys
from pathlib import Path

from django.core.management.base import CommandError

REFUSED, WRONG_USE = 1, 2
"""The exit codes for a file that cannot be used, and for a command that cannot be understood."""


def content(name: str) -> bytes:
    """What is in the file; `-` is standard input. CommandError for one that cannot be read."""
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except (OSError, ValueError) as error:
        raise CommandError(f"Cannot read {name}: {error}.", returncode=WRONG_USE) from error
