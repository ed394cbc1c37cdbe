"""What the next page says at its top after a step that was taken."""

from collections.abc import Iterator, Mapping, Sequence

from django.contrib.messages import ERROR, INFO, SUCCESS, WARNING
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper import words

Notice = tuple[int, str]  # its level, and its words


def people_ticked(
    *, typed: Sequence[str], came: Sequence[str], there: Sequence[str], left: Sequence[str]
) -> Iterator[Notice]:
    """`typed`: names of guests; of everybody by name: who came, who was here already, who left during a match."""
    if typed and came:
        yield SUCCESS, _("{names} came.").format(names=words.together(came))
    if there:
        yield INFO, _("Already here: {names}.").format(names=words.together(there))
    if left:
        text = _("{names} left during a match. Somebody can take over the seat, or the match can end there.")
        yield WARNING, text.format(names=words.together(left))


def finals_begun() -> Notice:
    return SUCCESS, _("The finals begin. Look at Setup if they are played otherwise, then draw the next round.")


def way_changed() -> Notice:
    return SUCCESS, _("Saved. Applies from the next draw.")


def drawn() -> Notice:
    return SUCCESS, _("There is a new draw.")


def night_started(playing: Sequence[int]) -> Iterator[Notice]:
    """`playing`: the numbers of tables with a match that began before the night, and may have been forgotten."""
    if playing:
        text = ngettext(
            "A match is still in play at table {numbers}. Its players join the draw when it ends.",
            "Matches are still in play at tables {numbers}. Their players join the draw when they end.",
            len(playing),
        )
        yield WARNING, text.format(numbers=", ".join(map(str, playing)))


def night_closed(uncounted: Sequence[int]) -> Iterator[Notice]:
    """`uncounted`: the numbers of tables whose score should count, but where no hand was finished."""
    if uncounted:
        text = ngettext(
            "No hand was finished at table {numbers}, so the match there was abandoned.",
            "No hand was finished at tables {numbers}, so the matches there were abandoned.",
            len(uncounted),
        )
        yield WARNING, text.format(numbers=", ".join(map(str, uncounted)))


def undone(effective: bool | None, said: str) -> Iterator[Notice]:
    """`effective` as of `events.undo`; `said`: what it did."""
    if effective:
        yield SUCCESS, said
    elif effective is False:
        text = _(
            "Nothing changed at the tables: what this step did there was taken back before, or is over. Only the step"
            " is gone. Press Undo again for the step before it."
        )
        yield WARNING, text


def options_saved() -> Notice:
    return SUCCESS, _("Saved. It applies to tables that are not seated yet.")


def players_added(number: int, there: Sequence[str]) -> Iterator[Notice]:
    """`there`: names that the club had already."""
    yield SUCCESS, ngettext("{n} player added.", "{n} players added.", number).format(n=number)
    if there:
        yield INFO, _("Already here: {names}.").format(names=", ".join(there))


def members_made(names: Sequence[str]) -> Notice:
    if not names:
        return INFO, _("Tick the guests who become members.")
    return SUCCESS, ngettext("Now a member: {names}.", "Now members: {names}.", len(names)).format(
        names=words.together(names)
    )


def merged(name: str, into: str) -> Notice:
    text = _("{name} is merged with {other}: the matches of both count for {other}, and both names find that person.")
    return SUCCESS, text.format(name=name, other=into)


def separated(name: str) -> Notice:
    return SUCCESS, _("{name} is separate again, with everything that they played.").format(name=name)


def name_deleted() -> Notice:
    return SUCCESS, _("Your name is gone from this club. Where it is written in old matches, it goes within moments.")


def removed(name: str) -> Notice:
    return SUCCESS, _("{name} is removed from the club.").format(name=name)


def claimed(name: str) -> Notice:
    return SUCCESS, _("You are {name}: this is your page now.").format(name=name)


def own_already(name: str) -> Notice:
    return INFO, _("You are {name} already: this is your page.").format(name=name)


def released(name: str) -> Notice:
    return SUCCESS, _("The claim has ended. No account has {name} now.").format(name=name)


def linked(name: str, other: str, club: str) -> Notice:
    """`other` is the name in the other club, `club`."""
    text = _("Linked: {name} and {other} of {club} count as one person.")
    return SUCCESS, text.format(name=name, other=other, club=club)


