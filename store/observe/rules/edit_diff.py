"""The diff of an edit, and the names that a text defines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher, unified_diff
from itertools import groupby
from typing import Any

from ...records.dataclasses import dataclass, replace
from ...text.late_pattern import late_pattern
from ...text.truncation import shortened
from . import tools
from .tools import ParsedToolUse

COMPARED = 200
"""Lines a side up to which two texts are compared line by line; beyond it all count as changed."""

UNIFIED = 2_000
"""Lines a side up to which a diff is made; beyond it all count as changed."""

LONGEST_REST = 1_000
"""Characters up to which the rest of a line is told of which an edit changed a part."""

AROUND_CHANGES = 3
"""Lines that a diff shows before and after a change."""

FOLDED = 2
"""Lines that are told of so many removed ones together, where a diff is cut."""

KEPT = 200
"""Characters that are told of what was kept of a conflict."""

AROUND = 6_000
"""Characters before an edit that are searched for the function or heading around it."""

DEFINES = late_pattern(
    r"^[ \t]*(?:(?:export|default|public|private|protected|internal|static|async|abstract|final"
    r"|pub(?:\(\w+\))?|const|override|inline|unsafe|extern|sealed|partial|data|open|suspend)[ \t]+)*"
    r"(?:def|class|func|function\*?|fn|interface|type|struct|enum|trait|protocol|object|module|namespace"
    r"|record"
    r"|macro_rules!|CREATE TABLE(?: IF NOT EXISTS)?)[ \t]+"
    r"(?:\([^()\n]{0,80}\)[ \t]*)?[\"`]?([A-Za-z_\u0080-\uffff][\w$]*)"
    r"|^[ \t]*(?:export[ \t]+)?(?:const|let|var)[ \t]+([A-Za-z_$][\w$]*)[ \t]*=[ \t]*"
    r"(?:async[ \t]*)?(?:\(|function)",
    re.MULTILINE,
)
CONFLICT = late_pattern(
    r"^<{7}(?: (?P<ours>.{1,80}))?\n(?P<first>(?:(?!={7}|\|{7}).*\n)*)(?:\|{7}.*\n(?:(?!={7}).*\n)*)?"
    r"={7}\n(?P<second>(?:(?!>{7}).*\n)*)>{7}(?: (?P<theirs>.{1,80}))?(?:\n|\Z)",
    re.MULTILINE,
)
HUNK = late_pattern(r"^@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@")
HEADING = late_pattern(r"^#{1,4}[ \t]+(.{1,80}?)[ \t#]*$", re.MULTILINE)
DATA = (
    ".mod",
    ".toml",
    ".json",
    ".jsonl",
    ".yaml",
    ".yml",
    ".lock",
    ".txt",
    ".ini",
    ".csv",
    ".log",
    ".sum",
)
TELLING = late_pattern(
    r"^\s*(?:#(?!\s*(?:type|noqa|pylint))|//|/\*|\*\s|--\s|<!--|\"\"\")\s*\S|^\s*(?:return|raise|throw|case"
    r"|if|elif|else if|const|export|assert)\b|[\"'`][^\"'`]{12,}[\"'`]|\s[:=]=?\s*[\"'`\d]"
)
"""A line that says what it is for or what comes of it: a comment, a condition, a value, a text."""
ALONE = late_pattern(r"[a-z]+\Z")
GOES_ON = late_pattern(r"[a-z][\w',;.-]* (?!:)[^=({\[]*[.,;]\Z|[a-z][\w'-]*[,;.] ")
"""How a line goes on, or ends, that begins within a sentence."""
PROSE = (".md", ".mdx", ".rst", ".markdown")


@dataclass(frozen=True, slots=True)
class EditDiff:
    """The changed lines of an edit, each with its sign (`+ ` or `- `), and how many were added
    and removed."""

    lines: tuple[str, ...]
    added: int
    removed: int

    @property
    def text(self) -> str:
        """The lines, joined; under `@@` where all have the same sign, or they would be a list."""
        above = () if self.added and self.removed else ("@@",)
        return "\n".join((*above, *self.lines))

    def told(self, longest: int) -> str:
        """Return the lines; where they are longer than so many characters, of removed lines that stand
        together the first, then the beginning and the end, and between them the new lines that say
        most."""
        if len(self.text) <= longest:
            return self.text
        text = replace(self, lines=tuple(_folded(self.lines))).text
        if len(text) <= longest:
            return text
        head, tail = longest * 5 // 8, longest // 4
        room = longest - head - tail - 8
        telling: list[str] = []
        for line in text[head : len(text) - tail].split("\n")[1:-1]:
            if len(line) < room and line.startswith("+ ") and TELLING.search(line[2:]):
                telling.append(line)
                room -= len(line) + 1
        between = "".join(f"{line}\n" for line in (["…", *telling] if telling else []))
        # What goes on within a line begins with the ellipsis, or it would be no line of a diff.
        gap = "…\n" if text[-tail - 1] == "\n" else "…"
        return f"{text[:head].rstrip()}\n{between}{gap}{text[-tail:]}"

    @property
    def counts(self) -> str:
        """The counts in words: `12 lines added, 3 removed`; "" where nothing changed."""
        parts = []
        if self.added:
            parts.append(f"{self.added} line{'s' * (self.added != 1)} added")
        if self.removed:
            parts.append(
                f"{self.removed} removed"
                if parts
                else f"{self.removed} line{'s' * (self.removed != 1)} removed"
            )
        return ", ".join(parts)


def diff_of(use: ParsedToolUse) -> EditDiff:
    """Return the diff of an edit, as far as its input holds it."""
    lines: list[str] = []
    for before, after in edits_in(use.given):
        lines += _compared(*map(str.splitlines, _with_whole_lines(before, after, use.original)))
    if not lines:
        lines = list(_patched(use.given))
    added = sum(1 for line in lines if line.startswith("+"))
    return EditDiff(tuple(lines), added, sum(1 for line in lines if line.startswith("-")))


def _with_whole_lines(before: str, after: str, original: str) -> tuple[str, str]:
    """Return the texts before and after a change with the rest of the lines in which it begins and ends,
    where the file is known that it was made to."""
    place = original.find(before) if before else -1
    if place < 0:
        return before, after
    end = place + len(before)
    head = original[original.rfind("\n", 0, place) + 1 : place]
    tail = original[end:].partition("\n")[0]
    if len(head) + len(tail) > LONGEST_REST:
        return before, after
    return f"{head}{before}{tail}", f"{head}{after}{tail}"


def unified_diff_of(use: ParsedToolUse) -> str:
    """Return the diff of an edit with the lines around what changed, as far as its input holds them, under
    the file's name; of a patch the patch. "" where the input tells no change."""
    path = next(iter(use.named(use.paths)), "")
    pieces = []
    for before, after in edits_in(use.given):
        place = use.original.find(before) if before else 0
        first = use.original.count("\n", 0, place) if place >= 0 else None
        old, new = before.splitlines(), after.splitlines()
        if max(len(old), len(new)) > UNIFIED:
            lines = ["@@", *(f"-{line}" for line in old), *(f"+{line}" for line in new)]
        else:
            lines = [*unified_diff(old, new, n=AROUND_CHANGES, lineterm="")][2:]
        pieces += [_moved(line, first) for line in lines]
    if pieces:
        return "\n".join((f"--- {path}", f"+++ {path}", *pieces))
    return next(iter(patches_in(use.given)), "")


