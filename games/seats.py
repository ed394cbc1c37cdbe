"""Entries about who sits where: wrong seats, and substitutes."""

from dataclasses import replace
from typing import Any

from games import read
from games.corrections import P
from games.errors import Code, Malformed, illegal, marked
from games.record import Substitute


def swap(match: P, content: dict[str, Any]) -> P:
    """Corrects wrong seats: the names move to other ``seats``, or these ``players`` sat there from the first hand.
    Everything played stays where it is."""
    how = "players" if "players" in content else "seats"
    read.keyed(content, required=(how,), optional=("why",))
    read.why(content)
    if how == "players":
        return _seated(match, tuple(map(read.text, read.listed(content["players"], len(match.players)))))
    there = range(len(match.players))
    old = [read.seat(seat, len(there)) for seat in read.listed(content["seats"], len(there))]
    if sorted(old) != [*there]:
        raise Malformed(marked("Name each seat once."))
    if old == [*there]:
        raise Malformed(marked("Everybody already sits there."))
    came = sorted(each._replace(seat=old.index(each.seat)) for each in match.substitutes)
    players = tuple(match.players[seat] for seat in old)
    return match.of(match.as_record()._replace(players=players, substitutes=tuple(came)))


def _seated(match: P, players: tuple[str, ...]) -> P:
    """With these players from the first hand. Whoever took over the seat in which they sit now did not take it over."""
    if players == match.players:
        raise Malformed(marked("Everybody already sits there."))
    after = replace(match, players=players, substitutes=())
    for each in match.substitutes:
        if after.seated(each.hand)[each.seat] != each.player:
            after = replace(after, substitutes=(*after.substitutes, each))
    for hand in (0, *(each.hand for each in after.substitutes)):
        names = after.seated(hand)
        if twice := [name for at, name in enumerate(names) if name in names[:at]]:
            raise Malformed(marked("{player} is already at this table."), player=read.shown(twice[0]))
    return match.of(match.as_record()._replace(players=players, substitutes=after.substitutes))


def substitute(match: P, content: dict[str, Any]) -> P:
    """Somebody takes over a seat, from the hand in play or from the next one.

    Illegal for a hand that is counted already: it belongs to the player who played it.
    """
    read.keyed(content, required=("seat", "player", "from"))
    seat, hand = read.seat(content["seat"], len(match.players)), read.whole(content["from"])
    player = read.text(content["player"])
    if match.finished:
        raise illegal(Code.MATCH_OVER, marked("This match is over."), len(match.hands))
    if hand > len(match.hands):
        raise Malformed(marked("There is no hand {hand}."), hand=hand + 1)
    if hand < len(match.hands) and match.hands[hand].outcome is not None:
        raise illegal(
            Code.HAND_OVER,
            marked("Hand {number} is already counted. A substitute can start in the hand in play or the next one."),
            hand,
            number=hand + 1,
        )
    # Other substitutes may already be entered for the next hand.
    others = {name for at in (hand, len(match.hands)) for other, name in enumerate(match.seated(at)) if other != seat}
    if player in others or player == match.seated(hand)[seat]:
        raise Malformed(marked("{player} is already at this table."), player=read.shown(player))
    without = match.without_substitute(hand, seat)
    back = player == without.seated(hand)[seat]
    came = () if back else (Substitute(hand, seat, player),)
    after = replace(match, substitutes=tuple(sorted((*without.substitutes, *came))))
    if match.last is None or hand == len(match.hands):
        return after
    return replace(after, hands=match.hands[:-1]).with_hand(match.last.record)
