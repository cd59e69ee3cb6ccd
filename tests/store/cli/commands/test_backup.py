"""Backups: where they go, how many stay, and what is said of a damaged memory."""

from pathlib import Path

from memtui.store import Store
from memtui.store.maintain.backups import automatic_backup, known_backups
from tests.promises import promise
from tests.store.cli.runner import Mem


def kept(folder: Path) -> set[Path]:
    return {one for one in folder.iterdir() if not one.name.startswith(".")}


@promise("backups-restore")
def test_without_a_path_it_lies_beside_and_only_the_newest_stay(mem: Mem) -> None:
    mem.ok("add", "drift")
    folder = mem.db.with_name("memory.db-backups")
    made = [Path(mem.ok("backup", "--keep", "2")) for _ in range(4)]
    assert kept(folder) == set(made[2:])
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {one.stat().st_mode & 0o777 for one in kept(folder)} == {0o600}
    for copy in made[2:]:
        with Store.open(copy, read_only=True) as store:
            assert len(store.find("drift").page().hits) == 1


def test_what_is_not_named_by_us_is_never_removed(mem: Mem, tmp_path: Path) -> None:
    mem.ok("add", "drift")
    folder = tmp_path / "mine"
    folder.mkdir()
    others = {folder / "notes.db", folder / "memory-20260101.db", folder / "other-20260101-000000.db"}
    for other in others:
        other.write_text("mine")
    with Store.open(mem.db) as store:
        automatic = automatic_backup(store, "before-purge")
    made = [Path(mem.ok("backup", str(folder), "--keep", "1")) for _ in range(3)]
    assert kept(folder) == {*others, made[-1]}
    mem.ok("backup", "--keep", "1")
    assert automatic is not None
    assert automatic.exists()
    assert mem.refused("backup", str(tmp_path / "new.db"), "--keep", "2", code=2)


def test_of_each_reason_the_newest_three_stay(mem: Mem) -> None:
    mem.ok("add", "drift")
    mem.ok("backup")
    for _ in range(5):
        mem.ok("rebuild")
    names = [one.name for one in known_backups(mem.db)]
    assert len([name for name in names if "before-rebuild" in name]) == 3
    assert len(names) == 4


@promise("damage-found")
def test_a_backup_of_a_damaged_memory_says_that_it_is_one(mem: Mem, tmp_path: Path) -> None:
    for number in range(60):
        mem.ok("add", f"drift {number} {'word ' * 200}")
    whole = bytearray(mem.db.read_bytes())
    place = whole.rindex(b"drift 50 ") // 4096 * 4096
    whole[place : place + 4096] = bytes(4096)
    mem.db.write_bytes(whole)
    told = mem("backup", str(tmp_path / "copy.db"))
    assert told.exit_code == 1
    assert "mem store repair" in told.stderr
    assert told.stdout.strip() == str(tmp_path / "copy-damaged.db")
    assert (tmp_path / "copy-damaged.db").stat().st_mode & 0o777 == 0o600
    assert not (tmp_path / "copy.db").exists()
    mem.db.write_bytes(b"SQLite format 3\0" + b"\xff" * 9_000)
    told = mem("backup")
    assert told.exit_code == 1
    assert Path(told.stdout.strip()).read_bytes() == mem.db.read_bytes()
    assert "-damaged" in told.stdout
    mem.db.unlink()


def test_restoring_tells_where_the_old_memory_is(mem: Mem) -> None:
    mem.ok("add", "kept")
    copy = mem.ok("backup")
    mem.ok("add", "later")
    told = mem("restore-backup", copy)
    assert told.exit_code == 0
    assert "What was here before is in" in told.stderr
    assert mem.json("stats")["observations"] == 1
    done = mem.json("restore-backup", copy, "--remove-old")
    assert done["before"] is None
    assert len(list(mem.db.parent.glob("memory-before-*"))) == 1
    assert "no file" in mem.refused("restore-backup", "nowhere.db")


def test_events_that_wait_are_stored_after_a_backup_was_restored(mem: Mem) -> None:
    mem.ok("add", "kept")
    copy = mem.ok("backup")
    event = b'{"hook_event_name":"UserPromptSubmit","session_id":"c-9","prompt":"waiting"}'
    mem.process("hook", "claude-code", input=event)
    mem.ok("restore-backup", copy)
    assert mem.json("stats")["prompts"] == 1


def test_the_queues_worker_makes_the_days_backup(mem: Mem, tmp_path: Path) -> None:
    mem.ok("add", "kept")
    (tmp_path / "config.toml").write_text("[backup]\ndaily = true\n")
    config = str(tmp_path / "config.toml")
    for _ in range(2):
        done = mem.process("queue", "process", "--background", MEMTUI_CONFIG=config)
        assert done.returncode == 0
    assert ["-daily" in one.name for one in known_backups(mem.db)] == [True]
    found = mem.process("doctor", "--json", MEMTUI_CONFIG=config)
    assert b"the newest less than a minute old" in found.stdout


def test_a_directory_is_made_for_a_backup_that_is_named_like_one(mem: Mem) -> None:
    mem.ok("add", "It rained.")
    made = Path(mem.ok("backup", f"{mem.folder}/copies/"))
    assert made.parent == mem.folder / "copies" and made.is_file()


def test_what_is_no_backup_is_refused_in_words_that_fit(mem: Mem) -> None:
    mem.ok("add", "It rained.")
    (mem.folder / "notes.txt").write_text("a note")
    told = mem.refused("restore-backup", str(mem.folder / "notes.txt"))
    assert "Name a backup of a store" in told and "program" not in told
