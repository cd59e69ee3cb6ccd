"""The blocks of a text: headings, paragraphs, lists, quotations, code, tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from textual.content import Content

from memtui.store import Query, highlight
from memtui.store.text.markup import (
    INDENT,
    LONGEST_LINE,
    MOST_RENDERED,
    UNREAD,
    has_markup,
    parser,
    parts,
    says,
)
from memtui.store.translation import _

from ...protocol import ReadingMode
from ..content import DIM, Passage, Wrapped, highlighted, plain
from .code import BACKGROUND, code
from .inline import inline
from .reading import REST, Find, Styled, lit
from .table import Table

if TYPE_CHECKING:
    from markdown_it.token import Token

HEADINGS = {"h1": "bold underline $text-primary", "h2": "bold $text-primary"}
OTHER_HEADING = "bold"
BULLET = Content.styled("• ", DIM)
BAR = Content.styled("▌ ", DIM)
RULE = Content.styled("─" * 8, DIM)
_BLANK = re.compile(r"[>\s]*")


def document(
    text: str, query: Query, reading: ReadingMode, label: str | None = None, *, path: str = ""
) -> list[Passage]:
    """Return a text as passages, what `query` matches in it lit. `label` stands beside all of it, and
    `path` is the file that a diff in it is of."""
    text = text.strip("\n").rstrip()
    if not text.strip():
        return []

    def find(part: str) -> Sequence[tuple[int, int]]:
        return highlight(part, query).spans

    shown = text[: reading.most]
    cut = 0 if reading.raw else len(shown)
    if cut > MOST_RENDERED:
        cut = shown.rfind("\n", 0, MOST_RENDERED) + 1
    blocks = list(_blocks(shown[:cut], find, reading, path)) if cut else []
    if cut < len(shown):
        blocks.append(Passage(lit(shown[cut:], (), find)))
    blocks[:1] = [replace(passage, space=0) for passage in blocks[:1]]
    if label is not None:
        blocks = [replace(item, label="" if at else label) for at, item in enumerate(blocks)]
    if len(text) > reading.most:
        blocks.append(_more(len(text), reading, label))
    return blocks


def line(text: str, query: Query) -> Content:
    """Return a text of one line, such as an item of a list, with what is within it rendered."""
    if not has_markup(text) or len(text) > LONGEST_LINE or "\n" in text:
        return highlighted(highlight(text, query))
    (token,) = parser().parseInline(text)
    words, styles = inline(token.children or [])
    if token.type == UNREAD or not says(words, text):
        return highlighted(highlight(text, query))
    return lit(words, styles, lambda part: highlight(part, query).spans)


def _more(length: int, reading: ReadingMode, label: str | None) -> Passage:
    beside = None if label is None else ""
    if reading.most < ReadingMode().most:
        return Passage(REST, beside)
    more = _("… {count} more characters; y copies all of it.", count=f"{length - reading.most:,}")
    return Passage(plain(more, DIM), beside, space=1)


def _blocks(text: str, find: Find, reading: ReadingMode, path: str) -> Iterator[Passage]:
    if not has_markup(text):
        yield Passage(lit(text, (), find))
        return
    for part, language in parts(text):
        passages = (
            _code(part, language, find, reading, path)
            if language
            else _Renderer(part, find, reading).passages()
        )
        yield from passages


def _code(text: str, language: str, find: Find, reading: ReadingMode, path: str) -> Iterator[Passage]:
    shown = code(text, language, find, unfolded=reading.unfolded, path=path)
    yield Passage(shown, space=1, background=BACKGROUND)


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
        for token in parser().parse(self._text):
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
        if not says("\n".join(self._said), stored):
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
                    yield from self._words(tokens[at + 1], token, HEADINGS.get(token.tag, OTHER_HEADING))
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
        shown = code(text, language, self._find, unfolded=self._reading.unfolded)
        if info and language != "diff":
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

    def _spaced(self, content: Wrapped, block: Token, background: str = "") -> Iterator[Passage]:
        """A block below as much space as it has in the text."""
        space = self._space(block)
        if space and block.map and ">" in self._lines[block.map[0] - 1]:
            # The bar of a quotation goes on.
            yield Passage(Content(), None, Content("").join(rest for _, rest in self._marks))
            space = 0
        yield replace(self._passage(content, background), space=space)

    def _passage(self, content: Wrapped, background: str = "") -> Passage:
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
