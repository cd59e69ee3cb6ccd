"""Projects: which one a directory belongs to, by its repository and not by its folder's name.

A repository's remote is its identity, else its root; worktrees and clones share it, and moving or renaming
the folder changes nothing. `project_places` remembers what was found where.
"""

from __future__ import annotations

from itertools import chain, count

import apsw

from ..database.transaction import Transaction
from ..platform.clock import TOUCH, now_ms
from ..platform.errors import InvalidRecordError, NotFoundError
from ..platform.paths import current_folder
from .facts import Facts
from .repositories import Location, locate, normalize_remote, takes_any_case

TABLES = ("sessions", "observations", "summaries", "facts", "notes")

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
        place = locate(folder)
        if not place.name:
            return "", None
        if place.remote is None and remote:
            place = Location(place.folder, place.root, normalize_remote(remote))
        from ..text.redaction import scrub

        with self.transaction:
            known = self.known(place) or self._named(place)
            places = (("remote", place.remote), ("root", place.root), ("root", place.folder))
            for kind, at in places:
                if at:
                    self.db.execute(
                        "INSERT INTO project_places VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                        (kind, scrub(at), known),
                    )
        return known, place.root

    def known(self, place: Location) -> str | None:
        """Return the project that a place was found to be of; None for a new one."""
        return _known_project(self.db, place)

    def elsewhere(self, folder: str | None, root: str | None) -> tuple[str, str] | None:
        """The project of a directory and its root, where that is another repository than the one at
        `root`, in which a session began; None where it isn't. What lies within a repository is its own."""
        if not folder:
            return None
        place = locate(folder)
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
            self.db.execute("DELETE FROM project_aliases WHERE name = ?", (into,))
            self.db.execute(
                "INSERT INTO project_aliases VALUES (?, ?) "
                "ON CONFLICT (name) DO UPDATE SET project = excluded.project",
                (old, into),
            )
        return moved

    def places(self) -> list[tuple[str, str, str]]:
        """Return every known place as (project, kind, place), by project."""
        return list(self.db.execute("SELECT project, kind, place FROM project_places ORDER BY 1, 2, 3"))

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
    """Return the project of the current directory, by what is known of places, else by its name; "" for
    none. Nothing is remembered."""
    folder = current_folder()
    if folder is None:
        return ""
    place = locate(folder)
    return _known_project(db, place) or _current_name(db, place.name)


def _known_project(db: apsw.Connection, place: Location) -> str | None:
    """Return the project that a place was found to be of; None for a new one."""
    from ..text.redaction import scrub

    remote = scrub(place.remote or "")
    result = db.execute(
        "SELECT project FROM project_places WHERE (kind, place) IN "
        "(VALUES ('remote', ?), ('root', ?), ('root', ?)) ORDER BY kind LIMIT 1",
        (remote, scrub(place.root), scrub(place.folder)),
    ).get
    if remote and takes_any_case(remote):
        sql = (
            "SELECT project FROM project_places WHERE kind = 'remote' "
            "AND place = ? COLLATE NOCASE ORDER BY place LIMIT 1"
        )
        result = db.execute(sql, (remote,)).get or result
    return None if result is None else str(result)


def _current_name(db: apsw.Connection, name: str) -> str:
    """Return the name of a project itself, or of that it was merged into."""
    result = db.execute("SELECT project FROM project_aliases WHERE name = ?", (name,)).get
    return name if result is None else str(result)
