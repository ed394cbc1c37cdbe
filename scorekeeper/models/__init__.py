"""What is stored. All times are aware and in UTC."""

from scorekeeper.models.call import Call
from scorekeeper.models.club import Club, Membership, OneTimeLink, Player, Role, User
from scorekeeper.models.event import Event
from scorekeeper.models.job import Job
from scorekeeper.models.match import LogEntry, Match, Seat, Substitute
from scorekeeper.models.night import Night, NightEntry
from scorekeeper.models.table import DeviceToken, Pad, Table

__all__ = [
    "Call",
    "Club",
    "DeviceToken",
    "Event",
    "Job",
    "LogEntry",
    "Match",
    "Membership",
    "Night",
    "NightEntry",
    "OneTimeLink",
    "Pad",
    "Player",
    "Role",
    "Seat",
    "Substitute",
    "Table",
    "User",
]
