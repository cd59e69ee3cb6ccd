"""A source is called by its name, and by the mark of its file only where that tells two apart."""

import pytest

from memtui.tui.text.records import source_label


@pytest.mark.parametrize(
    ("source", "sources", "label"),
    [
        ("claude-mem:1ffb4679", [], "claude-mem"),
        ("claude-mem:1ffb4679", ["claude-mem:1ffb4679", "trae-mem:00000001"], "claude-mem"),
        ("claude-mem:1ffb4679", ["claude-mem:dd2dfa5a"], "claude-mem:1ffb4679"),
        ("claude-mem:claude-mem.db", [], "claude-mem:claude-mem.db"),
        ("jsonl", [], "jsonl"),
    ],
)
def test_a_source_is_called_by_its_name(source: str, sources: list[str], label: str) -> None:
    assert source_label(source, sources) == label
