"""What the setup of a tournament may say, and what follows from it: who sits at a table, what stays fixed, how many
rounds are usual."""

from collections.abc import Mapping, Sequence
from math import comb
from typing import Any

from games import Game
from scorekeeper.schedule.problem import sizes_of
from scorekeeper.schedule.seating import FORMATS, Format, Shape

FORMAT_NAMES = tuple(FORMATS)
"""How many sit at a table, and whether they have partners."""
USUAL: Mapping[str, Any] = {
    "system": "round-robin",
    "pairing": "fold",
    "first": "new",
    "apart": 0,
    "first_by_lots": False,
    "bracket": "single",
    "best_of": 1,
    "final_best_of": 0,
    "date": None,
    "confirm": 0,
    "prizes": 3,
    "fund": None,
    "until": None,
    "teams": False,
    "in_groups": False,
    "public": True,
    "self_entry": False,
    "clock_waits": True,
    "outlook": False,
}
"""What the setup has if it does not say otherwise."""
MOST_PRIZES = 50
MOST_ROUNDS = 500
MOST_SEATS = 4  # that can confirm a result
LONGEST_PAUSE = 24 * 60  # minutes between rounds
SWISS, KNOCK_OUT, FREE = "swiss", "knock-out", "free"
SYSTEMS = ("round-robin", SWISS, KNOCK_OUT, FREE)
"""What decides who meets whom: a schedule of all rounds, the results of the rounds before, or who is free."""
SINGLE, THIRD_PLACE, PLACEMENT, DOUBLE = "single", "third-place", "placement", "double"
BRACKETS = (SINGLE, THIRD_PLACE, PLACEMENT, DOUBLE)
"""Who plays on in a knock-out: only the winners, also the losers of the semi-finals, everybody down to the last place,
or everybody until they have lost twice."""
SHAPE = ("game", "size", "teams", "format", "system")
"""What decides who sits at a table."""
ALWAYS_FIXED = ("game", "size", "teams")
"""What no later stage can change: who an entrant is, and how they play."""
OF_THE_WHOLE = ("name", "public")
"""What a stage does not have for itself."""
OWN = (
    *("format", "system", "rounds", "double", "bracket", "best_of", "final_best_of"),
    *("worth", "order", "minimum_played"),
)
"""What each of several finals side by side can have for itself."""
FIXED = (*SHAPE, "rounds", "double")
"""What the setup of a round robin cannot change once a round is seated: the rounds played would not belong to it."""


def fixed(setup: Mapping[str, Any], *, begun: bool = True) -> tuple[str, ...]:
    """What of this setup cannot change once a round is seated; `begun`: of this stage. A Swiss tournament may get
    longer or shorter."""
    if not begun:
        return ALWAYS_FIXED
    more = {SWISS: (*SHAPE, "double"), KNOCK_OUT: (*FIXED, "bracket", "best_of", "final_best_of"), FREE: SHAPE}
    return more.get(setup["system"], FIXED)


def usual_rounds(entrants: int, format: Format) -> int:
    """How many rounds a Swiss tournament usually has: enough that only one entrant can have won them all, and one more,
    but no more than `rounds_to_meet_all`. 0 if they are too few for a table."""
    if entrants < format.sizes[0]:
        return 0
    rounds, winners = 1, format.sides
    while winners < entrants:
        rounds, winners = rounds + 1, winners * format.sides
    return min(rounds + 1, rounds_to_meet_all(entrants, format))


def rounds_to_meet_all(entrants: int, format: Format) -> int:
    """In how many rounds somebody can meet everybody; with partners, have everybody as a partner."""
    return max(-(-(entrants - 1) // (format.sides - 1)), 1)


def first_repeat(entrants: int, format: Format) -> int:
    """The number of the round in which somebody has to meet an opponent again, at the latest: then there are more
    meetings than pairs of entrants. 0 if they are too few for a table."""
    met = sum(4 if format.partners else comb(size, 2) for size in sizes_of(format, entrants))
    return comb(entrants, 2) // met + 1 if met else 0


def rounds_of_bracket(entrants: int, bracket: str) -> int:
    """How many rounds a knock-out has if no table ends equal, and if in a double one nobody plays the final twice. 0 if
    they are too few for a table."""
    if entrants < 2:
        return 0
    rounds = (entrants - 1).bit_length()
    return 2 * rounds if bracket == DOUBLE else rounds


def by_seat(game: Game[Any], players: Sequence[int]) -> tuple[int, ...]:
    """The players of a table by seat, from its players side after side."""
    return Shape(len(players), game.sides(len(players))).by_seat(players)


def fits(game: Game[Any], format: str, size: int) -> bool:
    """Whether the game can be played in this format, with this number of players of each entrant at a table."""
    return all(
        sum(shape) * size in game.seats and len(game.sides(sum(shape) * size)) == len(shape) for shape in shapes(format)
    )


def shapes(format: str) -> list[tuple[int, ...]]:
    """How many entrants the sides of a table can have in this format."""
    wanted = FORMATS[format]
    return [(2, 2) if wanted.partners else (1,) * size for size in wanted.sizes]
