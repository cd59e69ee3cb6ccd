"""A summary that accumulates: the lines of its turns merged, each said once, what was done struck from
what was left, and bounded.

`merge` is the one rule for lines of any observer. It is a fold over turns in their order, so that
the same turns give the same summary, however often and in whatever order they were told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from ...text.late_pattern import late_pattern
from .lines import SummaryLines, is_cause, is_decision, is_trivial

SAME = 0.8
"""The share of their words by which two lines say the same."""
ANSWERED = 0.7
"""The share of a step's words that what was done has to hold; of a step of three words or less, all."""
MOST = {"learned": 12, "decided": 8, "completed": 14, "next_steps": 8, "questions": 3}
"""Lines of each field."""
LONGEST = {
    "learned": 2_400,
    "decided": 1_500,
    "completed": 2_400,
    "next_steps": 1_200,
    "questions": 600,
}
"""Characters of each field."""

TOKEN = late_pattern(r"[a-z0-9_./:-]*[a-z0-9_]|[\u4e00-\u9fff]+")
EDGE = late_pattern(r"^[./:-]+")
STOP = frozenset(
    "a an and are as at be been before but by can could did do does for from had has have he her "
    "his i if in "
    "into is it its just may might more most must my next no not now of on once or our should so "
    "still than that "
    "the their them then there these they this those to up us was we were what when which while "
    "who will with would "
    "you your need needs needed want wants also yet remaining todo step steps run ran running "
    "make made sure "
    "change changes changed code work everything all its youll well ive ill ready consider may recommend "
    "suggest successfully done complete completed add added update updated implement implemented "
    "create created "
    "write wrote written use new".split()
)  # fmt: skip
FILLER = late_pattern(r"接下来|下一步|还?需要?|可以|已经?|完成|尚未|还没有?|我们?|[了的将请后]")
ENDINGS = ("ations", "ation", "ings", "ing", "ied", "ies", "ed", "es", "s", "e", "d")
ALIKE = {
    "pr": "pullrequest", "mr": "pullrequest", "pytest": "test", "unittest": "test", "passed": "pass",
    "repo": "repository", "docs": "document", "documentation": "document", "doc": "document",
    "deployment": "deploy", "written": "writ", "wrote": "writ", "write": "writ", "built": "build",
}  # fmt: skip
COMMITTED = late_pattern(r"^(?:Committed: |Opened |Pushed|Merged)|\b[0-9a-f]{7,40}\b")


def merge(accumulated: SummaryLines, found: SummaryLines, done: Iterable[str] = ()) -> SummaryLines:
    """Return the lines of a session so far with those of its next turn.

    `done` says further what was done in that turn: commits, requests, tests that passed. It strikes
    steps, as what `found` says to be completed does; it isn't added. The user has spoken since the
    accumulated questions were asked, so only those of `found` are open. Neither argument is changed.
    """
    answers = [*found.completed, *done]
    left = [
        one for one in accumulated.next_steps if not any(answers_step(one, do) for do in answers)
    ]
    return SummaryLines(
        learned=united(accumulated.learned, found.learned),
        decided=united(accumulated.decided, found.decided),
        completed=united(accumulated.completed, found.completed),
        # The newest first, in whose order the session would go on.
        next_steps=united(found.next_steps, left),
        questions=list(found.questions),
    )


def united(known: Sequence[str], new: Iterable[str]) -> list[str]:
    """Return the lines of both, of those that say the same only one: the longer, at its first place."""
    kept = list(known)
    words = [content_words(line) for line in kept]
    for line in new:
        own = content_words(line)
        place = next((at for at, other in enumerate(words) if _same(own, other)), None)
        if place is None:
            kept.append(line)
            words.append(own)
        elif len(own) > len(words[place]):
            kept[place], words[place] = line, own
    return kept


def bounded(lines: SummaryLines) -> SummaryLines:
    """Return the lines with each field within MOST and LONGEST.

    The oldest details go first. Of what was learned causes stay longest, of what was done the first
    line, commits and requests; what says only that it is done goes where anything else is there.
    """
    learned = sorted(lines.learned, key=lambda line: not is_cause(line))
    telling = [line for line in lines.completed if not is_trivial(line)]
    return SummaryLines(
        learned=_within("learned", learned, [is_cause(line) for line in learned]),
        decided=_within("decided", lines.decided, [is_decision(line) for line in lines.decided]),
        completed=_within(
            "completed",
            telling or lines.completed[-1:],
            [not at or bool(COMMITTED.search(line)) for at, line in enumerate(telling)] or [True],
        ),
        next_steps=_within("next_steps", lines.next_steps[::-1], [False] * len(lines.next_steps))[::-1],
        questions=_within("questions", lines.questions, [False] * len(lines.questions)),
    )  # fmt: skip


def answers_step(step: str, done: str) -> bool:
    """Return whether what was done is what a step says is to do, by the words of both."""
    wanted = content_words(step)
    if not wanted:
        return False
    shared = len(wanted & content_words(done)) / len(wanted)
    return shared >= (ANSWERED if len(wanted) > 3 else 1)


@lru_cache(maxsize=4_096)
def content_words(line: str) -> frozenset[str]:
    """Return the stems of a line's words that carry meaning; pairs of characters where it is Chinese."""
    found = set[str]()
    plain = FILLER.sub(" ", line.lower().replace("pull request", "pullrequest").replace("'", ""))
    for token in TOKEN.findall(plain):
        if "\u4e00" <= token[0] <= "\u9fff":
            found |= {token[at : at + 2] for at in range(max(1, len(token) - 1))}
        elif (word := EDGE.sub("", token)) and word not in STOP:
            found.add(ALIKE.get(word) or _stem(word))
    return frozenset(found)


def _stem(word: str) -> str:
    if len(word) < 4 or not word.isalpha():
        return word
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    # "committed" and "commit", "running" and "run".
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    if not one or not other:
        return one == other
    shared = len(one & other)
    if shared < SAME * min(len(one), len(other)) or shared < 0.5 * max(len(one), len(other)):
        return False
    return not (any(map(_is_name, one - other)) and any(map(_is_name, other - one)))


def _is_name(word: str) -> bool:
    """Return whether a word names one of many alike: a number, a file, an identifier."""
    return not word.isalpha()


def _within(name: str, lines: Sequence[str], is_kept: Sequence[bool]) -> list[str]:
    """Return the lines but for the oldest over the field's bounds, those that are to be kept last."""
    chosen = dict(enumerate(lines))
    order = [at for at, keep in enumerate(is_kept) if not keep] + [
        at for at, keep in reversed([*enumerate(is_kept)]) if keep
    ]
    for at in order:
        size = sum(map(len, chosen.values()))
        if len(chosen) <= MOST[name] and size <= LONGEST[name]:
            break
        del chosen[at]
    return list(chosen.values())
