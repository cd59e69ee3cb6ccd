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
