"""Names of people: which are equal, which are nearly equal, and how to sort them."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import permutations

MOST_SLIPS = 2
DIFFERENT = MOST_SLIPS + 1
MOST_WORDS = 4
# Letters: a shorter word has no slips, because it would be another name. A name of one word needs one letter more.
SHORTEST = 4
LONG = 8  # such a word may have two slips


def folded(name: str) -> str:
    """Equal for names that differ only in capitals, in spaces, or in the Unicode form of their letters."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", " ".join(name.split())).casefold())


@lru_cache(10_000)  # lists of hundreds of names are sorted again and again
def alphabetical(name: str) -> tuple[str, str]:
    """The sort key of a name: accents and capitals count only between names that are otherwise equal."""
    letters = unicodedata.normalize("NFD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter)), name


def near(name: str, among: Iterable[str]) -> list[str]:
    """Those of the names, in their order, that a person who typed `name` may have meant: with one or two slips of the
    fingers, with or without accents, with first and last name swapped, or with initials. Not `name` itself."""
    same, words, letters = folded(name), _words(name), _letters(name)
    # A slip changes two letters at most, so most names are out at once, also in long lists.
    alike = (other for other in among if len(letters ^ (_letters(other) or letters)) <= 2 * MOST_SLIPS or not letters)
    return [other for other in alike if _fit(words, _words(other)) and folded(other) != same]


@lru_cache(10_000)
def _words(name: str) -> tuple[str, ...]:
    """Without accents, capitals and signs. Letters that no accent makes different, such as ø, stay."""
    letters = alphabetical(name)[0].replace("'", "").replace("’", "")
    return tuple("".join(letter if letter.isalnum() else " " for letter in letters).split())


@lru_cache(10_000)
def _letters(name: str) -> frozenset[str]:
    """The letters of the name; none if it has initials."""
    words = _words(name)
    return frozenset("".join(words)) if min(map(len, words), default=1) > 1 else frozenset()


def _fit(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    if "".join(one) == "".join(other) != "":
        return True
    if len(one) != len(other) or len(one) > MOST_WORDS:
        return False
    return any(_slips(one, order) <= MOST_SLIPS for order in permutations(other))


def _slips(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """The slips between names word by word; more than MOST_SLIPS for different names. An initial stands for a word, but
    not for all of them."""
    slips, whole = 0, False
    for word, meant in zip(one, other, strict=True):
        if 1 in (len(word), len(meant)):
            slips += 0 if word[0] == meant[0] else DIFFERENT
        else:
            slips += _slips_in(word, meant, alone=len(one) == 1)
            whole = True
        if slips > MOST_SLIPS:
            break
    return slips if whole else DIFFERENT


def _slips_in(word: str, meant: str, *, alone: bool) -> int:
    """The letters left out, typed in addition, typed wrong, or swapped with the next one. DIFFERENT if there are too
    many for words of this length, or if they make another name: Paula is not Paul, and table 2 is not table 3."""
    if word == meant:
        return 0
    longest = max(len(word), len(meant))
    if _stem(word) == _stem(meant) or _digits(word) != _digits(meant) or longest < SHORTEST + alone:
        return DIFFERENT
    most = 2 if longest >= LONG else 1
    while word[:1] == meant[:1]:
        word, meant = word[1:], meant[1:]
    while word[-1:] == meant[-1:]:
        word, meant = word[:-1], meant[:-1]
    slips = _distance(word, meant) if max(len(word), len(meant)) <= most + 2 else DIFFERENT
    # In a word of four letters, another letter mostly makes another name: John and Joan.
    wrong_letter = len(word) == len(meant) == 1 and longest <= SHORTEST
    return slips if slips <= most and not wrong_letter else DIFFERENT


def _distance(word: str, meant: str) -> int:
    """The number of letters to add, leave out, change, or swap with the next one."""
    if not word or not meant:
        return len(word) + len(meant)
    if word[0] == meant[0]:
        return _distance(word[1:], meant[1:])
    swapped = word[1::-1] == meant[:2] and len(word) > 1
    fewer = [(word[1:], meant), (word, meant[1:]), (word[1:], meant[1:])] + [(word[2:], meant[2:])] * swapped
    return 1 + min(_distance(*rest) for rest in fewer)


def _stem(word: str) -> str:
    return word.rstrip("aeiouy")


def _digits(word: str) -> list[str]:
    return [letter for letter in word if letter.isdigit()]
