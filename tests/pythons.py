"""Other CPythons of this machine, to try the program on; `python -m tests.pythons` lists them."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

MINORS = (11, 12, 13, 14)
"""The versions of CPython 3 on which memtui is to run."""

PROBE = "import sys, venv, ensurepip; print(sys.implementation.name, *sys.version_info[:2])"


def others() -> dict[int, Path]:
    """An interpreter of each minor version but the running one: of those named in `PYTHONS`, those on PATH,
    and pyenv's. One that can't make an environment is passed over."""
    interpreters: dict[int, Path] = {}
    for path in _candidates():
        minor = _minor(path)
        if minor in MINORS and minor != sys.version_info.minor:
            interpreters.setdefault(minor, path)
    return dict(sorted(interpreters.items()))


def _candidates() -> Iterator[Path]:
    yield from map(Path, os.environ.get("PYTHONS", "").split())
    names = [f"python3.{minor}" for minor in MINORS]
    yield from (Path(path) for name in names if (path := shutil.which(name)))
    versions = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv", "versions")
    for name in names:
        yield from sorted(versions.glob(f"*/bin/{name}"), reverse=True)


def _minor(path: Path) -> int | None:
    """The minor version of a CPython 3; None for what is none, or doesn't run."""
    try:
        version = subprocess.run(
            [path, "-I", "-c", PROBE], capture_output=True, text=True, timeout=60, check=True
        ).stdout.split()
    except (OSError, subprocess.SubprocessError):
        return None
    return int(version[2]) if version[:2] == ["cpython", "3"] else None


if __name__ == "__main__":
    interpreters = others()
    for minor in MINORS:
        if minor != sys.version_info.minor and minor not in interpreters:
            print(f"Not tried on CPython 3.{minor}: there is none here.", file=sys.stderr)
    for path in interpreters.values():
        print(path)
