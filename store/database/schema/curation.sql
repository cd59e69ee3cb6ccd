-- What people and agents did to records: the journal that undo reads, and what stays of records that are
-- gone.

-- The journal: every edit and delete as a changeset that can be taken back; an empty one can't be (a purge,
-- an import). One action is one undo, however many changes it is made in: part_of is the first of them.
-- Who made it: actor is the machine's id, host the machine (see `hosts`), via the command ("mem delete") or the
-- key, agent the agent that ran it (NULL: a person). undone_via, undone_agent, undone_host: the same of what
-- undid it. undo_changeset: what undoing did, which redoing has to invert. undone_after: the newest change
-- there was then; while none is newer it can be done again.
CREATE TABLE changes (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    what TEXT NOT NULL,
    changeset BLOB NOT NULL,
    undone_at INTEGER,
    part_of INTEGER,
    undo_changeset BLOB,
    via TEXT NOT NULL DEFAULT '',
    agent TEXT,
    undone_after INTEGER,
    undone_via TEXT,
    host TEXT,
    undone_agent TEXT,
    undone_host TEXT
) STRICT;
-- The changes that can be taken back, the newest of which is.
CREATE INDEX changes_standing ON changes (id) WHERE undone_at IS NULL;
CREATE INDEX changes_by_part ON changes (part_of) WHERE part_of IS NOT NULL;
CREATE INDEX changes_undone ON changes (undone_after, id) WHERE undone_after IS NOT NULL;

-- The records that a change is about: kind is the table. The uid tells a record from a later one that
-- has its number. One that is here and not in the changeset was purged since.
CREATE TABLE changed_rows (
    change_id INTEGER NOT NULL REFERENCES changes (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    record_id INTEGER NOT NULL,
    uid TEXT NOT NULL,
    PRIMARY KEY (change_id, kind, record_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX changed_rows_by_record ON changed_rows (kind, record_id);

-- What was undone and then done again: when each was, and what undoing and redoing changed, so that the
-- memory between the two can be made again. change_id is the first change of the action. Times are ms.
CREATE TABLE redone_changes (
    id INTEGER PRIMARY KEY,
    change_id INTEGER NOT NULL REFERENCES changes (id) ON DELETE CASCADE,
    undone_at INTEGER NOT NULL,
    redone_at INTEGER NOT NULL,
    undo_changeset BLOB NOT NULL,
    redo_changeset BLOB NOT NULL
) STRICT;
CREATE INDEX redone_changes_by_change ON redone_changes (change_id);

-- The machines that changes were made on, by name. No export holds a name: changes say the id, which
-- is random.
CREATE TABLE hosts (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;

-- What was purged, without a word of what it said, so that no import brings it back. key: a hash of what
-- named the record, by which other copies of it are known.
CREATE TABLE purged (
    uid TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    source TEXT,
    native_id TEXT,
    at INTEGER NOT NULL,
    key TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX purged_by_source ON purged (source, native_id) WHERE source IS NOT NULL;
CREATE INDEX purged_by_key ON purged (key, kind) WHERE key IS NOT NULL;

-- What was merged into what: the record `uid`, deleted since, into `into_uid`, both as uids of one kind.
-- session is the uid of the session that it belonged to. key is a hash of what a fact said (as in
-- `purged`), so that stating it again is a source of the fact that it was merged into. No word of either.
CREATE TABLE merged_records (
    uid TEXT PRIMARY KEY,
    into_uid TEXT NOT NULL,
    session TEXT,
    key TEXT,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX merged_records_into ON merged_records (into_uid);
CREATE INDEX merged_records_by_key ON merged_records (key) WHERE key IS NOT NULL;

-- Two records that a person said are no duplicates, nor does one replace the other: uid < other_uid.
CREATE TABLE not_duplicates (
    uid TEXT NOT NULL,
    other_uid TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (uid, other_uid),
    CHECK (uid < other_uid)
) STRICT, WITHOUT ROWID;
CREATE INDEX not_duplicates_by_other ON not_duplicates (other_uid);

-- What agents and people reported of memories: that one is wrong, or of use, and why. uid is the memory's;
-- agent is who said so, "" a person. Whoever says so again replaces what it said.
CREATE TABLE reports (
    uid TEXT NOT NULL,
    agent TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('wrong', 'useful')),
    reason TEXT NOT NULL DEFAULT '',
    at INTEGER NOT NULL,
    PRIMARY KEY (uid, agent)
) STRICT, WITHOUT ROWID;

-- The memories that reports are of, hidden or not.
CREATE VIEW reported_memories AS
    SELECT 'o' AS kind, o.id AS record_id, r.verdict FROM reports r CROSS JOIN observations o ON o.uid = r.uid
    UNION ALL
    SELECT 'p', p.id, r.verdict FROM reports r CROSS JOIN prompts p ON p.uid = r.uid
    UNION ALL
    SELECT 's', s.id, r.verdict FROM reports r CROSS JOIN summaries s ON s.uid = r.uid
    UNION ALL
    SELECT 'f', f.id, r.verdict FROM reports r CROSS JOIN facts f ON f.uid = r.uid;
