"""What `manage.py simulate` says."""

from collections.abc import Mapping
from typing import Any

from scorekeeper.management import standings_text
from scorekeeper.rehearsal.lengths import MINUTE
from scorekeeper.standings.calculation import Calculated
from scorekeeper.standings.tournament import Tournament

HOUR = 60 * MINUTE
DAY = 24 * HOUR
HELPS = {
    "tables": "{n} tables",
    "limit": "a time limit of {n} minutes",
    "rounds": "only {n} rounds",
}


def rehearsed(
    value: Mapping[str, Any], tournament: Tournament, standings: Calculated, start: int, *, from_file: bool
) -> str:
    """The days in short, then one of them in full."""

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
        f"{', '.join(value['stages'])}: {value['days']} days, {value['tables']} tables."
        f" {_lengths(value['lengths'], from_file)}",
        f"The day ends: {ends(value['end'])}.",
        *(f"  round {each['round']}{stages(each)}: {ends(each)}" for each in value["rounds"]),
    ]
    if value["helps"]:
        lines.append(f"To end 9 of 10 days by {value['until']}:")
        for each in value["helps"]:
            number = each["number"] // MINUTE if each["of"] == "limit" else each["number"]
            lines.append(f"  with {HELPS[each['of']].format(n=number)}: {ends(each)}")
    lines += ["", "One of these days:"]
    lines += [told(each) for each in value["story"] if each["event"] != "over"]
    if idle := value["idle"]:
        waited = idle["waited_for"]
        span = f"from {clock(idle['since'])} to {clock(idle['until'])}"
        last = f"Table {waited['table']} in round {waited['round']} is the last to end before."
        lines.append(f"Table {idle['table']} is empty for the longest time, {span}. {last}")
    return "\n".join([*lines, "", standings_text.calculated(standings, why=False)])


def _lengths(found: Mapping[str, int], from_file: bool) -> str:
    if from_file:
        source = "The lengths of matches are those of the file"
    elif found["recorded"]:
        source = f"The lengths are those of {found['recorded']} recorded matches"
    else:
        source = "Too few recorded matches: these are the usual lengths of the game"
    shortest, median, longest = (found[name] // MINUTE for name in ("shortest", "median", "longest"))
    return f"{source}, {shortest} to {longest} minutes, median {median}."


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
