"""What a player did in recorded hands: a section of their page."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games import GAMES, cards
from games.tiles import NAMES
from scorekeeper import words
from scorekeeper.pages.bars import Bar, Table
from scorekeeper.selectors.figures import BestHand, Figures, Sitting, figures_by_game

OPENINGS = 5
BEST = 3

# In the order in which they are shown.
ENDS: Mapping[str, Any] = {
    "out": gettext_lazy("Went out"),
    "out-partner": gettext_lazy("Partner went out"),
    "reached": gettext_lazy("Reached the target"),
    "dropped": gettext_lazy("Dropped the last card"),
    "played-won": gettext_lazy("Had more points"),
    "above": gettext_lazy("Above the quota"),
    "blocked-won": gettext_lazy("Blocked and won"),
    "played-tied": gettext_lazy("Had equal points"),
    "quota": gettext_lazy("Exactly the quota"),
    "blocked-tied": gettext_lazy("Blocked and tied"),
    "blocked": gettext_lazy("Blocked"),
    "blocked-lost": gettext_lazy("Blocked and lost"),
    "played-lost": gettext_lazy("Had fewer points"),
    "below": gettext_lazy("Below the quota"),
    "out-other": gettext_lazy("Another player went out"),
    "reached-other": gettext_lazy("Another player reached the target"),
    "dropped-other": gettext_lazy("Another player dropped the last card"),
    "stopped": gettext_lazy("Not finished"),
}
# What is shown as a number for each hand: its name, the figure, and the hands of which it is known.
A_HAND = (
    (gettext_lazy("Tricks a hand"), "tricks", "won", "counted"),
    (gettext_lazy("Tiles exchanged a hand"), "moves", "exchanged", "recorded"),
    (gettext_lazy("Passes a hand"), "moves", "passes", "recorded"),
    (gettext_lazy("Tiles drawn a hand"), "moves", "drawn", "recorded"),
    (gettext_lazy("Doubles laid a hand"), "doubles", "laid", "recorded"),
    (gettext_lazy("Doubles left in hand"), "doubles", "left", "left"),
)


@dataclass(frozen=True, slots=True)
class Fact:
    name: str
    value: str
    note: str


@dataclass(frozen=True, slots=True)
class GameFigures:
    """What somebody did in a game."""

    slug: str
    name: str
    matches: int
    hands: int
    recorded: int
    """How many of these hands were recorded move by move."""
    facts: Sequence[Fact]
    tables: Sequence[Table]
    best: Sequence[BestHand]
    bad: bool
    """Whether points are bad, so that the best hands are those with the most points for the other side."""


@dataclass(frozen=True, kw_only=True)
class PlayerFigures:
    figures: Sequence[GameFigures]
    """The game with the most hands first; without games of which no hand is known."""


def player_figures(sittings: Iterable[Sitting]) -> PlayerFigures:
    """What was done in these sittings of somebody."""
    found = figures_by_game(sittings)
    return PlayerFigures(
        figures=[_shown(game, each) for game, each in found.items() if game in GAMES and each.number("hands", "played")]
    )


def _shown(game: str, found: Figures) -> GameFigures:
    rules = GAMES[game]
    return GameFigures(
        slug=game,
        name=_(rules.name),
        matches=found.matches,
        hands=found.number("hands", "played"),
        recorded=found.number("hands", "recorded"),
        facts=[*_facts(found, bad=rules.lower_wins)],
        tables=[table for table in _tables(found) if table.bars],
        best=found.best[:BEST],
        bad=rules.lower_wins,
    )


# --- single numbers ------------------------------------------------------------------------------------------
def _facts(found: Figures, *, bad: bool) -> Iterator[Fact]:
    hands = found.number("hands", "played")
    others = _average(found.number("points", "others"), hands)
    yield Fact(
        _("Bad points a hand") if bad else _("Points a hand"),
        _average(found.number("points", "own"), hands),
        _("others together: {points}").format(points=others),
    )
    if plays := found.number("table", "plays"):
        points, recorded = found.number("table", "points"), found.number("hands", "recorded")
        note = ngettext("from {n} play", "from {n} plays", plays).format(n=plays)
        yield Fact(_("Points in play a hand"), _average(points, recorded), note)
    for name, figure, of, over in A_HAND:
        known = found.number("hands", over)
        if known and of in found.counts.get(figure, ()):
            yield Fact(str(name), _average(found.number(figure, of), known), "" if known == hands else _hands(known))


def _average(sum_of: int, number: int) -> str:
    return number_format(round(Decimal(sum_of) / number, 1), 1).replace("-", "\N{MINUS SIGN}")


def _hands(number: int) -> str:
    return ngettext("in {n} hand", "in {n} hands", number).format(n=number)


# --- tables --------------------------------------------------------------------------------------------------
def _tables(found: Figures) -> Iterator[Table]:
    counts, hands = found.counts, found.number("hands", "played")
    ends = [(end, number) for end in ENDS if (number := found.number("ends", end))]
    yield Table(_("How hands ended"), _("Hands"), _bars(ends, hands, ENDS), over=_hands(hands))
    openings = sorted(counts.get("openings", {}).items(), key=lambda each: (-each[1], each[0]))
    opened = found.number("hands", "opened")
    yield Table(_("Openings"), _("Hands"), _bars(openings[:OPENINGS], opened), over=_hands(opened))
    yield _with_points(found, _("Contracts called"), _("Times"), "called", "made", "contract-points")
    yield _with_points(found, _("Lines that scored"), _("Lines"), "lines", "line-points")
    bonuses = _with_points(found, _("Bonuses"), _("Times"), "bonuses", "bonus-points")
    yield replace(bonuses, over=_("part of the points of these lines"))
    yield _with_points(found, _("Claims"), _("Claims"), "claims", "claimed")


def _with_points(found: Figures, name: str, heading: str, figure: str, *more: str) -> Table:
    """A table of things that an own figure counts, with what other figures say of the same things."""
    counted = sorted(found.counts.get(figure, {}).items(), key=lambda each: (-each[1], each[0]))
    called = found.number("hands", "called")
    return Table(
        name,
        heading,
        _bars(counted, sum(number for _of, number in counted), found=[found.counts.get(each, {}) for each in more]),
        more=tuple({"made": _("Made")}.get(each, _("Points")) for each in more),
        over=_hands(called or found.number("hands", "recorded")),
    )


def _bars(
    counted: Iterable[tuple[str, int]],
    whole: int,
    labels: Mapping[str, Any] | None = None,
    found: Sequence[Mapping[str, int]] = (),
) -> list[Bar]:
    return [
        Bar(
            str(labels[of]) if labels else _label(of),
            number,
            percent=100 * number // whole,
            more=tuple(each.get(of, 0) for each in found),
            tile=of if of in NAMES else "",
        )
        for of, number in counted
    ]


def _label(of: str) -> str:
    return words.card_words(cards.parse(of)) if of in cards.NAMES else words.word(of)
