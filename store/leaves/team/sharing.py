"""Which rows a store shares: nothing until a project's rule or a choice for a memory says so, and never
what is private; and of memories in lists, whose they are and who may read them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, cast

from ...curation.many import Changed
from ...database.transaction import tried_out
from ...formats.common.scope import IN_SESSIONS
from ...platform.clock import TOUCH, now_ms
from ...platform.errors import InvalidRecordError, NotFoundError
from ...platform.translation import _
from ...records.dataclasses import dataclass
from ...records.kinds import KIND_OF, NOISE, OBSERVATION_TYPES, TABLES, kind_of, parse_ref, ref, ref_of
from ...records.sharing import TeamMark
from ...search.listing.teammates import Teammates
from ...store import Store
from ...tables.lists import read_list
from ...text.plural import count_noun
from ..sync.rows import OWNED, PROJECT, name_and_version
from .membership import Team, own_team, team_of

Visibility = Literal["project", "team"]
Choice = Visibility | Literal["private"] | None
"""Who may read a memory; None: who may by its project's rule."""

DONE: dict[Choice, str] = {
    "project": _("shared with the project's members"),
    "team": _("shared with the whole team"),
    "private": _("kept to yourself"),
    None: _("shared as the project's rule says"),
}
"""How the journal says what was chosen for memories."""

SHARED = ("facts", "notes", "observations", "prompts", "summaries")
"""The kinds that rules speak of. Sessions go along with what they hold."""

DISPUTES = """
SELECT uid, member || ': ' || reply FROM team_reviews
WHERE uid IN (SELECT value FROM json_each(?)) AND verdict = 'disputed' ORDER BY at
"""

MOST_TYPES = 200
"""So many of the types in use are known."""

THERE = "{0}.author, {0}.state, {0}.version, {0}.visibility, {0}.project"
"""What is known of a row of the server."""

RULES = ("fact_sources", "merged_records", "project_aliases")
"""What travels beside records."""


@dataclass(frozen=True, slots=True)
class ProjectRule:
    """What of a project is shared: what was made since then (ms), of these kinds and types; none: all but
    prompts, notes and noise. `visibility`: by who is in that project, or by the whole team."""

    project: str
    visibility: Visibility
    since: int
    types: tuple[str, ...]


class Shared(NamedTuple):
    """A row that the team's server has, or is to have. `version` names what is stored here, `key` it on the
    server: of tellings another than here. `state` and the last three are those of what is known to be
    there, None where nothing is."""

    uid: str
    key: str
    visibility: str
    project: str
    made_at: int
    version: str
    session: str | None
    author: str | None
    state: str | None
    version_there: str | None
    visibility_there: str | None
    project_there: str | None

    @property
    def goes(self) -> bool:
        """Whether the server has it not, or not as it is; but no teammate's that it isn't known to have,
        which another team may have shared."""
        there = self.state, self.version_there, self.visibility_there, self.project_there
        return self.visibility != "private" and there != (
            "here", self.version, self.visibility, self.project,
        )  # fmt: skip


class Gone(NamedTuple):
    """A row of the server that is no longer to be read there, and why."""

    uid: str
    author: str
    project: str
    visibility: str
    state: str


