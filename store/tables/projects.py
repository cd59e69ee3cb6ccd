"""Projects: which one a directory belongs to, by its repository and not by its folder's name.

A repository's remote is its identity, else its root, else its first commit; worktrees and clones share it,
and moving or renaming the folder changes nothing. `project_places` remembers what was found where, and
`project_aliases` what projects, and folders that were moved, are called now.
"""

from __future__ import annotations

import os
from itertools import chain, count
from typing import Any

import apsw

from ..database.transaction import Transaction
from ..platform.clock import TOUCH, now_ms
from ..platform.errors import InvalidRecordError, NotFoundError
from ..platform.paths import current_folder
from ..records.dataclasses import replace
from ..records.rows import Session
from .facts import Facts
from .repositories import Location, locate, normalize_remote, takes_any_case

TABLES = ("sessions", "observations", "summaries", "facts", "notes")

IS_COMMIT = "kind = 'remote' AND place LIKE 'commit:%'"
MOVED_TO = """
SELECT project || substr(:folder, length(name) + 1) FROM project_aliases
WHERE name = substr(:folder, 1, length(name)) AND substr(:folder, length(name) + 1, 1) IN ('', '/', '\\')
ORDER BY length(name) DESC LIMIT 1
"""
UNDER_OLD = "{0} = :old OR substr({0}, 1, length(:old) + 1) IN (:old || '/', :old || '\\')"
MOVED = ":new || substr({0}, length(:old) + 1)"
MOVE_SESSIONS = f"""
UPDATE sessions SET project_path = {MOVED.format("project_path")}, {TOUCH}
WHERE {UNDER_OLD.format("project_path")}
"""
MOVE_PLACES = f"""
UPDATE OR IGNORE project_places SET place = {MOVED.format("place")}
WHERE kind = 'root' AND ({UNDER_OLD.format("place")})
"""
DROP_PLACES = f"DELETE FROM project_places WHERE kind = 'root' AND ({UNDER_OLD.format('place')})"
MOVE_ALIASES = f"""
UPDATE project_aliases SET project = {MOVED.format("project")} WHERE {UNDER_OLD.format("project")}
"""

OF_COMMIT = """
SELECT project FROM project_places own WHERE kind = 'remote' AND place = ? AND (? OR NOT EXISTS (
    SELECT 1 FROM project_places p WHERE p.project = own.project AND p.kind = 'remote'
    AND p.place NOT LIKE 'commit:%'
))
"""
"""The project with a first commit; for a repository with a remote, which may be a fork, one without."""

OF_OTHER_COMMITS = f"""
SELECT count(*) > 0 AND NOT sum(place = ?2) FROM project_places WHERE project = ?1 AND {IS_COMMIT}
"""
"""Whether a project is known by first commits, and this is none of them."""

HAS_SESSIONS = "SELECT EXISTS (SELECT 1 FROM sessions WHERE project = ? AND deleted_at IS NULL)"
FOLDERS = """
SELECT project_path FROM sessions WHERE project_path LIKE '/%' AND deleted_at IS NULL
GROUP BY project_path ORDER BY max(started_at) DESC LIMIT 100
"""
CHANGED = """
SELECT DISTINCT f.value
FROM sessions s JOIN observations o ON o.session_id = s.id, json_each(o.files_modified) f
WHERE s.project_path = ? AND s.deleted_at IS NULL AND o.deleted_at IS NULL LIMIT 20
"""

FLAGGED = f"""
UPDATE facts SET private = max(private, :private), pinned = max(pinned, :pinned), {TOUCH}
WHERE id = :id AND (private < :private OR pinned < :pinned)
"""


