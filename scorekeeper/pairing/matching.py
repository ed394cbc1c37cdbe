"""Matchings of greatest weight, by rustworkx."""

from collections.abc import Sequence
from typing import NamedTuple

import networkx as nx
import numpy as np
import rustworkx as rx
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
"""Which two of the players, by their index, may meet."""
MOST_BITS = 120
"""The bits of a weight that rustworkx can add up. Above, networkx does it, which is slow."""


class Edges(NamedTuple):
    """Possible tables: the indices of their two players. Who has a bye meets the index after the last."""

    one: NDArray[np.intp]
    other: NDArray[np.intp]

    @classmethod
    def of(cls, mask: Mask) -> "Edges":
        return cls(*np.nonzero(np.triu(mask, 1)))

    @property
    def players(self) -> int:
        """How many have a possible table; whoever has a bye counts as two."""
        return len(np.union1d(self.one, self.other))


Matching = list[tuple[int, int]]


def heaviest(edges: Edges, weights: Sequence[int]) -> Matching:
    """Of the matchings with most tables, one with the greatest sum of weights."""
    two = zip(edges.one.tolist(), edges.other.tolist(), weights, strict=True)
    if max(weights, default=0).bit_length() <= MOST_BITS:
        graph: rx.PyGraph[None, int] = rx.PyGraph()
        graph.add_nodes_from([None] * (int(max(edges.other, default=-1)) + 1))
        graph.add_edges_from(list(two))
        found = rx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    else:
        slow = nx.Graph()
        slow.add_weighted_edges_from(two)
        found = nx.max_weight_matching(slow, maxcardinality=True)
    return sorted((min(pair), max(pair)) for pair in found)
