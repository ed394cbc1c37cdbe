"""Events with rounds: pure folds from the steps of the hosts to the present state.

``FOLDS[kind]`` is the fold of each kind of event. Club nights and tournaments share ``program.Program`` – draft, swap,
seat, last hand, close, undo – and differ in how people come, go and are drawn. A league and a ladder have no rounds to
draw: of ``Program`` they have the log, undo and the end.
"""

from collections.abc import Mapping

from scorekeeper.events.ladder import Ladder
from scorekeeper.events.league import League
from scorekeeper.events.night import Night
from scorekeeper.events.program import Program
from scorekeeper.events.tournament import Tournament

FOLDS: Mapping[str, type[Program]] = {"night": Night, "tournament": Tournament, "league": League, "ladder": Ladder}
"""By the kind of an event."""

__all__ = ["FOLDS", "Ladder", "League", "Night", "Program", "Tournament"]
