"""The key of a model's provider: from the environment or a command, and never written anywhere."""

from __future__ import annotations

import os
import subprocess

from ...config import ModelSettings
from .errors import ObserverError

COMMAND_SECONDS = 10


def key_of(settings: ModelSettings) -> str:
    """The key; `` where none is configured. ObserverError ("auth") where it can't be had."""
    if settings.key_command:
        return _checked(_printed(settings.key_command), settings.key_command[0])
    if not settings.key_env:
        return ""
    if not (found := os.environ.get(settings.key_env, "")):
        raise ObserverError("auth", f"The environment has no {settings.key_env}. Set it.")
    return _checked(found, settings.key_env)


def _printed(command: tuple[str, ...]) -> str:
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=COMMAND_SECONDS,
            check=True,
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        # Not what it printed: that may be the key.
        said = type(error).__name__
        raise ObserverError("auth", f"key_command {command[0]} failed ({said}).") from None
    return done.stdout.decode("utf-8", "replace")


def _checked(found: str, origin: str) -> str:
    key = found.strip()
    if not key or not key.isascii() or not key.isprintable():
        raise ObserverError("auth", f"What {origin} gives is no key: it has to be plain ASCII.")
    return key
