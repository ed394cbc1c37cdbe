"""Every game this program knows, by the name its records have."""

from collections.abc import Mapping

from games.base import Game
from games.domino_whist import DominoWhist
from games.two_player import BLOCK

GAMES: Mapping[str, Game] = {game.slug: game for game in (DominoWhist(), BLOCK)}
