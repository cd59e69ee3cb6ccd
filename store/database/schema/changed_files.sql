-- Which files of memories git says have changed since, as of the commit that was read last: derived from
-- git's log, and made anew whenever that goes on.

-- How far git's log was read. No path stands here: files are labels, and a repository is known by the digest
-- of its root, and where its sessions were at work by another. labels, documents: the newest of them that were
-- looked at. since: commits were read from this time (ms) on.
CREATE TABLE repositories (
    id INTEGER PRIMARY KEY,
    place TEXT NOT NULL UNIQUE,
    head TEXT NOT NULL DEFAULT '',
    sessions TEXT NOT NULL DEFAULT '',
    labels INTEGER NOT NULL DEFAULT 0,
    documents INTEGER NOT NULL DEFAULT 0,
    since INTEGER NOT NULL DEFAULT 0
) STRICT;

-- The commits that changed a file, numbered from the newest on. previous_at is that of the one before it;
-- status is git's: M, D, R and others.
CREATE TABLE file_commits (
    label_id INTEGER NOT NULL,
    repository_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    committed_at INTEGER NOT NULL,
    authored_at INTEGER NOT NULL,
    previous_at INTEGER NOT NULL,
    status TEXT NOT NULL,
    PRIMARY KEY (label_id, repository_id, number)
) STRICT, WITHOUT ROWID;

-- The id of the last label, and of the last document, may be given again.
CREATE TRIGGER labels_forgotten AFTER DELETE ON label_names BEGIN
    DELETE FROM file_commits WHERE label_id = OLD.id;
    UPDATE repositories SET labels = (SELECT ifnull(max(id), 0) FROM label_names)
        WHERE labels > (SELECT ifnull(max(id), 0) FROM label_names);
END;
CREATE TRIGGER documents_forgotten AFTER DELETE ON documents BEGIN
    UPDATE repositories SET documents = (SELECT ifnull(max(id), 0) FROM documents)
        WHERE documents > (SELECT ifnull(max(id), 0) FROM documents);
END;
-- What was looked at is looked at again where it has changed.
CREATE TRIGGER documents_moved AFTER UPDATE OF created_at, session_id ON documents
WHEN (OLD.created_at, OLD.session_id) IS NOT (NEW.created_at, NEW.session_id) BEGIN
    UPDATE repositories SET documents = OLD.id - 1 WHERE documents >= OLD.id;
END;
CREATE TRIGGER observations_refiled AFTER UPDATE OF files_read, files_modified ON observations
WHEN (OLD.files_read, OLD.files_modified) IS NOT (NEW.files_read, NEW.files_modified) BEGIN
    UPDATE repositories SET documents = (
        SELECT id - 1 FROM documents WHERE kind = 'o' AND record_id = NEW.id
    ) WHERE documents >= (SELECT id FROM documents WHERE kind = 'o' AND record_id = NEW.id);
END;
