-- What agents' files say that a person keeps in step between machines, each machine its own file's (see
-- `store/leaves/files/sharing.py`): place is where the file lies in its project or its agent's folder, project "" of
-- what holds everywhere. text: with plain line ends, NULL where the file is no longer kept in step there. seen: by
-- machine, the version up to which its changes are in the text, and that one's SHA-256. A row of no place is a
-- choice: all files of a project, or of no project whatever other machines keep in step.
CREATE TABLE shared_files (
    project TEXT NOT NULL,
    place TEXT NOT NULL,
    machine TEXT NOT NULL,
    hlc INTEGER NOT NULL,
    text TEXT,
    seen TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(seen)),
    PRIMARY KEY (project, place, machine)
) STRICT, WITHOUT ROWID;
-- @each event: done of INSERT: added; UPDATE: changed
CREATE TRIGGER shared_files_@done_to_sync AFTER @event ON shared_files
WHEN EXISTS (SELECT 1 FROM sync_peers) BEGIN
    DELETE FROM unsynced_rows WHERE kind = 'shared_files'
        AND key = NEW.project || ' ' || NEW.place || ' ' || NEW.machine;
    INSERT INTO unsynced_rows (kind, key)
        VALUES ('shared_files', NEW.project || ' ' || NEW.place || ' ' || NEW.machine);
END;
-- @end
