"""File names made of stored text: safe on every file system, and never a path."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 120
"""Bytes of a name; file systems allow 255, and a suffix follows."""

RESERVED = {"con", "prn", "aux", "nul"} | {
    f"{port}{number}" for port in ("com", "lpt") for number in range(10)
}
"""What Windows keeps for devices, whatever the extension."""

_OTHER = re.compile(r"[^\w]+|_+")


def file_name(text: str, otherwise: str = "untitled") -> str:
    """The letters and digits of a text, joined by hyphens; `otherwise` where it has none."""
    plain = unicodedata.normalize("NFKC", text[:400])
    joined = _OTHER.sub("-", plain).strip("-")
    cut = joined.encode()[:LONGEST].decode(errors="ignore").strip("-") or otherwise
    return f"{cut}-" if cut.casefold() in RESERVED else cut
