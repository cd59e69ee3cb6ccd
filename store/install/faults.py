"""What keeps a command of ours from doing anything: something of it is gone, or memtui is broken."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from ..translation import _
from .launcher import Launcher

TRIAL = "--check"
TRIAL_SECONDS = 10.0
UNGUARDED = _("they are of an older form, which stops some agents once memtui is gone")


def fault_of(words: Sequence[str], *, is_users_own: bool) -> str:
    """Say in a few words why a command, given as separate words, does nothing; `` where it works.

    What can't be told by looking is tried, without an event, as long as the command stands in the
    user's own configuration or names this very installation: what a repository names isn't run.
    """
    if not words:
        return _("their command can't be read")
    program = shutil.which(words[0])
    scripts = [word for word in words if word.endswith("hook.py")]
    if program is None:
        return _missing(words[0])
    for script in scripts:
        if not Path(script).is_file():
            return _("{path} is gone", path=script)
    if not scripts:
        return ""
    here = Launcher.here()
    is_this = (words[0], scripts[0]) == (str(here.python), str(here.script))
    if not (is_users_own or is_this):
        return ""
    return _tried(program, scripts[0], _times(program, scripts[0]))


def _missing(program: str) -> str:
    if Path(program).exists():
        return _("{path} is not executable", path=program)
    # A virtual environment's interpreter is a link, whose target may be gone without it.
    if Path(program).is_symlink():
        return _("{path} is a link to nothing", path=program)
    return _("{path} is gone", path=program)


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
        reason = getattr(error, "strerror", None) or error
        return _("{path} can't be run ({error})", path=program, error=reason)
    except subprocess.TimeoutExpired:
        return _("{path} doesn't come to an end", path=script)
    if done.returncode == 0:
        return ""
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    reason = said[-1].strip() if said else _("status {number}", number=done.returncode)
    return _("{path} can't be run: {error}", path=script, error=reason)


def _times(*paths: str) -> tuple[int, ...]:
    """When these were changed last: another file is tried anew."""
    return tuple(Path(path).stat().st_mtime_ns for path in paths)
