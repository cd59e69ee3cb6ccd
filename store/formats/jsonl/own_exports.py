"""Which files this user's stores wrote, known by their hashes.

What such a file holds was judged where it entered a store, and no line of it can have been changed since.
What a file says of itself proves nothing.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial
from hashlib import blake2b, file_digest
from pathlib import Path
from typing import BinaryIO

from ...platform.paths import make_private_directories, state_path_bytes
from ...platform.regular_file import open_regular

KEPT = 1_000
"""The hashes of so many exports are kept, the newest last."""

new_hash = partial(blake2b, digest_size=16)


def note_export(digest: str) -> None:
    """Note that a file of this hash was written. Where that can't be done it is no less an export."""
    path = _path()
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with suppress(OSError):
        make_private_directories(os.fsencode(path.parent))
        kept = [*(it for it in _noted() if it != digest), digest][-KEPT:]
        draft.write_text("".join(f"{it}\n" for it in kept))
        draft.replace(path)


def is_own_export(file: BinaryIO) -> bool:
    """Return whether a file, which is at its beginning, is as a store of this user wrote it."""
    noted = _noted()
    is_noted = bool(noted) and file_digest(file, new_hash).hexdigest() in noted  # type: ignore[arg-type]
    file.seek(0)
    return is_noted


def _noted() -> list[str]:
    with suppress(OSError), open_regular(_path()) as file:
        return file.read().decode(errors="replace").split()
    return []


def _path() -> Path:
    return Path(os.fsdecode(state_path_bytes(b"exports")))
