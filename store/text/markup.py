"""What a stored text is made of: Markdown, JSON, a diff, or plain words, and the parser that reads it;
the sections of a Markdown text and the bullets in them; which language a piece of code is in, and which
parts of it have a colour of their own; a diff line by line.

Whoever shows texts, on a screen or on a page, takes them apart by this.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from ..records.dataclasses import dataclass, field

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from pygments.lexer import Lexer

DEEPEST = 40
"""Levels that are parsed; what lies deeper is shown as it is stored."""
LONGEST_LINE = 10_000
"""Characters of one paragraph that are looked at for markup."""
MOST_BRACKETS = 100
"""Brackets in a paragraph that are looked at for links, which takes the square of their number."""
MOST_RENDERED = 50_000
"""Characters of a text that are rendered; what follows is shown as it is stored."""
LONGEST_JSON = 50_000
UNREAD = "unread"
"""The type of a token whose text isn't looked at for markup."""
INDENT = "\xa0"
"""Stands for a space that begins a line, since a parser drops those."""

_MARKUP = re.compile(r"[*_`~\[\\|<]|^[ \t]*([#>+=-]|\d+[.)])|^( {4}|\t)|^@@|^[{]", re.MULTILINE)
_WORD = re.compile(r"[^\W_]+")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:[^\n]*\n){1,50}?---[ \t]*(?:\n|\Z)")
_DIFF_LINE = re.compile(
    r"[ +-]|@@|\\ No newline|diff --git|index [0-9a-f]+\.\.|(new|deleted) file|old mode|new mode"
    r"|similarity |rename |Binary files|\*\*\* |…"
)
_SIGNS = ("+", "-")
_SIGNED = ("+ ", "- ", "+", "-")
_DIFF_SIGN = re.compile(r"^(@@|\+|diff --git |\*\*\* )", re.MULTILINE)


def has_markup(text: str) -> bool:
    """Whether anything in a text may be markup; most texts end here."""
    return _MARKUP.search(text) is not None


