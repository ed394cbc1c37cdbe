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
BALANCE: Mapping[str, Any] = {
    "by": "result",
    "win": 1,
    "draw": 0,
    "loss": -1,
    "bye": 0,
    "asked": 0,
    "absent": 0,
    "forfeit_win": 1,
    "forfeit_loss": -1,
}
"""Wins less losses, for free play: who plays more gains nothing by that alone, and no round counts against who did not
play in it."""
CENTRED: Mapping[str, Any] = {
    "by": "place",
    "places": {"2": [1, -1], "3": [2, 0, -2], "4": [3, 1, -1, -3]},
    "bye": 0,
    "asked": 0,
    "absent": 0,
    "forfeit_win": 2,
    "forfeit_loss": -2,
}
"""The same at larger tables: whom somebody beat less who beat them."""
