"""Directories of scheme C, made line by line, and what is in them."""

import json
from pathlib import Path
from typing import Any

from memtui.store import Store

DAY = "2026-02-16"


def line(number: int, type: str = "action", **values: Any) -> dict[str, Any]:
    """An event of `DAY`, a minute after the one before it."""
    event = {"id": f"log-10{number:02}00", "type": type}
    return event | {"timestamp": f"{DAY}T10:{number:02}:00Z", "session_id": "conv-1"} | values


def fact(number: int, content: str, **values: Any) -> dict[str, Any]:
    """A line of a day that states a fact."""
    return line(number, "fact", memory_type="W", content=content, confidence=0.7) | values


def directory(path: Path, **files: list[Any] | str) -> Path:
    """A directory with these files: `MEMORY_md`, `facts`, `sessions`, and `d16` for the 16th."""
    (path / "daily").mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        if name.startswith("d"):
            place = path / "daily" / f"2026-02-{name[1:]}.jsonl"
        else:
            place = path / (name.replace("_", ".") if "_" in name else f"{name}.jsonl")
        text = content if isinstance(content, str) else "".join(f"{dumped(one)}\n" for one in content)
        place.write_text(text, "utf-8")
    return path


def dumped(one: Any) -> str:
    """A line as scheme C writes it; a text is a line as it stands."""
    return one if isinstance(one, str) else json.dumps(one, ensure_ascii=False)


def everything(path: Path) -> dict[str, bytes]:
    """Every file of a directory and what is in it."""
    files = (one for one in sorted(path.rglob("*")) if one.is_file())
    return {str(one.relative_to(path)): one.read_bytes() for one in files}


UNTOLD = ("id", "session_id", "updated_at", "hlc", "editor", "origin", "fingerprint")
"""What two stores need not agree on: numbers, and who wrote when."""


def public(store: Store) -> dict[str, tuple[str, dict[str, Any]]]:
    """All that everyone sees, by uid."""
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    for table in ("sessions", "prompts", "observations", "summaries", "facts", "notes"):
        cursor = store.db.execute(f"SELECT * FROM {table} WHERE private = 0 AND deleted_at IS NULL")
        for row in cursor:
            names = [name for name, _ in cursor.get_description()]
            values = dict(zip(names, row, strict=True))
            if session := values.get("session_id"):
                values["of"] = store.sessions.get(int(session)).content_session_id
            # A note that is a file of the directory may have come from there, or gone there.
            untold = (*UNTOLD, "source", "native_id") if table == "notes" else UNTOLD
            kept = {name: value for name, value in values.items() if name not in untold}
            found[str(values["uid"])] = table, kept
    return found
