"""Random tournament files of every kind that a reader accepts, for comparing standings with a second opinion."""

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

SYSTEMS = ["swiss", "round-robin", "free", "knock-out"]
FOR_ALL = [
    *["points", "head-to-head", "wins", "rounds-won", "games-second", "wins-second", "progressive", "rating-average"],
    *["difference", "scored", "conceded", "firsts", "seconds", "thirds", "best-table", "start", "manual", "lots"],
]
NOT_BY_SCORE = [
    *["buchholz", "buchholz-cut-1", "buchholz-cut-2", "buchholz-median-1", "buchholz-median-2"],
    *["average-of-buchholz", "sonneborn-berger"],
]
BY_RESULT = ["koya"]
CRITERIA = {
    "result": [*FOR_ALL, *NOT_BY_SCORE, *BY_RESULT],
    "place": [*FOR_ALL, *NOT_BY_SCORE],
    "score": FOR_ALL,
}
LAST_FIVE = ["bye", "asked", "absent", "forfeit_win", "forfeit_loss"]
NORMAL: dict[str, int | str] = dict.fromkeys(["win", "bye", "forfeit_win"], 1)
NORMAL |= dict.fromkeys(["draw", "asked"], "1/2") | dict.fromkeys(["loss", "absent", "forfeit_loss"], 0)
SHAPES = {
    "heads": [[1, 1]],
    "triples": [[1, 1, 1]],
    "fours": [[1, 1, 1, 1]],
    "partners": [[2, 2]],
    "mixed": [[1, 1, 1, 1], [1, 1, 1], [1, 1]],
    "odd": [[1, 1], [2, 2], [1, 1, 1], [1, 1, 1, 1], [1, 2], [2, 1, 1], [3, 1], [2, 2, 1], [3, 3]],
}
Round = dict[str, Any]


def written(value: Fraction) -> int | str:
    """A whole number, or a string in lowest terms."""
    return int(value) if value.denominator == 1 else str(value)


def some_number(rng: random.Random, low: int = -1, high: int = 3) -> Fraction:
    return Fraction(rng.randint(low * 6, high * 6), rng.choice([6, 6, 3, 2, 1])) / rng.choice([1, 1, 2])


def chance(rng: random.Random, share: float) -> bool:
    return rng.random() < share


# --- worths and orders -------------------------------------------------------------------------------------
def random_worth(rng: random.Random, by: str) -> dict[str, Any]:
    """A win is worth at least as much as a draw, a draw at least as much as a loss; the rest is worth anything."""
    worth: dict[str, Any] = {"by": by}
    if by == "score":
        for key in LAST_FIVE:
            worth[key] = "average" if chance(rng, 0.4) else written(some_number(rng, -5, 10))
        return worth
    if by == "result":
        if chance(rng, 0.4):
            return worth | NORMAL
        if chance(rng, 0.3):
            worth |= {"win": 3, "draw": 1, "loss": 0}
        else:
            ordered = sorted((some_number(rng) for _ in range(3)), reverse=True)
            worth |= dict(zip(["win", "draw", "loss"], map(written, ordered), strict=True))
    else:
        worth["places"] = random_places(rng)
    usual = [worth[key] for key in ("win", "draw", "loss") if key in worth]
    for key in LAST_FIVE:
        worth[key] = rng.choice(usual) if usual and chance(rng, 0.6) else written(some_number(rng))
    return worth


def random_places(rng: random.Random) -> dict[str, list[int | str]]:
    if chance(rng, 0.4):
        return {"2": [1, 0], "3": [2, 1, 0], "4": [3, 2, 1, 0]}
    return {
        str(sides): [written(worth) for worth in sorted((some_number(rng) for _ in range(sides)), reverse=True)]
        for sides in (2, 3, 4)
    }


def random_order(rng: random.Random, by: str) -> list[str]:
    """Points come first most of the time, head-to-head often early, and lots, start and manual late: nothing after
    them separates anybody, and nobody is equal after much else.
    """
    chosen = rng.sample(CRITERIA[by], rng.randint(1, 10))
    if chance(rng, 0.5):
        chosen.sort(key=["start", "manual", "lots"].__contains__)
    for criterion, share in (("head-to-head", 0.4), ("points", 0.7)):
        if chance(rng, share):
            chosen = [criterion, *(each for each in chosen if each != criterion)][:10]
    return chosen


# --- tables ------------------------------------------------------------------------------------------------
def random_total(rng: random.Random, spread: int) -> int:
    return rng.randint(-2 if chance(rng, 0.2) else 0, spread)


