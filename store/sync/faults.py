"""What is wrong with a line of an exchange before anybody looks at its columns: all else goes by its table,
its names and its version."""

from __future__ import annotations

from ..formats.common.scope import RECORDS
from ..text import clean
from ..translation import _
from .renaming import CITING, NAMING
from .rows import ORDER

TEXTS = (*NAMING, "editor", "kind", "source", "native_id", "agent", "name", "project", "author", "key")
REQUIRED = {
    "renamed_records": ("uid", "into_uid", "kind"),
    "purged": ("uid", "kind"),
    "fact_sources": ("uid", "fact"),
    "not_duplicates": ("uid", "other_uid"),
} | dict.fromkeys(RECORDS, ("uid",))
"""The texts that a line of a table can't do without."""
OF_GONE = {"deleted": ("updated_at", "deleted_at"), "hidden": ("updated_at",)}
"""The moments that a line has of a record that is gone, by how it is."""
LARGEST = 1 << 63


def fault_of(line: object) -> str | None:
    """Return why a line can't be looked at, None where it can."""
    if not isinstance(line, dict):
        return _("is not a row")
    table = line.get("table")
    if table not in ORDER:
        return _("is of a table that is not known here")
    for name in TEXTS:
        if (text := line.get(name)) is not None and not _is_text(text):
            return _("has no text for its {name}", name=name)
    for name in REQUIRED.get(table, ()):
        if not line.get(name):
            return _("has no {name!r}", name=name)
    for name in CITING:
        items = line.get(name)
        if items is not None and not (isinstance(items, list) and all(map(_is_text, items))):
            return _("has no list of texts for its {name}", name=name)
    if not _is_number(line.get("hlc", 0)):
        return _("has no number for its version")
    if "gone" in line:
        moments = OF_GONE.get(gone) if isinstance(gone := line["gone"], str) else None
        if table not in RECORDS or moments is None:
            return _("is gone in a way that is not known here")
        if not line.get("editor") or not all(_is_number(line.get(it)) for it in ("hlc", *moments)):
            return _("is gone without a version")
    return None


def _is_text(item: object) -> bool:
    return isinstance(item, str) and (item.isascii() or clean(item) == item)


def _is_number(item: object) -> bool:
    return type(item) is int and 0 <= item < LARGEST
