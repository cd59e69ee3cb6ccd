-- A document is a searchable row: an observation, prompt, summary or fact that is neither private
-- nor deleted, nor noise. Lists, timelines, counts and indexes read documents, so none of them can
-- show a hidden row. kind: o, p, s, f. type: an observation's type, otherwise the kind's name.
-- Triggers derive them, and their labels, from the rows.
CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    record_id INTEGER NOT NULL,
    session_id INTEGER,
    project TEXT NOT NULL,
    type TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    pinned INTEGER NOT NULL
);
CREATE UNIQUE INDEX documents_by_record ON documents (kind, record_id);
CREATE INDEX documents_by_time ON documents (created_at);
CREATE INDEX documents_by_project ON documents (project, created_at);
CREATE INDEX documents_by_session ON documents (session_id, created_at, kind);
CREATE INDEX documents_by_type ON documents (type, created_at);
CREATE INDEX documents_pinned ON documents (created_at) WHERE pinned = 1;
-- A project's last summary and facts, without a walk over all of its observations.
CREATE INDEX documents_summaries ON documents (project, created_at) WHERE kind = 's';
CREATE INDEX documents_facts ON documents (project, created_at) WHERE kind = 'f';

-- Documents whose text has changed and waits to be indexed; the store feeds the indexes before it
-- commits, other programs' writes are caught up by the next process that can write.
CREATE TABLE unindexed (document_id INTEGER PRIMARY KEY);

-- The inverted index of the lists. Names are stored once, so that a use costs a few bytes.
CREATE TABLE label_names (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    UNIQUE (kind, value)
);
CREATE TABLE label_uses (
    label_id INTEGER NOT NULL,
    document_id INTEGER NOT NULL,
    PRIMARY KEY (label_id, document_id)
) WITHOUT ROWID;
