"""The bracket of a knock-out as one SVG: as a piece of a page, and as a file of its own.

Every element has its class for a stylesheet, and attributes that look right without one. Who won has bold letters and a
mark at the edge where the connector begins.
"""

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from scorekeeper.drawing.bracket_layout import (
    ROW,
    WIDTH,
    Box,
    Bracket,
    Connector,
    Layout,
    Line,
    Words,
    lay_out,
)
from scorekeeper.drawing.bracket_pieces import Placed, Sheets
from scorekeeper.drawing.text import clean, shortened, width_of

SIZE = 14  # of the font, in units
NUMBER = 30  # the strip of a box with the number of the match
SEED = NUMBER + 19  # where seeds end
NAME = SEED + 6  # where names begin
SCORE = WIDTH - 14  # where scores end
SPARE = 8  # between a name and its score
BOLD = 115  # per cent by which bold letters may be broader than `drawing.text` takes them
EDGE, ABOVE = 24, 64  # around the bracket in a file, and the room of its title
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif"
PAPER, BOX, INK, SOFT, RULE, LINK = "#fff", "#fffdf6", "#211d17", "#6a6255", "#b9ae97", "#8b8271"


def bracket_svg(bracket: Bracket, *, label: str) -> str:
    """The drawing as a piece of a page, which can make it smaller. `label`: the text for screen readers; the page must
    also list the matches."""
    layout = lay_out(bracket)
    return _piece(_drawn(layout), layout.width, layout.height, label)


def sheet_svgs(found: Sheets, *, label: str) -> list[str]:
    """The drawing of each sheet, all of one size."""
    return [
        _piece("".join(map(_placed, sheet)), found.width, found.height, f"{label} {at}/{len(found.sheets)}")
        for at, sheet in enumerate(found.sheets, 1)
    ]


def _piece(drawn: str, width: int, height: int, label: str) -> str:
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" preserveAspectRatio="xMinYMin"'
    return f'<svg class="bracket" {size} role="img" aria-label={_quoted(label)} {_STYLE}>{drawn}</svg>'


def _placed(each: Placed) -> str:
    return f'<g transform="translate({each.x} {each.y})">{_drawn(each.layout)}</g>'


def bracket_file(bracket: Bracket, *, title: str, description: Sequence[str]) -> str:
    """The drawing as a file of its own, which is printed on one sheet. `description`: all of it in lines of text."""
    layout = lay_out(bracket)
    width, height = layout.width + 2 * EDGE, layout.height + ABOVE + EDGE
    shape = "landscape" if width > height else "portrait"
    style = (
        f":root{{font-variant-numeric:tabular-nums}}@page{{size:A4 {shape};margin:10mm}}"
        "@media print{:root{width:100%;height:100%}}"
    )
    lines = "\n".join(map(_text, description))
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="bracket" viewBox="0 0 {width} {height}"',
            f' width="{width}" height="{height}" preserveAspectRatio="xMidYMin" role="img" {_STYLE}>',
            f"<title>{_text(title)}</title><desc>{lines}</desc><style>{style}</style>",
            f'<rect class="paper" width="{width}" height="{height}" fill="{PAPER}"/>',
            f'<text class="heading" x="{EDGE}" y="42" font-size="24" font-weight="700">',
            f"{_text(shortened(title, _room(layout.width, 24, BOLD)))}</text>",
            f'<g transform="translate({EDGE} {ABOVE})">{_drawn(layout)}</g></svg>',
        )
    )


_STYLE = f'font-family="{FONT}" font-size="{SIZE}" fill="{INK}"'


def _drawn(layout: Layout) -> str:
    links = "".join(map(_link, layout.connectors))
    return "".join(
        (
            *(_words("round", each, SOFT) for each in layout.headings),
            *(_words("part-name", each, INK) for each in layout.titles),
            f'<path class="links" d="{links}" fill="none" stroke="{LINK}" stroke-width="1.5"/>' if links else "",
            *map(_box, layout.boxes),
        )
    )


