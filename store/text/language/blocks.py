"""Markdown's blocks, and the sentences in them, each with the headings it stands under.

Agents' replies, compaction summaries and users' prompts are read by these two:

- `blocks_of(text)`: the list of its blocks in order: headings, paragraphs, bullets, table rows, fences,
  quotes. Use it where layout carries meaning: options in a list, values in a fence, what a table says.
- `sentences_of(text)`: the sentences of its paragraphs, and its bullets whole (a bullet is one statement;
  `split_sentences(one.text)` splits it further). Headings, fences, quotes and table rows are left out.

Each block and sentence has `path`, the headings above it from the outermost to the nearest, and `heading`,
the nearest of them ("" for none):

    for sentence in sentences_of(reply):
        if any(NEXT_HEADING.search(heading) for heading in sentence.path): ...

Blocks are CommonMark's, with tables, but that an indented text is no code, and that nothing goes on a
quote, an item or a table without a sign of it. What else people and agents write for a heading is one too:
a line that is bold as a whole, the bold words that begin a paragraph ("**Root cause:** the cache …"; that
paragraph is under it), a line of its own that ends in a colon, a ruled title ("★ Insight ─────"), 一、…,
and a bullet for those that are nested in it; and so are what else they write for bullets (•, （1）, ①, A.)
and rows (│). What leads to a list ("Changes:") ends with that list; a real heading holds until one of its
own or a higher level.

Texts are plain: without emphasis and links, on one line (but for fences), code keeps its backticks.
All of it is linear in the text's length, and reads at most `LONGEST` characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Literal

from ...records.dataclasses import dataclass, field
from ..late_pattern import late_pattern
from ..truncation import shortened
from .scripts import is_wide
from .sentences import split_sentences

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

LONGEST = 40_000
"""Characters of a text that are read."""
LONGEST_HEADING = 160
"""Characters of a heading; what is longer is a paragraph."""
DEEPEST = 20
"""Levels of lists and quotes that are told apart."""

BlockKind = Literal["heading", "paragraph", "bullet", "row", "fence", "quote"]

BOLD_LINE = late_pattern(r"^[ \t]{0,3}(?:\*\*|__)([^*]{1,100}?)(?:\*\*|__)[ \t]*[:：]?[ \t]*$")
COLON_LINE = late_pattern(r"^[ \t]{0,3}(\S.{0,60}?)[:：][ \t]*$")
CHINESE_TITLE = late_pattern(r"^[ \t]{0,3}([一二三四五六七八九十]{1,3})、[ \t]*(\S.{0,40}?)[:：]?[ \t]*$")
RULED = late_pattern(r"^[ \t`]*(?:[★☆✻✦][ \t]*)?(\w[^─━═\n]{0,60}?)[ \t]*[─━═]{4,}[ \t`]*$")
LED = late_pattern(r"^[ \t]{0,3}\*\*(.{1,60}?)[ \t]?(?:[:：]\*\*|\*\*[ \t]?[:：—–-])[ \t]*(\S.*)$")
BULLET = late_pattern(
    r"^([ \t]*)(?:[-*+•·‣▪◦●○–][ \t]+|(\d{1,3}|[A-Ha-h])[.)][ \t]+|(\d{1,2})[、．][ \t]*"
    r"|[（(](\d{1,2}|[A-Ha-h])[）)][ \t]*|([①-⑳])[ \t]*)(\S.*)$"
)
CHECKED = late_pattern(r"^(?:\[([ xX✓✔])\]|([✅☑✔✓])️?|([☐⬜])️?)[ \t]+(?=\S)")
TABLE = late_pattern(r"^[ \t]*[|│┃](.*)$")
TABLE_RULE = late_pattern(r"^[ \t]*[|│├┌└┼┬┴┃:\- \t─━═┐┘┤]+$")
RULE = late_pattern(r"^[ \t`]*(?:[-*_=─━═][ \t]*){3,}[`]?$")
NUMBERED = late_pattern(r"^(\d{1,3}(?:\.\d{1,3})*|[A-H])[.)、:：][ \t]*(?=\S)")
DECORATION = late_pattern(r"^[^\w(（\[\"“「《`'.~/$@#]+")

ENDED = tuple(".!?:;。！？：；")
MARKS = late_pattern(
    r"\*\*(.{1,400}?)\*\*|(?<!\w)__(\w[^_\n]{1,300}\W?)__(?!\w)"
    r"|(?<![\w*])\*(\w[^*\n]{0,80}\w)\*(?![\w*])"
)
LINK = late_pattern(r"\[([^\]\n]{1,200})\]\((?:[^()\s]|\([^()\s]*\))+\)")

WRAPPED_AT = 50
"""A line that is shorter, and is no end of a sentence, was not wrapped: its end is a sentence's."""

