"""What a text tells though it holds every word that is asked for: that something was tried and didn't stay,
that it stands elsewhere, or a few things over and over.

Nothing is imported and no pattern used: a hook's process waits for it.
"""

from __future__ import annotations

IT = "it|that|this|them|these|those|everything"
GIVING_UP = (
    "reverted|reverting|undid|undone|abandoned|abandoning|scrapped|discarded|shelved|withdrew|withdrawn",
    f"rolled|rolling {IT}? back",
    f"backed|backing|took|taken|pulled|ripped|threw|thrown {IT}? back? out|back|away",
    f"took|taken|turned {IT}? out|off again",
    f"gave|given|give {IT}? up",
    "went|gone|switched back",
    f"put {IT} back",
    "so i|we|i've|we've then|have? dropped|removed|restored|deleted|stopped|cancelled|disabled|left",
    f"dropped|removed|deleted {IT} again",
    f"dropped {IT}",
    "didn't|never work|worked out",
)
"""What is said of what was tried and given up: words in a row, a | between those of which any will do, a ?
behind those that may be missing."""
GIVING_UP_IN_CHINESE = tuple(
    "撤回 撤销 撤掉 已撤 放弃 弃用 回退 回滚 还原 退回 作罢 取消了 改回 换回 恢复原 恢复了原".split()
)
ELSEWHERE = (
    "see ", "refer to ", "check out ", "have a look at ", "look at the ", "it's documented",
    "it is documented", "it's described", "it is described",
    "参见", "参考", "参阅", "请看", "请参", "详见", "见",
)  # fmt: skip
BRIEF = 600
"""Characters of a text that only points elsewhere, at most."""
FEW = 4
"""Lines or sentences of a text that repeats, at least; one that points elsewhere has fewer."""
FEW_WORDS, DISTINCT_WORDS = 30, 0.3
"""Of so many words at least a smaller part than this differs where a text repeats."""
READ = 2_000
"""Characters of a text in which it is seen whether it repeats."""
EDGES = ".,;:!?()[]{}\"'`*_…—"
PLAIN = str.maketrans(dict.fromkeys("’‘ʼ＇", "'") | dict.fromkeys("“”„", '"'))
ENDS = str.maketrans(dict.fromkeys(".。;；!！\r", "\n") | dict.fromkeys("0123456789"))
"""What ends a line or a sentence; numbers are left out."""

_phrases: dict[str, list[list[tuple[frozenset[str], bool]]]] = {}


def gave_up(text: str) -> bool:
    """Return whether a text tells of what was tried and given up, in English or Chinese."""
    if not text.isascii():
        if any(sign in text for sign in GIVING_UP_IN_CHINESE):
            return True
        text = text.translate(PLAIN)
    words = [word.strip(EDGES) for word in text.lower().split()]
    by_first = _phrases or _read()
    return any(
        _follows(words, place + 1, phrase, 1)
        for place, word in enumerate(words)
        if word in by_first
        for phrase in by_first[word]
    )


def points_elsewhere(text: str) -> bool:
    """Return whether a text tells only where to read."""
    if len(text) >= BRIEF:
        return False
    begun = text.translate(PLAIN).lower().replace("*", "").lstrip(EDGES + " \n")
    return begun.removeprefix("please ").startswith(ELSEWHERE) and len(_lines(text)) < FEW


def repeats(text: str) -> bool:
    """Return whether most lines, sentences or words of a text are the same but for their numbers, as those
    of a log are."""
    lines, words = _lines(text), text[:READ].lower().split()
    return (len(lines) >= FEW and 2 * len(set(lines)) <= len(lines)) or (
        len(words) >= FEW_WORDS and len(set(words)) < DISTINCT_WORDS * len(words)
    )


def _lines(text: str) -> list[str]:
    parts = text[:READ].lower().translate(ENDS).split("\n")
    return [line for part in parts if (line := part.strip())]


def _read() -> dict[str, list[list[tuple[frozenset[str], bool]]]]:
    for line in GIVING_UP:
        phrase = [
            (frozenset(part.removesuffix("?").split("|")), part.endswith("?")) for part in line.split()
        ]
        for word in phrase[0][0]:
            _phrases.setdefault(word, []).append(phrase)
    return _phrases


def _follows(words: list[str], place: int, phrase: list[tuple[frozenset[str], bool]], part: int) -> bool:
    """Return whether the rest of a phrase stands in a place."""
    if part == len(phrase):
        return True
    wanted, may_miss = phrase[part]
    if place < len(words) and words[place] in wanted and _follows(words, place + 1, phrase, part + 1):
        return True
    return may_miss and _follows(words, place, phrase, part + 1)
