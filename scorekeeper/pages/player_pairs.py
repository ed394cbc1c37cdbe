"""With whom and against whom a player has played: a section of their page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.access import Actor, matches_for, players_for
from scorekeeper.forms.pairs import CompareForm
from scorekeeper.models import Player
from scorekeeper.names import alphabetical
from scorekeeper.selectors.pairs import played_with
from scorekeeper.standings.pairs import Meetings, Record, meetings, record

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

    @property
    def count(self) -> int:
        return len(self.first) + len(self.more)


@dataclass(frozen=True, kw_only=True)
class Compare:
    """The form in which somebody chooses with whom to compare a player."""

    compare: CompareForm
    of: Player
    people: Sequence[Player]
    """Whom the form suggests."""


@dataclass(frozen=True, kw_only=True)
class PlayerPairs(Compare):
    partners: PairTable
    opponents: PairTable


def player_pairs(actor: Actor, player: Player, *, edition: int) -> PlayerPairs:
    """For a player who was not merged with anybody. Only people whom the visitor may see have a row. Two queries, and
    two more for somebody who is signed in."""
    matches = matches_for(actor).filter(club=player.club_id)
    partners, opponents = meetings(player.pk, played_with(player.pk, matches, edition=edition))
    seen = seen_in_club(actor, player)
    return PlayerPairs(
        compare=CompareForm(),
        of=player,
        people=suggested(seen, player),
        partners=_table(partners, seen),
        opponents=_table(opponents, seen),
    )


def seen_in_club(actor: Actor, player: Player) -> dict[int, Player]:
    """The people of the player's club whom the visitor may see, by id, in the order of their names. One query."""
    people = players_for(actor).filter(club=player.club_id, merged_into=None)
    return {each.pk: each for each in sorted(people, key=lambda each: alphabetical(each.name))}


def suggested(seen: Mapping[int, Player], player: Player) -> list[Player]:
    """Those with whom to compare the player."""
    return [each for each in seen.values() if each.offered and each != player]


def _table(found: Meetings, seen: Mapping[int, Player]) -> PairTable:
    rows = [PairRow(player, record(found[pk])) for pk, player in seen.items() if pk in found]
    rows.sort(key=lambda row: -row.record.matches)
    return PairTable(rows[:AT_ONCE], rows[AT_ONCE:])
