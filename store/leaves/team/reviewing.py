"""What a member says of teammates' facts and decisions: accepted, kept out, or disputed with a reply that
all see; and the accepted ones as a file for the repository."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from ...curation.reviewing import Review, Verdict
from ...platform.clock import now_ms
from ...platform.errors import InvalidRecordError
from ...platform.translation import _
from ...records.kinds import ref, ref_of
from ...records.rows import Fact, Record
from ...store import Store
from ...tables.base import stable_uid
from ...text.display import safe
from ...text.hashing import blake2b
from ...text.plural import count_noun
from ...text.redaction import scrub
from ..sync.receiving import Receiver
from ..sync.rows import Line
from .membership import own_team, team_of

REVIEWED = """
SELECT m.id, m.uid, {title}, m.project, CASE WHEN k.author = :member THEN coalesce(x.member, k.author)
        WHEN x.member IS NULL OR x.member = k.author THEN k.author
        ELSE k.author || ', edited by ' || x.member END,
    coalesce(own.verdict, ''),
    (SELECT json_group_array(r.member || ': ' || r.reply) FROM team_reviews r
        WHERE r.uid = m.uid AND r.verdict = 'disputed'), {kind}, {why}
FROM team_rows k CROSS JOIN {table} m ON m.uid = k.uid
LEFT JOIN team_machines x ON x.machine = m.editor
LEFT JOIN team_reviews own ON own.uid = m.uid AND own.member = :member
    AND (own.verdict <> 'accepted' OR own.version = m.hlc || ' ' || m.editor)
WHERE k.kind = '{table}' AND k.state = 'here' AND {condition}
    AND m.private = 0 AND m.deleted_at IS NULL {more} ORDER BY m.created_at DESC, m.id DESC
"""
KINDS = {
    "fact": ("facts", "m.content", "m.superseded_by IS NULL", "m.kind", "''"),
    "observation": (
        *("observations", "coalesce(m.title, m.narrative, '')", "m.type = 'decision'", "m.type"),
        "iif(m.title IS NULL, '', coalesce(m.narrative, ''))",
    ),
}
NO_RULES = """
SELECT uid FROM team_rows WHERE state <> 'here'
UNION SELECT uid FROM team_reviews WHERE member = ? AND verdict <> 'accepted'
UNION SELECT uid FROM facts WHERE superseded_by NOT NULL OR deleted_at NOT NULL
UNION SELECT uid FROM observations WHERE deleted_at NOT NULL
"""
"""What is no rule any more, whoever accepted it."""
HEAD = """# What the team holds

<!-- Facts and decisions that were accepted. `mem team export-rules FILE --read` brings them in. -->
"""
EVERYWHERE = "Everywhere"
RULE = re.compile(
    r"- (?P<text>.*) \((?P<author>[^()]*)\) <!-- (?P<uid>[0-9a-f-]{36}) (?P<kind>\w+) (?P<digest>\w{8}) -->"
)


class Rule(NamedTuple):
    """What was accepted, as a file has it, in the file's order: each text on one line."""

    project: str
    uid: str
    kind: str
    author: str
    text: str
    why: str

    @property
    def digest(self) -> str:
        """What tells that somebody changed the words in the file."""
        return blake2b("\n".join(self[1:]).encode(), digest_size=4).hexdigest()

    @classmethod
    def of(cls, review: Review) -> Rule:
        """Return what was accepted as a file has it."""
        author = _line(review.author).translate({ord("("): "[", ord(")"): "]"})
        texts = _line(review.title), _line(review.why)
        return cls(_line(review.project), review.uid, review.kind, author, *texts)

    def __str__(self) -> str:
        why = f"  {self.why}\n" if self.why else ""
        return f"- {self.text} ({self.author}) <!-- {self.uid} {self.kind} {self.digest} -->\n{why}"


def reviews(store: Store, *, verdict: Verdict | None = None) -> list[Review]:
    """Return teammates' facts and decisions of which nothing was said yet, or with a verdict, the newest
    first of each. What was changed since it was accepted waits again."""
    import json

    member = own_team(store).member
    results: list[Review] = []
    for kind, (table, title, what, letter, why) in KINDS.items():
        more = "AND own.verdict IS NULL" if verdict is None else "AND own.verdict = :verdict"
        theirs = f"(k.author <> :member OR x.member IS NOT NULL) AND {what}"
        condition = theirs if verdict is None else what
        sql = REVIEWED.format(
            table=table, title=title, condition=condition, more=more, kind=letter, why=why
        )
        bound = {"member": member} | ({} if verdict is None else {"verdict": verdict})
        rows: Any = store.db.execute(sql, bound)
        results += [
            Review(
                *(ref(kind, number), uid, said, project, author, mine),
                *(tuple(json.loads(disputes)), letter, reason),
            )
            for number, uid, said, project, author, mine, disputes, letter, reason in rows
        ]
    return results


def reviews_in_team(store: Store, verdict: Verdict | None) -> list[Review]:
    """Return the same; nothing where the store is in no team."""
    return reviews(store, verdict=verdict) if team_of(store) else []


def give_verdict(store: Store, refs: Iterable[str], verdict: Verdict, reply: str = "") -> int:
    """Say something of teammates' memories; return of how many. Facts and decisions are accepted as they
    are now. A dispute, with its reply, goes to all, and can't be taken back; the others can.
    InvalidRecordError of one's own memories, and of a dispute by who may only read."""
    team = own_team(store)
    member = team.member
    if verdict == "disputed" and not team.may_write:
        raise InvalidRecordError(
            "You may only read in the team, so nobody would be told of a dispute: keep it out instead."
        )
    if verdict == "disputed" and not reply.strip():
        raise InvalidRecordError("Say why it is disputed: teammates read it.")
    records = [store.record(name) for name in refs]
    for record in records:
        _check_reviewed(store, record, verdict)
    many = ref_of(records[0]) if len(records) == 1 else count_noun(len(records), "memories")
    uids = [record.uid for record in records]
    what = _("{memories} {done}", memories=many, done=_(verdict))
    if verdict == "disputed":
        with store.transaction():
            store.journal.note(what)
            return _note(store, member, uids, verdict, reply)
    with store.change(what):
        return _note(store, member, uids, verdict, reply)


