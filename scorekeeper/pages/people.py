"""The pages of a club's people, for their hosts."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from scorekeeper.access import Actor, players_for
from scorekeeper.forms.people import FilterForm, LinkForm, PlayersForm
from scorekeeper.models import Club, Job, Match, Player, User
from scorekeeper.names import folded
from scorekeeper.pages import context
from scorekeeper.pages.members import LinkMade
from scorekeeper.selectors.clubs import players_named
from scorekeeper.selectors.jobs import deletion_of
from scorekeeper.selectors.people import Known, Person, known_about, people_found
from scorekeeper.selectors.persons import Link, claimant, links_of, questions_for
from scorekeeper.selectors.players import linked_with

AT_ONCE = 50


@dataclass(frozen=True, kw_only=True)
class PeoplePage:
    club: Club
    form: PlayersForm
    filter: FilterForm
    shown: Sequence[Person]
    count: int
    """How many people the filter finds."""
    guests: bool
    """Whether some of those shown are guests, who can become members."""
    earlier: str
    """The query of the page before; "" on the first page."""
    later: str
    """The query of the page after; "" on the last page."""
    questions: Sequence[Link]
    """What other clubs have asked."""


@dataclass(frozen=True, kw_only=True)
class PersonPage(Known):
    club: Club
    refusal: str
    together: Match | None
    """In which they sat with somebody with whom they should be merged."""
    name: str
    """As it was typed, else the present one."""
    namesake: Player | None
    """Who has the name that was typed for them."""
    other: str
    """With whom they are to be merged, as it was typed."""
    account: User | None
    """Who has claimed them."""
    link: LinkMade | None
    """A new link to claim them."""
    links: Sequence[Link]
    """Those with other clubs, and the questions about them."""
    elsewhere: Sequence[Player]
    """Who else is the same person at other clubs, because of an account or other links; with their clubs."""
    link_form: LinkForm
    job: Job | None
    """What deletes their name, if somebody asked for that."""
    going: bool
    """Whether it is not done yet."""
    copying: bool
    """Whether only copies of the database are left to make and to remove."""
    by_initials: bool
    """Whether the public reads initials instead of the name."""


@dataclass(frozen=True, slots=True)
class PrivacyPage:
    player: Player
    club: Club
    you: bool
    """Whether the player is the visitor; else a host of the club."""
    refusal: str = ""


def people_page(club: Club, form: PlayersForm, asked: FilterForm) -> PeoplePage:
    """Three queries, however many people; and one for each merge of those about whom other clubs have asked."""
    wanted = asked.cleaned_data if asked.is_valid() else {}
    text, which, page = wanted.get("q", ""), wanted.get("which", ""), wanted.get("page") or 1
    found = people_found(club, text, which)
    last = max(-(-len(found) // AT_ONCE), 1)
    page = min(page, last)
    kept = {name: value for name, value in (("q", text), ("which", which)) if value}
    shown = found[(page - 1) * AT_ONCE : page * AT_ONCE]
    return PeoplePage(
        club=club,
        form=form,
        filter=asked,
        shown=shown,
        count=len(found),
        guests=any(each.player.offered and each.player.guest for each in shown),
        earlier=urlencode({**kept, "page": page - 1}) if page > 1 else "",
        later=urlencode({**kept, "page": page + 1}) if page < last else "",
        questions=questions_for(club),
    )


def person_page(
    actor: Actor,
    club: Club,
    player: int,
    link_form: LinkForm,
    *,
    link: LinkMade | None = None,
    refusal: str = "",
    together: Match | None = None,
    name: str = "",
    other: str = "",
) -> PersonPage:
    """`name` and `other` as they were typed. Player.DoesNotExist for a person of another club. Twelve queries, the last
    two for the clubs of `link_form`, one for each merge of those with links, and one for somebody whose name was
    deleted, two if a name was typed."""
    known = known_about(club, player)
    links = links_of(known.player)
    others = players_for(actor).exclude(pk__in=[each.other.pk for each in links])
    job = deletion_of(known.player)
    namesake = players_named(club.pk, [name]).get(name) if name else None
    return PersonPage(
        **context(known),
        club=club,
        refusal=refusal,
        together=together,
        namesake=next((each for each in known.others if each == namesake), None),
        name=name or known.player.name,
        other=other,
        account=claimant(known.player),
        link=link,
        links=links,
        elsewhere=linked_with(known.player, others),
        link_form=link_form,
        job=job,
        going=job is not None and job.state in (Job.State.NEW, Job.State.RUNNING),
        copying=job is not None and "names" not in job.args,
        by_initials=folded(known.player.name) in club.initials,
    )
