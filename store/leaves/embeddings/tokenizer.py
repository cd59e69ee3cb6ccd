"""A model's own tokenizer, as its `tokenizer.json` describes it, and the patterns by which it cuts
texts."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...platform.translation import _
from ...providers.errors import ProviderError

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer


SPELLED, SHORTEST_SPELLED = 1.5, 4
"""A word of four letters or more whose pieces have no more letters than this on average is only spelled."""
USUAL = "this project"
"""Words that are spelled by a tokenizer only that spells all."""
UNKNOWN = ("[UNK]", "<unk>", "<UNK>")


MOST_GROWTH = 64
"""What its replacements may make of one character, at most."""


def load_tokenizer(path: Path) -> Tokenizer:
    """Return the tokenizer that a file describes, which neither cuts nor pads. Raises ProviderError, also
    for one that would make texts grow without end, or whose patterns may take for ever."""
    # Its threads would gain little, and a process that forks would be told about them on its terminal.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from tokenizers import Tokenizer

    with failures_as(_("{path} describes no tokenizer", path=path)):
        if not path.is_file():
            raise ValueError(_("it is not a file"))
        tokenizer = Tokenizer.from_file(str(path))
        for part in (tokenizer.normalizer, tokenizer.pre_tokenizer):
            for pattern in patterns_of(json.loads(part.__getstate__())) if part else ():
                if may_take_for_ever(pattern):
                    raise ValueError(_("its pattern {pattern} may take for ever", pattern=f"{pattern:.80}"))
        growth = _growth(json.loads(tokenizer.normalizer.__getstate__())) if tokenizer.normalizer else 1.0
        if growth > MOST_GROWTH:
            raise ValueError(_("its normalizer replaces more and more"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def encode(tokenizer: Tokenizer, texts: Sequence[str], *, special: bool = False) -> list[Encoding]:
    """Return the tokens of texts, with those that mark begin and end or without. Raises ProviderError."""
    with failures_as(_("The model's tokenizer.json can't be used")):
        return tokenizer.encode_batch(list(texts), add_special_tokens=special)


@contextmanager
def failures_as(what: str) -> Iterator[None]:
    """Have whatever the package raises as ProviderError: it has nothing narrower, and where its own code
    fails that is no Exception."""
    try:
        yield
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise ProviderError("auth", f"{what} ({error}).") from error


def _growth(normalizer: Any) -> float:
    """Return what the replacements of a normalizer make of one character, at most."""
    growth = 1.0
    for part in normalizer.get("normalizers", ()):
        growth *= _growth(part)
    if normalizer.get("type") == "Replace":
        result = normalizer["pattern"].get("String")
        growth *= max(
            1.0,
            len(normalizer["content"]) / len(result) if result else len(normalizer["content"]) + 1,
        )
    return growth


def unknown_id(tokenizer: Tokenizer) -> int | None:
    """Return the id that stands for what a tokenizer doesn't know; None where it knows everything."""
    own = getattr(tokenizer.model, "unk_token", None)
    names = (own,) if isinstance(own, str) else UNKNOWN
    return next((result for name in names if (result := tokenizer.token_to_id(name)) is not None), None)


def unknown_share(tokenizer: Tokenizer, texts: Sequence[str]) -> float:
    """Return the share of the texts' tokens that a tokenizer doesn't know: those that stand for what is
    unknown, and the pieces of words that it can only spell, unless it spells all words."""
    unknown = unknown_id(tokenizer)
    spells_all = bool(_spelled(encode(tokenizer, [USUAL])[0]))
    cleaned = [text.encode("utf-8", "replace").decode() for text in texts]
    total = strange = 0
    for encoding in encode(tokenizer, cleaned):
        spelled = set() if spells_all else _spelled(encoding)
        total += len(encoding.ids)
        strange += sum(
            number == unknown or word in spelled
            for number, word in zip(encoding.ids, encoding.word_ids, strict=True)
        )
    return strange / total if total else 0.0


def _spelled(encoded: Encoding) -> set[int]:
    """Return the numbers of the words that are but spelled."""
    pieces = Counter(word for word in encoded.word_ids if word is not None)
    letters: Counter[int] = Counter()
    for word, (start, end) in zip(encoded.word_ids, encoded.offsets, strict=True):
        if word is not None:
            letters[word] += end - start
    return {
        word
        for word, many in pieces.items()
        if letters[word] >= SHORTEST_SPELLED and letters[word] <= SPELLED * many
    }