def rules_page(store: Store | None, path: Path) -> tuple[str, str, int]:
    """Return what a file says, and what it is to: the rules that it lists and still hold, and those that
    were accepted here, by project; and how many these are. Without a store, or a team, only that it is as
    it was written is known. The same rules give the same bytes."""
    before = _read(path) if path.exists() else ""
    rules = {rule.uid: rule for rule in _listed(before)}
    if store is not None and (team := team_of(store)) is not None:
        gone = {str(uid) for (uid,) in store.db.execute(NO_RULES, (team.member,))}
        accepted = {item.uid: Rule.of(item) for item in reviews(store, verdict="accepted")}
        rules = {uid: rule for uid, rule in rules.items() if uid not in gone} | accepted
    lines, project = [HEAD], None
    for rule in sorted(rules.values()):
        if rule.project != project:
            project = rule.project
            lines.append(f"\n## {project or EVERYWHERE}\n\n")
        lines.append(str(rule))
    return before, "".join(lines), len(rules)


def read_rules(store: Store, path: Path) -> int:
    """Accept what a file lists that is here in the same words and was not spoken of yet; in no team, store
    what isn't here so, as its author's. Return how many these are."""
    listed = {rule.uid: rule for rule in _listed(_read(path)) if scrub(str(rule)) == str(rule)}
    team = team_of(store)
    if team is not None:
        waiting = [it.uid for it in reviews(store) if Rule.of(it) == listed.get(it.uid)]
        return _note(store, team.member, waiting, "accepted", "")
    lines: list[Line] = []
    for rule in listed.values():
        table = "observations" if rule.kind == "decision" else "facts"
        names = "title, narrative" if table == "observations" else "content, NULL"
        row: Any = store.db.execute(
            f"SELECT hlc, {names} FROM {table} WHERE uid = ?", (rule.uid,)
        ).fetchone()
        if row is None or (row[1], row[2] or "") != (rule.text, rule.why):
            lines += _lines_of(rule, table, 1 if row is None else row[0] + 1)
    receiver = Receiver(store, path.name)
    receiver.store_batch(lines)
    if receiver.verdicts.refused:
        raise InvalidRecordError(receiver.verdicts.refused[0].reason)
    return sum(line["table"] != "sessions" for line in lines)


def _lines_of(rule: Rule, table: str, hlc: int) -> Iterator[Line]:
    """Yield the line of a rule, behind that of the session that a decision is in."""
    made = dict.fromkeys(("created_at", "updated_at", "started_at"), now_ms())
    line = {
        "uid": rule.uid,
        "project": rule.project,
        "author": rule.author,
        "hlc": hlc,
        "editor": "",
    } | made
    if table == "facts":
        yield {"table": table, "kind": rule.kind, "content": rule.text} | line
        return
    session = stable_uid("rules", rule.project)
    title = _("Rules of the repository")
    yield {
        "table": "sessions", "uid": session, "content_session_id": session, "agent": "memtui",
        "project": rule.project, "title": title, "hlc": 1, "editor": "", **made,
    }  # fmt: skip
    said = {"session": session, "type": rule.kind, "title": rule.text, "narrative": rule.why or None}
    yield {"table": table} | said | line


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidRecordError(
            "{path} is not a text file; `mem team export-rules FILE` writes one.", path=path
        ) from error


def _listed(text: str) -> Iterator[Rule]:
    """Yield the rules of a file whose words are as they were written."""
    project, lines = "", [*text.splitlines(), ""]
    for line, following in pairwise(lines):
        if line.startswith("## "):
            project = line[3:] if line[3:] != EVERYWHERE else ""
        elif match := RULE.fullmatch(line):
            why = following[2:] if following.startswith("  ") else ""
            rule = Rule(project, match["uid"], match["kind"], match["author"], match["text"], why)
            if rule.digest == match["digest"]:
                yield rule


def _note(store: Store, member: str, uids: Sequence[str], verdict: Verdict, reply: str) -> int:
    with store.transaction():
        store.db.executemany(
            "INSERT OR REPLACE INTO team_reviews VALUES (?1, ?2, ?3, ?4, ?5, coalesce("
            "(SELECT hlc || ' ' || editor FROM facts WHERE uid = ?1), "
            "(SELECT hlc || ' ' || editor FROM observations WHERE uid = ?1), ''))",
            [(uid, member, verdict, reply.strip(), now_ms()) for uid in uids],
        )
    return len(uids)


def _check_reviewed(store: Store, record: Record, verdict: Verdict) -> None:
    name = ref_of(record)
    is_rule = isinstance(record, Fact) or getattr(record, "type", "") == "decision"
    if verdict == "accepted" and not is_rule:
        raise InvalidRecordError(
            "{ref} is neither a fact nor a decision, and only these are accepted.", ref=name
        )
    if not store.author_of(record):
        raise InvalidRecordError("{ref} is your own; only what teammates wrote is reviewed.", ref=name)


def _line(text: str) -> str:
    """Return a text as a line of Markdown that begins no comment."""
    return " ".join(safe(text).split()).replace("<!--", "<! --").replace("-->", "-- >")
