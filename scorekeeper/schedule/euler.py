"""Pairs in order: everybody is first in their pairs equally often, or once more, as trails of Euler give it."""

from collections import Counter, defaultdict
from collections.abc import Container, Sequence

Pair = tuple[int, int]


def oriented(pairs: Sequence[Pair]) -> list[Pair]:
    """Each pair in the order in which a trail passes it. Trails use every pair once; extra pairs join the players who
    have an odd number of them."""
    odd = sorted(player for player, times in Counter(player for pair in pairs for player in pair).items() if times % 2)
    edges = [*pairs, *zip(odd[0::2], odd[1::2], strict=True)]
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


def _unused(edges: list[int], ordered: Container[int]) -> int | None:
    while edges:
        if edges[-1] not in ordered:
            return edges[-1]
        edges.pop()
    return None
