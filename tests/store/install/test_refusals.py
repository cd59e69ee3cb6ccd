"""What can't be understood or written safely is refused in a sentence, and left as it was."""

import os
from pathlib import Path

import pytest

from memtui.store import StoreError
from memtui.store.install import Launcher, Surroundings, agent_named, install, repository
from memtui.store.platform.errors import ConfigurationError
from tests.unprivileged import without_privileges

from .machine import Machine

BROKEN: dict[str, tuple[bytes, str]] = {
    "cut off": (b'{\n  "hooks": {\n', "line 3"),
    "no JSON": (b"hooks = true", "line 1, column 1"),
    "two values": (b"{}\n{}", "line 2, column 1"),
    "a missing comma": (b'{"a": 1\n "b": 2}', "line 2, column 2: a comma or } was expected"),
    "a missing colon": (b'{"a" 1}', "a colon"),
    "two commas": (b'{"a": [1,,2]}', "column 10"),
    "a name without quotes": (b"{a: 1}", "double quotes"),
    "an open comment": (b"{} /* ", "line 1, column 4"),
    "an open text": (b'{"a": "b', "Unterminated string"),
    "no number": (b'{"a": NaN}', "line 1"),
    "only a comment": (b"// nothing", "value"),
    "a list": (b"[]", "no object"),
    "a number": (b"7", "no object"),
    "hooks that are a list": (b'{"hooks": []}', '"hooks" is not an object'),
    "hooks that are null": (b'{"hooks": null}', '"hooks" is not an object'),
    "an event that is an object": (b'{"hooks": {"Stop": {}}}', '"Stop"'),
    "Latin-1": (b'{"a": "\xe9"}', "UTF-8"),
    "UTF-16": ('{"a": 1}'.encode("utf-16"), "UTF-8"),
    "a deep one": (b"[" * 100_000, "too deep"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_configuration_is_left_as_it_was(machine: Machine, name: str) -> None:
    content, told = BROKEN[name]
    path = machine.file("claude-code")
    path.write_bytes(content)
    before = machine.everything()
    with pytest.raises(ConfigurationError) as raised:
        machine.install("claude-code")
    assert str(path) in str(raised.value)
    assert told in str(raised.value)
    assert machine.everything() == before
    assert machine.state("claude-code").installed in ("unreadable", "no")


def test_a_configuration_that_broke_since_is_left_as_it_is(machine: Machine) -> None:
    path = machine.file("codex")
    machine.install("codex")
    path.write_text(path.read_text()[:-20])
    before = machine.everything()
    for call in (machine.install, machine.uninstall):
        with pytest.raises(ConfigurationError, match="line"):
            call("codex")
    assert machine.everything() == before
    assert machine.state("codex").installed == "unreadable"


def test_a_plugin_of_somebody_else_is_left_as_it_was(machine: Machine) -> None:
    path = machine.file("opencode")
    path.write_text("export const Other = 1\n")
    for call in (machine.install, machine.uninstall):
        with pytest.raises(ConfigurationError, match="not memtui's"):
            call("opencode")
    assert path.read_text() == "export const Other = 1\n"
    assert machine.state("opencode").installed == "no"


def test_what_is_no_file_is_refused(machine: Machine) -> None:
    path = machine.file("codex")
    path.mkdir()
    with pytest.raises(ConfigurationError, match="not a plain file"):
        machine.install("codex")
    path.rmdir()
    os.mkfifo(path)
    with pytest.raises(ConfigurationError, match="not a plain file"):
        machine.install("codex")
    assert machine.state("codex").installed == "unreadable"


def test_a_file_where_a_directory_should_be_is_refused(machine: Machine) -> None:
    (machine.home / ".codex").write_text("mine")
    with pytest.raises(ConfigurationError, match=r"hooks\.json"):
        machine.install("codex")
    assert (machine.home / ".codex").read_text() == "mine"


@pytest.mark.parametrize("name", ["gpt", "", "Codex"])
def test_an_unknown_agent_is_told(name: str) -> None:
    with pytest.raises(StoreError, match="Known are claude-code, codex"):
        agent_named(name)


def test_a_directory_outside_of_repositories_is_told(machine: Machine) -> None:
    assert repository(machine.project / ".git") == machine.project
    with pytest.raises(ConfigurationError, match="no git repository"):
        repository(machine.home)


def test_a_file_that_can_not_be_written_is_refused(tmp_path: Path) -> None:
    path = tmp_path / ".codex" / "hooks.json"
    path.parent.mkdir()
    path.write_text("{}")
    path.parent.chmod(0o555)
    launcher = Launcher(Path("/opt/python"), Path("/opt/store/capture/hook.py"))

    def is_refused() -> None:
        with pytest.raises(ConfigurationError, match="Permission denied"):
            install("codex", surroundings=Surroundings(tmp_path, {}), launcher=launcher)

    assert without_privileges(is_refused) == 0
    assert [(one.name, one.read_text()) for one in path.parent.iterdir()] == [("hooks.json", "{}")]
    path.parent.chmod(0o755)


def test_a_file_of_another_user_never_becomes_ours(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    path = tmp_path / ".codex" / "hooks.json"
    path.parent.mkdir()
    path.write_text("{}")
    os.chown(path, 12345, -1)
    launcher = Launcher(Path("/opt/python"), Path("/opt/store/capture/hook.py"))

    def is_refused() -> None:
        with pytest.raises(ConfigurationError, match="not permitted"):
            install("codex", surroundings=Surroundings(tmp_path, {}), launcher=launcher)

    assert without_privileges(is_refused) == 0
    assert path.read_text() == "{}"
    assert path.stat().st_uid == 12345


@pytest.mark.parametrize(
    "place", [".cache/uv/archive-v0/x", "Library/Caches/pipx/x", "elsewhere/archive-v0/x"]
)
def test_nothing_is_hooked_up_from_a_cache_where_the_program_will_be_gone(
    tmp_path: Path, place: str
) -> None:
    launcher = Launcher(tmp_path / place / "bin/python", tmp_path / place / "hook.py")
    with pytest.raises(ConfigurationError, match="uv tool install memtui"):
        install("claude-code", surroundings=Surroundings(tmp_path, {}), launcher=launcher)
    assert not (tmp_path / ".claude").exists()
