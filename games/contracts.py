"""The contracts of Domizerka, with their trumps, suits, quotas and the value of a trick."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from games import read
from games.base import Opening
from games.errors import Code, Illegal, marked
from games.tiles import COUNT, HALVES, PIPS, SUIT, is_double

SEATS = 3


@dataclass(frozen=True)
class ContractRules:
    """The rules of a deal with this contract and this trump number."""

    contract: str
    trump: int | None
    special: int | None
    """The number whose tiles belong to its suit only, not to that of their other half."""
    quotas: tuple[int, ...] = (4, 2, 1)
    """The tricks due from the left of the dealer, the next seat and the dealer."""
    trick: int = 1
    """The points of each trick above the quota; each trick below it counts the opposite."""

    @cached_property
    def suits(self) -> tuple[int, ...]:
        """The mask of the tiles of each suit, by number."""
        special = 0 if self.special is None else SUIT[self.special]
        return tuple(SUIT[n] if n == self.special else SUIT[n] & ~special for n in HALVES)

    @cached_property
    def suits_of(self) -> tuple[tuple[int, ...], ...]:
        """The suits of each tile, the higher number first."""
        return tuple(tuple(n for n in reversed(HALVES) if self.suits[n] >> tile & 1) for tile in range(COUNT))

    def strength(self, tile: int, led: int) -> int:
        """The rank of a tile in a trick, a higher number for a better tile: trumps, then the suit led, then others."""
        for least, suit in ((8, self.trump), (0, led)):
            if suit in self.suits_of[tile]:
                return least + (7 if is_double(tile) else PIPS[tile] - suit)
        return -1


CONTRACT_RULES: Mapping[tuple[str, int | None], ContractRules] = {
    **{("evens", trump): ContractRules("evens", trump, trump) for trump in (2, 4, 6)},
    **{("odds", trump): ContractRules("odds", trump, trump) for trump in (1, 3, 5)},
    ("zero", None): ContractRules("zero", None, 0),
    ("domizerka", None): ContractRules("domizerka", None, None, quotas=(1, 2, 4), trick=-1),
}
"""By contract and trump number (None for a contract without trumps)."""
CONTRACTS = tuple(dict.fromkeys(contract for contract, _ in CONTRACT_RULES))
DEALS = SEATS * len(CONTRACTS)
TRICKS = 7
"""In each deal."""


def trumps(contract: str) -> list[int]:
    """The possible trump numbers of this contract."""
    return [trump for name, trump in CONTRACT_RULES if name == contract and trump is not None]


def extreme_totals() -> tuple[int, int]:
    """The worst and the best total of a player in a match: each contract once in each place, all tricks or none."""
    once = {rules.contract: rules for rules in CONTRACT_RULES.values()}
    deals = [
        [rules.trick * (tricks - quota) for tricks in (0, TRICKS)] for rules in once.values() for quota in rules.quotas
    ]
    return sum(map(min, deals)), sum(map(max, deals))


def around(dealer: int) -> tuple[int, ...]:
    """The seats clockwise from the dealer's left (who calls the contract and leads) to the dealer."""
    return tuple((dealer + n) % SEATS for n in range(1, SEATS + 1))


def used(opening: Opening) -> tuple[int, ...]:
    """The contracts that each seat has called before this deal, as a mask of positions in ``CONTRACTS``."""
    return opening.previous.outcome.carried if opening.previous else (0,) * SEATS


def rules_of(opening: Opening, contract: str, trump: int | None, at: int | None) -> ContractRules:
    """The rules of this contract and trump number. Illegal, in move ``at``, if the caller cannot choose them."""
    caller = around(opening.opener)[0]
    if contract not in CONTRACTS:
        raise opening.error(
            Illegal,
            Code.BAD_CONTRACT,
            marked("{contract} is not a contract."),
            at,
            contract=read.shown(contract),
        )
    if used(opening)[caller] >> CONTRACTS.index(contract) & 1:
        raise opening.error(
            Illegal,
            Code.CONTRACT_USED,
            marked("{player} has already called {contract}."),
            at,
            player=opening.players[caller],
            contract=contract,
        )
    if (contract, trump) not in CONTRACT_RULES:
        choices = trumps(contract)
        raise opening.error(
            Illegal,
            Code.BAD_TRUMP,
            marked("Trumps for {contract} must be one of: {trumps}.")
            if choices
            else marked("There are no trumps in {contract}."),
            at,
            contract=contract,
            trumps=", ".join(map(str, choices)),
        )
    return CONTRACT_RULES[contract, trump]
