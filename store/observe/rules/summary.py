"""The brief and the detailed summary of a session, from its prompts, observations and the agent's
last reply.

Nothing is made up: each line is one that was said, or states what observations state. A field
that nobody spoke of is None.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypedDict

from ...kinds import NOISE
from ...records import Observation, SummaryLevel
from . import replies
from .prose import plain, shortened
from .replies import ReplyLines

BRIEF = 240
"""Characters of each field of the brief summary."""
LINE = 300
"""Characters of a line of the detailed one."""
LINES = 12
FILES = 40
PROMPTS = 10

ASKS_NOTHING = frozenset(
    "ok okay yes no y n go continue proceed thanks thx hello hi hey please commit push done great good "
    "sure yep yeah nice cool next stop do it that the this and go on ahead draft pr 好 好的 可以 继续 "
    "谢谢 是 是的 对 行 嗯 你好 提交 推送 没问题 不用 开始 请".split()
)  # fmt: skip


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
    """Both summaries of a session, as `store.summaries.add` takes them."""

    brief: SummaryFields
    detailed: SummaryFields


def summarize(
    prompts: Sequence[str], observations: Sequence[Observation], last_reply: str | None
) -> SessionSummaries:
    """What a session came to, from what was asked, what was observed, in their order, and the last
    thing that the agent said. The same of the same."""
    worth = [one for one in observations if one.type != NOISE]
    reply = replies.read_reply(last_reply or "")
    asked = [shortened(plain(prompt), LINE) for prompt in prompts if asks_something(prompt)]
    fields = {
        "request": asked or [shortened(plain(one), LINE) for one in prompts[:1] if one.strip()],
        "investigated": list(_investigated(worth)),
        "learned": _learned(worth, reply),
        "completed": _completed(worth, reply),
        "next_steps": reply.next_steps,
        "notes": list(_notes(worth)),
    }
    return SessionSummaries(_brief(fields, worth), _detailed(fields, worth))


def asks_something(prompt: str) -> bool:
    """Whether a prompt says what it wants, rather than only to go on."""
    words = prompt.lower().replace(",", " ").replace("，", " ").strip(" .!。！~").split()
    return any(word.strip(".!?,。！") not in ASKS_NOTHING for word in words)


def _brief(fields: dict[str, list[str]], worth: Sequence[Observation]) -> SummaryFields:
    one = {name: shortened("; ".join(lines[:2]), BRIEF) or None for name, lines in fields.items()}
    one["request"] = shortened(fields["request"][0], BRIEF) if fields["request"] else None
    return _columns("brief", one, worth)


def _detailed(fields: dict[str, list[str]], worth: Sequence[Observation]) -> SummaryFields:
    many = {
        name: _listed(lines[: PROMPTS if name == "request" else LINES])
        for name, lines in fields.items()
    }
    return _columns("detailed", many, worth)


def _listed(lines: Sequence[str]) -> str | None:
    if len(lines) < 2:
        return lines[0] if lines else None
    return "\n".join(f"- {line}" for line in lines)


def _columns(
    level: SummaryLevel, told: dict[str, str | None], worth: Sequence[Observation]
) -> SummaryFields:
    numbers = [one.prompt_number for one in worth if one.prompt_number is not None]
    edited = _each(file for one in worth for file in one.files_modified)
    read = [
        file
        for file in _each(file for one in worth for file in one.files_read)
        if file not in edited
    ]
    return SummaryFields(
        level=level,
        request=told["request"],
        investigated=told["investigated"],
        learned=told["learned"],
        completed=told["completed"],
        next_steps=told["next_steps"],
        notes=told["notes"],
        files_read=read[:FILES],
        files_edited=edited[:FILES],
        prompt_number=max(numbers, default=None),
        discovery_tokens=sum(one.discovery_tokens for one in worth),
    )


def _investigated(worth: Sequence[Observation]) -> Iterator[str]:
    """What was looked at: the files that were read, then searches and commands that found out."""
    files = _each(file for one in worth for file in one.files_read)
    if files:
        more = f" and {len(files) - 8} more" if len(files) > 8 else ""
        yield f"Read {', '.join(files[:8])}{more}"
    yield from _each(
        one.title for one in worth
        if one.type == "discovery" and one.title and not one.files_read and not _is_test(one)
    )  # fmt: skip


def _learned(worth: Sequence[Observation], reply: ReplyLines) -> list[str]:
    decided = [one.title for one in worth if one.type == "decision" and one.title]
    return _each([*reply.learned, *decided])[:LINES]


def _completed(worth: Sequence[Observation], reply: ReplyLines) -> list[str]:
    """What was done: as the agent says, then commits and requests; where nobody says, the edits."""
    found = list(reply.completed)
    found += [
        one.title for one in worth if one.title and one.title.startswith(("Committed: ", "Opened "))
    ]
    if not found:
        edits = [
            one.title for one in worth if one.title and one.type == "change" and one.files_modified
        ]
        found += edits
    tests = [one for one in worth if _is_test(one)]
    if tests and tests[-1].title and tests[-1].type != "error":
        found.append(tests[-1].title)
    return _each(shortened(line, LINE) for line in found)


def _notes(worth: Sequence[Observation]) -> Iterator[str]:
    """What stood in the way in the end: tests that failed last, errors after the last edit."""
    tests = [one for one in worth if _is_test(one)]
    if tests and tests[-1].type == "error" and tests[-1].title:
        yield tests[-1].title
    edits = [place for place, one in enumerate(worth) if one.files_modified]
    for one in worth[edits[-1] + 1 if edits else 0 :]:
        if one.type == "error" and one.title and not _is_test(one):
            yield f"{one.title}: {one.subtitle}" if one.subtitle else one.title


def _is_test(one: Observation) -> bool:
    return "testing" in one.concepts and any(fact.startswith("tests: ") for fact in one.facts)


def _each(lines: Iterable[str | None]) -> list[str]:
    return list(dict.fromkeys(line for line in lines if line))
