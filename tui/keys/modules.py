"""All modules of the browser, for what is made of the bindings of all its screens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType

from memtui import tui


def modules() -> Iterator[ModuleType]:
    """Import and yield all modules but programs, and those of an extra that isn't installed: they have no
    keys now."""
    for info in walk_packages(tui.__path__, "memtui.tui."):
        if not info.name.endswith(("__main__", "key_problems")):
            with suppress(ModuleNotFoundError):
                yield import_module(info.name)