class Projects:
    """Which project each place belongs to, and merging two into one."""

    def __init__(self, db: apsw.Connection, transaction: Transaction, facts: Facts) -> None:
        self.db = db
        self.transaction = transaction
        self.facts = facts

    def of(self, folder: str | None, remote: str = "") -> tuple[str, str | None]:
        """The project of a directory and its root; ("", None) for none. A new place is remembered.

        `remote` is the address that an agent wrote down: it counts where the directory tells none.
        """
        if not folder:
            return "", None
        place = locate(self.moved(folder))
        if not place.name:
            return "", None
        if place.remote is None and remote:
            place = Location(place.folder, place.root, normalize_remote(remote))
        from ..text.redaction import scrub

        with self.transaction:
            known = _known_project(self.db, place) or self._named(place)
            roots = (place.root, place.folder, place.source)
            places = [("root", scrub(root)) for root in roots] + [("remote", scrub(place.remote or ""))]
            for kind, at in (*places, ("remote", _of_commit(place))):
                if at:
                    self.db.execute(
                        "INSERT INTO project_places VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                        (kind, at, known),
                    )
        return known, place.root

    def named_at(self, folder: str | None) -> str:
        """Return the project of a directory, "" for none. Nothing is remembered."""
        return project_of(self.db, folder)

    def elsewhere(self, folder: str | None, root: str | None) -> tuple[str, str] | None:
        """The project of a directory and its root, where that is another repository than the one at
        `root`, in which a session began; None where it isn't. What lies within a repository is its own."""
        if not folder:
            return None
        place = locate(self.moved(folder))
        if not place.is_repository or not place.name or place.root == root:
            return None
        home = locate(root) if root else None
        if home and home.is_repository and place.folder.startswith(f"{home.folder.rstrip('/')}/"):
            return None
        project, result = self.of(folder)
        return (project, result) if project and result else None

    def assign(self, source: str, project: str) -> int:
        """Make all of no project that was imported from a source one project's; how many records."""
        moved = 0
        with self.transaction:
            for fact in self.facts.where("project = '' AND source = ?", (source,)):
                self.facts.move(fact, project)
                moved += 1
            for table in ("sessions", "observations", "summaries", "notes"):
                self.db.execute(
                    f"UPDATE {table} SET project = :into, {TOUCH} WHERE project = '' AND source = :source",
                    self._touch() | {"into": project, "source": source},
                )
                moved += int(self.db.changes())
        return moved

    def merge(self, old: str, into: str) -> int:
        """Make all of one project another's, from now on too; how many records were moved.

        NotFoundError when nothing belongs to the old one.
        """
        old, into = old.strip(), into.strip()
        if not into or old == into:
            raise InvalidRecordError("A project is merged into another one: give two names.")
        with self.transaction:
            self.transaction.check_person()
            moved = 0
            self._merge_facts(old, into)
            for table in TABLES:
                moved += self._move(table, old, into)
            self.db.execute("UPDATE project_places SET project = ? WHERE project = ?", (into, old))
            known = bool(self.db.changes())
            self.db.execute("UPDATE project_aliases SET project = ? WHERE project = ?", (into, old))
            self.db.execute("UPDATE given_contexts SET project = ? WHERE project = ?", (into, old))
            # Of two profiles the one of the project that stays counts.
            self.db.execute(
                "UPDATE OR IGNORE context_profiles SET project = ? WHERE project = ?", (into, old)
            )
            self.db.execute("DELETE FROM context_profiles WHERE project = ?", (old,))
            if not moved and not known:
                raise NotFoundError("There is no project {old}. `mem project list` shows them.", old=old)
            self._call(old, into)
        return moved

    def _call(self, old: str, new: str) -> None:
        """Note what a project or a folder is called now."""
        self.db.execute("DELETE FROM project_aliases WHERE name = ?", (new,))
        self.db.execute(
            "INSERT INTO project_aliases VALUES (?, ?) "
            "ON CONFLICT (name) DO UPDATE SET project = excluded.project",
            (old, new),
        )

    def places(self) -> list[tuple[str, str, str]]:
        """Return every known place as (project, kind, place), by project, but first commits."""
        sql = f"SELECT project, kind, place FROM project_places WHERE NOT ({IS_COMMIT}) ORDER BY 1, 2, 3"
        return list(self.db.execute(sql))

    def moved(self, folder: str) -> str:
        """Return where a folder is now that isn't there any more, else the folder itself."""
        result: str | None = self.db.execute(MOVED_TO, {"folder": folder}).get
        return folder if result is None or os.path.isdir(folder) else result  # noqa: PTH112

    def followed(self, session: Session) -> Session:
        """Return a session with the only folder of its project that is there, where its own is known and
        isn't there."""
        if not session.project_path or os.path.isdir(session.project_path):  # noqa: PTH112
            return session
        sql = "SELECT place FROM project_places WHERE kind = 'root' AND project = ?"
        roots = [str(root) for (root,) in self.db.execute(sql, (session.project,))]
        there = [root for root in roots if os.path.isdir(root)]  # noqa: PTH112
        if session.project_path not in roots or len(there) != 1:
            return session
        return replace(session, project_path=there[0])

    def move_folder(self, old: str, new: str) -> int:
        """Make all that happened in a folder, and below it, what happened in another, from now on too; how
        many sessions. Where that one is of another project already, it takes in that of the old folder.

        NotFoundError where nothing is known of the old one.
        """
        from ..text.redaction import scrub

        if old == new:
            raise InvalidRecordError("A folder is moved to another one: give two.")
        place = locate(new)
        here = _known_project(self.db, place)
        old, new = scrub(old), scrub(new)
        values = self._touch() | {"old": old, "new": new}
        with self.transaction:
            project = self._project_at(old)
            self.db.execute(MOVE_SESSIONS, values)
            moved = int(self.db.changes())
            if not moved and project is None:
                raise NotFoundError(
                    "No session ran in {old}, or below it. `mem project list` shows where projects lie.",
                    old=old,
                )
            for statement in (MOVE_PLACES, DROP_PLACES, MOVE_ALIASES):
                self.db.execute(statement, values)
            if project and here and here != project:
                self.merge(project, here)
            for kind, at in (("root", new), ("remote", _of_commit(place))):
                sql = "INSERT INTO project_places SELECT ?, ?, ? WHERE ?2 <> '' ON CONFLICT DO NOTHING"
                self.db.execute(sql, (kind, at, here or project or ""))
            self._call(old, new)
        return moved

    def _named(self, place: Location) -> str:
        """Return a name for a new place: its own, else with its owner, else with a number."""
        from ..text.redaction import scrub

        own = scrub(place.name)
        if place.is_named_only:
            return self.current_name(own)
        numbered = (f"{own}-{number}" for number in count(2))
        for name in chain((own, scrub(place.name_with_owner)), numbered):
            current = self.current_name(name)
            if current != name or not self._has_place(name):
                return current
        raise AssertionError("numbers have an end")

    def _project_at(self, folder: str) -> str | None:
        """Return the project of a folder, by what is known of places, else of its newest session."""
        sql = (
            "SELECT project FROM project_places WHERE kind = 'root' AND place = :folder UNION ALL "
            "SELECT * FROM (SELECT project FROM sessions WHERE project_path = :folder "
            "AND deleted_at IS NULL ORDER BY started_at DESC LIMIT 1) LIMIT 1"
        )
        result: str | None = self.db.execute(sql, {"folder": folder}).get
        return result

    def _has_place(self, name: str) -> bool:
        sql = "SELECT 1 FROM project_places WHERE project = ? LIMIT 1"
        return self.db.execute(sql, (name,)).get is not None

    def current_name(self, name: str) -> str:
        """Return the name itself, or the project it was merged into."""
        return _current_name(self.db, name)

    def _merge_facts(self, old: str, into: str) -> None:
        """Give the facts that both projects hold all sources of the other project's. What was hidden or
        pinned in either is so then."""
        for fact in self.facts.where("project = ? AND deleted_at IS NULL", (old,)):
            staying = self.facts.find(fact.content, fact.kind, into)
            if staying is None:
                continue
            flags = {"private": fact.private, "pinned": fact.pinned, "id": staying.id}
            self.db.execute(FLAGGED, self._touch() | flags)
            self.facts.take_over(fact, staying)

    def _move(self, table: str, old: str, into: str) -> int:
        # A fact or note that both projects hold stays where it is once: the newer one goes.
        keys = {"facts": "kind, coalesce(statement, content)", "notes": "path"}.get(table)
        values = self._touch() | {"old": old, "into": into}
        doubled = 0
        if keys:
            condition = " AND deleted_at IS NULL" if table == "facts" else ""
            self.db.execute(
                f"UPDATE {table} SET deleted_at = :now, {TOUCH} "
                "WHERE project = :old AND deleted_at IS NULL "
                f"AND ({keys}) IN (SELECT {keys} FROM {table} WHERE project = :into{condition})",
                values,
            )
            doubled = int(self.db.changes())
        self.db.execute(
            f"UPDATE {table} SET project = :into, {TOUCH} WHERE project = :old"
            + (f" AND ({keys}) NOT IN (SELECT {keys} FROM {table} WHERE project = :into)" if keys else ""),
            values,
        )
        return doubled + int(self.db.changes())

    def _touch(self) -> dict[str, object]:
        """Return the values that `TOUCH` binds."""
        return {"now": now_ms(), "machine": self.facts.machine}


