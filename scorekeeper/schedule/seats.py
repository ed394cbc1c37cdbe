"""Who sits where at a table, once it is settled who sits there: every player in every seat about as often.

Without partners this always comes out: tables and players are the two sides of a graph, sitting there is an edge, the
seat its colour. Each player is cut into copies that sit at as many tables as a table has seats; a graph like that is
coloured with so many colours (König, by alternating paths), and so everybody has every seat as often as any other, or
once more.

With partners the pairs come first: which pair of a table sits in seats 0 and 2 is tried and mended, so that everybody
is there half of the time; then each pair is turned so that everybody leaves as many times as he arrives (Euler).
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count, permutations

from scorekeeper.schedule.alternating import alternated
from scorekeeper.schedule.rounds import Format, Round, Table, sides

_PATIENCE = 8
"""Tables turned for each table without a gain, before the best there was has to do."""
_MOST = 5_000
_IN_ALL = 20_000
"""However many gains there are: a second or so."""
_SEEN = 10
"""Of how many of somebody's tables the one is turned that helps most."""


def seated(format: Format, rounds: Sequence[Round], rng: random.Random) -> tuple[Round, ...]:
    """The same rounds, players at each table in seats as even as can be. Where they begin again all move on by a seat:
    who was somewhere once less than elsewhere is not so twice. Without partners that is for whole cycles; else all come
    out even at once."""
    whole = _begin_again(rounds)
    if whole < len(rounds) and (format.partners or len(rounds) % whole == 0):
        first = seated(format, rounds[:whole], rng)
        return tuple(_moved_on(first[number % whole], number // whole) for number in range(len(rounds)))
    tables = [table for each in rounds for table in each.tables]
    ordered = iter(_partners(tables, rng) if format.partners else _by_size(tables))
    return tuple(Round(tuple(next(ordered) for _table in each.tables), each.byes) for each in rounds)


def as_before(
    format: Format, before: Sequence[Round], rounds: Sequence[Round], done: int, rng: random.Random
) -> tuple[Round, ...]:
    """Rounds after so many that are ``done``: a table that was there ``before`` in the same round is laid as it was
    then. The seats of the others make up for all these: each in turn takes the order that is best for its players,
    until none has a better one; two at a table are first and second in turn, as nearly as may be."""
    was = [{sides(format, table): table for table in round.tables} for round in before[done:]]
    found = [
        [(was[at] if at < len(was) else {}).get(sides(format, table), table) for table in round.tables]
        for at, round in enumerate(rounds)
    ]
    new = [
        (at, place)
        for at, tables in enumerate(found)
        for place, table in enumerate(tables)
        if at >= len(was) or sides(format, table) not in was[at]
    ]
    times: Counter[tuple[int, int, int]] = Counter()
    for table in (*(table for each in before[:done] for table in each.tables), *chain.from_iterable(found)):
        times.update(_places(table))
    better = True
    while better:
        better = False
        for at, place in new:
            tables, table = found[at], found[at][place]
            times.subtract(_places(table))
            tables[place] = min((table, *_orders(format, table)), key=lambda order: _uneven(times, order))
            times.update(_places(tables[place]))
            better = better or tables[place] != table
    laid = tuple(Round(tuple(tables), each.byes) for tables, each in zip(found, rounds, strict=True))
    if format.size > 2:
        return laid
    return alternated((*before[:done], *laid), [(done + at, place) for at, place in new], rng)[done:]


def _places(table: Table) -> Iterator[tuple[int, int, int]]:
    return ((player, len(table), seat) for seat, player in enumerate(table))


def _uneven(times: Counter[tuple[int, int, int]], order: Table) -> int:
    """By how much the squares of seats grow, but for what is the same for all orders; who leads counts twice."""
    return sum(times[player, len(order), seat] * (2 if seat == 0 else 1) for seat, player in enumerate(order))


def _orders(format: Format, table: Table) -> Iterator[Table]:
    """Every order of a table that leaves partners partners."""
    for order in permutations(table):
        if not format.partners or {order[0], order[2]} in ({table[0], table[2]}, {table[1], table[3]}):
            yield order


def _begin_again(rounds: Sequence[Round]) -> int:
    """After how many rounds they come again from the first; all of them where they do not."""
    again = (number for number in range(1, len(rounds)) if rounds[number] == rounds[0])
    return next((whole for whole in again if rounds[whole:] == rounds[: len(rounds) - whole]), len(rounds))


def _moved_on(round: Round, by: int) -> Round:
    return Round(tuple(table[by % len(table) :] + table[: by % len(table)] for table in round.tables), round.byes)


# --- without partners --------------------------------------------------------------------------------------
def _by_size(tables: Sequence[Table]) -> list[Table]:
    """Tables of each size by themselves."""
    found: dict[int, Table] = {}
    for size in {len(table) for table in tables}:
        places = [at for at, table in enumerate(tables) if len(table) == size]
        those = [tables[at] for at in places]
        found.update(zip(places, _heads(those) if size == 2 else _coloured(those, size), strict=True))
    return [found[at] for at in range(len(tables))]


def _heads(tables: Sequence[Table]) -> Sequence[Table]:
    return _turned([(one, other) for one, other in tables])


def _coloured(tables: Sequence[Table], seats: int) -> list[Table]:
    """Each table with its players in the order of their colours."""
    copies = _copies(tables, seats)
    at_table: list[dict[int, int]] = [{} for _table in tables]  # table → seat → place in the table as it came
    at_copy: defaultdict[int, dict[int, tuple[int, int]]] = defaultdict(dict)  # copy → seat → (table, place)
    for table in range(len(tables)):
        for place in range(seats):
            _colour(table, place, copies, at_table, at_copy, seats)
    return [tuple(players[at_table[table][seat]] for seat in range(seats)) for table, players in enumerate(tables)]


def _copies(tables: Sequence[Table], seats: int) -> list[list[int]]:
    """Instead of the players copies of them, each at as many tables as there are seats."""
    numbers = count()
    games: Counter[int] = Counter()
    copy: dict[tuple[int, int], int] = defaultdict(lambda: next(numbers))
    found = []
    for table in tables:
        found.append([copy[player, games[player] // seats] for player in table])
        games.update(table)
    return found


def _colour(
    table: int,
    place: int,
    copies: Sequence[Sequence[int]],
    at_table: list[dict[int, int]],
    at_copy: defaultdict[int, dict[int, tuple[int, int]]],
    seats: int,
) -> None:
    """Gives the edge a seat that is free on both sides, after two seats have changed along a path if none is."""
    copy = copies[table][place]
    free = [seat for seat in range(seats) if seat not in at_table[table]]
    here = next((seat for seat in free if seat not in at_copy[copy]), free[0])
    there = next(seat for seat in range(seats) if seat not in at_copy[copy])
    # From the copy on, edges of the seat that is free at the table and of the one that is free at the copy take turns.
    path: list[tuple[int, int, int]] = []
    at, seat = copy, here
    while seat in at_copy[at]:
        other, where = at_copy[at][seat]
        path.append((other, where, seat))
        seat = here + there - seat
        if seat not in at_table[other]:
            break
        following = at_table[other][seat]
        path.append((other, following, seat))
        at, seat = copies[other][following], here + there - seat
    for other, where, before in path:
        if at_table[other].get(before) == where:
            del at_table[other][before]
        if at_copy[copies[other][where]].get(before) == (other, where):
            del at_copy[copies[other][where]][before]
    for other, where, before in path:
        after = here + there - before
        at_table[other][after] = where
        at_copy[copies[other][where]][after] = (other, where)
    at_table[table][here] = place
    at_copy[copy][here] = (table, place)


# --- with partners -----------------------------------------------------------------------------------------
def _partners(tables: Sequence[Table], rng: random.Random) -> list[Table]:
    """Tables of four; seats 0 and 2 are partners before and after."""
    pairs = _halved([((a, c), (b, d)) for a, b, c, d in tables], rng)
    first, second = (_turned([each[axis] for each in pairs]) for axis in (0, 1))
    return [(a, b, c, d) for (a, c), (b, d) in zip(first, second, strict=True)]


Pair = tuple[int, int]


def _halved(pairs: list[tuple[Pair, Pair]], rng: random.Random) -> list[tuple[Pair, Pair]]:
    """Pairs of a table changed about until everybody is as often in the first as the seats want it: tables at which
    somebody is there too often are turned, the one that helps most, or any of them now and then."""
    games: Counter[int] = Counter(player for table in pairs for pair in table for player in pair)
    first: Counter[int] = Counter(player for table in pairs for player in table[0])
    of_player: defaultdict[int, list[int]] = defaultdict(list)
    for number, (ours, theirs) in enumerate(pairs):
        for player in (*ours, *theirs):
            of_player[player].append(number)
    pairs = list(pairs)

    def off(player: int, change: int = 0) -> int:
        """By how much more than the seats allow: with 4m games none, with 4m + 2 one to either side."""
        return max(0, abs(2 * (first[player] + change) - games[player]) - (games[player] % 4 and 2 - games[player] % 2))

    def gain(table: int) -> int:
        ours, theirs = pairs[table]
        return sum(off(each) - off(each, -1) for each in ours) + sum(off(each) - off(each, 1) for each in theirs)

    wrong = {player for player in games if off(player)}
    least, best, since = sum(map(off, wrong)), list(pairs), 0
    for _turn in range(_IN_ALL):
        if not wrong or since >= min(_PATIENCE * len(pairs), _MOST):
            break
        his = of_player[rng.choice(sorted(wrong))]
        seen = rng.sample(his, min(len(his), _SEEN))
        turn = max(seen, key=lambda number: (gain(number), rng.random()))
        if gain(turn) <= 0 and rng.random() < 0.3:
            turn = rng.choice(his)
        ours, theirs = pairs[turn]
        first.subtract(ours)
        first.update(theirs)
        pairs[turn] = (theirs, ours)
        wrong = (wrong - {*ours, *theirs}) | {player for player in (*ours, *theirs) if off(player)}
        now, since = sum(map(off, wrong)), since + 1
        if now < least:
            least, best, since = now, list(pairs), 0
    return best


def _turned(pairs: Sequence[Pair]) -> list[Pair]:
    """Each pair in the order that makes everybody first as often as second, or once more: along trails that use every
    pair once, those with an odd number joined by pairs that are not there."""
    loose = sorted(player for player, times in Counter(each for pair in pairs for each in pair).items() if times % 2)
    edges = [*pairs, *zip(loose[0::2], loose[1::2], strict=True)]
    around: defaultdict[int, list[int]] = defaultdict(list)
    for number, (one, other) in enumerate(edges):
        around[one].append(number)
        around[other].append(number)
    ordered: dict[int, Pair] = {}
    for start in list(around):
        at = start
        while (along := _unused(around[at], ordered)) is not None:
            one, other = edges[along]
            ordered[along] = (at, other if at == one else one)
            at = ordered[along][1]
    return [ordered[number] for number in range(len(pairs))]


def _unused(edges: list[int], ordered: Iterable[int]) -> int | None:
    while edges:
        if edges[-1] not in ordered:
            return edges[-1]
        edges.pop()
    return None
