"""What texts say twice, or against each other, and what they hide."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ....platform.translation import _
from ....records.dataclasses import dataclass
from ....text.language.folding import words_of
from ....text.language.sketches import Neighbours, sketch
from ....text.redaction import redact
from ..agent_files import AgentFile
from ..markup import masked
from .examined import Examined, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator


LEAST_WORDS = 7
"""Texts of fewer words are too short to be called the same."""
ALIKE = 88.0
"""How alike, in %, two texts are that say the same."""
COMPARED = 20_000
"""Characters of a text that are compared."""
REDACTED = re.compile(r"\[redacted (?P<name>[^\]]+) [0-9a-f]{6}\]")
HIDDEN = re.compile("[\u200b\u2060\u202a-\u202e\u2066-\u2069\U000e0001-\U000e007f]|(?<!^)\ufeff")
FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f")
MERGE = re.compile(r"^(?:<{7} .*|>{7} .*)$", re.MULTILINE)
CONFLICT_COPY = re.compile(r"conflicted copy|sync-conflict|\.orig$", re.IGNORECASE)
CHECKED = ("instruction", "rule", "note", "agentnote", "index")

A_NAME = r"`?(?P<{0}>[A-Za-z@][\w@./+-]*[\w+]|[A-Za-z])`?"
BEGINS = (
    r"(?:(?:^|[.;:!?)]\s+|[-*+]\s+|\*\*)(?:[Aa]lways |[Pp]lease |[Mm]ust )?[Uu]se|\bUse"
    r"|\b(?:[Aa]lways|[Pp]lease|[Mm]ust|[Ss]hould) use) "
)
ENDS = r"(?=\s*(?:$|[.,;:!)*]|—|\bnever\b|\bnot\b|\binstead\b|\brather than\b|\band never\b))"
USE = re.compile(BEGINS + A_NAME.format("name") + ENDS, re.MULTILINE)
NEVER = re.compile(
    r"(?:\b[Nn]ever use|\b[Dd]on'?t use|\b[Dd]o not use|\b[Aa]void|,? (?:and )?never|,? not|,? instead of"
    r"|,? rather than) " + A_NAME.format("name") + r"(?=\s*(?:$|[.,;:!)*]|—))",
    re.MULTILINE,
)
CONDITION = re.compile(
    r"\b(?:if|when|unless|except|only|for|in|on|where|while|during|until|inside)\b", re.IGNORECASE
)
COMMON = frozenset(
    "it them this that these those one any the a an your our both all none each either same his their"
    " always never also only and or not same new old such".split()
)


class Said(NamedTuple):
    """A name that a line says to use, or never to; the line, and its number from 1."""

    name: str
    is_wanted: bool
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class _Sayings:
    file: AgentFile
    said: tuple[Said, ...]


def of_duplicates(examined: Examined) -> Iterator[Finding]:
    """Yield files that say nearly the same as another of the same project."""
    from rapidfuzz.fuzz import ratio

    neighbours = Neighbours()
    texts: list[tuple[AgentFile, str]] = []
    files = [file for file in examined.files if file.kind in CHECKED and file.kind != "index"]
    for file in sorted(files, key=lambda file: (len(file.path.name), str(file.path))):
        body = examined.front(file.path).body[:COMPARED].strip()
        words = words_of(body)
        if len(words) < LEAST_WORDS:
            continue
        sketched = sketch(words)
        for number in neighbours.of(sketched):
            other, theirs = texts[number]
            if not _together(file, other):
                continue
            if ratio(body, theirs, score_cutoff=ALIKE) >= ALIKE:
                path = examined.shown(other.path)
                sentence = (
                    _("it says the same as {path}", path=path)
                    if body == theirs
                    else _("it says nearly the same as {path}", path=path)
                )
                yield Finding("duplicate", file.path, 0, sentence, _("merge them"))
                break
        neighbours.add(len(texts), sketched)
        texts.append((file, body))


def _together(file: AgentFile, other: AgentFile) -> bool:
    """Return whether two files may be told in one project."""
    return file.project == other.project or file.project is None or other.project is None


def sayings(text: str) -> list[Said]:
    """Return what a text says to use, and what never to, unless it is under a condition."""
    statements: list[Said] = []
    for number, line in enumerate(text.splitlines(), 1):
        if "se" not in line and "void" not in line:
            continue
        for sentence in re.split(r"(?<=[.;!?])\s+", line):
            if CONDITION.search(sentence):
                continue
            wanted = [match["name"] for match in USE.finditer(sentence)]
            unwanted = [match["name"] for match in NEVER.finditer(sentence)]
            if not wanted and not re.search(r"(?i)\b(?:never use|don'?t use|do not use|avoid)\b", sentence):
                unwanted = []
            for names, is_wanted in ((wanted, True), (unwanted, False)):
                statements += [
                    Said(name.lower(), is_wanted, number, sentence.strip())
                    for name in names
                    if name.lower() not in COMMON
                ]
    return statements


def of_contradictions(examined: Examined) -> Iterator[Finding]:
    """Yield files that say to use what another says never to use."""
    every: list[_Sayings] = []
    for file in sorted(examined.files, key=_weight):
        if file.kind in CHECKED and file.kind != "index":
            front = examined.front(file.path)
            text = "\n" * front.lines + masked_fences(front.body)
            if said := sayings(text):
                every.append(_Sayings(file, tuple(said)))
    for number, mine in enumerate(every):
        for other in every[:number]:
            if not _together(mine.file, other.file):
                continue
            pair = _against(mine, other)
            if pair is None:
                continue
            here, there = pair
            place = f"{examined.shown(other.file.path)}:{there.line}"
            sentence = _(
                "“{text}” against {place} “{other}”", text=here.text, place=place, other=there.text
            )
            yield Finding("contradiction", mine.file.path, here.line, sentence)
            break


def _against(mine: _Sayings, other: _Sayings) -> tuple[Said, Said] | None:
    for here in mine.said:
        for there in other.said:
            if here.name == there.name and here.is_wanted != there.is_wanted:
                return here, there
    return None


def _weight(file: AgentFile) -> tuple[int, int, str]:
    """Return what orders files by how much they weigh: of two, the lesser is said to be wrong."""
    kinds = {"instruction": 0, "rule": 1, "note": 2, "agentnote": 3}
    return kinds.get(file.kind, 9), file.path.name != "CLAUDE.md", str(file.path)


def masked_fences(text: str) -> str:
    """Return a text with its fenced code left empty, of as many lines."""
    if "```" not in text and "~~~" not in text:
        return text
    plain = masked(text).splitlines()
    lines = text.splitlines()
    return "\n".join(
        line if place < len(plain) and plain[place].strip() else "" for place, line in enumerate(lines)
    )


def of_secrets(examined: Examined) -> Iterator[Finding]:
    """Yield what looks like a key or a password."""
    for file in examined.files:
        text = examined.text(file.path)
        redacted = redact(text)
        if redacted == text:
            continue
        before = set(REDACTED.findall(text))
        for match in REDACTED.finditer(redacted):
            if match["name"] not in before:
                line = redacted.count("\n", 0, match.start()) + 1
                sentence = _("it holds a secret: {name}", name=match["name"])
                yield Finding("secret", file.path, line, sentence, _("redact it"))
                break


def of_hidden(examined: Examined) -> Iterator[Finding]:
    """Yield texts that hide something from whoever reads them, and marks of a merge."""
    for file in examined.files:
        text = examined.text(file.path)
        if not text.isascii():
            plain = FLAG.sub(lambda match: "f" * len(match[0]), text)
            if match := HIDDEN.search(plain):
                line = plain.count("\n", 0, match.start()) + 1
                sentence = _("it holds an invisible character, U+{number}", number=f"{ord(match[0]):04X}")
                yield Finding("hidden", file.path, line, sentence)
        if "<<<<<<< " in text and (found := MERGE.search(text)):
            line = text.count("\n", 0, found.start()) + 1
            yield Finding("too-wide", file.path, line, _("marks of an unfinished merge are told"))
        if CONFLICT_COPY.search(file.path.name):
            yield Finding("too-wide", file.path, 0, _("it is a copy that a synchronisation left"))
