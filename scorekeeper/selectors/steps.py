"""What the steps of events say: whom they are about, and what they change. The log has numbers; this has names."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from scorekeeper.events import FOLDS, Program
from scorekeeper.events.program import Entry
from scorekeeper.events.wishes import Wish
from scorekeeper.models import Club, EventEntry, Player

Said = Mapping[str, str | list[str]]
"""By what it is: a text, or names. Numbers are texts, totals by side are like `100 : 85`."""


class Told(NamedTuple):
    """A step between what was before and after it."""

    before: Any
    entry: Entry
    after: Any
    names: Mapping[int, str]
    """Of the club's players."""

    def players(self, players: Iterable[int]) -> list[str]:
        return [self.names.get(player, "–") for player in players]

    def entrants(self, numbers: Iterable[int], state: Any = None) -> list[str]:
        """By start number, in a state that has them."""
        state = state or self.before
        return [state.named(number, lambda player: self.names.get(player, "–")) for number in numbers]

    def sides(self, indices: Collection[int] | None = None) -> list[str]:
        """The entrants at the table of the step; `indices`: only of these sides."""
        pairing = self.before.pairing_at(self.entry["round"], self.entry["table"])
        sides = self.before.sides_of(pairing.game, pairing.players)
        return [" + ".join(self.entrants(side)) for at, side in enumerate(sides) if indices is None or at in indices]


def said_by(club: Club, events: Collection[int], entries: Collection[int]) -> dict[int, Said]:
    """What these entries of these events' logs say. Two queries, however many there are; the logs are folded, because
    start numbers and undone steps mean something only at their time."""
    if not entries:
        return {}
    names = dict(Player.objects.filter(club=club).values_list("pk", "name"))
    logs = EventEntry.objects.filter(event__in=events).order_by("event", "seq")
    rows = logs.values_list("event", "event__kind", "pk", "payload")
    found: dict[int, Said] = {}
    for (_event, kind), log in groupby(rows, key=lambda row: row[:2]):
        state: Program = FOLDS[kind]()
        for _event, _kind, pk, entry in log:
            after = state.enter(entry)
            if pk in entries:
                found[pk] = _said(Told(state, entry, after, names))
            state = after
    return found