def repository_here(db: apsw.Connection) -> str:
    """Return the project of the repository that the current directory, or a worktree that it is in, belongs
    to; "" outside of repositories."""
    folder = current_folder()
    return project_here(db) if folder is not None and locate(folder).is_repository else ""


def project_here(db: apsw.Connection) -> str:
    """Return the project of the current directory, "" for none. Nothing is remembered."""
    return project_of(db, current_folder())


def project_of(db: apsw.Connection, folder: str | None) -> str:
    """Return the project of a directory, by what is known of places, else by its name; "" for none. Nothing
    is remembered."""
    if not folder:
        return ""
    place = locate(folder)
    return _known_project(db, place) or _current_name(db, place.name)


def moved_here(db: apsw.Connection) -> tuple[str, str] | None:
    """Return the folder that isn't there any more and the one that it seems to be now, the current one or
    one above it, by what was at work on there, or else by its name; None where the project here has
    sessions."""
    folder = current_folder()
    lost = [str(path) for (path,) in db.execute(FOLDERS) if not os.path.isdir(path)]  # noqa: PTH112
    # What the project here is asks for more modules than all of the rest.
    if folder is None or not lost or db.execute(HAS_SESSIONS, (project_here(db),)).get:
        return None
    names = folder.split("/")
    above = ["/".join(names[:length]) for length in range(len(names), 1, -1)]
    for old in lost:
        for new in above:
            if _is_like(db, old, new):
                return old, new
    return None


