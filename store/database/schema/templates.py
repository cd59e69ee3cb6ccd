"""What schema files say once of several tables.

| in a file | stands for |
|---|---|
| `-- @define NAME` ... `-- @end` | nothing there; these lines wherever `@NAME` is a line |
| `-- @each NAMES of ROWS` ... `-- @end` | these lines once a row, with each `@NAME` as the row's value |

Names and values have colons between them, rows semicolons; they may go on in comments that are indented.
Of a value that is a list of columns `OLD.@NAME` is `(OLD.first, OLD.second)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

DEFINED = re.compile(r"-- @define (\w+)\n((?:.*\n)*?)-- @end\n")
EACH = re.compile(r"-- @each (.+) of\b((?:.*\n--    )*.*)\n((?:.*\n)*?)-- @end\n")


def expand(text: str) -> str:
    """Return a file's SQL with all that it says once written out."""
    for name, lines in DEFINED.findall(text):
        text = text.replace(f"@{name}\n", lines)
    return EACH.sub(_rows, DEFINED.sub("", text))


def _rows(family: re.Match[str]) -> str:
    names, rows, body = family.groups()
    results = []
    for row in rows.replace("\n--", "").split(";"):
        values = map(str.strip, row.split(":"))
        results.append(_filled(body, zip(names.split(": "), values, strict=True)))
    return "".join(results)


def _filled(body: str, values: Iterable[tuple[str, str]]) -> str:
    for name, value in values:
        columns = value.split(", ")
        for row in ("OLD.", "NEW."):
            text = ", ".join(row + column for column in columns)
            body = body.replace(f"{row}@{name}", f"({text})" if len(columns) > 1 else text)
        body = body.replace(f"@{name}", value)
    return body
