"""The parts of a page as the context of its template."""

from dataclasses import dataclass

import pytest

from scorekeeper.pages import context


@dataclass
class Head:
    title: str
    players: list[str]


@dataclass
class Sheet:
    players: list[str]
    points: int


@dataclass
class Foot:
    players: list[str]


def test_the_fields_of_all_parts_by_name() -> None:
    assert context() == {}
    assert context(Head("Table 3", ["Ana"])) == {"title": "Table 3", "players": ["Ana"]}


def test_two_parts_may_have_the_same_object() -> None:
    names = ["Ana", "Bo"]
    assert context(Head("Table 3", names), Sheet(names, 60)) == {"title": "Table 3", "players": names, "points": 60}


def test_two_parts_with_different_objects_are_refused_by_the_name_of_the_field() -> None:
    names = ["Ana", "Bo"]
    with pytest.raises(AssertionError, match="Head and Sheet differ in the field 'players'"):
        context(Head("Table 3", names), Sheet(["Ana", "Bo"], 60))
    with pytest.raises(AssertionError, match="Head and Foot differ in the field 'players'"):
        context(Head("Table 3", names), Sheet(names, 60), Foot(["Cy"]))
