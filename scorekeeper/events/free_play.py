"""Free play: whoever is free plays, and tables end when they end.

Its rounds only put the tables in an order that other programs understand: nobody, and no table, is twice in one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from scorekeeper.events.rounds import Pairing, Round


def round_of(rounds: Sequence[Round], pairing: Pairing) -> int:
    """The number of the round to which a new table belongs: the first after all in which its players have played, or
    its table was in use. So everybody's tables follow each other as they were played."""
    players = {*pairing.players}
    before = (
        number
        for number, played in enumerate(rounds, 1)
        if any(each.table == pairing.table or not players.isdisjoint(each.players) for each in played.pairings)
    )
    return max(before, default=0) + 1


def with_tables(rounds: Sequence[Round], pairings: Iterable[Pairing]) -> tuple[Round, ...]:
    """The rounds with these new tables, each in its round."""
    after = [*rounds]
    for pairing in pairings:
        number = round_of(after, pairing)
        if number > len(after):
            after.append(Round((), ()))
        after[number - 1] = replace(after[number - 1], pairings=(*after[number - 1].pairings, pairing))
    return tuple(after)
