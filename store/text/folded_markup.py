"""A copy of a text in which markup is plain, however it was written, and the way back.

Escapes of JSON, HTML and URLs are decoded, at any depth; letters of any width or alphabet that look
like ASCII are that, blanks are spaces, and what is invisible is gone.
"""

from __future__ import annotations

from .late_pattern import late_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from array import array

ROUNDS = 6
"""Escapes within escapes of other kinds are decoded so often."""

_HEX = "[0-9a-f]"
_PERCENT = "%(?:25)*+"
_MORE = rf"(?:{_PERCENT}[89ab]{_HEX})"
_AMPERSAND = r"(?:amp;?|#0*+38;?|#x0*+26;?)"
_NAMED = {
    "lt": "<", "gt": ">", "quot": '"', "apos": "'", "sol": "/", "bsol": "\\", "num": "#", "percnt": "%",
    "nbsp": " ", "ensp": " ", "emsp": " ", "thinsp": " ", "hairsp": " ", "tab": " ", "newline": " ",
    "zwj": "", "zwnj": "", "shy": "", "zerowidthspace": "", "nobreak": "", "hyphen": "-", "dash": "-",
    "lowbar": "_", "equals": "=", "lang": "<", "rang": ">",
}  # fmt: skip

_CONTROLS = r"\x01-\x08\x0e-\x1f\x7f"

# It begins with one of a few signs, to which a search is quick to skip, and then looks back. A run of
# backslashes is as many levels of JSON as one likes.
_ESCAPE = late_pattern(
    rf"[{_CONTROLS}\\&%](?:"
    rf"(?P<hidden>(?<=\x1b)\[[0-9;]{{0,20}}[a-z]|(?<=[{_CONTROLS}])[{_CONTROLS}]*)"
    r"|(?<=\\)(?<!\\\\)\\*+"
    rf"(?:u(?P<high>d[89ab]{_HEX}{{2}})\\++u(?P<low>d[c-f]{_HEX}{{2}})"
    rf"|u(?P<four>{_HEX}{{4}})|u\{{(?P<braced>{_HEX}{{1,6}})\}}|x(?P<two>{_HEX}{{2}})"
    r"|0?(?P<octal>[01]?[0-7][0-7])|0|(?P<blank>[nrtfv])|(?P<sign>[<>/&%;=_\"'-]))"
    rf"|(?<=&){_AMPERSAND}*+(?:#0*+(?P<decimal>[0-9]{{1,7}});?|#x0*+(?P<hex>{_HEX}{{1,6}});?"
    rf"|(?P<named>{'|'.join(_NAMED)});?)"
    rf"|(?<=%)(?:25)*+(?:(?P<byte>[0-7]{_HEX})|(?P<bytes>[cd]{_HEX}{_MORE}|e{_HEX}{_MORE}{{2}}"
    rf"|f{_HEX}{_MORE}{{3}})))"
)
_HEXADECIMAL = ("four", "braced", "two", "hex", "byte")

_SAME = {
    **dict.fromkeys("‹〈⟨❮˂ᐸ", "<"), **dict.fromkeys("›〉⟩❯˃ᐳ", ">"), **dict.fromkeys("∕⁄╱⧸", "/"),
    **dict.fromkeys("‐‑‒–—−", "-"), **dict.fromkeys("“”„‟″", '"'), **dict.fromkeys("‘’‚‛′", "'"),
    # The letters of "private" in other alphabets, and small capitals.
    **dict.fromkeys("рρᴘ", "p"), **dict.fromkeys("гʀᴦ", "r"), **dict.fromkeys("іιıɪӏ", "i"),
    **dict.fromkeys("νѵᴠ", "v"), **dict.fromkeys("аαᴀɑ", "a"), **dict.fromkeys("тτᴛ", "t"),
    **dict.fromkeys("еεᴇ", "e"),
}  # fmt: skip
_HIDDEN = "\x07"
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffd")


class _Letters(dict[int, int]):
    """What one letter becomes: another, or a control character where it is invisible."""

    def __missing__(self, code: int) -> int:
        self[code] = result = ord(_letter(chr(code)))
        return result


_LETTERS = _Letters({0: 0})

_ASCII = bytes(range(0x80))

FEW = 64
"""So many different letters are replaced one after the other."""


