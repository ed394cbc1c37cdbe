"""Pictures: from a state to SVG. Pure functions without Django; one source for every page, screen and print.

Colours are CSS classes (`tile`, `pips`, …), so that a theme is a matter of the stylesheet alone. Pictures to
share have fixed ones.
"""

from scorekeeper.drawing.board import board_svg
from scorekeeper.drawing.bracket import bracket_file, bracket_svg, sheet_svgs
from scorekeeper.drawing.card import card_svg
from scorekeeper.drawing.rating_line import rating_line_svg
from scorekeeper.drawing.share import match_picture, player_picture, ranking_picture
from scorekeeper.drawing.standing_line import standing_line_svg
from scorekeeper.drawing.tile import half_svg, tile_svg

__all__ = [
    "board_svg",
    "bracket_file",
    "bracket_svg",
    "card_svg",
    "half_svg",
    "match_picture",
    "player_picture",
    "ranking_picture",
    "rating_line_svg",
    "sheet_svgs",
    "standing_line_svg",
    "tile_svg",
]
