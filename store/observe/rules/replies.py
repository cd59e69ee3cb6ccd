"""What an agent says becomes an observation where it explains, finds, decides, plans or answers; talk
about what it is about to do ("Let me look at …", "Done.", 好的，我来看看) does not.

`reply_fields(text, prompt, is_final=...)` is for the words that end a turn, and for those between its
tool calls, of which more has to be said to count. Long code is folded; options, verdicts, open questions,
and what stands in a short fence are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TypedDict

from ...records.dataclasses import dataclass, replace
from ...text.language.blocks import LEADING_LEVEL, Block, blocks_of, plain
from ...text.language.scripts import size_of
from ...text.language.sentences import split_sentences
from ...text.late_pattern import late_pattern
from ...text.truncation import shortened
from . import sentence_patterns as patterns

LONGEST = 3_000
"""Characters that are kept of a reply which ends a turn."""
LONGEST_REMARK = 1_200
"""Characters that are kept of what is said between tool calls."""
TELLS = 0.7
"""The weight of a sentence that tells more than the heading of a list."""
TITLE = 70
"""Characters of a title; a longer sentence is cut, where it can be, at the end of a clause."""
CLAUSE = late_pattern(
    r".*\S(?=(?:\s[—–-]|[,;:]|\s\((?=\w)|[，；：])\s?|\s(?:so|which|where|because|since|while) )"
)

CODE_LINES, PLAIN_LINES, FENCE_CHARACTERS = 8, 40, 1_600
"""Lines of a fence that are kept: of code, and of commands, values, messages; and characters of either."""
FOLDED_LINES = 3
CODE_LANGUAGES = frozenset(
    "py python js javascript jsx ts typescript tsx go rust rs java kotlin kt swift c cpp c++ h cs csharp "
    "rb ruby php scala lua perl r html css scss vue svelte diff patch".split()
)

SHORTEST, SHORTEST_REMARK = 25, 45
"""A reply has to say so much, in characters, of which a Chinese one counts double."""
TELLING = 50
"""What says so much without chatter is kept, whatever it is about, where it ends a turn."""


class ReplyFields(TypedDict):
    """The fields of the observation of a reply, by their columns."""

    type: str
    title: str
    narrative: str | None


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence, bullet or row that says something, and where it stands."""

    text: str
    block: Block


def reply_fields(text: str, prompt: str = "", *, is_final: bool = True) -> ReplyFields | None:
    """Return the fields of the observation of what an agent said in answer to `prompt`; None where it is
    chatter. `is_final`: the words end the turn."""
    blocks = [*_told(blocks_of(text))]
    sentences = [*_said(blocks)]
    if not _says_something(sentences, blocks, is_final, prompt):
        return None
    kind = _type_of(sentences, blocks, prompt, is_final)
    decided = [item for item in sentences if _decides(item)] if kind == "decision" else []
    title = _title(decided or sentences, blocks)
    narrative = _rendered(blocks, LONGEST if is_final else LONGEST_REMARK)
    return ReplyFields(type=kind, title=title, narrative=None if _titled(narrative) == title else narrative)


def is_chatter(sentence: str) -> bool:
    """Return whether a sentence says nothing but what is about to be done, or that all is well."""
    rest = patterns.OPENING.sub("", sentence).strip()
    if not rest or patterns.BARE.match(rest):
        return True
    return bool(patterns.CHATTER.match(rest)) and not patterns.FOUND_FIRST.search(rest)


def _told(blocks: Iterable[Block]) -> Iterable[Block]:
    """Yield the blocks without sentences of chatter."""
    for block in blocks:
        if block.kind == "paragraph":
            lines = []
            for line in block.text.split("\n"):
                kept = [
                    patterns.TAIL.sub("", patterns.OPENING.sub("", sentence)).rstrip() or sentence
                    for sentence in split_sentences(line)
                    if not is_chatter(sentence)
                ]
                if kept:
                    lines.append(" ".join(kept))
            if lines:
                yield replace(block, text="\n".join(lines))
        elif not (_is_lone(block) and is_chatter(block.text)):
            yield block


def _is_lone(block: Block) -> bool:
    """Whether a block is a bullet under no heading, or leads to something."""
    return block.level == LEADING_LEVEL or (block.kind == "bullet" and not block.path)


def _said(blocks: Sequence[Block]) -> Iterable[_Said]:
    for block in blocks:
        if block.kind == "paragraph":
            for sentence in split_sentences(block.text):
                yield _Said(sentence, block)
        elif _states(block):
            is_row = block.kind == "row"
            yield _Said(block.text.replace(" | ", ": ", 1) if is_row else block.text, block)


