"""Files that are read and written whole, and only over what was read."""

from __future__ import annotations

import os
import random
import stat
from pathlib import Path

from ..errors import ConfigurationError


def take(path: Path) -> bytes | None:
    """What a file holds; None where there is none, ConfigurationError for what is no file."""
    try:
        kind = path.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(kind):
        raise ConfigurationError(f"{path} is no ordinary file; it was left as it was. Move it.")
    return path.read_bytes()


def put(path: Path, content: bytes, expected: bytes | None) -> bool:
    """Write a file beside its place and move it there; False when what is there is not `expected`.

    An existing file keeps its mode and owner; a new one is 0600, new directories are 0700.
    """
    for folder in reversed(path.parents):
        folder.mkdir(mode=0o700, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.{random.getrandbits(32):08x}")
    handle = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            _resemble(handle, path)
            os.fsync(handle)
        if take(path) != expected:
            return False
        if expected is None:
            # Unlike a move, a link never takes the place of what appeared meanwhile.
            os.link(draft, path)
        else:
            draft.replace(path)
    except FileExistsError:
        return False
    finally:
        draft.unlink(missing_ok=True)
    _sync(path.parent)
    return True


def leave(folder: Path, root: Path) -> None:
    """Remove the directories that were made for a file: empty ones, for our eyes only, below
    `root`."""
    while root in folder.parents:
        try:
            if stat.S_IMODE(folder.stat().st_mode) != 0o700:
                return
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent


def _resemble(handle: int, path: Path) -> None:
    try:
        model = path.stat()
    except FileNotFoundError:
        os.fchmod(handle, 0o600)
        return
    own = os.fstat(handle)
    if (model.st_uid, model.st_gid) != (own.st_uid, own.st_gid):
        os.fchown(handle, model.st_uid, model.st_gid)
    os.fchmod(handle, stat.S_IMODE(model.st_mode))


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
