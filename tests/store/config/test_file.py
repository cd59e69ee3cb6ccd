"""The lines of a configuration on which settings are given."""

import os
import posix
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
