"""What a reply says for the summary of its session: what was learned, decided and done, what is left,
and what it asks; English and Chinese, by the headings, labels and words of its lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...records.dataclasses import dataclass, field
from ...text.language.blocks import LEADING_LEVEL, Block, Sentence, blocks_of, plain
from ...text.language.phrases import asks_something, gave_up
from ...text.language.scripts import has_unspaced, is_unspaced
from ...text.language.sentences import split_sentences
from ...text.truncation import shortened
from ..rules.own_words import own_words
from ..rules.sentence_patterns import INSTRUCTION, REQUESTED
from . import patterns

LINE = 300
"""Characters of a line."""
LINES = 12
"""Lines of a field that are taken from one reply."""
LONGEST_HEADING = 60
"""Characters of a heading that tells what stands under it; a longer one is a sentence."""
LAST = 300
"""Characters of a reply's end in which it asks for leave, and of its beginning in which it names a plan."""
FENCED_LINES = 2
CLOSING = 3
"""Sentences at a reply's end in which it offers what it would do next, or asks for a choice."""
SHORT_QUESTION = 8
"""Words of a question that says too little by itself ("Want me to commit this?")."""
ANSWERS = 2
"""Sentences that are taken for the answer to a question."""


@dataclass(slots=True)
class SummaryLines:
    """Lines of a summary by what they say, each field in the order in which they were said.

    `questions` wait for the user's answer.
    """

    learned: list[str] = field(default_factory=list)
    decided: list[str] = field(default_factory=list)
    completed: list[str] = field(default_factory=list)
    next_steps: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)


def read_reply(text: str, prompt: str = "") -> SummaryLines:
    """Return the lines of a reply to a `prompt`, those that say nothing left out."""
    lines = SummaryLines()
    answer: list[str] = []
    options: list[str] = []
    is_proposal = patterns.ASKS_LEAVE.search(text[-LAST:].strip()) is not None
    is_plan = patterns.PLANS.search(text[:LAST]) is not None
    said = [*_lines_of(text)]
    is_asked = patterns.ASKED.search(prompt.strip()) is not None and not REQUESTED.search(prompt.strip())
    is_told = is_asked or any(patterns.READ_ALOUD.match(name) for line in said for name in line.path)
    closing = set(map(id, [line for line in said if not line.is_bullet][-CLOSING:]))
    for line in said:
        named = next((name for name in (line.heading, line.text) if patterns.OPTION.match(name)), None)
        if named and not patterns.ASKS.search(line.text):
            options += [named] if named not in options else []
            continue
        placed = _place(line, lines, is_closing=id(line) in closing)
        if is_proposal and placed and _is_proposed(line, placed[0], lines):
            placed = None
        if is_plan and placed and placed[0] is lines.completed and line.is_bullet:
            continue
        if placed is None:
            if len(answer) < ANSWERS and _may_answer(line):
                answer.append(_shown(line.text))
            continue
        place, words = placed
        if place is lines.decided and (is_told or patterns.CITED.search(words)):
            # Who tells what was decided decides nothing.
            if not is_asked:
                continue
            place = lines.learned
        shown = _shown(words)
        if shown and shown not in place and len(place) < LINES:
            place.append(shown)
    if is_asked and not lines.learned and not lines.completed:
        lines.learned += [word for word in answer if word]
    if said and not said[-1].is_bullet and patterns.INTENT.match(said[-1].text):
        broken = said[-1].text.rstrip(":：")
        lines.questions.append(f"中断：{broken}" if has_unspaced(broken) else f"Broke off: {broken}")
    if lines.questions and (about := _about(lines.questions[-1], options, prompt)):
        lines.questions[-1] = shortened(f"{lines.questions[-1]} ({about})", LINE)
    return lines


def _about(question: str, options: list[str], prompt: str) -> str:
    """Return what a question leaves unsaid: the options between which it asks to choose, else, of a short
    one, what was asked for; "" for nothing."""
    if any(option in question for option in options):
        return ""
    if options:
        return "; ".join(shortened(item, 80) for item in options[:4])
    is_short = len(patterns.WORD.findall(question)) <= SHORT_QUESTION and not patterns.NAMED.search(
        question
    )
    return shortened(plain(own_words(prompt)), 120) if is_short and asks_something(prompt) else ""


def _is_proposed(line: Sentence, place: list[str], lines: SummaryLines) -> bool:
    """Whether a line of a reply that waits for leave tells what would be done or decided."""
    if place is lines.completed:
        return patterns.DONE.match(line.text) is None
    return place is lines.decided or (place is lines.next_steps and line.is_bullet)