def _words(kind: str, words: Words, colour: str) -> str:
    at = f'x="{words.x}" y="{words.y}"'
    text = shortened(words.text, _room(WIDTH, SIZE, BOLD))
    return f'<text class="{kind}" {at} fill="{colour}" font-weight="700">{_text(text)}</text>'


def _link(each: Connector) -> str:
    across = f"M{each.x} {each.y}H"
    return f"{across}{each.to_x}" if each.y == each.to_y else f"{across}{each.turn}V{each.to_y}H{each.to_x}"


def _box(box: Box) -> str:
    match, height = box.match, box.height
    edge = _EDGES.get(match.state, f'stroke="{RULE}"')
    rules = "".join(f"M{NUMBER} {at * ROW}H{WIDTH}" for at in range(1, len(match.lines)))
    return "".join(
        (
            f'<g class="match" data-match="{match.number}" data-state="{match.state}"',
            f' transform="translate({box.x} {box.y})">',
            f"<title>{_text(match.says)}</title>",
            f'<rect class="box" width="{WIDTH}" height="{height}" rx="4" fill="{BOX}" {edge}/>',
            f'<path class="rule" d="M{NUMBER} 0V{height}{rules}" fill="none" stroke="{RULE}" stroke-width=".75"/>',
            _small("number", f"#{match.number}", NUMBER // 2, height // 2 + 4, "middle", size=10),
            *(part for at, each in enumerate(match.lines) for part in _line(each, at * ROW)),
            _tag(match.tag) if match.tag else "",
            "</g>",
        )
    )


# By the state of a match. In play: a strong edge; perhaps not needed: a broken one.
_EDGES = {
    "open": f'stroke="{INK}" stroke-width="2"',
    "if-needed": f'stroke="{RULE}" stroke-dasharray="5 4"',
}


def _line(line: Line, top: int) -> Iterator[str]:
    base = top + 17
    score = shortened(line.score, _room(WIDTH // 2, SIZE, BOLD))
    taken = _room_of(score) + SPARE if score else 0
    bold, won = (' font-weight="700"', " won") if line.won else ("", "")
    kind, colour = (f"name{won}", INK) if line.known else ("name unknown", SOFT)
    name = shortened(line.text, _room(SCORE - NAME - taken, SIZE, BOLD if line.won else 100))
    if line.seed:
        yield _small("seed", line.seed, SEED, base, "end")
    yield f'<text class="{kind}" x="{NAME}" y="{base}" fill="{colour}"{bold}>{_text(name)}</text>'
    if score:
        yield f'<text class="score{won}" x="{SCORE}" y="{base}" text-anchor="end"{bold}>{_text(score)}</text>'
    if line.won:
        yield f'<path class="mark" d="M{WIDTH - 9} {top + 7}l6 5l-6 5z" fill="{INK}"/>'


def _tag(text: str) -> str:
    """Across the upper edge of a box."""
    width = width_of(text) * 10 * BOLD // 100_000 + 12
    left = WIDTH - 12 - width
    at = f'x="{left + width // 2}" y="0" fill="{PAPER}" font-size="10" font-weight="700" text-anchor="middle"'
    return (
        f'<rect class="tag" x="{left}" y="-10" width="{width}" height="13" rx="6" fill="{INK}"/>'
        f'<text class="tag-text" {at}>{_text(text)}</text>'
    )


def _small(kind: str, text: str, x: int, y: int, anchor: str, size: int = 11) -> str:
    at = f'x="{x}" y="{y}" fill="{SOFT}" font-size="{size}" text-anchor="{anchor}"'
    return f'<text class="{kind}" {at}>{_text(text)}</text>'


def _room(width: int, size: int, per_cent: int) -> int:
    """What fits into this width, for `shortened`. `per_cent`: how broad the letters are."""
    return max(0, width) * 1000 * 100 // (size * per_cent)


def _room_of(text: str) -> int:
    """The width of a text that can be bold."""
    return width_of(text) * SIZE * BOLD // 100_000


def _text(text: str) -> str:
    return escape(clean(text))


def _quoted(text: str) -> str:
    return quoteattr(clean(text))
