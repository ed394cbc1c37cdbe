"""A bracket in pieces that can be read on a sheet of paper or a screen."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from scorekeeper.drawing.bracket_layout import HEAD, PITCH, ROW, TITLE, Bracket, Match, Section, lay_out


def pieces(bracket: Bracket, most: int) -> list[Bracket]:
    """Each part of the bracket, in pieces in which at most this number of matches begin: first those of the early
    rounds, from top to bottom, then what comes after them. The last round of a piece is also the first of the next."""
    return [_sheet(bracket, [each]) for each in _pieces(bracket, most, len(bracket.headings))]


def sheets(bracket: Bracket, most: int, across: int) -> list[Bracket]:
    """The pieces for paper, of at most `across` rounds. Those that follow each other share a sheet if it has room."""
    found: list[list[Section]] = []
    for piece in _pieces(bracket, most, across):
        if found and _has_room(bracket, [*found[-1], piece], most, across):
            found[-1].append(piece)
        else:
            found.append([piece])
    return [_sheet(bracket, each) for each in found]


def _pieces(bracket: Bracket, most: int, across: int) -> Iterator[Section]:
    for section in bracket.sections:
        for matches in _cut(section.matches, most, across):
            yield section._replace(matches=matches)


def _cut(matches: Sequence[Match], most: int, across: int) -> Iterator[list[Match]]:
    here = {match.number: match for match in matches}
    branches = {number: [*_branch(match, here)] for number, match in here.items()}
    begins = {number: sum(not _before(each, here) for each in branch) for number, branch in branches.items()}
    rounds = sorted({match.round for match in matches})
    total = sum(not _before(match, here) for match in matches)
    fits = [
        number
        for number in rounds[1:-1]
        if number - rounds[0] < across
        and all(begins[match.number] <= most for match in matches if match.round <= number)
    ]
    if (total <= most and rounds[-1] - rounds[0] < across) or not fits:
        yield list(matches)
        return
    early = [match for match in matches if match.round <= fits[-1]]
    if total <= most:
        yield early
    else:
        for root in (match for match in early if match.round == fits[-1]):
            yield sorted(branches[root.number])
    yield from _cut([match for match in matches if match.round >= fits[-1]], most, across)


def _before(match: Match, here: Mapping[int, Match]) -> list[Match]:
    """The matches of these whose winners come to it."""
    return [here[line.source] for line in match.lines if line.source is not None and line.source in here]


def _branch(match: Match, here: Mapping[int, Match]) -> Iterator[Match]:
    yield match
    for each in _before(match, here):
        yield from _branch(each, here)


def _has_room(bracket: Bracket, sections: Sequence[Section], most: int, across: int) -> bool:
    """Whether these fit on one sheet, and no match is there twice."""
    matches = [*chain.from_iterable(section.matches for section in sections)]
    rounds = [match.round for match in matches]
    if max(rounds) - min(rounds) >= across or len({match.number for match in matches}) < len(matches):
        return False
    return lay_out(_sheet(bracket, sections)).height <= HEAD + TITLE + most * (2 * ROW + PITCH)


def _sheet(bracket: Bracket, sections: Sequence[Section]) -> Bracket:
    """Its rounds count from 1, and its first matches come from nowhere."""
    matches = [*chain.from_iterable(section.matches for section in sections)]
    numbers = {match.number for match in matches}
    first, last = min(match.round for match in matches), max(match.round for match in matches)

    def moved(match: Match) -> Match:
        lines = [line if line.source in numbers else line._replace(source=None) for line in match.lines]
        return match._replace(round=match.round - first + 1, lines=lines)

    here = [section._replace(matches=[*map(moved, section.matches)]) for section in sections]
    return Bracket(here, bracket.headings[first - 1 : last])
