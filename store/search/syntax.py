"""The items of a query's text as they are written: `-name:"a value",another`, a phrase, a word.

What they mean is for `query` to say. Colons, quotes, commas and the minus may be the full-width
ones of a Chinese input method.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..records.dataclasses import dataclass

FILTERS = frozenset(
    (
        "type",
        "project",
        "session",
        "agent",
        "kind",
        "file",
        "concept",
        "tag",
        "tool",
        "entity",
        "source",
    )
)
DATES = frozenset(("since", "until", "on"))
LISTED = FILTERS | DATES | {"is", "sort"}
"""Names after which values stand, with commas between them."""

QUOTES = '"“”＂'
QUOTED = '"[^"]*"|[“”][^“”]*[“”]|＂[^＂]*＂'
COLON = "[:：](?![:：])"
# A quote that never closes runs to the end: it is still being typed.
VALUE = rf"(?:{QUOTED}|[{QUOTES}][^{QUOTES}]*\Z|[^\s,，]+)"
VALUES = rf"[,，]*(?:{VALUE}(?:[,，]+{VALUE})*[,，]*)?"
ITEM = re.compile(
    rf"""(?P<joins>OR\s+)?
    (?P<minus>[-－](?=[\w{QUOTES}]))?
    (?=\S)(?:
        (?=[a-zA-Z]+[:：])(?P<listed>(?i:{"|".join(LISTED)})){COLON}(?P<values>{VALUES})
      | (?:(?P<name>\w+){COLON})?(?:(?P<phrase>{QUOTED})|(?P<word>\S*))
    )""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Item:
    """`text` is what stands between `start` and `end` but for the minus. Its `values` have no quotes,
    and none is empty. `joins`: an OR stands before it."""

    text: str
    start: int
    end: int
    joins: bool
    negated: bool
    name: str | None
    values: tuple[str, ...]
    quoted: bool

    @property
    def value(self) -> str:
        """The last of its values; '' when it has none."""
        return self.values[-1] if self.values else ""

    @property
    def label(self) -> str:
        """A filter as people read it."""
        return f"{'-' if self.negated else ''}{self.name}:{','.join(self.values)}"


def items(text: str) -> Iterator[Item]:
    """All of a text, from its beginning, but for the blanks between."""
    for match in ITEM.finditer(text):
        found = match.groupdict()
        joins, minus = found["joins"] or "", found["minus"] or ""
        name = found["listed"] or found["name"]
        phrase, word = found["phrase"], found["word"]
        if found["listed"]:
            values = [_unquoted(value) for value in re.findall(VALUE, found["values"])]
        elif phrase:
            values = [phrase[1:-1]]
        else:
            values = [_unquoted(word) if name or len(word) > 1 else word]
        yield Item(
            match.group().removeprefix(joins).removeprefix(minus),
            match.start() + len(joins),
            match.end(),
            bool(joins),
            bool(minus),
            name.lower() if name else None,
            tuple(value for value in values if value),
            phrase is not None,
        )


def _unquoted(value: str) -> str:
    """A value without its quotes, or without the one that opens and never closes: it may be on its way."""
    if re.fullmatch(QUOTED, value):
        return value[1:-1]
    return value[1:] if value[:1] in QUOTES else value
