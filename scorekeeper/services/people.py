"""The people of a club: whom a typed name means, who is the same person, who is hidden, who has left."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from django.db.models import F, Q
from django.utils.translation import gettext as _

from games.errors import Malformed
from scorekeeper.models import AuditEntry, Club, Entrant, Event, Player, RatingLine, User
from scorekeeper.names import folded, near
from scorekeeper.selectors.clubs import known_names, never_played, players_named, same_people
from scorekeeper.selectors.people import Question, matches_of
from scorekeeper.selectors.persons import persons_of
from scorekeeper.selectors.players import linked_with
from scorekeeper.services import claims, clubs, initials, persons, ratings, results, storable
from scorekeeper.services.audit import WHAT, note
from scorekeeper.services.changes import announce, in_one_transaction
from scorekeeper.services.errors import PlayedTogether, Refused

Field = Literal["guest", "hidden", "initials", "left"]
KINDS: Mapping[tuple[Field, bool], AuditEntry.Kind] = {
    ("guest", True): AuditEntry.Kind.PLAYER_GUEST,
    ("guest", False): AuditEntry.Kind.PLAYER_MEMBER,
    ("hidden", True): AuditEntry.Kind.PLAYER_HIDDEN,
    ("hidden", False): AuditEntry.Kind.PLAYER_SHOWN,
    ("initials", True): AuditEntry.Kind.PLAYER_INITIALS,
    ("initials", False): AuditEntry.Kind.PLAYER_NAMED,
    ("left", True): AuditEntry.Kind.PLAYER_LEFT,
    ("left", False): AuditEntry.Kind.PLAYER_BACK,
}


@dataclass(frozen=True, slots=True)
class Typist:
    """Somebody who types names and can be asked whom they mean. Programs and files cannot: their names count."""

    host: bool
    """Whether they may know of people who are in no public list."""
    answers: Mapping[str, int | str | None] = field(default_factory=dict)
    """By name as `names.folded` has it: the id of the person whom they mean; None for a new person; for one who is in
    the list twice, how the name is spelt."""
    back: bool = False
    """Whether they were asked and go back to what they typed: then nothing is saved, and every door shows its form."""

    def go_on(self) -> None:
        """Refused "went-back" if they go back."""
        if self.back:
            raise Refused("went-back", _("Nothing is saved yet. Change what you typed, then go on."))


class Unsure(Exception):
    """Nothing is saved before whoever typed these names says whom they mean. No refusal: every door asks alike."""

    def __init__(self, questions: Sequence[Question]) -> None:
        super().__init__(", ".join(each.name for each in questions))
        self.questions = questions


@in_one_transaction
def named(
    club: Club, names: Sequence[str], *, typist: Typist | None, now: datetime, apart: bool = False
) -> list[Player]:
    """The person for each name, which `storable.name` has cleaned: who has or had this name in the club, else whom the
    typist means, else a new guest. All typed names become people here. `apart`: whether these are surely different
    people, because they sit at one table.

    Unsure if a name is new but nearly that of somebody, or of another new one, and the typist has not answered.
    """
    there = meant(club, names, typist=typist, apart=apart)
    if any(player.pk is None for player in there.values()):
        # So that two writers add a name once: the second one finds the guest of the first one.
        Club.objects.select_for_update(no_key=True).only("pk").get(pk=club.pk)
        there = meant(club, names, typist=typist, apart=apart)
    new = {player.name: player for player in there.values() if player.pk is None}
    if new:
        Player.objects.bulk_create(new.values())
        announce(kind="players", club_id=club.pk, now=now)
    return [there[name] for name in names]


def meant(club: Club, names: Sequence[str], *, typist: Typist | None, apart: bool = False) -> dict[str, Player]:
    """The person whom each name means, by name. Who is new is not saved, and a guest. Unsure as in `named`."""
    if typist:
        typist.go_on()
    there = players_named(club.pk, names)
    new: dict[str, str] = {}
    for name in names:
        if name not in there:
            new.setdefault(folded(name), name)
    known = _asked_about(club, there.values(), typist) if typist and new else {}
    answers = typist.answers if typist else {}
    found: dict[str, Player] = {}
    sure: list[str] = []  # who is new, whatever is answered
    questions = []
    for same, name in new.items():
        people = tuple(dict.fromkeys(known[other] for other in near(name, known)))
        spellings = tuple(near(name, sure)) if typist and not apart else ()
        answer = answers.get(same, 0)
        if chosen := [each for each in people if each.pk == answer]:
            found[same] = chosen[0]
            continue
        if isinstance(answer, str) and spellings and answer in (name, *spellings):
            one = found[same] = found[folded(answer if answer in spellings else spellings[0])]
            one.name = answer
        else:
            found[same] = Player(club=club, name=name, guest=True)
            if answer is not None and (people or spellings):
                questions.append(Question(name, people, spellings))
        if answer is None or not people:
            sure.append(name)
    if questions:
        raise Unsure(questions)
    return {name: there.get(name) or found[folded(name)] for name in names}


def chosen(club: Club, names: Sequence[str], typist: Typist) -> dict[str, str]:
    """By typed name: the name of the person whom the typist has chosen for it. Two queries; none without answers."""
    known = _asked_about(club, (), typist) if typist.answers else {}
    by_id = {player.pk: player.name for player in known.values()}
    answers = {name: typist.answers.get(folded(name)) for name in names}
    return {name: by_id[answer] for name, answer in answers.items() if isinstance(answer, int) and answer in by_id}


def _asked_about(club: Club, there: Collection[Player], typist: Typist) -> dict[str, Player]:
    """By name, former names too: the people whom the typist may mean by a new name. Those who are `there` are not."""
    return {
        name: player
        for name, player in known_names(club.pk)
        if (typist.host or (player.offered and not player.hidden and not player.initials)) and player not in there
    }


@dataclass(frozen=True, slots=True)
class Added:
    """The effect of adding people by name."""

    number: int
    """How many are new."""
    there: list[str]
    """The names of those whom the club had already."""
    wrong: dict[str, Malformed]
    """The texts that are no names."""


@in_one_transaction
def add(
    *, club: Club, names: Sequence[str], guest: bool, typist: Typist, now: datetime, by: User | None = None
) -> Added:
    """Adds people by name. Unsure as `named`."""
    kept: list[str] = []
    wrong: dict[str, Malformed] = {}
    for typed in names:
        try:
            kept.append(storable.name(typed))
        except Malformed as error:
            wrong[typed] = error
    wanted = {player.name: player.pk is None for player in meant(club, kept, typist=typist).values()}
    for name in (name for name, new in wanted.items() if new):
        clubs.player_add(club=club, name=name, guest=guest, now=now, by=by)
    return Added(sum(wanted.values()), [name for name, new in wanted.items() if not new], wrong)


# --- the same person -----------------------------------------------------------------------------------------
@in_one_transaction
def merge(*, club: Club, player_id: int, into_id: int, now: datetime, by: User | None = None) -> Player:
    """Two people are one: what the first one played counts for the second one, whom both names find. Seats stay as they
    were written, so `separate` restores everything.

    An account that has claimed one of them has both. Refused as `mergeable`, and "two-in-a-club" as `persons.settle`.
    Player.DoesNotExist for a person of another club.
    """
    player, into = mergeable(club=club, player_id=player_id, into_id=into_id)
    same = same_people(club.pk, player.pk)
    player.merged_into = into
    player.save(update_fields=["merged_into"])
    _count_as(same, into, "merged", (player, into), now)
    persons.settle([into.pk], by=by, now=now)
    _done(player, AuditEntry.Kind.PLAYER_MERGED, by, now, f"{player.name} → {into.name}")
    return into


@in_one_transaction
def mergeable(*, club: Club, player_id: int, into_id: int) -> tuple[Player, Player]:
    """The two people, locked, if they can be one. Refused "merged-already", "same-person", "nestor",
    "played-together", "two-accounts", and "plays-now" while one of them takes part in an open match or event.
    Player.DoesNotExist for a person of another club."""
    player, into = _locked(club, player_id, into_id)
    for each in (player, into):
        _must_be_apart(each)
    if player == into:
        raise Refused("same-person", _("That is the same person. Choose somebody else to merge them with."))
    if player.program or into.program:
        raise Refused("nestor", _("Nestor is the computer player, so he is nobody else."))
    same, others = (same_people(club.pk, each.pk) for each in (player, into))
    together = matches_of(same).filter(pk__in=matches_of(others).values("pk")).order_by("-created_at").first()
    if together:
        text = _(
            "{name} and {other} sat in the same match, so they are two people. If a wrong name was written there,"
            " say on its page who played. Then merge them."
        )
        raise PlayedTogether(text.format(name=player.name, other=into.name), match=together)
    if User.objects.filter(players__in=same | others).distinct().count() > 1:
        text = _("{name} and {other} are claimed by two accounts. If they are one person, end one of the claims first.")
        raise Refused("two-accounts", text.format(name=player.name, other=into.name))
    for each, group in ((player, same), (into, others)):
        if _plays_now(group):
            text = _("{name} takes part in an open event or match. Merge them when it is over.")
            raise Refused("plays-now", text.format(name=each.name))
    return player, into


@in_one_transaction
def separate(*, club: Club, player_id: int, now: datetime, by: User | None = None) -> Player:
    """Takes a merge back: each gets back what they played, their account and their links. Refused "not-merged", and
    "linked-both" if both would still be the same person as somebody of another club. Player.DoesNotExist for a person
    of another club."""
    [player] = _locked(club, player_id)
    other, player.merged_into = player.merged_into, None
    if other is None:
        raise Refused("not-merged", _("{name} is not merged with anybody.").format(name=player.name))
    player.save(update_fields=["merged_into"])
    _count_as(same_people(club.pk, player.pk), player, "separated", (player, other), now)
    try:
        persons.settle([player.pk, other.pk], by=by, now=now)
    except Refused as error:
        text = _(
            "{name} and {other} are both linked with the same person of another club. End one of these links first."
        )
        raise Refused("linked-both", text.format(name=player.name, other=other.name)) from error
    _done(player, AuditEntry.Kind.PLAYER_SEPARATED, by, now, f"{player.name}, {other.name}")
    return player


# --- their names, and what they are in the club --------------------------------------------------------------
@in_one_transaction
def forget_name(*, club: Club, player_id: int, name_id: int, now: datetime, by: User | None = None) -> None:
    """A former name no longer finds the player, so that somebody else can have it. FormerName.DoesNotExist for a name
    of somebody else."""
    [player] = _locked(club, player_id)
    former = player.former_names.get(pk=name_id)
    former.delete()
    _done(player, AuditEntry.Kind.NAME_FORGOTTEN, by, now, f"{former.name} ({player.name})")


@in_one_transaction
def set_state(
    *, club: Club, player_id: int, field: Field, value: bool, now: datetime, by: User | None = None
) -> Player:
    """Makes a player a guest or a member, hides or shows them, shows the public their initials or their whole name,
    notes that they have left or are back. Player.DoesNotExist for a person of another club."""
    [player] = _locked(club, player_id)
    if getattr(player, field) != value:
        setattr(player, field, value)
        player.save(update_fields=[field])
        _done(player, KINDS[field, value], by, now, player.name)
        if field in ("hidden", "initials"):
            initials.follow({row.club_id for person in persons_of([player.pk]) for row in person}, now=now)
    return player


@in_one_transaction
def make_members(*, club: Club, players: Collection[int], now: datetime, by: User | None = None) -> list[Player]:
    """Makes guests members. Those who were guests. Player.DoesNotExist for a person of another club."""
    found = _locked(club, *players)
    return [
        set_state(club=club, player_id=each.pk, field="guest", value=False, now=now, by=by)
        for each in found
        if each.guest
    ]


@in_one_transaction
def remove(*, club: Club, player_id: int, now: datetime, by: User | None = None) -> Player:
    """Removes somebody who never played. Refused "has-played" if a match, an event or another person needs them: then
    they can only be marked as left; "merged-already". Player.DoesNotExist for a person of another club."""
    [player] = _locked(club, player_id)
    _must_be_apart(player)
    if not never_played(player):
        text = _("{name} has played, so the results need them. Mark them as left, or hide them.")
        raise Refused("has-played", text.format(name=player.name))
    if player.user:
        claims.release(player_id=player.pk, by=by, now=now)
    linked = [each.pk for each in linked_with(player, Player.objects.all())]
    # Until their ratings are calculated again, everybody else's matches count for themselves.
    RatingLine.objects.filter(person=player).update(person=F("player"))
    _done(player, AuditEntry.Kind.PLAYER_REMOVED, by, now, player.name)
    player.delete()
    initials.follow([club.pk], now=now)
    persons.settle(linked, by=by, now=now)
    return player


def _must_be_apart(player: Player) -> None:
    if player.merged_into:
        text = _("{name} is merged with {other} already. Separate them first.")
        raise Refused("merged-already", text.format(name=player.name, other=player.merged_into.name))


def away(*, club: Club, player_id: int) -> list[Player]:
    """A person and everybody who was merged with them, the person first, locked. Refused "plays-now" while they take
    part in an open match or event. Player.DoesNotExist for a person of another club."""
    [player] = _locked(club, player_id)
    same = same_people(club.pk, player.pk)
    if _plays_now(same):
        text = _("{name} takes part in an open event or match. Delete the name when it is over.")
        raise Refused("plays-now", text.format(name=player.name))
    return [player, *club.players.filter(pk__in=same - {player.pk}).order_by("pk")]


def _locked(club: Club, *players: int) -> list[Player]:
    """The players, locked together with everything that decides for whom a match counts: their matches, then the club,
    as every writer locks them. Player.DoesNotExist for a person of another club."""
    everybody = {pk for player in players for pk in same_people(club.pk, player)}
    list(matches_of(everybody).select_for_update(no_key=True).order_by("pk").values_list("pk"))
    Club.objects.select_for_update(no_key=True).only("pk").get(pk=club.pk)
    found = club.players.select_related("merged_into")
    return [found.get(pk=player) for player in players]


def _count_as(people: Collection[int], player: Player, kind: str, both: tuple[Player, Player], now: datetime) -> None:
    """What these people played counts for the player, also on the pages of their events: `both` were merged or
    separated, which is the `kind` of cause for other ratings."""
    results.count_as(people, player.pk)
    why = ratings.Cause(kind, player.club_id, players=[each.pk for each in both])
    ratings.recalculate(matches_of(people), why=why, now=now)
    for event in Event.objects.filter(matches__in=matches_of(people)).distinct().order_by("pk"):
        announce(kind="players", club_id=player.club_id, event=event, now=now)


def _plays_now(people: Collection[int]) -> bool:
    """Whether one of them sits in an open match, or takes part in an open event."""
    open_matches = matches_of(people).filter(Q(finished_at=None) | Q(event__isnull=False, event__closed_at=None))
    return Entrant.objects.filter(player__in=people, event__closed_at=None).exists() or open_matches.exists()


def _done(player: Player, kind: AuditEntry.Kind, by: User | None, now: datetime, what: str) -> None:
    note(club=player.club, kind=kind, by=by, now=now, what=what[:WHAT])
    announce(kind="players", club_id=player.club_id, now=now)
