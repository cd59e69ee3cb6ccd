-- The query history: the newest few, each text once.
CREATE TABLE recent_searches (
    text TEXT PRIMARY KEY,
    used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE saved_searches (
    name TEXT PRIMARY KEY,
    query TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The indexes of this version also know the words as written: they are made anew at the next opening.
DELETE FROM meta WHERE key = 'tokenizer';
