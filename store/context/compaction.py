"""What a session decided, wanted and measured before it was compacted, and the agent's summary of it lacks.

One rule for the session that is told it, and for the person who looks. Next to nothing is imported: a
hook's process asks it.
"""

from __future__ import annotations

from ..records import kinds
from ..records.dataclasses import dataclass
from ..records.kinds import KINDS
from ..search.listing.document_sql import COMPACTED, READ, SAID_BEFORE, SAID_FACTS
from ..text.language.same import gist
from .pieces import Piece, Told, pieces_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    import apsw


DECISION, CONSTRAINT, NUMBER = "decision", "constraint", "number"
MOST = 12
"""So many are told, the newest of each kind."""
MOST_OF_KIND = 6
SHORTEST, LONGEST = 20, 300
"""Characters of a sentence that tells a number."""
DRAWN = frozenset("|│╭╰├└┌─")
"""What tables and drawings are made of."""
HELD, HELD_OF_MANY, HELD_BESIDE, MANY = 0.75, 0.5, 0.35, 8
"""The shares of its words that the summary has to have near each other to say the same: of a sentence, of
one of many words, and of one beside its numbers or the answer that it gives."""
ANSWERED, LONG = " → ", 7
"""What stands before an answer; digits of a number that is an id."""
NEAR = 2
"""So many of the summary's sentences are near each other."""
UNITS = frozenset(
    "% ms s sec secs second seconds min mins minute minutes h hour hours day days kb mb gb kib mib gib x "
    "times px token tokens request requests user users row rows item items retry retries byte bytes "
    "percent 秒 毫秒 分钟 小时 天 次 倍 个 行 条".split()
)
"""What a number is of, where it tells something that lasts."""
SETTLES = frozenset(
    "limit limited timeout budget threshold size max maximum minimum min most least port ttl rate retries "
    "cap capped within every per under over above below expire expires takes took costs measured median "
    "average p50 p95 p99 fell faster slower keep keeps kept 上限 超时 端口 最多 至少 每 以内 过期".split()
)
"""What a sentence says that limits something to a number, or measures it."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """What a summary lacks: a decision, constraint or number, in the words in which it was said, at a time
    (ms), and the ref of the memory that says it."""

    ref: str
    kind: str
    text: str
    at: int


def lacking(db: apsw.Connection, session: int, summary: str, at: int) -> list[Dropped]:
    """Return what a session, by its row, said before a moment (ms) and a summary lacks, the newest first.
    Raises apsw's errors."""
    told = _Summary(summary)
    results: list[Dropped] = []
    counts: dict[str, int] = {}
    for lost in _said(db, session, at):
        if counts.get(lost.kind, 0) < MOST_OF_KIND and not told.says(lost):
            told.add(lost.text)
            counts[lost.kind] = counts.get(lost.kind, 0) + 1
            results.append(lost)
    return sorted(results, key=lambda lost: -lost.at)[:MOST]


def compacted(db: apsw.Connection, session: int) -> tuple[str, int] | None:
    """Return what an agent wrote when it compacted a session last, and when (ms); None where it never did.
    Raises apsw's errors."""
    row: Any = db.execute(COMPACTED, (session,)).fetchone()
    return None if row is None else (str(row[0]), int(row[1]))


class _Summary:
    """The sentences of a summary, and what was told beside it."""

    def __init__(self, text: str) -> None:
        pieces = pieces_of(text, len(text))
        self._told = Told(piece.gist for piece in pieces)
        self._near = [
            _words(" ".join(piece.text for piece in pieces[at : at + NEAR])) for at in range(len(pieces))
        ]

    def add(self, text: str) -> None:
        self._told.add(gist(text))

    def says(self, lost: Dropped) -> bool:
        """Return whether a sentence is told, in the same words or with enough of them near each other: of
        one with numbers all of these, of a question that was answered most of the answer."""
        if self._told.has(gist(lost.text)):
            return True
        words = _words(lost.text)
        numbers = {word for word in words if word[:1].isdigit()}
        least = HELD if len(words) < MANY else HELD_OF_MANY
        if lost.kind == NUMBER and numbers:
            least = HELD_BESIDE
        _question, _arrow, answer = lost.text.partition(ANSWERED)
        # What is cut may end in half a word.
        chosen = _words(answer.partition("…")[0].rpartition(" ")[0] if "…" in answer else answer)
        if chosen:
            numbers, least = set(), HELD_BESIDE if len(chosen) > 2 else HELD_OF_MANY
        return any(
            numbers <= near
            and len(words & near) >= least * len(words)
            and len(chosen & near) >= HELD * len(chosen)
            for near in self._near
        )


def _words(text: str) -> frozenset[str]:
    """Return what of a text carries meaning, numbers without their units."""
    content = gist(text)
    digits = "".join(char if char.isdigit() or char == "." else " " for char in text).split()
    named = {word for word in content.words if not word[:1].isdigit()}
    return frozenset(named | content.pairs | {number.strip(".") for number in digits if len(number) < LONG})


def _said(db: apsw.Connection, session: int, at: int) -> Iterator[Dropped]:
    """Yield decisions, then what is to be kept to, then sentences with a number, the newest first."""
    facts: list[Any] = db.execute(SAID_FACTS, (session, at)).fetchall()
    rows: list[Any] = db.execute(SAID_BEFORE, (session, at)).fetchall()
    for number, kind, content, told_at in facts:
        yield Dropped(f"f{number}", DECISION if kind == "B" else CONSTRAINT, str(content), told_at)
    for letter, number, type, title, text, made_at in rows:
        ref = kinds.ref(KINDS[letter], number)
        if type == "decision" and ANSWERED in title:
            # The options that were not taken say nothing that holds.
            yield Dropped(ref, DECISION, str(title).removeprefix("Asked: "), made_at)
            continue
        for piece in pieces_of(text, READ):
            if _measures(piece):
                yield Dropped(ref, NUMBER, piece.text, made_at)


def _measures(piece: Piece) -> bool:
    """Return whether a sentence tells a number that something is limited to or measured at."""
    text = piece.text
    if not SHORTEST <= len(text) <= LONGEST or text.endswith(("?", "？", ":", "：")):
        return False
    words = [word.strip("`*,.;:~<>=≤≥≈()") for word in text.lower().split()]
    if SETTLES.isdisjoint(words) or not DRAWN.isdisjoint(text) or "ago" in words:
        return False
    # The number of an item counts nothing.
    for word, after in zip(words[1:], [*words[2:], ""], strict=True):
        digits = word.rstrip("abcdefghijklmnopqrstuvwxyz%秒毫分钟小时天次倍个行条")
        if not digits or not digits.replace(".", "").replace(",", "").isdigit():
            continue
        if word.endswith("s") and len(digits) == 3 and digits[0] in "45":
            # Responses of this class, no seconds.
            continue
        if (word[len(digits) :] or after) in UNITS or "port" in words:
            return True
    return False
