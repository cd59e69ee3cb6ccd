-- Machines that this store is kept in step with (`store/sync`), and what of each row they have to be given.

-- Where other machines, or folders that something else carries, are met: name is what a person calls it.
-- machine is the id of the store there, NULL until it was met. direction: whether rows go both ways, only come
-- from there (read) or only go there (write). trouble: why it could not be met when it was tried last, at
-- tried_at (ms).
CREATE TABLE sync_places (
    name TEXT PRIMARY KEY,
    address TEXT NOT NULL UNIQUE,
    machine TEXT,
    automatic INTEGER NOT NULL DEFAULT 0 CHECK (automatic IN (0, 1)),
    direction TEXT NOT NULL DEFAULT 'both' CHECK (direction IN ('both', 'read', 'write')),
    trouble TEXT,
    tried_at INTEGER
) STRICT, WITHOUT ROWID;

-- The stores that were met, by the id of their machine, or by that of a folder. meeting: a random name of the
-- last meeting that both sides finished; where the two differ, one of them was restored or missed the end, and
-- digests are compared. sent: up to which mark of `unsynced_rows` it has everything; -1
-- before it was given anything.
CREATE TABLE sync_peers (
    machine TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    met_at INTEGER NOT NULL,
    meeting TEXT,
    sent INTEGER NOT NULL DEFAULT -1
) STRICT, WITHOUT ROWID;

-- Marks of rows that changed since some peer was given them: kind is the table, key what names the row there.
-- came_from: the peer that gave this version, NULL for a change of this machine; was_sent: some peer has it.
-- note: 'hidden' or 'shown' where the row became private, or ceased to be.
CREATE TABLE unsynced_rows (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    came_from TEXT,
    was_sent INTEGER NOT NULL DEFAULT 0 CHECK (was_sent IN (0, 1)),
    note TEXT,
    UNIQUE (kind, key)
) STRICT;

-- Records that no row is left of, since they were deleted on another machine before they came here, or their
-- adding was undone: only that they are gone, and since when.
CREATE TABLE sync_tombstones (
    kind TEXT NOT NULL,
    uid TEXT NOT NULL,
    hlc INTEGER NOT NULL,
    editor TEXT NOT NULL,
    deleted_at INTEGER NOT NULL,
    PRIMARY KEY (kind, uid)
) STRICT, WITHOUT ROWID;

-- Rows that a peer refused, and why: they are offered again at each meeting.
CREATE TABLE sync_refused (
    machine TEXT NOT NULL,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (machine, kind, key)
) STRICT, WITHOUT ROWID;

