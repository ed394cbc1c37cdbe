"""What `manage.py simulate` says."""

from collections.abc import Mapping
from typing import Any

from scorekeeper.management import standings_text
from scorekeeper.rehearsal.lengths import MINUTE
from scorekeeper.rehearsal.playing import Troubles
from scorekeeper.standings.calculation import Calculated
from scorekeeper.standings.tournament import Tournament

HOUR = 60 * MINUTE
DAY = 24 * HOUR
HELPS = {
    "tables": "{0}",
    "limit": "a time limit of {0}",
    "rounds": "only {0}",
}
UNITS = {"tables": "table", "limit": "minute", "rounds": "round"}
TROUBLES = {"late": "late", "no_shows": "no-show", "wrong": "wrong result", "disputed": "disputed result"}


def rehearsed(
    value: Mapping[str, Any],
    tournament: Tournament,
    standings: Calculated,
    start: int,
    *,
    wanted: Troubles,
    until: int | None,
    from_file: bool,
) -> str:
    """The days in short, then one of them in full. `until`: when the day should be over, in seconds from the start."""

    def clock(seconds: int) -> str:
        days, rest = divmod(start + seconds, DAY)
        return f"{rest // HOUR:02}:{rest % HOUR // MINUTE:02}" + (f" (+{days} d)" if days else "")

    def ends(of: Mapping[str, int]) -> str:
        earliest, median, nine = (clock(of[name]) for name in ("earliest", "median", "nine_of_ten"))
        return f"{earliest} at the earliest, median {median}, 9 of 10 by {nine}"

    def stages(of: Mapping[str, Any]) -> str:
        return f" ({', '.join(of['stages'])})" if len(value["stages"]) > 1 else ""

    def names(side: list[int]) -> str:
        return " + ".join(tournament.entrants[each].name for each in side)

    def told(each: Mapping[str, Any]) -> str:
        return f"  {clock(each['at'])}  {_told(each, tournament, names)}"

    lines = [
        "A rehearsal: nothing of it is saved.",
        f"{', '.join(value['stages'])}: {_many(value['days'], 'day')}, {_many(value['tables'], 'table')}."
        f" {_lengths(value['lengths'], from_file, 'a meeting' if value['meeting'] else 'a match')}",
        f"The day ends: {ends(value['end'])}.",
        *(f"  round {each['round']}{stages(each)}: {ends(each)}" for each in value["rounds"]),
    ]
    if until is not None and value["end"]["nine_of_ten"] > until:
        enough = [each["nine_of_ten"] <= until for each in value["helps"]]
        lines.append(
            f"To end 9 of 10 days by {clock(until)}:"
            if any(enough)
            else f"Nothing that a director can change is enough to end 9 of 10 days by {clock(until)}."
        )
        for each, does in zip(value["helps"], enough, strict=True):
            number = each["number"] // MINUTE if each["of"] == "limit" else each["number"]
            change = HELPS[each["of"]].format(_many(number, UNITS[each["of"]]))
            earlier = _many((value["end"]["nine_of_ten"] - each["nine_of_ten"]) // MINUTE, "minute")
            lines.append(f"  with {change}: {ends(each)}; {earlier} earlier{'' if does else ', not enough'}")
    lines += ["", "A typical one of these days:"]
    lines += [told(each) for each in value["story"] if each["event"] != "over"]
    missed = wanted.without(Troubles(**value["happened"]))
    if any(missed):
        found = [_many(number, TROUBLES[name]) for name, number in missed._asdict().items() if number]
        lines.append(f"Not on this day: {', '.join(found)}.")
    if idle := value["idle"]:
        waited = idle["waited_for"]
        span = f"from {clock(idle['since'])} to {clock(idle['until'])}"
        last = f"Table {waited['table']} in round {waited['round']} is the last to end before."
        lines.append(f"Table {idle['table']} is empty for the longest time, {span}. {last}")
    return "\n".join([*lines, "", standings_text.calculated(standings, why=False)])


def _many(number: int, what: str) -> str:
    """Like 1 day, or 2 days. Nobody counts those who are late."""
    return f"{number} {what}" if number == 1 or what == "late" else f"{number} {what}s"


def _lengths(found: Mapping[str, int], from_file: bool, of: str) -> str:
    if from_file:
        source = "The lengths of matches are those of the file"
    elif found["recorded"]:
        source = f"The lengths are those of {found['recorded']} recorded matches"
    else:
        source = "Too few recorded matches: these are the usual lengths of the game"
    shortest, median, longest = (found[name] // MINUTE for name in ("shortest", "median", "longest"))
    return f"{source}: {shortest} to {longest} minutes for {of}, median {median}."


def _told(each: Mapping[str, Any], tournament: Tournament, names: Any) -> str:
    number = each["round"]
    who = tournament.entrants[each["entrant"]].name if "entrant" in each else ""
    where = " – ".join(map(names, each.get("sides", ())))
    match each["event"], each.get("what"):
        case "begins", _:
            return f"Round {number} begins."
        case "ends", _:
            return f"Round {number} is over."
        case "corrected", _:
            return f"Round {number}: the wrong result of {where} is corrected to {_score(each['totals'])}."
        case _, "late":
            return f"{who} arrives late; table {each['hall']} waited."
        case _, "missed":
            return f"{who} did not come to table {each['hall']} in time: forfeit."
        case _, "entered-late":
            return f"{who} arrives during round {number}, and plays from the next draw on."
        case _, "no-show":
            return f"{who} does not come to table {each['hall']}: forfeit; has left."
        case _, "wrong":
            return (
                f"Table {each['hall']}, {where}: {_score(each['typed'])} is typed instead of {_score(each['totals'])}."
            )
        case _:
            return f"Table {each['hall']}, {where}: a player disputes the result. The desk settles it."


def _score(totals: list[int | None]) -> str:
    return " : ".join("–" if each is None else str(each) for each in totals)
