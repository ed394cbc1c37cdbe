"""A drawn round of a Swiss tournament in words: why these meet, and what the round is worth."""

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import combinations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import GAMES
from scorekeeper import words
from scorekeeper.events.records import Place
from scorekeeper.pairing.field import Field, Float, Player
from scorekeeper.pairing.measures import Seated
from scorekeeper.pairing.rounds import NextRound, NextTable
from scorekeeper.standings.exact import Number
from scorekeeper.standings.tournament import Pairing, System

Name = Callable[[int], str]


def table_words(
    field: Field, drawn: NextRound, table: NextTable, name: Name, by_hand: Collection[frozenset[int]] = ()
) -> list[str]:
    """Why they sit together in this round, and what speaks against it. `by_hand`: the tables that are not as they were
    drawn, by who sits there."""
    seated = _seated(field, table)
    return [
        *_first(seated, name),
        *_points(seated, name),
        *_floats(seated, drawn, name, by_hand),
        *_met(seated, name),
        *_costs(seated, name),
        *_led(seated, name),
    ]


def bye_words(field: Field, drawn: NextRound, name: Name) -> list[str]:
    """Whose turn it is to have a bye."""
    byes = [field.players[each] for each in (*drawn.byes, *field.given_byes)]
    said = []
    for player in sorted(byes, key=lambda player: player.queue):
        earlier = player.queue - 1 - sum(other.queue < player.queue for other in byes)
        text = _("{name} has a bye: it is their turn.")
        if earlier:
            text = ngettext(
                "{name} has a bye, although it is the turn of somebody else.",
                "{name} has a bye, although it is the turn of {n} others.",
                earlier,
            )
        said.append(text.format(name=name(player.entrant), n=earlier))
    return said


def round_words(field: Field, drawn: NextRound, name: Name) -> list[str]:
    """What the round is worth: what counts most comes first."""
    tables = [_seated(field, table) for table in drawn.tables]
    unequal = sum(len({player.points for player in table.players}) > 1 for table in tables)
    again, partners, club, thrice = (
        int(value) if isinstance(value := drawn.rating.get(each, 0), int) else 0
        for each in ("again", "partners", "club", "thrice")
    )
    floats = [name(player.entrant) for table in tables for player in table.floating_again()]
    met = ngettext("Two entrants have met before.", "{n} pairs of entrants have met before.", again)
    together = ngettext("Two were partners before.", "{n} pairs were partners before.", partners)
    apart = ngettext("At one table the points are not equal.", "At {n} tables the points are not equal.", unequal)
    clubs = ngettext("Two of one club meet.", "{n} pairs of one club meet.", club)
    leads = ngettext(
        "Somebody leads, or does not lead, for the third time running.",
        "{n} entrants lead, or do not lead, for the third time running.",
        thrice,
    )
    float_words = ngettext(
        "{names} again meets somebody with other points.",
        "{names} again meet somebody with other points.",
        len(floats),
    )
    return [
        *([together.format(n=partners)] if partners else []),
        met.format(n=again) if again else _("Nobody has met before."),
        *bye_words(field, drawn, name),
        *([clubs.format(n=club)] if club else []),
        apart.format(n=unequal) if unequal else _("All have the points of their opponents."),
        *([leads.format(n=thrice)] if thrice and _lead_is_drawn(field) else []),
        *([float_words.format(names=words.listed(floats))] if floats else []),
    ]


def worse_words(before: NextRound, now: tuple[Field, NextRound]) -> list[str]:
    """What gets worse by a change, of all that `round_words` does not count."""
    field, drawn = now
    said = {
        "small": _("More people are at a table of three again."),
        "difference": _("The points of those who meet differ more."),
        "sides": _("At some tables, the points of the two sides differ more."),
        "leads": _("Who leads is shared less evenly.") if _lead_is_drawn(field) else "",
        "across": _("Those who meet somebody with other points are further apart in the standings."),
        "within": _("Among those with equal points, fewer neighbours meet.")
        if field.stage.pairing is Pairing.ADJACENT
        else _("Among those with equal points, it is less upper half against lower half."),
        "even": _("At some tables, one side is stronger than the other."),
    }
    return [text for name, text in said.items() if text and _number(drawn, name) > _number(before, name)]


