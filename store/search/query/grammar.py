"""What the query language is written with: names of filters, and the pattern of an item."""

from __future__ import annotations

import re

from ...text.language.scripts import FIRST
from ...text.late_pattern import late_pattern
from ..chinese.names import FILTER_NAMES

FILTERS = frozenset(
    (
        "type project session parent agent subagent kind file concept tag tool entity source machine "
        "author team"
    ).split()
)
DATES = frozenset(("since", "until", "on"))
LISTED = FILTERS | DATES | {"is", "sort"}
"""Names after which values stand, with commas between them."""
SPELLED = "|".join(sorted([*LISTED, *FILTER_NAMES], key=len, reverse=True))
"""All spellings of these names, for a pattern: the longer ones first."""

OPERATORS = frozenset(("AND", "OR", "NOT"))
OPENING, CLOSING = "(（", ")）"

CODE = late_pattern(r"[(){}\[\]<>;=|&$`\\]|::|//")
"""What stands in code, and hardly in a query."""

QUOTES = '"“”＂'
QUOTED = '"[^"]*"|[“”][^“”]*[“”]|＂[^＂]*＂'
COLON = "[:：](?![:：])"
# A quote that never closes runs to the end: it is still being typed.
ONE_VALUE = rf"(?:{QUOTED}|[{QUOTES}][^{QUOTES}]*\Z|[^\s,，]+)"
VALUE_LIST = rf"[,，]*(?:{ONE_VALUE}(?:[,，]+{ONE_VALUE})*[,，]*)?"
# `re` walks ranges character by character: those of all Chinese ones take it 5 ms, and are written here
# as what is left of `\w` without the few others.
LETTER = rf"(?=[\x00-{chr(ord(FIRST) - 1)}])\w"
"""A character that is no word by itself, so that a minus before it is an option, as in `docker -e`."""
LISTED_LETTER = r"(?:[a-zA-Z]|[^\W\x00-\u02af])"
"""A letter that a name can have; those that differ from one of these by more than case are none."""
ITEM = late_pattern(
    rf"""(?P<minus>[-－](?=[\w{QUOTES}])(?!{LETTER}(?:\s|\Z)))?
    (?=\S)(?:
        (?={LISTED_LETTER}+[:：])(?P<listed>(?i:{SPELLED})){COLON}(?P<values>{VALUE_LIST})
      | (?:(?P<name>\w+){COLON})?(?:(?P<phrase>{QUOTED})|(?P<word>\S*))
    )""",
    re.VERBOSE,
)
