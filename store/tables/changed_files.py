"""Which files of memories have changed since, as git's log has it: what was read of that, and what follows
for observations.

`documents.changed_in` is derived of `file_commits`, and both of a repository;
`memtui.store.links.changed_files` reads it.
"""

from __future__ import annotations

import json
import os.path
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, NamedTuple

import apsw

from ..records.dataclasses import dataclass

OWN_MS = 8 * 3_600_000
"""For so long (ms) after an agent changed a file, the next commit of it is taken for the one that holds
that very change."""

SINCE = f"""
c.committed_at > max(d.created_at, coalesce(o.confirmed_at, 0)) AND NOT (
    (o.event_id IS NOT NULL OR o.source IS NOT NULL)
    AND c.previous_at <= d.created_at AND c.authored_at <= d.created_at + {OWN_MS}
    AND EXISTS (
        SELECT 1 FROM json_each(iif(json_valid(o.files_modified), o.files_modified, '[]')) m
        WHERE m.value = n.value
    )
)
"""
"""Whether a commit `c` of a file `n` changed it after an observation `o`, whose document is `d`."""

FILES = """
json_each(json_array(
    json(iif(json_valid(o.files_read), o.files_read, '[]')),
    json(iif(json_valid(o.files_modified), o.files_modified, '[]'))
)) lists
CROSS JOIN json_each(lists.value) l
CROSS JOIN label_names n ON n.kind = 'file' AND n.value = l.value
CROSS JOIN file_commits c ON c.label_id = n.id
"""
"""The files of an observation `o` with the commits that are known of them."""