class Sharing:
    """The rules of a store, and what comes of them for its team."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.db = store.db

    def rules(self) -> list[ProjectRule]:
        """Return the rules, by project."""
        rows: Any = self.db.execute(
            "SELECT project, visibility, since, types FROM team_projects ORDER BY 1"
        )
        return [
            ProjectRule(project, seen_by, since, read_list(types))
            for project, seen_by, since, types in rows
        ]

    def share(self, rule: ProjectRule) -> None:
        """Share a project by a rule, in place of the one there is. Raises InvalidRecordError."""
        if not rule.project:
            raise InvalidRecordError("Name the project that is to be shared.")
        with self.store.transaction():
            self.db.execute(
                "INSERT OR REPLACE INTO team_projects VALUES (?, ?, ?, ?)",
                (rule.project, rule.visibility, rule.since, json.dumps(rule.types)),
            )

    def unshare(self, project: str) -> None:
        """Share a project no more, whichever machine shared it. What teammates have of it goes when they
        meet the server."""
        with self.store.transaction():
            before = self.db.total_changes()
            self.db.execute(
                "UPDATE team_rows SET shared_here = 1 WHERE author = (SELECT member FROM team) "
                "AND project = ? AND state = 'here'",
                (project,),
            )
            self.db.execute("DELETE FROM team_projects WHERE project = ?", (project,))
            if self.db.total_changes() == before:
                raise NotFoundError(
                    "{project} is not shared. `mem team status` lists what is.", project=project
                )
            self.db.execute("UPDATE sync_peers SET meeting = NULL WHERE machine LIKE 'team-%'")

    def choose(self, uids: Iterable[str], visibility: Choice) -> None:
        """Say of memories who may read them, whatever their projects' rules are."""
        with self.store.transaction():
            for uid in uids:
                self.db.execute("DELETE FROM team_choices WHERE uid = ?", (uid,))
                if visibility is not None:
                    self.db.execute("INSERT INTO team_choices VALUES (?, ?)", (uid, visibility))

    def choice_of(self, uid: str) -> Choice:
        """Return what was chosen for a memory."""
        chosen: Any = self.db.execute("SELECT visibility FROM team_choices WHERE uid = ?", (uid,)).get
        return cast("Choice", chosen)

    def would_share(self, rule: ProjectRule, member: str) -> dict[str, list[str]]:
        """Return the refs of a member's records that a rule would share, by table."""
        with self.store.transaction(), tried_out(self.db):
            self.db.execute("DELETE FROM team_projects")
            self.db.execute(
                "INSERT INTO team_projects VALUES (?, ?, ?, ?)",
                (rule.project, rule.visibility, rule.since, json.dumps(rule.types)),
            )
            ids: dict[str, list[str]] = {}
            for kind in SHARED:
                uids = json.dumps(
                    [row.uid for row in self.records(kind, None, member) if row.author in (None, member)]
                )
                sql = f"SELECT id FROM {kind} WHERE uid IN (SELECT value FROM json_each(?)) ORDER BY 1"
                rows: Any = self.db.execute(sql, (uids,))
                refs = [ref(KIND_OF[kind], number) for (number,) in rows]
                if refs:
                    ids[kind] = refs
            return ids

    def would_withdraw(self, rule: ProjectRule, member: str) -> int:
        """Return how many records of a member are shared by a project's rule that there is, and would not
        be by this one."""
        before = next((other for other in self.rules() if other.project == rule.project), None)
        if before is None:
            return 0
        shared, still_shared = self.would_share(before, member), self.would_share(rule, member)
        return sum(len({*refs} - {*still_shared.get(kind, ())}) for kind, refs in shared.items())

    def records(self, kind: str, keys: Sequence[str] | None, member: str) -> Iterator[Shared]:
        """Yield the records of a table (of these uids) that a member shares, or may have changed of
        those that others have on the server."""
        join = OWNED if kind in IN_SESSIONS else ""
        session = "owner.uid" if join else "NULL"
        private = "t.private = 0" + (" AND owner.private = 0" if join else "")
        # What waits for its user's word goes nowhere.
        private += " AND t.unreviewed = 0" if kind != "prompts" else ""
        among = "" if keys is None else "AND t.uid IN (SELECT value FROM json_each(:keys))"
        rows: Any = self.db.execute(
            "SELECT t.uid, t.uid, CASE WHEN k.author <> :member THEN iif(k.state = 'here', k.visibility, "
            "'private') ELSE coalesce(c.visibility, r.visibility, "
            "iif(k.state = 'here' AND NOT k.shared_here, k.visibility, 'private')) END AS seen_by, "
            f"{PROJECT[kind]}, t.created_at, t.hlc || ' ' || t.editor, {session}, {THERE.format('k')} "
            f"FROM {kind} t {join} LEFT JOIN team_choices c ON c.uid = t.uid "
            f"LEFT JOIN team_rows k ON k.kind = '{kind}' AND k.uid = t.uid "
            f"LEFT JOIN team_projects r ON r.project = {PROJECT[kind]} AND t.created_at >= r.since "
            f"AND {_of_types(kind)} "
            f"WHERE {private} AND t.deleted_at IS NULL {among} AND seen_by <> 'private'",
            {"member": member} | ({} if keys is None else {"keys": json.dumps(keys)}),
        )
        return (Shared(*row) for row in rows)

    def sessions(self, keys: Iterable[str] | None, parents: dict[str, str], member: str) -> list[Shared]:
        """Return sessions of shared rows, whose visibilities are by uid; and of those that are on the
        server these, or all."""
        among = "" if keys is None else "AND t.uid IN (SELECT value FROM json_each(:keys))"
        rows: Any = self.db.execute(
            "SELECT t.uid, t.uid, coalesce(p.value, k.visibility), t.project, t.created_at, "
            f"t.hlc || ' ' || t.editor, NULL, {THERE.format('k')} FROM sessions t "
            "LEFT JOIN json_each(:parents) p ON p.key = t.uid "
            "LEFT JOIN team_rows k ON k.kind = 'sessions' AND k.uid = t.uid "
            "WHERE t.private = 0 AND t.deleted_at IS NULL "
            "AND ((p.key IS NOT NULL AND (k.author IS NULL OR k.author = :member)) "
            f"OR (k.state = 'here' {among}))",
            {"parents": json.dumps(parents), "member": member}
            | ({} if keys is None else {"keys": json.dumps([*keys])}),
        )
        return [Shared(*row) for row in rows]

    def tellings(
        self, member: str, keys: Sequence[str] | None = None, facts: Sequence[str] | None = None
    ) -> list[Shared]:
        """Return the tellings of shared facts: of these uids, of these facts, or all. What a member was
        told of a teammate's fact is their own."""
        among = ""
        if keys is not None:
            among = "AND t.uid IN (SELECT value FROM json_each(:among))"
        elif facts is not None:
            among = "AND f.uid IN (SELECT value FROM json_each(:among))"
        name, version = name_and_version("fact_sources")
        rows: Any = self.db.execute(
            f"SELECT t.uid, {name} AS name, k.visibility, k.project, t.told_at, {version}, NULL, "
            f"{THERE.format('s')} "
            "FROM fact_sources t JOIN facts f ON f.id = t.fact_id "
            "JOIN team_rows k ON k.kind = 'facts' AND k.uid = f.uid AND k.state = 'here' "
            f"LEFT JOIN team_rows s ON s.kind = 'fact_sources' AND s.uid = {name} "
            "WHERE t.deleted_at IS NULL AND (k.author = :member "
            f"OR f.project IN (SELECT project FROM team_projects)) {among}",
            {"member": member} | ({"among": json.dumps(keys or facts)} if among else {}),
        )
        return [Shared(*row) for row in rows]

    def rules_on(self, kind: str, keys: Sequence[str] | None) -> list[Shared]:
        """Return the merges, or the projects' names (of these keys), that are about what is shared."""
        name, version = name_and_version(kind)
        at, source = {
            "merged_records": ("t.at", "team_rows k ON k.uid = t.into_uid AND k.state = 'here'"),
            "project_aliases": ("0", "team_projects k ON k.project = t.project"),
        }[kind]
        among = "" if keys is None else f"WHERE {name} IN (SELECT value FROM json_each(:keys))"
        rows: Any = self.db.execute(
            f"SELECT {name}, {name}, k.visibility, k.project, {at}, {version}, NULL, {THERE.format('s')} "
            f"FROM {kind} t JOIN {source} "
            f"LEFT JOIN team_rows s ON s.kind = '{kind}' AND s.uid = {name} {among}",
            {} if keys is None else {"keys": json.dumps(keys)},
        )
        return [Shared(*row) for row in rows]

    def gone(self, kind: str, keys: Sequence[str] | None) -> Iterator[Gone]:
        """Yield the records of a table (of these uids) that are on the server, each as what
        it would be if it isn't shared; but not what is gone there already, nor what a teammate withdrew,
        which only they change."""
        among = "" if keys is None else "AND k.uid IN (SELECT value FROM json_each(:keys))"
        rows: Any = self.db.execute(
            "SELECT k.uid, k.author, k.project, k.visibility, CASE WHEN p.uid IS NOT NULL THEN 'purged' "
            "WHEN n.uid IS NOT NULL THEN 'renamed' "
            "WHEN t.private = 0 AND t.deleted_at IS NOT NULL OR s.uid IS NOT NULL THEN 'deleted' "
            "ELSE 'withdrawn' END AS now FROM team_rows k "
            f"LEFT JOIN {kind} t ON t.uid = k.uid LEFT JOIN purged p ON p.uid = k.uid "
            "LEFT JOIN renamed_records n ON n.uid = k.uid "
            f"LEFT JOIN sync_tombstones s ON s.kind = '{kind}' AND s.uid = k.uid "
            f"WHERE k.kind = '{kind}' AND k.state NOT IN ('purged', now) "
            "AND (k.state <> 'withdrawn' OR k.author = (SELECT member FROM team)) "
            f"AND (k.state <> 'deleted' OR now <> 'withdrawn') {among}",
            {} if keys is None else {"keys": json.dumps(keys)},
        )
        return (Gone(*row) for row in rows)

    def renew(self, kind: str, uids: Sequence[str]) -> None:
        """Have records be changed here, now."""
        if not uids:
            return
        with self.store.transaction():
            self.db.execute(
                f"UPDATE {kind} SET {TOUCH} WHERE uid IN (SELECT value FROM json_each(:uids))",
                {"uids": json.dumps(uids), "now": now_ms(), "machine": self.store.machine_id},
            )


