"""A summary that accumulates: the lines of its turns merged, each said once, what was done struck from
what was left, and bounded.

`merge` is the one rule for lines of any observer. It is a fold over turns in their order, so that
the same turns give the same summary, however often and in whatever order they were told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from ...text.language.same import Gist, gist
from ...text.late_pattern import late_pattern
from .lines import SummaryLines, is_cause, is_decision, is_trivial

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

COMMITTED = late_pattern(r"^(?:Committed: |Opened |Pushed|Merged)|\b[0-9a-f]{7,40}\b")


STRUCK_BY = (
    (
        late_pattern(r"\b(?:un)?commit|提交", re.IGNORECASE),
        late_pattern(r"^(?:Committed: |Opened |Push|Merged)"),
    ),
    (
        late_pattern(r"\b(?:un)?push|推送", re.IGNORECASE),
        late_pattern(r"^(?:Push(?:ed)?\b|Opened )|: pushed "),
    ),
    (
        late_pattern(r"\bopen(?:ing)? (?:a |the )?(?:draft )?(?:pr|pull request)\b", re.IGNORECASE),
        late_pattern(r"^Opened "),
    ),
    (
        late_pattern(r"\b(?:ready for review|approv\w+|(?:still|is) (?:a )?draft)\b", re.IGNORECASE),
        late_pattern(r"^Merged\b"),
    ),
    (late_pattern(r"\bmerg|合并", re.IGNORECASE), late_pattern(r"^Merged\b|^Committed: Merge ")),
)
"""Steps of git, and the titles of what does them, whatever is in it."""


def merge(accumulated: SummaryLines, turn: SummaryLines, done: Iterable[str] = ()) -> SummaryLines:
    """Return the lines of a session so far with those of its next turn.

    `done` says further what was done in that turn: commits, requests, tests that passed. It strikes
    steps, as what `turn` says to be completed does; it isn't added. The user has spoken since the
    accumulated questions were asked, so only those of `turn` are open. Neither argument is changed.
    """
    answers = [*turn.completed, *done]
    left = [step for step in accumulated.next_steps if not any(answers_step(step, do) for do in answers)]
    return SummaryLines(
        learned=distinct([*accumulated.learned, *turn.learned]),
        decided=distinct([*accumulated.decided, *turn.decided]),
        completed=distinct([*accumulated.completed, *turn.completed]),
        # The newest first, in whose order the session would go on.
        next_steps=[*(steps := distinct(turn.next_steps)), *unsaid(left, steps)],
        questions=list(turn.questions),
    )


def distinct(lines: Iterable[str]) -> list[str]:
    """Return lines in the order in which they were said, of those that say the same only the last, in the
    place of the first."""
    kept: list[str] = []
    gists: list[Gist] = []
    for line in lines:
        own = _gist(line)
        place = next((at for at, other in enumerate(gists) if own.says_the_same(other)), None)
        if place is None:
            kept.append(line)
            gists.append(own)
        else:
            kept[place], gists[place] = line, own
    return kept


def unsaid(lines: Iterable[str], earlier: Iterable[str]) -> list[str]:
    """Return the lines that say what none of the `earlier` ones does."""
    known = [_gist(line) for line in earlier]
    return [line for line in lines if not any(map(_gist(line).says_the_same, known))]


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
    if any(todo.search(step) and did.search(done) for todo, did in STRUCK_BY):
        return True
    return _gist(done).does(_gist(step))


_gist = lru_cache(maxsize=4_096)(gist)


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