UNBOUNDED = "*+"
MANY = 50
"""A repetition that may be so often is taken for one without bound."""
CLASSES = "wWdDsShHpPXRNO"
"""Letters that stand for many characters behind a backslash."""


def patterns_of(part: Any) -> Iterator[str]:
    """Yield the regular expressions of a tokenizer's part, as its JSON has it."""
    if isinstance(part, dict):
        pattern = part.get("pattern")
        if isinstance(pattern, dict) and isinstance(pattern.get("Regex"), str):
            yield pattern["Regex"]
    for inner in part.values() if isinstance(part, dict) else part:
        if isinstance(inner, dict | list):
            yield from patterns_of(inner)


def may_take_for_ever(pattern: str) -> bool:
    """Return whether a repetition without bound repeats what can match one text in several ways: itself a
    repetition, or alternatives that begin alike."""
    groups = [_Group(is_atomic=True)]
    last: _Group | None = None
    at = 0
    while at < len(pattern):
        sign, end = pattern[at], at + 1
        closed, last = last, None
        if sign == "(":
            groups.append(_Group(is_atomic=pattern.startswith("(?>", at)))
            end = _behind_opening(pattern, at)
        elif sign == ")" and len(groups) > 1:
            last = groups.pop()
            groups[-1].repeats |= last.is_ambiguous
        elif sign == "|":
            groups[-1].begins_anew()
        elif bounds := _repetition(pattern, at):
            end, is_unbounded = bounds
            is_possessive = pattern.startswith("+", end)
            if is_unbounded and not is_possessive:
                if closed is not None and closed.is_ambiguous:
                    return True
                groups[-1].repeats = True
            end += pattern.startswith(("+", "?"), end)
        else:
            end = _behind_atom(pattern, at)
            groups[-1].add(pattern[at:end])
        at = end
    return False


class _Group:
    """What is known of a group while its pattern is read."""

    def __init__(self, *, is_atomic: bool) -> None:
        self._is_atomic = is_atomic
        self.repeats = False
        self._beginnings: list[str] = []
        self._is_at_beginning = True
        self._overlaps = False

    @property
    def is_ambiguous(self) -> bool:
        """Whether it may match one text in several ways."""
        return not self._is_atomic and (self.repeats or self._overlaps)

    def begins_anew(self) -> None:
        """Note that another alternative follows."""
        self._is_at_beginning = True
        if not self._beginnings:
            self._beginnings.append("")

    def add(self, atom: str) -> None:
        """Note an atom."""
        if not self._is_at_beginning:
            return
        self._is_at_beginning = False
        is_wide = atom[0] in ".[" or (atom[0] == "\\" and atom[1:2] in CLASSES)
        if self._beginnings and (is_wide or {atom, "."} & {*self._beginnings}):
            self._overlaps = True
        self._beginnings.append("." if is_wide else atom)


def _repetition(pattern: str, at: int) -> tuple[int, bool] | None:
    """Return where a repetition ends that begins here, and whether it has no bound; None for none."""
    if pattern[at] in UNBOUNDED:
        return at + 1, True
    if pattern[at] == "?":
        return at + 1, False
    end = pattern.find("}", at)
    inner = pattern[at + 1 : end] if pattern[at] == "{" and end > 0 else ""
    low, comma, high = inner.partition(",")
    if not (low.isdecimal() or (comma and high.isdecimal())):
        return None
    return end + 1, bool(comma) and (not high or int(high) > MANY)


def _behind_opening(pattern: str, at: int) -> int:
    """Return the place behind what opens a group: `(?<name>`, `(?i:`, `(?!`."""
    if not pattern.startswith("(?", at):
        return at + 1
    end = at + 2
    while end < len(pattern) and (pattern[end].isalnum() or pattern[end] in "-_<>=!:'#~|"):
        end += 1
        if pattern[end - 1] in ":>=!":
            break
    return end


def _behind_atom(pattern: str, at: int) -> int:
    """Return the place behind a character, an escape or a set of characters."""
    if pattern[at] == "\\":
        named = pattern[at + 1 : at + 3] in ("p{", "P{", "x{")
        end = pattern.find("}", at) if named else at + 1
        return (end if end > 0 else at + 1) + 1
    if pattern[at] != "[":
        return at + 1
    depth, end = 0, at
    while end < len(pattern):
        depth += {"[": 1, "]": -1}.get(pattern[end], 0)
        end += 2 if pattern[end] == "\\" else 1
        if depth == 0:
            break
    return end
