-- What machines call themselves that were met, or whose rows came by way of others: machine is the id of the
-- store there.
CREATE TABLE machines (
    machine TEXT PRIMARY KEY,
    name TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO machines SELECT machine, name FROM sync_peers WHERE machine NOT LIKE 'folder-%';

-- Which memories were made on a machine. Noise, which no list shows, isn't counted among them.
CREATE INDEX observations_by_origin ON observations (origin, type);
CREATE INDEX prompts_by_origin ON prompts (origin);
CREATE INDEX summaries_by_origin ON summaries (origin);
CREATE INDEX facts_by_origin ON facts (origin);

-- That a row was hidden or shown is still to be said where it was changed again before it was.
DROP TRIGGER sessions_changed_to_sync;
CREATE TRIGGER sessions_changed_to_sync AFTER UPDATE OF hlc ON sessions
WHEN (NEW.private = 0 OR OLD.private = 0) AND (NEW.hlc, NEW.editor) <> (OLD.hlc, OLD.editor)
    AND EXISTS (SELECT 1 FROM sync_peers) BEGIN
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('sessions', NEW.uid || '/', (
        SELECT note FROM unsynced_rows WHERE kind = 'sessions' AND key = NEW.uid
    ));
    DELETE FROM unsynced_rows WHERE kind = 'sessions' AND key = NEW.uid;
    UPDATE unsynced_rows SET key = NEW.uid, note = iif(
        NEW.private > OLD.private, 'hidden', iif(NEW.private < OLD.private, 'shown', note)
    ) WHERE kind = 'sessions' AND key = NEW.uid || '/';
END;
DROP TRIGGER prompts_changed_to_sync;
CREATE TRIGGER prompts_changed_to_sync AFTER UPDATE OF hlc ON prompts
WHEN (NEW.private = 0 OR OLD.private = 0) AND (NEW.hlc, NEW.editor) <> (OLD.hlc, OLD.editor)
    AND EXISTS (SELECT 1 FROM sync_peers) BEGIN
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('prompts', NEW.uid || '/', (
        SELECT note FROM unsynced_rows WHERE kind = 'prompts' AND key = NEW.uid
    ));
    DELETE FROM unsynced_rows WHERE kind = 'prompts' AND key = NEW.uid;
    UPDATE unsynced_rows SET key = NEW.uid, note = iif(
        NEW.private > OLD.private, 'hidden', iif(NEW.private < OLD.private, 'shown', note)
    ) WHERE kind = 'prompts' AND key = NEW.uid || '/';
END;
DROP TRIGGER observations_changed_to_sync;
CREATE TRIGGER observations_changed_to_sync AFTER UPDATE OF hlc ON observations
WHEN (NEW.private = 0 OR OLD.private = 0) AND (NEW.hlc, NEW.editor) <> (OLD.hlc, OLD.editor)
    AND EXISTS (SELECT 1 FROM sync_peers) BEGIN
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('observations', NEW.uid || '/', (
        SELECT note FROM unsynced_rows WHERE kind = 'observations' AND key = NEW.uid
    ));
    DELETE FROM unsynced_rows WHERE kind = 'observations' AND key = NEW.uid;
    UPDATE unsynced_rows SET key = NEW.uid, note = iif(
        NEW.private > OLD.private, 'hidden', iif(NEW.private < OLD.private, 'shown', note)
    ) WHERE kind = 'observations' AND key = NEW.uid || '/';
END;
DROP TRIGGER summaries_changed_to_sync;
CREATE TRIGGER summaries_changed_to_sync AFTER UPDATE OF hlc ON summaries
WHEN (NEW.private = 0 OR OLD.private = 0) AND (NEW.hlc, NEW.editor) <> (OLD.hlc, OLD.editor)
    AND EXISTS (SELECT 1 FROM sync_peers) BEGIN
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('summaries', NEW.uid || '/', (
        SELECT note FROM unsynced_rows WHERE kind = 'summaries' AND key = NEW.uid
    ));
    DELETE FROM unsynced_rows WHERE kind = 'summaries' AND key = NEW.uid;
    UPDATE unsynced_rows SET key = NEW.uid, note = iif(
        NEW.private > OLD.private, 'hidden', iif(NEW.private < OLD.private, 'shown', note)
    ) WHERE kind = 'summaries' AND key = NEW.uid || '/';
END;
DROP TRIGGER facts_changed_to_sync;
CREATE TRIGGER facts_changed_to_sync AFTER UPDATE OF hlc ON facts
WHEN (NEW.private = 0 OR OLD.private = 0) AND (NEW.hlc, NEW.editor) <> (OLD.hlc, OLD.editor)
    AND EXISTS (SELECT 1 FROM sync_peers) BEGIN
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('facts', NEW.uid || '/', (
        SELECT note FROM unsynced_rows WHERE kind = 'facts' AND key = NEW.uid
    ));
    DELETE FROM unsynced_rows WHERE kind = 'facts' AND key = NEW.uid;
    UPDATE unsynced_rows SET key = NEW.uid, note = iif(
        NEW.private > OLD.private, 'hidden', iif(NEW.private < OLD.private, 'shown', note)
    ) WHERE kind = 'facts' AND key = NEW.uid || '/';
END;
DROP TRIGGER notes_changed_to_sync;
CREATE TRIGGER notes_changed_to_sync AFTER UPDATE OF hlc ON notes
WHEN (NEW.private = 0 OR OLD.private = 0) AND (NEW.hlc, NEW.editor) <> (OLD.hlc, OLD.editor)
    AND EXISTS (SELECT 1 FROM sync_peers) BEGIN
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('notes', NEW.uid || '/', (
        SELECT note FROM unsynced_rows WHERE kind = 'notes' AND key = NEW.uid
    ));
    DELETE FROM unsynced_rows WHERE kind = 'notes' AND key = NEW.uid;
    UPDATE unsynced_rows SET key = NEW.uid, note = iif(
        NEW.private > OLD.private, 'hidden', iif(NEW.private < OLD.private, 'shown', note)
    ) WHERE kind = 'notes' AND key = NEW.uid || '/';
END;
