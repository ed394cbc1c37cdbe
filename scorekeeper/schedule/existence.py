"""Existence proofs: whether a schedule as even as counting allows exists, and by which theorem."""

from typing import NamedTuple

from scorekeeper.schedule.galois import is_prime_power
from scorekeeper.schedule.problem import sizes_of
from scorekeeper.schedule.seating import Format


class Existence(NamedTuple):
    """Whether a schedule at the bound exists, and the theorem that says so. None: unknown here."""

    exists: bool | None
    theorem: str = ""


UNKNOWN = Existence(None)


def existence_of(format: Format, players: int, rounds: int) -> Existence:
    """What is known if everybody plays every round and there are no wishes."""
    if format.size == 2:
        return Existence(True, "Berger tables exist for every number")
    if format.partners:
        return _partners(players, rounds)
    if _too_few_tables(sizes_of(format, players), players, rounds):
        size = format.size
        return Existence(False, f"{size} players who met in one round need {size} separate places in the next")
    if format.sizes == (3,):
        return _triples(players, rounds)
    return _fours(players, rounds) if format.sizes == (4,) else UNKNOWN


def _partners(players: int, rounds: int) -> Existence:
    whole = players - (players % 4 == 0)
    if players % 4 < 2 and rounds % whole == 0:
        return Existence(True, "whist tournaments exist for every 4m and 4m + 1 players (Baker, Wilson)")
    return UNKNOWN


def _triples(players: int, rounds: int) -> Existence:
    if players % 6 == 3 and rounds <= (players - 1) // 2:
        return Existence(True, "Kirkman triple systems exist for every 6m + 3 players (Ray-Chaudhuri, Wilson)")
    if players == 12 and rounds == 5:
        return Existence(False, "there is no nearly Kirkman triple system of 12 players (Kotzig, Rosa)")
    if players % 6 == 0 and players >= 18 and rounds < players // 2:
        return Existence(True, "nearly Kirkman triple systems exist for every 6m players from 18 on (Rees, Stinson)")
    if players % 3 == 1 and rounds % players == 0:
        return Existence(True, "near resolvable designs of triples exist for every 3m + 1 players (Hanani)")
    return _transversal(players, rounds, 3)


def _fours(players: int, rounds: int) -> Existence:
    if players % 12 == 4 and rounds <= (players - 1) // 3:
        return Existence(True, "resolvable designs of fours exist for 12m + 4 players (Hanani, Ray-Chaudhuri, Wilson)")
    return _transversal(players, rounds, 4)


def _too_few_tables(sizes: tuple[int, ...], players: int, rounds: int) -> bool:
    """Whether somebody must meet twice although counting alone allows nobody to.

    The players of one table need separate tables in the next round, or byes.
    """
    meetings = rounds * sum(size * (size - 1) // 2 for size in sizes)
    need_byes = sum(max(0, size - len(sizes)) for size in sizes)
    return rounds > 1 and need_byes > players - sum(sizes) and meetings <= players * (players - 1) // 2


def _transversal(players: int, rounds: int, size: int) -> Existence:
    group, over = divmod(players, size)
    if not over and group >= size and is_prime_power(group) and rounds <= group:
        return Existence(True, f"transversal designs of {size} groups of {group} exist (Bose)")
    return UNKNOWN
