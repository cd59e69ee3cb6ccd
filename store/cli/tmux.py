"""A command in a popup of tmux: what it prints comes back here, and its exit status."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ..database.files import temporary
from .output.console import tell

SIZE = ("-w", "90%", "-h", "75%")
FAILED, CLOSED = 1, 130
KEPT = re.compile(
    r"(?:HOME|PATH|TZ|LANG|LC_|XDG_|MEMTUI_|PYTHON|TEXTUAL_|NO_COLOR|COLORFGBG|VISUAL|EDITOR|TMPDIR)"
)
"""How the names of variables begin that hold in the popup too: tmux gives it those of its server."""


def popup(command: Sequence[str]) -> int:
    """Run a command in a popup, print what it printed, and return its exit status; 130 where the popup
    was closed before it ended."""
    if not os.environ.get("TMUX"):
        tell(
            "--tmux draws in a popup of tmux, and this is not a session of tmux. Leave --tmux out, or"
            " start tmux first."
        )
        return FAILED
    if (tmux := shutil.which("tmux")) is None:
        tell("--tmux needs the program tmux, which isn't on your PATH. Leave --tmux out.")
        return FAILED
    with temporary.directory("memtui-pick-") as directory:
        script = directory / "run"
        script.write_text(_script(command, directory), "utf-8", "surrogateescape")
        # The path of the script alone: which shell tmux hands it to is the user's choice.
        shown = subprocess.run(
            [tmux, "display-popup", "-E", *SIZE, f"sh {shlex.quote(str(script))}"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
        )
        if (status := _read(directory / "status")) is None:
            if shown.returncode and shown.stderr:
                tell(
                    "tmux could not open a popup ({reason}). It needs tmux 3.2.",
                    reason=shown.stderr.strip(),
                )
                return FAILED
            return CLOSED
        if errors := _read(directory / "said"):
            tell(errors.decode("utf-8", "replace").rstrip("\n"))
        sys.stdout.buffer.write(_read(directory / "answer") or b"")
        sys.stdout.flush()
        return int(status)


def _script(command: Sequence[str], directory: Path) -> str:
    """The lines that run the command as here, and leave its output and its status in files."""
    answer, errors, status = (shlex.quote(str(directory / name)) for name in ("answer", "said", "status"))
    exports = [
        f"export {name}={shlex.quote(value)}"
        for name, value in os.environ.items()
        if KEPT.match(name) and name.isidentifier()
    ]
    return "\n".join(
        (
            *exports,
            f"cd {shlex.quote(str(Path.cwd()))}",
            f"{shlex.join(command)} >{answer} 2>{errors}",
            f"echo $? >{status}",
            "",
        )
    )


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
