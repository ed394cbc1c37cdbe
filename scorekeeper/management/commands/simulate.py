"""`manage.py simulate`: how long the day of a tournament will take, and how it could go."""

from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.core.management.base import CommandError
from django.db import connection

from games import GAMES
from games.errors import Malformed
from games.read import json_value
from scorekeeper.management import simulate_text
from scorekeeper.management.given_file import WRONG_USE, content
from scorekeeper.management.simulate_options import must_be_in_range, must_suit, rule, span
from scorekeeper.management.tournament_command import Answer, TournamentCommand, names
from scorekeeper.models import Match
from scorekeeper.rehearsal.days import rehearse, until
from scorekeeper.rehearsal.lengths import MINUTE, Boards, Lengths, lengths, meeting_lengths
from scorekeeper.rehearsal.phases import plan
from scorekeeper.rehearsal.playing import Board, Troubles
from scorekeeper.rehearsal.timetable import Conditions
from scorekeeper.rehearsal.writing import as_json, played_file
from scorekeeper.schedule.late_acceptance import last
from scorekeeper.selectors.lengths import recorded_lengths
from scorekeeper.standings.calculation import Calculated, calculate
from scorekeeper.standings.reading import BEST_OF, read_value
from scorekeeper.standings.tournament import Stage, System, Tournament
from scorekeeper.standings.writing import as_json as standings_as_json