def _states(block: Block) -> bool:
    """Whether a bullet, a row or a leading line of some words says something by itself."""
    if block.level == LEADING_LEVEL:
        return len(block.text.split()) > 3 or size_of(block.text) > 24
    if block.kind == "heading":
        return bool(patterns.VERDICT.match(block.text))
    return block.kind == "bullet" or (block.kind == "row" and not block.level)


def _says_something(
    sentences: Sequence[_Said], blocks: Sequence[Block], is_final: bool, prompt: str
) -> bool:
    size = sum(size_of(item.text) for item in sentences)
    fenced = sum(len(block.text) for block in blocks if block.kind == "fence")
    if not is_final:
        return size >= SHORTEST_REMARK and any(
            patterns.FINDING.search(entry.text)
            or (
                patterns.SPECIFIC.search(entry.text)
                and (patterns.STATED.search(entry.text) or _advises(entry.text))
            )
            for entry in sentences
            if not patterns.ASKS.search(entry.text) and not patterns.INSTRUCTION.match(entry.text)
        )
    if size + fenced < SHORTEST:
        return False
    if _asks(prompt):
        return True
    return fenced > 0 or size >= TELLING or any(
        patterns.SPECIFIC.search(sentence.text) or patterns.FINDING.search(sentence.text)
        or _advises(sentence.text) or patterns.ASKS.search(sentence.text)
        for sentence in sentences
    )  # fmt: skip


def _type_of(sentences: Sequence[_Said], blocks: Sequence[Block], prompt: str, is_final: bool) -> str:
    texts = [item.text for item in sentences]
    headings = [block.text for block in blocks if block.kind == "heading"]
    listed = sum(1 for block in blocks if block.kind == "bullet")
    asks_back = any(patterns.ASKS.search(text) for text in texts[-2:])
    done = sum(1 for text in texts if patterns.REPORTED.search(text))
    if is_final and (
        _options(blocks) or (listed > 1 and asks_back and _is_about(patterns.PLANNED, headings))
    ):
        return "plan"
    if is_final and (done * 3 > len(texts) or patterns.REPORTED.search(texts[0] if texts else "")):
        return "change"
    if listed > 2 and _is_about(patterns.PLANNED, headings[:2]) and not done:
        return "plan"
    if any(map(_decides, sentences)):
        return "decision"
    if is_final and _asks(prompt):
        return "answer"
    return "finding"


def _decides(item: _Said) -> bool:
    """Whether a sentence decides, rather than advises or tells what a test expects."""
    decides = patterns.DECIDED.search(item.text)
    return (
        decides is not None
        and "should" not in item.text[: decides.start()]
        and patterns.ADVICE.search(item.text) is None
        and not patterns.ASKS.search(item.text)
        and not (item.block.kind == "bullet" and patterns.EXPECTED.search(item.block.heading))
    )


def _advises(text: str) -> bool:
    """Whether a sentence says what was chosen, or what the agent would choose."""
    return bool(patterns.DECIDED.search(text) or patterns.ADVICE.search(text))


def _asks(prompt: str) -> bool:
    """Whether a prompt asks to be told something."""
    opening = prompt.strip()[:400]
    return bool(patterns.ASKED.search(opening)) and not patterns.REQUESTED.search(opening)


def _is_about(pattern: re.Pattern[str], texts: Iterable[str]) -> bool:
    return any(pattern.search(text) for text in texts)


def _options(blocks: Sequence[Block]) -> list[str]:
    """Return the names of the options that a reply offers, at least two; [] for none."""
    named = [block.lead if patterns.OPTION.match(block.lead) else block.text for block in blocks]
    options = [
        patterns.OPTION.sub("", name).split("\n")[0] for name in named if patterns.OPTION.match(name)
    ]
    return options if len(options) > 1 else []


