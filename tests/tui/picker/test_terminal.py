"""The picker in a real terminal, its output going elsewhere: into a file, a pipe, a variable."""

import os
import shlex
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.terminal import Terminal
from memtui.store import Store
from memtui.tui.startup.first_frame import ENTER, LEAVE
from tests.places import PYTHONPATH

MEM = f"{shlex.quote(sys.executable)} -m memtui.store.cli"


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        store.observations.add("c-1", title="Cache keys hold the tenant")
        store.observations.add("c-1", title="Painted \x1b]52;c;cHduZWQ=\x07 at once")
    return path


def environment(memory: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "TMUX"}
    return kept | {"MEMTUI_DB": str(memory), "PYTHONPATH": PYTHONPATH}


def shell(memory: Path, script: str, columns: int = 100, rows: int = 24) -> Terminal:
    return Terminal(["sh", "-c", script], environment(memory), columns, rows)


@pytest.mark.parametrize("flags", ["", "--height 8", "--height 40%"])
@pytest.mark.sampled
def test_what_is_picked_goes_into_a_file_and_the_interface_to_the_terminal(
    memory: Path, flags: str
) -> None:
    picked = memory.with_name("picked")
    with shell(memory, f"{MEM} pick {flags} >{picked}; echo left with $?; sleep 60") as terminal:
        terminal.wait_for("Cancel")
        raw = terminal.raw
        terminal.send("tenant\r")
        terminal.wait_for("left with 0")
        assert b"\x1b]52" not in raw and (ENTER.encode() in raw) is (not flags)
    assert picked.read_text("utf-8") == "[mem 1: Cache keys hold the tenant]\n"


def test_the_newest_are_painted_before_textual_is_there(memory: Path) -> None:
    with shell(memory, f"{MEM} pick >/dev/null") as terminal:
        terminal.wait_for("Cache keys hold the tenant")
        assert "Cancel" not in terminal.painted()
        terminal.wait_for("Cancel")
        terminal.quiet()
        assert terminal.raw.count(ENTER.encode()) == 1


@pytest.mark.parametrize("key", ["\x1b", "\x03"], ids=["escape", "ctrl-c"])
@pytest.mark.parametrize("flags", ["", "--height 6"])
@pytest.mark.sampled
def test_leaving_prints_nothing_and_says_130(memory: Path, key: str, flags: str) -> None:
    script = f'X=$({MEM} pick {flags}); echo left with $? "<$X>"; stty -a; sleep 60'
    with shell(memory, script) as terminal:
        terminal.wait_for("Cancel")
        terminal.send(key)
        terminal.wait_for("left with 130 <>")
        # As it was: with echo, and lines that the terminal edits.
        terminal.wait_until(lambda painted: " echo " in painted and " icanon" in painted)
        if not flags:
            assert LEAVE[:8].encode() in terminal.raw


@pytest.mark.long
def test_nothing_matched_is_1(memory: Path) -> None:
    with shell(memory, f"{MEM} pick zzqq; echo left with $?; sleep 60") as terminal:
        terminal.wait_for("Cancel")
        terminal.send("\r")
        terminal.wait_for("left with 1")


@pytest.mark.long
def test_the_first_line_of_a_buffer_is_the_query_and_the_streams_are_no_terminal(memory: Path) -> None:
    picked = memory.with_name("picked")
    buffer = "printf '\\n  tenant\\nmore'"
    script = f"{buffer} | {MEM} pick --from-stdin >{picked} 2>{picked}.said; echo left; sleep 60"
    with shell(memory, script) as terminal:
        terminal.wait_for("Cancel")
        terminal.send("\r")
        terminal.wait_for("left")
    assert picked.read_text("utf-8") == "[mem 1: Cache keys hold the tenant]\n"
    assert memory.with_name("picked.said").read_text("utf-8") == ""


@pytest.mark.long
def test_the_clipboard_is_given_it_and_nothing_is_printed(memory: Path) -> None:
    picked = memory.with_name("picked")
    with shell(memory, f"{MEM} pick -c tenant >{picked}; echo left with $?; sleep 60") as terminal:
        terminal.wait_for("Cancel")
        terminal.send("\r")
        terminal.wait_for("left with 0")
        assert b"\x1b]52;c;" in terminal.raw and "Copied." in terminal.painted()
    assert picked.read_bytes() == b""


def test_an_empty_memory_is_told_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    Store.open(path).close()
    with shell(path, f"{MEM} pick; echo left with $?; sleep 60") as terminal:
        terminal.wait_for("left with 1")
        assert "There is no memory to pick yet." in terminal.painted()


@pytest.mark.long
def test_lines_that_stood_above_stay(memory: Path) -> None:
    script = f'seq 40; X=$({MEM} pick --height 5); echo "got $X"; sleep 60'
    with shell(memory, script, rows=12) as terminal:
        terminal.wait_for("Cancel")
        assert b"\x1b[2J" not in terminal.raw and ENTER.encode() not in terminal.raw
        terminal.send("\r")
        terminal.wait_for("got [mem ")


@pytest.fixture
def tmux(memory: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A server of tmux with one session in 80 by 24, and how it is asked."""
    program = shutil.which("tmux")
    if program is None:
        pytest.skip("needs tmux")
    for name, value in environment(memory).items():
        monkeypatch.setenv(name, value)
    asked = [program, "-L", f"memtui-test-{uuid.uuid4().hex[:8]}", "-f", "/dev/null"]
    subprocess.run([*asked, "new-session", "-d", "-x", "80", "-y", "24", "sh"], check=True)
    yield asked
    subprocess.run([*asked, "kill-server"], check=False)


def test_a_popup_of_tmux_gives_what_was_picked(tmux: list[str], memory: Path) -> None:
    picked = memory.with_name("picked")
    line = f"{MEM} pick --tmux tenant >{picked}; echo left with $?"
    with Terminal([*tmux, "attach"], environment(memory), 80, 24) as terminal:
        terminal.quiet()
        terminal.send(f"{line}\r")
        terminal.wait_for("Cancel")
        terminal.send("\r")
        terminal.wait_for("left with 0")
    assert picked.read_text("utf-8") == "[mem 1: Cache keys hold the tenant]\n"


def test_in_a_smaller_terminal_it_goes_on(tmux: list[str], memory: Path) -> None:
    keys = [*tmux, "send-keys", f'X=$({MEM} pick --height 15); echo "got $X"', "Enter"]
    subprocess.run(keys, check=True)
    wait_for(tmux, "Cancel")
    subprocess.run([*tmux, "resize-window", "-x", "60", "-y", "10"], check=True)
    subprocess.run([*tmux, "send-keys", "tenant"], check=True)
    wait_for(tmux, "1 hit")
    subprocess.run([*tmux, "send-keys", "Enter"], check=True)
    wait_for(tmux, "got [mem 1: Cache keys")


def wait_for(tmux: list[str], wanted: str, seconds: float = 30) -> None:
    """Wait until something is on the screen of tmux."""
    end = time.monotonic() + seconds
    shown = ""
    while time.monotonic() < end:
        command = [*tmux, "capture-pane", "-p"]
        shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        if wanted in shown:
            return
        time.sleep(0.05)
    raise TimeoutError(f"{wanted!r} was not shown, but: {shown}")
