"""Rows as a team's server has them: a line without what means something on this machine only, cleaned once
more, and the words by which it is found there; and which rows are known here to be there, as what."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, get_args
from zlib import crc32

import apsw

from ...curation.reviewing import Verdict
from ...formats.common.scope import RECORDS
from ...formats.jsonl.layout import TABLES, VERBATIM
from ...platform.translation import _
from ...records.kinds import KIND_OF, LETTERS
from ...search.index.documents import made_of
from ...tables.base import write_list
from ...text.language.folding import WORD, fold, prepare, query_tokens
from ...text.language.words import stem
from ...text.redaction import is_plain, scrub
from ..sync.rows import VERSIONS_OF, Line, names_of
from .entries import REVIEWS, TeamEntry
from .sharing import RULES

Payload = dict[str, Any]

LOCAL = {
    "sessions": ("extra", "first_prompt", "project_path"),
    "prompts": ("extra",),
    "observations": ("extra", "text"),
    "summaries": ("extra",),
    "facts": ("extra", "source", "native_id", "fingerprint"),
    "notes": ("extra", "source", "native_id", "fingerprint"),
}
"""The columns that stay: prompts are shared as such, paths and marks of imports mean nothing elsewhere, and
what has no column may be anything. The text of an observation stays where it is a tool's output."""

IDS = frozenset(("event_id", "source", "native_id"))
"""The names that importers and agents give records."""

BESIDE = frozenset(("table", "gone", "shown"))
"""What only the exchange between machines of one's own says of a row."""
LETTER_OF = {table: LETTERS[kind] for table, kind in KIND_OF.items() if kind in LETTERS}


OWN_NAMES = {
    kind: tuple(dict.fromkeys(name for key in TABLES[kind].natural for name in key if name in IDS))
    for kind in LOCAL
}
"""By which an author's machines know a record that each imported: of nobody else's concern."""
SCOPED = {"notes": "path", "sessions": "content_session_id"}
"""What names a record in its table, by which two members' records would be one."""
NEVER_SAID = frozenset(("author", "id"))
LEFT_OUT = {
    (kind, is_theirs): NEVER_SAID.union(LOCAL[kind], OWN_NAMES[kind] if is_theirs else ()) - {"text"}
    for kind in LOCAL
    for is_theirs in (False, True)
}
"""The names that no line of a payload has, by its table, and whether it is a teammate's."""


def payload_of(kind: str, line: Line, member: str, author: str) -> Payload:
    """Return what goes of a line. What else than its uid names a record is below its author's name, but on
    that one's machines: likeness makes nobody's record another's."""
    columns = {key: value for key, value in line.items() if key not in ("table", "id", "shown", "author")}
    for name in LOCAL.get(kind, ()):
        if name != "text" or columns.get("tool_name"):
            columns.pop(name, None)
    if author == member and kind in SCOPED:
        columns[SCOPED[kind]] = f"{member}/{columns[SCOPED[kind]]}"
    return columns


def cleaned(payload: Payload) -> Payload:
    """Return a payload without what the newest patterns take for secrets; one look shows mostly that there
    are none."""
    if is_plain(*_texts(payload)):
        return payload
    return {key: value if key in VERBATIM else _clean(value) for key, value in payload.items()}


def _texts(payload: Payload) -> Iterator[str]:
    for name, value in payload.items():
        if isinstance(value, str) and name not in VERBATIM:
            yield value
        elif isinstance(value, list) and value:
            yield json.dumps(value, ensure_ascii=False)


def _clean(value: Any) -> Any:
    if isinstance(value, list):
        # Its items may make a secret together.
        return json.loads(write_list(value))
    return scrub(value) if isinstance(value, str) else value


def fault_of_entry(entry: TeamEntry) -> str | None:
    """Return why a row of the server isn't what its key says; None where it is."""
    payload = entry.payload
    is_shared = entry.kind in (*RECORDS, *RULES, REVIEWS)
    if not is_shared or not isinstance(payload, dict) or not BESIDE.isdisjoint(payload):
        return _("is not a memory as members share them")
    if entry.state != "here" and entry.kind not in RECORDS:
        return None
    names = names_of(entry.kind) if entry.kind in VERSIONS_OF else ("uid",)
    if not all(isinstance(payload.get(name, ""), str) for name in names):
        return _("names another memory than its key does")
    key = " ".join(payload.get(name, "") for name in names)
    if not key or key != (entry.uid.rpartition(" ")[0] if entry.kind == REVIEWS else entry.uid):
        return _("names another memory than its key does")
    if entry.kind == REVIEWS:
        is_review = payload.get("verdict") in get_args(Verdict) and isinstance(payload.get("reply"), str)
        return None if is_review else _("is not a review as members write them")
    return None


