"""Where everything in the drawing of a bracket is: a column for each round, a box for each match.

All lengths are whole units; x grows to the right, y downwards. A match stands half-way between those whose winners come
to it, and everything else is stacked as close as that allows. Trees below the main one use the room under its later
rounds.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

WIDTH, ROW = 244, 24  # a box, and one of its lines
GUTTER = 28  # between two columns
PITCH = 10  # between two boxes
TITLE = 36  # the room of a part's title, with the space above it
HEAD = 34  # the room of the rounds' headings
MARGIN = 2


class Line(NamedTuple):
    """A side of a match."""

    text: str
    """The name, or who will come: “Winner of 3”."""
    seed: str = ""
    score: str = ""
    known: bool = True
    """Whether `text` is a name."""
    won: bool = False
    source: int | None = None
    """The number of the match whose winner comes here."""


class Match(NamedTuple):
    number: int
    round: int
    lines: Sequence[Line]
    says: str
    """All of it in a line of text."""
    state: str = ""
    """For the stylesheet."""
    tag: str = ""
    """At the edge of its box: where it is played."""

    @property
    def can_be_played(self) -> bool:
        """Whether it is not over, and it is known who meets."""
        return self.state != "over" and all(line.known for line in self.lines)


class Section(NamedTuple):
    """A part of the bracket. The matches from which winners come to it are in it, or in sections before it."""

    title: str
    matches: Sequence[Match]
    beneath: bool = False
    """Whether it is below all that is drawn before, rather than only below what is in its columns."""
    decides: str = ""
    """The title of its last match, if that is another one. If this match is all there is, it is the only title."""
    for_places: bool = False
    """Whether it is the tree for some places below the first two."""


class Bracket(NamedTuple):
    sections: Sequence[Section]
    headings: Sequence[str]
    """Of the rounds, from the first to the last one."""


class Box(NamedTuple):
    match: Match
    x: int
    y: int

    @property
    def height(self) -> int:
        return ROW * len(self.match.lines)

    @property
    def middle(self) -> int:
        return self.y + self.height // 2


class Connector(NamedTuple):
    """From the right edge of a box across to `turn`, up or down, and on to the left edge of another."""

    x: int
    y: int
    turn: int
    to_x: int
    to_y: int


class Words(NamedTuple):
    text: str
    x: int
    y: int


class Layout(NamedTuple):
    width: int
    height: int
    headings: list[Words]
    titles: list[Words]
    connectors: list[Connector]
    boxes: list[Box]
    """By the numbers of their matches."""


def lay_out(bracket: Bracket) -> Layout:
    """There must be a round."""
    headings = bracket.headings
    sheet = _Sheet(len(headings), HEAD if any(headings) else 0)
    for section in bracket.sections:
        sheet.add(section)
    return Layout(
        width=_x(len(headings)) + WIDTH + MARGIN,
        height=max(sheet.free) - PITCH + MARGIN,
        headings=[Words(text, _x(number), HEAD - 14) for number, text in enumerate(headings, 1) if text],
        titles=sheet.titles,
        connectors=[*_connectors(sheet.boxes)],
        boxes=[box for _number, box in sorted(sheet.boxes.items())],
    )


def _x(round_: int) -> int:
    return MARGIN + (round_ - 1) * (WIDTH + GUTTER)


class _Sheet:
    """What is placed so far."""

    def __init__(self, rounds: int, top: int) -> None:
        self.boxes: dict[int, Box] = {}
        """By the number of the match."""
        self.titles: list[Words] = []
        self.free = [top] * rounds
        """From where on each column is free."""
        self.row = top
        """Of the next match to which no winner comes."""

    def add(self, section: Section) -> None:
        top = max(self.free) if section.beneath else self._below(section.matches)
        if section.title:
            rounds = [each.round for each in section.matches]
            titles = {_x(min(rounds)): section.title}
            if section.decides:
                titles[_x(max(rounds))] = section.decides
            self.titles += [Words(text, x, top + TITLE - 10) for x, text in titles.items()]
            top += TITLE
        here = {each.number: each for each in section.matches}
        come_from = {line.source for each in section.matches for line in each.lines}
        for root in (each for each in section.matches if each.number not in come_from):
            self.row = max(top, self._below(_branch(root, here)))
            self._place(root, here)

    def _below(self, matches: Iterable[Match]) -> int:
        """From where on all columns of these matches are free, and those between them."""
        rounds = [each.round for each in matches]
        return max(self.free[min(rounds) - 1 : max(rounds)])

    def _place(self, match: Match, here: Mapping[int, Match]) -> Box:
        """Places those first whose winners come to it. Each one to which nobody comes has a row of its own in its tree,
        so that no connector crosses a box."""
        before = [self.boxes.get(number) or self._place(here[number], here) for number in _sources(match)]
        height = ROW * len(match.lines)
        if before:
            y = sum(box.middle for box in before) // len(before) - height // 2
        else:
            y = self.row
            self.row += height + PITCH
        box = self.boxes[match.number] = Box(match, _x(match.round), y)
        self.free[match.round - 1] = max(self.free[match.round - 1], y + height + PITCH)
        return box


def _branch(match: Match, here: Mapping[int, Match]) -> Iterator[Match]:
    """The match and those that lead to it."""
    yield match
    for number in _sources(match):
        if number in here:
            yield from _branch(here[number], here)


def _sources(match: Match) -> list[int]:
    return [line.source for line in match.lines if line.source is not None]


def _connectors(boxes: Mapping[int, Box]) -> Iterator[Connector]:
    for box in boxes.values():
        for number in _sources(box.match):
            start = boxes[number]
            yield Connector(start.x + WIDTH, start.middle, box.x - GUTTER // 2, box.x, box.middle)
