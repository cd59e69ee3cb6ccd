"""The brief and the detailed summary of a session, from its prompts, its observations and the agent's
last reply.

Nothing is made up: each line is one that was said, or states what observations state. A field that
nobody spoke of is None.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypedDict

from ...kinds import NOISE
from ...records import Observation, SummaryLevel
from ...records.dataclasses import dataclass, field
from .prose import Sentence, plain, sentences_of, shortened

BRIEF = 240
"""Characters of each field of the brief summary."""
LINE = 300
"""Characters of a line of the detailed summary."""
LINES = 12
FILES = 40
PROMPTS = 10

NEXT_HEADING = re.compile(
    r"\b(?:next|todo|to.?do|remaining|left to do|follow.?ups?|outstanding|future work|recommend|suggest"
    r"|open (?:points|questions|issues)|still (?:open|missing)|what'?s left)"
    r"|下一步|后续|待办|接下来|剩余|未完成|建议|遗留|还需",
    re.IGNORECASE,
)
LEARNED_HEADING = re.compile(
    r"\b(?:finding|found|cause|why|learn|insight|analysis|diagnosis|explanation|problem"
    r"|issue|bug|reason|conclusion"
    r"|verdict|how it works|key (?:point|takeaway)|notable|gotcha|caveat|important"
    r"|background|what (?:happened|was wrong))"
    r"|发现|原因|结论|分析|问题|根因|根本|说明|注意|经验|教训|要点|背景",
    re.IGNORECASE,
)
DONE_HEADING = re.compile(
    r"\b(?:summary|change|done|complete|implement|fix|added|removed|updated"
    r"|what i(?:'ve)? (?:did|done)|result|modified"
    r"|created|solution|resolution|commit|accomplish|deliver|work)"
    r"|完成|修改|改动|变更|总结|新增|修复|实现|结果|更新|解决|成果|摘要|已做",
    re.IGNORECASE,
)
NEXT = re.compile(
    r"^(?:next,|next step|to ?do:|you (?:may|might|can|could|should|will"
    r"|'ll)(?: also)? (?:want|need|have|like|consider)\b"
    r"|you should\b|you'll need\b|remaining\b|still (?:need|to do|missing|open)\b"
    r"|it (?:still )?remains\b|what remains\b"
    r"|(?:i|we) (?:still )?(?:recommend|suggest)\b|consider\b|(?:i|we) (?:haven't"
    r"|have not|didn't|did not)\b"
    r"|(?:would|do) you (?:like|want)(?: me)? to\b|shall i\b|should i\b|want me to\b"
    r"|ready (?:for you )?to\b"
    r"|the next\b|follow.?up\b|left to do\b|once .{3,80}\b(?:merge|land|deploy|release)"
    r"|before (?:merging|releasing|deploying)\b)"
    r"|^(?:接下来|下一步|后续|还需要|还需|仍需|尚未|建议|你可以|您可以|需要你|待办|剩下|请(?:运行|执行|确认|检查)|是否需要|要不要|之后)",
    re.IGNORECASE,
)
LEARNED = re.compile(
    r"\b(?:because|turns? out|root cause|the (?:problem|issue|bug|cause|reason|culprit"
    r"|failure)s? (?:was|were|is|are)\b|caused by"
    r"|due to|the reason|discovered|found that|(?:i|we) (?:found|noticed|learned"
    r"|realized)\b|it appears that|means that|happens when"
    r"|this is why|since the)\b"
    r"|原因是|因为|由于|发现|根因|问题(?:是|在于|出在)|导致|意味着|说明了|原来",
    re.IGNORECASE,
)
DONE = re.compile(
    r"^(?:(?:i|we)(?:'ve| have)?(?: now| also| successfully| just)* )?(?:done|fixed|added"
    r"|updated|removed|created|implemented|renamed|moved"
    r"|refactored|changed|replaced|committed|pushed|merged|wrote|built|configured"
    r"|installed|deleted|cleaned|simplified|extracted"
    r"|resolved|converted|migrated|introduced|enabled|disabled|upgraded|bumped|corrected"
    r"|rewrote|documented|tested|verified|opened|set up"
    r"|improved|optimi[sz]ed|split|published|deployed|reverted|made|switched)\b"
    r"|\b(?:is|are) (?:now )?(?:complete|completed|done|fixed|resolved|in place"
    r"|implemented)\b|\b(?:has|have) been \w+ed\b"
    r"|\b(?:all|the) (?:\w+ )?(?:tests|checks)\b.{0,40}\bpass|^(?:tests|all tests"
    r"|everything|lint)\b.{0,40}\b(?:pass|clean|green)"
    r"|\b(?:pr|pull request|commit) (?:created|opened)\b"
    r"|^(?:我)?(?:已经?|现已|成功|完成了?|新增了?|添加了?|修复了?|修改了?|更新了?|删除了?"
    r"|实现了?|创建了?|重构了?|移除了?|优化了?|升级了?|部署了?|提交了?|改为|替换了?)"
    r"|(?:已完成|已修复|已经?(?:添加|更新|删除|提交|推送|创建|修改|实现|解决|通过|部署"
    r"|升级|改)|(?:测试|检查)(?:全部|都|均)?(?:已)?通过|完成了|修好了|搞定了)",
    re.IGNORECASE,
)
EMPTY = re.compile(
    r"^(?:(?:all )?(?:done|great|perfect|excellent|ok(?:ay)?|sure|yes|hello|hi)\b[.!,: ]*"
    r"|here(?:'s| is| are)\b.*[:：]?"
    r"|let me know.*|how can i help.*|i'll .*|let me .*|好的?[。！，]?|你好.*|以下是.*"
    r"|完成[。！]?|搞定[。！]?|已完成[。！]?)$",
    re.IGNORECASE,
)
QUESTION = re.compile(r"[?？]\s*$|吗[。！]?$")
PROPOSAL = re.compile(
    r"\b(?:option|approach|alternative|proposal|idea)s?\b|方案|选项|备选", re.IGNORECASE
)
OFFER = re.compile(r"^(?:would|do|shall|should|want)\b|^(?:是否需要|要不要|需要我)", re.IGNORECASE)
NOT_DONE = re.compile(
    r"\b(?:not|n't|never|cannot|unable|failed to|no longer|would|could|might|if|can"
    r"|should|will|may)\b|没有|未能|无法|不能|如果|尚未|还没",
    re.IGNORECASE,
)


@dataclass(slots=True)
class ReplyLines:
    """The lines of a reply by the field of the summary that they belong to, in order."""

    completed: list[str] = field(default_factory=list)
    learned: list[str] = field(default_factory=list)
    next_steps: list[str] = field(default_factory=list)


def read_reply(text: str) -> ReplyLines:
    """Sort the lines of a reply; those that belong to no field are left out."""
    found = ReplyLines()
    for line in sentences_of(text):
        place = _place(line, found)
        text = _shown(line)
        if place is not None and text and text not in place and len(place) < LINES:
            place.append(text)
    return found


def _place(line: Sentence, found: ReplyLines) -> list[str] | None:
    """Return the list that a line belongs to; None where it belongs to none."""
    if EMPTY.match(line.text):
        return None
    if NEXT_HEADING.search(line.heading) and line.heading:
        return found.next_steps
    if QUESTION.search(line.text):
        return found.next_steps if OFFER.search(line.text) else None
    if NEXT.search(line.text):
        return found.next_steps
    if PROPOSAL.search(line.heading):
        return None
    if _is_done(line.text):
        return (
            found.learned
            if LEARNED_HEADING.search(line.heading) and not DONE.match(line.text)
            else found.completed
        )
    if LEARNED.search(line.text) or LEARNED_HEADING.search(line.heading):
        return found.learned
    if line.is_bullet and DONE_HEADING.search(line.heading):
        return found.completed
    return None


def _is_done(text: str) -> bool:
    done = DONE.search(text)
    return done is not None and not NOT_DONE.search(text[: done.end()])


def _shown(line: Sentence) -> str:
    text = re.sub(
        r"^(?:Done|Perfect|Great|Excellent|已完成|完成|好的)\s*[.!。！,，:：–—-]\s*", "", line.text
    ).rstrip(":：")
    return shortened(text, LINE) if len(text) > 3 else ""


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
    """Both summaries of a session, as columns of `summaries`."""

    brief: SummaryFields
    detailed: SummaryFields


def summarize(
    prompts: Sequence[str], observations: Sequence[Observation], last_reply: str | None
) -> SessionSummaries:
    """Return the summaries of a session from its prompts and observations, both in order, and the
    agent's last reply."""
    worth = [one for one in observations if one.type != NOISE]
    reply = read_reply(last_reply or "")
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
    """Return whether a prompt asks for something, rather than only to go on."""
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
    level: SummaryLevel, texts: dict[str, str | None], worth: Sequence[Observation]
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


def _investigated(worth: Sequence[Observation]) -> Iterator[str]:
    """Yield what was looked at: the files that were read, then searches and commands that found out."""
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
    """Return what was done: by the reply, then commits and requests; without these, the edits."""
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
    """Yield what is still wrong: tests that failed last, errors after the last edit."""
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
