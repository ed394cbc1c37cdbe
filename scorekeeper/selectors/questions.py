"""What others have asked the hosts of a club."""

from dataclasses import dataclass

from django.db.models import Count, OuterRef, QuerySet, Subquery

from scorekeeper.models import Application, Club, Event, SamePerson
from scorekeeper.names import alphabetical


@dataclass(frozen=True, slots=True)
class Question:
    """Questions of one kind that wait for the hosts of a club."""

    club: Club
    event: Event | None
    """The tournament that people want to enter; None if other clubs ask whether two people are one."""
    number: int


def questions_to(clubs: QuerySet[Club]) -> list[Question]:
    """What the hosts of these clubs have not answered, by club. Two queries."""
    links = SamePerson.objects.filter(asked_of__club=OuterRef("pk"), agreed_at=None).order_by()
    asked = Subquery(links.values("asked_of__club").annotate(number=Count("pk")).values("number"))
    found = [Question(club, None, club.asked) for club in clubs.annotate(asked=asked).exclude(asked=None)]
    tournaments = Event.objects.filter(club__in=clubs.values("pk"), closed_at=None, removed=False)
    entering = tournaments.filter(applications__state=Application.State.WAITING).select_related("club")
    for event in entering.annotate(waiting=Count("applications")).order_by("pk"):
        found.append(Question(event.club, event, event.waiting))
    return sorted(found, key=lambda each: alphabetical(each.club.name))
