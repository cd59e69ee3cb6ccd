-- One action is one undo, however many changes it is made in: part_of is the first of them.
-- undo_changeset: what taking a change back did, which is what doing it again has to invert. A change
-- with an empty changeset can't be taken back (a purge, an import).
ALTER TABLE changes ADD COLUMN part_of INTEGER;
ALTER TABLE changes ADD COLUMN undo_changeset BLOB;
CREATE INDEX changes_by_part ON changes (part_of) WHERE part_of IS NOT NULL;

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

-- key: a hash of what named the record, by which other copies of it are known.
ALTER TABLE purged ADD COLUMN key TEXT;
CREATE INDEX purged_by_key ON purged (key, kind) WHERE key IS NOT NULL;

-- Days may be a part of one, or none.
CREATE TABLE retention_policies_new (
    project TEXT PRIMARY KEY,
    days REAL NOT NULL CHECK (days >= 0),
    grace_days REAL NOT NULL CHECK (grace_days >= 0),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO retention_policies_new SELECT * FROM retention_policies;
DROP TABLE retention_policies;
ALTER TABLE retention_policies_new RENAME TO retention_policies;
