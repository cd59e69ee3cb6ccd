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

DEFINED = re.compile(r"^-- @define (\w+)\n((?:.*\n)*?)-- @end\n", re.MULTILINE)
EACH = re.compile(r"^-- @each (.+) of\b((?:.*\n--    )*.*)\n((?:.*\n)*?)-- @end\n", re.MULTILINE)


def expand(text: str) -> str:
    """Return a file's SQL with all that it says once written out."""
    for name, lines in DEFINED.findall(text):
        text = text.replace(f"@{name}\n", lines)
    return EACH.sub(_rows, DEFINED.sub("", text))


def _rows(family: re.Match[str]) -> str:
    names, rows, body = family.groups()
    cells = [re.split(r"\s*:\s*", row.strip()) for row in rows.replace("\n--", "").split(";")]
    return "".join(_filled(body, dict(zip(names.split(": "), row, strict=True))) for row in cells)


def _filled(body: str, values: dict[str, str]) -> str:
    def value(match: re.Match[str]) -> str:
        columns = [match[1] + column for column in values[match[2]].split(", ")]
        text = ", ".join(columns)
        return f"({text})" if match[1] and len(columns) > 1 else text

    return re.sub(rf"(OLD\.|NEW\.|)@({'|'.join(values)})", value, body)