def _lines_of(text: str) -> Iterator[Sentence]:
    """Yield the sentences and bullets of a reply, what leads to a list or to a fence with what it leads
    to, as far as there is room."""
    blocks = blocks_of(text)
    joined = set[int]()
    for at, block in enumerate(blocks):
        if at in joined:
            continue
        if block.kind == "paragraph":
            *parts, last = split_sentences(block.text) or [""]
            for name in parts:
                yield Sentence(name, block.path)
            block = Block("paragraph", last, block.path)
        if block.kind == "heading" and (block.level != LEADING_LEVEL or not _is_long(block.text)):
            continue
        if block.kind not in ("paragraph", "bullet", "heading"):
            continue
        said, is_lead = block.text, block.kind == "heading" or block.text.endswith((":", "："))
        if is_lead:
            said = said.rstrip(":：") + ":"
            for place, child in _children(blocks, at):
                part = f"{' ' if said.endswith(':') else '; '}{child}"
                if len(said) + len(part) > LINE:
                    break
                said += part
                joined.add(place)
        yield Sentence(said, block.path, block.kind == "bullet", block.level)


def _is_long(text: str) -> bool:
    return len(text.split()) > 3 or sum(map(is_unspaced, text)) > 6


def _children(blocks: list[Block], at: int) -> Iterator[tuple[int, str]]:
    """Yield the places and texts of what a lead leads to, where it says something that they belong to:
    the beginning of the fence under it, or the bullets."""
    lead = blocks[at]
    text = lead.text.rstrip(":：")
    is_offer = patterns.OFFERS.search(text) is not None
    if not is_offer and (_is_next_heading(text) or patterns.PROPOSAL.search(text) or not _is_long(text)):
        return
    below = blocks[at + 1] if at + 1 < len(blocks) else None
    if below is not None and below.kind == "fence":
        lines = [line.strip() for line in below.text.splitlines() if line.strip()]
        if lines:
            yield at + 1, shortened(" · ".join(lines[:FENCED_LINES]), LINE // 2)
        return
    if (
        not is_offer
        and not any(
            pattern.search(text)
            for pattern in (
                patterns.DONE,
                patterns.CAUSE,
                patterns.LEARNED,
                patterns.DECIDED,
                patterns.NEXT,
            )
        )
    ) or patterns.EMPTY.match(text):
        return
    depth = lead.level if lead.kind == "bullet" else -1
    for place in range(at + 1, len(blocks)):
        child = blocks[place]
        if child.kind != "bullet" or child.level <= depth:
            return
        yield place, child.text.rstrip(".。:：")


def is_cause(line: str) -> bool:
    """Return whether a line says why something is or was so."""
    return patterns.CAUSE.search(line) is not None or patterns.LEARNED_LABEL.match(line) is not None


def is_decision(line: str) -> bool:
    """Return whether a line says itself that it is a decision."""
    return patterns.DECIDED.search(line) is not None or patterns.DECIDED_LABEL.match(line) is not None


def is_lasting(line: str) -> bool:
    """Return whether a line tells a cause or a decision, which a summary keeps longest."""
    return is_cause(line) or is_decision(line)


def is_trivial(line: str) -> bool:
    """Return whether a line says that it is done, but not what ("All tests pass.")."""
    return patterns.TRIVIAL.search(line) is not None


def _place(line: Sentence, lines: SummaryLines, *, is_closing: bool) -> tuple[list[str], str] | None:
    """Return the field that a line belongs to, and what of it; None where it belongs to none."""
    text = line.text
    if shown := patterns.SHOWN.match(text):
        # What is shown stands in a fence under it; "Here is what I did:" says nothing itself.
        rest = text[shown.end() :]
        return (lines.completed, rest) if ": " in rest else None
    if patterns.EMPTY.match(text) or patterns.QUOTED.match(text):
        return None
    is_asked = patterns.ASKS.search(text) is not None
    if is_closing and (patterns.OFFERS.search(text) or (is_asked and patterns.CHOICE.search(text))):
        return lines.questions, text
    if is_asked:
        return None
    if label := patterns.NEXT_LABEL.match(text):
        rest = text[label.end() :]
        return (lines.next_steps, rest) if is_step(rest) else None
    is_proposed = any(map(patterns.PROPOSAL.search, line.path))
    if patterns.DECIDED_LABEL.match(text):
        return None if is_proposed else (lines.decided, text)
    if patterns.LEARNED_LABEL.match(text):
        return lines.learned, text
    if is_proposed:
        return None
    is_left, is_under = _is_left(text), any(map(_is_next_heading, line.path))
    if is_under:
        is_left = is_left or line.is_bullet or INSTRUCTION.match(text) is not None
    elif patterns.DONE.match(text) and not patterns.NEXT.match(text):
        is_left = False
    if is_left:
        # One clause may say what is done, or offer to do what another says is left.
        clauses = patterns.CLAUSE.split(text)
        said = clauses[0] if is_under else next(filter(patterns.NEXT.search, clauses), text)
        return (lines.next_steps, text) if is_step(said) else None
    return None if is_under else _said(line, lines)


def _is_left(text: str) -> bool:
    """Whether a sentence says that something is left, rather than what holds by default or in some case."""
    left = patterns.NEXT.search(text)
    if left is None or patterns.STATE.search(text):
        return False
    return not patterns.CONDITION.search(text[: left.start()])


def _is_next_heading(heading: str) -> bool:
    return (
        0 < len(heading) <= LONGEST_HEADING
        and patterns.NEXT_HEADING.search(patterns.CODE.sub("", heading)) is not None
        and not patterns.DONE.match(heading)
    )


def _said(line: Sentence, lines: SummaryLines) -> tuple[list[str], str] | None:
    text, heading = line.text, line.heading
    begins_done = patterns.DONE.match(text) is not None
    if text.endswith((":", "：")) and not begins_done:
        return None
    if patterns.DECIDED_HEADING.search(heading):
        return lines.decided, text
    if patterns.DECIDED.search(text) and not patterns.SUPPOSED.search(text):
        return lines.decided, text
    if gave_up(text):
        return lines.learned, text
    if _is_done(text) and not (line.is_bullet and text[0].islower()):
        is_finding = patterns.LEARNED_HEADING.search(heading) and not begins_done
        return (lines.learned if is_finding else lines.completed), text
    if patterns.SUPPOSED.search(text) and not patterns.CAUSE.search(text):
        return None
    if any(
        pattern.search(text) for pattern in (patterns.CAUSE, patterns.LEARNED, patterns.CHOSEN)
    ) or patterns.LEARNED_HEADING.search(heading):
        return lines.learned, text
    if line.is_bullet and not patterns.SUPPOSED.search(text):
        return _item(text, heading, lines)
    return None


def _item(text: str, heading: str, lines: SummaryLines) -> tuple[list[str], str] | None:
    """Place an item of a list of what was done: as it is where it says so, else after its heading."""
    does = patterns.DONE.match(heading)
    if patterns.ACTED.match(text) and (does or patterns.DONE_HEADING.search(heading)):
        return lines.completed, text
    if does and (patterns.PLACED.match(text) or len(heading.split()) == 1):
        return lines.completed, f"{heading}: {text}"
    is_placed = patterns.DONE_HEADING.search(heading) and patterns.PLACED.match(text)
    return (lines.completed, text) if is_placed else None


def is_step(text: str) -> bool:
    """Return whether a text says what to do, rather than a piece of a sentence."""
    words = patterns.WORD.findall(patterns.CODE.sub(" ", text))
    return (
        len(words) >= 2
        and not text.rstrip().endswith((":", "：", ",", "，"))
        and not patterns.ASKS.search(text)
        and not patterns.OFFERED.search(text)
        and not (
            patterns.ACTED.match(text) or patterns.MARKED_DONE.search(text) or patterns.LABELLED.match(text)
        )
        and re.match(
            r"(?i)(?:and|or|but|if|none|n/a|nothing|(?:one |a )?(?:caveat|note|limitation)"
            r"|there (?:are|were) no|无|没有)\b",
            text,
        )
        is None
    )


def _may_answer(line: Sentence) -> bool:
    text = line.text
    return (
        not line.is_bullet
        and len(patterns.WORD.findall(text)) >= 4
        and not (patterns.EMPTY.match(text) or patterns.ASKS.search(text) or patterns.NEXT.search(text))
        and not text.endswith((":", "："))
    )


def _is_done(text: str) -> bool:
    done = patterns.DONE.search(text)
    return done is not None and not patterns.NOT_DONE.search(text[: done.end()])


def _shown(text: str) -> str:
    rest = patterns.GREETING.sub("", text)
    if rest != text and patterns.GOES_ON.match(rest):
        return ""
    if rest != text and rest.partition(" ")[0].isalpha():
        rest = rest[:1].upper() + rest[1:]
    text = rest.rstrip(":：").strip()
    is_empty = len(text) < 4 or patterns.EMPTY.match(text) or patterns.UNENDED.search(text)
    return "" if is_empty else shortened(text, LINE)
