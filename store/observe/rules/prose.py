"""Markdown prose, English and Chinese, as blocks and as sentences, each with the headings it stands under.

Agents' replies, compaction summaries and users' prompts are read by these two:

- `blocks_of(text)`: the list of its blocks in order: headings, paragraphs, bullets, table rows, fences,
  quotes. Use it where layout carries meaning: options in a list, values in a fence, what a table says.
- `sentences_of(text)`: the sentences of its paragraphs, and its bullets whole (a bullet is one statement;
  `split_sentences(one.text)` splits it further). Headings, fences, quotes and table rows are left out.

Each block and sentence has `path`, the headings above it from the outermost to the nearest, and `heading`,
the nearest of them ("" for none):

    for sentence in sentences_of(reply):
        if any(NEXT_HEADING.search(heading) for heading in sentence.path): ...

What counts as a heading: `## Title`, a line that is bold as a whole, the bold words that begin a paragraph
("**Root cause:** the cache …"; that paragraph is under it), a line of its own that ends in a colon, a
ruled title ("★ Insight ─────"), 一、…, and a bullet for those that are nested in it. What leads to a list
("Changes:") ends with that list; a real heading holds until one of its own or a higher level.

Texts are plain: without emphasis and links, on one line (but for fences), code keeps its backticks.
All of it is linear in the text's length, and reads at most `LONGEST` characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from ...records.dataclasses import dataclass, field
from ...text.late_pattern import late_pattern
from ...text.truncation import shortened

LONGEST = 40_000
"""Characters of a text that are read."""

BlockKind = Literal["heading", "paragraph", "bullet", "row", "fence", "quote"]

FENCE = late_pattern(r"^([ \t>]*)(`{3,}|~{3,})[ \t]*([\w+#.\-]{0,30})[^`]*$")
ATX = late_pattern(r"^[ \t]{0,3}(#{1,6})[ \t]+(.{1,160}?)[ \t#]*$")
BOLD_LINE = late_pattern(r"^[ \t]{0,3}(?:\*\*|__)([^*]{1,100}?)(?:\*\*|__)[ \t]*[:：]?[ \t]*$")
COLON_LINE = late_pattern(r"^[ \t]{0,3}(\S.{0,60}?)[:：][ \t]*$")
CHINESE_TITLE = late_pattern(
    r"^[ \t]{0,3}([一二三四五六七八九十]{1,3})、[ \t]*(\S.{0,40}?)[:：]?[ \t]*$"
)
RULED = late_pattern(r"^[ \t`]*(?:[★☆✻✦][ \t]*)?(\w[^─━═\n]{0,60}?)[ \t]*[─━═]{4,}[ \t`]*$")
LED = late_pattern(r"^[ \t]{0,3}\*\*(.{1,60}?)[ \t]?(?:[:：]\*\*|\*\*[ \t]?[:：—–-])[ \t]*(\S.*)$")
BULLET = late_pattern(
    r"^([ \t]*)(?:[-*+•·‣▪◦●○–][ \t]+|(\d{1,3}|[A-Ha-h])[.)][ \t]+|(\d{1,2})[、．][ \t]*"
    r"|[（(](\d{1,2}|[A-Ha-h])[）)][ \t]*|([①-⑳])[ \t]*)(\S.*)$"
)
CHECKED = late_pattern(r"^(?:\[([ xX✓✔])\]|([✅☑✔✓])️?|([☐⬜])️?)[ \t]+(?=\S)")
QUOTE = late_pattern(r"^[ \t]{0,3}>[ \t]?(.*)$")
TABLE = late_pattern(r"^[ \t]*[|│┃](.*)$")
TABLE_RULE = late_pattern(r"^[ \t]*[|│├┌└┼┬┴┃:\- \t─━═┐┘┤]+$")
RULE = late_pattern(r"^[ \t`]*(?:[-*_=─━═][ \t]*){3,}[`]?$")
UNDERLINE = late_pattern(r"^[ \t]{0,3}(?:=+|-+)[ \t]*$")
NUMBERED = late_pattern(r"^(\d{1,3}(?:\.\d{1,3})*|[A-H])[.)、:：][ \t]*(?=\S)")
DECORATION = late_pattern(r"^[^\w(（\[\"“「《`'.~/$@#]+")

WIDE = "[^\x00-\u2e7f\ufff0-\U0010ffff]"
"""A character from U+2E80 to U+FFEF, in the way that takes the least time to compile."""
ENDING = late_pattern(
    rf"(?<=[.!?])[ \t]+(?=[A-Z\"'`(\[“]|{WIDE})|(?<=[.!?][\"')”])[ \t]+(?=[A-Z`(“]|{WIDE})"
    r"|(?<=[。！？；])(?![”」』’）)])[ \t]*|(?<=[。！？][”」』’])[ \t]*|[ \t]*\n[ \t]*"
)
SHORTENED = late_pattern(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|Mr|Mrs|Ms|Dr|No|St|Fig|Sec|resp|incl|max|min|ca|al|v\d+)\."
    r"|(?:^|[\s(])[A-Z]\.|(?:^|[\s(])\d{1,2}\.)$"
)
"""What a dot ends that is no sentence; a number's only where it begins the part: `2. Then …`."""
ENDED = tuple(".!?:;。！？：；")
MARKS = late_pattern(r"\*\*(.{1,400}?)\*\*|(?<!\w)__(\w[^_\n]{1,300}\W?)__(?!\w)")
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
    leads_to_list: bool = False
    """Whether a list came under the last leading heading, which a paragraph then ends."""

    def path(self) -> tuple[str, ...]:
        return tuple(text for _, text in self.headings)

    def line(self, line: str) -> None:
        """Read a line outside fences."""
        if not line.strip():
            self.end_paragraph()
            self.is_bullet_open = False
            return
        if UNDERLINE.match(line) and len(self.lines) == 1 and len(self.lines[0]) <= 100:
            title = self.lines.pop()
            self.heading(1 if "=" in line else 2, title)
        elif (ruled := RULED.match(line)) and not TABLE.match(line):
            self.heading(BOLD_LEVEL, ruled[1])
        elif RULE.match(line):
            self.end_paragraph()
        elif TABLE.match(line) or (TABLE_RULE.match(line) and line.strip()[0] in "├┌└"):
            self.row(line)
        elif quote := QUOTE.match(line):
            self.end_paragraph()
            self.add(Block("quote", plain(quote[1]), self.path()))
        elif titled := ATX.match(line):
            self.heading(len(titled[1]), titled[2])
        elif bold := BOLD_LINE.match(line):
            self.heading(BOLD_LEVEL, bold[1])
        elif chinese := CHINESE_TITLE.match(line):
            self.heading(BOLD_LEVEL, chinese[2], chinese[1])
        elif bullet := BULLET.match(line):
            self.bullet(bullet)
        elif self.is_bullet_open and (line[0] in " \t" or line[0].islower()):
            self.continue_bullet(line.strip())
        elif leading := COLON_LINE.match(line):
            *before, last = split_sentences(leading[1])
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
        if found := NUMBERED.match(title):
            number, title = number or found[1], title[found.end() :]
        self.add(Block("heading", title, self.path(), level, number))
        self.headings.append((level, title))

    def bullet(self, found: re.Match[str]) -> None:
        self.end_paragraph()
        self.leads_to_list = True
        indent = len(found[1].expandtabs(4))
        while self.bullets and self.bullets[-1][0] >= indent:
            self.bullets.pop()
        text, checked = found[6], None
        if box := CHECKED.match(text):
            checked, text = box[2] is not None or (box[1] or " ") != " ", text[box.end() :]
        bold = re.match(r"(?:\*\*|__)(.{1,80}?)(?:\*\*|__)", text)
        text = plain(text)
        above = tuple(one.rstrip(" :：") for _, one in self.bullets)
        number = found[2] or found[3] or found[4] or found[5] or ""
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

    def row(self, line: str) -> None:
        self.end_paragraph()
        if TABLE_RULE.match(line):
            return
        cells = [plain(cell) for cell in re.split(r"[|│┃]", line.strip().strip("|│┃"))]
        is_head = not self.blocks or self.blocks[-1].kind != "row"
        self.leads_to_list = True
        self.add(Block("row", " | ".join(cells), self.path(), int(is_head)))

    def fence(self, language: str, lines: list[str]) -> None:
        self.end_paragraph()
        self.leads_to_list = True
        self.add(Block("fence", "\n".join(lines).strip("\n"), self.path(), language=language))

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
            joined.append((" " if not _is_wide(before, line) else "") if wrapped else "\n")
            joined.append(line)
        self.lines = []
        self.add(Block("paragraph", plain_lines("".join(joined)), self.path()))