# A path of NULL is that of sessions of which none is known.
PLACES = """
CREATE TEMP TABLE IF NOT EXISTS session_places (
    project TEXT NOT NULL, path TEXT, repository_id INTEGER NOT NULL
);
DELETE FROM temp.session_places;
"""
DOCUMENTS = """
temp.session_places p CROSS JOIN sessions s ON s.project = p.project AND s.project_path IS p.path
CROSS JOIN documents d ON d.session_id = s.id AND d.kind = 'o'
"""
LABELS = """
SELECT n.id, n.value FROM label_names n WHERE n.kind = 'file' AND EXISTS (
    SELECT 1 FROM label_uses u CROSS JOIN documents d ON d.id = u.document_id AND d.kind = 'o'
    CROSS JOIN sessions s ON s.id = d.session_id
    CROSS JOIN temp.session_places p ON p.project = s.project AND p.path IS s.project_path
    WHERE u.label_id = n.id AND p.repository_id = ?
)
"""
OLDEST = f"SELECT min(d.created_at) FROM {DOCUMENTS} WHERE p.repository_id = ? AND d.created_at > 0"
STALE = f"""
SELECT d.id FROM {DOCUMENTS} CROSS JOIN observations o ON o.id = d.record_id
WHERE p.repository_id = :repository AND d.id > :after AND EXISTS (
    SELECT 1 FROM {FILES} WHERE c.repository_id = :repository AND {SINCE}
)
"""
MARK = f"""
CREATE TEMP TABLE IF NOT EXISTS stale_documents (id INTEGER PRIMARY KEY);
DELETE FROM temp.stale_documents;
INSERT INTO temp.stale_documents {STALE} ON CONFLICT DO NOTHING;
"""
WORDS = "'reply', 'agent', 'task', 'askuserquestion'"
"""What observers call, in lower case, that tells in words and not in output."""
HUNKS = """
SELECT s.id, n.id, o.narrative FROM temp.stale_documents s CROSS JOIN documents d ON d.id = s.id
CROSS JOIN observations o ON o.id = d.record_id
CROSS JOIN label_names n ON n.kind = 'file' AND n.value = o.files_modified ->> 0
WHERE json_valid(o.files_modified) AND json_array_length(o.files_modified) = 1
    AND o.files_read IN ('[]', o.files_modified) AND instr(char(10) || o.narrative, char(10) || '+ ')
"""
"""The stale documents of edits of one file: their id, the file's label, and the lines that were changed."""
CITING = f"""
SELECT d.id, d.created_at, coalesce(o.confirmed_at, 0),
    concat_ws(char(10), o.title, o.narrative, o.text, o.facts) AS words, (
        SELECT json_group_object(f.value, e.created_at ORDER BY e.created_at) FROM observations e,
            json_each(iif(json_valid(e.files_modified), e.files_modified, '[]')) f
        WHERE e.session_id = o.session_id AND e.created_at <= d.created_at
    )
FROM {DOCUMENTS} CROSS JOIN observations o ON o.id = d.record_id
WHERE p.repository_id = :repository AND d.id > :after AND (
    o.tool_name IS NULL OR o.event_id IS NULL OR lower(o.tool_name) IN ({WORDS})
) AND words GLOB '*.[a-zA-Z]*' AND (words GLOB '*[:：(L第][0-9l]*' OR words GLOB '*第 [0-9]*'
  OR words GLOB '*[Ll]ine [0-9]*' OR words GLOB '*[Ll]ines [0-9]*')
"""
"""The observations in somebody's words that may cite lines."""
JUDGED = "(SELECT value ->> 0 FROM json_each(:cited))"
GONE_LINES = f"""
DELETE FROM gone_lines WHERE document_id IN {JUDGED};
DELETE FROM temp.stale_documents WHERE id IN {JUDGED};
INSERT INTO gone_lines SELECT value ->> 0, value ->> 1, max(value ->> 2) FROM json_each(:cited)
    WHERE value ->> 2 > 0 AND value ->> 0 IN (SELECT id FROM documents) GROUP BY 1, 2;
INSERT INTO temp.stale_documents SELECT DISTINCT document_id FROM gone_lines WHERE document_id IN {JUDGED};
"""
UNMARK = f"""
UPDATE documents SET changed_in = 0 WHERE changed_in > 0
    AND id NOT IN (SELECT id FROM temp.stale_documents)
    AND id IN (SELECT d.id FROM {DOCUMENTS} WHERE p.repository_id = :repository AND d.id > :after)
"""
UNCHANGED = f"""
UPDATE documents SET changed_in = 0 WHERE changed_in > 0 AND id NOT IN (
    SELECT d.id FROM documents d CROSS JOIN observations o ON o.id = d.record_id
    WHERE d.changed_in > 0 AND d.kind = 'o' AND EXISTS (
        SELECT 1 FROM {FILES} WHERE c.repository_id = d.changed_in AND {SINCE}
    ) UNION ALL SELECT document_id FROM gone_lines
)
"""
ELSEWHERE = """
UPDATE documents SET changed_in = 0 WHERE changed_in > 0 AND NOT EXISTS (
    SELECT 1 FROM sessions s CROSS JOIN temp.session_places p
    WHERE s.id = documents.session_id AND p.project = s.project AND p.path IS s.project_path
        AND p.repository_id = documents.changed_in
)
"""
CHANGED = f"""
SELECT n.value, max(c.committed_at), count(DISTINCT c.number), c.status = 'D', max(c.status = 'R')
FROM documents d CROSS JOIN observations o ON o.id = d.record_id CROSS JOIN {FILES}
WHERE d.kind = 'o' AND d.record_id = ?1 AND d.changed_in > 0
    AND c.repository_id = d.changed_in AND {SINCE}
GROUP BY n.value
UNION ALL SELECT g.citation, g.committed_at, 1, 0, 0
FROM documents d JOIN gone_lines g ON g.document_id = d.id
WHERE d.kind = 'o' AND d.record_id = ?1 AND d.changed_in > 0
ORDER BY 2 DESC, 1
"""


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file of a memory that has changed since the memory was made.

    `changed_at` is the time of the last change (ms since the epoch, UTC), `commits` the number of commits
    that changed it (at most 100 are counted), `is_gone` whether the last one deleted it, `is_renamed`
    whether one renamed it.
    """

    path: str
    changed_at: int
    commits: int
    is_gone: bool
    is_renamed: bool

    @property
    def change(self) -> str:
        """What happened to the file, in a word."""
        return "deleted" if self.is_gone else "renamed" if self.is_renamed else "changed"


class Place(NamedTuple):
    """Where sessions were at work: their project, and the directory that they name."""

    project: str
    path: str | None


class Citing(NamedTuple):
    """A document in somebody's words that may cite lines. `edited` are the files that its session had
    changed by then, with the time of the last change. Times in ms since the epoch, UTC; `confirmed_at` is 0
    where nobody said that it is still true."""

    id: int
    created_at: int
    confirmed_at: int
    text: str
    edited: dict[str, int]


class ReadState(NamedTuple):
    """What was read of a repository when it was read last."""

    id: int
    head: str
    sessions: str
    labels: int
    documents: int
    since: int


def changed_files(db: apsw.Connection, observation_id: int) -> list[ChangedFile]:
    """Return the files of an observation that have changed since, the last changed first."""
    rows: Any = db.execute(CHANGED, (observation_id,))
    return [
        ChangedFile(path, at, commits, bool(is_gone), bool(is_renamed))
        for path, at, commits, is_gone, is_renamed in rows
    ]


def session_places(db: apsw.Connection) -> list[Place]:
    """Return where sessions were at work, each place once."""
    # What other programs left there as bytes or numbers names no directory.
    sql = (
        "SELECT DISTINCT project, project_path FROM sessions "
        "WHERE typeof(project) = 'text' AND typeof(project_path) IN ('text', 'null')"
    )
    return [Place(*row) for row in db.execute(sql)]


def known_roots(db: apsw.Connection) -> list[Place]:
    """Return the roots that are known of projects."""
    sql = "SELECT project, place FROM project_places WHERE kind = 'root' AND typeof(place) = 'text'"
    return [Place(*row) for row in db.execute(sql)]


def read_states(db: apsw.Connection) -> dict[str, ReadState]:
    """Return what was read of each repository, by its place."""
    sql = "SELECT place, id, head, sessions, labels, documents, since FROM repositories"
    return {place: ReadState(*row) for place, *row in db.execute(sql)}


def has_repositories(db: apsw.Connection) -> bool:
    """Return whether git may have anything to say: a repository was read, or sessions were at work in a
    directory of this machine."""
    if db.execute("SELECT EXISTS (SELECT 1 FROM repositories)").get:
        return True
    places = chain(session_places(db), known_roots(db))
    return any(place.path and os.path.lexists(place.path) for place in places)


def add_repository(db: apsw.Connection, place: str) -> None:
    """Note a repository of which nothing was read yet; inside a transaction."""
    db.execute("INSERT INTO repositories (place) VALUES (?) ON CONFLICT DO NOTHING", (place,))


def set_places(db: apsw.Connection, places: Mapping[Place, int]) -> None:
    """Say for this connection which repository, by id, the sessions of each place belong to."""
    db.execute(PLACES)
    db.executemany(
        "INSERT INTO temp.session_places VALUES (?, ?, ?)",
        [(*place, number) for place, number in places.items()],
    )


def newest(db: apsw.Connection) -> tuple[int, int]:
    """Return the newest ids of labels that are files, and of documents."""
    label: Any = db.execute("SELECT ifnull(max(id), 0) FROM label_names WHERE kind = 'file'").get
    document: Any = db.execute("SELECT ifnull(max(id), 0) FROM documents").get
    return label, document


def oldest(db: apsw.Connection, repository: int) -> int | None:
    """Return the time of the oldest observation of a repository; None where there is none."""
    result: int | None = db.execute(OLDEST, (repository,)).get
    return result


def file_labels(db: apsw.Connection, repository: int) -> list[tuple[int, str]]:
    """Return the ids and names of the files that a repository's observations name."""
    return list(db.execute(LABELS, (repository,)))


