"""What agents may be told: what teammates shared only as the team's setting says, and with its author;
nothing that waits for its user's word.

Next to nothing is imported: a hook's process asks it.
"""

from __future__ import annotations

from ...platform.errors import InvalidRecordError
from ...records.kinds import ANY_SHARED, ANY_UNTOLD, PENDING, PREFIXES, parse_ref

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

    from ...records.rows import SessionRow

LETTER = {kind: prefix or "o" for kind, prefix in PREFIXES.items()}
SHARED = """
SELECT author, is_withheld FROM team_memories WHERE kind = ? AND record_id = ?
"""
HOLDS_WITHHELD = " OR ".join(
    f"EXISTS (SELECT 1 FROM {table} r JOIN team_memories m ON m.kind = '{kind}' AND m.record_id = r.id "
    "WHERE r.session_id = ?1 AND m.is_withheld)"
    for kind, table in (("s", "summaries"), ("p", "prompts"))
)
HOLDS_WITHHELD += " OR EXISTS (SELECT 1 FROM summaries WHERE session_id = ?1 AND unreviewed = 1)"
ANY_WITHHELD = (
    "SELECT EXISTS (SELECT 1 FROM team_memories WHERE is_withheld) "
    "OR EXISTS (SELECT 1 FROM unreviewed_memories)"
)
IS_PENDING = f"SELECT {PENDING.format(kind='?1', number='?2')}"


class Teammates:
    """Asks which memories are a teammate's, or wait for their user's word, where any may."""

    def __init__(self, db: apsw.Connection) -> None:
        self.db = db
        self.is_team = bool(db.execute(ANY_SHARED).get)
        self.is_any_untold = bool(db.execute(ANY_UNTOLD).get)

    def told(self, refs: Iterable[str]) -> dict[str, str]:
        """Return those of the memories that agents may be told of, each with the teammate who shared it
        and who edited it; "" for one's own."""
        told: dict[str, str] = {}
        for ref in refs:
            kind, number = parse_ref(ref) or ("", 0) if self.is_any_untold else ("", 0)
            key = (LETTER.get(kind, ""), number)
            if kind and self.db.execute(IS_PENDING, key).get:
                continue
            row = self.db.execute(SHARED, key).fetchone() if kind else None
            if row is None or not row[1]:
                told[ref] = str(row[0]) if row else ""
        return told

    def told_sessions(self, rows: Iterable[SessionRow]) -> list[SessionRow]:
        """Return the sessions that agents may be told of; one that is called by what it holds only by its
        own title, where agents are told nothing of some of that."""
        if not self.withholds:
            return [*rows]
        from ...records.dataclasses import replace

        return [
            replace(row, title=row.session.title or "", summary_line=None)
            if self.db.execute(f"SELECT {HOLDS_WITHHELD}", (row.session.id,)).get
            else row
            for row in rows
            if self.told([f"@{row.session.id}"])
        ]

    @property
    def withholds(self) -> bool:
        """Whether there is anything that agents are told nothing of."""
        return self.is_any_untold and bool(self.db.execute(ANY_WITHHELD).get)

    def author(self, ref: str) -> str:
        """Return the teammate who shared a memory and who edited it, whatever agents are told; "" for one's
        own."""
        kind, number = parse_ref(ref) or ("", 0)
        sql = f"SELECT author FROM ({SHARED})"
        values = (LETTER.get(kind, ""), number)
        return str(self.db.execute(sql, values).get or "") if self.is_team and kind else ""

    def authors(self, refs: Iterable[str]) -> dict[str, str]:
        """Return who shared those of the memories that are a teammate's, whatever agents are told."""
        if not self.is_team:
            return {}
        return {ref: author for ref in refs if (author := self.author(ref))}

    def check_writable(self, refs: Iterable[str]) -> None:
        """Raise InvalidRecordError where one of the memories is a teammate's, and one may only read in the
        team: what is changed here would be nobody else's."""
        if not self.is_team or self.db.execute("SELECT role FROM team WHERE id = 1").get != "reader":
            return

        for ref in refs:
            if author := self.author(ref):
                raise InvalidRecordError(
                    "{ref} is {author}'s, and you may only read in the team; nothing was changed.",
                    ref=ref,
                    author=author.partition(",")[0],
                )


def by(author: str) -> str:
    """Return the mark of a teammate's memory."""
    return f"(by {author})"


def withheld(db: apsw.Connection, ref: str) -> str:
    """Return why agents are not told a memory, or a session."""
    kind, number = parse_ref(ref) or ("", 0)
    if not db.execute(ANY_SHARED).get or db.execute(IS_PENDING, (LETTER.get(kind, ""), number)).get:
        return f"{ref} waits for the user's word (`mem review`), and agents are not told it before."
    return (
        f"{ref} is a teammate's, of which agents are told nothing; the user sets that by `mem team agents`."
    )
