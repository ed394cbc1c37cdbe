"""Names of people: when two are the same person's, and which comes first in a list."""

import unicodedata


def folded(name: str) -> str:
    """The name without what may be typed differently: capitals, spaces, how its letters are put together."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", " ".join(name.split())).casefold())


def alphabetical(name: str) -> tuple[str, str]:
    """What lists of names are sorted by: accents and capitals count between names that are else alike."""
    letters = unicodedata.normalize("NFD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter)), name
