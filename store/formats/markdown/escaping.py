"""Escape stored text for Markdown: no heading, link or markup comes of it, nor the end of a fence."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping

from ...text.display import safe

_MARKUP = re.compile(r"[\\`*_{}\[\]<>()#+!|~&]")
_ESCAPED = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_{}[]<>()#+!|~&"})
_MARKUP_IN_PROSE = re.compile(r"([\\`*\[\]<>|~]|&(?=[#\w])|(?<![^\W_])_|_(?![^\W_]))")
_BEGINS_BLOCK = re.compile(r"^(?:(\d{1,9})(?=[.)](?:\s|$))|(?=([#+=-])\2*(?:\s|$)))")
_TICKS = re.compile("`+")
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")

LONGEST = 120
"""Bytes of a name; file systems allow 255, and a suffix follows."""

RESERVED = {"con", "prn", "aux", "nul"} | {
    f"{port}{number}" for port in ("com", "lpt") for number in range(10)
}
"""Names that Windows keeps for devices, whatever the extension."""

_OTHER = re.compile(r"[^\w]+|_+")


def inline(text: str) -> str:
    """Return a text on one line of prose, its markup escaped."""
    shown = safe(text)
    return (shown.translate(_ESCAPED) if _MARKUP.search(shown) else shown).strip()


def prose(text: str) -> str:
    """Return the same with no more escaped than has to be, for it is read as it is, too. Code between
    single backticks stays: nothing in it is markup."""
    parts = safe(text).strip().split("`")
    are_pairs = len(parts) % 2 and all(part.strip() for part in parts[1::2])
    escaped = "`".join(
        part if are_pairs and at % 2 else _MARKUP_IN_PROSE.sub(r"\\\1", part)
        for at, part in enumerate(parts)
    )
    if not are_pairs:
        escaped = escaped.replace("`", "\\`")
    return _BEGINS_BLOCK.sub(lambda match: f"{match[1] or ''}\\", escaped)


def block(text: str) -> str:
    """Return a text in a fence longer than any run of backticks in it."""
    shown = safe(text, newlines=True).rstrip("\n")
    longest = max(map(len, _TICKS.findall(shown))) if "`" in shown else 0
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{shown}\n{fence}\n"


def bullets(items: Iterable[str]) -> str:
    """Return a list, an item a line."""
    return "".join([f"- {inline(item)}\n" for item in items])


def front_matter(fields: Mapping[str, str | int | bool | None]) -> str:
    """Return the fields that have a value as YAML. Texts are quoted as JSON, which YAML reads
    alike."""
    lines = [f"{name}: {_scalar(value)}" for name, value in fields.items() if value not in (None, "")]
    return "\n".join(["---", *lines, "---", ""])


def _scalar(value: str | int | bool | None) -> str:
    return quoted(safe(value)) if isinstance(value, str) else json.dumps(value)


def quoted(text: str) -> str:
    """Return a text between quotation marks, as JSON and YAML both read it."""
    result = json.dumps(text, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", result)


def file_name(text: str, otherwise: str = "untitled") -> str:
    """Return the letters and digits of a text, joined by hyphens; `otherwise` where it has none."""
    plain = unicodedata.normalize("NFKC", text[:400])
    joined = _OTHER.sub("-", plain).strip("-")
    cut = joined.encode()[:LONGEST].decode(errors="ignore").strip("-") or otherwise
    return f"{cut}-" if cut.casefold() in RESERVED else cut