def conflicts_of(use: ParsedToolUse) -> list[str]:
    """Return how an edit resolved merge conflicts, where it kept one side or both as they were:
    `conflict resolved: kept HEAD, dropped main: port = 8080`, with the beginning of what was kept."""
    conflicts: dict[str, None] = {}
    for before, after in edits_in(use.given):
        conflict = CONFLICT.search(before)
        if not conflict or CONFLICT.search(after):
            continue
        ours, theirs = conflict["ours"] or "our side", conflict["theirs"] or "their side"
        sides = {
            f"kept {ours}, dropped {theirs}": r"\g<first>",
            f"kept {theirs}, dropped {ours}": r"\g<second>",
            "kept both sides": r"\g<first>\g<second>",
        }
        for how, kept in sides.items():
            if CONFLICT.sub(kept, before).split() == after.split():
                lines = " ".join(conflict.expand(kept).split())
                what = shortened(lines, KEPT)
                conflicts[f"conflict resolved: {how}{': ' if what else ''}{what}"] = None
                break
    return list(conflicts)


def names_changed(use: ParsedToolUse, diff: EditDiff, path: str) -> tuple[list[str], str]:
    """Return the names that the changed lines define, and ""; else the name of the definition around them,
    if it is known, and the line that says most."""
    if changed := names_in("\n".join(line[2:] for line in diff.lines if line[:1] in ("+", "-")), path):
        return changed, ""
    around: list[str] = []
    for before, _ in edits_in(use.given):
        place = use.original.find(before) if before else 0
        above = use.original[max(0, place - AROUND) : max(0, place)]
        if around := names_in(before, path)[-1:] or names_in(above, path, limit=1_000)[-1:]:
            break
    return around, _telling_line(diff)


