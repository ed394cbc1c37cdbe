"""Who may do what. Only this package decides it.

A visitor gets a 404 for what they may not know of, and a 403 with a code for what they may see but not do.

``actors`` finds who sends a request, ``roles`` what they are in the clubs, and ``gate`` lets them in to a club. The
others ask these for what a page is about: ``clubs``, ``people``, ``events``, ``tables``, ``matches`` and ``codes``.
``refusals`` has the words for those who may not do something.
"""

from scorekeeper.access.actors import (
    PASS_LIVES,
    PROGRAM,
    SESSION_KEY,
    SESSION_PHONE,
    Actor,
    actor_of,
    bearer_of,
    digest,
    is_known,
    remember,
)
from scorekeeper.access.clubs import club_for, club_numbered, job_for, season_for
from scorekeeper.access.codes import arrival_key, device_of, device_typed, must_have_arrival_key
from scorekeeper.access.events import event_for, events_for, night_for, tournament_for
from scorekeeper.access.matches import (
    is_past,
    match_for,
    matches_for,
    may_correct,
    may_record,
    must_decide,
    must_host,
    must_not_be_past,
    must_not_be_settled,
    must_speak_for,
    settled,
    sheet_for,
)
from scorekeeper.access.people import has_claimed, own_player_for, player_for, players_for, players_listed, two_for
from scorekeeper.access.refusals import Refusal
from scorekeeper.access.roles import (
    clubs_for,
    clubs_hosted,
    clubs_joined,
    clubs_listed,
    has_role,
    keeps_data,
    may_make_demo,
    may_start_club,
    must_keep_data,
    must_start_clubs,
    role_in,
)
from scorekeeper.access.tables import (
    caller_for,
    may_at,
    may_open_any_number,
    must_not_be_revoked,
    pad_for,
    table_for,
    table_must_be_open,
    why_put_out,
    without_pad_for,
)

__all__ = [
    "PASS_LIVES",
    "PROGRAM",
    "SESSION_KEY",
    "SESSION_PHONE",
    "Actor",
    "Refusal",
    "actor_of",
    "arrival_key",
    "bearer_of",
    "caller_for",
    "club_for",
    "club_numbered",
    "clubs_for",
    "clubs_hosted",
    "clubs_joined",
    "clubs_listed",
    "device_of",
    "device_typed",
    "digest",
    "event_for",
    "events_for",
    "has_claimed",
    "has_role",
    "is_known",
    "is_past",
    "job_for",
    "keeps_data",
    "match_for",
    "matches_for",
    "may_at",
    "may_correct",
    "may_make_demo",
    "may_open_any_number",
    "may_record",
    "may_start_club",
    "must_decide",
    "must_have_arrival_key",
    "must_host",
    "must_keep_data",
    "must_not_be_past",
    "must_not_be_revoked",
    "must_not_be_settled",
    "must_speak_for",
    "must_start_clubs",
    "night_for",
    "own_player_for",
    "pad_for",
    "player_for",
    "players_for",
    "players_listed",
    "remember",
    "role_in",
    "season_for",
    "settled",
    "sheet_for",
    "table_for",
    "table_must_be_open",
    "tournament_for",
    "two_for",
    "why_put_out",
    "without_pad_for",
]
