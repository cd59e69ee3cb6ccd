"""What a session decided, wanted and measured before it was compacted, and the agent's summary of it lacks.

One rule for the session that is told it, and for the person who looks. Next to nothing is imported: a
hook's process asks it.
"""

from __future__ import annotations

from ..records import kinds
from ..records.dataclasses import dataclass
from ..records.kinds import KINDS, REPLY, visible
from ..search.listing.document_sql import LEAST_CONFIDENCE, READ
from ..text.language.same import gist
from .pieces import Told, pieces_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    import apsw

    from ..text.language.same import Gist
    from .pieces import Piece

DECISION, CONSTRAINT, NUMBER = "decision", "constraint", "number"
MOST = 12
"""So many are told, the newest of each kind."""
MOST_OF_KIND = 6
SHORTEST, LONGEST = 20, 300
"""Characters of a sentence that tells a number."""
HELD = 0.75
"""The share of its words that the summary has to have near each other to say the same."""
ASKED_HELD = 0.5
"""Likewise of a question with its answer, all words of which it has to have."""
NEAR = 2
"""So many of the summary's sentences are near each other."""
UNITS = frozenset(
    "% ms s sec secs second seconds min mins minute minutes h hour hours day days kb mb gb kib mib gib x "
    "times px token tokens request requests user users row rows item items retry retries byte bytes "
    "percent 秒 毫秒 分钟 小时 天 次 倍 个 行 条".split()
)
"""What a number is of, where it tells something that lasts."""
SETTLES = frozenset(
    "limit timeout budget threshold size max min maximum minimum port version ttl rate retries 上限 超时 "
    "端口".split()
)

FACTS = f"""
SELECT f.id, f.kind, f.content, min(s.told_at) FROM fact_sources s JOIN facts f ON f.id = s.fact_id
WHERE s.session = (SELECT content_session_id FROM sessions WHERE id = ?1) AND s.told_at <= ?2
AND f.superseded_by IS NULL AND f.confidence >= {LEAST_CONFIDENCE} AND f.kind <> 'S' AND {visible("f")}
GROUP BY f.id ORDER BY min(s.told_at) DESC
"""
SAID = f"""
SELECT * FROM (
    SELECT 'o', id, type, coalesce(title, ''), substr(coalesce(narrative, ''), 1, {READ}), created_at
    FROM observations o WHERE session_id = ?1 AND created_at <= ?2 AND {visible("o")}
    AND (type = 'decision' OR tool_name = '{REPLY}')
    UNION ALL SELECT 'p', id, 'prompt', '', substr(text, 1, {READ}), created_at
    FROM prompts p WHERE session_id = ?1 AND created_at <= ?2 AND {visible("p")}
) ORDER BY created_at DESC
"""


COMPACTED = f"""
SELECT text, created_at FROM summaries s
WHERE session_id = ? AND text <> '' AND {visible("s")} ORDER BY created_at DESC, id DESC LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class Lost:
    """What a summary lacks: a decision, constraint or number, in the words in which it was said, at a time
    (ms), and the ref of the memory that says it."""

    ref: str
    kind: str
    text: str
    at: int


def lacking(db: apsw.Connection, session: int, summary: str, at: int) -> list[Lost]:
    """Return what a session, by its row, said before a moment (ms) and a summary lacks, the newest first.
    Raises apsw's errors."""
    told = _Summary(summary)
    results: list[Lost] = []
    counts: dict[str, int] = {}
    for lost in _said(db, session, at):
        content = gist(lost.text)
        if counts.get(lost.kind, 0) >= MOST_OF_KIND or told.says(content, *lost.text.split(" → ", 1)[1:]):
            continue
        told.add(content)
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
        gists = [piece.gist for piece in pieces_of(text, len(text))]
        self._told = Told(gists)
        self._near = [
            frozenset().union(*(part.words | part.pairs for part in gists[place : place + NEAR]))
            for place in range(len(gists))
        ]

    def add(self, content: Gist) -> None:
        self._told.add(content)

    def says(self, content: Gist, answer: str = "") -> bool:
        """Return whether a sentence is told, in the same words or with most of them near each other; of a
        question that was answered, with most of the answer."""
        if self._told.has(content):
            return True
        words, least = content.words | content.pairs, HELD
        must = frozenset(word for word in words if word[:1].isdigit())
        if answer:
            chosen = gist(answer)
            must, least = chosen.words | chosen.pairs, ASKED_HELD
        return any(must <= near and len(words & near) >= least * len(words) for near in self._near)


def _said(db: apsw.Connection, session: int, at: int) -> Iterator[Lost]:
    """Yield decisions, then what is to be kept to, then sentences with a number, the newest first."""
    facts: list[Any] = db.execute(FACTS, (session, at)).fetchall()
    rows: list[Any] = db.execute(SAID, (session, at)).fetchall()
    for number, kind, content, told_at in facts:
        yield Lost(f"f{number}", DECISION if kind == "B" else CONSTRAINT, str(content), told_at)
    for letter, number, type, title, text, made_at in rows:
        ref = kinds.ref(KINDS[letter], number)
        if type == "decision":
            yield Lost(ref, DECISION, str(title), made_at)
        for piece in pieces_of(text, READ):
            if _measures(piece):
                yield Lost(ref, NUMBER, piece.text, made_at)


def _measures(piece: Piece) -> bool:
    """Return whether a sentence tells a number that something is limited to or measured at."""
    text = piece.text
    if not SHORTEST <= len(text) <= LONGEST or text.endswith(("?", "？", ":", "：")) or "|" in text:
        return False
    words = text.lower().replace("(", " ").replace(")", " ").split()
    for place, word in enumerate(words):
        plain = word.strip("`*,.;:~<>=≤≥≈")
        digits = plain.rstrip("abcdefghijklmnopqrstuvwxyz%秒毫分钟小时天次倍个行条")
        if not digits or not digits.replace(".", "").replace(",", "").isdigit():
            continue
        if plain.endswith("s") and len(digits) == 3 and digits[0] in "45":
            # Responses of this class, no seconds.
            continue
        after = plain[len(digits) :] or "".join(words[place + 1 : place + 2]).strip("`*,.;:")
        if after in UNITS or not SETTLES.isdisjoint(words[max(0, place - 4) : place]):
            return True
    return False
