"""The criteria of standings in words: their names, and a sentence for each."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy

from scorekeeper.standings.criteria import CRITERIA, MANUAL, OF_BOARDS

NAMES: Mapping[str, Any] = {
    "points": gettext_lazy("Points"),
    "head-to-head": gettext_lazy("Head to head"),
    "wins": gettext_lazy("Won"),
    "rounds-won": gettext_lazy("Rounds won"),
    "games-second": gettext_lazy("Played second"),
    "wins-second": gettext_lazy("Won as second"),
    "progressive": gettext_lazy("Progressive"),
    "buchholz": gettext_lazy("Buchholz"),
    "buchholz-cut-1": gettext_lazy("Buchholz, cut 1"),
    "buchholz-cut-2": gettext_lazy("Buchholz, cut 2"),
    "buchholz-median-1": gettext_lazy("Buchholz, median 1"),
    "buchholz-median-2": gettext_lazy("Buchholz, median 2"),
    "average-of-buchholz": gettext_lazy("Average Buchholz"),
    "sonneborn-berger": gettext_lazy("Sonneborn-Berger"),
    "koya": gettext_lazy("Koya"),
    "rating-average": gettext_lazy("Average rating"),
    "difference": gettext_lazy("Difference"),
    "scored": gettext_lazy("Scored"),
    "conceded": gettext_lazy("Conceded"),
    "firsts": gettext_lazy("First places"),
    "seconds": gettext_lazy("Second places"),
    "thirds": gettext_lazy("Third places"),
    "best-table": gettext_lazy("Best table"),
    "board-points": gettext_lazy("Board points"),
    "board-wins": gettext_lazy("Board wins"),
    "start": gettext_lazy("Start number"),
    MANUAL: gettext_lazy("Director’s decision"),
    "lots": gettext_lazy("Lots"),
}
EXPLAINED: Mapping[str, Any] = {
    "points": gettext_lazy("What matches and byes were worth, minus penalties."),
    "head-to-head": gettext_lazy("The place among those who are equal so far, by their results against each other."),
    "wins": gettext_lazy("The tables won alone."),
    "rounds-won": gettext_lazy("The rounds won: at a table, by forfeit, or by a bye that is worth a win."),
    "games-second": gettext_lazy("The tables played where another side led the first hand."),
    "wins-second": gettext_lazy("The tables won alone where another side led the first hand."),
    "progressive": gettext_lazy("The sum of the points after each round: early points count more often."),
    "buchholz": gettext_lazy("The sum of the opponents’ points; at a table with several, their mean."),
    "buchholz-cut-1": gettext_lazy("Buchholz without the lowest number."),
    "buchholz-cut-2": gettext_lazy("Buchholz without the two lowest numbers."),
    "buchholz-median-1": gettext_lazy("Buchholz without the lowest and the highest number."),
    "buchholz-median-2": gettext_lazy("Buchholz without the two lowest and the two highest numbers."),
    "average-of-buchholz": gettext_lazy("The mean Buchholz of everybody met at a table."),
    "sonneborn-berger": gettext_lazy("The sum of each opponent’s points, times the result against them."),
    "koya": gettext_lazy("The results against those who have at least half of all possible points."),
    "rating-average": gettext_lazy("The mean rating of everybody met at a table, rounded."),
    "difference": gettext_lazy("How much better their own totals were than the others’, added up."),
    "scored": gettext_lazy("Their own totals, added up."),
    "conceded": gettext_lazy("The totals of the others, added up; at a table with several, their mean."),
    "firsts": gettext_lazy("How often first at a table."),
    "seconds": gettext_lazy("How often second at a table."),
    "thirds": gettext_lazy("How often third at a table."),
    "best-table": gettext_lazy("Their best total at a table."),
    "board-points": gettext_lazy(
        "The boards won by a team, where higher boards count more: the first of nine counts 9, the last one 1."
    ),
    "board-wins": gettext_lazy("The wins of a team at board 1, then at board 2, and so on."),
    "start": gettext_lazy("The smaller start number comes first."),
    MANUAL: gettext_lazy("Directors decide on the page of equal entrants."),
    "lots": gettext_lazy("Drawn by lot, with the word for the lots."),
}
"""What each criterion counts, in one sentence."""
assert NAMES.keys() == EXPLAINED.keys() == CRITERIA.keys()
OF_ONE_TABLE: Mapping[str, Any] = {name: label for name, label in NAMES.items() if name not in OF_BOARDS}
"""Those for entrants who meet at one table."""