def changed_in(was: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """The names of what a setup has otherwise than the one before."""
    return [name for name in now if name in was and now[name] != was[name]]


def totals_text(totals: Sequence[int | None]) -> str:
    """By side; who did not come has none."""
    return " : ".join("–" if total is None else str(total) for total in totals)


def _said(told: Told) -> Said:
    entry = told.entry
    plain = {
        "round": entry.get("round"),
        "minutes": entry.get("minutes") or None,
        "points": entry.get("points"),
        "totals": " → ".join(totals_text(entry[name]) for name in ("before", "totals") if name in entry),
        "why": entry.get("why"),
        "reason": entry.get("reason"),
    }
    about = SAID[entry["kind"]](told) if entry["kind"] in SAID else {}
    whole = {**about, **plain, **about}  # in this order, but what is about the step decides
    return {name: text for name, value in whole.items() if (text := _text(value))}


def _text(value: Any) -> str | list[str]:
    """ "" for what says nothing here, such as the round that a draft has."""
    if isinstance(value, list) and not any(isinstance(each, str) for each in value):
        return totals_text(value)
    return value if isinstance(value, list) else str(value) if isinstance(value, int | str) else ""


def _people(told: Told) -> dict[str, Any]:
    return {"came": told.players(told.entry["came"]), "left": told.players(told.entry["left"])}


def _on(told: Told) -> dict[str, Any]:
    return {"on": str(told.entry["on"])}


def _new(told: Told) -> dict[str, Any]:
    return {"entrants": told.entrants(told.after.entrants.keys() - told.before.entrants.keys(), told.after)}


def _entrants(told: Told) -> dict[str, Any]:
    return {"entrants": told.entrants(told.entry.get("entrants") or [told.entry["entrant"]])}


def _squad(told: Told) -> dict[str, Any]:
    return {**_entrant(told), "came": told.players(told.entry["joined"]), "left": told.players(told.entry["left"])}


def _entrant(told: Told) -> dict[str, Any]:
    return {"entrants": told.entrants([told.entry["entrant"]])}


def _team(told: Told) -> dict[str, Any]:
    """The players of an entrant of a league or ladder."""
    return {"players": told.players(told.before.entrants[told.entry["entrant"]].players)}


def _withdrawn(told: Told) -> dict[str, Any]:
    """From a tournament several may leave at once, from a league one."""
    return _entrants(told) if "entrants" in told.entry else _team(told)


def _others(told: Told) -> dict[str, Any]:
    """Who was this entrant, and who came."""
    number = told.entry["entrant"]
    return {"entrants": told.entrants([number]), "came": told.entrants([number], told.after)}


def _setup(told: Told) -> dict[str, Any]:
    """The names of what the setup has otherwise than before."""
    return {"changed": changed_in(told.before.setup, told.after.setup), "minutes": None}


def _rounds(told: Told) -> dict[str, Any]:
    """The rounds of a schedule; of the draw from results, the number of its round."""
    if "round" in told.entry:
        return _next_round(told)
    return {"rounds": len(told.entry["rounds"])}


def _wish(told: Told) -> dict[str, Any]:
    return _wished(told, Wish.of(told.entry))


def _removed_wish(told: Told) -> dict[str, Any]:
    wish = told.before.wishes[told.entry["number"]]
    return {**_wished(told, wish), "at": wish.table or None}


def _wished(told: Told, wish: Wish) -> dict[str, Any]:
    return {
        "wish": wish.what,
        "entrants": told.entrants(wish.entrants),
        "from": str(wish.first) if wish.first > 1 and wish.last is None else None,
        "within": f"{wish.first}–{wish.last}" if wish.last is not None else None,
    }


def _forfeit(told: Told) -> dict[str, Any]:
    absent = told.entry["absent"]
    back = told.before.absent_at(told.entry["round"], told.entry["table"]) - {*absent}
    return {"absent": told.sides(absent), "there": told.sides(back)}


def _cancelled_penalty(told: Told) -> dict[str, Any]:
    penalty = told.before.penalties[told.entry["number"]]
    return {"entrants": told.entrants([penalty.entrant]), "round": penalty.round, "points": penalty.points}


def _groups(told: Told) -> dict[str, Any]:
    """Each group with its entrants."""
    groups = [(each["name"], told.entrants(each["entrants"])) for each in told.entry["groups"]]
    return {"groups": [f"{name}: {', '.join(entrants)}" for name, entrants in groups]}


def _moved(told: Told) -> dict[str, Any]:
    return {"name": told.before.groups[told.entry["group"]].name, **_entrant(told)}


def _advance(told: Told) -> dict[str, Any]:
    """In their order, with the word of the lots."""
    return {**_entrants(told), "lots": told.entry.get("lots") or None}


def _category(told: Told) -> dict[str, Any]:
    return {"name": told.entry["name"], **_entrants(told)}


def _removed_category(told: Told) -> dict[str, Any]:
    return {"name": told.before.categories[told.entry["number"]].name}


def _clock(told: Told) -> dict[str, Any]:
    return {"do": told.entry["do"]}


def _reseat(told: Told) -> dict[str, Any]:
    return {**_entrants(told), "how": told.entry["how"]}


def _result(told: Told) -> dict[str, Any]:
    return {"entrants": told.sides()}


def _end(told: Told) -> dict[str, Any]:
    return {"entrants": told.sides(), "how": told.entry["how"]}


def _next_round(told: Told) -> dict[str, Any]:
    return {"round": len(told.before.rounds) + 1}


def _players(told: Told) -> dict[str, Any]:
    return {"players": told.players(told.entry["players"])}


def _game(told: Told) -> dict[str, Any]:
    """The game, and its options as JSON."""
    return {"game": told.entry["game"], "options": json.dumps(told.entry["options"])}


def _close(told: Told) -> dict[str, Any]:
    return {"open": told.entry["open"] if told.entry.get("matches") else None}


def _undo(told: Told) -> dict[str, Any]:
    """The step that it undoes, and what that said."""
    undone: Program = told.before
    if undone.before is None or undone.did is None:
        return {}
    did = _said(told._replace(before=undone.before, entry=undone.did, after=undone))
    return {"undid": undone.did["kind"], "at": undone.did.get("table") or None, **did}


SAID: Mapping[str, Callable[[Told], dict[str, Any]]] = {
    "people": _people,
    "outlook": _on,
    "enter": _new,
    "withdraw": _withdrawn,
    "leave": _team,
    "away": _team,
    "rung": _team,
    "return": _entrants,
    "rest": _entrants,
    "play-on": _entrants,
    "start": _entrants,
    "describe": _entrant,
    "remove-entrant": _entrant,
    "replace-players": _others,
    "setup": _setup,
    "plan": _rounds,
    "propose": _rounds,
    "exchange": _entrants,
    "wish": _wish,
    "remove-wish": _removed_wish,
    "reseat": _reseat,
    "forfeit": _forfeit,
    "penalty": _entrant,
    "squad": _squad,
    "cancel-penalty": _cancelled_penalty,
    "clock": _clock,
    "result": _result,
    "group": _groups,
    "move": _moved,
    "stage": _groups,
    "seeds": _entrants,
    "manual": _entrants,
    "advance": _advance,
    "category": _category,
    "remove-category": _removed_category,
    "end": _end,
    "draft": _next_round,
    "seat": _next_round,
    "swap": _players,
    "game": _game,
    "table": _game,
    "close": _close,
    "undo": _undo,
}
"""By kind of step; others say only what they are."""
