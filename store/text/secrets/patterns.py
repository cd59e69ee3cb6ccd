"""What secrets look like: the table of all kinds, in its order, and which of them a text may hold.

Formats are those that the services document, most of them told by a beginning of their own. Each row
names the literals that it can't do without. One look at the words of a text tells which literals are
in it, and so which patterns are tried at all; most are never compiled.
"""

from __future__ import annotations

from .credential_patterns import CREDENTIAL_PATTERNS, FOLLOWING
from .pattern_parts import PLACEHOLDERS, SET, SecretPattern
from .service_patterns import SERVICE_PATTERNS

# Blocks of keys and tokens come first: what is in them is nobody else's.
PATTERNS = SERVICE_PATTERNS + CREDENTIAL_PATTERNS

EVIDENT = frozenset(row for row in SERVICE_PATTERNS if not (row.judged or row.told or SET in row.pattern))
"""The kinds that are known by themselves, wherever they stand."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["EVIDENT", "PATTERNS", "PLACEHOLDERS", "Look", "SecretPattern"]

SHORTEST_PART = 3
"""Bytes of the shortest part of a literal that is looked for in words, or one less where one is rare:
shorter ones are in nearly all."""

INDEXED_FROM = 4_096
"""From so many bytes on a process makes indexes of the table's literals, which take as long to make as
each literal takes to be looked for in so much text: a command stores less."""

MANY_LOOKS = 64
"""From so many looks on a process remembers in which words no literal is."""

MOST_WORDS, LONGEST_WORD = 65_536, 64
"""So many words are remembered, of at most so many bytes."""

FEW = 64
"""So many places of a literal are looked at; where there are more, one is taken to begin a word."""

_LETTERS = b"abcdefghijklmnopqrstuvwxyz0123456789_"
_IN_WORDS = _LETTERS + _LETTERS.upper() + b"+/-"
_NO_WORD = bytes(range(256)).translate(None, _IN_WORDS)
_WORDS = bytes.maketrans(_NO_WORD, b" " * len(_NO_WORD))
_BLANKS = b" \t\r\n"
_RUNS = bytes.maketrans(b"+/", b"  ")
_NO_DIGITS = _IN_WORDS.translate(None, b"0123456789")
_NO_HEXADECIMAL = bytes(range(256)).translate(None, b"0123456789abcdefABCDEF")
_HEXADECIMAL = bytes.maketrans(_NO_HEXADECIMAL, b" " * len(_NO_HEXADECIMAL))
_VISIBLE = bytes(range(0x80)).ljust(256)
_WORD = frozenset(_LETTERS)
_RARE = frozenset(b"0123456789_jqwxz")


class Look:
    """One look at a text: its different words, and what they tell of it.

    A text repeats most of its words, so that looking for hundreds of literals among them, each only
    where its pairs of bytes are there, takes a fraction of looking through the text.
    """

    def __init__(self, text: str, *, is_evident: bool = False) -> None:
        """`is_evident`: only patterns of `EVIDENT` are asked for."""
        raw = text.encode(errors="surrogatepass")
        self._raw, self._low = raw, raw.lower()
        self.words = frozenset(raw.translate(_WORDS).split())
        """Letters, digits and what else stands in base64 and in names, as written."""
        self._table = _evident if is_evident else _all
        self._is_indexed = self._table.is_indexed_after(len(raw))
        self._cores = self._table.cores_in(self.words) if self._is_indexed else set()
        self._signs = frozenset(raw.translate(None, _IN_WORDS + _BLANKS))
        self.anchored = self._anchored()
        """The patterns of which an anchor is in the text, in the table's order."""
        self._runs: tuple[int, int] | None = None
        self._most_visible: int | None = None
        self._beside: dict[int, bool] = {}

    def possible_patterns(self) -> list[SecretPattern]:
        """The patterns that may match somewhere in the text, in the table's order."""
        patterns = list(filter(self._allows, self.anchored))
        return [*patterns, *FOLLOWING] if patterns else []

    def _anchored(self) -> list[SecretPattern]:
        patterns = self._table.patterns
        if not self._is_indexed:
            return [one for one in patterns if any(map(self._low.__contains__, one.anchors))]
        numbers: set[int] = set()
        by_key = self._table.by_key
        for key in by_key.keys() & {ANYWHERE, *self._cores, *self._signs}:
            certain, others = by_key[key]
            numbers.update(certain)
            for anchor, signs, rows in others:
                if signs <= self._signs and anchor in self._low:
                    numbers.update(rows)
        return [patterns[number] for number in sorted(numbers)]

    def holds(self, literal: bytes) -> bool:
        """Whether a literal in lower case is in the text, lowered, or another in the text itself."""
        if not self._is_indexed:
            return literal in (self._low if literal == literal.lower() else self._raw)
        core, signs, is_whole, is_low = _literals.get(literal) or _parts(literal)
        if (core and core not in self._cores) or not signs <= self._signs:
            return False
        return is_whole or literal in (self._low if is_low else self._raw)

    def _allows(self, pattern: SecretPattern) -> bool:
        """Whether all else is there that a pattern asks for beside an anchor."""
        if pattern.run or pattern.digits:
            run, digits = self._longest()
            if run < pattern.run or digits < pattern.digits:
                return False
        if pattern.also:
            # Many rows share what stands beside them.
            if (is_beside := self._beside.get(id(pattern.also))) is None:
                is_beside = self._beside[id(pattern.also)] = any(map(self.holds, pattern.also))
            if not is_beside:
                return False
        return self.may_begin(pattern) and (not pattern.visible or pattern.visible <= self._visible())

    def _longest(self) -> tuple[int, int]:
        """How many letters, digits and dashes stand together at most, a digit among them, and how many
        hexadecimal digits."""
        if self._runs is None:
            long = b" ".join([word for word in self.words if len(word) >= _SHORTEST_RUN])
            runs = [run for run in long.translate(_RUNS).split() if run.strip(_NO_DIGITS)]
            digits = long.translate(_HEXADECIMAL).split()
            self._runs = max(map(len, runs), default=0), max(map(len, digits), default=0)
        return self._runs

    def _visible(self) -> int:
        """How many characters of ASCII that are no blanks stand together, at most."""
        if self._most_visible is None:
            self._most_visible = max(map(len, self._raw.translate(_VISIBLE).split()), default=0)
        return self._most_visible

    def may_begin(self, pattern: SecretPattern) -> bool:
        """Whether one of the words begins that a pattern begins with, if it does with any."""
        return not pattern.starts or any(map(self._begins_a_word, pattern.starts))

    def _begins_a_word(self, start: bytes) -> bool:
        at = -1
        for _ in range(FEW):
            at = self._low.find(start, at + 1)
            if at <= 0 or self._low[at - 1] not in _WORD:
                return at >= 0
        return True


