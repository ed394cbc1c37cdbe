"""What is stored. All times are aware and in UTC."""

from scorekeeper.models.audit import AuditEntry
from scorekeeper.models.call import Call
from scorekeeper.models.change import Change
from scorekeeper.models.club import (
    Club,
    FormerName,
    Membership,
    OneTimeLink,
    Player,
    ProgramToken,
    Role,
    SamePerson,
    SignIn,
    User,
)
from scorekeeper.models.entering import Application, Arrival
from scorekeeper.models.event import Entrant, Event, EventEntry
from scorekeeper.models.job import Heartbeat, Job
from scorekeeper.models.match import LogEntry, Match, Seat, Substitute
from scorekeeper.models.outlook import Outlook
from scorekeeper.models.rating import RatingBook, RatingDue, RatingLine, RatingNews, RatingRules
from scorekeeper.models.result import SeatResult
from scorekeeper.models.review import Review
from scorekeeper.models.season import Season
from scorekeeper.models.table import DeviceToken, Pad, Table
from scorekeeper.models.team import CaptainLink, LineUp

__all__ = [
    "Application",
    "Arrival",
    "AuditEntry",
    "Call",
    "CaptainLink",
    "Change",
    "Club",
    "DeviceToken",
    "Entrant",
    "Event",
    "EventEntry",
    "FormerName",
    "Heartbeat",
    "Job",
    "LineUp",
    "LogEntry",
    "Match",
    "Membership",
    "OneTimeLink",
    "Outlook",
    "Pad",
    "Player",
    "ProgramToken",
    "RatingBook",
    "RatingDue",
    "RatingLine",
    "RatingNews",
    "RatingRules",
    "Review",
    "Role",
    "SamePerson",
    "Season",
    "Seat",
    "SeatResult",
    "SignIn",
    "Substitute",
    "Table",
    "User",
]
