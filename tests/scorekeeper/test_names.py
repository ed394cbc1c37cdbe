"""Names: which are the same, and their order in lists."""

import pytest

from scorekeeper.models import Player
from scorekeeper.names import alphabetical, folded
from scorekeeper.selectors.clubs import players_named, players_of
from scorekeeper.selectors.events import event_now
from tests.conftest import Cast
from tests.nights import night_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "aNA"),
        ("Óscar", "ÓSCAR"),
        ("Óscar", "o\u0301scar"),
        ("Groß", "GROSS"),
        ("Ana Li", " ana  li "),
        ("Ω", "ω"),
    ],
)
def test_a_name_typed_otherwise_is_the_same(one: str, other: str) -> None:
    assert folded(one) == folded(other)


@pytest.mark.parametrize("other", ["Oscar", "Óscar A.", "Ósca"])
def test_another_name_is_another(other: str) -> None:
    assert folded("Óscar") != folded(other)


def test_names_stand_in_the_order_of_the_alphabet() -> None:
    names = ["Vera", "óscar B.", "李", "Åsa", "Óscar", "ulises", "ana B.", "Oscar", "Bo", "Ana"]
    ordered = ["Ana", "ana B.", "Åsa", "Bo", "Oscar", "Óscar", "óscar B.", "ulises", "Vera", "李"]
    assert sorted(names, key=alphabetical) == ordered


def test_every_list_of_people_has_that_order(cast: Cast) -> None:
    names = ["Vera", "ulises", "Óscar", "Ana"]
    night = night_of(cast, names=names)
    ordered = ["Ana", "Óscar", "ulises", "Vera"]
    assert [player.name for player in players_of(cast.club)] == ordered
    assert [player.name for player in event_now(night).people.values()] == ordered


def test_the_exact_spelling_of_a_name_comes_first(cast: Cast) -> None:
    """Players who differ only in capitals can exist from before such names were refused."""
    first, second = (Player.objects.create(club=cast.club, name=name) for name in ("ANA", "ana"))
    assert players_named(cast.club.pk, ["ana", "ANA", "Ana", "Bo"]) == {"ana": second, "ANA": first, "Ana": first}
