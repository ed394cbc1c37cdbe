"""What Nestor tells somebody to do."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.moves import Claim, Contract, Discard, Draw, Follow, Move, Pass, PlaceCard, Play, Roll
from games.tiles import NAMES, mask, names
from scorekeeper import words


def advice(move: Move) -> str:
    """One sentence, or two if a total is to be claimed."""
    match move:
        case Play():
            laid = _("Lay {tile}.").format(tile=words.tile_words(move))
            return f"{laid} {_claim(move.claim)}" if move.claim else laid
        case Draw():
            return _("Draw a tile.")
        case Pass():
            return _("Pass.")
        case Roll(_, dice):
            return ngettext("Roll {n} die.", "Roll {n} dice.", len(dice)).format(n=len(dice))
        case Contract(_, contract, None):
            return _("Call {contract}.").format(contract=words.word(contract))
        case Contract(_, contract, trump):
            return _("Call {contract}, with trumps {trump}.").format(contract=words.word(contract), trump=trump)
        case Discard(_, _, tiles):
            return _("Exchange {tiles}.").format(tiles=", ".join(names(mask(tiles)))) if tiles else _("Keep all tiles.")
        case Follow(_, tile, None):
            return _("Play {tile}.").format(tile=NAMES[tile])
        case Follow(_, tile, suit):
            return _("Lead {tile} in the suit of {suit}.").format(tile=NAMES[tile], suit=suit)
        case PlaceCard(_, card, cell):
            return _("Put {card} in {at}.").format(card=words.card_words(card), at=words.cell_words(cell))


def _claim(claim: Claim) -> str:
    if claim.card is None:
        return _("Claim it as a multiple of the dice.")
    card = words.card_words(claim.card)
    if claim.by == "virtual":
        return _("Claim it with the virtual card of the four dice, and drop {card}.").format(card=card)
    return _("Claim it with {card}.").format(card=card)
