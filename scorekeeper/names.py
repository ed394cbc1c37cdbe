"""Names of people: which are equal, and how to sort them."""

import unicodedata
from functools import lru_cache


def folded(name: str) -> str:
    """Equal for names that differ only in capitals, in spaces, or in the Unicode form of their letters."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", " ".join(name.split())).casefold())


@lru_cache(10_000)  # lists of hundreds of names are sorted again and again
def alphabetical(name: str) -> tuple[str, str]:
    """The sort key of a name: accents and capitals count only between names that are otherwise equal."""
    letters = unicodedata.normalize("NFD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter)), name
