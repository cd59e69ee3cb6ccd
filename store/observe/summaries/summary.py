"""The two levels of a session's summary, brief and detailed, from its prompts, its observations and what
the replies of its turns said.

Nothing is made up: each line is one that was said, or states what observations state. A field that
nobody spoke of is None.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypedDict

from ...records.dataclasses import dataclass, replace
from ...records.kinds import NOISE, REPLY
from ...records.rows import Observation, SummaryLevel
from ...text.language.blocks import plain
from ...text.language.phrases import asks_something, without_lead
from ...text.language.same import Gist, gist
from ...text.language.scripts import has_unspaced
from ...text.late_pattern import late_pattern
from ...text.truncation import shortened
from ..rules.own_words import is_pasted
from ..rules.questions import choices_in
from ..rules.sentence_patterns import ASKS
from .lines import LINE, SummaryLines, is_cause, is_decision, is_lasting, is_trivial
from .patterns import CREATED, REMOVED

BRIEF = 240
"""Characters of each field of the brief level."""
INVESTIGATED = 8
DECISIONS = 12
"""The newest choices of a session that are told."""
MANY = 60
"""Lines of what was done and learned, above which they are bounded before the next turn."""
FILES = 40
COMMITS = ("Committed: ", "Opened ", "Ran git commit: ")
"""How titles of commits and requests begin; of the last it isn't known how it went."""
NOTHING_DONE = ("error", "note", "decision", "finding", "answer", "plan")
"""Types of what was said, or failed, rather than done."""
LATEST_TURNS = 2
"""Of so many turns it is kept what they left."""
FIRST_PROMPTS, LAST_PROMPTS = 3, 7
"""So many of the first and of the last prompts are told, of those that ask for something."""


class SummaryFields(TypedDict):
    """The fields of a summary, by their columns."""

    level: SummaryLevel
    request: str | None
    investigated: str | None
    learned: str | None
    completed: str | None
    next_steps: str | None
    notes: str | None
    files_read: list[str]
    files_edited: list[str]
    prompt_number: int | None
    discovery_tokens: int


@dataclass(frozen=True, slots=True)
class SessionSummaries:
    """Both levels of a session's summary, as columns of `summaries`."""

    brief: SummaryFields
    detailed: SummaryFields


@dataclass(frozen=True, slots=True)
class Turn:
    """What a turn came to: the lines of its reply, which came at `at` (ms)."""

    at: int
    lines: SummaryLines


def summarize(
    prompts: Sequence[str],
    observations: Sequence[Observation],
    turns: Sequence[Turn] = (),
    unanswered: str = "",
) -> SessionSummaries:
    """Return both levels of the summary of a session from its prompts, its observations and its turns,
    all in order. `unanswered` is the last prompt where no turn came of it."""
    # What was said is read from the reply itself.
    worth = [
        observation
        for observation in observations
        if observation.type != NOISE and observation.tool_name != REPLY
    ]
    lines = bounded(_accumulated(turns, worth))
    fields = {
        "request": _request(prompts),
        "investigated": _investigated(worth),
        "learned": _learned(lines, worth),
        "completed": _completed(lines, worth),
        "next_steps": _left(lines, unanswered),
        "notes": list(_notes(worth)),
    }
    detailed = {name: listed(lines) for name, lines in fields.items()}
    return SessionSummaries(_brief(fields, worth), _columns("detailed", detailed, worth))


def _accumulated(turns: Sequence[Turn], worth: Sequence[Observation]) -> SummaryLines:
    """Return the lines of all turns merged; what was done after a turn strikes its next steps."""
    summary_lines, since = SummaryLines(), None
    for place, turn in enumerate(turns):
        lines = turn.lines
        if place < len(turns) - LATEST_TURNS:
            # What was left so long ago is done by now, or was let go.
            lines = replace(lines, next_steps=[])
        summary_lines = merge(summary_lines, lines, _done(worth, since, turn.at))
        if len(summary_lines.completed) + len(summary_lines.learned) > MANY:
            summary_lines = bounded(summary_lines)
        since = turn.at
    if turns:
        open_questions = SummaryLines(questions=summary_lines.questions)
        summary_lines = merge(summary_lines, open_questions, _done(worth, since, None))
    return summary_lines


