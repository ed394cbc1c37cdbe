"""The result rows of a match's seats, which follow from its sheet."""

from scorekeeper.models import Match, SeatResult
from scorekeeper.selectors.standings import result_of
from scorekeeper.standings import sitting_results


def keep(match: Match) -> None:
    """Updates the result rows to the match's sheet; a match in play and one that is removed have none. Four queries."""
    match.results.all().delete()
    result = None if match.removed else result_of(match, match.sheet)
    SeatResult.objects.bulk_create(
        SeatResult(
            match=match,
            club_id=match.club_id,
            game=match.game,
            number=number,
            seat=each.sitting.seat,
            from_hand=each.sitting.from_hand,
            player_id=each.sitting.player,
            name=each.sitting.person[1],
            side=each.side,
            hands=each.hands,
            points=each.points,
            against=each.against,
            others=each.others,
            place=each.place,
            sharing=each.sharing,
            counts=each.counts,
            unverified=each.unverified,
        )
        for number, each in enumerate(sitting_results(result) if result else ())
    )
