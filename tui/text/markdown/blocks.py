"""The blocks of a text: headings, paragraphs, lists, quotations, code, tables."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from textual.content import Content

from store import Query, highlight

from ...protocol import ReadingMode
from ..content import DIM, Passage, highlighted, plain
from .code import BACKGROUND, DIFF_START, code
from .inline import INDENT, inline
from .reading import REST, Find, Styled, lit
from .table import Table

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

HEADINGS = {"h1": "bold underline $text-primary", "h2": "bold $text-primary"}
OTHER_HEADING = "bold"
BULLET = Content.styled("• ", DIM)
BAR = Content.styled("▌ ", DIM)
RULE = Content.styled("─" * 8, DIM)
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

_MARKUP = re.compile(r"[*_`~\[\\|<]|^[ \t]*([#>+=-]|\d+[.)])|^( {4}|\t)|^@@|^[{]", re.MULTILINE)
_WORD = re.compile(r"[^\W_]+")
_BLANK = re.compile(r"[>\s]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:[^\n]*\n){1,50}?---[ \t]*(?:\n|\Z)")
_DIFF_LINE = re.compile(
    r"[ +-]|@@|\\ No newline|diff --git|index [0-9a-f]+\.\.|(new|deleted) file|old mode|new mode"
    r"|similarity |rename |Binary files"
)


def document(
    text: str, query: Query, reading: ReadingMode, label: str | None = None
) -> list[Passage]:
    """Return a text as passages, what `query` matches in it lit. `label` stands beside all of it."""
    text = text.strip("\n").rstrip()
    if not text.strip():
        return []

    def find(part: str) -> Sequence[tuple[int, int]]:
        return highlight(part, query).spans

    shown = text[: reading.most]
    cut = 0 if reading.raw else len(shown)
    if cut > MOST_RENDERED:
        cut = shown.rfind("\n", 0, MOST_RENDERED) + 1
    blocks = list(_blocks(shown[:cut], find, reading)) if cut else []
    if cut < len(shown):
        blocks.append(Passage(lit(shown[cut:], (), find)))
    blocks[:1] = [replace(one, space=0) for one in blocks[:1]]
    if label is not None:
        blocks = [replace(one, label="" if at else label) for at, one in enumerate(blocks)]
    if len(text) > reading.most:
        blocks.append(_more(len(text), reading, label))
    return blocks


def line(text: str, query: Query) -> Content:
    """Return a text of one line, such as an item of a list, with what is within it rendered."""
    if not _MARKUP.search(text) or len(text) > LONGEST_LINE or "\n" in text:
        return highlighted(highlight(text, query))
    (token,) = _parser().parseInline(text)
    words, styles = inline(token.children or [])
    if token.type == UNREAD or not _says(words, text):
        return highlighted(highlight(text, query))
    return lit(words, styles, lambda part: highlight(part, query).spans)


def _more(length: int, reading: ReadingMode, label: str | None) -> Passage:
    beside = None if label is None else ""
    if reading.most < ReadingMode().most:
        return Passage(REST, beside)
    more = f"… {length - reading.most:,} more characters; y copies all of it."
    return Passage(plain(more, DIM), beside, space=1)


def _blocks(text: str, find: Find, reading: ReadingMode) -> Iterator[Passage]:
    if not _MARKUP.search(text):
        yield Passage(lit(text, (), find))
        return
    if _is_json(text):
        yield from _code(text, "json", find, reading)
        return
    for part, language in _parts(text):
        passages = (
            _code(part, language, find, reading)
            if language
            else _Renderer(part, find, reading).passages()
        )
        yield from passages


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text, each with its language: what stands before a Markdown text as YAML,
    diffs that stand in no code block, and Markdown, ``."""
    if front := _FRONT_MATTER.match(text):
        yield front[0].rstrip(), "yaml"
        text = text[front.end() :]
    if not any(sign in text for sign in ("\n@@", "\n+++ ", "diff --git ")) and text[:2] != "@@":
        yield text, ""
        return
    lines = text.split("\n")
    begins, fence, at = 0, "", 0
    while at < len(lines):
        if found := _FENCE.match(lines[at]):
            fence = "" if fence and found[1].startswith(fence) else fence or found[1]
        if fence or not DIFF_START.match("\n".join(lines[at : at + 2])):
            at += 1
            continue
        end = at + 1
        while end < len(lines) and _DIFF_LINE.match(lines[end]):
            end += 1
        yield "\n".join(lines[begins:at]), ""
        yield "\n".join(lines[at:end]), "diff"
        begins = at = end
    yield "\n".join(lines[begins:]), ""


def _is_json(text: str) -> bool:
    if text[0] not in "{[" or text[-1] not in "}]" or len(text) > LONGEST_JSON:
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _code(text: str, language: str, find: Find, reading: ReadingMode) -> Iterator[Passage]:
    shown = code(text, language, find, unfolded=reading.unfolded)
    yield Passage(shown, space=1, background=BACKGROUND)


def _says(shown: str, stored: str) -> bool:
    """Whether every word that is stored is shown."""
    words = set(_WORD.findall(shown))
    return all(word in words or word in shown for word in set(_WORD.findall(stored)) - words)


