"""What every text is before it is stored or looked for."""

from __future__ import annotations

import re

_UNSTORABLE = "[\0\ud800-\udfff]"


def clean(text: str) -> str:
    """`text` with U+FFFD for every NUL and lone surrogate: neither survives a store or a pipe."""
    if text.isascii():
        return text.replace("\0", "\ufffd")
    return re.sub(_UNSTORABLE, "\ufffd", text)
