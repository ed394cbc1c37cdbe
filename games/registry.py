"""Every game, by its name in records."""

from collections.abc import Mapping
from typing import Any

from games.base import Game
from games.dom import Dom
from games.dominards import Dominards
from games.domino_whist import DominoWhist
from games.domizerka import Domizerka
from games.two_player import FAMILY

GAMES: Mapping[str, Game[Any]] = {game.slug: game for game in (*FAMILY, DominoWhist(), Domizerka(), Dom(), Dominards())}
