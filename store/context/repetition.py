"""Whether something was told already, in nearly the same words.

Next to nothing is imported: a hook's process asks it.
"""

from __future__ import annotations

EMPTY = frozenset(
    "a an and are as at be been but by can do for from had has have i in into is it its now of on or so "
    "that the their then there these they this to was we were which will with you your".split()
)
"""Words in which two sentences may differ and say the same."""

SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~‹›，。；：！？（）、“”‘’《》「」…—–·→∶"
_spaces = str.maketrans(SIGNS, " " * len(SIGNS))
_signs = frozenset(SIGNS)

ONE_MAY_DIFFER = 10
"""Of so many words one may be another, but no number and no denial."""
DENIALS = frozenset(("no", "not", "never", "without", "don", "isn", "won", "cannot", "off"))


class Told:
    """The sentences that were told, by their words."""

    def __init__(self) -> None:
        self._with_word: dict[str, list[frozenset[str]]] = {}

    def has(self, words: frozenset[str]) -> bool:
        """Return whether all that a sentence says, by its words, was said by one that was told."""
        if not words:
            return True
        may_differ = len(words) >= ONE_MAY_DIFFER
        # One that says the same has the rarest word, or the one after it.
        told_with = self._with_word.get
        found = sorted([told_with(word, ()) for word in words], key=len)
        return any(
            not missing or (may_differ and len(missing) == 1 and not any(map(_matters, missing)))
            for sentences in found[: 1 + may_differ]
            for missing in (words - told for told in sentences)
        )

    def add(self, words: frozenset[str]) -> None:
        """Note the words of a sentence that was told."""
        with_word = self._with_word
        for word in words:
            if word in with_word:
                with_word[word].append(words)
            else:
                with_word[word] = [words]


def words_of(text: str) -> frozenset[str]:
    """Return the words of a sentence that carry its meaning, of Chinese each two characters."""
    if text.isascii():
        words = set(text.lower().translate(_spaces).split()).difference(EMPTY)
        return frozenset([_singular(word) if word[-1] == "s" else word for word in words])
    # Only of ASCII a translation is quick.
    spaced = text.lower()
    for sign in _signs.intersection(spaced):
        spaced = spaced.replace(sign, " ")
    found: set[str] = set()
    for word in set(spaced.split()).difference(EMPTY):
        if word.isascii():
            found.add(_singular(word))
        elif any(letter > "\u2e7f" for letter in word):
            found.update(word[at : at + 2] for at in range(max(1, len(word) - 1)))
        else:
            found.add(word)
    return frozenset(found)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word[-1] == "s" else word


def _matters(word: str) -> bool:
    return word in DENIALS or any(map(str.isdigit, word))
