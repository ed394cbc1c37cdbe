"""Whether a schedule follows the rules, whoever made it: its faults, each with a code."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorekeeper.schedule.problem import NO_WISHES, Wishes
from scorekeeper.schedule.seating import Schedule, Seating


class Fault(NamedTuple):
    """A broken rule: its code, the round (from 0; None for the whole schedule) and the player."""

    code: str
    round: int | None = None
    player: int | None = None


def faults(schedule: Schedule, wishes: Wishes = NO_WISHES, released: Sequence[Seating] = ()) -> list[Fault]:
    """Every broken rule or wish, and every ``released`` round that was changed.

    Wishes apply to the rounds after the released ones.
    """
    now = dict(enumerate(schedule.rounds))
    found = [Fault("released-changed", number) for number, was in enumerate(released) if now.get(number) != was]
    for number, seating in enumerate(schedule.rounds):
        if number < len(released):
            past = _round_faults(schedule, NO_WISHES, number, seating)
            found += (fault for fault in past if fault.code != "player-missing")
        else:
            found += _round_faults(schedule, wishes, number, seating)
            found += _wish_faults(wishes, number, seating)
    return found


def _round_faults(schedule: Schedule, wishes: Wishes, number: int, seating: Seating) -> Iterator[Fault]:
    times = Counter(player for table in seating.tables for player in table)
    times.update(seating.byes)
    for table in seating.tables:
        if len(table) not in schedule.format.sizes:
            yield Fault("table-size", number)
    for player in range(schedule.players):
        first, end = wishes.present.get(player, (0, len(schedule.rounds)))
        if times[player] and not first <= number < end:
            yield Fault("not-there", number, player)
        elif not times[player] and first <= number < end:
            yield Fault("player-missing", number, player)
        elif times[player] > 1:
            yield Fault("player-twice", number, player)
    for player in sorted(times.keys() - set(range(schedule.players))):
        yield Fault("no-such-player", number, player)


def _wish_faults(wishes: Wishes, number: int, seating: Seating) -> Iterator[Fault]:
    for at, table in enumerate(seating.tables):
        for group in wishes.apart:
            met = sorted({*table} & {*group.players})
            if len(met) > 1 and number < group.rounds:
                yield Fault("met-too-early", number, met[0])
        for player in table:
            if wishes.fixed.get(player, at) != at:
                yield Fault("wrong-table", number, player)
