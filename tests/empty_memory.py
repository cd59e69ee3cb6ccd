"""New memories of tests: copies of one, since making the schema and its indexes takes longer each time."""

import os
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from memtui.store import Store
from memtui.store.database.file import create
from memtui.store.platform.clock import now_ms, uuid7


def copy_to(path: Path) -> None:
    """Make an empty memory at `path` with a machine of its own, as `create` does.

    Directories are made 0700, the file 0600; a file that is there stays as it is.
    """
    content, machine = _empty(os.environ.get("MEMTUI_TOKENIZER", ""))
    for directory in reversed(path.parents):
        directory.mkdir(mode=0o700, exist_ok=True)
    with suppress(FileExistsError):
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(content.replace(machine, uuid7(now_ms()).encode()))


@cache
def _empty(tokenizer: str) -> tuple[bytes, bytes]:
    """The bytes of a memory that was made for a tokenizer, and the id of its machine among them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        create(path)
        with Store.open(path) as store:
            machine = store.machine_id.encode()
        return path.read_bytes(), machine
