"""Rows of documents as SQL: their titles, and what a context is made of: the few that it names, what was
decided otherwise since, and the last session's turns. Next to nothing is imported.

Of a project, and only what is not hidden; what is pinned, held true or noted without any project is for all
of them.
"""

from __future__ import annotations

from ...records.fields import FIELDS, NAMES, TAKEN_BACK
from ...records.kinds import REPLY, TOLD, VISIBLE, WITHHELD, visible

WEIGHTS = (4.0, 2.0, 1.0)
"""What a word counts for in the title, the body and the lists of the words index."""
BM25 = f"-bm25(words, {', '.join(map(str, WEIGHTS))})"
"""The score of a row of that by SQLite, the best the highest."""

_REQUEST, _OUTCOME = (
    f"ltrim(substr({text}, 1, instr({text} || char(10), char(10)) - 1), '-*•# ')"
    for text in ("request", "coalesce(nullif(completed, ''), nullif(learned, ''))")
)
HEADLINE = f"""
CASE
    WHEN {_REQUEST} <> '' AND {_OUTCOME} <> '' THEN
        iif(length({_REQUEST}) > 100, substr({_REQUEST}, 1, 99) || '…', {_REQUEST}) || ' → ' || {_OUTCOME}
    ELSE coalesce(nullif({_REQUEST}, ''), nullif({_OUTCOME}, ''), text,
        next_steps, investigated, notes, '')
END
"""
"""The headline of a row of summaries: what was asked for, and what came of it."""

_TEXTS = [field.name for field in FIELDS["observation"] if field.form == "text"]
_NAMES = (f"substr({name}, 1, 200)" if name in _TEXTS else name for name in NAMES["observation"])
_TITLE = "coalesce(" + "".join(f"nullif({name}, ''), " for name in _NAMES) + "'')"
"""The title of a row of observations."""
TITLE = f"""
CASE d.kind
    WHEN 'o' THEN (
        SELECT {_TITLE} || iif(repeats, ' (' || (repeats + 1) || ' times)', '')
        FROM observations WHERE id = d.record_id
    )
    WHEN 'p' THEN (SELECT substr(text, 1, 400) FROM prompts WHERE id = d.record_id)
    WHEN 's' THEN (
        SELECT substr({HEADLINE}, 1, 400)
        FROM summaries WHERE id = d.record_id
    )
    ELSE (SELECT substr(content, 1, 400) FROM facts WHERE id = d.record_id)
END
"""
"""The title of a row `d` of the documents: the first text that it has."""

_TAKEN_BACK = f"2 * (coalesce(iif(json_valid(extra), extra ->> '{TAKEN_BACK}', 0), 0) <> 0)"
STATE = f"""
coalesce(CASE d.kind
    WHEN 'o' THEN (SELECT {_TAKEN_BACK} | 4 * (unreviewed <> 0) FROM observations WHERE id = d.record_id)
    WHEN 's' THEN (SELECT 4 * (unreviewed <> 0) FROM summaries WHERE id = d.record_id)
    WHEN 'p' THEN (SELECT {_TAKEN_BACK} FROM prompts WHERE id = d.record_id)
    WHEN 'f' THEN (
        SELECT {_TAKEN_BACK} | (superseded_by IS NOT NULL) | 4 * (unreviewed <> 0)
        FROM facts WHERE id = d.record_id
    )
END, 0)
"""
"""Of a row `d` of the documents: 1 where it is a fact in whose place another one holds, 2 where its user
took it back, and 4 where it waits for their word."""

LEAST_CONFIDENCE = 0.5
"""The least confidence of a fact that is told."""

READ_CHARACTERS = 3_200
"""Characters of a text or note that are read."""

