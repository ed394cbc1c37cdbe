"""The prize money of a tournament: who gets how much, in words."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.utils.formats import number_format

from scorekeeper.forms.prizes import CENTS
from scorekeeper.selectors.tournament_results import TournamentResults
from scorekeeper.standings.prize_money import Ranked, shares


def prizes(results: TournamentResults) -> Mapping[int, Decimal]:
    """By start number what those get who get something, by the results so far; empty before the first one. Who came to
    too few tables gets nothing. No query."""
    fund = results.state.setup["fund"]
    if not fund or not results.begun:
        return {}
    rows = [row for row in results.places if not row.out]
    paid = shares(fund["amounts"], list(map(Ranked.of, rows)), fund["sharing"])
    unit = Decimal(1) / CENTS if fund["cents"] else Decimal(1)
    return {row.entrant: amount * unit for row, amount in zip(rows, paid, strict=True) if amount}


def prize_words(results: TournamentResults) -> Mapping[int, str]:
    """The same in words, like “12.50 €”."""
    fund = results.state.setup["fund"]
    return {entrant: _words(amount, fund) for entrant, amount in prizes(results).items()}


def _words(amount: Decimal, fund: Mapping[str, Any]) -> str:
    text: str = number_format(amount, 2 if fund["cents"] else 0)
    return f"{text}\N{NO-BREAK SPACE}{fund['unit']}" if fund["unit"] else text