def _is_like(db: apsw.Connection, old: str, new: str) -> bool:
    """Return whether a folder holds what sessions changed in another, or has its name where they tell of
    nothing."""
    within = _changed_in(db, old)
    if not within:
        return old.rpartition("/")[2] == new.rpartition("/")[2]
    return _holds(new, within)


def _changed_in(db: apsw.Connection, folder: str) -> list[str]:
    """Return paths, within a folder, of what sessions changed there."""
    paths = [str(path).removeprefix(f"{folder}/") for (path,) in db.execute(CHANGED, (folder,))]
    return [path for path in paths if not path.startswith("/")]


def _holds(new: str, within: list[str]) -> bool:
    """Return whether most of these paths are in a folder."""
    return 2 * sum(os.path.exists(f"{new}/{path}") for path in within) > len(within)  # noqa: PTH110


def _known_project(db: apsw.Connection, place: Location) -> str | None:
    """Return the project that a place was found to be of; None for a new one."""
    from ..text.redaction import scrub

    remote = scrub(place.remote or "")
    roots = (scrub(place.root), scrub(place.folder), scrub(place.source))
    found: list[Any] = db.execute(
        "SELECT project, kind FROM project_places WHERE (kind, place) IN "
        "(VALUES ('remote', ?), ('root', ?), ('root', ?), ('root', ?)) ORDER BY kind LIMIT 1",
        (remote, *roots),
    ).fetchall()
    result: object = None
    for project, kind in found:
        result = None if kind == "root" and _is_another(db, place, project) else project
    if result is None and place.commit:
        result = db.execute(OF_COMMIT, (_of_commit(place), not remote)).get
    if remote and takes_any_case(remote):
        sql = (
            "SELECT project FROM project_places WHERE kind = 'remote' "
            "AND place = ? COLLATE NOCASE ORDER BY place LIMIT 1"
        )
        result = db.execute(sql, (remote,)).get or result
    return None if result is None else str(result)


def _is_another(db: apsw.Connection, place: Location, project: str) -> bool:
    """Return whether another repository stands where that of a project was: its first commit is another,
    and what sessions changed there isn't in it, as it would be where the history was begun anew."""
    if not place.commit or not db.execute(OF_OTHER_COMMITS, (project, _of_commit(place))).get:
        return False
    return not _holds(place.root, _changed_in(db, place.root))


def _of_commit(place: Location) -> str:
    """Return how a repository's first commit stands among remotes, which it is where there is none."""
    return f"commit:{place.commit}" if place.commit else ""


def _current_name(db: apsw.Connection, name: str) -> str:
    """Return the name of a project itself, or of that it was merged into."""
    result = db.execute("SELECT project FROM project_aliases WHERE name = ?", (name,)).get
    return name if result is None else str(result)