def _pairs(low: bytes) -> frozenset[int]:
    """The pairs of neighbouring bytes, as numbers."""
    if len(low) < 2:
        return frozenset()
    view, even, odd = memoryview(low), len(low) & ~1, len(low) - 1 & ~1
    return frozenset(view[:even].cast("H")).union(view[1 : 1 + odd].cast("H"))


def _parts(literal: bytes) -> tuple[bytes, frozenset[int], bool, bool]:
    """The longest part of a literal that stands in a single word, in lower case, if it isn't short, what
    else than words and blanks is in the literal, whether that part is all of it, and whether the literal is
    in lower case."""
    core = max(literal.translate(_WORDS).split(), key=len, default=b"").lower()
    core = core if len(core) >= SHORTEST_PART - (not _RARE.isdisjoint(core)) else b""
    signs = frozenset(literal.translate(None, _IN_WORDS + _BLANKS))
    _literals[literal] = result = core, signs, core == literal, literal == literal.lower()
    return result


ANYWHERE = -1
"""The key of anchors that neither words nor signs tell of."""
COMMON_SIGNS = frozenset(b",.:/\"'()[]{}")
_literals: dict[bytes, tuple[bytes, frozenset[int], bool, bool]] = {}


_Rows = tuple[set[int], list[tuple[bytes, frozenset[int], list[int]]]]
"""The rows of anchors that are all of a part of a word, and the other anchors, each with its signs and
rows."""


