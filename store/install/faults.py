"""What keeps a command of ours from doing anything: something of it is gone, or memtui is broken."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from .launcher import Launcher

TRIAL = "--check"
TRIAL_SECONDS = 10.0
UNGUARDED = "they are of an older form, which stops some agents once memtui is gone"


def fault_of(words: Sequence[str], *, is_users_own: bool) -> str:
    """Say in a few words why a command, given as separate words, does nothing; `` where it works.

    What can't be told by looking is tried, without an event, as long as the command stands in the
    user's own configuration or names this very installation: what a repository names isn't run.
    """
    if not words:
        return "their command can't be read"
    program = shutil.which(words[0])
    scripts = [word for word in words if word.endswith("hook.py")]
    if program is None:
        return f"{words[0]} is {_missing(words[0])}"
    for script in scripts:
        if not Path(script).is_file():
            return f"{script} is gone"
    if not scripts:
        return ""
    here = Launcher.here()
    is_this = (words[0], scripts[0]) == (str(here.python), str(here.script))
    if not (is_users_own or is_this):
        return ""
    return _tried(program, scripts[0], _times(program, scripts[0]))


def _missing(program: str) -> str:
    if Path(program).exists():
        return "not executable"
    # A virtual environment's interpreter is a link, whose target may be gone without it.
    return "a link to nothing" if Path(program).is_symlink() else "gone"


@lru_cache(maxsize=64)
def _tried(program: str, script: str, _times: tuple[int, ...]) -> str:
    """What starting the hook without an event comes to."""
    try:
        done = subprocess.run(
            (program, "-I", "-S", script, TRIAL),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TRIAL_SECONDS,
            env={**os.environ, "MEMTUI_OBSERVER": "1"},
            check=False,
        )
    except (OSError, ValueError) as error:
        return f"{program} can't be run ({getattr(error, 'strerror', None) or error})"
    except subprocess.TimeoutExpired:
        return f"{script} doesn't come to an end"
    if done.returncode == 0:
        return ""
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    reason = said[-1].strip() if said else f"status {done.returncode}"
    return f"{script} can't be run: {reason}"


def _times(*paths: str) -> tuple[int, ...]:
    """When these were changed last: another file is tried anew."""
    return tuple(Path(path).stat().st_mtime_ns for path in paths)
