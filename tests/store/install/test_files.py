"""A configuration file keeps its kind, its mode, its owner and its marks."""

import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.store.agents.registry import BY_NAME
from memtui.store.platform.errors import ConfigurationError
from memtui.store.records.events import AgentName

from .machine import HOOKED, Machine, commands

BACKUP = "hooks.json.memtui-backup"


def modes(machine: Machine) -> tuple[set[str], set[str]]:
    """The modes of the directories and of the files in the home, but for the repository."""
    found = [path for path in machine.home.rglob("*") if machine.project not in (path, *path.parents)]
    return (
        {oct(one.stat().st_mode & 0o777) for one in found if one.is_dir() and one.name != "work"},
        {oct(one.stat().st_mode & 0o777) for one in found if one.is_file()},
    )


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
@pytest.mark.parametrize("agent", HOOKED)
def test_what_we_make_is_for_its_owner_only(machine: Machine, agent: AgentName, umask: int) -> None:
    before = os.umask(umask)
    try:
        machine.install(agent)
        is_script = bool(BY_NAME[agent].plugin_events)
        assert modes(machine) == ({"0o700"}, {"0o700" if is_script else "0o600"})
    finally:
        os.umask(before)


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o666])
def test_a_file_keeps_its_mode_and_the_backup_is_ours_only(machine: Machine, mode: int, umask: int) -> None:
    path = machine.file("codex")
    path.write_text("{}")
    path.chmod(mode)
    before = os.umask(umask)
    try:
        machine.install("codex")
        assert stat.S_IMODE(path.with_name(BACKUP).stat().st_mode) == 0o600
        assert stat.S_IMODE(path.stat().st_mode) == mode
        machine.uninstall("codex")
        assert stat.S_IMODE(path.stat().st_mode) == mode
    finally:
        os.umask(before)


def test_a_file_keeps_its_owner(machine: Machine) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    path = machine.file("codex")
    path.write_text("{}")
    os.chown(path, 12345, 23456)
    machine.install("codex")
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 23456)


def test_the_backup_holds_the_bytes_from_before_the_first_install(machine: Machine) -> None:
    path = machine.file("codex")
    path.write_text('{"a": 1}')
    machine.install("codex")
    machine.install("codex", "newer")
    assert path.with_name(BACKUP).read_text() == '{"a": 1}'
    path.write_text('{"b": 2}')  # somebody has taken our hooks out by hand
    machine.install("codex")
    assert path.with_name(BACKUP).read_text() == '{"b": 2}'
    machine.uninstall("codex")
    assert path.read_text() == '{"b": 2}'
    assert list(path.parent.iterdir()) == [path]


def test_a_file_that_we_made_has_no_backup(machine: Machine) -> None:
    machine.install("codex")
    machine.install("codex", "newer")
    path = machine.file("codex")
    assert list(path.parent.iterdir()) == [path]
    machine.uninstall("codex")
    assert not path.parent.exists()


def test_a_linked_file_is_written_through_the_link(machine: Machine) -> None:
    target = machine.home / "dotfiles" / "codex.json"
    target.parent.mkdir()
    target.write_text('{"a": 1}')
    path = machine.file("codex")
    path.symlink_to("../dotfiles/codex.json")
    machine.install("codex")
    assert path.is_symlink()
    assert commands(target) == commands(path) != []
    assert list(target.parent.iterdir()) == [target]
    machine.uninstall("codex")
    assert path.is_symlink()
    assert target.read_text() == '{"a": 1}'


def test_a_link_to_nothing_gets_its_target(machine: Machine) -> None:
    path = machine.file("codex")
    path.symlink_to(machine.home / "dotfiles" / "codex.json")
    before = machine.everything()
    machine.install("codex")
    assert path.is_symlink()
    assert commands(machine.home / "dotfiles" / "codex.json")
    machine.uninstall("codex")
    assert machine.everything() == before


def test_a_link_to_itself_is_refused(machine: Machine) -> None:
    path = machine.file("codex")
    path.symlink_to(path.name)
    with pytest.raises(ConfigurationError, match=r"hooks\.json"):
        machine.install("codex")
    assert machine.state("codex").installed == "unreadable"


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"", b"\r\n"])
def test_line_ends_marks_and_tabs_are_kept(machine: Machine, mark: bytes, end: bytes) -> None:
    path = machine.file("codex")
    path.write_bytes(mark + b'{\r\n\t"a": 1\r\n}' + end)
    before = path.read_bytes()
    machine.install("codex")
    content = path.read_bytes()
    assert content.startswith(mark + b'{\r\n\t"a": 1,\r\n\t"hooks": {\r\n\t\t"SessionStart": [')
    assert content.endswith(b"}" + end)
    assert content.count(b"\n") == content.count(b"\r\n")
    assert b"  " not in content
    machine.uninstall("codex")
    assert path.read_bytes() == before


def before_replacing(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
    """Let something happen each time a draft has been written, before it takes its place."""
    fsync = os.fsync

    def then(handle: int) -> None:
        fsync(handle)
        happens()

    monkeypatch.setattr(os, "fsync", then)


def test_what_another_program_writes_meanwhile_is_kept(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = machine.file("codex")
    path.write_text('{"a": 1}')
    before_replacing(
        monkeypatch, lambda: None if "b" in path.read_text() else path.write_text('{"b": "theirs"}')
    )
    machine.install("codex")
    assert path.read_text().startswith('{"b": "theirs"')
    assert commands(path)
    machine.uninstall("codex")
    assert path.read_text() == '{"b": "theirs"}'


def test_a_file_that_is_written_without_end_is_left_to_its_writer(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = machine.file("codex")
    path.write_text("{}")
    before_replacing(monkeypatch, lambda: path.write_text(path.read_text() + " "))
    with pytest.raises(ConfigurationError, match="another program"):
        machine.install("codex")
    assert path.read_text().strip() == "{}"


def test_a_file_that_appears_meanwhile_is_kept(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    path = machine.file("codex")
    before_replacing(monkeypatch, lambda: path.exists() or path.write_text('{"theirs": 1}'))
    machine.install("codex")
    assert path.read_text().startswith('{"theirs": 1')
    assert commands(path)


def test_a_script_runs_the_hook_and_ends_well_whatever_is_gone(machine: Machine) -> None:
    machine.install("cline", database=Path("/a b's/memory.db"))
    script = machine.file("cline")
    hook = machine.launcher().script
    hook.write_text("import sys; print(sys.argv[1:], sys.stdin.read())")
    done = subprocess.run([script], input=b"{}", capture_output=True, check=True)
    assert done.stdout.decode() == "['cline', '--db', \"/a b's/memory.db\"] {}\n"
    machine.launcher().python.unlink()
    done = subprocess.run([script], input=b"{}", capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")
