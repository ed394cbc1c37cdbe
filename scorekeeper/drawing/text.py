"""How wide a text is, about, without asking a font; and as much of it as fits."""

import unicodedata

# How wide letters are on average, in thousandths of the font's size: those of DejaVu Sans Condensed Bold, wider than
# most.
NARROW, MIDDLING, BROAD, WHOLE = 370, 630, 740, 1000
TURNS = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")


def in_lines(text: str, room: int) -> list[str]:
    """The text in one line if it fits, else in two that are as short as can be. `room` as for `shortened`."""
    text = clean(text)
    halves = [(text[:at], text[at + 1 :]) for at, letter in enumerate(text) if letter == " "]
    if width_of(text) <= room or not halves:
        return [text]
    return list(min(halves, key=lambda lines: max(map(width_of, lines))))


def shortened(text: str, room: int) -> str:
    """The text, or as much of it as fits with “…” into `room`, which is in thousandths of the font's size."""
    text = clean(text)
    if width_of(text) <= room:
        return text
    left, kept = room - WHOLE, 0
    for letter in text:
        left -= _width(letter)
        if left < 0:
            break
        kept += 1
    while kept and _joins(text[kept]):
        kept -= 1
    return text[:kept].rstrip().rstrip("\N{ZERO WIDTH JOINER}") + "…"


def clean(text: str) -> str:
    """Without what an XML file may not have, and without marks that turn the direction of what follows."""
    return "".join(letter for letter in text if not _harmful(letter))


def _harmful(letter: str) -> bool:
    return unicodedata.category(letter) in ("Cc", "Cs", "Cn") or unicodedata.bidirectional(letter) in TURNS


def _joins(letter: str) -> bool:
    """Whether it is drawn with the letter before it."""
    return unicodedata.category(letter) in ("Mn", "Me", "Mc", "Cf")


def width_of(text: str) -> int:
    return sum(map(_width, text))


def _width(letter: str) -> int:
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    if unicodedata.east_asian_width(letter) in "WF" or letter in "mwMW@%":
        return WHOLE
    if letter in " .,:;!'’|iIjlftr()[]·-":
        return NARROW
    return BROAD if letter.isupper() or letter == "&" else MIDDLING