BOLD_LEVEL, LEADING_LEVEL = 7, 8
"""Levels of headings below `######`: a bold line, and what leads to a paragraph or list."""
MOST_NESTED = 6


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a text.

    `text` is plain (a fence's is as it stands; a row's cells are joined by " | "). `level` is a heading's
    (1 to 6, 7 a bold line, 8 what leads to a list), a bullet's depth from 0, 1 for a table's head row.
    `number` is what a bullet or heading is numbered by ("2", "B"; "" for none), `lead` the bold words a
    bullet begins with, `is_checked` a task's box (None for none), `language` a fence's.
    """

    kind: BlockKind
    text: str
    path: tuple[str, ...] = ()
    level: int = 0
    number: str = ""
    lead: str = ""
    is_checked: bool | None = None
    language: str = ""

    @property
    def heading(self) -> str:
        """The nearest heading above it; "" for none."""
        return self.path[-1] if self.path else ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence or a bullet, plain, with the headings above it."""

    text: str
    path: tuple[str, ...] = ()
    is_bullet: bool = False
    level: int = 0
    number: str = ""
    is_checked: bool | None = None

    @property
    def heading(self) -> str:
        """The nearest heading above it; "" for none."""
        return self.path[-1] if self.path else ""


@dataclass(slots=True)
class _Reader:
    """What has been read of a text: its blocks, and what the next ones stand under."""

    blocks: list[Block] = field(default_factory=list)
    headings: list[tuple[int, str]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    bullets: list[tuple[int, str]] = field(default_factory=list)
    is_bullet_open: bool = False
    item: str | None = None
    """What the item that begins on the line of `item_line` is numbered by; None where none begins."""
    item_line: int = 0
    leads_to_list: bool = False
    """Whether a list came under the last leading heading, which a paragraph then ends."""

    def path(self) -> tuple[str, ...]:
        return tuple(text for _, text in self.headings)

    def line(self, line: str) -> None:
        """Read a line of a paragraph."""
        if (ruled := RULED.match(line)) and not TABLE.match(line):
            self.heading(BOLD_LEVEL, ruled[1])
        elif RULE.match(line):
            self.end_paragraph()
        elif TABLE.match(line) or (TABLE_RULE.match(line) and line.strip()[0] in "├┌└"):
            if not TABLE_RULE.match(line):
                is_head = not self.blocks or self.blocks[-1].kind != "row"
                self.row(re.split(r"[|│┃]", line.strip().strip("|│┃")), is_head)
        elif bold := BOLD_LINE.match(line):
            self.heading(BOLD_LEVEL, bold[1])
        elif chinese := CHINESE_TITLE.match(line):
            self.heading(BOLD_LEVEL, chinese[2], chinese[1])
        elif bullet := BULLET.match(line):
            number = bullet[2] or bullet[3] or bullet[4] or bullet[5] or ""
            self.bullet(bullet[1], number, bullet[6])
        elif self.is_bullet_open and (line[0] in " \t" or line[0].islower()):
            self.continue_bullet(line.strip())
        elif leading := COLON_LINE.match(line):
            *before, last = split_sentences(leading[1]) or [leading[1]]
            self.lines += before
            self.heading(LEADING_LEVEL, last)
        elif led := LED.match(line):
            self.heading(LEADING_LEVEL, led[1])
            self.lines.append(led[2].strip())
        else:
            self.is_bullet_open = False
            self.lines.append(line.strip())

    def heading(self, level: int, text: str, number: str = "") -> None:
        self.end_paragraph()
        self.bullets, self.is_bullet_open, self.leads_to_list = [], False, False
        while self.headings and self.headings[-1][0] >= level:
            self.headings.pop()
        title = DECORATION.sub("", plain(text)).rstrip(" :：*") or plain(text)
        if match := NUMBERED.match(title):
            number, title = number or match[1], title[match.end() :]
        self.add(Block("heading", title, self.path(), level, number))
        self.headings.append((level, title))

    def bullet(self, before: str, number: str, text: str) -> None:
        self.end_paragraph()
        self.leads_to_list = True
        indent = len(before.expandtabs(4))
        while self.bullets and self.bullets[-1][0] >= indent:
            self.bullets.pop()
        checked = None
        if box := CHECKED.match(text):
            checked, text = box[2] is not None or (box[1] or " ") != " ", text[box.end() :]
        bold = re.match(r"(?:\*\*|__)(.{1,80}?)(?:\*\*|__)", text)
        text = plain(text)
        above = tuple(one.rstrip(" :：") for _, one in self.bullets)
        lead = bold[1].strip(" :：") if bold else ""
        depth = min(len(self.bullets), MOST_NESTED)
        self.add(Block("bullet", text, self.path() + above, depth, number, lead, checked))
        if len(self.bullets) < MOST_NESTED:
            self.bullets.append((indent, shortened(lead or text, 80)))
        self.is_bullet_open = True

    def continue_bullet(self, line: str) -> None:
        # At most a line's worth: a bullet of thousands of lines must not be copied for each.
        last = self.blocks[-1]
        if last.kind == "bullet" and len(last.text) < 2_000:
            self.blocks[-1] = Block(
                last.kind, _joined(last.text, plain(line)), last.path, last.level, last.number,
                last.lead, last.is_checked,
            )  # fmt: skip

    def row(self, cells: list[str], is_head: bool) -> None:
        self.end_paragraph()
        self.leads_to_list = True
        self.add(Block("row", " | ".join(map(plain, cells)), self.path(), int(is_head)))

    def fence(self, language: str, text: str) -> None:
        self.end_paragraph()
        self.leads_to_list = True
        self.add(Block("fence", text.strip("\n"), self.path(), language=language))

    def quote(self, line: str) -> None:
        self.end_paragraph()
        self.add(Block("quote", plain(line), self.path()))

    def add(self, block: Block) -> None:
        if block.text.strip():
            self.blocks.append(block)

    def end_paragraph(self) -> None:
        if not self.lines:
            return
        is_under = self.headings and self.headings[-1][0] == LEADING_LEVEL
        if is_under and self.leads_to_list:
            self.headings.pop()
            self.leads_to_list = False
        elif is_under:
            # A second paragraph isn't what led to the first, or to its list.
            self.leads_to_list = True
        self.bullets = []
        text = self.lines[0]
        joined = [text]
        for before, line in zip(self.lines, self.lines[1:], strict=False):
            wrapped = len(before) >= WRAPPED_AT and not before.endswith(ENDED)
            joined.append((" " if not _meets_wide(before, line) else "") if wrapped else "\n")
            joined.append(line)
        self.lines = []
        self.add(Block("paragraph", plain_lines("".join(joined)), self.path()))


def blocks_of(text: str) -> list[Block]:
    """Return the blocks of a Markdown text, in order; a fence that isn't closed runs to the end."""
    lines = text[:LONGEST].splitlines()
    reader = _Reader()
    tokens = iter(_parser().parse("\n".join(lines)))
    for token in tokens:
        begin, end = token.map or (0, 0)
        if token.type == "fence":
            reader.fence(token.info.strip().partition(" ")[0], token.content)
        elif token.type == "hr":
            reader.end_paragraph()
        elif token.type == "heading_open":
            title = next(tokens).content
            if not title:
                reader.end_paragraph()
            elif "\n" in title or len(title) > LONGEST_HEADING:
                _read_lines(reader, lines[begin : end - 1])
            else:
                reader.heading(int(token.tag[1:]), title)
        elif token.type == "blockquote_open":
            _skip(tokens, "blockquote_close", token.level)
            _read_quote(reader, lines[begin:end])
        elif token.type == "list_item_open":
            reader.item = token.info
            reader.item_line = begin
        elif token.type == "tr_open":
            cells = [item.content for item in _skip(tokens, "tr_close", token.level) if item.content]
            if "|" in lines[begin]:
                reader.row(cells, not reader.blocks or reader.blocks[-1].kind != "row")
            else:
                _read_lines(reader, lines[begin:end])
        elif token.type == "inline":
            rest = lines[begin:end]
            if reader.item is not None and begin == reader.item_line and token.content:
                before = rest[0][: len(rest[0]) - len(rest[0].lstrip())]
                reader.bullet(before, reader.item, token.content.split("\n", 1)[0])
                rest = rest[1:]
            else:
                reader.is_bullet_open = False
            reader.item = None
            _read_lines(reader, rest)
    reader.end_paragraph()
    return reader.blocks


def _read_lines(reader: _Reader, lines: list[str]) -> None:
    for line in lines:
        if line.strip():
            reader.line(line)
    reader.end_paragraph()


def _read_quote(reader: _Reader, lines: list[str]) -> None:
    """Read a quote, and the paragraph that follows it without a blank line."""
    for at, line in enumerate(lines):
        if not line.lstrip().startswith(">"):
            reader.is_bullet_open = False
            _read_lines(reader, lines[at:])
            return
        reader.quote(line.lstrip("> \t"))


def _skip(tokens: Iterator[Token], close: str, level: int) -> list[Token]:
    """Return the tokens up to the end of what is open."""
    results: list[Token] = []
    for token in tokens:
        if token.type == close and token.level == level:
            break
        results.append(token)
    return results


@cache
def _parser() -> MarkdownIt:
    """Return a parser of blocks alone: what is within a line isn't looked at."""
    # To import it takes longer than most commands do.
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": DEEPEST}).enable("table")
    parser.disable(["code", "html_block", "reference"])
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def sentences_of(text: str) -> Iterator[Sentence]:
    """Yield the sentences and bullets of a Markdown text, in order, but of code, quotes and tables.

    A long line that leads to a list ("I fixed both by these changes:") states something itself, and is a
    sentence too.
    """
    for block in blocks_of(text):
        if block.kind == "bullet":
            yield Sentence(block.text, block.path, True, block.level, block.number, block.is_checked)
        elif block.kind == "paragraph":
            for sentence in split_sentences(block.text):
                yield Sentence(sentence, block.path)
        elif block.level == LEADING_LEVEL and len(block.text.split()) > 3:
            yield Sentence(block.text, block.path)


def plain(text: str) -> str:
    """Return a text on one line without Markdown's emphasis and links; code keeps its backticks."""
    text = MARKS.sub(_unmarked, LINK.sub(r"\1", text))
    return " ".join(text.split())


def _unmarked(match: re.Match[str]) -> str:
    """The text between marks; `__init__` is a name, not emphasis."""
    return match[1] or match[3] or (match[2] if " " in match[2] else match[0])


def plain_lines(text: str) -> str:
    """Return a text line by line without Markdown's emphasis and links."""
    return "\n".join(plain(line) for line in text.split("\n"))


def _joined(before: str, line: str) -> str:
    return f"{before}{'' if _meets_wide(before, line) else ' '}{line}"


def _meets_wide(before: str, line: str) -> bool:
    """Return whether two lines meet at characters between which no space is written."""
    return is_wide(before[-1:]) and is_wide(line[:1])
