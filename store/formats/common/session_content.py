"""What goes out of a session that is shared, and what is left out, counted and in a sentence."""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from ...platform.translation import N_, _
from ...records.dataclasses import dataclass, replace
from ...records.fields import FIELDS
from ...records.kinds import TABLES
from ...text.late_pattern import late_pattern
from ...text.plural import count_nouns
from ...text.secrets.origins import MARKED
from .scope import Scope, choose

_REDACTED = late_pattern(MARKED)


@dataclass(frozen=True, slots=True)
class SessionContent:
    """How much of what of a session goes out: prompts, changes (observations that modified files), other
    observations, summaries and facts; how many secrets are redacted in it; and how much is left out."""

    holds: dict[str, int]
    redacted: int
    left_out: dict[str, int]

    @property
    def sentence(self) -> str:
        """What is in it, and what was left out."""
        held = count_nouns(self.holds | {N_("secrets redacted"): self.redacted}) or _("nothing")
        return _(
            "In it: {held}. Left out, since private, deleted or pending: {what}.",
            held=held,
            what=count_nouns(self.left_out) or _("nothing"),
        )


def session_content(db: apsw.Connection, ref: str, scope: Scope) -> SessionContent:
    """Return what a scope lets out of the session that a ref names."""
    whole = choose(db, [ref], scope)
    # Two levels of a summary are one, and neither is left out.
    scope = replace(whole, levels=False)
    counts = {
        table: int(db.execute(f"SELECT count(*) FROM {table} t WHERE {scope.condition(table)}").get)
        for table in TABLES.values()
    }
    modified = f"files_modified <> '[]' AND {scope.condition('observations')}"
    changes = int(db.execute(f"SELECT count(*) FROM observations t WHERE {modified}").get)
    holds = {
        "prompts": counts["prompts"],
        N_("changes"): changes,
        N_("observations besides"): counts["observations"] - changes,
        "summaries": counts["summaries"],
        "facts": counts["facts"],
    }
    redacted = sum(len(_REDACTED.findall(text)) for text in _texts(db, scope))
    holds = {name: many for name, many in holds.items() if many}
    return SessionContent(holds, redacted, whole.left_out(db))


def _texts(db: apsw.Connection, scope: Scope) -> Iterator[str]:
    """Yield the texts of all that goes out."""
    for kind, table in TABLES.items():
        columns = [field.name for field in FIELDS[kind] if field.part]
        if not columns:
            continue
        sql = f"SELECT {', '.join(columns)} FROM {table} t WHERE {scope.condition(table)}"
        for row in db.execute(sql):
            yield "\n".join(text for text in row if isinstance(text, str))