def compared(
    before: tuple[Field, NextRound],
    now: tuple[Field, NextRound],
    name: Name,
    by_hand: Collection[frozenset[int]] = (),
) -> tuple[list[str], list[str], list[str]]:
    """What a change of a round makes worse and which tables are new, then what the round is worth before and after.
    `by_hand`: as of `table_words`."""
    was, then = (round_words(*each, name) for each in (before, now))
    return [*worse_words(before[1], now), *_new_tables(before[1], now, name, by_hand)], was, then


def changed_words(places: Iterable[Place], drawn: int) -> list[str]:
    """The results at these places are no longer those from which this round was drawn."""
    text = _("The result of table {table} of round {number} was changed after round {drawn} was drawn.")
    return [text.format(table=table, number=number, drawn=drawn) for number, table in places]


def _new_tables(
    before: NextRound, now: tuple[Field, NextRound], name: Name, by_hand: Collection[frozenset[int]]
) -> list[str]:
    """The tables that were not in the round before, each with its reasons."""
    field, drawn = now
    known = {_sides(table) for table in before.tables}
    return [
        " ".join([f"{_facing(table, name)}.", *table_words(field, drawn, table, name, by_hand)])
        for table in drawn.tables
        if _sides(table) not in known
    ]


# --- their parts -------------------------------------------------------------------------------------------
def _number(drawn: NextRound, name: str) -> Number:
    value = drawn.rating.get(name, 0)
    assert not isinstance(value, list), "only byes are a list"
    return value


def _sides(table: NextTable) -> frozenset[frozenset[int]]:
    return frozenset(map(frozenset, table.sides))


def _facing(table: NextTable, name: Name) -> str:
    return " – ".join(" + ".join(map(name, side)) for side in table.sides)


def _seated(field: Field, table: NextTable) -> Seated:
    return Seated(field, [[field.players[each] for each in side] for side in table.sides])


def _lead_is_drawn(field: Field) -> bool:
    """Whether it follows from the draw who leads, not from the tiles."""
    return not GAMES[field.tournament.game].double_leads_first


def _first(table: Seated, name: Name) -> list[str]:
    """What draws the first round, when nobody has points."""
    field = table.field
    if not _is_first(field) or field.stage.system is System.FREE:
        return []
    if field.random:
        return [_("Drawn by lots.")]
    by_place = sorted(table.players, key=lambda player: player.place)
    places = ", ".join(f"{name(player.entrant)} {player.place}" for player in by_place)
    if field.rated:
        said = _("Places by rating: {all}.")
    elif "start" in field.stage.order:
        said = _("Places by start number: {all}.")
    else:
        said = _("Places by lots: {all}.")
    halves = []
    if _one_to_one(table) and field.stage.pairing is Pairing.FOLD:
        (one,), (other,) = table.sides
        halves = [_("Upper half against lower half.")] if abs(one.place - other.place) == one.half else []
    return [*halves, said.format(all=places)]


def _is_first(field: Field) -> bool:
    return field.round == 1 and not any(field.results.points.values())


def _points(table: Seated, name: Name) -> list[str]:
    if _is_first(table.field):
        return []
    points = table.field.results.points
    players = [*table.players]
    if len({player.points for player in players}) == 1:
        return [_("Equal points: {points}.").format(points=words.number(points[players[0].entrant]))]
    each = (f"{name(player.entrant)} {words.number(points[player.entrant])}" for player in players)
    return [_("Points: {all}.").format(all=", ".join(each))]


