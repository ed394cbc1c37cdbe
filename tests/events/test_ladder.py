"""The fold of a ladder, against a plain model that knows nothing of it."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorekeeper.events import Ladder
from scorekeeper.events.ladder import CLIMBS, Result, State

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
RULES = {"reach": 2, "days": 10, "gap": 3, "unanswered": CLIMBS, "declined": CLIMBS, "unplayed": "stays"}
SETUP = {"kind": "setup", "name": "L", "game": "block", "options": {}, "minutes": None, "size": 1, **RULES}


def day(number: int) -> str:
    return (BEGIN + timedelta(days=number)).isoformat()


def moment(number: int) -> datetime:
    return BEGIN + timedelta(days=number)


Steps = list[dict[str, Any]]
RESULTS = st.dictionaries(
    st.integers(1, 12),
    st.builds(Result, st.sampled_from([True, False, None]), st.none() | st.integers(0, 60).map(moment)),
)

AT_LEISURE = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # the machine may be busy


@st.composite
def histories(draw: st.DrawFn) -> Steps:
    """A ladder of four to six people, and steps on days that go on."""
    people = draw(st.integers(4, 6))
    names = [{"players": [100 + each], "name": ""} for each in range(people)]
    steps: Steps = [{**SETUP, "at": day(0)}, {"kind": "join", "entrants": names, "place": None, "at": day(0)}]
    today, made, here = 0, 0, [*range(1, people + 1)]
    for number in range(draw(st.integers(0, 25))):
        today += draw(st.integers(0, 6))
        kinds = ["challenge", "challenge", "rung", "leave", "away", "join"]
        about = ["accept", "decline", "take-back", "award", "play", "play", "score", "date", "claim", "claim"]
        kinds += about if made else []
        kind, step = draw(st.sampled_from(kinds)), dict[str, Any](at=day(today))
        if kind == "join":
            step |= {
                "entrants": [{"players": [200 + number], "name": ""}],
                "place": draw(st.sampled_from([None, 1, 2])),
            }
            people += 1
            here.append(people)
        elif kind == "leave" and len(here) < 3:
            continue
        elif kind in ("rung", "leave", "away"):
            step |= {"entrant": draw(st.sampled_from(here)), "place": 1, "away": draw(st.booleans())}
            if kind == "leave":
                here.remove(step["entrant"])
        elif kind == "challenge":
            one, other = draw(st.permutations(here))[:2]
            step |= {"challenger": one, "challenged": other, "until": day(today + draw(st.integers(1, 10)))}
            made += 1
        else:
            step |= {"challenge": draw(st.integers(1, made)), "climbs": draw(st.booleans())}
            step |= {"match": draw(st.integers(1, 12)), "until": day(today + draw(st.integers(1, 10)))}
            step |= {"side": draw(st.sampled_from([1, 2])), "won": draw(st.booleans())}
        steps.append({"kind": kind, **step})
    return steps


OPEN = ("new", "accepted", "typed")


class Slow:
    """A list of names and loops: first the challenges that run out, then the step of the day."""

    def __init__(self, moved: Mapping[int, str], results: Mapping[int, Result]) -> None:
        self.moved, self.results = moved, results
        self.order: list[int] = []
        self.people = 0
        self.challenges: list[dict[str, Any]] = []

    def take(self, found: Mapping[str, Any]) -> None:
        one, other = found["one"], found["other"]
        if one in self.order and other in self.order and self.order.index(one) > self.order.index(other):
            self.order.remove(one)
            self.order.insert(self.order.index(other), one)

    def run_out(self, until: str) -> None:
        waits = (*OPEN, "recorded")
        waiting = [each for each in self.challenges if each["open"] in waits and each["until"] <= until]
        for found in sorted(waiting, key=lambda each: each["until"]):
            by_rule = found["open"] == "new" or [*found["typed"].values()] == [True]
            if found["won"] if found["open"] == "recorded" else by_rule:
                self.take(found)
            found["open"] = ""

    def step(self, each: Mapping[str, Any]) -> None:
        kind = each["kind"]
        if kind == "join":
            for at, _new in enumerate(each["entrants"]):
                self.people += 1
                self.order.insert(len(self.order) if each["place"] is None else each["place"] - 1 + at, self.people)
        elif kind == "rung":
            self.order.remove(each["entrant"])
            self.order.insert(each["place"] - 1, each["entrant"])
        elif kind == "leave":
            self.order.remove(each["entrant"])
            for one in self.challenges:
                one["open"] = "" if each["entrant"] in (one["one"], one["other"]) else one["open"]
        elif kind == "challenge":
            until = self.moved.get(len(self.challenges) + 1, each["until"])
            sides = {"one": each["challenger"], "other": each["challenged"]}
            self.challenges.append({**sides, "until": until, "open": "new", "typed": {}})
        elif "challenge" in each and self.challenges[each["challenge"] - 1]["open"] in (
            (*OPEN, "recorded") if kind == "score" else OPEN
        ):
            self.about(self.challenges[each["challenge"] - 1], each)

    def about(self, found: dict[str, Any], each: Mapping[str, Any]) -> None:
        if each["kind"] == "claim":
            found["typed"][each["side"]] = each["won"]
            found |= {"open": "typed", "until": max(found["until"], each["until"])}
            return
        won, waits = self.results.get(each["match"], ("abandoned", None))
        if each["kind"] in ("play", "score"):
            found["typed"] = {}
        played = {"abandoned": "accepted", None: "playing"}.get(won, "")
        if each["kind"] == "play" and waits and not played:
            found |= {"open": "recorded", "won": won, "until": max(found["until"], waits.isoformat())}
            return
        ends = {"accept": "accepted", "date": found["open"], "play": played, "score": played}
        found["open"] = ends.get(each["kind"], "")
        climbs = {"decline": True, "award": each["climbs"], "play": won is True, "score": won is True}
        if climbs.get(each["kind"]):
            self.take(found)


def slow_order(steps: Sequence[Mapping[str, Any]], results: Mapping[int, Result], last: str) -> list[int]:
    known = [each for each in steps if each["at"] <= last]
    slow = Slow({each["challenge"]: each["until"] for each in known if each["kind"] == "date"}, results)
    for each in known:
        slow.run_out(each["at"])
        slow.step(each)
    slow.run_out(last)
    return slow.order


@AT_LEISURE
@given(histories(), RESULTS, st.integers(0, 160))
def test_the_order_is_that_of_a_slow_model_on_any_day(steps: Steps, results: dict[int, Result], on: int) -> None:
    ladder = Ladder.of(steps)
    rungs = ladder.at(moment(on), results)
    assert list(rungs.order) == slow_order(steps, results, day(on))
    joined = {number for number, team in ladder.entrants.items()}
    left = {each["entrant"] for each in steps if each["kind"] == "leave" and each["at"] <= day(on)}
    came = Ladder.of([each for each in steps if each["at"] <= day(on)]).entrants.keys()
    assert sorted(rungs.order) == sorted(came - left)
    assert {*rungs.order} <= joined
    assert not rungs.order or rungs.leaders[-1][1] == rungs.order[0]


@AT_LEISURE
@given(histories(), RESULTS)
def test_undo_gives_the_order_before(steps: Steps, results: dict[int, Result]) -> None:
    before, after = Ladder.of(steps[:-1]), Ladder.of([*steps, {"kind": "undo"}])
    if before.setup:
        assert after.at(moment(400), results) == before.at(moment(400), results)


@AT_LEISURE
@given(histories(), RESULTS, st.integers(0, 160))
def test_whom_somebody_may_challenge_is_above_within_reach_present_and_free(
    steps: Steps, results: dict[int, Result], on: int
) -> None:
    rungs = Ladder.of(steps).at(moment(on), results)
    for challenger in rungs.order:
        for challenged in rungs.may_challenge(challenger, moment(on)):
            there = rungs.order[rungs.order.index(challenged) : rungs.order.index(challenger)]
            assert 0 < sum(each not in rungs.away for each in there) <= RULES["reach"]
            assert not {challenger, challenged} & rungs.away
            assert all(each.challenger != challenger and each.challenged != challenged for each in rungs.open)


def test_a_later_last_day_is_as_if_the_challenge_never_ran_out() -> None:
    names = [{"players": [each], "name": ""} for each in (7, 8)]
    steps: Steps = [
        {**SETUP, "at": day(0)},
        {"kind": "join", "entrants": names, "place": None, "at": day(0)},
        {"kind": "challenge", "challenger": 2, "challenged": 1, "until": day(5), "at": day(1)},
    ]
    assert Ladder.of(steps).at(moment(4), {}).order == (1, 2)
    assert Ladder.of(steps).at(moment(6), {}).order == (2, 1)
    later = Ladder.of([*steps, {"kind": "date", "challenge": 1, "until": day(9), "at": day(6)}]).at(moment(8), {})
    assert (later.order, later.challenges[1].state) == ((1, 2), State.OPEN)


def test_a_typed_result_waits_for_the_other_side_and_two_that_differ_change_nothing() -> None:
    names = [{"players": [each], "name": ""} for each in (7, 8)]
    steps: Steps = [
        {**SETUP, "at": day(0)},
        {"kind": "join", "entrants": names, "place": None, "at": day(0)},
        {"kind": "challenge", "challenger": 2, "challenged": 1, "until": day(5), "at": day(1)},
        {"kind": "accept", "challenge": 1, "at": day(2)},
        {"kind": "claim", "challenge": 1, "side": 2, "won": True, "until": day(7), "at": day(4)},
    ]
    waits, over = (Ladder.of(steps).at(moment(on), {}) for on in (6, 8))
    assert (waits.order, waits.challenges[1].state) == ((1, 2), State.TYPED)
    assert (over.order, over.challenges[1].state) == ((2, 1), State.EXPIRED)
    denied = [*steps, {"kind": "claim", "challenge": 1, "side": 1, "won": False, "until": day(7), "at": day(5)}]
    assert Ladder.of(denied).at(moment(8), {}).order == (1, 2)
    assert Ladder.of([*denied, {"kind": "confirm", "challenge": 1, "match": 3, "at": day(5)}]).at(
        moment(5), {3: Result(won=True)}
    ).order == (2, 1)


def test_what_was_recorded_waits_until_it_is_confirmed_or_the_days_for_that_are_over() -> None:
    names = [{"players": [each], "name": ""} for each in (7, 8)]
    steps: Steps = [
        {**SETUP, "at": day(0)},
        {"kind": "join", "entrants": names, "place": None, "at": day(0)},
        {"kind": "challenge", "challenger": 2, "challenged": 1, "until": day(5), "at": day(1)},
        {"kind": "play", "challenge": 1, "match": 3, "at": day(2)},
    ]
    ladder = Ladder.of(steps)
    waits, over, disputed = Result(True, moment(7)), Result(True), Result(False, moment(7))
    for on, result, order, state in (
        (6, Result(None), (1, 2), State.PLAYING),
        (6, waits, (1, 2), State.RECORDED),
        (6, over, (2, 1), State.PLAYED),
        (8, waits, (2, 1), State.PLAYED),
        (8, disputed, (1, 2), State.PLAYED),
    ):
        rungs = ladder.at(moment(on), {3: result})
        assert (rungs.order, rungs.challenges[1].state) == (order, state)
    assert ladder.at(moment(6), {3: waits}).may_challenge(2, moment(6)) == ()
    assert ladder.at(moment(8), {3: waits}).challenges[1].settled == moment(7)
    typed = Ladder.of([*steps, {"kind": "score", "challenge": 1, "match": 3, "at": day(4)}])
    assert typed.at(moment(4), {3: waits}).order == (2, 1)
    awarded = Ladder.of([*steps, {"kind": "award", "challenge": 1, "climbs": True, "at": day(4)}])
    assert awarded.at(moment(4), {3: waits}).order == (1, 2)
