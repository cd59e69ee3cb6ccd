"""Sealing the chunks of a folder, by age (https://age-encryption.org): the extra `sync` brings it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...platform.errors import InvalidRecordError
from .channel import SyncError

IDENTITY = "AGE-SECRET-KEY-"


class Key:
    """A key in a file: an age identity (`age-keygen`), or any other text, which is a passphrase then. All
    machines of a folder have the same. Raises InvalidRecordError where it can't be used."""

    def __init__(self, path: Path) -> None:
        try:
            import pyrage
        except ImportError as error:
            raise InvalidRecordError(
                "Sealing needs the extra sync: install memtui[sync] (`uv tool install 'memtui[sync]'`)."
            ) from error
        self._age: Any = pyrage
        try:
            lines = path.expanduser().read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidRecordError("The key in {path} can't be read.", path=path) from error
        words = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
        if not words:
            raise InvalidRecordError(
                "There is no key in {path}. `age-keygen -o {path}` makes one.", path=path
            )
        self._identity: Any = None
        self._passphrase = words[0]
        if words[0].startswith(IDENTITY):
            try:
                self._identity = pyrage.x25519.Identity.from_str(words[0])
            except Exception as error:
                raise InvalidRecordError("The key in {path} is not an age identity.", path=path) from error

    def seal(self, data: bytes) -> bytes:
        """Return data that only this key opens."""
        if self._identity is None:
            return bytes(self._age.passphrase.encrypt(data, self._passphrase))
        return bytes(self._age.encrypt(data, [self._identity.to_public()]))

    def unseal(self, data: bytes, path: Path) -> bytes:
        """Return what was sealed, as it stands in a file. Raises SyncError."""
        try:
            if self._identity is None:
                return bytes(self._age.passphrase.decrypt(data, self._passphrase))
            return bytes(self._age.decrypt(data, [self._identity]))
        except Exception as error:
            raise SyncError("{path} was sealed by another key.", path=path) from error