def link_asked(club: str) -> Notice:
    return SUCCESS, _("Asked. When a host of {club} agrees, both count as one person.").format(club=club)


def link_ended() -> Notice:
    return SUCCESS, _("Ended. The two count as two people.")


def entrant_described(name: str) -> Notice:
    return SUCCESS, _("{name}: saved.").format(name=name)


def entrant_replaced(number: int, now: str, before: str) -> Notice:
    text = _("Number {n} is {name} now, instead of {before}.")
    return SUCCESS, text.format(n=number, name=now, before=before)


def entrant_removed(name: str) -> Notice:
    return SUCCESS, _("{name} is taken out. Undo on the desk puts them back.").format(name=name)


def category_saved(name: str, entrants: int) -> Notice:
    text = _("{name}: saved.") if entrants else _("{name}: saved. Nobody is in it, so pages and papers leave it out.")
    return SUCCESS, text.format(name=name)


def category_removed() -> Notice:
    return SUCCESS, _("The category is removed. Undo on the desk brings it back.")


def table_added(number: int) -> Notice:
    return SUCCESS, _("Table {number} added.").format(number=number)


def table_closed(number: int) -> Notice:
    text = _("Table {number} closed. Its QR code works again when you open it.")
    return SUCCESS, text.format(number=number)


def table_opened(number: int) -> Notice:
    return SUCCESS, _("Table {number} opened.").format(number=number)


def code_revoked() -> Notice:
    return SUCCESS, _("QR code revoked. Its phones can no longer record.")


def codes_revoked(number: int) -> Notice:
    text = _("All QR codes of table {number} revoked. Print a new one for the next phone.")
    return SUCCESS, text.format(number=number)


def codes_renewed(number: int) -> Notice:
    """`number`: of tables."""
    text = ngettext(
        "This code is new. The old one no longer works: replace it on the table.",
        "These codes are new. The old ones no longer work: replace them on all tables.",
        number,
    )
    return SUCCESS, text


def phone_revoked() -> Notice:
    return SUCCESS, _("Phone revoked. It can no longer record at this table.")


def seats_corrected(also_at: Mapping[str, int]) -> Iterator[Notice]:
    """`also_at`: who now plays at two tables, and the number of the other one."""
    yield SUCCESS, _("Seats corrected.")
    for name, table in also_at.items():
        text = _("{player} is also recorded at table {number}. If they do not sit there, correct the seats there, too.")
        yield INFO, text.format(player=name, number=table)


def match_closed() -> Notice:
    return ERROR, _("Everybody has confirmed this match. A host can reopen it.")


def match_removed() -> Notice:
    return SUCCESS, _("Match removed. It counts nowhere now. You can restore it here.")


def match_restored() -> Notice:
    return SUCCESS, _("Match restored. It counts again.")


def sheet_saved(saved: str, *, before_the_night: bool, guests: str) -> Iterator[Notice]:
    """`saved`: the score in words; `guests`: the new guests in words, if there are any."""
    yield SUCCESS, saved
    if before_the_night:
        yield INFO, _("Played before the event began: saved with the club's matches, not with the event.")
    if guests:
        yield INFO, guests


def password_changed() -> Notice:
    return SUCCESS, _("Your password is changed. You are signed out on all other browsers.")


def address_to_confirm(address: str) -> Notice:
    return SUCCESS, _("A mail is on its way to {address}. Open the link in it.").format(address=address)


def address_confirmed(address: str) -> Notice:
    return SUCCESS, _("Your address is confirmed: {address}.").format(address=address)


def address_removed() -> Notice:
    return SUCCESS, _("Your address is removed.")


def signed_out_there() -> Notice:
    return SUCCESS, _("That browser is signed out.")


def program_revoked() -> Notice:
    return SUCCESS, _("The token is revoked. The program can no longer use it.")


def settings_saved() -> Notice:
    return SUCCESS, _("Saved.")


def rating_rules_chosen() -> Notice:
    return SUCCESS, _("The rules are saved.")


def season_removed(name: str) -> Notice:
    return SUCCESS, _("The season {name} is removed. Its nights and tournaments stay.").format(name=name)


def role_set() -> Notice:
    return SUCCESS, _("The role is changed.")


def member_removed(name: str) -> Notice:
    return SUCCESS, _("{name} is no longer a member.").format(name=name)


def joined(club: str) -> Notice:
    return SUCCESS, _("Welcome to {club}.").format(club=club)
