"""What a member says of teammates' facts and decisions: accepted, kept out, or disputed with a reply that
all see; and the accepted ones as a file for the repository."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

from ...platform.clock import now_ms
from ...platform.errors import InvalidRecordError
from ...platform.translation import _
from ...records.dataclasses import dataclass
from ...records.kinds import ref, ref_of
from ...records.rows import Fact, Record
from ...store import Store
from ...text.display import safe
from ...text.plural import count_noun
from .membership import own_team

Verdict = Literal["accepted", "kept out", "disputed"]

REVIEWED = """
SELECT m.id, m.uid, {title}, m.project, CASE WHEN k.author = :member THEN coalesce(x.member, k.author)
        WHEN x.member IS NULL OR x.member = k.author THEN k.author
        ELSE k.author || ', edited by ' || x.member END,
    coalesce(own.verdict, ''),
    (SELECT json_group_array(r.member || ': ' || r.reply) FROM team_reviews r
        WHERE r.uid = m.uid AND r.verdict = 'disputed')
FROM team_rows k CROSS JOIN {table} m ON m.uid = k.uid
LEFT JOIN team_machines x ON x.machine = m.editor
LEFT JOIN team_reviews own ON own.uid = m.uid AND own.member = :member
    AND (own.verdict <> 'accepted' OR own.version = m.hlc || ' ' || m.editor)
WHERE k.kind = '{table}' AND k.state = 'here' AND {condition}
    AND m.private = 0 AND m.deleted_at IS NULL {more} ORDER BY m.created_at DESC, m.id DESC
"""
KINDS = {
    "fact": ("facts", "m.content", "m.superseded_by IS NULL"),
    "observation": ("observations", "coalesce(m.title, m.narrative, '')", "m.type = 'decision'"),
}
HEAD = """# What the team holds

<!-- Facts and decisions that were accepted. `mem team export-rules FILE --read` accepts them. -->
"""
RULE = re.compile(r"^- (?P<text>.*?) <!-- (?P<uid>[0-9a-f-]{36}) (?P<author>.*?) -->$")


@dataclass(frozen=True, slots=True)
class Review:
    """A fact or decision of the team: its ref, what it says, whose it is, what one said of it ("" for
    nothing), and the disputes of all, "NAME: reply" each."""

    id: str
    uid: str
    title: str
    project: str
    author: str
    verdict: str
    disputes: tuple[str, ...]


def reviews(store: Store, *, verdict: Verdict | None = None) -> list[Review]:
    """Return teammates' facts and decisions of which nothing was said yet, or with a verdict, the newest
    first of each. What was changed since it was accepted waits again."""
    import json

    member = own_team(store).member
    results: list[Review] = []
    for kind, (table, title, what) in KINDS.items():
        more = "AND own.verdict IS NULL" if verdict is None else "AND own.verdict = :verdict"
        theirs = f"(k.author <> :member OR x.member IS NOT NULL) AND {what}"
        condition = theirs if verdict is None else what
        sql = REVIEWED.format(table=table, title=title, condition=condition, more=more)
        bound = {"member": member} | ({} if verdict is None else {"verdict": verdict})
        rows: Any = store.db.execute(sql, bound)
        results += [
            Review(ref(kind, number), uid, reply, project, author, mine, tuple(json.loads(disputes)))
            for number, uid, reply, project, author, mine, disputes in rows
        ]
    return results


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


def export_rules(store: Store, path: Path) -> int:
    """Write what was accepted into a file, by project; return how many there are. The same rules give
    the same bytes."""
    accepted = sorted(reviews(store, verdict="accepted"), key=lambda item: (item.project, item.uid))
    lines = [HEAD]
    project: str | None = None
    for item in accepted:
        if item.project != project:
            project = item.project
            lines.append(f"\n## {_line(project) or 'Everywhere'}\n\n")
        lines.append(f"- {_line(item.title)} <!-- {item.uid} {_line(item.author)} -->\n")
    path.write_text("".join(lines), "utf-8")
    return len(accepted)


def read_rules(store: Store, path: Path) -> int:
    """Accept what a file lists that is here in the same words and was not spoken of yet; return how many
    that are."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise InvalidRecordError(
            "{path} is not a text file; `mem team export-rules FILE` writes one.", path=path
        ) from error
    named = {match["uid"]: match["text"] for line in lines if (match := RULE.match(line))}
    waiting = [item.uid for item in reviews(store) if named.get(item.uid) == _line(item.title)]
    return _note(store, own_team(store).member, waiting, "accepted", "")


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