def _floats(table: Seated, drawn: NextRound, name: Name, by_hand: Collection[frozenset[int]]) -> list[str]:
    """Why the better of two does not meet somebody with the same points."""
    field = table.field
    if not _one_to_one(table) or field.stage.system is System.FREE:
        return []
    better, other = sorted(table.players, key=lambda player: -player.points)
    if better.points == other.points:
        return []
    heads = [[field.players[each] for side in each.sides for each in side] for each in drawn.tables]
    equal = [player for player in field.players.values() if player.points == better.points]
    # Of those with these points, who neither has a bye nor meets somebody with more.
    left = [one for two in heads for one in two if one in equal and max(each.points for each in two) == one.points]
    floating = [two for two in heads for one in two if one in left and min(each.points for each in two) < one.points]
    down = [max(two, key=lambda player: player.points) for two in floating]
    moved = [two for two in floating if frozenset(player.entrant for player in two) in by_hand]
    odd = len(left) % 2
    if len(left) == 1:
        said = _("{name} floats down: nobody else with these points is left.")
        if len(equal) == 1:
            said = _("{name} floats down: nobody else has these points.")
    elif len(down) > odd and frozenset((better.entrant, other.entrant)) in by_hand:
        said = _("{name} floats down: places in this draw were swapped.")
    elif odd and len(floating) - len(moved) <= 1:
        said = _("{name} floats down: {n} with these points are left, an odd number.")
        if len(left) == len(equal):
            said = _("{name} floats down: {n} have these points, an odd number.")
    elif all(field.met.get(_two(*two), 0) for two in combinations(down, 2)):
        said = _("{name} floats down: those left with these points have met.")
    else:
        said = _("{name} floats down: the round as a whole is better this way.")
    return [said.format(name=name(better.entrant), n=len(left))]


def _met(table: Seated, name: Name) -> list[str]:
    field = table.field
    if field.round == 1:
        return []
    again = [two for two in table.facing if field.met.get(_two(*two), 0)]
    together = [two for side in table.sides for two in combinations(side, 2) if field.partners.get(_two(*two), 0)]
    said = [_("{names} were partners before.").format(names=_named(two, name)) for two in together]
    if not again:
        return [*said, _("They have not met.") if len(table.sides) == 2 else _("Nobody here has met.")]
    return said + [_("{names} have met before.").format(names=_named(two, name)) for two in again]


def _costs(table: Seated, name: Name) -> list[str]:
    said = []
    if table.field.clubs_apart:
        clubmates = [two for two in table.twos if two[0].club is not None and two[0].club == two[1].club]
        said += [_("{names} are of one club.").format(names=_named(two, name)) for two in clubmates]
    for player, leads, _uneven in table.leading() if _one_to_one(table) and _lead_is_drawn(table.field) else ():
        if player.led[-2:] == (leads, leads):
            text = (
                _("{name} leads for the third time running.")
                if leads
                else _("{name} does not lead for the third time running.")
            )
            said.append(text.format(name=name(player.entrant)))
    if _one_to_one(table) and table.field.stage.system is not System.FREE:  # there, no round is the one before
        for player in table.floating_again():
            text = (
                _("{name} meets somebody with more points, as in the round before.")
                if player.float is Float.UP
                else _("{name} meets somebody with fewer points, after a bye or the same in the round before.")
            )
            said.append(text.format(name=name(player.entrant)))
    return said


def _led(table: Seated, name: Name) -> list[str]:
    if not _lead_is_drawn(table.field) or not any(player.led for player in table.players):
        return []
    each = (f"{name(player.entrant)} {sum(player.led)}" for player in table.players)
    return [_("Led before: {all}.").format(all=", ".join(each))]


def _one_to_one(table: Seated) -> bool:
    return [len(side) for side in table.sides] == [1, 1]


def _two(one: Player, other: Player) -> tuple[int, int]:
    return min(one.entrant, other.entrant), max(one.entrant, other.entrant)


def _named(players: Iterable[Player], name: Name) -> str:
    names: Sequence[str] = [name(player.entrant) for player in players]
    return words.listed(names)
