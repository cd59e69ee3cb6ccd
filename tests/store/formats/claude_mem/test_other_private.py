"""What was private or secret in any column of any other program's file is found nowhere here."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.leaves.foreign.database_import import import_database

from ..foreign_files import CodexmemFile, ForeignFile, OldClaudeMemFile, TraeMemFile
from .test_private import CANARY, HIDDEN, PASSWORD, SECRETS, TOKEN

IDS = ("id", "session_id", "content_session_id", "memory_session_id", "document_id")
COLUMNS = "SELECT json_group_array(name) FROM pragma_table_info(?) WHERE type = 'TEXT'"


def fill(file: ForeignFile, text: str) -> int:
    """Put a text into every column of every table, each in a row of its own; how many rows."""
    number = 0
    for table, defaults in file.defaults.items():
        names = json.loads(file.run(COLUMNS, table))
        for name in (None, *names):
            number += 1
            row = dict.fromkeys(names if name is None else [name], text)
            for key in IDS:
                # Names of rows have to be different ones.
                if key in row and (name != key or table in ("sessions", "sdk_sessions")):
                    row[key] = defaults.get(key, "x") if name != key else text
            if "id" in names:
                row["id"] = f"{text} {number}" if name == "id" else f"{table} {number}"
            for key in IDS[1:] if table in ("sessions", "sdk_sessions") else ():
                if key in names and name != key:
                    row[key] = f"{key} {number}"
            file.add(table, **row)
    return number


@pytest.mark.parametrize("kind", [CodexmemFile, TraeMemFile, OldClaudeMemFile])
@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        *((text, (CANARY,)) for text in HIDDEN.values()),
        *((SECRETS[name], (TOKEN, PASSWORD)) for name in SECRETS if "words" not in name),
    ],
    ids=[*HIDDEN, *(f"secret {name}" for name in SECRETS if "words" not in name)],
)
@pytest.mark.sampled
def test_it_reaches_no_byte_of_the_store_and_no_warning(
    store: Store, tmp_path: Path, kind: Callable[[Path], ForeignFile], text: str, hidden: tuple[str, ...]
) -> None:
    file = kind(tmp_path / "theirs.db")
    number = fill(file, text)
    report = import_database(store, file.path)
    # With the session that the file begins with.
    assert sum(counts.read for counts in report.counts.values()) == number + 1
    told = " ".join((*report.notes, *(one.message for one in report.warnings)))
    for word in hidden:
        assert word not in told
        for path in store.path.parent.iterdir():
            assert word.encode() not in path.read_bytes()
