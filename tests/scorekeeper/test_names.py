"""Names: which are the same, and their order in lists."""

import pytest

from scorekeeper.models import Player
from scorekeeper.names import alphabetical, fit, folded, meant, near
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


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Davd Evans", "David Evans"),  # left out
        ("Davidd Evans", "David Evans"),  # twice
        ("David Evens", "David Evans"),  # another letter
        ("Daivd Evans", "David Evans"),  # swapped
        ("Davd Evens", "David Evans"),  # two slips
        ("Alexadner", "Alexander"),
        ("Vera Lunt", "Vera Lund"),  # another letter in a short last name
        ("Xena Neu", "Xena New"),
        ("Dora Mg", "Dora Ng"),
        ("Dora Gn", "Dora Ng"),
        ("Ana Maria Ek", "Ana Maria Eck"),
        ("Uwe Kline", "Uwe Klein"),  # typed too late
        ("Uwe Kleni", "Uwe Klein"),
        ("Jon Smith", "John Smith"),
        ("Jose Nunez", "José Núñez"),
        ("Evans David", "David Evans"),
        ("evnas, david", "David Evans"),
        ("D. Evans", "David Evans"),
        ("David E", "David Evans"),
        ("David Evans", "D. Evans"),
        ("Anne-Marie Roux", "Annemarie Roux"),
        ("OBrien", "O'Brien"),
        ("Мария Иванва", "Мария Иванова"),
        ("Xenai Neu", "Xenia Neu"),  # swapped vowels at the end are no other name
    ],
)
def test_a_name_is_nearly_that_of_somebody(typed: str, meant: str) -> None:
    assert near(typed, ["Bo", meant, "Greta Holm"]) == [meant]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "Ada"),
        ("Bo", "Jo"),
        ("Ana", "Anna"),
        ("Paul Evans", "Paula Evans"),
        ("Mario Rossi", "Maria Rossi"),
        ("John Smith", "Joan Smith"),
        ("Tom Evans", "Tim Evans"),
        ("Ana Lee", "Ann Lee"),
        ("Bo Li", "Bo Lu"),
        ("Dora Ng", "Dora Ho"),
        ("Vera Lund", "Vera Berg"),
        ("Vera Lund", "Nora Lunt"),
        ("Bo", "Al"),
        ("Ng", "Mg"),
        ("Lunt", "Lund"),
        ("Team A1", "Team B1"),
        ("Team A", "Team B"),
        ("David Evans", "Daniel Evans"),
        ("David Evans", "Davd Ewens Jr"),
        ("Davd Evens", "Dave Evans"),
        ("Player 1", "Player 2"),
        ("Table11", "Table12"),
        ("D. E.", "David Evans"),
        ("David", "David Evans"),
        ("李小龍", "李小明"),
        ("", "Bo"),
        ("!", "?"),
    ],
)
def test_other_people_have_other_names(one: str, other: str) -> None:
    assert near(one, [other]) == near(other, [one]) == []


def test_the_same_name_is_not_nearly_the_same() -> None:
    assert near("ana li", ["Ana Li", "Ána Li"]) == ["Ána Li"]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("ana", ["Ana", "Ana Li", "Anabel", "Susana", "Anna"]),
        ("li ana", ["Ana Li"]),
        ("david evens", ["David Evans"]),
        ("jose nun", ["José Núñez"]),
        ("мария ива", ["Мария Иванова"]),
        ("марияа", ["Мария Иванова"]),
        ("小龍", ["李小龍"]),
        ("annemarie", ["Anne-Marie Roux"]),
        ("an anab", []),
        ("roux an", ["Anne-Marie Roux"]),
        ("ana ana", []),
        ("ana ling", []),
        ("!", []),
        ("", []),
    ],
)
def test_names_that_fit_what_is_typed_come_the_best_first(typed: str, found: list[str]) -> None:
    names = ["Anna", "Susana", "Anabel", "Ana Li", "Ana", "David Evans", "José Núñez", "Мария Иванова", "李小龍"]
    fits = {name: how for name in [*names, "Anne-Marie Roux"] if (how := fit(typed, name)) is not None}
    assert sorted(fits, key=fits.__getitem__) == found


@pytest.mark.parametrize(
    ("typed", "name", "slips"),
    [
        ("blun", "Ana Blum", 1),
        ("ana blun", "Ana Blum", 1),
        ("klum", "Ana Blum", 1),
        ("aan", "Ana Blum", 1),
        ("bbo", "Bo", 1),
        ("annn", "Ann Lee", 1),
        ("dave evans", "David Evans", 2),
        ("edit piaje", "Edith Piaf", 2),
    ],
)
def test_who_is_meant_by_a_text_that_fits_nobody(typed: str, name: str, slips: int) -> None:
    assert [number for number in (1, 2) if meant(typed, name, number)] == [1, 2][slips - 1 :]


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("tom", "Tim"),
        ("ana", "Ada"),
        ("jo", "Bo"),
        ("bo", "Lo"),
        ("blut", "Bert"),
        ("ana blun", "Bo Blum"),
        ("player 1", "Player 2"),
        ("ana ana", "Ana"),
    ],
)
def test_other_people_are_not_meant(typed: str, name: str) -> None:
    assert not meant(typed, name, 2)


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
