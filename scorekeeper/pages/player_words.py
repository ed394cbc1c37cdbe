"""What a player did in a match, in sentences."""

from collections.abc import Callable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import GAMES
from scorekeeper.selectors.players import Side
from scorekeeper.words import listed

Mark = Callable[[str], str]
"""How a name is written: as plain text, or as HTML."""

_BEHIND = {
    2: gettext_lazy("second of {n}, behind {better}, at {game}"),
    3: gettext_lazy("third of {n}, behind {better}, at {game}"),
    4: gettext_lazy("fourth of {n}, behind {better}, at {game}"),
}


def outcome_words(game: str, sides: Sequence[Side], own: Side, mark: Mark) -> str:
    """How a match ended for one of its sides, and who the others were."""

    def people(those: Sequence[Side]) -> str:
        return listed([mark(name) for side in those for _id, name in side.players])

    others = [side for side in sides if side is not own]
    better = [side for side in others if side.place < own.place]
    equal = [side for side in others if side.place == own.place]
    text = _sentence(own.place, len(sides), bool(equal))
    return text.format(
        others=people(others),
        better=people(better) if better else "",
        equal=people(equal) if equal else "",
        place=own.place,
        n=len(sides),
        game=mark(_(GAMES[game].name)),
    )


def _sentence(place: int, sides: int, shared: bool) -> str:
    if sides == 2:
        return (
            (_("tied with {others} at {game}") if shared else _("beat {others} at {game}"))
            if place == 1
            else (_("lost to {others} at {game}"))
        )
    if place == 1:
        return _("shared first place with {equal} at {game}") if shared else _("won ahead of {others} at {game}")
    if shared:
        return _("shared place {place} of {n} with {equal}, behind {better}, at {game}")
    return str(_BEHIND.get(place) or _("place {place} of {n}, behind {better}, at {game}"))


def expected_words(own: Side, player: int, expected: int, outcome: str, mark: Mark, *, you: bool) -> str:
    """The side of the player, what it was expected to win in per mille, and how it ended. `you`: whether the player
    reads it."""
    partners = [mark(name) for number, name in own.players if number != player]
    them = next((mark(name) for number, name in own.players if number == player), "")
    side = listed([_("You") if you else them, *partners])
    percent = f"{round(expected / 10)}\N{NO-BREAK SPACE}%"
    return _("{side}, expected {percent}: {outcome}").format(side=side, percent=percent, outcome=outcome)
