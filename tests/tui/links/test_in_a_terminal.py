"""The editor and the agent get a real terminal, and the browser has it back afterwards."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from bench.terminal import Terminal
from tests.tui.links.conftest import ID

MEMTUI = [str(Path(sys.executable).with_name("memtui"))]
PROGRAM = """\
#!{python}
import os, signal, sys
# A suite that was started in the background hands on an interrupt that is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    print("GIVEN", *sys.argv[1:], "IN", os.getcwd(), "TTY", sys.stdin.isatty())
    input()
except KeyboardInterrupt:
    print("INTERRUPTED")
    input()
"""


def make(path: Path) -> Path:
    """A program that says what it was given, and ends after a line was typed."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(PROGRAM.format(python=sys.executable))
    path.chmod(0o755)
    return path


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
        # Ctrl+C is the editor's.
        terminal.send("\x03")
        terminal.wait_for("INTERRUPTED")
        terminal.send("\r")
        terminal.wait_for("Tokens live a day")
        terminal.send("R")
        terminal.wait_for("resume this session")
        terminal.send("\r")
        terminal.wait_for(f"GIVEN resume {ID} IN {atlas} TTY True")
        terminal.send("\r")
        terminal.wait_for("Tokens live a day")