def _done(worth: Sequence[Observation], since: int | None, until: int | None) -> list[str]:
    """Return what was done after one moment and until another: titles of what changed something, and
    of tests that passed."""
    return [
        observation.title
        for observation in worth
        if observation.title
        and (since is None or observation.created_at > since)
        and (until is None or observation.created_at <= until)
        and observation.type not in NOTHING_DONE
        and (observation.type != "discovery" or _is_test(observation))
    ]


def _request(prompts: Sequence[str]) -> list[str]:
    """Return what was asked for: the first prompts and the last, each once."""
    prompts = [_of_plan(prompt) for prompt in prompts]
    asked = distinct(
        _asked(prompt) for prompt in prompts if asks_something(prompt) and not is_pasted(prompt)
    )
    asked = asked or [_asked(text) for text in prompts if text.strip() and not is_pasted(text)][:1]
    if len(asked) > FIRST_PROMPTS + LAST_PROMPTS:
        return asked[:FIRST_PROMPTS] + asked[-LAST_PROMPTS:]
    return asked


def _asked(prompt: str) -> str:
    return shortened(plain(prompt), LINE)


def _of_plan(prompt: str) -> str:
    """Return the title of the plan that a prompt accepts; a prompt that accepts none as it is."""
    plan = without_lead(prompt)
    return prompt if plan == prompt else plan.split("\n", 1)[0]


def _investigated(worth: Sequence[Observation]) -> list[str]:
    """Return what was looked at: the files that were read, then searches and commands that found out."""
    results = []
    if files := _each(file for observation in worth for file in observation.files_read):
        more = f" and {len(files) - 8} more" if len(files) > 8 else ""
        results.append(f"Read {', '.join(files[:8])}{more}")
    looked = [
        shortened(item.title, LINE) for item in worth
        if item.type == "discovery" and item.title and not item.files_read and not _is_test(item)
    ]  # fmt: skip
    return results + _each(looked)[: INVESTIGATED - len(results)]


def _learned(lines: SummaryLines, worth: Sequence[Observation]) -> list[str]:
    """Return the causes, the decisions, and what else was learned."""
    taken = [line for item in worth if item.type == "decision" for line in _taken(item)]
    decided = [*map(_decision, [*lines.decided, *unsaid(distinct(taken[-DECISIONS:]), lines.decided)])]
    causes = [line for line in lines.learned if is_cause(line)]
    others = [line for line in lines.learned if not is_cause(line)]
    results = [*causes, *unsaid(decided, causes)]
    return [*results, *unsaid(others, results)]


def _taken(decision: Observation) -> list[str]:
    """Return the choices of a decision; of a title that was cut none, which is a reply's."""
    if (title := decision.title or "").startswith("Asked: ") and decision.narrative:
        return choices_in(decision.narrative)
    return [] if not title or title.endswith("…") else [title]


def _decision(line: str) -> str:
    line = line.removeprefix("Planned: ")
    if is_decision(line):
        return line
    return f"决定：{line}" if has_unspaced(line) else f"Decided: {line}"


def _left(lines: SummaryLines, unanswered: str) -> list[str]:
    """Return what is open at the end: what was asked last, what a reply says to be left, and what it
    offers or asks, which the next prompt answers."""
    if not unanswered:
        return [*lines.next_steps, *map(_open_question, lines.questions)]
    asked = _asked(_of_plan(unanswered))
    return [
        f"未完成：{asked}" if has_unspaced(asked) else f"Asked, not answered: {asked}",
        *lines.next_steps,
    ]


def _open_question(line: str) -> str:
    if "?" not in line and "？" not in line and not ASKS.search(line):
        return line
    return f"待定：{line}" if has_unspaced(line) else f"Open question: {line}"


def _completed(lines: SummaryLines, worth: Sequence[Observation]) -> list[str]:
    """Return what was done: by the replies, then commits and requests; without these, the edits; at last
    the tests as they went last."""
    commits = [
        observation.title
        for observation in worth
        if observation.title and observation.title.startswith(COMMITS)
    ]
    tests = [item for item in worth if _is_test(item)]
    passed = [test.title for test in tests[-1:] if test.title and test.type != "error"]
    said = [line for line in lines.completed if not is_trivial(line) or not (commits or passed)]
    # What was committed says best what became of it, and the first line is the headline's.
    commits = distinct(commits[-8:])
    results = [*commits, *unsaid(said, [*commits, *map(_subject, commits)])]
    if not results:
        results = _each(
            entry.title
            for entry in worth
            if entry.title and entry.type == "change" and entry.files_modified
        )[:8]
    return [shortened(line, LINE) for line in _each([*results, *passed])]