_TEXT = "".join(f"nullif({name}, ''), " for name in _TEXTS)
_TEXT = f"substr(coalesce({_TEXT} subtitle, ''), 1, {READ_CHARACTERS})"
_FACTS = " || ".join(
    f"""
coalesce((SELECT group_concat('- ' || value || char(10), '')
    FROM json_each(iif(json_valid({field.name}), {field.name}, '[]'))), '')
"""
    for field in FIELDS["observation"]
    if field.form == "items"
)
"""The text of a row of observations, and its facts as a list."""
TEXT = f"""
CASE d.kind
    WHEN 'o' THEN (SELECT {_TEXT} FROM observations WHERE id = d.record_id)
    WHEN 'f' THEN (SELECT confidence FROM facts WHERE id = d.record_id)
    ELSE ''
END
"""
_TAKEN_BY = """
iif(json_valid(f.extra),
    iif(f.extra ->> 'proposed' AND f.extra ->> 'speaker' = 'user', 'agreed', f.extra ->> 'speaker'), NULL)
"""
"""Who took what a row `f` of facts says, as `tables.fact_sources.taken_by` tells it."""
FACTS_IN = f"""
CASE d.kind
    WHEN 'o' THEN (SELECT {_FACTS} FROM observations WHERE id = d.record_id)
    WHEN 'f' THEN (SELECT coalesce({_TAKEN_BY}, '') FROM facts f WHERE f.id = d.record_id)
    ELSE ''
END
"""
BY_RULES = f"""
tool_name IS NOT NULL AND tool_name <> '{REPLY}' AND event_id IS NOT NULL
AND coalesce(iif(json_valid(extra), extra ->> 'observer', NULL), 'rules') = 'rules'
"""
"""Whether an observation is what a tool gave, in no one's words."""
IS_OUTPUT = f"""
CASE d.kind WHEN 'o' THEN (SELECT {BY_RULES} FROM observations WHERE id = d.record_id) ELSE 0 END
"""
_COLUMNS = "d.kind, d.record_id, d.created_at, d.session_id, d.type, {}, d.changed_in > 0"
ROWS = f"""
SELECT {_COLUMNS.format(f"{TITLE}, {TEXT}, {FACTS_IN}, {IS_OUTPUT}")} FROM documents d
"""
TIMES_TOLD = """
coalesce((SELECT told FROM memory_uses u WHERE u.kind = d.kind AND u.record_id = d.record_id), 0)
"""
# Those of one moment by their records: one that was restored has another document.
_BY_TIME = "d.created_at DESC, d.record_id DESC, d.kind"
NEWEST_FIRST = f"ORDER BY {_BY_TIME}"
STALE_LAST = f"ORDER BY d.changed_in > 0, {_BY_TIME}"
"""The newest first, but after the others those of which a file has changed since."""

# The sign keeps SQLite from reading all of a project for the few that are pinned.
PINNED = f"""
SELECT d.kind, d.record_id FROM documents d
WHERE d.pinned = 1 AND +d.project IN (?, '') AND NOT ({STATE}) AND {TOLD}
{STALE_LAST} LIMIT 10
"""

LATEST = 200
"""So many of a project's newest documents are looked at for those that say most."""
LATEST_DECISIONS = 2_000
"""So many for decisions, which documents tell by themselves."""

_NEWEST = "SELECT {} FROM documents WHERE {} = ? ORDER BY created_at DESC, id DESC LIMIT {}"
# The index alone tells which are the newest.
DECISIONS = f"""
SELECT d.record_id, d.created_at, d.session_id
FROM ({_NEWEST.format("id AS newest", "project", LATEST_DECISIONS)}) CROSS JOIN documents d ON d.id = newest
WHERE d.kind = 'o' AND d.type = 'decision' AND {TOLD} {STALE_LAST} LIMIT 6
"""
"""The ids, times and sessions of the last decisions, without the texts."""
_OBSERVED = f"""
SELECT d.record_id, d.created_at, d.session_id, d.type,
    {_TITLE}, subtitle, {BY_RULES}, facts <> '[]',
    coalesce(iif(json_valid(files_modified), files_modified ->> 0, NULL), ''), d.changed_in > 0
FROM ({{}}) d JOIN observations o ON o.id = d.record_id
WHERE d.kind = 'o' AND {TOLD} {NEWEST_FIRST}
"""
OBSERVED = _OBSERVED.format(_NEWEST.format("*", "project", LATEST))
OBSERVED_IN_SESSION = _OBSERVED.format(_NEWEST.format("*", "session_id", LATEST))
"""What was observed last, without the texts: id, time, session, type, title, subtitle, whether it is
what a tool gave, whether it has facts, the first file that was changed, and whether one of its files
has changed since."""

