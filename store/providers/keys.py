"""The key of a provider, from the environment or a program that prints it; never stored."""

from __future__ import annotations

import os
import subprocess
from typing import Protocol

from ..translation import _
from .errors import ProviderError

COMMAND_SECONDS = 10


class KeySettings(Protocol):
    """Where a provider's key comes from: a variable's name, or a program and its arguments."""

    @property
    def key_env(self) -> str: ...

    @property
    def key_command(self) -> tuple[str, ...]: ...


def key_of(settings: KeySettings) -> str:
    """Return the provider's key, from the environment or a command; "" where none is configured. It is
    never stored. Raises ProviderError ("auth") where it can't be read."""
    if settings.key_command:
        return _checked(_printed(settings.key_command), settings.key_command[0])
    if not settings.key_env:
        return ""
    if not (result := os.environ.get(settings.key_env, "")):
        raise ProviderError(
            "auth", _("The environment has no {key_env}. Set it.", key_env=settings.key_env)
        )
    return _checked(result, settings.key_env)


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
        name = type(error).__name__
        raise ProviderError(
            "auth", _("key_command {command} failed ({name}).", command=command[0], name=name)
        ) from None
    return done.stdout.decode("utf-8", "replace")


def _checked(text: str, origin: str) -> str:
    key = text.strip()
    if not key or not key.isascii() or not key.isprintable():
        raise ProviderError(
            "auth", _("What {origin} gives is not a key: it has to be plain ASCII.", origin=origin)
        )
    return key