def _subject(commit: str) -> str:
    """Return what was committed or opened, without that it was."""
    return next((commit.removeprefix(text) for text in COMMITS if commit.startswith(text)), commit)


def _notes(worth: Sequence[Observation]) -> Iterator[str]:
    """Yield what is still wrong: tests that failed last, errors after the last edit."""
    tests = [observation for observation in worth if _is_test(observation)]
    if tests and tests[-1].type == "error" and tests[-1].title:
        yield tests[-1].title
    edits = [place for place, item in enumerate(worth) if item.files_modified]
    after = worth[edits[-1] + 1 if edits else 0 :]
    errors = [entry for entry in after if entry.type == "error" and entry.title and not _is_test(entry)]
    for error in errors[-4:]:
        yield shortened(f"{error.title}: {error.subtitle}" if error.subtitle else error.title or "", LINE)


def _is_test(observation: Observation) -> bool:
    return "testing" in observation.concepts and any(
        fact.startswith("tests: ") for fact in observation.facts
    )


def _brief(fields: dict[str, list[str]], worth: Sequence[Observation]) -> SummaryFields:
    """Return the brief level: of each field the first line and, where it is a list that grows, the last."""
    chosen = {name: lines[:2] for name, lines in fields.items()}
    for name in ("request", "completed"):
        chosen[name] = [*fields[name][:1], *fields[name][1:][-1:]]
    half = BRIEF // 2 - 1
    item = {
        name: "; ".join(shortened(line, half if len(lines) > 1 else BRIEF) for line in lines) or None
        for name, lines in chosen.items()
    }
    return _columns("brief", item, worth)


def listed(lines: Sequence[str]) -> str | None:
    """Return lines as the text of a field: one as it is, several as a list; None for none."""
    if len(lines) < 2:
        return lines[0] if lines else None
    return "\n".join(f"- {line}" for line in lines)


def _columns(
    level: SummaryLevel, texts: dict[str, str | None], worth: Sequence[Observation]
) -> SummaryFields:
    numbers = [observation.prompt_number for observation in worth if observation.prompt_number is not None]
    edited = _each(file for item in worth for file in item.files_modified)
    read = [
        file for file in _each(file for entry in worth for file in entry.files_read) if file not in edited
    ]
    return SummaryFields(
        level=level,
        request=texts["request"],
        investigated=texts["investigated"],
        learned=texts["learned"],
        completed=texts["completed"],
        next_steps=texts["next_steps"],
        notes=texts["notes"],
        files_read=read[:FILES],
        files_edited=edited[:FILES],
        prompt_number=max(numbers, default=None),
        discovery_tokens=sum(one.discovery_tokens for one in worth),
    )


def _each(lines: Iterable[str | None]) -> list[str]:
    return list(dict.fromkeys(line for line in lines if line))


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

NAME = late_pattern(r"[\w-]+\.[a-z]{1,5}\b|\w+(?=\(\))|(?<=`)[\w-]{4,}(?=`)")
"""Names of files and functions, without their folders."""
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
        completed=distinct([*_standing(accumulated.completed, answers), *turn.completed]),
        # The newest first, in whose order the session would go on.
        next_steps=[*(steps := distinct(turn.next_steps)), *unsaid(left, steps)],
        questions=list(turn.questions),
    )


def _standing(completed: Sequence[str], later: Sequence[str]) -> list[str]:
    """Return what was done but for what was made and later removed again, by the names in both."""
    gone = {name for line in later if REMOVED.search(line) for name in NAME.findall(line)}
    return [
        line for line in completed
        if not (gone and CREATED.search(line) and gone.intersection(NAME.findall(line)[:1]))
    ]  # fmt: skip


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

    The oldest details go first. Of what was learned causes and decisions stay longest, of what was done
    the first line, commits and requests; what says only that it is done goes where anything else is there.
    """
    learned = sorted(lines.learned, key=lambda line: not is_cause(line))
    telling = [line for line in lines.completed if not is_trivial(line)]
    return SummaryLines(
        learned=_within("learned", learned, [is_lasting(line) for line in learned]),
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
