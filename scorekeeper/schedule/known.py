"""What is known of schedules as even as counting allows: whether there are any, whoever has them."""

from typing import NamedTuple

from scorekeeper.schedule.galois import is_prime_power
from scorekeeper.schedule.rounds import Format
from scorekeeper.schedule.task import sizes_of


class Known(NamedTuple):
    """Whether a schedule at the bound exists, and by which theorem; None: nothing is known here."""

    exists: bool | None
    why: str = ""


NOTHING_KNOWN = Known(None)


def known(format: Format, players: int, rounds: int) -> Known:
    """For everybody there in every round, nobody kept apart."""
    if format.size == 2:
        return Known(True, "Berger tables exist for every number")
    if format.partners:
        return _partners(players, rounds)
    if _too_few_tables(sizes_of(format, players), players, rounds):
        most = format.size
        return Known(False, f"{most} who met in one round need {most} places apart in the next")
    if format.sizes == (3,):
        return _triples(players, rounds)
    return _fours(players, rounds) if format.sizes == (4,) else NOTHING_KNOWN


def _partners(players: int, rounds: int) -> Known:
    whole = players - (players % 4 == 0)
    if players % 4 < 2 and rounds % whole == 0:
        return Known(True, "whist tournaments exist for every 4m and 4m + 1 players (Baker, Wilson)")
    return NOTHING_KNOWN


def _triples(players: int, rounds: int) -> Known:
    if players % 6 == 3 and rounds <= (players - 1) // 2:
        return Known(True, "Kirkman triple systems exist for every 6m + 3 players (Ray-Chaudhuri, Wilson)")
    if players == 12 and rounds == 5:
        return Known(False, "there is no nearly Kirkman triple system of 12 players (Kotzig, Rosa)")
    if players % 6 == 0 and players >= 18 and rounds < players // 2:
        return Known(True, "nearly Kirkman triple systems exist for every 6m players from 18 on (Rees, Stinson)")
    if players % 3 == 1 and rounds % players == 0:
        return Known(True, "near resolvable designs of triples exist for every 3m + 1 players (Hanani)")
    return _transversal(players, rounds, 3)


def _fours(players: int, rounds: int) -> Known:
    if players % 12 == 4 and rounds <= (players - 1) // 3:
        return Known(True, "resolvable designs of fours exist for 12m + 4 players (Hanani, Ray-Chaudhuri, Wilson)")
    return _transversal(players, rounds, 4)


def _too_few_tables(tables: tuple[int, ...], players: int, rounds: int) -> bool:
    """Whether somebody must meet twice though counting alone would let nobody: those of one table go to as many tables
    in the next round, and who finds none sits out."""
    meetings = rounds * sum(size * (size - 1) // 2 for size in tables)
    nowhere = sum(max(0, size - len(tables)) for size in tables)
    return rounds > 1 and nowhere > players - sum(tables) and meetings <= players * (players - 1) // 2


def _transversal(players: int, rounds: int, size: int) -> Known:
    group, over = divmod(players, size)
    if not over and group >= size and is_prime_power(group) and rounds <= group:
        return Known(True, f"transversal designs of {size} groups of {group} exist (Bose)")
    return NOTHING_KNOWN