def line_of(entry: TeamEntry, member: str) -> Line:
    """Return the line of what came. What places and orders a record is what the server checked."""
    is_theirs = entry.author != member and entry.kind in RECORDS
    left_out = LEFT_OUT.get((entry.kind, is_theirs), NEVER_SAID)
    line: Line = {"table": entry.kind}
    line |= {name: value for name, value in entry.payload.items() if name not in left_out}
    if entry.state == "renamed":
        return line | {"table": "renamed_records", "kind": entry.kind}
    if entry.kind in RECORDS:
        line["editor"] = entry.editor if line.get("editor") else ""
        line["project"], line["hlc"] = entry.project, entry.hlc
    if entry.kind in SCOPED:
        name = SCOPED[entry.kind]
        text = str(line.get(name, "")).removeprefix(f"{entry.author}/")
        line[name] = text if entry.author == member else f"{entry.author}/{text}"
    if is_theirs:
        line["author"] = entry.author
    return line


def as_json(payload: dict[str, Any]) -> str:
    """Return JSON that any server stores: without NUL, and lone surrogates."""
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":")).replace("\\u0000", "")
    return text.encode("utf-8", "replace").decode()


def words_of(kind: str, payload: dict[str, Any]) -> str:
    """Return the words of a line as the server has them, in the order in which they first stand there."""
    if kind not in LETTER_OF:
        return "{}"
    values = {
        key: json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value
        for key, value in payload.items()
    }
    parts = made_of(0, LETTER_OF[kind], values).parts()
    words = (word for part in parts for word in WORD.findall(fold(prepare(part)).replace("_", " ")))
    return f"{{{','.join(map(str, dict.fromkeys(map(_number_of, words))))}}}"


def query_of(texts: Iterable[str]) -> list[int]:
    """Return the words of a query, all of which have to be there, as the server has them."""
    return [*dict.fromkeys(_number_of(word) for text in texts for word in query_tokens(text))]


@lru_cache(maxsize=1 << 16)
def _number_of(word: str) -> int:
    """Return by which number the server knows a word: two share one once in two thousand million."""
    return crc32(stem(word).encode("utf-8", "replace")) & 0x7FFFFFFF


class KnownRows:
    """The rows of the server, by their kind and what names them there."""

    def __init__(self, db: apsw.Connection) -> None:
        self.db = db

    def note(
        self,
        entries: Sequence[TeamEntry],
        *,
        is_given: bool = False,
        unseen: Mapping[tuple[str, str], str] = MappingProxyType({}),
    ) -> None:
        """Note what the server has, whether this store gave it, and the versions that what is here replaces
        without their being seen."""
        self.db.executemany(
            "INSERT INTO team_rows (kind, uid, author, project, visibility, state, version, shared_here, "
            "unseen) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
            "author = excluded.author, project = excluded.project, visibility = excluded.visibility, "
            "state = excluded.state, version = excluded.version, unseen = excluded.unseen, "
            "shared_here = max(shared_here, excluded.shared_here)",
            [
                (
                    item.kind, item.uid, item.author, item.project, item.visibility, item.state,
                    item.version, is_given, unseen.get((item.kind, item.uid), ""),
                )
                for item in entries
            ],
        )  # fmt: skip

    def versions(self, keys: Iterable[tuple[str, str]]) -> dict[tuple[str, str], tuple[str, str]]:
        """Return of rows the version that is known of the server's, and the versions unseen that what is
        here replaces, by what names them."""
        sql = (
            "SELECT k.kind, k.uid, k.version, k.unseen FROM json_each(?) j CROSS JOIN team_rows k "
            "ON k.kind = j.value ->> 0 AND k.uid = j.value ->> 1"
        )
        rows: Any = self.db.execute(sql, (json.dumps([*keys]),))
        return {(kind, uid): (version, unseen) for kind, uid, version, unseen in rows}

    def set_cursors(self, cursors: Sequence[int]) -> None:
        """Note up to which numbers the server's rows are here."""
        self.db.execute("UPDATE team SET cursors = ?", (json.dumps([*cursors]),))
