"""How long people wait at the practice table when many play at once.

    python tests/bench/practice.py [--tables 20] [--seconds 30] [--pause 2] [--level brutal]

Starts a server. At each table a visitor plays a long game, and thinks for `pause` seconds before each step. Prints the
waits for Nestor's turns and for the visitors' own steps, in seconds.
"""

import argparse
import html
import re
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.running import running  # noqa: E402

SETTING = {
    "game": "draw",
    "seats": "2",
    "option-draws": "on",
    "option-points_to_win": "500",
    "option-block_award": "low",
    "option-block_amount": "difference",
    "option-leader": "doublet",
    "begin": "yes",
    "seen": "0",
}
ENTRY = re.compile(r'<button name="entry" value="([^"]+)" class="lit')
LACKING = re.compile(r'<button class="button main"[^>]*name="entry" value="([^"]+)"')


class Visitor:
    """A browser with cookies and without scripts."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.opener = build_opener(HTTPCookieProcessor())
        self.headers: dict[str, str] = {}

    def get(self, path: str) -> str:
        return self.opener.open(self.url + path, timeout=60).read().decode()

    def post(self, path: str, **fields: str) -> str:
        request = Request(self.url + path, urlencode(fields).encode(), self.headers)
        return self.opener.open(request, timeout=60).read().decode()

    def play(self, level: str, until: float, pause: float, own: list[float], nestor: list[float]) -> None:
        page = self.get(f"/practice/settings/?game={SETTING['game']}")
        self.headers = {"X-CSRFToken": _field(page, "csrfmiddlewaretoken")}
        page = self.post("/practice/settings/", **SETTING, level=level)
        self.headers["X-Part"] = "sheet"
        while perf_counter() < until:
            sleep(pause)
            seen, began = _field(page, "seen"), perf_counter()
            if 'formaction="/practice/nestor/"' in page:
                page = self.post("/practice/nestor/", seen=seen)
                nestor.append(perf_counter() - began)
            elif 'class="button main" formaction="/practice/again/"' in page:
                page = self.post("/practice/again/", seen=seen)
            else:
                page = self.post("/practice/entries/", seen=seen, entry=_entry(page))
                own.append(perf_counter() - began)


def _field(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found, page
    return found.group(1)


def _entry(page: str) -> str:
    """The first tile that can be laid, at its first end; else the draw or the pass."""
    found = ENTRY.search(page) or LACKING.search(page)
    assert found, page
    entry = html.unescape(found.group(1))
    ends = re.search(re.escape(found.group(0)) + r'[^>]*data-ends="(\w)', page)
    return entry if '"end"' in entry or ends is None else entry.replace("}}", f',"end":"{ends.group(1)}"}}}}')


def said(name: str, waits: Sequence[float]) -> str:
    ordered = sorted(waits)
    late = ordered[len(ordered) * 95 // 100]
    return (
        f"{name}: {len(ordered)}, median {median(ordered):.2f} s, 95 % within {late:.2f} s, longest {ordered[-1]:.2f} s"
    )


def at_all_tables(url: str, tables: int, level: str, seconds: float, pause: float) -> None:
    own, nestor = list[float](), list[float]()
    until = perf_counter() + seconds
    with ThreadPoolExecutor(tables) as visitors:
        for done in [visitors.submit(Visitor(url).play, level, until, pause, own, nestor) for _ in range(tables)]:
            done.result()
    print(said("steps of visitors", own))
    print(said("turns of Nestor", nestor))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--pause", type=float, default=2)
    parser.add_argument("--level", default="brutal")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, running(Path(folder) / "data") as server:
        at_all_tables(f"http://127.0.0.1:{server.port}", options.tables, options.level, options.seconds, options.pause)


if __name__ == "__main__":
    main()
