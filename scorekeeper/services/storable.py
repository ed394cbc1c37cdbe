"""What can be stored in both databases: plain JSON of reasonable size, and readable names."""

import unicodedata
from collections.abc import Mapping

from games import read
from games.errors import Malformed, marked
from games.read import LARGEST

DEEPEST = 20
LONGEST = 1000
NAME = 80


def value(sent: object, depth: int = 0) -> None:
    """Malformed unless `sent` consists of lists, objects, texts, whole numbers, true, false and null."""
    if depth > DEEPEST:
        raise Malformed(marked("This is nested too deeply to be an entry."))
    match sent:
        case None | bool():
            return
        case int() if abs(sent) < LARGEST:
            return
        case str():
            text(sent)
        case list() | tuple() if len(sent) <= LONGEST:
            for item in sent:
                value(item, depth + 1)
        case Mapping() if len(sent) <= LONGEST:
            for key, item in sent.items():
                value(key, depth + 1)
                with read.field(str(key)):
                    value(item, depth + 1)
        case float():
            raise Malformed(marked("{value} is not a whole number."), value=read.shown(sent))
        case _:
            raise Malformed(marked("Only texts, whole numbers, lists and objects of a reasonable size can be stored."))


def text(sent: object, *, longest: int = LONGEST) -> str:
    """The text; Malformed if it is not a text, is too long, or has characters that cannot be stored."""
    if not isinstance(sent, str) or len(sent) > longest:
        raise Malformed(marked("Expected a text of up to {longest} characters."), longest=longest)
    # Cc: control characters, including NUL; Cs: half a surrogate pair. No database stores all of them.
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in sent):
        raise Malformed(marked("This text has characters that cannot be written."))
    return sent


def note(sent: object) -> str:
    """A line that somebody typed, such as a reason or a place, without outer spaces. Malformed as a text."""
    if isinstance(sent, str) and len(sent) > read.REASON:
        raise Malformed(
            marked("A reason or a place can have up to {longest} characters. Shorten it."), longest=read.REASON
        )
    return text(sent, longest=read.REASON).strip()


def name(sent: object) -> str:
    """The name for storage: composed, without outer spaces. Malformed if it is then empty or too long."""
    kept = unicodedata.normalize("NFC", " ".join(text(sent, longest=4 * NAME).split()))
    if not 0 < len(kept) <= NAME:
        raise Malformed(marked("A name needs 1 to {longest} characters."), longest=NAME)
    return kept
