"""The arithmetic of a match's ratings, step by step, as somebody types it into a calculator."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from scorekeeper.ratings.contest import FULL
from scorekeeper.ratings.plackett_luce import BETA, GROWTH, MIDDLE, MU, POINT, SIGMA, TAU
from scorekeeper.ratings.working import PlayerWorking, SideWorking, Working
from scorekeeper.words import listed, number, signed

DIGITS = 4


@dataclass(frozen=True, slots=True)
class Step:
    what: str
    how: str


@dataclass(frozen=True, slots=True)
class SideWorked:
    name: str
    rating: Sequence[Step]
    elo: Sequence[Step]


@dataclass(frozen=True, slots=True)
class Worked:
    all_sides: Sequence[Step]
    """What all sides have in common."""
    sides: Sequence[SideWorked]


def worked_out(working: Working, names: Mapping[int, str]) -> Worked:
    """`names`: of all players, by id."""
    sides = [listed([names[player.player] for player in side.players]) for side in working.sides]
    return Worked(
        [*_all_sides(working, sides, names)],
        [
            SideWorked(name, [*_rating(working, side, names)], [*_elo(working, side, sides, names)])
            for name, side in zip(sides, working.sides, strict=True)
        ],
    )


# --- the rating ----------------------------------------------------------------------------------------------
def _all_sides(working: Working, sides: Sequence[str], names: Mapping[int, str]) -> Iterator[Step]:
    for name, side in zip(sides, working.sides, strict=True):
        for player in side.players:
            yield Step(_("μ and σ² of {name}").format(name=names[player.player]), _square(player))
        if len(side.players) > 1:
            mus = f"μ = {_plus(player.before.mu for player in side.players)} = {_n(side.mu)}"
            squares = f"σ² = {_plus(player.square for player in side.players)} = {_n(side.square)}"
            yield Step(_("Both together: {side}").format(side=name), f"{mus}, {squares}")
    beta = f"{len(sides)} × {_n(BETA**2)}"
    square = f"c² = {_plus(side.square for side in working.sides)} + {beta} = {_n(working.square)}"
    yield Step(_("c, from σ² of all sides and β² for each"), f"{square}, c = {_n(working.c)}")
    for name, side in zip(sides, working.sides, strict=True):
        weight = f"e = exp({_n(side.mu)} ÷ {_n(working.c)}) = {_n(side.weight)}"
        yield Step(_("Weight of {side}").format(side=name), weight)
    for place, side in sorted({side.place: side for side in working.sides}.items()):
        counted = [each.weight for each in working.sides if each.place >= place]
        total = f"S = {_plus(counted)} = {_n(side.total)}" if len(counted) > 1 else f"S = {_n(side.total)}"
        yield Step(_("Weights from place {place} on").format(place=place), total)


def _square(player: PlayerWorking) -> str:
    """μ, and σ² on the day of the match."""
    away = f" + {player.days} × {_n(GROWTH, 2)}" if player.days and player.last.sigma < SIGMA else ""
    most = f" ({_('at most {most}').format(most=_n(SIGMA**2))})" if away and player.before.sigma == SIGMA else ""
    return f"μ = {_n(player.last.mu)}, σ² = {_n(player.last.sigma)}²{away}{most} + {_n(TAU**2)} = {_n(player.square)}"


def _rating(working: Working, side: SideWorking, names: Mapping[int, str]) -> Iterator[Step]:
    chances = [_chance(side, working.sides[each.other]) for each in side.against]
    whole = f"{_n(100 * side.expected, 1)} %"
    one, many = f"{chances[0]} = {whole}", f"({' + '.join(chances)}) ÷ {len(chances)} = {whole}"
    yield Step(_("Expected by the rating"), many if len(chances) > 1 else one)
    # Sides that share a place have the same total, and each counts its part of it.
    steps, spreads = [], []
    for place in sorted({working.sides[each].place for each in side.parts}):
        other = next(each for each in side.parts if working.sides[each].place == place)
        part, total = side.parts[other], working.sides[other].total
        what = _("Part p of the weights from place {place} on").format(place=place)
        yield Step(what, f"{_n(side.weight)} ÷ {_n(total)} = {_n(part)}")
        steps.append(_n(part))
        spreads.append(f"{_n(part)} × (1 − {_n(part)})")
    own = _n(1 / side.equal) if side.equal > 1 else "1"
    sigma = f"√{_n(side.square)}"
    missed = f"({own} − {' − '.join(steps)})"
    yield Step(
        _("Ω, by how much the side did better"), f"{_n(side.square)} ÷ {_n(working.c)} × {missed} = {_n(side.omega)}"
    )
    yield Step(
        _("Δ, how much more is known"),
        f"{sigma} ÷ {_n(working.c)} × {_n(side.square)} ÷ {_n(working.square)} × ({' + '.join(spreads)})"
        f" = {_n(side.delta, DIGITS + 2)}",
    )
    for player in side.players:
        yield from _player(working, side, player, names[player.player])


def _chance(side: SideWorking, other: SideWorking) -> str:
    return f"{_n(side.weight)} ÷ ({_n(side.weight)} + {_n(other.weight)})"


def _player(working: Working, side: SideWorking, player: PlayerWorking, name: str) -> Iterator[Step]:
    share = _n(player.share)
    if len(side.players) > 1:
        what = _("Share of {name} in σ² of the side").format(name=name)
        yield Step(what, f"{_n(player.square)} ÷ {_n(side.square)} = {share}")
    omega, delta = _n(side.omega), _n(side.delta, DIGITS + 2)
    times = f"{share} × " if len(side.players) > 1 else ""
    mu = f"μ = {_n(player.before.mu)} {_added(side.omega, times, omega)} = {_n(player.full.mu)}"
    sigma = f"σ = √({_n(player.square)} × (1 − {times}{delta})) = {_n(player.full.sigma)}"
    yield Step(_("New μ and σ of {name}").format(name=name), f"{mu}, {sigma}")
    if working.weight != FULL:
        weight, was, full = _n(working.weight / FULL, 2), player.before, player.full
        mu = f"μ = {_n(was.mu)} + {weight} × ({_n(full.mu)} − {_n(was.mu)}) = {_n(player.after.mu)}"
        sigma = f"σ = {_n(was.sigma)} × ({_n(full.sigma)} ÷ {_n(was.sigma)})^{weight} = {_n(player.after.sigma)}"
        what = _("The match counts {percent} %").format(percent=working.weight)
        yield Step(what, f"{mu}, {sigma}")
    points = f"{MIDDLE} + {POINT} × ({_n(player.after.mu)} − {MU:.0f}) = {player.after.shown}"
    spread = f"± {POINT} × {_n(player.after.sigma)} = ± {player.after.uncertainty}"
    yield Step(_("New rating of {name}").format(name=name), f"{points}, {spread}")


def _added(omega: float, times: str, written: str) -> str:
    return f"− {times}{written.removeprefix('−')}" if omega < 0 else f"+ {times}{written}"


# --- Elo -----------------------------------------------------------------------------------------------------
def _elo(working: Working, side: SideWorking, sides: Sequence[str], names: Mapping[int, str]) -> Iterator[Step]:
    if len(side.players) > 1:
        mean = f"({' + '.join(str(player.elo) for player in side.players)}) ÷ {len(side.players)}"
        yield Step(_("Mean of the side"), f"{mean} = {number(side.strength)}")
    for each in side.against:
        ahead = f"d = {number(side.strength)} − {number(working.sides[each.other].strength)} = {number(each.ahead)}"
        chance = f"1 ÷ (1 + 10^(−d ÷ 400)) = {each.per_cent} %"
        yield Step(_("Against {side}").format(side=sides[each.other]), f"{ahead}, {chance}")
    per_cents = [each.per_cent for each in side.against]
    expected = _n(sum(per_cents) / 100, 2)
    if len(per_cents) > 1:
        yield Step(_("Expected by Elo"), f"{' + '.join(f'{each} %' for each in per_cents)} = {expected}")
    won, others = _n(side.won / 2, 1), len(per_cents)
    for player in side.players:
        name = names[player.player]
        parts = [f"{player.k} × ({won} − {expected})"]
        parts += [f" ÷ {others}"] if others > 1 else []
        parts += [f" × {working.weight} %"] if working.weight != FULL else []
        text = _("{sum} = {points}, rounded {gain}: {before} → {after}").format(
            sum="".join(parts),
            points=_n(float(player.points), 2),
            gain=signed(player.gain),
            before=player.elo,
            after=player.elo + player.gain,
        )
        yield Step(_("K × (won − expected) for {name}").format(name=name), text)


# --- numbers -------------------------------------------------------------------------------------------------
def _plus(numbers: Iterable[float]) -> str:
    return " + ".join(_n(each) for each in numbers)


def _n(value: float, digits: int = DIGITS) -> str:
    # As a decimal, because `number_format` cuts off a float.
    return str(number_format(Decimal(f"{value:.{digits}f}"), digits)).replace("-", "−")
