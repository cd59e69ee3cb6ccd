"""The editor and the agent get a real terminal, and the browser has it back afterwards."""

import os
import shlex
import sys
from pathlib import Path

import pytest

from bench.terminal import Terminal
from tests.tui.links.conftest import ID

MEMTUI = [str(Path(sys.executable).with_name("memtui"))]
PROGRAM = """\
#!{python}
import os, signal, sys, termios
interrupts = []
signal.signal(signal.SIGINT, lambda *_: interrupts.append(1))
has_lines_and_echo = termios.tcgetattr(0)[3] & (termios.ICANON | termios.ECHO)
print("GIVEN", *sys.argv[1:], "IN", os.getcwd(), "TTY", sys.stdin.isatty())
print("LINES AND ECHO", has_lines_and_echo == termios.ICANON | termios.ECHO)
while input():
    print("INTERRUPTED" if interrupts else "NOT INTERRUPTED")
"""


def make(path: Path) -> Path:
    """A program that says what it was given, answers lines, and ends after an empty one."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(PROGRAM.format(python=sys.executable))
    path.chmod(0o755)
    return path


@pytest.mark.long
def test_the_editor_and_the_agent_have_the_terminal_to_themselves(
    work: Path, atlas: Path, tmp_path: Path
) -> None:
    editor, codex = make(tmp_path / "bin" / "vim"), make(tmp_path / "bin" / "codex")
    environment = {
        **os.environ,
        "MEMTUI_DB": str(work),
        "EDITOR": shlex.quote(str(editor)),
        "PATH": f"{codex.parent}:{os.environ['PATH']}",
    }
    environment.pop("VISUAL", None)
    with Terminal(MEMTUI, environment) as terminal:
        terminal.wait_for("Tokens live a day")
        terminal.send("live day")
        terminal.wait_for("Results 1")
        terminal.send("\r")
        terminal.wait_for("Open")
        terminal.send("O")
        terminal.wait_for(f"GIVEN +4 {atlas}/auth.py IN {atlas} TTY True")
        terminal.wait_for("LINES AND ECHO True")
        # Ctrl+C is the editor's. It says so when asked: a terminal drops what is on its way when it
        # interrupts.
        terminal.send("\x03")
        terminal.wait_for("^C")
        terminal.send("asked\r")
        terminal.wait_for("INTERRUPTED")
        assert "NOT INTERRUPTED" not in terminal.painted()
        terminal.send("\r")
        terminal.wait_for("Tokens live a day")
        terminal.send("R")
        terminal.wait_for("resume this session")
        terminal.send("\r")
        terminal.wait_for(f"GIVEN resume {ID} IN {atlas} TTY True")
        terminal.send("\r")
        terminal.wait_for("Tokens live a day")
