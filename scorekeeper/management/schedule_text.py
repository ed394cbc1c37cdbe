"""What `manage.py schedule` says: the measures of a schedule, what changed, what is wrong."""

from collections.abc import Sequence

from scorekeeper.schedule import wish_notation
from scorekeeper.schedule.existence import Existence, existence_of
from scorekeeper.schedule.faults import Fault
from scorekeeper.schedule.grade import grade
from scorekeeper.schedule.measures import Measures, bounds, distance, measure
from scorekeeper.schedule.notation import Written, tables_as_text
from scorekeeper.schedule.problem import NO_WISHES, Infeasible, Wishes
from scorekeeper.schedule.repair import ChangedRound
from scorekeeper.schedule.seating import Schedule
from scorekeeper.schedule.wish_notation import Unreadable

_INFEASIBLE = {
    "too-few-players": "{players} players do not fill a table: it needs {needed}.",
    "too-many-players": "{players} players are too many: the limit is {most}.",
    "double-needs-heads": "--double is only for heads, not for {format}.",
    "rounds": "{rounds} rounds are not possible: choose 1 to {most}.",
    "too-few-there": "--present: only {players} players are present in round {round}; a table needs {needed}.",
    "no-such-player": "There is no player {player}: players are numbered 1 to {players}.",
    "never-there": "--present: player {player} must leave after they arrive, and there are {rounds} rounds.",
    "no-such-table": "--fixed: not every round has a table {table} for player {player}: some have only {tables}.",
    "table-taken": "--fixed: two players want table {table}; they would meet in every round.",
    "no-group": "--apart {players}: name two or more players, each of them once.",
    "contradiction": "Round {round} cannot keep all these wishes: {wishes}.",
    "group-too-large": "--apart {players}: round {round} has only {places} places for them, tables and byes together.",
}
_NOT_ALL = "No schedule was found that keeps every wish: {fault}. More --seconds may find one."
_UNREADABLE = {
    "empty": "The file is empty.",
    "no-json": "This is not JSON: {why}.",
    "no-format": "The format is missing or unknown. Use one of {formats}.",
    "no-rounds": "Expected n, the number of players, and rounds, a list.",
    "no-byes": "byes must have as many lists as there are rounds.",
    "bad-round": "Round {round} must be a list of tables, each a list of numbers.",
    "bad-line": "“{line}” in round {round} is not a table. Write a table like 7-2-1-8.",
    "table-sizes": "There are tables of {sizes}. A schedule has tables of 2, of 3, of 4, or of 3 and 4.",
    "no-partners": "--partners: {format} has no partners; only tables of four have them.",
    "bad-wishes": "The wishes in the file are not written as --json writes them.",
    "bad-released": "released must be a number from 0 to {rounds}, the number of rounds.",
    "no-wish": "“{text}” is not a wish. Write it like {like}.",
    "wished-twice": "{wish}: player {player} is named twice.",
    "too-many-players": "{players} players are too many to check: the limit is {most}.",
    "never-named": "Player {player} is never named. Number all players from {first}, without gaps.",
}
_FAULTS = {
    "table-size": "a table has the wrong size for this format",
    "player-missing": "player {player} has no seat and no bye",
    "player-twice": "player {player} appears twice",
    "no-such-player": "there is no player {player}",
    "not-there": "player {player} is not present",
    "met-too-early": "player {player} meets somebody they must not meet yet",
    "wrong-table": "player {player} is not at their fixed table",
    "released-changed": "the round was released, and has been changed",
}
_SPREADS = {
    "byes": "byes per player",
    "meet": "meetings per pair",
    "partner": "partnerships per pair",
    "oppose": "oppositions per pair",
}
_NUMBERS = {
    "seats": "difference between seats",
    "lead": "leads off a player's share",
    "breaks": "same side twice in a row",
    "longest": "longest run on one side",
    "in_a_row": "pairs who meet again at once",
    "out_of_turn": "byes off a player's share",
}


# --- what is wrong -----------------------------------------------------------------------------------------
def infeasible(error: Infeasible) -> str:
    code = "too-few-there" if error.code == "too-few-players" and "round" in error.facts else error.code
    facts = {
        name: wish_notation.as_typed(fact) if isinstance(fact, Wishes) else fact for name, fact in error.facts.items()
    }
    return _INFEASIBLE[code].format(**facts)


def unreadable(error: Unreadable) -> str:
    return _UNREADABLE[error.code].format(**error.facts)


def fault(broken: Fault) -> str:
    where = "" if broken.round is None else f"Round {broken.round + 1}: "
    return where + _FAULTS[broken.code].format(player="" if broken.player is None else broken.player + 1)


def not_all_wishes(broken: Fault) -> str:
    return _NOT_ALL.format(fault=fault(broken))


# --- how good it is ----------------------------------------------------------------------------------------
def measures(written: Written, before: Schedule | None) -> str:
    """The grade; then every measure, its bound, and its value ``before``; then whether the bound can be reached."""
    schedule, wishes, released = written
    actual, best = measure(schedule), bounds(schedule)
    columns = [actual, best, *([measure(before)] if before else [])]
    headings = "".join(f"{heading:>9}" for heading in ("here", "best", "before")[: len(columns)])
    summary = grade(schedule.format, actual, best)
    lines = [f"{summary[0].upper()}{summary[1:]}.", "", f"{'':32}{headings}   {'squares':>9}{headings[9:]}"]
    lines += _rows(schedule, columns)
    if any(distance(actual, best)) and wishes == NO_WISHES and not released:
        lines += ["", _existence(existence_of(schedule.format, schedule.players, len(schedule.rounds)))]
    return "\n".join(lines)


def _rows(schedule: Schedule, columns: Sequence[Measures]) -> list[str]:
    rows = []
    for name, label in _SPREADS.items():
        if name != "partner" or schedule.format.partners:
            spreads = [getattr(column, name) for column in columns]
            ranges = "".join(f"{f'{spread.least} to {spread.most}':>9}" for spread in spreads)
            rows.append(f"{label:32}{ranges}   {''.join(f'{spread.squares:9}' for spread in spreads)}")
    for name, label in _NUMBERS.items():
        if name not in ("breaks", "longest") or schedule.format.size == 2:
            rows.append(f"{label:32}" + "".join(f"{getattr(column, name):9}" for column in columns))
    return rows


def _existence(existence: Existence) -> str:
    if existence.exists is None:
        return "Counting allows a better schedule. This program does not know whether one exists."
    sentence = f"{existence.theorem[0].upper()}{existence.theorem[1:]}"
    if existence.exists:
        return f"{sentence}: a better schedule exists. More --seconds may come nearer."
    return f"{sentence}: no schedule is as even as counting alone would allow."


# --- what changed ------------------------------------------------------------------------------------------
def changes(before: Schedule, after: Schedule, changed: Sequence[ChangedRound], released: int) -> str:
    """The new tables, for people who have the old schedule in their hands."""
    to_come = [change for change in changed if change.round >= released]
    new = sum(len(change.tables) for change in to_come)
    tables = sum(len(seating.tables) for seating in after.rounds[released:])
    other = [
        number for number in range(min(released, len(before.rounds))) if before.rounds[number] != after.rounds[number]
    ]
    lines = [f"Round {number + 1} was not played as drawn." for number in other]
    stay = f"Rounds 1 to {released} stay as {'played' if other else 'they are'}. " if released else ""
    lines.append(f"{stay}{new} of {tables} later tables are new:" if new else f"{stay}No table changes.")
    lines += [f"  round {number + 1:2}   {tables_as_text(new_tables)}" for number, new_tables in to_come]
    return "\n".join(lines) + "\n"