def _telling_line(diff: EditDiff) -> str:
    """Return the changed line that says most, without signs of comments and lists: of those that came, the
    first that says what it is for, else the first; of those that went, where none came, with their sign."""
    bare = {line: " ".join(line[1:].strip(" \t#/*<!->;,{`|").split()) for line in diff.lines}
    told = [
        line for line, text in bare.items() if sum(map(str.isalnum, text)) > 3 and not ALONE.match(text)
    ]
    lines = [line for line in told if line[0] == "+"] or [line for line in told if line[0] == "-"]
    lines = [line for line in lines if not GOES_ON.match(bare[line])] or lines
    telling = next((line for line in lines if TELLING.search(line[2:])), lines[0] if lines else "")
    return f"- {bare[telling]}" if telling[:1] == "-" else bare.get(telling, "")


def written_content(use: ParsedToolUse) -> str:
    """Return the content that a tool wrote into a file."""
    return tools.first_text(use.given, tools.CONTENT)


def names_in(text: str, path: str = "", limit: int = 30) -> list[str]:
    """Return the names that a text defines, in order: functions and types of code, headings of prose."""
    if path.lower().endswith(DATA):
        return []
    if path.lower().endswith(PROSE):
        results = (match[1] for match in HEADING.finditer(text))
    else:
        results = (match[1] or match[2] for match in DEFINES.finditer(text))
    names: dict[str, None] = {}
    for name in results:
        names[name] = None
        if len(names) == limit:
            break
    return list(names)


OUTLINED = 16_000
"""Characters of a read file that are searched for names."""
NUMBER = late_pattern(r"^[ \t]*L?\d{1,7}(?:→|\t|\| ?|: ?)")
AROUND_FILE = late_pattern(
    r"\A\s*(?:<path>[^<\n]*</path>\s*<type>\w+</type>\s*<content>|<file>)\r?\n?"
    r"|\s{0,8}(?:\((?:End of file|File has more lines|Output capped)[^\n]*\)\s*)?</(?:content|file)>\s*\Z"
)


def names_read(text: str, path: str) -> list[str]:
    """Return the names that a file defines, of which an agent's tool printed the text."""
    return names_in(unnumbered(text[:OUTLINED]), path)


def unnumbered(text: str) -> str:
    """Return a file's text without what agents put around it, and without their numbers of its lines."""
    text = AROUND_FILE.sub("", text)
    first, *others = text.splitlines() or [""]
    # The last one may be cut within its number.
    if all(map(NUMBER.match, (first, *others[:-1]))):
        return "\n".join(NUMBER.sub("", line) for line in (first, *others))
    return text


def edits_in(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the texts before and after each change that the input of an edit tells, "" for none."""
    listed = given.get("edits") or given.get("replacements") or given.get("ReplacementChunks")
    edits = [item for item in listed if isinstance(item, Mapping)] if isinstance(listed, list) else []
    for edit in (given, *edits):
        before, after = tools.first_text(edit, tools.BEFORE), tools.first_text(edit, tools.AFTER)
        if before or after:
            yield before, after


def _compared(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    before, after = before[start : len(before) - end], after[start : len(after) - end]
    if max(len(before), len(after)) > COMPARED or not before or not after:
        yield from (f"- {line}" for line in before)
        yield from (f"+ {line}" for line in after)
        return
    for what, left, left_end, right, right_end in SequenceMatcher(None, before, after).get_opcodes():
        if what != "equal":
            yield from (f"- {line}" for line in before[left:left_end])
            yield from (f"+ {line}" for line in after[right:right_end])


def _folded(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a diff, of removed ones that stand together the first `FOLDED`."""
    for is_removed, run in groupby(lines, lambda line: line.startswith("- ")):
        together = [*run]
        if is_removed and len(together) > FOLDED + 1:
            yield from together[:FOLDED]
            yield f"… ({len(together) - FOLDED} more removed)"
        else:
            yield from together


def _moved(line: str, lines: int | None) -> str:
    """Return a line of a diff, the numbers of a hunk's so many lines further; without numbers where None
    says that nobody knows on which lines of the file it is."""
    if not (numbers := HUNK.match(line)):
        return line
    if lines is None:
        return "@@"
    old, new = (int(numbers[at]) + lines for at in (1, 3))
    return f"@@ -{old}{numbers[2] or ''} +{new}{numbers[4] or ''} @@"


def patches_in(given: Mapping[str, Any]) -> Iterator[str]:
    """Yield the patches in the input of an edit."""
    for field in tools.PATCHES:
        patch = given.get(field)
        if isinstance(patch, str) and ("*** " in patch or "@@" in patch):
            yield patch


def _patched(given: Mapping[str, Any]) -> Iterator[str]:
    """Yield the changed lines of a patch."""
    for line in next(iter(patches_in(given)), "").splitlines():
        if line[:1] in ("+", "-") and not line.startswith(("+++ ", "--- ")):
            yield f"{line[0]} {line[1:]}"
        elif line.startswith("*** ") and "File: " in line:
            yield line