def check_may_share(store: Store) -> Team:
    """Return the team. Raises NotFoundError where the store is in none, and InvalidRecordError where one
    may only read."""
    team = own_team(store)
    if not team.may_write:
        raise InvalidRecordError(
            "You may only read in the team {name}; nothing was shared.", name=team.name
        )
    return team


def choices_now(store: Store, refs: Sequence[str]) -> list[Choice]:
    """Return what was chosen for a memory by now; nothing for many. Raises NotFoundError where the store is
    in no team, and InvalidRecordError of a reader or where all are teammates'."""
    check_may_share(store)
    teammates = Teammates(store.db)
    if refs and all(map(teammates.author, refs)):
        raise InvalidRecordError(_teammates(refs[0], teammates.author(refs[0])))
    return [Sharing(store).choice_of(store.any_record(ref).uid) for ref in refs] if len(refs) == 1 else []


def share_memories(store: Store, refs: Iterable[str], choice: Choice, *, dry_run: bool = False) -> Changed:
    """Choose who may read memories, as one change that can be taken back; what can't be shared stays, which
    is told. A dry run chooses nothing. Raises NotFoundError where the store is in no team, and
    InvalidRecordError of a reader."""
    check_may_share(store)
    sharing, teammates = Sharing(store), Teammates(store.db)
    changed: list[str] = []
    unchanged: list[str] = []
    not_shared: list[str] = []
    with store.change() as recorder:
        for record in map(store.any_record, refs):
            ref = ref_of(record)
            if author := teammates.author(ref):
                not_shared.append(_teammates(ref, author))
            elif kind_of(record) == "session":
                not_shared.append(_("{id} goes along with what it holds; share that.", id=ref))
            elif record.private and choice in ("project", "team"):
                not_shared.append(_("{id} is private, and never leaves this machine.", id=ref))
            elif sharing.choice_of(record.uid) == choice:
                unchanged.append(ref)
            else:
                if not dry_run:
                    sharing.choose([record.uid], choice)
                changed.append(ref)
        many = changed[0] if len(changed) == 1 else count_noun(len(changed), "memories")
        recorder.what = _("{memories} {done}", memories=many, done=DONE[choice])
    return Changed(recorder.what, tuple(changed), tuple(unchanged), tuple(not_shared), recorder.change_id)


