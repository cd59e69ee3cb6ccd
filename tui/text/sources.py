"""What a source of imported memories is called: `claude-mem`, which is `claude-mem:1ffb4679` in full."""

from __future__ import annotations

import re
from collections.abc import Iterable

FILE_MARK = re.compile(r":[0-9a-f]{8}$")
"""By which the files of one program are told apart: part of a source's identity, and no name."""


def source_label(source: str, sources: Iterable[str] = ()) -> str:
    """Return what to call a source: without the mark of its file, unless another one of `sources` would
    be called the same."""
    label = FILE_MARK.sub("", source)
    is_shared = any(text != source and FILE_MARK.sub("", text) == label for text in sources)
    return source if is_shared else label
