"""How good a schedule is, in a sentence for the organiser of a tournament."""

from scorekeeper.schedule.measures import Measures, distance
from scorekeeper.schedule.seating import Format


def grade(format: Format, measures: Measures, bounds: Measures) -> str:
    """Who meets whom, then what is uneven apart from that."""
    uneven = [
        *(["byes"] if measures.byes.most > bounds.byes.most or measures.out_of_turn > 1 else []),
        *(["leads"] if measures.lead > 1 else []),
        *(["seats"] if measures.seats > max(2, bounds.seats) else []),
        *(["runs on one side"] if measures.longest > bounds.longest + 1 else []),
    ]
    meetings = _grade_of_meetings(format, measures, bounds)
    return f"{meetings}; {' and '.join(uneven)} could be more even" if uneven else meetings


def _grade_of_meetings(format: Format, measures: Measures, bounds: Measures) -> str:
    even = all(getattr(measures, name) == getattr(bounds, name) for name in ("meet", "partner", "oppose"))
    if even and measures.meet.least == measures.meet.most:
        if format.partners and measures.partner.least == measures.partner.most:
            partners, opponents = _how_often(measures.partner.least), _how_often(measures.oppose.least)
            return f"perfect: everybody partners everybody {partners} and opposes everybody {opponents}"
        return f"perfect: everybody meets everybody {_how_often(measures.meet.least)}"
    if measures.meet.most == 1:
        return "nobody meets anybody twice"
    if even:
        return "as even as possible"
    more = distance(measures, bounds)
    if not more.meetings and not more.partners:
        return "as even as possible in who meets whom, but not in who opposes whom"
    extra = _number_of(more.meetings, "meeting")
    if more.partners:
        extra += f" and {_number_of(more.partners, 'partnership')}"
    return f"fair: {extra} too many for some pairs, too few for others"


def _how_often(times: int) -> str:
    return {1: "once", 2: "twice"}.get(times, f"{times} times")


def _number_of(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
