"""Take findings away: those of which it is known what mends them, as one undoable action."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from ....platform.translation import _
from ....text.plural import count_noun
from ....text.redaction import redact
from ..markup import INDEX, field, with_fields, with_index_line, without_index_line
from ..writing import FileWriter, ShownFile, existing, show

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from ....store import Store
    from . import Finding

    Fix = Callable[["Finding"], tuple[ShownFile, str] | None]
    """Returns a file and the text that mends it; None where nothing is to be done any more."""

PUNCTUATED = re.compile(r"(@[^\s@]*?)([,.;:!?)\]}'\"*]+)(?=\s|$)")
IMPORT = "@AGENTS.md"


def _index_ghost(finding: Finding) -> tuple[ShownFile, str] | None:
    shown = existing(finding.path)
    return shown, without_index_line(shown.text, finding.target)


def _index_missing(finding: Finding) -> tuple[ShownFile, str] | None:
    note = existing(finding.path)
    index = next((place / INDEX for place in note.path.parents if (place / INDEX).is_file()), None)
    if index is None:
        return None
    listed = existing(index)
    title = note.path.stem.replace("-", " ").replace("_", " ")
    target = os.path.relpath(note.path, listed.path.parent)
    return listed, with_index_line(listed.text, title, target, field(note.text, "description"))


def _no_frontmatter(finding: Finding) -> tuple[ShownFile, str] | None:
    shown = existing(finding.path)
    first = next((line for line in shown.text.splitlines() if line.strip()), "")
    fields = {
        "name": shown.path.stem,
        "description": first.strip("# ").strip()[:150],
        "metadata.node_type": "memory",
        "metadata.type": "project",
    }
    return shown, with_fields(shown.text, fields)


def _bad_type(finding: Finding) -> tuple[ShownFile, str] | None:
    shown = existing(finding.path)
    place = "type" if re.search(r"(?m)^type[ \t]*:", shown.text) else "metadata.type"
    return shown, with_fields(shown.text, {place: "project"})


def _unread_here(finding: Finding) -> tuple[ShownFile, str] | None:
    folder = finding.path.parent
    shown = show(folder / "CLAUDE.md")
    if finding.path.name != "AGENTS.md" or shown.content is None or IMPORT in shown.text:
        return None
    return shown, f"{IMPORT}\n\n{shown.text}" if shown.text.strip() else f"{IMPORT}\n"


def _import_punctuation(finding: Finding) -> tuple[ShownFile, str] | None:
    shown = existing(finding.path)
    lines = shown.text.splitlines(keepends=True)
    if not 0 < finding.line <= len(lines):
        return None
    lines[finding.line - 1] = PUNCTUATED.sub(r"\1 \2", lines[finding.line - 1])
    return shown, "".join(lines)


FIXES: dict[str, Fix] = {
    "bad-type": _bad_type,
    "import-punctuation": _import_punctuation,
    "index-ghost": _index_ghost,
    "index-missing": _index_missing,
    "no-frontmatter": _no_frontmatter,
    "unread-here": _unread_here,
}
"""What mends a finding, by the id of its check."""
SECRET = "secret"
"""The check whose finding is mended only when that is asked for: no version of the file is kept then."""


def fix(store: Store, findings: Iterable[Finding]) -> list[Finding]:
    """Mend findings, as one undo, and return those that were mended. Raises what `FileWriter` raises."""
    writer = FileWriter(store)
    mended: list[Finding] = []
    with store.change() as action:
        # From below, so that lines above are where they were found.
        for finding in sorted(findings, key=lambda finding: -finding.line):
            mend = FIXES.get(finding.id)
            result = mend(finding) if mend else None
            if result is None or result[1] == result[0].text:
                continue
            writer.write(*result, "")
            mended.append(finding)
        findings_mended = count_noun(len(mended), "findings")
        action.what = _("{findings} of agents' files fixed", findings=findings_mended)
    return mended


def redact_secrets(store: Store, findings: Iterable[Finding]) -> list[Path]:
    """Redact the secrets of files and return these. No former version is kept, so it can't be undone."""
    writer = FileWriter(store)
    paths = list(dict.fromkeys(finding.path for finding in findings if finding.id == SECRET))
    for path in paths:
        shown = existing(path)
        text = redact(shown.text)
        if text != shown.text:
            writer.redact(shown, text, _("secrets redacted in {path}, for good", path=shown.path))
    return paths
