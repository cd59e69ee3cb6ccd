"""mem0's and OpenMemory's exports: a document with the list of what they remember."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .json_lines import FACTS, WRITTEN, Line, document, line, text_of, texts_of

FILES = ("memories.json", "mem0.json")

LISTS = ("results", "memories", "items", "data")
TEXTS = ("memory", "content", "text")
KEPT = ("user_id", "agent_id", "app_id", "run_id", "app_name", "metadata", "updated_at", "state")
DELETED = "deleted"


def recognizes(path: Path) -> bool:
    """Return whether a file is a list of memories, each with an id and a text. Raises OSError."""
    remembered = _remembered(path)
    return bool(remembered) and all(
        "id" in values and ("memory" in values or ("content" in values and _is_owned(values)))
        for values in remembered
    )


def lines(path: Path) -> Iterator[Line]:
    """Yield each memory as a fact. Raises OSError."""
    for number, values in enumerate(_remembered(path), start=1):
        text = next((text for key in TEXTS if (text := text_of(values.get(key)))), "")
        kept = {key: values[key] for key in KEPT if values.get(key)}
        is_deleted = values.get("state") == DELETED or bool(values.get("deleted_at"))
        yield line(
            FACTS, number, str(values.get("id")),
            content=text,
            entities=texts_of(values.get("categories")),
            **{WRITTEN: values.get("created_at")},
            deleted_at=(values.get("deleted_at") or is_deleted) or None,
            **kept,
        )  # fmt: skip


def _is_owned(values: dict[str, Any]) -> bool:
    return bool(values.keys() & {"user_id", "app_name", "app_id", "categories"})


def _remembered(path: Path) -> list[dict[str, Any]]:
    whole = document(path)
    if isinstance(whole, dict):
        whole = next((whole[key] for key in LISTS if isinstance(whole.get(key), list)), None)
    if not isinstance(whole, list) or not all(isinstance(item, dict) for item in whole):
        return []
    return whole
