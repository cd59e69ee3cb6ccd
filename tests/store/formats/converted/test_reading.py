"""Of a file that can't be a document of JSON no more than its beginning is read."""

from pathlib import Path

import pytest

from memtui.store.leaves.foreign import json_lines


@pytest.mark.parametrize("content", [b'{"a": 1}', b'\xef\xbb\xbf\r\n {"a": 1}'])
def test_a_document_is_read_whole(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "memories.json"
    path.write_bytes(content)
    assert json_lines.document(path) == {"a": 1}


def test_another_programs_database_is_not_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "claude-mem.db"
    path.write_bytes(b"SQLite format 3\0" + bytes(10_000))
    monkeypatch.setattr(json_lines, "LARGEST", 5_000)
    assert json_lines.document(path) is None