OBSERVATIONS = f"""
SELECT {_COLUMNS.format(f"{_TITLE}, {_TEXT}, {_FACTS}, {BY_RULES}")}
FROM json_each(?) one CROSS JOIN documents d ON d.kind = 'o' AND d.record_id = one.value
CROSS JOIN observations o ON o.id = d.record_id
"""
"""The observations of a JSON list of ids, as ROWS, in any order."""


def _about(topic: str) -> str:
    """The SQL of what a row of summaries says about a topic, a text for each field."""
    names = (field.name for field in FIELDS["summary"] if field.topic == topic)
    texts = "".join(
        f"coalesce(substr(s.{name}, 1, {READ_CHARACTERS}) || char(10), '') || " for name in names
    )
    title = ", (SELECT title FROM sessions WHERE id = s.session_id)" if topic == "asked" else ""
    return f"coalesce(nullif(rtrim({texts}'', char(10)), ''){title}, '')"


TOPICS = ("asked", "left", "found", "done", "trouble", "all")
_SUMMARY = f"""
SELECT s.id, d.created_at, s.session_id,
    {", ".join(map(_about, TOPICS))}
FROM documents d {{}} JOIN summaries s ON s.id = d.record_id WHERE d.kind = 's' AND
"""
SUMMARIES, SUMMARIES_OF_PROGRAMS = (
    f"""
{_SUMMARY.format("INDEXED BY documents_summaries")} d.project = ?
    AND d.session_id {IN} (SELECT id FROM sessions WHERE automatic = 1) AND {TOLD}
ORDER BY d.created_at DESC, s.level = 'detailed' DESC, s.id DESC LIMIT 24
"""
    for IN in ("NOT IN", "IN")
)
"""Those of the sessions in which somebody typed, and those of the ones that programs started."""
SUMMARIES_OF_SESSION = f"""
{_SUMMARY.format("")} d.session_id = ?
ORDER BY d.created_at DESC, s.level = 'detailed' DESC, s.id DESC LIMIT 4
"""
SUMMARY = f"{_SUMMARY.format('')} d.record_id = ?"

LATEST_FACTS = 200
"""So many of a project's newest facts are looked at for those that its user decided and wants."""
MOST_FACTS = 10
LONG_AGO = 90 * 86_400_000
"""What nobody said again for so long (ms), before the newest fact, is told after others."""
_MENTIONED = "coalesce((SELECT max(told_at) FROM fact_sources WHERE fact_id = f.id), d.created_at)"
FACTS = f"""
SELECT {_COLUMNS.format(f"substr(f.content, 1, 400), f.confidence, coalesce({_TAKEN_BY}, ''), 0")} FROM (
    SELECT *, max(created_at) OVER () AS newest
    FROM documents INDEXED BY documents_facts WHERE kind = 'f' AND project = ?
    ORDER BY created_at DESC, id DESC LIMIT {LATEST_FACTS}
) d CROSS JOIN facts f ON f.id = d.record_id
WHERE f.confidence >= {LEAST_CONFIDENCE} AND f.superseded_by IS NULL AND {TOLD}
ORDER BY coalesce(iif(json_valid(f.extra), f.extra ->> 'speaker', NULL), '') = 'user' DESC,
    d.newest - {_MENTIONED} > {LONG_AGO}, f.kind = 'B' DESC, f.kind = 'O' DESC,
    d.created_at DESC, f.id DESC LIMIT {MOST_FACTS}
"""
"""The facts of one project, or of none: one condition for both would have to be read through all of the
index."""
ONE = f"""
{ROWS} WHERE d.kind = ? AND d.record_id = ? AND d.project IN (?, '') AND NOT ({STATE})
"""

OPEN_NOTES = f"""
SELECT id, path, substr(text, 1, {READ_CHARACTERS}), updated_at FROM notes WHERE {VISIBLE}
"""
NOTES = f"""
{OPEN_NOTES} AND project IN (?, '') AND unreviewed = 0
    AND NOT {WITHHELD.format(kind="'n'", number="notes.id")}
ORDER BY project = '', pinned DESC, updated_at DESC, id DESC LIMIT 3
"""
NOTE = f"{OPEN_NOTES} AND id = ? AND project IN (?, '')"