class _Renderer:
    """Renders one Markdown text."""

    def __init__(self, text: str, find: Find, reading: ReadingMode) -> None:
        # Only a line feed ends a line for whoever stored it.
        self._text = text.replace("\r\n", "\n").replace("\r", "\n")
        self._lines = self._text.split("\n")
        self._find = find
        self._reading = reading
        # The bullets and bars that a line stands behind: that of its first line, once, and that of others.
        self._marks: list[tuple[Content | None, Content]] = []
        # The words that are shown, or folded.
        self._said: list[str] = []

    def passages(self) -> Iterator[Passage]:
        """Yield the blocks; one that would lose a word is yielded as it is stored."""
        block: list[Token] = []
        for token in _parser().parse(self._text):
            block.append(token)
            if token.level == 0 and token.nesting != 1:
                yield from self._outermost(block)
                block = []

    def _outermost(self, block: list[Token]) -> Iterator[Passage]:
        begin, end = block[0].map or (0, 0)
        stored = "\n".join(self._lines[begin:end]).rstrip()
        self._marks.clear()
        self._said.clear()
        shown = list(self._rendered(block))
        if not _says("\n".join(self._said), stored):
            shown = [Passage(lit(stored, (), self._find), space=self._space(block[0]))]
        yield from shown

    def _rendered(self, tokens: list[Token]) -> Iterator[Passage]:
        at = 0
        while at < len(tokens):
            token = tokens[at]
            match token.type:
                case "blockquote_open":
                    self._marks.append((None, BAR))
                case "list_item_open":
                    number = f"{token.info}{token.markup} " if token.info else ""
                    mark = Content.styled(number, DIM) if number else BULLET
                    self._said.append(number)
                    self._marks.append((mark, Content(" " * mark.cell_length)))
                case "list_item_close" if self._marks[-1][0] is not None:
                    # There is nothing in it.
                    yield self._passage(Content())
                    self._marks.pop()
                case "list_item_close" | "blockquote_close":
                    self._marks.pop()
                case "heading_open":
                    yield from self._words(
                        tokens[at + 1], token, HEADINGS.get(token.tag, OTHER_HEADING)
                    )
                case "paragraph_open":
                    yield from self._words(tokens[at + 1], token)
                case "fence" | "code_block":
                    yield from self._code(token)
                case "hr":
                    yield from self._spaced(RULE, token)
                case "table_open":
                    end = at + 1
                    while tokens[end].type != "table_close":
                        end += 1
                    yield from self._spaced(self._table(tokens[at:end]), token)
                    at = end
            at += 1

    def _words(self, words: Token, block: Token, style: str = "") -> Iterator[Passage]:
        yield from self._spaced(self._lit(words, style), block)

    def _lit(self, token: Token, style: str = "") -> Content:
        if token.type == UNREAD:
            words, styles = token.content.replace(INDENT, " "), list[Styled]()
        else:
            words, styles = inline(token.children or [])
        self._said.append(words)
        return lit(words, [*([(0, len(words), style)] if style else []), *styles], self._find)

    def _code(self, token: Token) -> Iterator[Passage]:
        info, text = token.info.strip(), token.content.removesuffix("\n")
        language = info.split()[0].strip("{}.") if info else ""
        self._said += info, text
        shown: Content | Table = code(text, language, self._find, unfolded=self._reading.unfolded)
        if info:
            named = lit(info, [(0, len(info), DIM)], self._find)
            yield from self._spaced(named, token, BACKGROUND)
            yield self._passage(shown, BACKGROUND)
        else:
            yield from self._spaced(shown, token, BACKGROUND)

    def _table(self, tokens: list[Token]) -> Table:
        rows: list[list[Content]] = []
        right: set[int] = set()
        for before, token in pairwise(tokens):
            if before.type == "tr_open":
                rows.append([])
            if token.type == "inline":
                if "right" in str(before.attrGet("style") or ""):
                    right.add(len(rows[-1]))
                rows[-1].append(self._lit(token))
        return Table(rows, frozenset(right))

    def _spaced(
        self, content: Content | Table, block: Token, background: str = ""
    ) -> Iterator[Passage]:
        """A block below as much space as it has in the text."""
        space = self._space(block)
        if space and block.map and ">" in self._lines[block.map[0] - 1]:
            # The bar of a quotation goes on.
            yield Passage(Content(), None, Content("").join(rest for _, rest in self._marks))
            space = 0
        yield replace(self._passage(content, background), space=space)

    def _passage(self, content: Content | Table, background: str = "") -> Passage:
        marks = [rest if first is None else first for first, rest in self._marks]
        leads = [rest for _, rest in self._marks]
        # A bullet stands before the first line of its item only.
        self._marks = [(None, rest) for rest in leads]
        mark, lead = (Content("").join(some) for some in (marks, leads))
        return Passage(content, None, mark, 0, lead, background)

    def _space(self, token: Token) -> int:
        """One blank line where the text has some, and above headings."""
        begin = token.map[0] if token.map else 0
        if not begin:
            return 0
        is_blank = _BLANK.fullmatch(self._lines[begin - 1]) is not None
        return int(is_blank or token.type == "heading_open")


@cache
def _parser() -> MarkdownIt:
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
                    lambda found: INDENT * len(found[0].expandtabs(4)),
                    token.content,
                )

    # HTML is shown as it is written. So are references to links and entities, lest a word be lost.
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": DEEPEST})
    parser.enable(["table", "strikethrough"]).disable(["reference", "entity"])
    parser.core.ruler.after("block", "keep_indents", keep_indents)
    # Addresses as they are stored, not encoded.
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    parser.validateLink = lambda url: True  # type: ignore[method-assign]  # noqa: ARG005
    return parser
