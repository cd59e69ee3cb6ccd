"""Cut a stored text into the sentences and list items that a context is made of, without what tells a
reader nothing (raw data, rulers, retries) and what was told already.

No pattern is used and next to nothing imported, for a hook's process waits for it.
"""

from __future__ import annotations

from ..text.display import safe
from ..text.language.same import Gist, gist
from ..text.language.sentences import split_sentences
from ..text.truncation import shortened
from .wrapper import sanitize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LINE = 900
"""Characters of a line that are read."""
SENTENCE = 400
"""Characters of a sentence that are told."""
FENCES = ("```", "~~~")
RETRIES = ("retrying in", "retrying (", "retry(total", "retrying after", "reconnecting in")
WARNINGS = ("warn", "[warn", "npm warn", "npm notice", "(node:", "deprecationwarning")


class Piece:
    """A sentence, or an item of a list, under a label ("" for none). `start` is what a list's item, or
    a line of its own, begins with; None for what goes on in the line."""

    __slots__ = ("_gist", "label", "start", "text")

    def __init__(self, text: str, start: str | None = None, label: str = "") -> None:
        self.text = text
        self.start = start
        self.label = label
        self._gist: Gist | None = None

    @property
    def gist(self) -> Gist:
        """The gist of its text, by which a repetition is recognised."""
        if self._gist is None:
            self._gist = gist(self.text)
        return self._gist


def pieces_of(text: str, longest: int, label: str = "", *, as_is: bool = False) -> list[Piece]:
    """Return the pieces of a text, in order, until they hold `longest` characters: sentences, or parts of
    them that end at semicolons. Each is one line without anything invisible, any tag, or any marker of a
    turn; `as_is` sentences stay whole, with their tags and markers.
    """
    pieces: list[Piece] = []
    size = 0
    heading = ""
    for raw in text.splitlines():
        if size >= longest:
            break
        line = (safe(raw[:LINE]) if as_is else sanitize(raw, LINE)).replace("**", "").strip()
        if line.startswith(FENCES) or says_nothing(line):
            continue
        if line.startswith("#") and line.lstrip("#").startswith(" "):
            heading = line.strip("#: ")
            continue
        start, line = _item(line)
        if start is None and pieces and pieces[-1].start is not None:
            # A list has ended.
            start = ""
        if heading:
            start, line, heading = start or "", f"{heading}: {line}", ""
        for sentence in (
            [line] if start is not None else split_sentences(line, is_typed=True, at_semicolons=not as_is)
        ):
            if short := shortened(sentence, SENTENCE):
                pieces.append(Piece(short, start, label))
                size += len(short)
                start = None
    return pieces


def says_nothing(line: str) -> bool:
    """Return whether a line is a ruler, raw JSON, or a warning that something is tried again."""
    if not any(map(str.isalnum, line)):
        return True
    if line[0] in "{[" and line[-1] in "}],{[" and '"' in line and ":" in line:
        return True
    if line[0] == '"' and ('": ' in line or '":' in line) and line[-1] in ',{["}]0123456789el':
        return True
    low = line[:200].lower()
    return any(sign in low for sign in RETRIES) or low.startswith(WARNINGS)


class Told:
    """The sentences that were told, by their words."""

    def __init__(self, gists: Iterable[Gist] = ()) -> None:
        self._with_word: dict[str, list[Gist]] = {}
        for item in gists:
            self.add(item)

    def has(self, gist: Gist) -> bool:
        """Return whether one of the sentences that were told says the same, or all of it and more, or
        several do, a part of it each."""
        return self._has(gist) or (bool(gist.parts) and all(map(self._has, gist.parts)))

    def _has(self, gist: Gist) -> bool:
        if not gist.says_something:
            return True
        # One that says the same lacks few of its words, so that it has one of the few rarest of them.
        rarest = 4 if gist.pairs else 1 + int(gist.may_have_left)
        told_with = self._with_word
        words = [word for word in gist.words if word in told_with]
        if gist.pairs:
            words += [pair for pair in gist.pairs if pair in told_with]
        elif len(gist.words) - len(words) >= rarest:
            return False
        words.sort(key=lambda word: len(told_with[word]))
        for word in words[:rarest]:
            for item in told_with[word]:
                if item.covers(gist):
                    return True
        return False

    def add(self, gist: Gist) -> None:
        """Note a sentence that was told, and its parts."""
        for part in (gist, *gist.parts):
            for word in (*part.words, *part.pairs):
                self._with_word.setdefault(word, []).append(part)


BULLETS = ("- ", "* ", "+ ", "• ", "– ", "· ")
RULERS = "-=_*#~+─━═—·. "


def _item(line: str) -> tuple[str | None, str]:
    """Return what an item of a list begins with, and its text; None where a line is none."""
    for bullet in BULLETS:
        if line.startswith(bullet):
            rest = line[len(bullet) :].strip()
            return "- ", rest[4:] if rest[:4] in ("[ ] ", "[x] ", "[✓] ") else rest
    number = line[: len(line) - len(line.lstrip("0123456789"))]
    after = line[len(number) : len(number) + 2]
    if 0 < len(number) < 4 and (after in (". ", ") ") or after[:1] == "、"):
        return "", line
    if line[0] == "|" or line.count(" | ") > 1:
        return "", " · ".join(cell for part in line.split("|") if (cell := part.strip()))
    stripped = line.strip(RULERS)
    if line[:3] == line[0] * 3 and line[0] in RULERS:
        return "", stripped
    return None, line