def blocks_of(text: str) -> list[Block]:
    """Return the blocks of a Markdown text, in order; a fence that isn't closed runs to the end."""
    reader, closing, language, fenced = _Reader(), "", "", list[str]()
    for line in text[:LONGEST].splitlines():
        if closing:
            if line.strip().startswith(closing) and not line.strip().strip(closing[0]):
                reader.fence(language, fenced)
                closing, fenced = "", []
            else:
                fenced.append(line)
        elif opened := FENCE.match(line):
            closing, language = opened[2], opened[3]
        else:
            reader.line(line)
    if closing:
        reader.fence(language, fenced)
    reader.end_paragraph()
    return reader.blocks


def sentences_of(text: str) -> Iterator[Sentence]:
    """Yield the sentences and bullets of a Markdown text, in order, but of code, quotes and tables.

    A long line that leads to a list ("I fixed both by these changes:") states something itself, and is a
    sentence too.
    """
    for block in blocks_of(text):
        if block.kind == "bullet":
            yield Sentence(
                block.text, block.path, True, block.level, block.number, block.is_checked
            )
        elif block.kind == "paragraph":
            for one in split_sentences(block.text):
                yield Sentence(one, block.path)
        elif block.level == LEADING_LEVEL and len(block.text.split()) > 3:
            yield Sentence(block.text, block.path)


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a paragraph: dots in paths, versions, abbreviations and code end none."""
    parts: list[list[str]] = []
    is_open, last = False, ""
    for part in ENDING.split(text):
        piece = part.strip()
        if not piece:
            continue
        if parts and (is_open or SHORTENED.search(last[-12:])):
            parts[-1].append(piece)
        else:
            parts.append([piece])
            is_open = False
        is_open ^= piece.count("`") % 2 == 1
        last = piece
    return [plain(" ".join(pieces)) for pieces in parts]


def plain(text: str) -> str:
    """Return a text on one line without Markdown's emphasis and links; code keeps its backticks."""
    text = MARKS.sub(_unmarked, LINK.sub(r"\1", text))
    return " ".join(text.split())


def _unmarked(found: re.Match[str]) -> str:
    """The text between marks; `__init__` is a name, not emphasis."""
    return found[1] or (found[2] if " " in found[2] else found[0])


def plain_lines(text: str) -> str:
    """Return a text line by line without Markdown's emphasis and links."""
    return "\n".join(plain(line) for line in text.split("\n"))


def has_chinese(text: str) -> bool:
    """Return whether a text has a Chinese character."""
    return not text.isascii() and any("\u4e00" <= letter <= "\u9fff" for letter in text)


def _joined(before: str, line: str) -> str:
    return f"{before}{'' if _is_wide(before, line) else ' '}{line}"


def _is_wide(before: str, line: str) -> bool:
    """Whether two lines meet at Chinese characters, between which no space is written."""
    return "\u2e80" <= before[-1:] <= "\uffef" and "\u2e80" <= line[:1] <= "\uffef"
