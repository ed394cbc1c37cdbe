"""A rehearsal as JSON values, and the file of its day. Format: docs/rehearsal.md."""

from collections.abc import Mapping, Sequence
from typing import Any

from scorekeeper.rehearsal.days import Rehearsal, Times
from scorekeeper.rehearsal.lengths import Lengths
from scorekeeper.rehearsal.phases import Day
from scorekeeper.rehearsal.playing import Part, wrong_way_round
from scorekeeper.rehearsal.story import Event, Happening, story
from scorekeeper.standings.exact import Number
from scorekeeper.standings.tournament import Round


def as_json(found: Rehearsal, *, lengths: Lengths, until: int | None = None) -> dict[str, Any]:
    """Times are seconds from the start. `until`: when the day should be over."""
    times = found.timetable
    idle = times.idle
    numbers = [each.number for each in found.day.rounds]
    return {
        "stages": [part.stage.name for part in found.day.parts],
        "days": len(found.days),
        "lengths": {
            "recorded": lengths.recorded,
            "shortest": lengths.sample[0],
            "median": lengths.median,
            "longest": lengths.sample[-1],
        },
        "tables": found.conditions.tables,
        "meeting": found.conditions.meeting,
        "pause": found.conditions.pause,
        "limit": found.conditions.limit,
        "begun": found.day.begun,
        "end": _times(found.end),
        "rounds": [
            {
                "round": played.number,
                "stages": [found.day.parts[at].stage.name for at in sorted({seat.part for seat in played.contests})],
                "begin": begin,
                "end": end,
                **_times(spread),
            }
            for played, (begin, end), spread in zip(found.day.rounds, times.rounds, found.rounds, strict=False)
        ],
        "idle": None
        if idle is None
        else {
            "table": idle.table,
            "since": idle.since,
            "until": idle.until,
            "waited_for": {"round": numbers[idle.waited_for.round], "table": idle.waited_for.table},
        },
        "happened": found.day.happened._asdict(),
        "story": [_happening(each, found.day) for each in story(found.day, times)],
        "helps": []
        if until is None
        else [{"of": each.of, "number": each.number, **_times(each.end)} for each in found.helps(until)],
    }


def played_file(file: Mapping[str, Any], day: Day) -> dict[str, Any]:
    """The tournament's file with the rounds of this day, and with the finals that followed."""
    stages = {stage["name"]: stage for stage in file["stages"]}
    like = stages[day.parts[0].stage.name]
    finals = [part.stage.name for phase in day.phases[1:] for part in phase.parts]
    for part in day.parts:
        name = part.stage.name
        stages[name] = _stage(stages[name], part) if name in stages else _final(like, part)
    overall = {"overall": [*([name] for name in finals), *_overall(file)]} if finals else {}
    return {**file, "stages": [*stages.values()], **overall}


def _overall(file: Mapping[str, Any]) -> list[list[str]]:
    return list(file.get("overall") or [[stage["name"] for stage in file["stages"]]])


def _stage(stage: Mapping[str, Any], part: Part) -> dict[str, Any]:
    kept = {key: value for key, value in stage.items() if key not in ("to_come", "next")}
    return {**kept, "rounds": [_round(each) for each in part.stage.rounds]}


def _final(like: Mapping[str, Any], part: Part) -> dict[str, Any]:
    """A stage that is played by the worth of a group."""
    stage = part.stage
    known = {key: like[key] for key in ("worth", "lots", "play", "pairing", "first", "apart") if key in like}
    made = {
        "name": stage.name,
        "system": stage.system.value,
        "entrants": [*stage.entrants],
        "order": [*stage.order],
        **({"best_of": stage.best_of} if stage.best_of > 1 else {}),
    }
    return _stage({**known, **made}, part)


def _round(played: Round) -> dict[str, Any]:
    return {
        "tables": [
            {
                "table": number,
                "sides": [list(side) for side in table.sides],
                "totals": None if table.totals is None else list(table.totals),
                **({"absent": sorted(table.absent)} if table.absent else {}),
                **({"places": list(table.places)} if table.places else {}),
                **({"best_of": table.best_of} if table.best_of else {}),
                **({"abandoned": True} if table.abandoned else {}),
                **({"boards": [_board(each) for each in table.boards]} if table.boards else {}),
            }
            for number, table in enumerate(played.tables, 1)
        ],
        "unplayed": [{"entrant": entrant, "kind": kind.value} for entrant, kind in played.unplayed.items()],
    }


def _board(shares: Sequence[Number] | None) -> dict[str, Any]:
    return {} if shares is None else {"shares": [each if isinstance(each, int) else str(each) for each in shares]}


def _times(times: Times) -> dict[str, int]:
    return times._asdict()


def _happening(told: Happening, day: Day) -> dict[str, Any]:
    trouble = told.trouble
    table = None
    if told.seat:
        stage = day.parts[told.seat.part].stage
        table = stage.rounds[told.round - day.number_of(told.seat.part, 0) - 1].tables[told.seat.place]
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
