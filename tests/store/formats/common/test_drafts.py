"""Exports are whole or not there, for their owner only, and never over what is there."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.formats import export
from memtui.store.formats.common.drafts import ExportError, draft_directory, open_draft
from memtui.store.formats.export import FORMATS, Format, export_to

from ..fillings import fill


@pytest.fixture(params=[0o000, 0o022, 0o277])
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.fixture
def filled(store: Store) -> Store:
    fill(store)
    return store


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.usefixtures("umask")
def test_only_the_owner_can_read_it_whatever_the_umask(
    filled: Store, tmp_path: Path, format: Format
) -> None:
    target = tmp_path / "new" / "deep" / "out"
    export_to(filled, format, target)
    made = [target, *target.rglob("*"), *target.parents[:2]]
    modes = {(path.is_dir(), path.stat().st_mode & 0o777) for path in made}
    assert modes <= {(True, 0o700), (False, 0o600)}
    assert [path.name for path in target.parent.iterdir()] == ["out"]


@pytest.mark.parametrize("format", ["jsonl", "claude-mem"])
def test_a_file_is_replaced_only_when_told(filled: Store, tmp_path: Path, format: Format) -> None:
    target = tmp_path / "out"
    target.write_text("mine")
    with pytest.raises(ExportError, match="exists already"):
        export_to(filled, format, target)
    assert target.read_text() == "mine"
    export_to(filled, format, target, force=True)
    assert target.read_bytes() != b"mine"
    with pytest.raises(ExportError, match="is a directory"):
        export_to(filled, format, tmp_path, force=True)


def test_a_directory_that_holds_something_keeps_it(filled: Store, tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.mkdir()
    (target / "mine.txt").write_text("mine")
    (target / "facts.md").write_text("old")
    with pytest.raises(ExportError, match="holds files already"):
        export_to(filled, "markdown", target)
    assert (target / "facts.md").read_text() == "old"
    export_to(filled, "markdown", target, force=True)
    assert (target / "mine.txt").read_text() == "mine"
    assert "24 h" in (target / "facts.md").read_text()


def test_a_scheme_c_directory_in_use_is_never_written_over(filled: Store, tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("mine")
    with pytest.raises(ExportError, match="mem sync"):
        export_to(filled, "scheme-c", tmp_path, force=True)
    assert (tmp_path / "MEMORY.md").read_text() == "mine"


def test_what_fails_leaves_nothing(filled: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> dict[str, int]:
        raise ExportError("no more room")

    for name in ("export_jsonl", "export_markdown"):
        monkeypatch.setattr(export, name, failing)
    folder = tmp_path / "out"
    folder.mkdir()
    for format in FORMATS[::3]:
        with pytest.raises(ExportError, match="no more room"):
            export_to(filled, format, folder / "there")
    assert list(folder.iterdir()) == []


def test_who_comes_first_keeps_the_name(tmp_path: Path) -> None:
    target = tmp_path / "out"
    with pytest.raises(ExportError, match="exists already"), open_draft(target) as file:
        file.write(b"ours")
        target.write_bytes(b"theirs")
    assert target.read_bytes() == b"theirs"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_what_a_killed_export_left_is_gone_after_the_next(tmp_path: Path) -> None:
    process = subprocess.Popen(["true"])
    process.wait()
    left = tmp_path / f".out.{process.pid}.0123abcd"
    left.write_bytes(b"half")
    with open_draft(tmp_path / "out") as file:
        file.write(b"whole")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_directory_appears_whole(tmp_path: Path) -> None:
    target = tmp_path / "out"
    with draft_directory(target) as draft:
        (draft / "page.md").write_text("page")
        assert not target.exists()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (target / "page.md").read_text() == "page"


@pytest.mark.parametrize("format", FORMATS)
def test_an_export_changes_nothing_here(filled: Store, tmp_path: Path, format: Format) -> None:
    before = filled.data_version(), filled.db.total_changes()
    export_to(filled, format, tmp_path / "out")
    assert (filled.data_version(), filled.db.total_changes()) == before


@pytest.mark.long
def test_it_is_of_one_moment_whatever_is_written_meanwhile(filled: Store, tmp_path: Path) -> None:
    count = filled.db.execute("SELECT count(*) FROM observations").get

    def write_on(*_: object) -> None:
        with Store.open(filled.path) as other:
            other.observations.add("c-9", title="meanwhile")

    made = export_to(filled, "jsonl", tmp_path / "out", progress=None)
    assert made.counts["observations"] == count
    for number in range(1_100):
        filled.prompts.add("c-1", f"prompt {number}", agent="codex")
    made = export_to(filled, "jsonl", tmp_path / "later", progress=write_on)
    assert made.counts["observations"] == count
    assert len(filled.observations.recent()) > count
