"""A bracket in pieces on sheets of paper or screens, so that it can be read: all at one scale, small ones together."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from scorekeeper.drawing.bracket_layout import (
    GUTTER,
    MARGIN,
    WIDTH,
    Bracket,
    Layout,
    Match,
    Section,
    lay_out,
)

APART = 24  # between a piece and the one below it


class Room(NamedTuple):
    """Of a sheet, in columns and units of a layout. It must have two columns, and be as high as the matches of the
    first round that lead to one in its last column."""

    columns: int
    height: int


class Placed(NamedTuple):
    """A piece on a sheet."""

    layout: Layout
    x: int
    y: int


class Sheets(NamedTuple):
    """All of one size: as wide as the room, so that letters are as large with any bracket."""

    width: int
    height: int
    sheets: list[list[Placed]]


def sheets(bracket: Bracket, room: Room) -> Sheets:
    """The whole bracket: of each part first its early rounds, from top to bottom, then what comes after them. The last
    round of a piece is also the first of the one after it."""
    return _arranged((piece for section in bracket.sections for piece in _all(bracket, section, room)), room)


def sheets_in_play(bracket: Bracket, room: Room) -> Sheets:
    """What is played now and what it leads to. If one sheet has room for all that is to be played, that, with the
    matches to which losers go, each below its round. Else, if one sheet has room for it, also how the parts that are
    not for places end, as far as somebody is known there; once all is over, that alone."""
    shown = [[*_now(bracket, section, room)] for section in bracket.sections]
    found = _arranged(chain(*shown), room)
    ending = [at for at, section in enumerate(bracket.sections) if not section.for_places]
    for at in sorted(ending, key=lambda at: bool(bracket.sections[at].title)):
        end = _end(bracket, bracket.sections[at], room)
        fuller = [*shown[:at], [end], *shown[at + 1 :]]
        sheet = _arranged(chain(*fuller), room)
        if len(sheet.sheets) == 1 and _numbers(shown[at]) <= _numbers([end]) and _is_known(end):
            shown, found = fuller, sheet
    whole = next((each for each in _rest(bracket, room) if _numbers(chain(*shown)) <= _numbers([each])), None)
    return _arranged([whole], room) if whole else found


def _rest(bracket: Bracket, room: Room) -> Iterator[Bracket]:
    """The last rounds, then those from the first one on in which somebody has a match to play: what of it has room on
    a sheet."""
    playing = [match.round for section in bracket.sections for match in section.matches if match.can_be_played]
    last_rounds = max(len(bracket.headings) - room.columns + 1, 1)
    for first in (min(last_rounds, *playing), min(playing)) if playing else ():
        rest = from_round(bracket, first)
        if len(rest.headings) <= room.columns and lay_out(rest).height <= room.height:
            yield rest


def from_round(bracket: Bracket, first: int) -> Bracket:
    """The bracket without the rounds before this one, and without parts that begin later, but for the last round."""
    rounds = range(first, first + (2 if first + 1 == len(bracket.headings) else 1))
    later = [
        section._replace(matches=_moved([match for match in section.matches if match.round >= first], first))
        for section in bracket.sections
        if any(match.round in rounds for match in section.matches)
    ]
    return Bracket(later, bracket.headings[first - 1 :])


def _all(bracket: Bracket, section: Section, room: Room) -> Iterator[Bracket]:
    first, last = _rounds(section.matches)
    yield from _pieces(bracket, section, range(first, first + room.columns), room)
    for begin in range(first + room.columns - 1, last, room.columns - 1):
        yield from _pieces(bracket, section, range(begin, begin + room.columns), room)


def _now(bracket: Bracket, section: Section, room: Room) -> Iterator[Bracket]:
    """The pieces in which somebody has a match to play. The last rounds of the main tree stand together."""
    playing = [match.round for match in section.matches if match.can_be_played]
    if not playing:
        return
    first, last = _rounds(section.matches)
    begin = min(playing) if section.title else max(first, min(*playing, last - room.columns + 1))
    for piece in _pieces(bracket, section, range(begin, begin + room.columns), room):
        if any(match.can_be_played for each in piece.sections for match in each.matches):
            yield piece


def _end(bracket: Bracket, section: Section, room: Room) -> Bracket:
    """The last rounds of a tree."""
    first, last = _rounds(section.matches)
    rounds = range(max(first, last - room.columns + 1), last + 1)
    return _piece(bracket, section, [match for match in section.matches if match.round in rounds])


def _numbers(pieces: Iterable[Bracket]) -> set[int]:
    return {match.number for piece in pieces for section in piece.sections for match in section.matches}


def _is_known(piece: Bracket) -> bool:
    """Whether somebody has come to one of its matches."""
    return any(line.known for section in piece.sections for match in section.matches for line in match.lines)


def _pieces(bracket: Bracket, section: Section, rounds: range, room: Room) -> list[Bracket]:
    """These rounds of a part, in as few pieces as the room allows, of about the same size."""
    here = {match.number: match for match in section.matches if match.round in rounds}
    go_on = {line.source for match in here.values() for line in match.lines}
    branches = [[*_branch(match, here)] for match in here.values() if match.number not in go_on]
    fewest = len(_filled(bracket, section, branches, room.height, len(branches)))
    for most in range(-(-len(branches) // max(fewest, 1)), len(branches)):
        evenly = _filled(bracket, section, branches, room.height, most)
        if len(evenly) == fewest:
            return evenly
    return _filled(bracket, section, branches, room.height, len(branches))


def _filled(
    bracket: Bracket, section: Section, branches: Sequence[Sequence[Match]], height: int, most: int
) -> list[Bracket]:
    """Pieces up to this height and with at most so many branches, each as full as it can be."""
    found: list[Bracket] = []
    held: list[Sequence[Match]] = []
    for branch in branches:
        fuller = _piece(bracket, section, sorted(match for each in (*held, branch) for match in each))
        if held and len(held) < most and lay_out(fuller).height <= height:
            held.append(branch)
            found[-1] = fuller
        else:
            held = [branch]
            found.append(_piece(bracket, section, sorted(branch)))
    return found


def _branch(match: Match, here: Mapping[int, Match]) -> Iterator[Match]:
    """The match and those of these that lead to it."""
    yield match
    for line in match.lines:
        if line.source is not None and line.source in here:
            yield from _branch(here[line.source], here)


def _piece(bracket: Bracket, section: Section, matches: Sequence[Match]) -> Bracket:
    """Its rounds count from 1, and its first matches come from nowhere. A tree for places has no
    headings but its titles."""
    first, last = _rounds(matches)
    decides = section.decides if last == _rounds(section.matches)[1] else ""
    return Bracket(
        [Section(section.title, _moved(matches, first), decides=decides)],
        [""] * (last - first + 1) if section.for_places else bracket.headings[first - 1 : last],
    )


def _moved(matches: Sequence[Match], first: int) -> list[Match]:
    """With rounds that count from this one; those come from nowhere to which no match of these leads."""
    numbers = {match.number for match in matches}
    return [
        match._replace(
            round=match.round - first + 1,
            lines=[line if line.source in numbers else line._replace(source=None) for line in match.lines],
        )
        for match in matches
    ]


def _rounds(matches: Iterable[Match]) -> tuple[int, int]:
    """The first and the last one in which there is a match of these."""
    rounds = {match.round for match in matches}
    return min(rounds), max(rounds)


def _arranged(pieces: Iterable[Bracket], room: Room) -> Sheets:
    """Each piece as high up as there is room, on a new sheet if there is none."""
    found: list[list[Placed]] = []
    free: list[int] = []
    """From where on each column of the newest sheet is free."""
    for piece in pieces:
        layout, columns = lay_out(piece), len(piece.headings)
        tops = [max(free[at : at + columns]) for at in range(room.columns - columns + 1)] if free else []
        if not tops or min(tops) + layout.height > room.height:
            found.append([])
            free, tops = [0] * room.columns, [0]
        top = min(tops)
        at = tops.index(top)
        found[-1].append(Placed(layout, at * (WIDTH + GUTTER), top))
        free[at : at + columns] = [top + layout.height + APART] * columns
    height = max((each.y + each.layout.height for sheet in found for each in sheet), default=0)
    return Sheets(room.columns * (WIDTH + GUTTER) - GUTTER + 2 * MARGIN, height, found)