def _teammates(ref: str, author: str) -> str:
    return _("{id} is {author}'s, who says who reads it.", id=ref, author=author)


def rule_of(store: Store, project: str, *, since: int, types: Sequence[str], everyone: bool) -> ProjectRule:
    """Return the rule for a project. A type is one of observations, or a table: facts, prompts. Raises
    InvalidRecordError for a type that is neither known nor in use."""
    if "sessions" in types:
        raise InvalidRecordError("Sessions go along with what they hold; name that.")
    known = dict.fromkeys(
        (*SHARED, *OBSERVATION_TYPES, NOISE, *store.values_in_use("type", limit=MOST_TYPES))
    )
    if unknown := [name for name in types if name not in known]:
        raise InvalidRecordError(
            "There is no type {types}. The types are {known}.",
            types=", ".join(unknown),
            known=", ".join(known),
        )
    return ProjectRule(project, "team" if everyone else "project", since, tuple(types))


def _of_types(kind: str) -> str:
    named = "EXISTS (SELECT 1 FROM json_each(r.types) WHERE value = {})"
    table = named.format(f"'{kind}'")
    if kind == "observations":
        return f"(({table} OR r.types = '[]') AND t.type <> '{NOISE}' OR {named.format('t.type')})"
    return table if kind in ("prompts", "notes") else f"({table} OR r.types = '[]')"