class Command(TournamentCommand):
    help = (
        "Rehearses the day of a tournament from its file: when it ends, and what can go wrong. See docs/rehearsal.md."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--tables", type=int, help="in the hall (default: as many as a round needs)")
        parser.add_argument(
            "--lengths", metavar="FILE", help="the lengths of matches, a number of seconds on each line; - as for FILE"
        )
        parser.add_argument("--limit", type=int, metavar="MINUTES", help="the longest that a match can be")
        parser.add_argument(
            "--boards",
            type=int,
            nargs="+",
            metavar="N",
            help="of a meeting of teams: how many are played at the same time, part after part, like 6 3",
        )
        parser.add_argument("--start", default="14:00", metavar="TIME", help="when the first round begins (14:00)")
        parser.add_argument("--until", metavar="TIME", help="when the day should be over: says what would help")
        parser.add_argument("--next-day", action="store_true", help="--until is on the day after --start")
        parser.add_argument("--pause", type=int, default=10, metavar="MINUTES", help="between two rounds (10)")
        parser.add_argument("--runs", type=int, default=200, metavar="N", help="how many days to rehearse (200)")
        parser.add_argument("--late", type=int, default=0, metavar="N", help="entrants who arrive late")
        parser.add_argument("--no-shows", type=int, default=0, metavar="N", help="entrants who never come")
        parser.add_argument("--wrong", type=int, default=0, metavar="N", help="results typed the wrong way round")
        parser.add_argument("--disputed", type=int, default=0, metavar="N", help="results that a player disputes")
        parser.add_argument("--first", type=int, metavar="N", help="how many of each group go on to a final")
        parser.add_argument("--best", type=int, metavar="N", help="and how many of those who come next (0)")
        systems = [each.value for each in System if each is not System.FREE]
        parser.add_argument("--finals", choices=systems, help="how finals are played (knock-out)")
        parser.add_argument(
            "--consolation",
            nargs="?",
            choices=systems,
            const=True,
            help="the others play a final, too (like the finals)",
        )
        parser.add_argument(
            "--best-of",
            type=int,
            choices=BEST_OF,
            help="of how many matches at a table of a final by knock-out who wins most goes on (1)",
        )
        parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same days (default: 0)")

    def answer(self, tournament: Tournament, stage: Stage | None, options: dict[str, Any]) -> Answer:
        must_be_in_range(options)
        start, end = span(options)
        stages = [each.name for each in ([stage] if stage else tournament.stages)]
        if stage is None and any(each.qualified for each in tournament.stages):
            raise CommandError(f"Say of which stage with --stage: {names(tournament)}.", returncode=WRONG_USE)
        file, seed = json_value(options["source"]), options["seed"]
        given = _given(options) or _recorded(tournament.game, file.get("options", {}))
        limit = None if options["limit"] is None else options["limit"] * MINUTE
        boards = options["boards"] or []
        played = plan(file, stages, rule=rule(options), boards=_worth(tournament, sum(boards)))
        must_suit(played, options)
        if boards:  # a limit is that of a board
            given, limit = _meetings(boards, given, limit), None
        conditions = Conditions(
            options["tables"] or max(boards, default=1),
            options["pause"] * MINUTE,
            limit,
            overlap=not played.by_results,
            meeting=max(boards, default=0),
        )
        troubles = Troubles(options["late"], options["no_shows"], options["wrong"], options["disputed"])
        if end is not None:
            hall = conditions._replace(tables=options["tables"] or len(tournament.entrants))
            played = until(played, end, given.sample, hall, troubles, seed=seed)
        found = last(rehearse(played, given.sample, conditions, troubles, seed=seed, runs=options["runs"]))
        tables = options["tables"] or found.tables_used
        found = replace(found, conditions=conditions._replace(tables=tables))
        after = played_file(file, found.day)
        shown = read_value(after)
        standings = calculate(shown) if stage is None else _only(shown, [part.stage.name for part in found.day.parts])
        value = {
            "start": options["start"],
            "until": options["until"],
            "next_day": options["next_day"],
            **as_json(found, lengths=given, until=end),
            "standings": standings_as_json(standings, why=False)["stages"],
            "file": after,
        }
        text = simulate_text.rehearsed(
            value,
            shown,
            standings,
            start,
            wanted=troubles,
            until=end,
            from_file=options["lengths"] is not None,
        )
        return Answer(value, text)


def _only(tournament: Tournament, stages: Sequence[str]) -> Calculated:
    """The standings of these stages, which say nothing of the whole."""
    return Calculated([each for name in stages for each in calculate(tournament, stage=name).stages], [])


def _meetings(boards: Sequence[int], given: Lengths, limit: int | None) -> Lengths:
    cut = [each if limit is None else min(each, limit) for each in given.sample]
    return meeting_lengths([Boards((cut,) * number) for number in boards], given.recorded)


def _worth(tournament: Tournament, boards: int) -> list[Board]:
    """What each board of a meeting is worth: as in the tables of the file that are over, or 1."""
    played = [table.totals for stage in tournament.stages for each in stage.rounds for table in each.tables]
    most = max((sum(total or 0 for total in totals) for totals in played if totals), default=0)
    return [Board(most // boards or 1, 0)] * boards if boards else []


def _given(options: dict[str, Any]) -> Lengths | None:
    name = options["lengths"]
    if name is None:
        return None
    if name == options["file"] == "-":
        raise CommandError("--lengths -: the tournament is read from standard input already.", returncode=WRONG_USE)
    lines = content(name).decode(errors="replace").split()
    for number, line in enumerate(lines, 1):
        if not (line.isascii() and line.isdecimal() and 0 < len(line) < 7 and int(line)):
            text = f"number {number} should be a whole number of seconds from 1 to 999999, not {line[:20]}"
            raise CommandError(f"--lengths {name}: {text}.", returncode=WRONG_USE)
    if not lines:
        raise CommandError(f"--lengths {name}: there is no length in it.", returncode=WRONG_USE)
    return Lengths(tuple(sorted(map(int, lines))), 0)


def _recorded(game: str, given: dict[str, Any]) -> Lengths:
    """From the matches of this server with the same options; a server that is not set up has none."""
    if game not in GAMES or Match._meta.db_table not in connection.introspection.table_names():
        return lengths(game, [])
    try:
        options = GAMES[game].read_options(given)
    except Malformed:
        options = None
    return lengths(game, recorded_lengths(game, options))
