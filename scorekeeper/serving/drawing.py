"""A process that draws what people watch, next to the server: threads share one interpreter, so a drawing in one of
them would take turns from plays.

It reads a request from its input, draws, and writes the drawing or the error to its output, as pickles. It ends with
its input, so also when the server is killed.
"""

import logging
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import IO

from django.db import close_old_connections

from scorekeeper.live import Topic, parts
from scorekeeper.live.parts import Drawing

COMMAND = [sys.executable, "manage.py", "draw"]
NICE = 5  # it gives way to the process that records
TRIES = 2

logger = logging.getLogger(__name__)


class DrawingProcess:
    """The process, as the server sees it: started at the first drawing, and again if it has ended. For one thread."""

    def __init__(self) -> None:
        self.child: subprocess.Popen[bytes] | None = None

    def drawn(self, topic: Topic, part: str, language: str, version: int) -> Drawing:
        """Like `parts.drawn`, with the same errors."""
        for _ in range(TRIES):
            child = self.child = self.child or _started()
            try:
                return _answer(child, topic, part, language, version)
            except (EOFError, BrokenPipeError, pickle.UnpicklingError):
                logger.warning("The drawing process ended with status %s. It starts again.", child.wait())
                self.child = None
        raise RuntimeError(f"{part or 'JSON'} of {topic} cannot be drawn: the drawing process ends each time.")


def _started() -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        COMMAND,
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C in a terminal reaches the server only
    )


def _answer(child: "subprocess.Popen[bytes]", *request: object) -> Drawing:
    assert child.stdin
    assert child.stdout
    pickle.dump(request, child.stdin)
    child.stdin.flush()
    answer = pickle.load(child.stdout)  # noqa: S301 (our own process wrote it)
    if isinstance(answer, Exception):
        raise answer
    assert isinstance(answer, Drawing)
    return answer


def answer_all(asked: IO[bytes], answers: IO[bytes]) -> None:
    """In the process: draws one thing after the other, until nobody can ask any more."""
    os.nice(NICE)
    while True:
        try:
            request = pickle.load(asked)  # noqa: S301 (the server wrote it)
        except EOFError:
            return
        pickle.dump(_drawing_or_error(*request), answers)
        answers.flush()


def _drawing_or_error(topic: Topic, part: str, language: str, version: int) -> Drawing | Exception:
    try:
        return parts.drawn(topic, part, language, version)
    except Exception as error:  # noqa: BLE001 (raised again where it was asked for)
        return error
    finally:
        close_old_connections()
