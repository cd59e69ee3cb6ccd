"""Files that are ours alone: written, renewed and removed as long as nobody else has changed them.

The last line of each says whose it is, with a fingerprint of the template that it was made of and one
of the lines above it: an older one of ours is told from one that somebody changed.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Literal

from ..config_file import Content
from ..splice import Plan

FileCondition = Literal["no", "yes", "outdated", "edited", "foreign"]
"""`edited`: ours, and changed by somebody since; `foreign`: somebody else's."""

MARK = re.compile(r"^(?:<!-- |# )memtui ([0-9a-f]{8}) ([0-9a-f]{8})\b.*\n?\Z", re.MULTILINE)
NOTE = "as `mem install` wrote it; once changed, it is left alone"


def marked(text: str, template: str, *, is_toml: bool) -> bytes:
    """A file's content: the text, and the line that says whose it is."""
    mark = f"memtui {_fingerprint(template)} {_fingerprint(text)}: {NOTE}"
    return (text + (f"# {mark}\n" if is_toml else f"<!-- {mark} -->\n")).encode()


def condition(content: bytes | None, template: str) -> FileCondition:
    """Whether a file of this content is ours, and made of this template."""
    if content is None:
        return "no"
    text = content.decode("utf-8", "replace")
    mark = MARK.search(text)
    if mark is None:
        return "edited" if "memtui" in text and NOTE in text else "foreign"
    if _fingerprint(text[: mark.start()]) != mark[2]:
        return "edited"
    return "yes" if mark[1] == _fingerprint(template) else "outdated"


def install_plan(content: bytes, template: str) -> Plan:
    """A plan that writes a file of ours, over an older one; any other stays."""

    def plan(found: Content) -> Content:
        is_ours = condition(found.file, template) in ("no", "yes", "outdated")
        return Content(content, found.backup) if is_ours else found

    return plan


def uninstall_plan(template: str) -> Plan:
    """A plan that removes a file of ours; any other stays."""

    def plan(found: Content) -> Content:
        is_ours = condition(found.file, template) in ("yes", "outdated")
        return Content(None, found.backup) if is_ours else found

    return plan


def _fingerprint(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:8]
