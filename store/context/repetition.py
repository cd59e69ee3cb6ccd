"""What of a text was told already.

Next to nothing is imported: a hook's process asks it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..text.language.same import Gist


class Told:
    """The sentences that were told, by their words."""

    def __init__(self) -> None:
        self._with_word: dict[str, list[Gist]] = {}

    def has(self, gist: Gist) -> bool:
        """Return whether one of the sentences that were told says the same, or all of it and more."""
        if not gist.says_something:
            return True
        # One that says the same lacks few of its words, so that it has one of the few rarest of them.
        rarest = 4 if gist.pairs else 1 + int(gist.may_have_left)
        told_with = self._with_word
        words = [word for word in gist.words if word in told_with]
        if gist.pairs:
            words += [pair for pair in gist.pairs if pair in told_with]
        elif len(gist.words) - len(words) >= rarest:
            return False
        words.sort(key=lambda word: len(told_with[word]))
        for word in words[:rarest]:
            for item in told_with[word]:
                if item.covers(gist):
                    return True
        return False

    def add(self, gist: Gist) -> None:
        """Note a sentence that was told."""
        with_word = self._with_word
        for words in (gist.words, gist.pairs):
            for word in words:
                if word in with_word:
                    with_word[word].append(gist)
                else:
                    with_word[word] = [gist]
