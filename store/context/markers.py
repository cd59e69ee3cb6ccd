"""What opens or closes a turn, in one prompt format or another, made harmless in what agents are told.

Next to nothing is imported unless a text may hold a marker: a hook's process waits for it.
"""

from __future__ import annotations

from ..text.language.scripts import is_hangul, is_kana, is_settled_han

ROLES = frozenset(
    "human user assistant system developer tool ai usuario sistema asistente utilisateur systeme "
    "benutzer nutzer assistent assistente пользователь система ассистент человек "
    "用户 用戶 使用者 系统 系統 助手 助理 人类 人類 开发者 開發者 ユーザー システム アシスタント 人間 "
    "사용자 시스템 어시스턴트".split()
)
"""Who speaks, as agents and their formats name it; in lower case, without accents."""

COLONS = frozenset(":：﹕ː∶꞉︰˸⁚։׃܃᛬︓")
BRACKETS = {
    "[": "(",
    "]": ")",
    "［": "(",
    "］": ")",
    "【": "（",
    "】": "）",
    "〔": "（",
    "〕": "）",
}
OPENERS = COLONS | BRACKETS.keys()
"""Without one of these nothing opens a turn."""

DASH = " – "
"""Stands in place of a colon after a role at the start of a line."""

RATIO = "∶"
"""Stands in place of one within a line, where it opens no turn."""

LONGEST = 120
"""Letters of a line's start in which a marker is looked for."""

ESCAPES = ("&lt", "&gt", "&amp", "&#", "\\u00")
"""What an escaped bracket begins with, in lower case; other escapes are no markup to anybody."""

UNMARKED = frozenset("，。；：！？（）、“”‘’《》「」…—–·→↔✓✗•×≤≥‹›")
"""Signs of prose that are no role's letter in any disguise."""


def without_markers(line: str) -> str:
    """Return a line without markers of a turn, whichever colon, letters and markup they have."""
    line = _start_defused(line)
    lowered = line.lower()
    if any(f"{role}:" in lowered for role in ("human", "assistant", "user", "system")):
        import re

        line = re.sub(r"(human|assistant|user|system):", rf"\1{RATIO}", line, flags=re.IGNORECASE)
    if "inst" in lowered or not line.isascii():
        line = _without_instructions(line)
    return line


def without_escaped_brackets(text: str) -> str:
    """Return a text with each escaped "<" or ">" as a sign that opens no tag."""
    lowered = text.lower() if "&" in text or "\\" in text else ""
    if not any(escape in lowered for escape in ESCAPES):
        return text
    import re

    again = r"&(?:amp;?|#0*38;?|#x0*26;?)*+"
    for sign, name, decimal, code in (("‹", "lt", 60, "3c"), ("›", "gt", 62, "3e")):
        written = rf"(?:{again}(?:{name};?|#0*{decimal};?|#x0*{code};?)|(?<!\\)\\+u00{code})"
        text = re.sub(written, sign, text, flags=re.IGNORECASE)
    return text


def _start_defused(line: str) -> str:
    """Return a line that begins with no role; what marks it up may stand around it."""
    start = line[:LONGEST]
    if OPENERS.isdisjoint(start) and _is_unmarked(start):
        return line
    folded = start.lower() if start.isascii() else _folded(start)
    at, end = 0, len(folded)
    while at < end and not _is_letter(folded[at]):
        at += 1
    begun = at
    while at < end and (_is_letter(folded[at]) or folded[at] in "\0ー"):
        at += 1
    if folded[begun:at].replace("\0", "") not in ROLES:
        return line
    opened = begun and line[begun - 1] in BRACKETS
    while at < end and not (_is_letter(folded[at]) or line[at] in COLONS or folded[at] == ":"):
        if opened and line[at] in BRACKETS:
            # A role in brackets opens a turn, with a colon or without.
            pair = BRACKETS[line[begun - 1]], BRACKETS[line[at]]
            line = f"{line[: begun - 1]}{pair[0]}{line[begun:at]}{pair[1]}{line[at + 1 :]}"
            opened = 0
        at += 1
    if at == end or (folded[at - 1].isdigit() and line[at + 1 : at + 2].isdigit()):
        # None, or that of a time of day.
        return line
    if line[at] in COLONS or folded[at] == ":":
        return _start_defused(f"{line[:at].rstrip()}{DASH}{line[at + 1 :].lstrip()}")
    return line


def _is_letter(letter: str) -> bool:
    # One of the colons counts as a letter.
    return letter.isalpha() and letter not in COLONS


def _is_unmarked(text: str) -> bool:
    """Whether no letter of a text poses as another."""
    if text.isascii():
        return True
    unknown = set(text) - _unmarked
    if not all(letter < "\x80" or is_settled_han(letter) or letter in UNMARKED for letter in unknown):
        return False
    _unmarked.update(unknown)
    return True


_unmarked: set[str] = set()
"""Letters that were looked at already."""


def _folded(text: str) -> str:
    """Return a text of as many letters: in lower case and ASCII where they look so, "\\0" for those
    that are invisible or marks on others."""
    if _is_unmarked(text):
        return text.lower()
    return "".join(_folds.get(letter) or _fold(letter) for letter in text)


_folds: dict[str, str] = {}
"""What was folded already."""


def _fold(letter: str) -> str:
    """Return a letter in lower case and ASCII where it looks so, "\\0" for what can't be seen."""
    from unicodedata import category, normalize

    low = normalize("NFKD", letter)[0].lower()[:1]
    if category(letter)[0] == "M" or category(letter) in ("Cf", "Cc", "Cn"):
        low = "\0"
    elif is_hangul(letter) or is_kana(letter):
        # Their parts are letters of their own.
        low = letter
    _folds[letter] = low
    return low


def _without_instructions(line: str) -> str:
    folded = _folded(line)
    if "inst" not in folded.replace("\0", ""):
        return line
    import re

    for match in reversed(list(re.finditer(r"\[[\s\0/]*i\0*n\0*s\0*t[\s\0]*\]", folded))):
        start, end = match.span()
        line = f"{line[:start]}({line[start + 1 : end - 1]}){line[end:]}"
    return line
