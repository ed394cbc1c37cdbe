"""An SVG of ours as PNG, for chats that show nothing else.

A process of its own draws it: resvg holds the interpreter while it draws, about 0.1 seconds, and the server would
answer nobody meanwhile. Each process of the server has one such child at a time.
"""

import subprocess
import sys
from pathlib import Path
from threading import Lock

FONT = Path(__file__).parent.parent / "static" / "scorekeeper" / "fonts" / "DejaVuSansCondensed-Bold.ttf"
SECONDS = 20  # a child that takes longer is ended
ONE_AT_ONCE = Lock()


def png(svg: str) -> bytes:
    """The picture in its own size; CalledProcessError if it is no SVG, TimeoutExpired if it takes too long."""
    with ONE_AT_ONCE:
        child = [sys.executable, "-P", __file__]
        return subprocess.run(child, input=svg.encode(), stdout=subprocess.PIPE, timeout=SECONDS, check=True).stdout


def _draw() -> None:
    from resvg_py import svg_to_bytes

    svg = sys.stdin.buffer.read().decode()
    sys.stdout.buffer.write(svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=[str(FONT)]))


if __name__ == "__main__":
    _draw()