def random_table(
    rng: random.Random, sides: list[list[int]], *, open_share: float, absent_share: float, spread: int
) -> dict[str, Any]:
    """Some sides absent at times, one side alone or none at all; open only where at least two came."""
    table: dict[str, Any] = {"sides": sides}
    absent: list[int] = []
    if chance(rng, absent_share):
        absent = rng.sample(range(len(sides)), rng.randint(1, len(sides)))
    if absent or chance(rng, 0.1):
        table["absent"] = absent
    came = len(sides) - len(absent)
    totals: list[int | None] = [random_total(rng, spread) for _ in sides]
    if came >= 2:
        totals = [None if side in absent else total for side, total in enumerate(totals)]
        stand = not chance(rng, open_share)
    else:
        totals = [None if chance(rng, 0.3) else total for total in totals]
        stand = chance(rng, 0.4)
    if stand:
        table["totals"] = totals
    elif chance(rng, 0.5):
        table["totals"] = None
    return table


def numbered(rng: random.Random, tables: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Keys that are not checked come along at times."""
    for at, table in enumerate(tables, 1):
        if chance(rng, 0.5):
            table["table"] = at
        if chance(rng, 0.1):
            table["note"] = "Blue room"
    return tables


def random_sides(rng: random.Random, people: list[int], play: str) -> list[list[list[int]]]:
    """The sides of every table, as many tables as the people fill or a few less."""
    free = rng.sample(people, len(people))
    tables = []
    while free and not chance(rng, 0.05):
        shapes = [shape for shape in SHAPES[play] if sum(shape) <= len(free)]
        if not shapes:
            break
        shape = rng.choice(shapes)
        tables.append([[free.pop() for _ in range(size)] for size in shape])
    return tables


def unplayed_of(rng: random.Random, people: Sequence[int]) -> list[dict[str, Any]]:
    """Byes, rounds asked off, absences; some are not named at all."""
    found = []
    for who in people:
        kind = rng.choice(["bye", "bye", "asked", "asked", "absent", None])
        if kind:
            found.append({"entrant": who, "kind": kind})
    return found


def a_round(rng: random.Random, tables: list[dict[str, Any]], unplayed: list[dict[str, Any]]) -> Round:
    found: Round = {}
    if tables or chance(rng, 0.5):
        found["tables"] = numbered(rng, tables)
    if unplayed or chance(rng, 0.5):
        found["unplayed"] = unplayed
    return found


def seated(sides: list[list[list[int]]]) -> set[int]:
    return {who for table in sides for side in table for who in side}


def random_rounds(rng: random.Random, people: list[int], number: int, play: str, **odds: Any) -> list[Round]:
    """Swiss, free or wild: anybody meets anybody, and some leave after a while."""
    leaves = {who: rng.randint(1, number) for who in people if chance(rng, 0.15)} if number else {}
    rounds = []
    for at in range(1, number + 1):
        here = [who for who in people if leaves.get(who, number) >= at and not chance(rng, 0.06)]
        sides = random_sides(rng, here, play)
        tables = [random_table(rng, table, **odds) for table in sides]
        rounds.append(a_round(rng, tables, unplayed_of(rng, [who for who in people if who not in seated(sides)])))
    return rounds


def round_robin_rounds(rng: random.Random, people: list[int], number: int, **odds: Any) -> list[Round]:
    """Everybody meets everybody: the first stays, the others turn. It starts over when all have met."""
    circle: list[int | None] = [*people, None] if len(people) % 2 else list(people)
    rounds = []
    for _ in range(number):
        pairs = [[circle[at], circle[-1 - at]] for at in range(len(circle) // 2)]
        sides = [[[one], [two]] for one, two in pairs if one is not None and two is not None]
        for table in sides:
            rng.shuffle(table)
        tables = [random_table(rng, table, **odds) for table in sides]
        free = [who for who in people if who not in seated(sides)]
        named = [{"entrant": who, "kind": rng.choice(["bye", "absent", "asked"])} for who in free if chance(rng, 0.7)]
        rounds.append(a_round(rng, tables, named))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return rounds


# --- a knock-out in which winners go on --------------------------------------------------------------------
def sides_that_lost(table: dict[str, Any], lower_wins: bool) -> list[int] | None:
    """None: nobody goes on yet, as the table is open or several are equally best."""
    sides, absent, totals = table["sides"], table.get("absent", []), table.get("totals")
    came = [side for side in range(len(sides)) if side not in absent]
    if len(came) > 1:
        if totals is None:
            return None
        best = (min if lower_wins else max)(totals[side] for side in came)
        came = [side for side in came if totals[side] == best]
        if len(came) > 1:
            return None
    return [side for side in range(len(sides)) if side not in came]


def pair_off(rng: random.Random, alive: list[int], losses: dict[int, int], size: int) -> list[list[list[int]]]:
    """Tables among those with equally many losses; the last two in any case."""
    if len(alive) == 2:
        return [[[alive[0]], [alive[1]]]]
    tables = []
    for lost in (0, 1):
        group = [who for who in alive if losses[who] == lost]
        rng.shuffle(group)
        while len(group) >= 2:
            tables.append([[group.pop()] for _ in range(min(size, len(group)))])
    return tables


def knock_out_rounds(
    rng: random.Random, people: list[int], number: int, *, lower_wins: bool, double: bool, **odds: Any
) -> list[Round]:
    """Winners go on, equal ones meet again, losers play for places at times, and who waits has a bye."""
    losses = dict.fromkeys(people, 0)
    again: list[list[list[int]]] = []
    for_places: list[list[int]] = []
    size = rng.choice([2, 2, 2, 3, 4])
    rounds: list[Round] = []
    for at in range(1, number + 1):
        alive = [who for who in people if losses[who] <= double]
        if len(alive) < 2 and not for_places and chance(rng, 0.9):
            break
        free = [who for who in alive if who not in seated(again)]
        sides = again + (pair_off(rng, free, losses, size) if len(free) > 1 else [])
        odds_now = odds | {"open_share": odds["open_share"] if at == number else 0}
        tables = [random_table(rng, table, **odds_now) for table in sides]
        again = []
        out = []
        for table in tables:
            lost = sides_that_lost(table, lower_wins)
            if lost is None:
                again.append(rng.sample(table["sides"], len(table["sides"])))
                continue
            for who in [who for side in lost for who in table["sides"][side]]:
                losses[who] += 1
                out += [who] if losses[who] > double else []
        place = len([who for who in people if losses[who] <= double]) + 1
        for losers in [pair for pair in for_places if not set(pair) & seated(sides)]:
            first = place + len(out)
            tables.append(random_table(rng, [[who] for who in losers], **odds_now))
            tables[-1]["places"] = list(range(first, first + len(losers)))
        playing = {who for table in tables for side in table["sides"] for who in side}
        for_places = [out] if 2 <= len(out) <= 4 and chance(rng, 0.6) else []
        unplayed = [{"entrant": who, "kind": "bye"} for who in alive if who not in playing]
        rounds.append(a_round(rng, tables, unplayed))
    return rounds


def give_places(rng: random.Random, rounds: list[Round], entrants: int) -> None:
    """Wild: tables that decide places anywhere, in any order."""
    for table in [table for each in rounds for table in each.get("tables", []) if chance(rng, 0.15)]:
        table["places"] = rng.sample(range(1, max(entrants, 4) + 1), len(table["sides"]))
        if chance(rng, 0.8):
            table["places"].sort()


# --- stages and the file -----------------------------------------------------------------------------------
def random_penalties(rng: random.Random, people: list[int], rounds: int) -> list[dict[str, Any]]:
    found = []
    for _ in range(rng.choice([0, 0, 1, 2, 4])):
        penalty: dict[str, Any] = {"entrant": rng.choice(people), "round": rng.randint(1, max(1, rounds))}
        penalty["points"] = written(abs(some_number(rng)))
        if chance(rng, 0.7):
            penalty["reason"] = rng.choice(["late", "no show", "Zuspätkommen", ""])
        if chance(rng, 0.3):
            penalty["cancelled"] = chance(rng, 0.6)
        found.append(penalty)
    return found


def random_stage(
    rng: random.Random,
    name: str,
    people: list[int],
    *,
    system: str,
    by: str,
    lower_wins: bool,
    rounds: int,
    open_share: float,
    absent_share: float,
    play: str | None,
    order: list[str] | None,
    planned: bool,
    plausible: bool,
) -> dict[str, Any]:
    stage: dict[str, Any] = {"name": name, "system": system, "entrants": people, "worth": random_worth(rng, by)}
    odds = {"open_share": open_share, "absent_share": absent_share, "spread": rng.choice([1, 2, 4, 9, 100])}
    play = play or rng.choice(["heads", "heads", *SHAPES])
    if system == "knock-out" and plausible:
        stage["double"] = chance(rng, 0.4)
        listed = knock_out_rounds(rng, people, rounds, lower_wins=lower_wins, double=stage["double"], **odds)
    elif system == "round-robin" and plausible and play == "heads":
        listed = round_robin_rounds(rng, people, rounds, **odds)
    else:
        listed = random_rounds(rng, people, rounds, play, **odds)
    rounds = len(listed)
    if system == "knock-out" and not plausible:
        give_places(rng, listed, len(people))
        stage["double"] = chance(rng, 0.4)
    if system != "knock-out" or chance(rng, 0.2):
        stage["order"] = order or random_order(rng, by)
    if rounds or chance(rng, 0.5):
        stage["rounds"] = listed
    if planned:
        stage["rounds_planned"] = max(1, rounds + rng.choice([0, 1, 3]))
    elif chance(rng, 0.3) and rounds:
        stage["rounds_planned"] = rng.randint(1, rounds)
    if chance(rng, 0.3):
        stage["minimum_played"] = rng.randint(0, max(1, rounds))
    if chance(rng, 0.8):
        stage["lots"] = rng.choice(["7f3a", "", "Ünïcode ✓", "0"])
    if chance(rng, 0.6):
        stage["manual"] = rng.sample(people, rng.randint(0, len(people)))
    penalties = random_penalties(rng, people, rounds)
    if penalties or chance(rng, 0.5):
        stage["penalties"] = penalties
    return stage


def random_entrants(rng: random.Random, count: int) -> list[dict[str, Any]]:
    ids = rng.sample(range(1, count + 1 if chance(rng, 0.5) else 5 * count + 1), count)
    if chance(rng, 0.5):
        ids.sort()
    rated = rng.choice([0, 0.7, 1])
    found = []
    for who in ids:
        entrant: dict[str, Any] = {"id": who, "name": f"Entrant {who}"}
        if chance(rng, rated):
            entrant["rating"] = rng.randint(1000, 1010) if chance(rng, 0.3) else rng.randint(0, 2800)
        if chance(rng, 0.3):
            entrant["club"] = rng.choice(["North", "South"])
        if chance(rng, 0.3):
            entrant["players"] = [f"Player {who}"]
        found.append(entrant)
    return found


def comparable(stages: list[dict[str, Any]], lower_wins: bool) -> bool:
    """Points of these stages go the same way: either all of them are better when fewer, or none."""
    return not lower_wins or len({stage["worth"]["by"] == "score" for stage in stages}) == 1


def random_overall(rng: random.Random, stages: list[dict[str, Any]], lower_wins: bool) -> list[list[str]]:
    """Some stages in some order, one or several to a list."""
    lists: list[list[dict[str, Any]]] = []
    for stage in rng.sample(stages, rng.randint(0, len(stages)) if chance(rng, 0.4) else len(stages)):
        if lists and chance(rng, 0.5) and comparable([*lists[-1], stage], lower_wins):
            lists[-1].append(stage)
        else:
            lists.append([stage])
    return [[stage["name"] for stage in listed] for listed in lists]


def random_tournament(
    rng: random.Random,
    *,
    system: str | None = None,
    by: str | None = None,
    lower_wins: bool | None = None,
    stages: int | None = None,
    entrants: int | None = None,
    rounds: int | None = None,
    open_share: float | None = None,
    absent_share: float | None = None,
    play: str | None = None,
    order: list[str] | None = None,
    planned: bool | None = None,
    plausible: bool | None = None,
) -> dict[str, Any]:
    """A valid file. Each wish that is given holds for all stages; the rest is drawn.

    ``open_share`` and ``absent_share``: how many of the tables are open, or have absent sides. ``play``: a key of
    SHAPES. ``planned``: True: ``rounds_planned`` is at least the rounds in the file; False: it never exceeds them.
    ``plausible``: in a knock-out winners go on, in a round robin everybody meets everybody. ``order`` must suit ``by``.
    """
    lower_wins = chance(rng, 0.4) if lower_wins is None else lower_wins
    people = random_entrants(rng, entrants or rng.choice([1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 10, 12]))
    ids = [each["id"] for each in people]
    usual_by = rng.choice(list(CRITERIA))
    listed = []
    for name in rng.sample(["Main", "Final", "Group A", "Group B"], stages or rng.choice([1, 1, 1, 2, 3])):
        few = rng.sample(ids, len(ids) if chance(rng, 0.6) else rng.randint((len(ids) + 1) // 2, len(ids)))
        stage = random_stage(
            rng,
            name,
            few,
            system=system or rng.choice(SYSTEMS),
            by=by or (usual_by if chance(rng, 0.8) else rng.choice(list(CRITERIA))),
            lower_wins=lower_wins,
            rounds=rng.randint(0, 7) if rounds is None else rounds,
            open_share=rng.choice([0, 0, 0.1, 0.4]) if open_share is None else open_share,
            absent_share=rng.choice([0, 0.1, 0.3]) if absent_share is None else absent_share,
            play=play,
            order=order,
            planned=chance(rng, 0.4) if planned is None else planned,
            plausible=chance(rng, 0.7) if plausible is None else plausible,
        )
        if set(few) == set(ids) and chance(rng, 0.5):
            del stage["entrants"]
        listed.append(stage)
    file: dict[str, Any] = {"format": "scorekeeper-tournament/1", "entrants": people, "stages": listed}
    if chance(rng, 0.7):
        file |= {"name": "Spring cup", "game": "domino-whist", "options": {}}
    if lower_wins or chance(rng, 0.5):
        file["lower_wins"] = lower_wins
    overall = random_overall(rng, listed, lower_wins)
    if overall or chance(rng, 0.5):
        file["overall"] = overall
    return file
