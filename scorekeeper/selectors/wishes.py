"""Wishes for a schedule in words, and why they cannot all be kept."""

from collections.abc import Callable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scorekeeper import words
from scorekeeper.events.plan import Clash
from scorekeeper.events.wishes import Wish
from scorekeeper.schedule.problem import Wishes

Name = Callable[[int], str]
"""The name of the entrant with a start number."""


def clash_words(clash: Clash, name: Name) -> str:
    """Why the wishes cannot be kept."""
    facts = dict(clash.error.facts)
    known = {number + 1: name(entrant) for number, entrant in enumerate(clash.people)}
    if "player" in facts:
        facts["name"] = known[int(str(facts["player"]))]
    if isinstance(facts.get("players"), str):
        facts["names"] = words.listed([known[int(each)] for each in str(facts["players"]).split(", ")])
    if isinstance(wishes := facts.get("wishes"), Wishes):
        facts["names"] = words.listed([known[player + 1] for player in sorted(wishes.players)])
    return str(CLASHES.get(clash.error.code, CLASHES["contradiction"])).format(**{"names": "", "round": "", **facts})


CLASHES: Mapping[str, Promise | str] = {
    "never-there": gettext_lazy("{name} is present in no round: there are only {rounds}. Remove that wish."),
    "no-such-table": gettext_lazy("{name} cannot keep their table: some rounds have only {tables} tables."),
    "table-taken": gettext_lazy("{names} want the same table in every round. Remove one of these wishes."),
    "group-too-large": gettext_lazy("Round {round} cannot keep all of them apart: {names}. Remove a wish."),
    "too-few-players": gettext_lazy("Too few are present in a round to fill a table. Remove a wish."),
    "contradiction": gettext_lazy("Round {round} cannot keep all wishes about {names}. Remove one of them."),
}


def wish_words(wish: Wish, name: Name) -> str:
    names = words.listed([name(entrant) for entrant in wish.entrants])
    if wish.what == "bye":
        return _("{name} has a bye in round {n}.").format(name=names, n=wish.first)
    if wish.what == "meet":
        return _("{names} have a table in round {n}.").format(names=names, n=wish.first)
    if wish.what == "table":
        return _("{name} always sits at table {table}.").format(name=names, table=wish.table)
    if wish.what == "present" and wish.last is None:
        return _("{name} plays from round {first} on.").format(name=names, first=wish.first)
    if wish.what == "present":
        text = _("{name} plays in rounds {first} to {last}.")
        return text.format(name=names, first=wish.first, last=wish.last)
    if wish.last is None:
        return _("{names} do not meet.").format(names=names)
    text = ngettext(
        "{names} do not meet in the first round.", "{names} do not meet in the first {n} rounds.", wish.last
    )
    return text.format(names=names, n=wish.last)
