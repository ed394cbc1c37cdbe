"""What a round is usually worth, as in a tournament's file."""

from collections.abc import Mapping
from typing import Any

RESULT: Mapping[str, Any] = {
    "by": "result",
    "win": 1,
    "draw": "1/2",
    "loss": 0,
    "bye": 1,
    "asked": "1/2",
    "absent": 0,
    "forfeit_win": 1,
    "forfeit_loss": 0,
}
PLACE: Mapping[str, Any] = {
    "by": "place",
    "places": {"2": [1, 0], "3": [2, 1, 0], "4": [3, 2, 1, 0]},
    "bye": 1,
    "asked": 0,
    "absent": 0,
    "forfeit_win": 2,
    "forfeit_loss": 0,
}
SCORE: Mapping[str, Any] = {
    "by": "score",
    "bye": "average",
    "asked": "average",
    "absent": 0,
    "forfeit_win": "average",
    "forfeit_loss": 0,
}
