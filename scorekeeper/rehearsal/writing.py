"""A rehearsal as JSON values, and the file of its day. Format: docs/rehearsal.md."""

from collections.abc import Mapping
from typing import Any

from scorekeeper.rehearsal.days import Rehearsal, Times
from scorekeeper.rehearsal.lengths import Lengths
from scorekeeper.rehearsal.playing import Day, wrong_way_round
from scorekeeper.rehearsal.story import Event, Happening, story
from scorekeeper.standings.tournament import Round


def as_json(found: Rehearsal, *, lengths: Lengths, until: int | None = None) -> dict[str, Any]:
    """Times are seconds from the start. `until`: when the day should be over."""
    programme, times = found.programme, found.timetable
    idle = times.idle
    numbers = [each.number for each in found.day.rounds]
    return {
        "stage": programme.stage.name,
        "days": len(found.days),
        "lengths": {
            "recorded": lengths.recorded,
            "shortest": lengths.sample[0],
            "median": lengths.sample[len(lengths.sample) // 2],
            "longest": lengths.sample[-1],
        },
        "tables": found.conditions.tables,
        "pause": found.conditions.pause,
        "limit": found.conditions.limit,
        "end": _times(found.end),
        "rounds": [
            {"round": number, "begin": begin, "end": end, **_times(spread)}
            for number, (begin, end), spread in zip(numbers, times.rounds, found.rounds, strict=False)
        ],
        "idle": None
        if idle is None
        else {
            "table": idle.table,
            "since": idle.since,
            "until": idle.until,
            "waited_for": {"round": numbers[idle.waited_for.round], "table": idle.waited_for.table},
        },
        "story": [_happening(each, found.day) for each in story(found.day, times, knock_out=programme.knock_out)],
        "helps": []
        if until is None
        else [{"of": each.of, "number": each.number, **_times(each.end)} for each in found.helps(until)],
    }


def played_file(file: Mapping[str, Any], day: Day) -> dict[str, Any]:
    """The tournament's file with the rounds of this day."""
    stages = [
        {
            **{key: value for key, value in stage.items() if key not in ("to_come", "next")},
            "rounds": [_round(each) for each in day.stage.rounds],
        }
        if stage["name"] == day.stage.name
        else stage
        for stage in file["stages"]
    ]
    return {**file, "stages": stages}


def _round(played: Round) -> dict[str, Any]:
    return {
        "tables": [
            {
                "table": number,
                "sides": [list(side) for side in table.sides],
                "totals": None if table.totals is None else list(table.totals),
                **({"absent": sorted(table.absent)} if table.absent else {}),
                **({"places": list(table.places)} if table.places else {}),
                **({"abandoned": True} if table.abandoned else {}),
            }
            for number, table in enumerate(played.tables, 1)
        ],
        "unplayed": [{"entrant": entrant, "kind": kind.value} for entrant, kind in played.unplayed.items()],
    }


def _times(times: Times) -> dict[str, int]:
    return times._asdict()


def _happening(told: Happening, day: Day) -> dict[str, Any]:
    trouble = told.trouble
    table = None if told.table is None else day.stage.rounds[told.round - 1].tables[told.table]
    typed = wrong_way_round(table) if table and trouble and trouble.what == "wrong" else None
    return {
        "at": told.at,
        "event": told.event.value,
        "round": told.round,
        **({"hall": told.hall} if told.hall is not None else {}),
        **(
            {"sides": [list(side) for side in table.sides], "totals": table.totals and [*table.totals]} if table else {}
        ),
        **({"what": trouble.what.value} if trouble else {}),
        **({"entrant": trouble.entrant} if trouble and trouble.entrant is not None else {}),
        **({"typed": [*typed]} if typed and told.event is Event.WENT_WRONG else {}),
    }