def parts(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text, each with its language: all of it as JSON, what stands before a Markdown
    text as YAML, diffs that stand in no code block, and Markdown, ``."""
    if _is_json(text):
        yield text, "json"
        return
    if front := _FRONT_MATTER.match(text):
        yield front[0].rstrip(), "yaml"
        text = text[front.end() :]
    if not _DIFF_SIGN.search(text):
        yield text, ""
        return
    lines = text.split("\n")
    begins, fence, at = 0, "", 0
    while at < len(lines):
        if match := _FENCE.match(lines[at]):
            fence = "" if fence and match[1].startswith(fence) else fence or match[1]
        if fence or not DIFF_START.match("\n".join(lines[at : at + 2])):
            at += 1
            continue
        end = at + 1
        while at > begins and lines[at][:1] in _SIGNS and lines[at - 1][:2] in _SIGNED:
            at -= 1
        while end < len(lines) and _DIFF_LINE.match(lines[end]):
            end += 1
        if at > begins:
            yield "\n".join(lines[begins:at]), ""
        yield "\n".join(lines[at:end]), "diff"
        begins = at = end
    if begins < len(lines):
        yield "\n".join(lines[begins:]), ""


def says(shown: str, stored: str) -> bool:
    """Whether every word that is stored is shown."""
    words = set(_WORD.findall(shown))
    return all(word in words or word in shown for word in set(_WORD.findall(stored)) - words)


@cache
def parser() -> MarkdownIt:
    """Return the parser of texts that are shown. HTML, references to links and entities are words to it,
    lest one be lost, and addresses are whatever is stored: who shows them judges them."""
    # Only a text with markup needs it, and to import it takes longer than to paint.
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore

    def keep_indents(state: StateCore) -> None:
        for token in state.tokens:
            if token.type == "inline":
                text = token.content
                if len(text) > LONGEST_LINE or text.count("[") > MOST_BRACKETS:
                    token.type = UNREAD
                token.content = re.sub(
                    r"(?<=\n)[ \t]+",
                    lambda match: INDENT * len(match[0].expandtabs(4)),
                    token.content,
                )

    made = MarkdownIt("commonmark", {"html": False, "maxNesting": DEEPEST})
    made.enable(["table", "strikethrough"]).disable(["reference", "entity"])
    made.core.ruler.after("block", "keep_indents", keep_indents)
    # Addresses as they are stored, not encoded.
    made.normalizeLink = lambda url: url  # type: ignore[method-assign]
    made.validateLink = lambda url: True  # type: ignore[method-assign]  # noqa: ARG005
    return made


def _is_json(text: str) -> bool:
    if text[:1] not in ("{", "[") or text[-1] not in "}]" or len(text) > LONGEST_JSON:
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


MOST = 20_000
"""Characters that are coloured."""
WIDEST = 1_000
"""Characters of a line, beyond which code is data that nobody reads by its colours, and slow."""

COMMON = {
    "*.py": "python", "*.pyi": "python", "*.js": "javascript", "*.jsx": "jsx", "*.ts": "typescript",
    "*.tsx": "tsx", "*.sql": "sql", "*.md": "markdown", "*.h": "c", "*.cs": "csharp", "*.pl": "perl",
    "*.m": "objective-c", "*.rs": "rust", "*.html": "html", "*.xml": "xml", "*.json": "json",
    "*.yml": "yaml", "*.yaml": "yaml", "*.toml": "toml", "*.sh": "bash", "*.php": "php", "*.r": "r",
    "*.txt": "", "*.conf": "ini",
}  # fmt: skip
"""The languages of endings that several lexers claim."""

DIFF_START = re.compile(
    r"diff --git |--- \S[^\n]*\n\+\+\+ \S|@@ -\d+(,\d+)? \+\d+(,\d+)? @@|@@\n[+-]"
    r"|\*\*\* (Add|Update|Delete) File: |- [^\n]*\n\+ |\+ [^\n]*\n- "
)
"""Two lines with which a diff begins. Removed lines alone look like a list: only `@@` tells them apart."""


def is_diff_of(text: str, language: str) -> bool:
    """Return whether code is a diff: by its language, else, where it has none, by how it begins."""
    return language == "diff" or (not language and DIFF_START.match(text) is not None)


def code_parts(text: str, language: str) -> Iterator[tuple[int, int, Any]]:
    """Yield the parts of code: start, end and the type of token (pygments'). There are none where the
    language isn't known or the text is no code, and the last may end before the text does."""
    if is_diff_of(text, language):
        language = "diff"
    text = text[:MOST]
    lexer = _lexer(language.casefold())
    if lexer is None or any(len(line) > WIDEST for line in text.split("\n")):
        return
    try:
        for start, kind, part in lexer.get_tokens_unprocessed(text + "\n"):
            yield start, min(len(text), start + len(part)), kind
    except Exception:
        # Lexers are written for code that is right; whatever else one trips over stays plain.
        return


def language_of(path: str) -> str:
    """Return the language of a file by its name, `` where that isn't known."""
    name = path.replace("\\", "/").rpartition("/")[2].casefold()
    ending = name.rpartition(".")[2] if "." in name else ""
    languages = _languages_of_files()
    return languages.get(name) or languages.get(f"*.{ending}") or ""


@cache
def _languages_of_files() -> dict[str, str]:
    from pygments.lexers import get_all_lexers

    languages: dict[str, str] = {}
    for _, names, patterns, _ in get_all_lexers(plugins=False):
        for pattern in patterns if names else ():
            languages.setdefault(pattern.casefold(), names[0])
    # What several lexers claim, as most files are.
    return languages | COMMON


@cache
def _lexer(language: str) -> Lexer | None:
    """Return what reads a language, None where it isn't known."""
    if not language:
        return None
    # Imported with the first code that names its language.
    from pygments.lexers import get_lexer_by_name

    return get_lexer_by_name(language) if language in _languages() else None


@cache
def _languages() -> frozenset[str]:
    from pygments.lexers import get_all_lexers

    # Without plug-ins: a stored word never makes other people's packages run.
    return frozenset(alias for _, names, _, _ in get_all_lexers(plugins=False) for alias in names)


Side = Literal["same", "removed", "added", "about"]

_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_FILE = re.compile(
    r"\+\+\+ (?:b/)?(\S[^\t\n]*)|\*\*\* (?:Add|Update|Delete) File: (.+)|diff --git a/.* b/(.+)"
)
_SIDES: dict[str, Side] = {"+": "added", "-": "removed", " ": "same"}


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of a diff without its sign, and its numbers in the file before and after, None where they
    aren't told. One that is `about` others says of which file or lines they are. `language` is that of
    the file, `` where it isn't known."""

    side: Side
    text: str
    old: int | None = None
    new: int | None = None
    language: str = ""


def diff_lines(text: str, path: str = "") -> Iterator[DiffLine]:
    """Yield the lines of a diff; `path` is the file that it is of where it names none."""
    lines = text.split("\n")
    space = _sign_space(lines)
    language = language_of(path)
    old: int | None = None
    new: int | None = None
    is_in_hunk = not any(line.startswith("--- ") for line in lines[:1])
    for at, line in enumerate(lines):
        if numbers := _HUNK.match(line):
            old, new, is_in_hunk = int(numbers[1]), int(numbers[2]), True
        elif line.startswith("@@"):
            old, new, is_in_hunk = None, None, True
        elif _begins_file(lines, at):
            old, new, is_in_hunk = None, None, False
        if file := _FILE.match(line) if not is_in_hunk or line.startswith("***") else None:
            language = language_of((file[1] or file[2] or file[3]).strip())
        side = _SIDES.get(line[:1], "about") if is_in_hunk or line[:1] == " " else "about"
        if side == "about" and not line.strip() and is_in_hunk:
            side = "same"
        if side == "about":
            yield DiffLine(side, line)
            continue
        content = line[1:].removeprefix(space) if side != "same" else line[1:]
        yield DiffLine(
            side,
            content,
            old if side != "added" else None,
            new if side != "removed" else None,
            language,
        )
        old = old + 1 if old is not None and side != "added" else old
        new = new + 1 if new is not None and side != "removed" else new


def _begins_file(lines: Sequence[str], at: int) -> bool:
    """Return whether a line names a file before the lines of it."""
    line = lines[at]
    if line.startswith(("diff --git ", "index ")):
        return True
    after = lines[at + 1] if at + 1 < len(lines) else ""
    return line.startswith("--- ") and after.startswith("+++ ")


def _sign_space(lines: Sequence[str]) -> str:
    """Return the blank that stands behind each sign, as in what we store of an edit; `` where none does."""
    signed = [line[1:] for line in lines if line[:1] in ("+", "-") and line[:3] not in ("+++", "---")]
    has_same = any(line[:1] == " " for line in lines)
    return " " if signed and not has_same and all(s[:1] in (" ", "") for s in signed) else ""


@dataclass(frozen=True, slots=True)
class Bullet:
    """An item of a list: its text, the line it stands on (from 1), and how deep it lies (from 0)."""

    text: str
    line: int
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, its level (1 to 6), its line (from 1), and the bullets up to the next heading.
    What stands before the first heading is a section of level 0 without a title, on line 1."""

    title: str
    level: int
    line: int
    bullets: tuple[Bullet, ...] = ()


@dataclass(slots=True)
class _Heading:
    """A section that is still read."""

    title: str = ""
    level: int = 0
    line: int = 1
    bullets: list[Bullet] = field(default_factory=list)


def sections(text: str) -> list[Section]:
    """Return the sections of a text, in order.

    Headings and bullets are CommonMark's, so code blocks and comments hold neither. A heading in a
    list or a quotation begins no section; of a bullet only its first line counts.
    """
    results = [_Heading()]
    depth = -1
    begins = ""
    # A carriage return alone is no line end to whoever opens the text at a line.
    for token in _parser().parse(re.sub(r"\r(?!\n)", " ", text)):
        line = token.map[0] + 1 if token.map else 0
        if token.type in ("bullet_list_open", "ordered_list_open"):
            depth += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            depth -= 1
        elif token.type == "heading_open" and token.level == 0:
            results.append(_Heading(level=int(token.tag[1:]), line=line))
        elif token.type == "inline" and begins == "heading_open" and token.level == 1:
            results[-1].title = token.content
        elif token.type == "inline" and begins == "list_item_open" and token.content:
            results[-1].bullets.append(Bullet(token.content.split("\n", 1)[0].rstrip(), line, depth))
        if token.type != "paragraph_open":
            begins = token.type
    read = [
        Section(heading.title, heading.level, heading.line, tuple(heading.bullets)) for heading in results
    ]
    return read if read[0].bullets else read[1:]


@cache
def _parser() -> MarkdownIt:
    """Return a parser of blocks alone: what is within a line isn't looked at."""
    # Only a note's view needs it, and to import it takes longer than to start Python.
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser
