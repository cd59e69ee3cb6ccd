"""What was private or secret in a directory is found nowhere here, whichever key it stood under."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from store import Store
from store.formats.scheme_c.directory_import import import_directory

from ..claude_mem.test_private import CANARY, HIDDEN, PASSWORD, SECRETS, TOKEN
from .directories import DAY, directory, dumped, line

KEYS = (
    *("id", "type", "timestamp", "session_id", "content", "action", "entities", "confidence"),
    *("memory_type", "evidence", "source", "workspace", "agent", "topic", "summary", "decisions"),
    *("todos", "reason", "duration_ms", "deleted_at", "created_at", "anything else"),
)
TYPES = ("action", "fact", "session_start", "session_end", "milestone")


def everywhere(text: str) -> list[Any]:
    """Lines that hold a text under each key: as it is, in a list, in an object, as a key of one."""
    values = (text, [text], {"a": text}, {text: "b"}, [["kept", {"b": text}]])
    made = [
        line(number % 60, type, id=f"x-{key}-{number}", content="kept") | {key: value}
        for key in KEYS
        for number, value in enumerate(values)
        for type in TYPES
    ]
    return [*made, text, '{"id": "' + text, line(1) | {text: "a key of its own"}]


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        *((text, (CANARY,)) for text in HIDDEN.values()),
        *((SECRETS[name], (TOKEN, PASSWORD)) for name in SECRETS if "words" not in name),
    ],
    ids=[*HIDDEN, *(f"secret {name}" for name in SECRETS if "words" not in name)],
)
def test_it_reaches_no_byte_of_the_store_and_no_warning(
    store: Store, tmp_path: Path, text: str, hidden: tuple[str, ...]
) -> None:
    lines = everywhere(text)
    path = directory(tmp_path / "c", d16=lines, facts=lines, sessions=lines)
    for note in ("MEMORY.md", "NOTES.md"):
        (path / note).write_text(f"# Kept\n- {text}\n", "utf-8")
    report = import_directory(store, path)
    assert store.count("kept").value > 0
    told = " ".join((*report.notes, *(one.message for one in report.warnings)))
    for word in hidden:
        assert word not in told
        for file in store.path.parent.iterdir():
            if file.is_file():
                assert word.encode() not in file.read_bytes()


def test_a_passage_that_goes_on_in_the_next_item_is_hidden_whole(
    store: Store, tmp_path: Path
) -> None:
    items = ["kept <private>", CANARY, f"{CANARY}</private> kept too"]
    path = directory(tmp_path / "c", d16=[line(1, content="x", entities=items, other=items)])
    import_directory(store, path)
    (one,) = store.observations.recent()
    assert CANARY not in dumped(one.concepts) + str(one.extra)
    assert one.concepts[0] == "kept  kept too"


def test_all_that_a_session_s_lines_say_is_kept(store: Store, tmp_path: Path) -> None:
    path = directory(
        tmp_path / "c",
        d16=[
            {"id": "log-1", "type": "session_start", "timestamp": f"{DAY}T09:00:00Z", "model": "m"},
            line(1, content="x"),
            line(2, "session_end", reason="interrupted", duration_ms=7, cost=2.5),
        ],
    )
    import_directory(store, path)
    session = store.sessions.get("conv-1")
    assert session.extra == '{"cost": 2.5, "duration_ms": 7, "model": "m", "reason": "interrupted"}'
