"""Reading encounters of teams: their boards, what these add up to, and the table of the file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from games import GAMES
from scorekeeper.events.encounters import Encounter, Played, Score, exact, leads
from scorekeeper.models import Event, Match
from scorekeeper.selectors.matches import with_seats


@dataclass(frozen=True, slots=True)
class EncounterNow:
    """An encounter with the matches of its boards."""

    encounter: Encounter
    matches: Mapping[int, Match]
    """The newest match of each board, by its number."""

    @property
    def score(self) -> Score:
        return self.encounter.score(
            {board: Played(totals) for board, match in self.matches.items() if (totals := totals_at(board, match))}
        )

    @property
    def totals(self) -> tuple[int, int] | None:
        """The game points of both sides as whole numbers (times `Form.scale`); None until it is over."""
        score, scale = self.score, self.encounter.form.scale
        home, away = score.game_points
        return (int(home * scale), int(away * scale)) if score.over else None


def boards_to_start(now: EncounterNow) -> tuple[int, ...]:
    """The boards that begin next: those of the first part that is not over, unless somebody plays there already or is
    missing. None before the line-ups are open."""
    score = now.score
    if not now.encounter.open or score.over:
        return ()
    form = now.encounter.form
    part = next(part for part in form.parts if not score.played.keys() >= {*form.boards_of(part)})
    begun = {board for board, match in now.matches.items() if match.sheet["stopped"] != "abandoned"}
    return tuple(board for board in form.boards_of(part) if board not in begun and board not in score.played)


def encounter_now(event: Event, encounter: Encounter, match_ids: Mapping[int, int]) -> EncounterNow:
    """`match_ids`: the match of each board. Three queries; none without matches."""
    if not match_ids:
        return EncounterNow(encounter, {})
    matches = {match.pk: match for match in with_seats(event.matches.filter(pk__in=match_ids.values()))}
    return EncounterNow(encounter, {board: matches[pk] for board, pk in match_ids.items() if pk in matches})


def sides_at(board: int, match: Match) -> tuple[int, ...]:
    """The points in play of the sides at home and away; the side that leads first has seat 0."""
    sides, totals = GAMES[match.game].sides(len(match.sheet["totals"])), match.sheet["totals"]
    by_side = [totals[side[0]] for side in sides]
    return tuple(by_side[side ^ leads(board)] for side in range(len(by_side)))


def totals_at(board: int, match: Match) -> tuple[int, int] | None:
    """The totals of the sides at home and away; None while the match is in play, or if nobody won because it was
    abandoned."""
    if match.finished_at is None or match.sheet["stopped"] == "abandoned":
        return None
    home, away = sides_at(board, match)
    return home, away


def boards_of(now: EncounterNow, name: Callable[[int], str]) -> list[dict[str, Any]]:
    """What the boards were, for the table of a tournament file. The line-ups must be open. `name` names a player."""
    score = now.score
    return [_board(now, score, number, name) for number in range(1, len(now.encounter.form.boards) + 1)]


def _board(now: EncounterNow, score: Score, number: int, name: Callable[[int], str]) -> dict[str, Any]:
    board, match, played = now.encounter.form.boards[number - 1], now.matches.get(number), score.played.get(number)
    return {
        "board": number,
        "game": board.game,
        "players": [[name(player) for player in line_up[number - 1]] for line_up in now.encounter.playing],
        **({"totals": list(played.totals)} if played else {}),
        **({"shares": [exact(share) for share in score.shares_at(number)]} if played else {}),
        **({"match": match.pk} if match else {}),
    }
