"""Refuse to import what the product's extras bring, as an installation without them does.

`tests/extras.py` installs this in the tests' own process. Python imports it at the start of those that
tests start, since this folder is on their PYTHONPATH; `ALLOWED` names the extras that they may use.
"""

import os
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

ALLOWED = "TEST_EXTRAS"
"""The variable whose value are the extras that may be imported, with commas between; `*` for all."""

EXTRAS = {
    "chinese": ("pypinyin",),
    "vec": ("tokenizers",),
    "onnx": ("numpy", "tokenizers", "onnxruntime"),
    "mcp": ("mcp", "mcp_types", "anyio", "starlette", "uvicorn"),
    "web": ("textual_serve", "aiohttp"),
    "sync": ("pyrage",),
    "team": ("psycopg",),
    "zstd": ("zstandard",),
}
"""The packages of each extra of pyproject.toml that are imported by name."""

PACKAGES = frozenset(package for packages in EXTRAS.values() for package in packages)


def install() -> None:
    """Have no module of a refused package be found, as where it isn't installed."""
    find = PathFinder.find_spec

    def find_spec(
        cls: type, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return None if name.partition(".")[0] in refused() else find(name, path, target)

    PathFinder.find_spec = classmethod(find_spec)  # type: ignore[method-assign,assignment]


def refused() -> frozenset[str]:
    """Return the packages that may not be imported now."""
    allowed = os.environ.get(ALLOWED, "").split(",")
    if allowed == ["*"]:
        return frozenset()
    return PACKAGES.difference(*(EXTRAS[name] for name in allowed if name))


if __name__ == "sitecustomize":
    install()
