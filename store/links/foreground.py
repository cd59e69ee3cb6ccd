"""Run a program of the user's in the terminal, in the place of this one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from ..platform.paths import current_environment
from ..platform.processes import signals


def find_program(name: str) -> str | None:
    """Return the absolute path of a program, as a shell here would find it; None where there is none."""
    # Not worth their import here where a program is only named.
    import shutil

    result = shutil.which(name)
    # A relative one is meant from here, wherever it is started.
    return None if result is None else os.path.abspath(result)  # noqa: PTH100


def run_in_foreground(
    command: Sequence[str], directory: Path | None = None, variables: Mapping[bytes, bytes] | None = None
) -> int:
    """Run a program with this terminal until it ends, in a directory; return its exit status. The
    `variables` are added to its environment.

    No shell reads the words. Ctrl+C and Ctrl+\\ are the program's. Raises OSError or ValueError where
    it can't be started.
    """
    import subprocess

    program, *rest = command
    with _without_interrupts():
        environment = {**current_environment(), **(variables or {})}
        return subprocess.call([find_program(program) or program, *rest], cwd=directory, env=environment)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Have this process survive the keys that interrupt the program in front of it."""
    import signal
    from threading import current_thread, main_thread

    if current_thread() is not main_thread():
        yield
        return
    # A handler that does nothing: to ignore a signal would be inherited.
    handlers = {item: signal.signal(item, lambda *_: None) for item in signals("SIGINT", "SIGQUIT")}
    try:
        yield
    finally:
        for entry, handler in handlers.items():
            signal.signal(entry, handler)
