"""The lines of a configuration on which settings are given."""

import os
import posix
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from memtui.store.config.file import line_of, read_tables
from memtui.store.platform.errors import ConfigurationError
from memtui.store.platform.paths import read_config

TEXT = '''\
# What is above any table.
theme = "nord"
panes.results = 40

[keys]  # A comment.

"search.pin" = [
    "P",
    # [colours]
    "alt+p",
]

[observer.model]
prompt = """
[keys]
address = "no"
"""
address = "http://localhost"
limits = { tokens = 3, calls = 4 }

[[profile]]
name = "work"

[empty]
'''


@pytest.mark.parametrize(
    ("names", "line"),
    [
        (["theme"], 2),
        (["panes"], 3),
        (["panes", "results"], 3),
        (["keys"], 5),
        (["keys", "search.pin"], 7),
        (["keys", "search", "pin"], 0),
        (["observer"], 13),
        (["observer", "model"], 13),
        (["observer", "model", "prompt"], 14),
        (["observer", "model", "address"], 18),
        (["observer", "model", "limits", "calls"], 19),
        (["profile"], 21),
        (["profile", "name"], 22),
        (["empty"], 24),
        (["colours"], 0),
        (["name"], 0),
        (["theme", "nord"], 0),
    ],
)
def test_a_setting_is_found_on_the_line_that_gives_it(names: list[str], line: int) -> None:
    assert line_of(TEXT, names) == line
    assert line_of(TEXT.replace("\n", "\r\n"), names) == line


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: path.symlink_to(path.name)])
def test_what_is_no_file_in_its_place_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], object]
) -> None:
    path = tmp_path / "config.toml"
    make(path)
    monkeypatch.setitem(posix.environ, b"MEMTUI_CONFIG", bytes(path))
    with suppress(OSError):
        assert read_config() == b""
    with pytest.raises(ConfigurationError):
        read_tables(path)


@pytest.mark.parametrize(
    "text",
    [
        "x = [\n" + "  1,\n" * 20_000 + "]\n",
        'x = """\n' + "x\n" * 50_000 + '"""\n',
        "".join(f"k{number} = 1\n" for number in range(5_000)),
        "".join(f"[k{number}]\na = 1\n" for number in range(3_000)),
    ],
)
def test_lines_are_found_without_reading_the_text_again_and_again(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    read: list[int] = []
    loads = tomllib.loads

    def counted(part: str) -> dict[str, object]:
        read.append(len(part))
        return loads(part)

    monkeypatch.setattr(tomllib, "loads", counted)
    names = [["first"], ["k9"], ["k4000"], ["nothing"]] * 50
    assert line_of(f"first = 1\n{text}", names[0]) == 1
    for some in names:
        line_of(f"first = 1\n{text}", some)
    assert sum(read) < 2 * len(text) + 300_000


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_mark_of_byte_order_is_no_part_of_a_configuration(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(f"{mark}[context]\nbudget = 7\n", encoding="utf-8")
    assert read_tables(path) == {"context": {"budget": 7}}
    path.write_text(".".join(["k"] * 20_000) + " = 1\n")
    with pytest.raises(ConfigurationError, match="deeply"):
        read_tables(path)