def marks_of(store: Store, refs: Iterable[str]) -> dict[str, TeamMark]:
    """Return the marks of those of the memories, sessions and notes that are a teammate's or shared."""
    team, sharing, teammates = team_of(store), Sharing(store), Teammates(store.db)
    member = team.member if team else ""
    numbers: dict[str, list[int]] = {}
    for kind, number in filter(None, map(parse_ref, refs)):
        numbers.setdefault(kind, []).append(number)
    marks: dict[str, TeamMark] = {}
    for kind, ids in numbers.items():
        table = TABLES[kind]
        rows: Any = store.db.execute(
            f"SELECT m.uid, m.id, k.author, k.visibility FROM {table} m LEFT JOIN team_rows k "
            f"ON k.kind = '{table}' AND k.uid = m.uid AND k.state = 'here' "
            "WHERE m.id IN (SELECT value FROM json_each(?))",
            (json.dumps(ids),),
        )
        by_uid = {uid: (number, author, seen_by) for uid, number, author, seen_by in rows}
        visibilities = {}
        if team is not None and table in SHARED:
            visibilities = {row.uid: row.visibility for row in sharing.records(table, [*by_uid], member)}
        disputes: dict[str, list[str]] = {}
        for uid, reply in store.db.execute(DISPUTES, (json.dumps([*by_uid]),)):
            disputes.setdefault(str(uid), []).append(str(reply))
        for uid, (number, author, seen_by) in by_uid.items():
            theirs = author if author and author != member else ""
            visibility = seen_by if theirs or table not in SHARED else visibilities.get(uid)
            if visibility:
                shown = teammates.author(ref(kind, number)) if theirs else ""
                is_read_only = bool(theirs) and team is not None and not team.may_write
                disputed = tuple(disputes.get(uid, ()))
                marks[ref(kind, number)] = TeamMark(shown, visibility, disputed, is_read_only)
    return marks
