"""A bracket in pieces that can be read on a sheet of paper or a screen."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from scorekeeper.drawing.bracket_layout import Bracket, Match, Section


def pieces(bracket: Bracket, most: int) -> list[Bracket]:
    """Each part of the bracket, in pieces in which at most this number of matches begin: first those of the early
    rounds, from top to bottom, then what comes after them. The last round of a piece is also the first of the next."""
    return [_piece(bracket, section, each) for section in bracket.sections for each in _cut(section.matches, most)]


def _cut(matches: Sequence[Match], most: int) -> Iterator[list[Match]]:
    here = {match.number: match for match in matches}
    branches = {number: [*_branch(match, here)] for number, match in here.items()}
    begins = {number: sum(not _before(each, here) for each in branch) for number, branch in branches.items()}
    rounds = sorted({match.round for match in matches})
    total = sum(not _before(match, here) for match in matches)
    fits = [
        number
        for number in rounds[1:-1]
        if all(begins[match.number] <= most for match in matches if match.round <= number)
    ]
    if total <= most or not fits:
        yield list(matches)
        return
    for root in (match for match in matches if match.round == fits[-1]):
        yield sorted(branches[root.number])
    yield from _cut([match for match in matches if match.round >= fits[-1]], most)


def _before(match: Match, here: Mapping[int, Match]) -> list[Match]:
    """The matches of these whose winners come to it."""
    return [here[line.source] for line in match.lines if line.source is not None and line.source in here]


def _branch(match: Match, here: Mapping[int, Match]) -> Iterator[Match]:
    yield match
    for each in _before(match, here):
        yield from _branch(each, here)


def _piece(bracket: Bracket, section: Section, matches: Iterable[Match]) -> Bracket:
    """Its rounds count from 1, and its first matches come from nowhere."""
    kept = list(matches)
    numbers = {match.number for match in kept}
    first, last = min(match.round for match in kept), max(match.round for match in kept)
    moved = [
        match._replace(
            round=match.round - first + 1,
            lines=[line if line.source in numbers else line._replace(source=None) for line in match.lines],
        )
        for match in kept
    ]
    return Bracket([Section(section.title, moved)], bracket.headings[first - 1 : last])