def replace_commits(
    db: apsw.Connection,
    repository: int,
    names: Mapping[int, str],
    commits: Mapping[int, Iterable[tuple[int, int, int, str]]],
) -> None:
    """Keep the commits of each label, the oldest first, in place of what was read before; inside a
    transaction. A label that no longer has the name by which it was looked for is left out."""
    db.execute("DELETE FROM file_commits WHERE repository_id = ?", (repository,))
    db.executemany(
        "INSERT INTO file_commits SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 "
        "WHERE EXISTS (SELECT 1 FROM label_names WHERE id = ?1 AND value = ?8)",
        (
            (label, repository, number, *commit, names[label])
            for label, some in commits.items()
            for number, commit in enumerate(some)
        ),
    )


def find_stale(db: apsw.Connection, repository: int, after: int) -> None:
    """Find the stale documents with an id above `after`, for `mark_stale`: it only reads."""
    db.execute(MARK, {"repository": repository, "after": after})


def stale_hunks(db: apsw.Connection) -> list[tuple[int, int, str]]:
    """Return what was found of edits of one file: the document, the file's label, and the diff."""
    return list(db.execute(HUNKS))


def citing(db: apsw.Connection, repository: int, after: int) -> list[Citing]:
    """Return the documents with an id above `after` that may cite lines."""
    rows: Any = db.execute(CITING, {"repository": repository, "after": after})
    return [Citing(row[0], row[1], row[2], row[3], json.loads(row[4])) for row in rows]


