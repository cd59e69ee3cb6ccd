"""Files that are ours alone: written, renewed and removed as long as nobody else has changed them.

A line of each says whose it is, with a fingerprint of the template that it was made of and one of the
other lines: an older one of ours is told from one that somebody changed. It stands where no model reads
it, as a comment of the front matter or of TOML, and only without either at the end.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Literal

from ..config_file import Content
from ..splice import Plan

FileCondition = Literal["no", "yes", "outdated", "edited", "foreign"]
"""`edited`: ours, and changed by somebody since; `foreign`: somebody else's."""

MARK = re.compile(r"^(?:<!-- |# )memtui ([0-9a-f]{8}) ([0-9a-f]{8})\b.*\n?", re.MULTILINE)
HEAD = "---\n"
"""Begins and ends the front matter of Markdown."""
NOTE = "as `mem install` wrote it; once changed, it is left alone"


def marked(text: str, template: str, *, is_toml: bool) -> bytes:
    """A file's content: the text, and the line that says whose it is."""
    mark = f"memtui {_fingerprint(template)} {_fingerprint(text)}: {NOTE}"
    if text.startswith(HEAD):
        head, end, rest = text.removeprefix(HEAD).partition(f"\n{HEAD}")
        return f"{HEAD}{head}\n# {mark}{end}{rest}".encode()
    return (text + (f"# {mark}\n" if is_toml else f"<!-- {mark} -->\n")).encode()


def condition(content: bytes | None, template: str) -> FileCondition:
    """Whether a file of this content is ours, and made of this template."""
    if content is None:
        return "no"
    text = content.decode("utf-8", "replace")
    mark = MARK.search(text)
    if mark is None:
        return "edited" if "memtui" in text and NOTE in text else "foreign"
    own = text[: mark.start()] + text[mark.end() :]
    if _fingerprint(own) != mark[2]:
        return "edited"
    # One of an earlier version has its mark at the end, where a model reads it.
    is_current = mark[1] == _fingerprint(template)
    is_toml = mark[0].startswith("#")
    return "yes" if is_current and content == marked(own, template, is_toml=is_toml) else "outdated"


def install_plan(content: bytes, template: str) -> Plan:
    """A plan that writes a file of ours, over an older one; any other stays."""

    def plan(present: Content) -> Content:
        is_ours = condition(present.file, template) in ("no", "yes", "outdated")
        return Content(content, present.backup) if is_ours else present

    return plan


def uninstall_plan(template: str) -> Plan:
    """A plan that removes a file of ours; any other stays."""

    def plan(content: Content) -> Content:
        is_ours = condition(content.file, template) in ("yes", "outdated")
        return Content(None, content.backup) if is_ours else content

    return plan


def _fingerprint(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:8]
