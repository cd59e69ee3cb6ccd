"""Text on its way in: what can be stored of it, without secrets and what is marked as private."""

from __future__ import annotations

import re

from .redaction import is_flag, redact, redact_item

_UNSTORABLE = "[\0\ud800-\udfff]"

# Possessive, so that blanks without end are read once and not once more for each of them.
_TAG = (
    r"(?i)<\s*+(?P<slash>/?)\s*+"
    r"(?P<name>private|claude-mem-context|system[-_]reminder|memtui-context|hook_context)(?=[\s/>])"
    r"[^<>]*+(?P<end>>?)"
)

# JSON's escapes of ASCII, but for what would break a text that is JSON, and of what folds into it;
# behind more than one backslash where JSON is within JSON.
_ESCAPE = r"\\{1,8}u(00(?!22|5c|5C)[2-7][0-9a-fA-F]|013[01]|017[fF]|212[aA])"


def clean(text: str) -> str:
    """`text` with U+FFFD for every NUL and lone surrogate: neither survives a store or a pipe."""
    if text.isascii():
        return text.replace("\0", "\ufffd")
    return re.sub(_UNSTORABLE, "\ufffd", text)


def strip_private(text: str) -> tuple[str, bool]:
    """`text` without its private passages and their tags, and whether there were any.

    `<private>` counts, and what agents and memories put into a prompt: `<claude-mem-context>`,
    `<system-reminder>`, `<hook_context>`, and our own `<memtui-context>`. In any letter case, with
    blanks and attributes, nested, and to the end of the text when never closed; also escaped, as in
    a text that is JSON. In doubt text is lost, not kept; but an opening tag without its ">" is prose
    unless a closing tag follows.
    """
    shown = _unescaped(text)
    rest = _without_tags(shown)
    if rest == shown:
        return text, False
    again = _unescaped(rest)
    if again != rest and _without_tags(again) != again:
        # Escapes within escapes: nobody writes that in good faith.
        return "", True
    return rest, True


def scrub(text: str) -> str:
    """What may be stored of `text`: clean, without its private passages, its secrets redacted."""
    return redact(strip_private(clean(text))[0])


def scrub_json(value: object) -> object:
    """A copy of `value`, as JSON gives it, with every string in it scrubbed, keys too.

    Under a key that is a secret's name, and after a flag that is one in a command line's words, a
    string that looks like a secret is redacted as a whole. However deep it is: no recursion. Of
    keys that become equal the last one stays.
    """
    copies: list[tuple[str, dict[str, object] | list[object]]] = []

    def copied(item: object, name: str) -> object:
        if isinstance(item, str):
            return redact_item(name, strip_private(clean(item))[0]) if name else scrub(item)
        if isinstance(item, dict):
            copies.append((name, {scrub(key): inner for key, inner in item.items()}))
        elif isinstance(item, list):
            copies.append((name, item.copy()))
        else:
            return item
        return copies[-1][1]

    top = copied(value, "")
    for name, copy in copies:  # grows by what is found inside
        if isinstance(copy, dict):
            for key in copy:
                copy[key] = copied(copy[key], key)
            continue
        for index, item in enumerate(copy):
            before = copy[index - 1] if index else None
            flag = before if isinstance(before, str) and is_flag(before) else name
            copy[index] = copied(item, flag)
    return top


def _unescaped(text: str) -> str:
    if "\\u" not in text:
        return text
    return re.sub(_ESCAPE, lambda escape: chr(int(escape[1], 16)), text)


def _without_tags(text: str) -> str:
    if "<" not in text:
        return text
    rest = _outside(text)
    for tag in re.finditer(_TAG, rest):
        if tag["end"]:
            # Its halves met when what lay between was taken out: nobody writes that in good faith.
            return rest[: tag.start()]
    return rest


def _outside(text: str) -> str:
    """What stands where no tag of any kind is open."""
    tags = list(re.finditer(_TAG, text))
    last_closing = {_kind(tag): tag.start() for tag in tags if tag["slash"] and tag["end"]}
    depths: dict[str, int] = {}
    kept: list[str] = []
    at = 0
    for tag in tags:
        kind = _kind(tag)
        if not tag["end"] and (tag["slash"] or tag.start() > last_closing.get(kind, -1)):
            continue
        if not any(depths.values()):
            kept.append(text[at : tag.start()])
        at = tag.end()
        depths[kind] = max(0, depths.get(kind, 0) + (-1 if tag["slash"] else 1))
    if not any(depths.values()):
        kept.append(text[at:])
    return "".join(kept)


def _kind(tag: re.Match[str]) -> str:
    # Case folding lets "ſ" and "İ" into a name, so only the first letter tells it reliably.
    return tag["name"][0].casefold()
