"""The commands that were chosen in the palette last, kept from one start to the next.

Only the ids of commands are, which no memory has any words in; so they lie in a file of the user's
state, and not in a memory, which may be read-only.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from memtui.store.paths import make_private_directories, state_path_bytes

KEPT = 20
LONGEST = 4_000
"""Bytes read of the file, whatever it has become."""
OF_THIS_PROCESS = ":"
"""What ids have that hold the name of a project or of a saved search: they are not written down."""


def used(ids: Sequence[str], id: str) -> list[str]:
    """Return the ids with one at the front, each once."""
    return [id, *(other for other in ids if other != id)][:KEPT] if id else [*ids]


def load() -> list[str]:
    """Return what was written down, the newest first; nothing where that can't be read."""
    with suppress(OSError), _path().open("rb") as file:
        lines = file.read(LONGEST).decode(errors="replace").splitlines()
        return [line for line in lines if line and line.isprintable()][:KEPT]
    return []


def save(ids: Sequence[str]) -> None:
    """Write them down, unless that can't be done: then they are this process's own."""
    path = _path()
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with suppress(OSError):
        make_private_directories(os.fsencode(path.parent))
        draft.write_text("".join(f"{id}\n" for id in ids if OF_THIS_PROCESS not in id))
        draft.replace(path)


def _path() -> Path:
    return Path(os.fsdecode(state_path_bytes(b"palette")))
