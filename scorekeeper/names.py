"""Names: which are equal, nearly equal, or free, which fit what somebody looks for, by which keys an index finds them,
and how to sort them."""

import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations, count, pairwise, permutations
from typing import Any
from zlib import crc32

MOST_SLIPS = 2
DIFFERENT = MOST_SLIPS + 1
MOST_WORDS = 4
# Letters: a shorter word has no slips, because it would be another name.
SHORTEST = 4
ALONE = 5  # in a name of one word
LAST = 2  # in a last name after a first name that is right
LONG = 8  # such a word may have two slips
# How well a word of a name fits a typed one, the best first.
SAME, BEGINS, INSIDE, NEARLY = range(4)
# Of so many letters at an end of a word, a slip leaves all but one in their order.
ENDS = 4
Clause = tuple[frozenset[str], tuple[frozenset[str], ...]]
"""All keys of the first set, or one of each of the other sets."""
# The keys of stored JSON: of names of people, of what somebody wrote, and of what has no names in it.
NAMED = frozenset({"by", "names", "guests", "player", "players"})
WRITTEN = frozenset({"name", "reason", "why"})
NAMELESS = frozenset({"hands", "options"})


def folded(name: str) -> str:
    """Equal for names that differ only in capitals, in spaces, or in the Unicode form of their letters."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", " ".join(name.split())).casefold())


@lru_cache(10_000)  # lists of hundreds of names are sorted again and again
def alphabetical(name: str) -> tuple[str, str]:
    """The sort key of a name: accents and capitals count only between names that are otherwise equal."""
    letters = unicodedata.normalize("NFD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter)), name


def free(name: str, taken: Collection[str]) -> str:
    """The name, with a number if it is taken."""
    numbered = (f"{name} {number}" for number in count(2))
    return next(each for each in chain([name], numbered) if each not in taken)


def initials(name: str) -> str:
    """The first letter of each word: A. B. for Ana Blum."""
    words = unicodedata.normalize("NFC", name).split()
    return " ".join(f"{next(filter(str.isalnum, word), word[0]).upper()}." for word in words)


def renamed(value: Any, others: Callable[[], Mapping[str, str]], key: str = "") -> Any:
    """Stored JSON in which people have other names: `others` by the old ones as `folded` has them, asked for the first
    time somebody is named. Where a name must be, only a whole name is replaced; in what somebody wrote, whole words."""
    match value:
        case _ if key in NAMELESS:
            return value
        case dict():
            return {name: renamed(each, others, name) for name, each in value.items()}
        case list():
            return [renamed(each, others, key) for each in value]
        case str() if key in NAMED:
            return others().get(folded(value), value)
        case str() if key in WRITTEN and value:
            return rewritten(value, others())
    return value


def rewritten(text: str, others: Mapping[str, str]) -> str:
    """A text in which people have other names, `others` by the old ones as `folded` has them. Only whole words are
    replaced, the longest name first. Without any of the names, exactly the same text."""
    alike = folded(text)
    if not any(name in alike for name in others):
        return text
    edges = [at for at in range(len(text) + 1) if not (_in_word(text[at - 1 : at]) and _in_word(text[at : at + 1]))]
    found, done = "", 0
    for start in edges:
        if start >= done and text[start : start + 1].strip():
            ends = (end for end in reversed(edges) if end > start and text[end - 1].strip())
            end = next((end for end in ends if folded(text[start:end]) in others), 0)
            if end:
                found += text[done:start] + others[folded(text[start:end])]
                done = end
    return found + text[done:]


def _in_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_" or (letter != "" and unicodedata.combining(letter) > 0)


def near(name: str, among: Iterable[str]) -> list[str]:
    """Those of the names, in their order, that a person who typed `name` may have meant: with one or two slips of the
    fingers, with or without accents, with first and last name swapped, or with initials. Not `name` itself."""
    same, words, letters = folded(name), _words(name), _letters(name)
    # A slip changes two letters at most, so most names are out at once, also in long lists.
    alike = (other for other in among if len(letters ^ (_letters(other) or letters)) <= 2 * MOST_SLIPS or not letters)
    return [other for other in alike if _fit(words, _words(other)) and folded(other) != same]


def fit(typed: str, name: str) -> int | None:
    """How well the name fits what somebody typed to find it, the less the better: every typed word, in any order, is a
    word of the name, begins one, is inside one, or is one but for a slip. None if it does not fit."""
    return fit_words(_words(typed), _words(name))


def fit_words(wanted: Sequence[str], of_name: Sequence[str]) -> int | None:
    """The same for what `words` makes of both."""
    left = list(of_name)
    if not wanted or not left:
        return None
    if [*wanted] == left:
        return SAME
    worst = SAME
    # The longest first, so that "An Anna" finds both words of "Anna An".
    for word in sorted(wanted, key=len, reverse=True):
        ways = [(how, at) for at, other in enumerate(left) if (how := _fit_in(word, other)) is not None]
        if not ways:
            return 1 + INSIDE if "".join(wanted) in "".join(of_name) else None
        how, at = min(ways)
        worst = max(worst, how)
        del left[at]
    return 1 + worst


def meant(typed: str, name: str, slips: int) -> bool:
    """Whether somebody may have meant the name with what they typed, if that fits nobody. A word of five letters or
    more may have so many slips, a shorter one a single slip."""
    left = [*_words(name)]
    for word in sorted(_words(typed), key=len, reverse=True):
        found = next((at for at, other in enumerate(left) if _may_mean(word, other, slips)), None)
        if found is None:
            return False
        del left[found]
    return True


def words(name: str) -> str:
    """The words of the name as `fit` compares them: without accents, capitals and signs."""
    return " ".join(_words(name))


def keys(name: str) -> list[str]:
    """By which an index finds the name: see `sought`. Each is a short number and shows nothing of the name."""
    parts = _words(name)
    found = {f"<{word[:letters]}" for word in parts for letters in (1, 2)} | _inside("".join(parts))
    return sorted(map(_short, found.union(*(end for word in parts for end in _ends(word, [len(word)])))))


def sought(typed: str) -> list[list[Clause]]:
    """The keys of every name that fits what somebody typed (`fit`), and of few others: each clause of one of the lists
    holds. No list if no name fits."""
    wanted = _words(typed)
    apart, together = [_clause(word) for word in wanted], [_every(_rare("".join(wanted)))]
    # One word of several letters is also found inside others.
    return [apart] if len(wanted) == 1 < len(wanted[0]) else [apart, together] if wanted else []


def begun(typed: str) -> list[list[Clause]]:
    """The same for one or two letters, and names in which a word begins with them; no list for other texts."""
    wanted = _words(typed)
    return [[_every({f"<{wanted[0]}"})]] if len(wanted) == 1 and len(wanted[0]) <= 2 else []


def guessed(typed: str, slips: int) -> list[list[Clause]]:
    """The same for names that are `meant`, and few others. Of two slips close to each other, it may miss some."""
    wanted = _words(typed)
    return [[_guess(word, slips) for word in wanted]] if wanted else []


def _guess(word: str, slips: int) -> Clause:
    if len(word) != SHORTEST - 1:
        return _clause(word, slips)
    every, _ = _every(_rare(word))
    swapped = {f"{len(word)}<{''.join(order)}" for order in permutations(word)}
    longer = {f"{SHORTEST}{sign}{word}" for sign in "<>"}
    shorter = {f"<{''.join(left)}" for left in combinations(word, 2)}
    return every, (frozenset(map(_short, swapped | longer | shorter)),)


def _clause(word: str, slips: int = 1) -> Clause:
    """Of words that a typed word begins, that have it inside, or that are it but for slips, of which a long word may
    have two."""
    if len(word) == 1:
        return _every({f"<{word}"})
    every, _ = _every(_rare(word))
    slips = MOST_SLIPS if len(word) >= LONG - MOST_SLIPS else slips
    ends = _ends(word, range(max(len(word) - slips, SHORTEST - 1), len(word) + slips + 1))
    # One slip changes one letter of each end at most. Of two, one end or the other has at most one.
    some = ends if slips == 1 else [set().union(*ends)] if ends else ends
    return every, tuple(frozenset(map(_short, each)) for each in some)


def _every(found: Iterable[str]) -> Clause:
    return frozenset(map(_short, found)), ()


def _inside(word: str) -> set[str]:
    return {*word, *_rare(word)}


def _rare(word: str) -> set[str]:
    """Of what is inside, what few other words have: the pairs of letters, from which the letters follow."""
    return {*map("".join, pairwise(word))} or {word}


def _ends(word: str, lengths: Iterable[int]) -> list[set[str]]:
    """What a slip leaves of the first letters, and of the last ones, with these lengths of a word; nothing for a word
    that is too short for slips."""
    if len(word) < SHORTEST - 1:
        return []
    left = [{*map("".join, combinations(end, ENDS - 1))} for end in (word[:ENDS], word[-ENDS:])]
    return [
        {f"{length}{sign}{letters}" for length in lengths for letters in each}
        for sign, each in zip("<>", left, strict=True)
    ]


def _short(key: str) -> str:
    return f"{crc32(key.encode()) & 0xFFFFF:x}"


def _fit_in(word: str, meant: str) -> int | None:
    if word == meant:
        return SAME
    if meant.startswith(word):
        return BEGINS
    if len(word) > 1 and word in meant:
        return INSIDE
    # A slip changes two letters at most, so most words are out at once.
    near_enough = abs(len(word) - len(meant)) <= MOST_SLIPS and len({*word} ^ {*meant}) <= 2 * MOST_SLIPS
    return NEARLY if near_enough and _slips_in(word, meant, SHORTEST) <= MOST_SLIPS else None


def _may_mean(word: str, other: str, slips: int) -> bool:
    if _fit_in(word, other) is not None:
        return True
    shorter, longer = sorted((len(word), len(other)))
    if len(word) < SHORTEST - 1 or shorter < SHORTEST - 2 or _digits(word) != _digits(other):
        return False
    # Of three letters, another one makes another name: Tom is not Tim.
    if longer < SHORTEST and shorter == longer and not _swapped(word, other):
        return False
    most = slips if longer > SHORTEST else 1
    return _changes(word, other, most) <= most


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
    if len(one) > 1 and one[:-1] == other[:-1] and _slips_in(one[-1], other[-1], LAST) <= MOST_SLIPS:
        return True
    return any(_slips(one, order) <= MOST_SLIPS for order in permutations(other))


def _slips(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """The slips between names word by word; more than MOST_SLIPS for different names. An initial stands for a word, but
    not for all of them."""
    slips, whole = 0, False
    for word, meant in zip(one, other, strict=True):
        if 1 in (len(word), len(meant)):
            slips += 0 if word[0] == meant[0] else DIFFERENT
        else:
            slips += _slips_in(word, meant, ALONE if len(one) == 1 else SHORTEST)
            whole = True
        if slips > MOST_SLIPS:
            break
    return slips if whole else DIFFERENT


def _slips_in(word: str, meant: str, shortest: int) -> int:
    """The letters left out, typed in addition, typed wrong, or typed too early or too late. DIFFERENT if there are too
    many for words of this length, or if they make another name: Paula is not Paul, and table 2 is not table 3, but
    Xenai is Xenia. `shortest`: how many letters a word needs to have a slip."""
    if word == meant:
        return 0
    longest = max(len(each) - len(_digits(each)) for each in (word, meant))
    ending = _stem(word) == _stem(meant) and not _swapped(word, meant)
    if ending or _digits(word) != _digits(meant) or longest < shortest:
        return DIFFERENT
    most = 2 if longest >= LONG else 1
    slips = _changes(word, meant, most)
    # In a word of four letters, another letter mostly makes another name: John and Joan.
    wrong_letter = len(word) == len(meant) and not _swapped(word, meant) and longest == shortest == SHORTEST
    return slips if slips <= most and not wrong_letter else DIFFERENT


def _changes(word: str, meant: str, most: int) -> int:
    """The number of letters to add, leave out, change, or move by one or two places; more than `most` if that is not
    enough."""
    while word[:1] == meant[:1] != "":
        word, meant = word[1:], meant[1:]
    while word[-1:] == meant[-1:] != "":
        word, meant = word[:-1], meant[:-1]
    return _distance(word, meant) if max(len(word), len(meant)) <= most + 2 else most + 1


def _distance(word: str, meant: str) -> int:
    if not word or not meant:
        return len(word) + len(meant)
    if word[0] == meant[0]:
        return _distance(word[1:], meant[1:])
    ways = [(word[1:], meant), (word, meant[1:]), (word[1:], meant[1:])]
    for end in (2, 3):
        part = word[:end]
        if meant[:end] in (part[1:] + part[0], part[-1] + part[:-1]):
            ways.append((word[end:], meant[end:]))
    return 1 + min(_distance(*rest) for rest in ways)


def _swapped(word: str, other: str) -> bool:
    """Whether they are the same letters in another order."""
    return sorted(word) == sorted(other)


def _stem(word: str) -> str:
    return word.rstrip("aeiouy")


def _digits(word: str) -> list[str]:
    return [letter for letter in word if letter.isdigit()]