def _title(sentences: Sequence[_Said], blocks: Sequence[Block]) -> str:
    """Return what a reply says in a line: its options, else its most telling sentence."""
    if options := _options(blocks):
        room = max(24, (TITLE - 10) // len(options))
        return shortened("Options: " + "; ".join(shortened(option, room) for option in options), TITLE)
    best = max(
        ((_weight(item, place), -place, item.text) for place, item in enumerate(sentences)), default=None
    )
    headings = [block.text for block in blocks if block.kind == "heading" and block.text]
    listed = sum(block.kind in ("bullet", "row") and _states(block) for block in blocks)
    if best and best[0] < TELLS and headings and listed > 1:
        return _cut(f"{_titled(headings[0])}: {listed} items")
    if best and best[0] > 0:
        leads = "".join(_first_line(blocks, best[2]))
        return _cut(_titled(best[2]) + leads)
    for block in blocks:
        if block.kind == "fence":
            first = next(line.strip() for line in block.text.splitlines() if line.strip())
            about = patterns.LEAD_IN.sub("", block.heading).strip(" :：")
            return _cut(_titled(f"{about}: {first}" if about else first))
    text = best[2] if best else blocks[0].text
    return _cut(_titled(text))


def _cut(text: str) -> str:
    """Return a title of at most `TITLE` characters, cut at the end of a clause where one is long enough."""
    clause = CLAUSE.match(text[: TITLE + 1]) if len(text) > TITLE else None
    is_enough = clause is not None and len(clause[0]) > TITLE // 2
    return f"{clause[0][: TITLE - 1]}…" if clause and is_enough else shortened(text, TITLE)


def _first_line(blocks: Sequence[Block], leading: str) -> Iterable[str]:
    """Yield the first line of the fence or list that a line leads to, after a colon."""
    for before, block in pairwise(blocks):
        if before.text.endswith(leading) and block.kind in ("fence", "bullet") and _leads(before, leading):
            yield f": {next(line.strip() for line in block.text.splitlines() if line.strip())}"
            return


def _leads(block: Block, text: str) -> bool:
    return block.level == LEADING_LEVEL or text.endswith((":", "："))


def _weight(item: _Said, place: int) -> float:
    """How much a sentence tells; the earlier of two equal ones is taken."""
    text = item.text
    if patterns.LEAD_IN.match(text) or len(text) < 12 or patterns.ASKS.search(text):
        return -1
    if item.block.kind == "row" or text.startswith("/"):
        return 0
    weight = 3.0 * bool(patterns.CAUSE.search(text)) + 2.0 * _advises(text)
    weight += 4.0 * bool(patterns.VERDICT.match(text))
    weight += 1.0 * bool(patterns.FINDING.search(text)) + 0.7 * bool(patterns.SPECIFIC.search(text))
    weight += 0.5 * (item.block.kind == "paragraph") + 0.4 * bool(patterns.REPORTED.search(text))
    weight += 0.3 * (len(text) <= TITLE + 1) - 1.0 * (text.startswith(("Because", "Ready")))
    weight -= 0.5 * bool(patterns.BARE.match(text)) + 0.4 * (len(text) > 300)
    weight -= 2.0 * (text.endswith((":", "：")) or item.block.level == LEADING_LEVEL)
    if patterns.INSTRUCTION.match(text):
        weight -= 1.5
    return weight + 1.2 * (place == 0 and (len(text) > 50 or bool(patterns.SPECIFIC.search(text))))


def _titled(text: str) -> str:
    text = plain(patterns.OPENING.sub("", text)).strip(" -–—•*").rstrip(".。:：")
    # A name in code keeps its small letter.
    return (text[:1].upper() + text[1:]).replace("`", "")


def _rendered(blocks: Sequence[Block], size: int) -> str:
    """Return the blocks as lines, code folded; of a long reply its beginning and its end."""
    parts = [_shown(block) for block in blocks]
    if sum(map(len, parts)) + len(parts) <= size:
        return "\n".join(parts)
    head, tail = list[str](), list[str]()
    room, end = size * 2 // 3, size - size * 2 // 3 - 8
    for place, part in enumerate(parts):
        if len(part) > room:
            head.append(shortened(part, room) if room > 80 else "")
            parts = parts[place + 1 :]
            break
        head.append(part)
        room -= len(part) + 1
    for part in reversed(parts):
        if len(part) > end:
            break
        tail.append(part)
        end -= len(part) + 1
    return "\n".join([*filter(None, head), "…", *reversed(tail)])


def _shown(block: Block) -> str:
    if block.kind == "heading":
        return f"{block.number}{'. ' if block.number else ''}{block.text}:"
    if block.kind == "bullet":
        sign = f"{block.number}." if block.number else "-"
        box = "" if block.is_checked is None else "[x] " if block.is_checked else "[ ] "
        return f"{'  ' * block.level}{sign} {box}{block.text}"
    if block.kind == "fence":
        return _folded(block)
    return f"> {block.text}" if block.kind == "quote" else block.text


def _folded(block: Block) -> str:
    """Return a fence's text: commands, values and messages whole, long code by its first lines."""
    lines = block.text.splitlines()
    is_code = block.language.lower() in CODE_LANGUAGES
    most = CODE_LINES if is_code else PLAIN_LINES
    if len(lines) <= most and len(block.text) <= FENCE_CHARACTERS:
        return block.text
    kept = lines[: FOLDED_LINES if is_code else most]
    text = shortened("\n".join(kept), FENCE_CHARACTERS)
    return f"{text}\n… ({len(lines):,} lines{f' of {block.language}' if is_code else ''})"