def _letters_in(text: str) -> set[str]:
    """The letters of a text that aren't ASCII."""
    raw = text.encode(errors="surrogatepass").translate(None, _ASCII)
    return set(raw.decode(errors="surrogatepass"))


def may_hide_ascii(text: str) -> bool:
    """Whether a letter of a text that isn't ASCII may stand for one that is, or is invisible."""
    return any(_LETTERS[ord(letter)] < 0x80 for letter in _letters_in(text))


def _translated(text: str) -> str:
    """A text with each letter as what it looks like."""
    changed = [letter for letter in _letters_in(text) if _LETTERS[ord(letter)] != ord(letter)]
    if text.isascii() or len(changed) > FEW:
        return text.translate(_LETTERS)
    plain = bytes(_LETTERS[code] if code < 0x80 else code for code in range(0x100))
    text = text.encode(errors="surrogatepass").translate(plain).decode(errors="surrogatepass")
    for letter in changed:
        text = text.replace(letter, chr(_LETTERS[ord(letter)]))
    return text


class Folded:
    """The folded `text` of a text, NULs kept; `is_too_deep` where escapes are left in it."""

    def __init__(self, text: str) -> None:
        self._steps: list[tuple[array[int], array[int]]] = []
        self.is_too_deep = True
        text = _translated(text)
        for _ in range(ROUNDS):
            decoded = self._decoded(text)
            if decoded is None:
                self.is_too_deep = False
                break
            text = decoded
        self.text = text

    def original(self, span: tuple[int, int]) -> tuple[int, int]:
        """Return which part of the text a part of the folded one is."""
        return self._before(span[0]), self._before(span[1])

    def _before(self, at: int) -> int:
        from bisect import bisect_right

        for places, before in reversed(self._steps):
            step = bisect_right(places, at) - 1
            at = before[step] + at - places[step]
        return at

    def _decoded(self, text: str) -> str | None:
        """Return a text with one level of its escapes decoded; None where it has none."""
        # A text in another alphabet is asked for what it may hide, and `mem add` waits for each import.
        from array import array

        pieces: list[str] = []
        places, before = array("q", [0]), array("q", [0])
        done = length = 0
        # The same few escapes tend to come again and again.
        known: dict[str, str] = {}
        for match in _ESCAPE.finditer(text):
            if (meant := known.get(match[0])) is None:
                meant = known[match[0]] = _meant(match).translate(_LETTERS)
            pieces += text[done : match.start()], meant
            length += match.start() - done
            places.extend((length, length + len(meant)))
            before.extend(match.span())
            done = match.end()
            length += len(meant)
        if not pieces:
            return None
        self._steps.append((places, before))
        return "".join((*pieces, text[done:]))


def _meant(match: re.Match[str]) -> str:
    """Return what an escape stands for: one letter, or none where that is invisible."""
    kind, written = match.lastgroup, match[match.lastgroup or 0]
    if kind == "named":
        return _NAMED[written]
    if kind == "sign":
        return written
    if kind == "blank":
        return " "
    if kind == "bytes":
        raw = bytes.fromhex("".join(part[-2:] for part in written.split("%")))
        return raw.decode(errors="ignore")[:1]
    if kind == "low":
        code = 0x10000 + ((int(match["high"], 16) - 0xD800) << 10) + int(written, 16) - 0xDC00
    elif kind in _HEXADECIMAL:
        code = int(written, 16)
    elif kind in ("octal", "decimal"):
        code = int(written, 8 if kind == "octal" else 10)
    else:
        return ""
    return chr(code) if 0 < code <= 0x10FFFF else ""


def _letter(letter: str) -> str:
    """Return what a letter becomes; always one."""
    if letter.isspace():
        return " "
    if letter in _SAME:
        return _SAME[letter]
    if letter.isascii():
        return letter.lower() if letter >= " " or letter == "\x1b" else _HIDDEN
    if "\u4e00" <= letter <= "\u9fff":
        # A Chinese character is nothing else, and to ask is to load a table of a megabyte.
        return letter
    from unicodedata import category, normalize

    if letter in _INVISIBLE or category(letter)[0] in "MC":
        return _HIDDEN
    plain = normalize("NFKD", letter)
    if any(category(text)[0] != "M" for text in plain[1:]):
        return letter
    low = plain[0].casefold()[:1]
    return _SAME.get(low, " " if low.isspace() else low)