SESSION = "SELECT id FROM sessions WHERE content_session_id = ? AND agent = ?"
"""The session that an agent calls so."""
PARENT = """
SELECT id, content_session_id FROM sessions
WHERE agent = ? AND project = ? AND content_session_id <> ? AND created_at < ?
ORDER BY created_at DESC, id DESC LIMIT 1
"""
"""The session that a fork most likely continues, which its start doesn't name."""
UNMERGED = """
SELECT s.id, s.branch FROM unmerged_sessions u CROSS JOIN sessions s ON s.id = u.session_id
WHERE s.project = ? AND s.branch IS NOT NULL
"""
"""The sessions of a project whose branch isn't merged, with the branch."""
SESSIONS_OF_FACT = """
SELECT s.id FROM fact_sources f LEFT JOIN sessions s ON s.content_session_id = f.session
WHERE f.fact_id = :number AND f.deleted_at IS NULL
"""
SESSION_OF_DOCUMENT = "SELECT session_id FROM documents WHERE record_id = :number AND kind = :kind"
FACT_OF_OTHERS = """
SELECT 1 FROM fact_sources WHERE fact_id = ? AND deleted_at IS NULL
AND session IS NOT (SELECT content_session_id FROM sessions WHERE id = ?)
"""
"""A source of a fact that is not this session."""

LATEST_IN_PROJECT = 200
"""So many of a project's newest documents are looked at for its last session."""
LATEST_IN_SESSION = 2_000
"""So many of a session's newest documents are looked at for its turns."""
READ = 3_200
"""Characters of a reply that are read."""
LONG_QUESTION = 400
"""Characters that are shown at most of what was asked; twice as many are read."""

_DECIDED = f"""
SELECT p.session_id AS session, p.prompt_number AS number, p.id AS prompt
FROM facts f, json_each(f.evidence) e JOIN prompts p ON p.uid = e.value
WHERE f.superseded_by IS NOT NULL AND f.project = ? AND {visible("f")}
"""
SUPERSEDED_REPLIES = f"""
SELECT o.id FROM ({_DECIDED}) d JOIN observations o
    ON o.session_id = d.session AND o.prompt_number = d.number WHERE o.tool_name = '{REPLY}'
"""
SUPERSEDED_PROMPTS = f"SELECT prompt FROM ({_DECIDED})"
SUPERSEDED_SUMMARIES = f"SELECT s.id FROM ({_DECIDED}) d JOIN summaries s ON s.session_id = d.session"
HELD_BEFORE = f"""
SELECT new.id, CAST(old.content AS TEXT), CAST(new.created_at AS INTEGER)
FROM facts old JOIN facts new ON new.uid = old.superseded_by
WHERE old.superseded_by IS NOT NULL AND old.project = ? AND {visible("old")}
ORDER BY old.created_at
"""
LAST_SESSIONS = f"""
SELECT session_id, max(created_at) AS at FROM (
    SELECT session_id, created_at FROM documents WHERE project = ?
    ORDER BY created_at DESC, id DESC LIMIT {LATEST_IN_PROJECT}
) WHERE (SELECT automatic FROM sessions WHERE id = session_id) = 0
    AND NOT {WITHHELD.format(kind="'@'", number="session_id")}
GROUP BY session_id ORDER BY at DESC
"""
"""The sessions of a project's newest documents, but for those that programs started, and when each was
at work last."""

