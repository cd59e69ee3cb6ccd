"""`mem import --project`: what its source names no project of belongs to one."""

import json
from pathlib import Path

from memtui.store import Store
from memtui.store.maintain.importing import run


def memory(path: Path, workspace: str = "") -> Path:
    path.mkdir()
    (path / "MEMORY.md").write_text("# Notes\n\nThe port is 4173.\n")
    (path / "daily").mkdir()
    start = {"id": "log-1", "type": "session_start", "timestamp": "2026-02-02T02:40:00Z"}
    lines = [start | ({"workspace": workspace} if workspace else {})]
    lines.append(
        {
            "id": "log-2",
            "type": "note",
            "timestamp": "2026-02-02T02:41:00Z",
            "session_id": "s-1",
            "content": "Set the port",
        }
    )
    (path / "daily" / "2026-02-02.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def test_a_note_of_one_projects_directory_is_that_projects(store: Store, tmp_path: Path) -> None:
    run(store, "scheme-c", memory(tmp_path / "memory", "/home/dev/shop"), None)
    assert [note.project for note in store.notes.where("true")] == ["shop"]


def test_what_names_no_project_goes_to_the_one_that_is_told(store: Store, tmp_path: Path) -> None:
    report = run(store, "scheme-c", memory(tmp_path / "memory"), None, "shop")

    assert [note.project for note in store.notes.where("true")] == ["shop"]
    assert any("went to shop" in one for one in report.notes)


def test_without_a_project_a_note_holds_everywhere(store: Store, tmp_path: Path) -> None:
    run(store, "scheme-c", memory(tmp_path / "memory"), None)
    assert [note.project for note in store.notes.where("true")] == [""]
