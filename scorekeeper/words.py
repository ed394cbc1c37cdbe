"""What happened, said in the reader's language."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

ARROWS = {"w": "←", "e": "→", "n": "↑", "s": "↓"}


def word(value: object) -> str:
    """A reason, an ending, a number or a yes as a person says it."""
    if value is None:
        return _("no limit")
    if isinstance(value, bool):
        return pgettext("option", "yes") if value else pgettext("option", "no")
    text = {
        "bad-points": _("bad points"),
        "not-debited": _("the lighter side, not debited"),
        "table": _("on the table"),
        "out": _("went out"),
        "blocked": _("blocked"),
        "reached": _("reached the target"),
        "final": _("by its final state"),
        "time": _("time was up"),
        "hands": _("enough hands were played"),
        "abandoned": _("abandoned"),
        "wrong-pass": _("wrong pass"),
        "revoke": _("revoke"),
    }.get(str(value))
    return text or str(value)


def chosen(option: str, value: object) -> str:
    """The value of an option as a person says it: the same word means another thing of another option."""
    text = {
        "debit both": _("each side its own pips"),
        "debit higher": _("only the side that holds more"),
        "block_award low": _("the lighter hand"),
        "block_award last": _("whoever laid last"),
        "block_amount difference": _("the difference of the hands"),
        "block_amount opponent": _("the pips of the other hand"),
        "block_amount both": _("the pips of both hands"),
        "leader doublet": _("whoever holds the heaviest double"),
        "leader winner": _("the winner of the last hand"),
        "leader loser": _("the loser of the last hand"),
        "leader alternate": _("both in turn"),
    }.get(f"{option} {value}")
    return text or word(value)


def together(names: Sequence[str]) -> str:
    """Names of one side."""
    return " + ".join(names)


def move_words(move: Mapping[str, Any], players: Sequence[str]) -> str:
    """One move of a record: “Bo laid 6-4 →”."""
    player = players[move["seat"]]
    if move["type"] == "play":
        tile = f"{move['tile']} {ARROWS.get(move.get('end', ''), '')}".rstrip()
        return _("{player} laid {tile}").format(player=player, tile=tile)
    if move["type"] == "pass":
        return _("{player} passed").format(player=player)
    return f"{player}: {move['type']}"


def opened(player: str) -> str:
    """Before the first move of a hand."""
    return _("{player} opens").format(player=player)


def entry_words(entry: Mapping[str, Any], players: Sequence[str]) -> str:
    """One entry of the log, as the page that entered it would say it."""
    match entry:
        case {"kind": "move", "move": {"seat": int(seat), "type": "play", "tile": str(tile), **rest}}:
            move = {"seat": seat, "type": "play", "tile": tile, "end": str(rest.get("end", ""))}
            return move_words(move, players) if 0 <= seat < len(players) else _("an entry")
        case {"kind": "move", "move": {"seat": int(seat), "type": "pass"}} if 0 <= seat < len(players):
            return move_words({"seat": seat, "type": "pass"}, players)
        case {"kind": "hand"}:
            return _("a new hand was opened")
        case {"kind": "left"}:
            return _("what was left was counted")
        case {"kind": "final"}:
            return _("the hand was counted by its final state")
        case {"kind": "undo", "to": _to}:
            return _("entries were taken back")
        case {"kind": "undo"}:
            return _("the last entry was taken back")
        case {"kind": "replace", "hand": int(hand)}:
            return _("hand {number} was corrected").format(number=hand + 1)
        case {"kind": "stop"}:
            return _("the match was ended")
        case {"kind": "note"}:
            return _("an irregularity was noted")
    return _("an entry")


def typed_words(entry: Mapping[str, Any], state: Any) -> str:
    """An entry that was not taken, number by number where it was typed; `state` is the match it was meant for."""
    told = entry.get("final") or entry
    if not isinstance(told, Mapping):
        return _("an entry")
    bad, left, table = (told.get(name) if isinstance(told.get(name), list) else [] for name in ("bad", "left", "table"))
    pairs = [
        *((together([state.players[seat] for seat in side]), one) for side, one in zip(state.sides, bad, strict=False)),
        *zip(state.players, left, strict=False),
        *((f"{name} ({_('on the table')})", one) for name, one in zip(state.players, table, strict=False)),
    ]
    return ", ".join(f"{name} {_held(one)}" for name, one in pairs) or entry_words(entry, state.players)


def _held(left: object) -> str:
    """Tiles or pips."""
    return (" + ".join(map(str, left)) or "0") if isinstance(left, list) else str(left)


def won(names: Sequence[str]) -> str:
    """Who won the match."""
    return ngettext("{names} won", "{names} won", len(names)).format(names=together(names))


def end_words(end: str) -> str:
    """Which open end of the line of play."""
    return {"w": _("left end"), "e": _("right end"), "n": _("upper end"), "s": _("lower end")}[end]


def options_words(game: Any, options: Mapping[str, Any]) -> list[str]:
    """The options in which a match differs from the game's defaults."""
    return [
        f"{_(option.label)}: {chosen(option.name, options[option.name])}"
        for option in game.options
        if options.get(option.name, option.default) != option.default
    ]