_IN_SESSION = f"""
SELECT kind, record_id FROM documents WHERE session_id = ? ORDER BY created_at DESC, id DESC
LIMIT {LATEST_IN_SESSION}
"""
TURN_PROMPTS = f"""
SELECT CAST(coalesce(p.prompt_number, 0) AS INTEGER), p.id, CAST(p.created_at AS INTEGER),
    substr(CAST(p.text AS TEXT), 1, {2 * LONG_QUESTION})
FROM ({_IN_SESSION}) d JOIN prompts p ON p.id = d.record_id
WHERE d.kind = 'p' AND coalesce(iif(json_valid(p.extra), p.extra ->> 'taken_back', 0), 0) = 0
ORDER BY p.created_at, p.id
"""
TURN_REPLIES = f"""
SELECT CAST(coalesce(o.prompt_number, 0) AS INTEGER), o.id, CAST(o.created_at AS INTEGER),
    substr(CAST(coalesce(nullif(o.narrative, ''), o.title, '') AS TEXT), 1, {READ}), o.type
FROM ({_IN_SESSION}) d JOIN observations o ON o.id = d.record_id
WHERE d.kind = 'o' AND o.tool_name = '{REPLY}' AND o.unreviewed = 0 AND {visible("o")}
ORDER BY o.created_at, o.id
"""
"""The prompts, and the replies, of a session as far as they may be shown: the number of their turn, their
id, their time and their text, the oldest first."""
MOST_PROMPTS = 200
"""So many of a project's newest prompts are looked at for what their user wants."""
PROMPTS = f"""
SELECT p.id, CAST(p.created_at AS INTEGER), p.session_id,
    substr(CAST(p.text AS TEXT), 1, {2 * LONG_QUESTION})
FROM (
    SELECT id FROM sessions WHERE project = ? AND automatic = 0 AND {VISIBLE}
    ORDER BY started_at DESC LIMIT {LATEST_IN_PROJECT}
) s CROSS JOIN prompts p ON p.session_id = s.id
WHERE {visible("p")} AND coalesce(iif(json_valid(p.extra), p.extra ->> 'taken_back', 0), 0) = 0
ORDER BY p.created_at DESC, p.id DESC LIMIT {MOST_PROMPTS}
"""
REPLIES_TO = f"""
SELECT substr(CAST(coalesce(nullif(o.narrative, ''), o.title, '') AS TEXT), 1, {READ})
FROM prompts p JOIN observations o ON o.session_id = p.session_id AND o.prompt_number = p.prompt_number
WHERE p.id = ? AND o.tool_name = '{REPLY}' AND o.unreviewed = 0 AND {visible("o")}
"""
"""What was replied in the turn of a prompt."""
ASKED_FOR = """
SELECT o.id, substr(CAST(p.text AS TEXT), 1, 1200)
FROM json_each(?) one JOIN observations o ON o.id = one.value
JOIN prompts p ON p.session_id = o.session_id AND p.prompt_number = o.prompt_number
"""
"""What was asked in the turns of replies, by the replies' ids as a JSON list."""

SAID_FACTS = f"""
SELECT f.id, f.kind, f.content, min(s.told_at) FROM fact_sources s JOIN facts f ON f.id = s.fact_id
WHERE s.session = (SELECT content_session_id FROM sessions WHERE id = ?1) AND s.told_at <= ?2
AND f.superseded_by IS NULL AND f.confidence >= {LEAST_CONFIDENCE} AND f.kind <> 'S' AND {visible("f")}
AND f.unreviewed = 0
GROUP BY f.id ORDER BY min(s.told_at) DESC
"""
SAID_BEFORE = f"""
SELECT * FROM (
    SELECT 'o', id, type, coalesce(title, ''), substr(coalesce(narrative, ''), 1, {READ}), created_at
    FROM observations o WHERE session_id = ?1 AND created_at <= ?2 AND {visible("o")} AND unreviewed = 0
    AND (type = 'decision' OR tool_name = '{REPLY}')
    UNION ALL SELECT 'p', id, 'prompt', '', substr(text, 1, {READ}), created_at
    FROM prompts p WHERE session_id = ?1 AND created_at <= ?2 AND {visible("p")}
) ORDER BY created_at DESC
"""
COMPACTED = f"""
SELECT text, created_at FROM summaries s
WHERE session_id = ? AND text <> '' AND unreviewed = 0 AND {visible("s")}
ORDER BY created_at DESC, id DESC LIMIT 1
"""
"""What a session stated, decided, replied and asked until a moment (ms), the newest first; and what its
agent wrote when it compacted it last."""

IS_SHOWN = f"SELECT d.id FROM documents d WHERE d.kind = ? AND d.record_id = ? AND {TOLD}"
