"""`manage.py ratings`: the ratings of the players of any matches."""

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError
from datetime import UTC, date, datetime, time
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scorekeeper.management.given_file import REFUSED, content
from scorekeeper.ratings import Contest, Ladder, Rating, Refused, read_lines


class Command(BaseCommand):
    help = "Prints the ratings of the players in a file of matches, one JSON object a line. Format: docs/ratings.md."
    requires_system_checks = ()  # It needs nothing of the server, and should start quickly.

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="- reads standard input")
        parser.add_argument("--on", metavar="DATE", type=_day, help="as of the end of this day (UTC), like 2026-01-31")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            contests = read_lines(content(options["file"]).splitlines())
        except Refused as error:
            if not options["json"]:
                raise CommandError(f"Line {error.line}: {error.message}", returncode=REFUSED) from error
            self.stdout.write(json.dumps({"error": {"line": error.line, "message": error.message}}))
            sys.exit(REFUSED)
        ratings = _ratings(contests, options["on"])
        self.stdout.write(json.dumps(_as_json(ratings)) if options["json"] else _as_text(ratings))


def _ratings(contests: list[Contest], end: datetime | None) -> dict[int, Rating]:
    """The ratings after all contests until `end`, as they stand then; without it, after the last contest."""
    ladder = Ladder()
    ladder.rate_all(contest for contest in contests if end is None or contest.at <= end)
    at = end or (contests[-1].at if contests else None)
    return {player: rating.on(at) if at else rating for player, rating in ladder.ratings.items()}


def _as_json(ratings: dict[int, Rating]) -> dict[str, dict[str, float | int]]:
    return {
        str(player): {
            "mu": rating.belief.mu,
            "sigma": rating.belief.sigma,
            "shown": rating.shown,
            "elo": rating.elo,
            "matches": rating.contests,
        }
        for player, rating in sorted(ratings.items())
    }


def _as_text(ratings: dict[int, Rating]) -> str:
    if not ratings:
        return "No match until then."
    order = sorted(ratings.items(), key=lambda each: (-each[1].shown, each[0]))
    lines = ["player  rating    ±   Elo  matches"]
    for player, rating in order:
        name, mark = str(player), " provisional" if rating.provisional else ""
        lines.append(f"{name:>6}{rating.shown:>8}{rating.uncertainty:>5}{rating.elo:>6}{rating.contests:>9}{mark}")
    return "\n".join(lines)


def _day(text: str) -> datetime:
    """The end of a day that has begun."""
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text} is no date. Write it like 2026-01-31.") from error
    if day > datetime.now(UTC).date():
        raise ArgumentTypeError(f"{text} has not come yet. Choose a day until today (UTC).")
    return datetime.combine(day, time.max, tzinfo=UTC)
