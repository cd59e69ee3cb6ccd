"""What was promoted from the memory into an agent's file, and bears the memory's uid there: where it comes
back, by a hook or a transcript, it is not learned a second time."""

from __future__ import annotations

from .late_pattern import late_pattern

NAME = "memtui"
SIGN = f"{NAME}:"

_UID = r"[0-9A-Za-z][0-9A-Za-z-]{7,63}"
_COMMENT = late_pattern(rf"<!--\s*{SIGN}\s*(?P<uid>{_UID})\s*-->")
_LINE = late_pattern(rf"(?m)^[^\n]*<!--\s*{SIGN}\s*{_UID}\s*-->[^\n]*(?:\n|\Z)")
# What an agent reads of a file may have its lines' numbers before them.
_MARGIN = r"[ \t]*(?:\d{1,7}[\t→:|][ \t]?)?"
_NOTE = late_pattern(
    rf"(?m)^{_MARGIN}---[ \t]*\n(?:(?!{_MARGIN}---[ \t]*$)[^\n]*\n){{0,60}}?"
    rf"{_MARGIN}[ \t]*{SIGN}[ \t]*['\"]?{_UID}['\"]?[ \t]*\n"
)


def comment(uid: str) -> str:
    """Return the comment that marks a line as a memory's."""
    return f"<!-- {SIGN} {uid} -->"


def uid_in(line: str) -> str:
    """Return the uid that a line is marked with; "" for none."""
    match = _COMMENT.search(line) if SIGN in line else None
    return match["uid"] if match else ""


def without_promoted(text: str) -> str:
    """Return a text without the lines that are a memory's, and without a note that is."""
    if SIGN not in text:
        return text
    if note := _NOTE.search(text):
        text = text[: note.start()]
    return _LINE.sub("", text)