-- Queries of memories that neither leave nor come in.
CREATE TABLE sync_exclusions (
    query TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- The chunks of folders that were read or written, by their name (machine/hash).
CREATE TABLE sync_chunks (
    folder TEXT NOT NULL,
    chunk TEXT NOT NULL,
    PRIMARY KEY (folder, chunk)
) STRICT, WITHOUT ROWID;

-- Records that were known by two uids, since two machines imported them: `uid` is `into_uid` everywhere.
CREATE TABLE renamed_records (
    uid TEXT PRIMARY KEY,
    into_uid TEXT NOT NULL,
    kind TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX renamed_records_into ON renamed_records (into_uid);

-- Without a peer nothing is marked: the first meeting compares digests.
CREATE TRIGGER sessions_added_to_sync AFTER INSERT ON sessions
WHEN NEW.private = 0 AND EXISTS (SELECT 1 FROM sync_peers) BEGIN
    UPDATE sessions SET hlc = (SELECT hlc + 1 FROM sync_tombstones WHERE kind = 'sessions' AND uid = NEW.uid)
        WHERE id = NEW.id
        AND hlc <= (SELECT hlc FROM sync_tombstones WHERE kind = 'sessions' AND uid = NEW.uid);
    DELETE FROM sync_tombstones WHERE kind = 'sessions' AND uid = NEW.uid;
    DELETE FROM unsynced_rows WHERE kind = 'sessions' AND key = NEW.uid;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('sessions', NEW.uid, NULL);
END;
CREATE TRIGGER sessions_changed_to_sync AFTER UPDATE OF hlc ON sessions
WHEN (NEW.private = 0 OR OLD.private = 0) AND (NEW.hlc, NEW.editor) <> (OLD.hlc, OLD.editor)
    AND EXISTS (SELECT 1 FROM sync_peers) BEGIN
    DELETE FROM unsynced_rows WHERE kind = 'sessions' AND key = NEW.uid;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('sessions', NEW.uid, iif(NEW.private > OLD.private, 'hidden', iif(NEW.private < OLD.private, 'shown', NULL)));
END;
CREATE TRIGGER prompts_added_to_sync AFTER INSERT ON prompts
WHEN NEW.private = 0 AND EXISTS (SELECT 1 FROM sync_peers) BEGIN
    UPDATE prompts SET hlc = (SELECT hlc + 1 FROM sync_tombstones WHERE kind = 'prompts' AND uid = NEW.uid)
        WHERE id = NEW.id
        AND hlc <= (SELECT hlc FROM sync_tombstones WHERE kind = 'prompts' AND uid = NEW.uid);
    DELETE FROM sync_tombstones WHERE kind = 'prompts' AND uid = NEW.uid;
    DELETE FROM unsynced_rows WHERE kind = 'prompts' AND key = NEW.uid;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('prompts', NEW.uid, NULL);
END;
CREATE TRIGGER prompts_changed_to_sync AFTER UPDATE OF hlc ON prompts
WHEN (NEW.private = 0 OR OLD.private = 0) AND (NEW.hlc, NEW.editor) <> (OLD.hlc, OLD.editor)
    AND EXISTS (SELECT 1 FROM sync_peers) BEGIN
    DELETE FROM unsynced_rows WHERE kind = 'prompts' AND key = NEW.uid;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('prompts', NEW.uid, iif(NEW.private > OLD.private, 'hidden', iif(NEW.private < OLD.private, 'shown', NULL)));
END;
CREATE TRIGGER observations_added_to_sync AFTER INSERT ON observations
WHEN NEW.private = 0 AND EXISTS (SELECT 1 FROM sync_peers) BEGIN
    UPDATE observations SET hlc = (SELECT hlc + 1 FROM sync_tombstones WHERE kind = 'observations' AND uid = NEW.uid)
        WHERE id = NEW.id
        AND hlc <= (SELECT hlc FROM sync_tombstones WHERE kind = 'observations' AND uid = NEW.uid);
    DELETE FROM sync_tombstones WHERE kind = 'observations' AND uid = NEW.uid;
    DELETE FROM unsynced_rows WHERE kind = 'observations' AND key = NEW.uid;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('observations', NEW.uid, NULL);
END;
CREATE TRIGGER observations_changed_to_sync AFTER UPDATE OF hlc ON observations
WHEN (NEW.private = 0 OR OLD.private = 0) AND (NEW.hlc, NEW.editor) <> (OLD.hlc, OLD.editor)
    AND EXISTS (SELECT 1 FROM sync_peers) BEGIN
    DELETE FROM unsynced_rows WHERE kind = 'observations' AND key = NEW.uid;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('observations', NEW.uid, iif(NEW.private > OLD.private, 'hidden', iif(NEW.private < OLD.private, 'shown', NULL)));
END;
CREATE TRIGGER summaries_added_to_sync AFTER INSERT ON summaries
WHEN NEW.private = 0 AND EXISTS (SELECT 1 FROM sync_peers) BEGIN
    UPDATE summaries SET hlc = (SELECT hlc + 1 FROM sync_tombstones WHERE kind = 'summaries' AND uid = NEW.uid)
        WHERE id = NEW.id
        AND hlc <= (SELECT hlc FROM sync_tombstones WHERE kind = 'summaries' AND uid = NEW.uid);
    DELETE FROM sync_tombstones WHERE kind = 'summaries' AND uid = NEW.uid;
    DELETE FROM unsynced_rows WHERE kind = 'summaries' AND key = NEW.uid;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('summaries', NEW.uid, NULL);
END;
CREATE TRIGGER summaries_changed_to_sync AFTER UPDATE OF hlc ON summaries
WHEN (NEW.private = 0 OR OLD.private = 0) AND (NEW.hlc, NEW.editor) <> (OLD.hlc, OLD.editor)
    AND EXISTS (SELECT 1 FROM sync_peers) BEGIN
    DELETE FROM unsynced_rows WHERE kind = 'summaries' AND key = NEW.uid;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('summaries', NEW.uid, iif(NEW.private > OLD.private, 'hidden', iif(NEW.private < OLD.private, 'shown', NULL)));
END;
CREATE TRIGGER facts_added_to_sync AFTER INSERT ON facts
WHEN NEW.private = 0 AND EXISTS (SELECT 1 FROM sync_peers) BEGIN
    UPDATE facts SET hlc = (SELECT hlc + 1 FROM sync_tombstones WHERE kind = 'facts' AND uid = NEW.uid)
        WHERE id = NEW.id
        AND hlc <= (SELECT hlc FROM sync_tombstones WHERE kind = 'facts' AND uid = NEW.uid);
    DELETE FROM sync_tombstones WHERE kind = 'facts' AND uid = NEW.uid;
    DELETE FROM unsynced_rows WHERE kind = 'facts' AND key = NEW.uid;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('facts', NEW.uid, NULL);
END;
CREATE TRIGGER facts_changed_to_sync AFTER UPDATE OF hlc ON facts
WHEN (NEW.private = 0 OR OLD.private = 0) AND (NEW.hlc, NEW.editor) <> (OLD.hlc, OLD.editor)
    AND EXISTS (SELECT 1 FROM sync_peers) BEGIN
    DELETE FROM unsynced_rows WHERE kind = 'facts' AND key = NEW.uid;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('facts', NEW.uid, iif(NEW.private > OLD.private, 'hidden', iif(NEW.private < OLD.private, 'shown', NULL)));
END;
CREATE TRIGGER notes_added_to_sync AFTER INSERT ON notes
WHEN NEW.private = 0 AND EXISTS (SELECT 1 FROM sync_peers) BEGIN
    UPDATE notes SET hlc = (SELECT hlc + 1 FROM sync_tombstones WHERE kind = 'notes' AND uid = NEW.uid)
        WHERE id = NEW.id
        AND hlc <= (SELECT hlc FROM sync_tombstones WHERE kind = 'notes' AND uid = NEW.uid);
    DELETE FROM sync_tombstones WHERE kind = 'notes' AND uid = NEW.uid;
    DELETE FROM unsynced_rows WHERE kind = 'notes' AND key = NEW.uid;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('notes', NEW.uid, NULL);
END;
CREATE TRIGGER notes_changed_to_sync AFTER UPDATE OF hlc ON notes
WHEN (NEW.private = 0 OR OLD.private = 0) AND (NEW.hlc, NEW.editor) <> (OLD.hlc, OLD.editor)
    AND EXISTS (SELECT 1 FROM sync_peers) BEGIN
    DELETE FROM unsynced_rows WHERE kind = 'notes' AND key = NEW.uid;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('notes', NEW.uid, iif(NEW.private > OLD.private, 'hidden', iif(NEW.private < OLD.private, 'shown', NULL)));
END;
CREATE TRIGGER fact_sources_added_to_sync AFTER INSERT ON fact_sources
WHEN EXISTS (SELECT 1 FROM sync_peers) BEGIN
    DELETE FROM unsynced_rows WHERE kind = 'fact_sources' AND key = NEW.uid;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('fact_sources', NEW.uid, NULL);
END;
CREATE TRIGGER fact_sources_changed_to_sync AFTER UPDATE ON fact_sources
WHEN EXISTS (SELECT 1 FROM sync_peers) BEGIN
    DELETE FROM unsynced_rows WHERE kind = 'fact_sources' AND key = NEW.uid;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('fact_sources', NEW.uid, NULL);
END;
CREATE TRIGGER purged_added_to_sync AFTER INSERT ON purged
WHEN EXISTS (SELECT 1 FROM sync_peers) BEGIN
    DELETE FROM unsynced_rows WHERE kind = 'purged' AND key = NEW.uid;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('purged', NEW.uid, NULL);
END;
CREATE TRIGGER renamed_records_added_to_sync AFTER INSERT ON renamed_records
WHEN EXISTS (SELECT 1 FROM sync_peers) BEGIN
    DELETE FROM unsynced_rows WHERE kind = 'renamed_records' AND key = NEW.uid;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('renamed_records', NEW.uid, NULL);
END;
CREATE TRIGGER renamed_records_changed_to_sync AFTER UPDATE ON renamed_records
WHEN EXISTS (SELECT 1 FROM sync_peers) BEGIN
    DELETE FROM unsynced_rows WHERE kind = 'renamed_records' AND key = NEW.uid;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('renamed_records', NEW.uid, NULL);
END;
CREATE TRIGGER merged_records_added_to_sync AFTER INSERT ON merged_records
WHEN EXISTS (SELECT 1 FROM sync_peers) BEGIN
    DELETE FROM unsynced_rows WHERE kind = 'merged_records' AND key = NEW.uid;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('merged_records', NEW.uid, NULL);
END;
CREATE TRIGGER merged_records_changed_to_sync AFTER UPDATE ON merged_records
WHEN EXISTS (SELECT 1 FROM sync_peers) BEGIN
    DELETE FROM unsynced_rows WHERE kind = 'merged_records' AND key = NEW.uid;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('merged_records', NEW.uid, NULL);
END;
CREATE TRIGGER not_duplicates_added_to_sync AFTER INSERT ON not_duplicates
WHEN EXISTS (SELECT 1 FROM sync_peers) BEGIN
    DELETE FROM unsynced_rows WHERE kind = 'not_duplicates' AND key = NEW.uid || ' ' || NEW.other_uid;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('not_duplicates', NEW.uid || ' ' || NEW.other_uid, NULL);
END;
CREATE TRIGGER project_aliases_added_to_sync AFTER INSERT ON project_aliases
WHEN EXISTS (SELECT 1 FROM sync_peers) BEGIN
    DELETE FROM unsynced_rows WHERE kind = 'project_aliases' AND key = NEW.name;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('project_aliases', NEW.name, NULL);
END;
CREATE TRIGGER project_aliases_changed_to_sync AFTER UPDATE ON project_aliases
WHEN EXISTS (SELECT 1 FROM sync_peers) BEGIN
    DELETE FROM unsynced_rows WHERE kind = 'project_aliases' AND key = NEW.name;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('project_aliases', NEW.name, NULL);
END;
CREATE TRIGGER reports_added_to_sync AFTER INSERT ON reports
WHEN EXISTS (SELECT 1 FROM sync_peers) BEGIN
    DELETE FROM unsynced_rows WHERE kind = 'reports' AND key = NEW.uid || ' ' || NEW.agent;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('reports', NEW.uid || ' ' || NEW.agent, NULL);
END;
CREATE TRIGGER reports_changed_to_sync AFTER UPDATE ON reports
WHEN EXISTS (SELECT 1 FROM sync_peers) BEGIN
    DELETE FROM unsynced_rows WHERE kind = 'reports' AND key = NEW.uid || ' ' || NEW.agent;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('reports', NEW.uid || ' ' || NEW.agent, NULL);
END;
CREATE TRIGGER saved_searches_added_to_sync AFTER INSERT ON saved_searches
WHEN EXISTS (SELECT 1 FROM sync_peers) BEGIN
    DELETE FROM unsynced_rows WHERE kind = 'saved_searches' AND key = NEW.name;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('saved_searches', NEW.name, NULL);
END;
CREATE TRIGGER saved_searches_changed_to_sync AFTER UPDATE ON saved_searches
WHEN EXISTS (SELECT 1 FROM sync_peers) BEGIN
    DELETE FROM unsynced_rows WHERE kind = 'saved_searches' AND key = NEW.name;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('saved_searches', NEW.name, NULL);
END;
CREATE TRIGGER sessions_removed_to_sync AFTER DELETE ON sessions
WHEN OLD.private = 0 AND EXISTS (SELECT 1 FROM sync_peers)
    AND NOT EXISTS (SELECT 1 FROM purged WHERE uid = OLD.uid) BEGIN
    INSERT INTO sync_tombstones SELECT 'sessions', OLD.uid,
        max(CAST(unixepoch('subsec') * 1000 AS INTEGER) << 16, OLD.hlc + 1), value,
        CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM meta WHERE key = 'machine_id'
        ON CONFLICT DO UPDATE SET hlc = excluded.hlc, editor = excluded.editor,
            deleted_at = excluded.deleted_at;
    DELETE FROM unsynced_rows WHERE kind = 'sessions' AND key = OLD.uid;
    INSERT INTO unsynced_rows (kind, key) VALUES ('sessions', OLD.uid);
END;
CREATE TRIGGER prompts_removed_to_sync AFTER DELETE ON prompts
WHEN OLD.private = 0 AND EXISTS (SELECT 1 FROM sync_peers)
    AND NOT EXISTS (SELECT 1 FROM purged WHERE uid = OLD.uid) BEGIN
    INSERT INTO sync_tombstones SELECT 'prompts', OLD.uid,
        max(CAST(unixepoch('subsec') * 1000 AS INTEGER) << 16, OLD.hlc + 1), value,
        CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM meta WHERE key = 'machine_id'
        ON CONFLICT DO UPDATE SET hlc = excluded.hlc, editor = excluded.editor,
            deleted_at = excluded.deleted_at;
    DELETE FROM unsynced_rows WHERE kind = 'prompts' AND key = OLD.uid;
    INSERT INTO unsynced_rows (kind, key) VALUES ('prompts', OLD.uid);
END;
CREATE TRIGGER observations_removed_to_sync AFTER DELETE ON observations
WHEN OLD.private = 0 AND EXISTS (SELECT 1 FROM sync_peers)
    AND NOT EXISTS (SELECT 1 FROM purged WHERE uid = OLD.uid) BEGIN
    INSERT INTO sync_tombstones SELECT 'observations', OLD.uid,
        max(CAST(unixepoch('subsec') * 1000 AS INTEGER) << 16, OLD.hlc + 1), value,
        CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM meta WHERE key = 'machine_id'
        ON CONFLICT DO UPDATE SET hlc = excluded.hlc, editor = excluded.editor,
            deleted_at = excluded.deleted_at;
    DELETE FROM unsynced_rows WHERE kind = 'observations' AND key = OLD.uid;
    INSERT INTO unsynced_rows (kind, key) VALUES ('observations', OLD.uid);
END;
CREATE TRIGGER summaries_removed_to_sync AFTER DELETE ON summaries
WHEN OLD.private = 0 AND EXISTS (SELECT 1 FROM sync_peers)
    AND NOT EXISTS (SELECT 1 FROM purged WHERE uid = OLD.uid) BEGIN
    INSERT INTO sync_tombstones SELECT 'summaries', OLD.uid,
        max(CAST(unixepoch('subsec') * 1000 AS INTEGER) << 16, OLD.hlc + 1), value,
        CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM meta WHERE key = 'machine_id'
        ON CONFLICT DO UPDATE SET hlc = excluded.hlc, editor = excluded.editor,
            deleted_at = excluded.deleted_at;
    DELETE FROM unsynced_rows WHERE kind = 'summaries' AND key = OLD.uid;
    INSERT INTO unsynced_rows (kind, key) VALUES ('summaries', OLD.uid);
END;
CREATE TRIGGER facts_removed_to_sync AFTER DELETE ON facts
WHEN OLD.private = 0 AND EXISTS (SELECT 1 FROM sync_peers)
    AND NOT EXISTS (SELECT 1 FROM purged WHERE uid = OLD.uid) BEGIN
    INSERT INTO sync_tombstones SELECT 'facts', OLD.uid,
        max(CAST(unixepoch('subsec') * 1000 AS INTEGER) << 16, OLD.hlc + 1), value,
        CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM meta WHERE key = 'machine_id'
        ON CONFLICT DO UPDATE SET hlc = excluded.hlc, editor = excluded.editor,
            deleted_at = excluded.deleted_at;
    DELETE FROM unsynced_rows WHERE kind = 'facts' AND key = OLD.uid;
    INSERT INTO unsynced_rows (kind, key) VALUES ('facts', OLD.uid);
END;
CREATE TRIGGER notes_removed_to_sync AFTER DELETE ON notes
WHEN OLD.private = 0 AND EXISTS (SELECT 1 FROM sync_peers)
    AND NOT EXISTS (SELECT 1 FROM purged WHERE uid = OLD.uid) BEGIN
    INSERT INTO sync_tombstones SELECT 'notes', OLD.uid,
        max(CAST(unixepoch('subsec') * 1000 AS INTEGER) << 16, OLD.hlc + 1), value,
        CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM meta WHERE key = 'machine_id'
        ON CONFLICT DO UPDATE SET hlc = excluded.hlc, editor = excluded.editor,
            deleted_at = excluded.deleted_at;
    DELETE FROM unsynced_rows WHERE kind = 'notes' AND key = OLD.uid;
    INSERT INTO unsynced_rows (kind, key) VALUES ('notes', OLD.uid);
END;