def set_gone_lines(db: apsw.Connection, cited: Iterable[tuple[int, str, int]]) -> None:
    """Keep which cited lines are gone, and find just their documents stale, for `mark_stale`; inside a
    transaction. Of each citation: the document, its text, and when a commit took the lines (ms), 0 for
    never."""
    db.execute(GONE_LINES, {"cited": json.dumps([*cited])})


def leave_unmarked(db: apsw.Connection, documents: Iterable[int]) -> None:
    """Take documents out of what was found, for `mark_stale`."""
    sql = "DELETE FROM temp.stale_documents WHERE id IN (SELECT value FROM json_each(?))"
    db.execute(sql, (json.dumps([*documents]),))


def mark_stale(db: apsw.Connection, repository: int, after: int) -> int:
    """Mark what was found, and nothing else with an id above `after`; inside a transaction. Return how
    many marks were set or taken away."""
    values = {"repository": repository, "after": after}
    db.execute(UNMARK, values)
    taken = db.changes()
    db.execute(
        "UPDATE documents SET changed_in = ? WHERE changed_in <> ? "
        "AND id IN (SELECT id FROM temp.stale_documents)",
        (repository, repository),
    )
    return int(taken + db.changes())


def write_state(db: apsw.Connection, state: ReadState) -> None:
    """Note what was read of a repository; inside a transaction."""
    db.execute(
        "UPDATE repositories SET head = ?2, sessions = ?3, labels = ?4, documents = ?5, since = ?6 "
        "WHERE id = ?1",
        state,
    )


def unmark_others(db: apsw.Connection) -> int:
    """Take the marks from what belongs to no repository, or to another than it did; inside a transaction.
    Return how many were taken."""
    db.execute(ELSEWHERE)
    return int(db.changes())


def forget_others(db: apsw.Connection, repositories: Iterable[int]) -> int:
    """Forget the repositories that aren't among these, and what they marked; inside a transaction. Return
    how many marks were taken away."""
    known = json.dumps(list(repositories))
    others = "NOT IN (SELECT value FROM json_each(?))"
    db.execute(
        f"UPDATE documents SET changed_in = 0 WHERE changed_in > 0 AND changed_in {others}",
        (known,),
    )
    taken = int(db.changes())
    db.execute(f"DELETE FROM file_commits WHERE repository_id {others}", (known,))
    db.execute(f"DELETE FROM repositories WHERE id {others}", (known,))
    return taken


def forget_later_commits(db: apsw.Connection, at: int) -> None:
    """Forget the commits after a moment (ms), and take the marks that only they made; inside a
    transaction."""
    for commits in ("file_commits", "gone_lines"):
        db.execute(f"DELETE FROM {commits} WHERE committed_at > ?", (at,))
    db.execute(UNCHANGED)
