"""With whom and against whom a player has played: a section of their page."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from scorekeeper.access import Actor, players_played
from scorekeeper.forms.pairs import CompareForm
from scorekeeper.models import Match, Player
from scorekeeper.names import alphabetical
from scorekeeper.selectors.pairs import played_with
from scorekeeper.selectors.ratings import Edition
from scorekeeper.standings.pairs import Meetings, Record, as_people, meetings, record

AT_ONCE = 10  # people in a table, until the visitor opens the rest


@dataclass(frozen=True, slots=True)
class PairRow:
    player: Player
    record: Record


@dataclass(frozen=True, slots=True)
class PairTable:
    """People, those with the most matches first."""

    first: Sequence[PairRow]
    more: Sequence[PairRow]


@dataclass(frozen=True, kw_only=True)
class Compare:
    """The form in which somebody chooses with whom to compare a player."""

    compare: CompareForm
    of: Player
    fitting: Sequence[Player]
    """Whom the typed name may mean, with their clubs."""
    more: bool
    """Whether it may mean more people than these."""


@dataclass(frozen=True, kw_only=True)
class PlayerPairs(Compare):
    partners: PairTable
    opponents: PairTable


def player_pairs(
    actor: Actor, player: Player, rows: Collection[int], matches: QuerySet[Match], *, edition: Edition
) -> PlayerPairs:
    """For a player who was not merged with anybody, in these matches. `rows`: the ids of the person in the clubs of the
    matches. Only people whom the visitor may see have a row, and somebody who is linked over clubs has one. Two
    queries."""
    played = played_with(rows, matches, edition=edition)
    seen = players_played(actor).filter(pk__in={each.player for each in played}).select_related("club")
    shown = one_each(sorted(seen, key=lambda each: each.pk), player)
    people = {pk: each.pk for each, numbers in shown for pk in numbers} | dict.fromkeys(rows, player.pk)
    partners, opponents = meetings(player.pk, as_people(played, people))
    known = [each for each, _numbers in shown]
    return PlayerPairs(
        compare=CompareForm(),
        of=player,
        fitting=(),
        more=False,
        partners=_table(partners, known),
        opponents=_table(opponents, known),
    )


def one_each(found: Iterable[Player], of: Player) -> list[tuple[Player, list[int]]]:
    """Each person among those found once, in their order, with their ids: as whom they play at the club of `of`, or
    else as who comes first."""
    persons: dict[int, list[Player]] = {}
    for each in found:
        persons.setdefault(each.person_id or each.pk, []).append(each)
    return [
        (next((each for each in same if each.club_id == of.club_id), same[0]), [each.pk for each in same])
        for same in persons.values()
    ]


def _table(found: Meetings, seen: Iterable[Player]) -> PairTable:
    rows = [PairRow(player, record(found[player.pk])) for player in seen if player.pk in found]
    rows.sort(key=lambda row: (-row.record.matches, alphabetical(row.player.name)))
    # A single row takes no more room than the words that would hide it.
    at_once = AT_ONCE if len(rows) > AT_ONCE + 1 else len(rows)
    return PairTable(rows[:at_once], rows[at_once:])
