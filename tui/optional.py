"""The parts of the browser that everything else works without, a folder each in `tui/leaves`. Nothing else
imports one: it asks here."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import Any

from memtui.store.platform.errors import StoreError
from memtui.store.platform.leaves import has_leaf

SHOWS: dict[str, str | None] = {
    "blame": "blame",
    "digest": "digest",
    "files": "files",
    "statistics": "statistics",
    "sync": "sync",
    "team": "team",
}
"""The leaf of the store that a part with a tab shows, None for none, by the name of the part's folder."""

_PACKAGE = __name__.removesuffix("optional") + "leaves"
_FOLDER = f"{os.path.dirname(__file__)}/leaves"  # noqa: PTH120


@cache
def has_part(name: str) -> bool:
    """Whether the folder of a part is there, and the leaf of the store that it shows, if it does."""
    shown = SHOWS.get(name)
    # The first frame asks it, before pathlib is imported.
    is_there = os.path.isfile(f"{_FOLDER}/{name}/__init__.py")  # noqa: PTH113
    return is_there and (shown is None or has_leaf(shown))


def part(module: str) -> Any:
    """Return a module of a part, by its name below `tui/leaves`; raise StoreError where the part is not
    there."""
    name = module.partition(".")[0]
    if not has_part(name):
        raise StoreError("tui/leaves/{name} is missing. Install memtui again.", name=name)
    return import_module(f"{_PACKAGE}.{module}")
