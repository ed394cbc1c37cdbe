"""The audit page of a club: who did what when."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games import GAMES
from games.record import EARLY, STOPPED
from scorekeeper import words
from scorekeeper.models import AuditEntry, Club, Event, Match, Role, User
from scorekeeper.pages.corrections import who
from scorekeeper.pages.match import match_line
from scorekeeper.selectors.audit import AT_ONCE, Asked, Place, Trace, hosts_of, nights_of, traces
from scorekeeper.selectors.matches import with_removed
from scorekeeper.selectors.steps import Said

LOGS: Mapping[str, Promise] = {
    "nights": _("steps of nights, tournaments, leagues and ladders"),
    "matches": _("corrections of matches"),
    "tables": _("codes, tables, sign-ins"),
    "jobs": _("archives and backups"),
}
OF_TOURNAMENTS: dict[str, Promise | str] = {"close": _("closed the tournament"), "draft": _("drafted a round")}
OF_LEAGUES: dict[str, Promise | str] = {
    "setup": _("set up the league"),
    "divisions": _("entered the divisions"),
    "fixtures": _("made the fixtures"),
    "round": _("drew a round"),
    "date": _("changed the date of a fixture"),
    "play": _("started a fixture"),
    "part": _("started boards of a fixture"),
    "score": _("typed the result of a fixture"),
    "absent": _("noted a walk-over"),
    "withdraw": _("noted who left the league"),
    "squad": _("changed a squad"),
    "remove": _("removed the league"),
    "captain": _("changed a captain"),
    "open": _("opened line-ups"),
    "substitute": _("noted a substitute"),
    "close": _("closed the season"),
}
OF_LADDERS: dict[str, Promise | str] = {
    "setup": _("set up the ladder"),
    "join": _("put somebody on the ladder"),
    "rung": _("moved somebody on the ladder"),
    "leave": _("took somebody off the ladder"),
    "away": _("noted who is away"),
    "challenge": _("made a challenge"),
    "accept": _("accepted a challenge"),
    "decline": _("declined a challenge"),
    "take-back": _("took a challenge back"),
    "award": _("decided a challenge"),
    "date": _("changed the last day of a challenge"),
    "play": _("started the match of a challenge"),
    "score": _("typed the result of a challenge"),
    "claim": _("typed a result that is to be confirmed"),
    "confirm": _("confirmed the result of a challenge"),
    "close": _("closed the ladder"),
}
WORDS: Mapping[str, dict[str, Promise | str]] = {
    "nights": {
        "people": _("changed who is here"),
        "outlook": _("set whether spectators see who stands better"),
        "enter": _("entered a player"),
        "withdraw": _("withdrew a player"),
        "return": _("brought a player back"),
        "rest": _("noted a break"),
        "play-on": _("ended a break"),
        "start": _("started a table"),
        "setup": _("set up the tournament"),
        "describe": _("changed an entrant"),
        "remove-entrant": _("took out an entrant"),
        "replace-players": _("entered others instead"),
        "remove": _("removed the tournament"),
        "plan": _("made the schedule"),
        "propose": _("looked for another schedule"),
        "take": _("changed the schedule"),
        "drop-proposal": _("dropped another schedule"),
        "exchange": _("swapped two entrants in the schedule"),
        "publish": _("released the schedule"),
        "wish": _("entered a wish for the schedule"),
        "remove-wish": _("removed a wish for the schedule"),
        "reseat": _("swapped two entrants of a round"),
        "forfeit": _("noted who did not come"),
        "penalty": _("gave a penalty"),
        "cancel-penalty": _("cancelled a penalty"),
        "clock": _("set the clock of a round"),
        "result": _("typed a result at the desk"),
        "corrections": _("imported earlier corrections"),
        "group": _("made groups"),
        "move": _("moved somebody to another group"),
        "stage": _("began the finals"),
        "way": _("changed how a final is played"),
        "seeds": _("ordered the seeds"),
        "manual": _("decided between equal entrants"),
        "advance": _("decided which of equal entrants go on"),
        "category": _("changed a category"),
        "remove-category": _("removed a category"),
        "end": _("ended a match at the desk"),
        "next-match": _("started another match at a table"),
        "no-show": _("set the minutes until a no-show"),
        "game": _("set how to play"),
        "table": _("set the game of a table"),
        "draft": _("drew a round"),
        "swap": _("swapped two players"),
        "drop": _("discarded the draw"),
        "seat": _("seated the round"),
        "last-hand": _("called the last hand"),
        "close": _("closed the night"),
        "undo": _("undid the step before"),
    },
    "matches": {
        "undo": _("undid an entry"),
        "replace": _("corrected a hand"),
        "swap": _("corrected the seats"),
        "note": _("noted a mistake"),
        "abandon": _("gave up a hand"),
        "stop": _("ended the match"),
        "result": _("entered the result"),
        "confirm": _("confirmed the score"),
        "dispute": _("disputed the score"),
        "reopen": _("reopened the match"),
    },
    "tables": dict(AuditEntry.Kind.choices),
    "jobs": {
        "archive": _("made an archive"),
        "backup": _("made a backup"),
        "person-export": _("made a file of what is stored about a person"),
        "restore": _("restored a backup"),
        "tournament-import": _("imported a tournament"),
    },
}
OF_ROLES = (AuditEntry.Kind.ROLE_GIVEN, AuditEntry.Kind.INVITED)
SAID: Mapping[str, Promise | str] = {
    "undid": "{}",
    "name": "{}",
    "entrants": "{}",
    "players": "{}",
    "groups": "{}",
    "came": _("came: {}"),
    "left": _("left: {}"),
    "absent": _("did not come: {}"),
    "there": _("came after all: {}"),
    "changed": _("changed: {}"),
    "wish": "{}",
    "from": _("from round {} on"),
    "within": _("in rounds {}"),
    "do": "{}",
    "how": "{}",
    "on": "{}",
    "lots": _("lots with the word {}"),
    "open": _("open matches: {}"),
    "game": "{}",
    "options": "{}",
    "rounds": _("rounds: {}"),
    "at": _("table {}"),
    "round": _("round {}"),
    "totals": "{}",
    "stopped": "{}",
    "points": _("{} points"),
    "why": _("“{}”"),
    "reason": _("“{}”"),
}
SETUP: Mapping[str, Promise | str] = {
    "name": _("Name"),
    "date": _("Date"),
    "public": _("Everybody may follow"),
    "self_entry": _("People may enter themselves"),
    "outlook": _("Show spectators who stands better"),
    "game": _("Game"),
    "format": _("Who meets whom"),
    "size": _("Who meets whom"),
    "system": _("Who meets whom"),
    "pairing": _("How rounds are drawn"),
    "first": _("How rounds are drawn"),
    "apart": _("How rounds are drawn"),
    "first_by_lots": _("How rounds are drawn"),
    "bracket": _("Who plays on in a knock-out"),
    "final_best_of": _("Length of the final"),
    "teams": _("Teams"),
    "in_groups": _("Groups, then finals"),
    "rounds": _("Number of rounds"),
    "double": _("Number of rounds"),
    "until": _("Time for the rounds"),
    "minutes": _("Minutes of a match"),
    "clock_waits": _("Start the clock by hand"),
    "options": _("Rules of the game"),
    "worth": _("What a round is worth"),
    "order": _("Order of the criteria"),
    "minimum_played": _("Minimum of tables"),
    "lots": _("Word for the lots"),
    "confirm": _("Seats that must confirm a result"),
    "prizes": _("Places with a prize"),
    "fund": _("Prize money"),
}
CHOSEN: Mapping[str, Mapping[str, Promise | str]] = {
    "changed": SETUP,
    "wish": {
        "apart": _("do not meet"),
        "table": _("always at the same table"),
        "present": _("not in every round"),
        "meet": _("have a settled table"),
        "bye": _("has a bye"),
    },
    "on": {"True": _("yes"), "False": _("no")},
    "do": {
        "run": _("started"),
        "start": _("started"),
        "pause": _("paused"),
        "go-on": _("continued"),
        "more": _("extra time"),
    },
    "how": {
        "time": _("the score counts"),
        "abandoned": _("abandoned"),
        "names": _("only the names were wrong"),
        "again": _("played again"),
        "as-drawn": _("played again as drawn"),
    },
    "open": {"count": _("the current scores count"), "abandon": _("abandoned")},
    "game": {slug: _(game.name) for slug, game in GAMES.items()},
    "stopped": {name: _(words.WORDS[name]) for name in (*STOPPED, *EARLY)},
}
"""What some of them have as codes, in words."""


@dataclass(frozen=True, slots=True)
class TraceShown:
    trace: Trace
    who: Promise | str
    words: Promise | str
    what: Promise | str
    said: str
    """What was entered, in words; of a match that is removed, who played and its score."""


@dataclass(frozen=True, slots=True)
class AuditPage:
    club: Club
    asked: Asked
    traces: Sequence[TraceShown]
    logs: Mapping[str, Promise]
    hosts: Sequence[User]
    nights: Sequence[Event]
    filters: str
    """The query of this page, without the place."""
    older: str
    """The query of the page with older actions; "" if there are none."""
    newest: bool


def audit_page(club: Club, asked: Asked, after: Place | None) -> AuditPage:
    """At most eleven queries."""
    found = traces(club, asked, after, AT_ONCE + 1)
    removed = with_removed({trace.match for trace in found if trace.match and trace.removed})
    given = {"who": asked.who, "night": asked.night, "log": asked.log}
    filters = {name: value for name, value in given.items() if value}
    more = {"after": found[AT_ONCE - 1].place} if len(found) > AT_ONCE else {}
    return AuditPage(
        club=club,
        asked=asked,
        traces=[_shown(trace, removed.get(trace.match or 0)) for trace in found[:AT_ONCE]],
        logs=LOGS,
        hosts=hosts_of(club),
        nights=nights_of(club),
        filters=urlencode(filters),
        older=urlencode(filters | more) if more else "",
        newest=after is None,
    )


def _shown(trace: Trace, removed: Match | None) -> TraceShown:
    what = Role(trace.what).label if trace.kind in OF_ROLES else trace.what
    did = WORDS[trace.log] | (_own_words(trace) if trace.log == "nights" else {})
    did |= {"stop": _("set the match aside")} if trace.said.get("stopped") == "abandoned" else {}
    parts = [_said(name, text) for name in trace.said if (text := _in_words(name, trace.said, did))]
    said = " · ".join([*parts, *([_contest(removed)] if removed else [])])
    return TraceShown(trace, _who(trace), did.get(trace.kind, trace.kind), what, said)


def _own_words(trace: Trace) -> dict[str, Promise | str]:
    """The steps that an event of another kind has of its own, or calls otherwise than a night."""
    if trace.of_ladder:
        return OF_LADDERS
    return OF_TOURNAMENTS if trace.of_tournament else OF_LEAGUES if trace.of_league else {}


def _contest(match: Match) -> str:
    sides = match_line(match).sides
    return f"{words.versus(side.names for side in sides)}, {words.totals(side.points for side in sides)}"


def _said(name: str, text: str) -> str:
    if name == "minutes":
        return ngettext("{n} minute", "{n} minutes", int(text)).format(n=text)
    return str(SAID[name]).format(text)


def _who(trace: Trace) -> Promise | str:
    if trace.who:
        return trace.who
    match trace.kind:
        case AuditEntry.Kind.RESULT_UNDONE | AuditEntry.Kind.RESULT_CORRECTED:
            return who("", trace.table)
        case AuditEntry.Kind.PLAYER_DELETED:
            return _("the player")
    return _("the command line")


def _in_words(name: str, said: Said, did: Mapping[str, Promise | str]) -> str:
    """A list of them with commas. `did`: the words of steps."""
    value = said[name]
    if name == "options":
        return ", ".join(words.length_words(GAMES[str(said["game"])], json.loads(str(value)), None))
    chosen = did if name == "undid" else CHOSEN.get(name, {})
    values = value if isinstance(value, list) else [value]
    return ", ".join(dict.fromkeys(str(chosen.get(each, each)) for each in values))
