"""Spawn a job as a process of its own. A hook's process imports this: it imports next to nothing."""

import sys

from ...database.files.locks import FileLock
from ...platform.paths import spool_path
from ...platform.system import posix, with_slashes

LOCK_NAME = "worker"
"""The file in a memory's spool directory whose lock its worker holds."""

MODEL_NAME = "worker-model"
"""The same of whoever asks the model."""
NEXT_NAME = "worker-next"
"""The file there whose lock a job holds that waits for that worker to end."""

BACKGROUND_SECONDS = 120
"""How long such a process works at most."""

ROOT = with_slashes(__file__).rpartition("/memtui/store/observe/")[0]
START = "import sys; sys.path.insert(0, sys.argv.pop(1)); from memtui.store.cli import main; main()"


def job_command(database: str) -> list[str]:
    """The arguments of a process that works on what waits in a memory, and ends by itself."""
    return [
        sys.executable, "-I", "-c", START, ROOT, "--db", database,
        "queue", "process", "--background", "--seconds", str(BACKGROUND_SECONDS),
    ]  # fmt: skip


def spawn_job(database: bytes) -> None:
    """Start a job that outlives this process, unless one waits already for the worker to end.

    That a worker is at work keeps nobody from it: it may be this very process, or have looked already.
    `database` is its path, absolute and without links. Raises OSError.
    """
    with FileLock(spool_path(database) + b"/" + NEXT_NAME.encode()) as is_free:
        if not is_free:
            return
    path = database.decode("utf-8", "surrogateescape")
    if not hasattr(posix, "posix_spawn"):
        from subprocess import DEVNULL, Popen

        folder = path.rpartition("/")[0]
        Popen(job_command(path), stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, cwd=folder)
        return
    nothing = posix.open("/dev/null", posix.O_RDWR | posix.O_CLOEXEC)
    posix.chdir(database.rpartition(b"/")[0])
    posix.posix_spawn(
        sys.executable,
        job_command(path),
        posix.environ,
        file_actions=[(posix.POSIX_SPAWN_DUP2, nothing, number) for number in range(3)],
        setsid=True,
    )
