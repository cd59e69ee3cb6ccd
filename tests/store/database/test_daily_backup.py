"""A backup a day where it is asked for, and what doctor says of backups."""

import os
import time
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.config import BackupSettings, backup_settings
from memtui.store.database.backup import (
    back_up_if_due,
    backup_check,
    is_due,
    known_backups,
    stamped_backups,
)
from memtui.store.platform.errors import ConfigurationError
from tests.store.processes import run_together


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMTUI_CONFIG", str(tmp_path / "config.toml"))
    return tmp_path / "config.toml"


def a_day_earlier(path: Path, days: float = 1) -> None:
    then = time.time() - days * 86_400 - 60
    os.utime(path, (then, then))


def test_none_is_made_unless_asked_for(store: Store, config: Path) -> None:
    assert not is_due(store.path)
    assert back_up_if_due(store.db, store.path) is None
    config.write_text("[backup]\ndaily = false\n")
    assert back_up_if_due(store.db, store.path) is None
    assert known_backups(store.path) == []


def test_one_a_day_is_made_and_so_many_stay(store: Store, config: Path) -> None:
    config.write_text("[backup]\ndaily = true\nkeep = 2\n")
    for _ in range(4):
        assert is_due(store.path)
        made = back_up_if_due(store.db, store.path)
        assert made is not None
        assert back_up_if_due(store.db, store.path) is None
        a_day_earlier(made)
    assert len(stamped_backups(store.path, "daily")) == 2


def back_up(path: Path, _number: int) -> None:
    with Store.open(path) as store:
        back_up_if_due(store.db, store.path)


@pytest.mark.long
def test_many_at_once_make_one(store: Store, config: Path) -> None:
    config.write_text("[backup]\ndaily = true\n")
    assert run_together(back_up, store.path, 4) == [0] * 4
    assert len(known_backups(store.path)) == 1


def test_doctor_tells_the_age_of_the_newest(store: Store, config: Path) -> None:
    assert backup_check(store.path).ok
    assert backup_check(store.path).found == "none yet"
    config.write_text("[backup]\ndaily = true\n")
    assert not backup_check(store.path).ok
    made = back_up_if_due(store.db, store.path)
    assert made is not None
    assert backup_check(store.path).ok
    a_day_earlier(made)
    assert "1 day old" in backup_check(store.path).found
    a_day_earlier(made, days=2)
    assert not backup_check(store.path).ok
    config.unlink()
    assert backup_check(store.path).ok
    made.rename(made.with_name(made.stem.replace("daily", "damaged") + made.suffix))
    assert "damaged" in backup_check(store.path).found
    assert not backup_check(store.path).ok


def test_a_disk_without_room_is_told_and_nothing_is_made(
    store: Store, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memtui.store.database import notices

    config.write_text("[backup]\ndaily = true\n")
    monkeypatch.setattr("memtui.store.database.backup.free_bytes", lambda _path: 1_000)
    notices.take()
    assert back_up_if_due(store.db, store.path) is None
    assert "no room" in notices.take()[0]
    assert known_backups(store.path) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("backup = 3", "write it as a table"),
        ("[backup]\nweekly = true", "no setting weekly"),
        ("[backup]\ndaily = 1", "daily is true or false"),
        ("[backup]\nkeep = 0", "keep is 1 or more"),
        ("[backup]\nkeep = true", "keep is a whole number"),
    ],
)
def test_what_is_wrong_with_the_configuration_is_told(
    store: Store, config: Path, text: str, told: str
) -> None:
    config.write_text(text)
    with pytest.raises(ConfigurationError, match=told):
        backup_settings()
    assert not is_due(store.path)
    assert not backup_check(store.path).ok
    config.write_text('[observer]\nkind = "rules"\n[backup]\ndaily = true\n')
    assert backup_settings() == BackupSettings(daily=True)
