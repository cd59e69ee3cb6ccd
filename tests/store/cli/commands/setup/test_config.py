"""`mem config` shows and changes the configuration, and loses nothing of what it doesn't know."""

import json
import os
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from memtui.store.config.settings import SETTINGS, TABLES
from tests.editors import editor

from ...runner import Mem

MINE = """\
# about me

theme_of_my_own = 1   # nobody reads this
[browser]             # looks
theme   =   'nord'    # cold
[zebra]
x = [ 1,
      2 ]  # stays
"""


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration of the test's own, not yet there."""
    path = tmp_path / "place" / "config.toml"
    monkeypatch.setenv("MEMTUI_CONFIG", str(path))
    return path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")


def test_every_setting_is_listed_with_its_value_its_default_and_its_line(mem: Mem, config: Path) -> None:
    write(config, '[browser]\ntheme = "nord"\n[keys]\n\nsearch.pin = "P"\n')
    found = {one["setting"]: one for one in mem.json("config", "list")}
    plain = {one.key for one in SETTINGS if not TABLES[one.table].is_open}
    assert found.keys() == plain | {"keys.search.pin"}
    assert (found["browser.theme"]["value"], found["browser.theme"]["line"]) == ("nord", 2)
    assert (found["keys.search.pin"]["value"], found["keys.search.pin"]["line"]) == ("P", 5)
    assert (found["backup.keep"]["value"], found["backup.keep"]["line"]) == (7, None)
    assert "browser.density\tcomfortable\tcomfortable\tdefault" in mem.ok("config", "list")


def test_on_a_narrow_terminal_the_names_of_settings_are_whole(mem: Mem, config: Path) -> None:
    shown = mem.on_terminal("config", "list", COLUMNS="80")
    for one in SETTINGS:
        if not TABLES[one.table].is_open:
            assert f"{one.key} " in shown


def test_a_value_that_is_set_can_be_got_and_unset(mem: Mem, config: Path) -> None:
    assert mem.ok("config", "get", "browser.density") == "comfortable"
    mem.ok("config", "set", "browser.density", "compact")
    assert mem.ok("config", "get", "browser.density") == "compact"
    mem.ok("config", "unset", "browser.density")
    assert mem.ok("config", "get", "browser.density") == "comfortable"
    assert mem.ok("config", "path") == str(config)


@pytest.mark.parametrize(
    ("key", "given", "stored"),
    [
        ("browser.theme", "nord", "nord"),
        ("browser.theme", '"nord"', "nord"),
        ("browser.theme", "", ""),
        ("browser.mouse", "false", False),
        ("backup.keep", "1_000", 1000),
        ("observer.timeout_seconds", "9.5", 9.5),
        ("observer.model", "123", "123"),
        ("observer.key_command", '["pass", "a b"]', ["pass", "a b"]),
        ("keys.search.pin", "P", "P"),
        ("keys.app.help", "?, F1", "?,f1"),
        ("keys.entry.copy", '"', '"'),
        ("browser.panes.search", "40", 40),
        ("browser.colors.bugfix", "#a03030", "#a03030"),
    ],
)
@pytest.mark.sampled
def test_a_value_is_given_as_it_stands_or_as_toml(
    mem: Mem, config: Path, key: str, given: str, stored: object
) -> None:
    mem.ok("config", "set", key, given)
    assert mem.json("config", "get", key) == stored
    assert mem.json("config", "check") == []


def test_comments_order_and_what_is_not_ours_stay(
    mem: Mem, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The keys are right; each time the browser would be asked in a process of its own.
    monkeypatch.setattr("memtui.store.maintain.configuration.key_problems", lambda: ())
    monkeypatch.setattr("memtui.store.maintain.configuration.check_key_name", lambda key, value: None)
    write(config, MINE)
    mem.ok("config", "set", "browser.theme", "dracula")
    assert config.read_text() == MINE.replace("'nord'", '"dracula"')
    mem.ok("config", "set", "keys.search.pin", "P")
    mem.ok("config", "set", "keys.entry.copy", "Y")
    mem.ok("config", "unset", "keys.search.pin")
    after = config.read_text()
    assert after.startswith(MINE.replace("'nord'", '"dracula"').rstrip())
    assert tomllib.loads(after)["keys"] == {"entry": {"copy": "Y"}}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("set", "browser.theme", "nrod"), 'Did you mean "nord"?'),
        (("set", "browser.theme", "nrod"), "solarized-dark"),
        (("set", "browser.thme", "nord"), 'Did you mean "browser.theme"?'),
        (("set", "browser", "nord"), "no setting browser"),
        (("set", "backup.keep", "0"), "1 or more"),
        (("set", "backup.keep", "many"), "whole number"),
        (("set", "browser.mouse", "flase"), "true or false"),
        (("set", "observer.kind", "command"), "name the program"),
        (("set", "keys.search.pin", "prnt"), "is a key"),
        (("get", "browser.thme"), 'Did you mean "browser.theme"?'),
        (("unset", "brwser.theme"), 'Did you mean "browser.theme"?'),
        (("set", "keys.search.pinn", "P"), 'Did you mean "search.pin"?'),
    ],
)
@pytest.mark.sampled
def test_what_can_not_be_is_refused_and_nothing_is_written(
    mem: Mem, config: Path, arguments: tuple[str, ...], says: str
) -> None:
    write(config, MINE)
    told = " ".join(mem.refused("config", *arguments, code=2).split())
    assert says in told
    assert config.read_text() == MINE


