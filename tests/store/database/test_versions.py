"""The bytes of versions of files, beside the memory."""

from pathlib import Path

from memtui.store.database.files.versions import VersionFolder


def test_what_a_killed_process_left_goes_with_all_the_others(tmp_path: Path) -> None:
    versions = VersionFolder(tmp_path / "memory.db")
    name = versions.keep(b"a version")
    (versions.path / f".{name}.1.0a1b2c3d").write_bytes(b"half a version")
    versions.drop()
    assert not versions.path.exists()