def _by_key(patterns: Sequence[SecretPattern]) -> dict[bytes | int, _Rows]:
    """The numbers of rows by the part of their anchors that stands in a word, else by a sign: a rare one,
    if there is any."""
    rows: dict[bytes, list[int]] = {}
    for number, pattern in enumerate(patterns):
        for anchor in pattern.anchors:
            rows.setdefault(anchor, []).append(number)
    results: dict[bytes | int, _Rows] = {}
    for anchor, numbers in rows.items():
        core, signs, is_whole, _ = _parts(anchor)
        key = core or max(signs - COMMON_SIGNS or signs, default=ANYWHERE)
        certain, others = results.setdefault(key, (set(), []))
        if core and is_whole:
            certain.update(numbers)
        else:
            others.append((anchor, signs, numbers))
    return results


class _Words:
    """Which parts of the literals of patterns stand in words: most words come again, and most hold none."""

    def __init__(self, patterns: Sequence[SecretPattern]) -> None:
        self.patterns = patterns
        self._looks = self._bytes = 0
        self._plain: set[bytes] = set()
        self._cores: dict[bytes, frozenset[bytes]] = {}
        self._by_pair: dict[int, list[bytes]] = {}
        self.by_key: dict[bytes | int, _Rows] = {}
        """What `_by_key` gives."""

    def is_indexed_after(self, length: int) -> bool:
        """Whether the table is indexed, once so many bytes more are looked at."""
        self._bytes += length
        if not self.by_key and self._bytes >= INDEXED_FROM:
            self.by_key = _by_key(self.patterns)
        return bool(self.by_key)

    def cores_in(self, words: frozenset[bytes]) -> set[bytes]:
        """The parts of literals that stand in some words, in lower case."""
        self._looks += 1
        if self._looks < MANY_LOOKS:
            return self._look_for(words)
        new = words - self._plain
        known = new & self._cores.keys()
        new -= known
        results = set[bytes]().union(*map(self._cores.__getitem__, known))
        return results | self._learn(new) if new else results

    def _learn(self, words: frozenset[bytes]) -> set[bytes]:
        if len(self._plain) + len(self._cores) > MOST_WORDS:
            self._plain.clear()
            self._cores.clear()
        present = self._look_for(words)
        low = b" %b " % b" ".join(words).lower()
        known: dict[bytes, set[bytes]] = {}
        for core in present:
            at = low.find(core)
            while at >= 0:
                start, end = low.rfind(b" ", 0, at), low.find(b" ", at)
                known.setdefault(low[start + 1 : end], set()).add(core)
                at = low.find(core, end)
        for word in words:
            if len(word) <= LONGEST_WORD:
                if cores := known.get(word.lower()):
                    self._cores[word] = frozenset(cores)
                else:
                    self._plain.add(word)
        return present

    def _look_for(self, words: Iterable[bytes]) -> set[bytes]:
        if not self._by_pair:
            for core in {_parts(item)[0] for one in self.patterns for item in one.anchors + one.also}:
                if core:
                    self._by_pair.setdefault(min(_pairs(core)), []).append(core)
        joined = b" ".join(words).lower()
        pairs = self._by_pair.keys() & _pairs(joined)
        return {core for pair in pairs for core in self._by_pair[pair] if core in joined}


_all = _Words(PATTERNS)
_evident = _Words([one for one in PATTERNS if one in EVIDENT])
_SHORTEST_RUN = min(length for one in PATTERNS for length in (one.run, one.digits) if length)
