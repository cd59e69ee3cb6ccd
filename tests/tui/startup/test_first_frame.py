"""The frame that stands before Textual does."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from bench.terminal import ESCAPES, Terminal
from store import ListRow, Store
from tui.startup.first_frame import ENTER, frame, shown

MEMTUI = str(Path(sys.executable).with_name("memtui"))


def entry(title: str) -> ListRow:
    return ListRow(1, "observation", 1, title, "bugfix", "atlas", "codex", 1, 0, False, 0)


def painted(text: str) -> str:
    return ESCAPES.sub(b"", text.encode()).decode()


def test_titles_are_cut_to_the_list_and_never_command_the_terminal() -> None:
    text = frame([entry("\x1b]52;c;cHduZWQ=\x07 刷新令牌" * 40)], 80, 24)
    assert "\x1b]52" not in text
    assert "● ␛]52" in painted(text)
    assert len(painted(text).splitlines()) == 1


def test_there_is_no_frame_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with shown([entry("a title")]) as there:
        assert not there
    assert capsys.readouterr().err == ""


def test_the_browser_takes_over_on_the_same_screen(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        store.observations.add("c-1", title="Painted at once")
    with Terminal([MEMTUI], {**os.environ, "MEMTUI_DB": str(path)}) as terminal:
        terminal.wait_for("Painted at once")
        assert "Palette" not in terminal.painted()
        terminal.wait_for("Palette")
        terminal.quiet()
        assert terminal.raw.count(ENTER.encode()) == 1


def test_the_terminal_is_left_when_the_browser_quits(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        store.observations.add("c-1", title="Painted at once")
    with Terminal([MEMTUI], {**os.environ, "MEMTUI_DB": str(path)}) as terminal:
        terminal.wait_for("Palette")
        terminal.send("\x11")
        terminal.wait_until(lambda _: b"\x1b[?1049l" in terminal.raw)
