-- The lines that a document in somebody's words cites (path:42) and that are gone, each with the commit (ms)
-- that took them: derived of git's log, as file_commits is.
CREATE TABLE gone_lines (
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    citation TEXT NOT NULL,
    committed_at INTEGER NOT NULL,
    PRIMARY KEY (document_id, citation)
) STRICT, WITHOUT ROWID;