def test_a_file_that_is_no_toml_is_left_as_it_is_and_told(mem: Mem, config: Path) -> None:
    write(config, "[browser\n")
    for arguments in (("list",), ("set", "browser.theme", "nord"), ("check",)):
        assert "line 1" in mem.refused("config", *arguments)
    assert config.read_text() == "[browser\n"


def test_what_is_wrong_is_named_with_its_line(mem: Mem, config: Path) -> None:
    write(config, '[browser]\ndensity = "dense"\n\nthme = "nord"\n')
    done = mem("config", "check")
    assert done.exit_code == 1
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == [
        "config.toml, line 2",
        "config.toml, line 4",
    ]
    assert [one["line"] for one in json.loads(mem("config", "check", "--json").stdout)] == [2, 4]
    listed = mem("config", "list")
    assert listed.exit_code == 0
    assert "line 2" in listed.stderr and "browser.density\tcomfortable" in listed.stdout


def test_a_link_is_followed_and_the_file_keeps_its_mode(mem: Mem, config: Path, tmp_path: Path) -> None:
    target = tmp_path / "dotfiles" / "memtui.toml"
    write(target, "# mine\n")
    target.chmod(0o640)
    config.parent.mkdir()
    config.symlink_to(target)
    mem.ok("config", "set", "browser.theme", "nord")
    assert config.is_symlink()
    assert target.read_text() == '# mine\n\n[browser]\ntheme = "nord"\n'
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert [one.name for one in target.parent.iterdir()] == ["memtui.toml"]


def test_a_new_file_is_for_its_owner_only(mem: Mem, config: Path) -> None:
    mem.ok("config", "set", "browser.theme", "nord")
    assert stat.S_IMODE(config.stat().st_mode) == 0o600
    assert stat.S_IMODE(config.parent.stat().st_mode) == 0o700


def test_of_many_who_write_at_once_none_loses_anything(config: Path) -> None:
    code = (
        "import sys; from memtui.store.maintain.configuration import change\n"
        "for n in range(8): change({f'browser.panes.{sys.argv[1]}{n}': 40})"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", code, name], env=dict(os.environ))
        for name in ("a", "b", "c", "d")
    ]
    assert [one.wait() for one in started] == [0, 0, 0, 0]
    panes = tomllib.loads(config.read_text())["browser"]["panes"]
    assert len(panes) == 32


def test_control_characters_never_reach_the_terminal(mem: Mem, config: Path) -> None:
    write(config, '[browser]\ntheme = "a\\u001b[31mb"\n[keys]\n"x\\u001b" = "y"\n')
    for arguments in (("list",), ("check",), ("get", "browser.theme")):
        done = mem("config", *arguments)
        assert "\x1b" not in done.stdout + done.stderr


def test_the_editor_gets_a_template_which_goes_if_nothing_was_written(
    mem: Mem, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", editor(tmp_path, ""))
    mem.ok("config", "edit")
    assert not config.exists()
    assert '# theme = ""' in (tmp_path / "round-0").read_text()
    uncommented = "t = t.replace('# theme = \"\"', 'theme = \"nord\"')"
    monkeypatch.setenv("VISUAL", editor(tmp_path, uncommented))
    mem.ok("config", "edit")
    assert mem.ok("config", "get", "browser.theme") == "nord"


def test_what_was_written_wrongly_is_told_with_its_line_and_kept(
    mem: Mem, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(config, "[browser]\n")
    monkeypatch.setenv("VISUAL", editor(tmp_path, "t += 'theme = \"nrod\"\\n'"))
    told = mem.refused("config", "edit")
    assert "config.toml, line 2" in told and 'Did you mean "nord"?' in told
    assert config.read_text() == '[browser]\ntheme = "nrod"\n'


@pytest.mark.parametrize(
    "text",
    [f"a = {'[' * 3_000}{']' * 3_000}", f"[{'.'.join('a' * 3_000)}]", f"{'.'.join('a' * 3_000)} = 1"],
    ids=["lists", "a table", "a key"],
)
def test_a_file_that_is_nested_too_deeply_is_named(mem: Mem, config: Path, text: str) -> None:
    write(config, text)
    for command in (("set", "browser.theme", "nord"), ("unset", "browser.theme")):
        assert str(config) in mem.refused("config", *command)
    assert config.read_text() == text
