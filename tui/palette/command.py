"""A command of the palette, and which commands are meant by what is typed, the best first."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass

from textual.content import Content

from memtui.store.platform.translation import _

from ..text.words import place_in

WHOLE_NAME, NAME_START, WORD_START, OTHER_NAME, IN_SENTENCE = 100.0, 80.0, 60.0, 50.0, 30.0
LETTERS = 20.0
"""What it is worth that a word of the name holds the letters in this order, the first of them first."""
LEAST_LETTERS = 3
USED = 5.0
"""What it adds that a command was used of late."""
LAST = 1_000.0
"""What is taken off where it can't be done now."""

_WORDS = re.compile(r"[\w$]+")


def matching(commands: Sequence[Command], typed: str, used: Sequence[str]) -> list[Command]:
    """Return the commands that what is typed may mean: each of its words begins one of theirs, or is
    made of letters of one in their name. What works now comes first."""
    results: list[tuple[float, Command]] = []
    for command in commands:
        if score := _score(command, typed):
            score += USED if command.id in used else 0
            results.append((score - LAST if command.why_not else score, command))
    # Where two are as good, in the order they are listed in.
    return [command for _, command in sorted(results, key=lambda pair: -pair[0])]


def lit(name: str, typed: str) -> set[int]:
    """Return the offsets of a name's characters that were typed."""
    offsets: set[int] = set()
    for word in _WORDS.findall(typed.casefold()):
        offsets |= next((results for _, results in _in_name(word, name)), set())
    return offsets


def _score(command: Command, typed: str) -> float:
    words = _WORDS.findall(typed.casefold())
    name, all_of_it = command.name.casefold(), " ".join(typed.casefold().split())
    if name.startswith(all_of_it):
        return WHOLE_NAME if name == all_of_it else NAME_START
    return min((_worth(word, command) for word in words), default=0.0)


def _worth(word: str, command: Command) -> float:
    in_name = [score for score, _ in _in_name(word, command.name)]
    sentence = command.sentence if command.by_sentence else ""
    elsewhere = [
        score
        for score, text in ((OTHER_NAME, command.also), (IN_SENTENCE, sentence))
        if any(place_in(other, word) >= 0 for other in _WORDS.findall(text.casefold()))
    ]
    return max((*in_name, *elsewhere), default=0.0)


def _in_name(word: str, name: str) -> Iterator[tuple[float, set[int]]]:
    """Yield what it is worth, and which characters are meant, where a word of the name has the letters."""
    words = [(match.start(), match.group()) for match in _WORDS.finditer(name.casefold())]
    for start, text in words:
        if (place := place_in(text, word)) >= 0:
            yield WORD_START, set(range(start + place, start + place + len(word)))
    if len(word) >= LEAST_LETTERS:
        for start, text in words:
            if text[0] == word[0] and (letters := _letters(word, text)):
                yield LETTERS, {start + offset for offset in letters}


def _letters(typed: str, word: str) -> list[int]:
    """The offsets in a word of the letters in the order typed; none where one is missing."""
    offsets: list[int] = []
    for letter in typed:
        at = word.find(letter, offsets[-1] + 1 if offsets else 0)
        if at < 0:
            return []
        offsets.append(at)
    return offsets


MEMORIES = _("Memories")
"""The group under which memories stand that hold what is typed."""


@dataclass(frozen=True, slots=True)
class Command:
    """A name to be found by, `also` other words for it, what it says of itself, its keys, and what it
    does. `why_not` is what stands in its way now, `` for nothing."""

    id: str
    """Tells it again at the next start; `` for what isn't remembered."""
    name: str
    sentence: str
    group: str
    do: Callable[[], Awaitable[None] | None]
    keys: str = ""
    also: str = ""
    why_not: str = ""
    line: tuple[Content, Content] | None = None
    """What is shown in the place of all this, at the two ends of its row."""
    is_listed: bool = True
    """Whether it shows before anything is typed."""
    by_sentence: bool = True
    """Whether it is found by words of its sentence, and not by its name alone."""
    command: str = ""
    """The `mem` command that does the same, without `mem`; `` for none."""
