"""Which directory a short name of Cursor's stands for, in which every sign but letters is a dash."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from pathlib import Path

_SIGN = re.compile(r"[^A-Za-z0-9]")


@lru_cache(maxsize=256)
def directory_of(slug: str, top: Path = Path("/")) -> str | None:
    """The one directory below `top` whose path makes this short name; None for none or several."""
    found = list(islice(_directories(top, slug), 2))
    return str(found[0]) if len(found) == 1 else None


def _directories(folder: Path, rest: str) -> Iterator[Path]:
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            short = _SIGN.sub("-", entry.name)
            if rest != short and not rest.startswith(f"{short}-"):
                continue
            with suppress(OSError):
                if not entry.is_dir():
                    continue
                if rest == short:
                    yield folder / entry.name
                else:
                    yield from _directories(folder / entry.name, rest[len(short) + 1 :])
