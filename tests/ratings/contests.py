"""Random histories of contests."""

from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from scorekeeper.ratings import Contest

SHAPES = ((1, 1), (2, 2), (1, 1, 1), (1, 1, 1, 1))


@st.composite
def contests(draw: st.DrawFn, *, pairs: bool = True) -> list[Contest]:
    """Up to forty contests of seven players, the oldest first, minutes to months apart."""
    at = datetime(2026, 1, 5, 20, tzinfo=UTC)
    history = []
    for _each in range(draw(st.integers(0, 40))):
        at += timedelta(minutes=draw(st.sampled_from([0, 20, 1440, 90_000])))
        shape = draw(st.sampled_from([shape for shape in SHAPES if pairs or 2 not in shape]))
        players = draw(st.permutations(range(1, 8)))
        firsts = [sum(shape[:side]) for side in range(len(shape))]
        sides = tuple(tuple(players[first : first + size]) for first, size in zip(firsts, shape, strict=True))
        totals = tuple(draw(st.integers(0, 3)) for _side in shape)
        history.append(Contest(at, "block", sides, totals, draw(st.booleans())))
    return history
