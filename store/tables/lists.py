"""Columns that hold a list as JSON, read. Next to nothing is imported: a hook may wait for this."""

from __future__ import annotations

import json

from ..records.conforming import as_text
from ..text import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_raw_decode = json.JSONDecoder().raw_decode


def decoded(text: str) -> Any:
    """Return what a text says as JSON; a list without blanks around it, as nearly all are, in fewer
    calls than `json.loads` takes."""
    if text[:1] == "[":
        result, end = _raw_decode(text)
        if end == len(text):
            return result
    return json.loads(text)


def read_list(value: object) -> tuple[str, ...]:
    """Return a list column: a JSON array of strings, or whatever another program wrote there."""
    if value == "[]":
        return ()
    text = as_text(value)
    try:
        result = decoded(text)
    except (ValueError, RecursionError):
        return (clean(text),) if text else ()
    if isinstance(result, list) and {str} == set(map(type, result)) and "\\u" not in text:
        return tuple(result)
    return tuple(
        clean(item) if isinstance(item, str) else json.dumps(item, ensure_ascii=False)
        for item in (result if isinstance(result, list) else [result])
    )
