-- Machines that this store is kept in step with (`store/leaves/sync`), and what of each row they have to be given.

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

-- What machines call themselves that were met, or whose rows came by way of others: machine is the id of the
-- store there.
CREATE TABLE machines (
    machine TEXT PRIMARY KEY,
    name TEXT NOT NULL
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

-- Without a peer nothing is marked: the first meeting compares digests. That a row was hidden or shown is still to
-- be said where it was changed again before it was.
-- @each table of sessions; prompts; observations; summaries; facts; notes
CREATE TRIGGER @table_added_to_sync AFTER INSERT ON @table
WHEN NEW.private = 0 AND EXISTS (SELECT 1 FROM sync_peers) BEGIN
    UPDATE @table SET hlc = (SELECT hlc + 1 FROM sync_tombstones WHERE kind = '@table' AND uid = NEW.uid)
        WHERE id = NEW.id
        AND hlc <= (SELECT hlc FROM sync_tombstones WHERE kind = '@table' AND uid = NEW.uid);
    DELETE FROM sync_tombstones WHERE kind = '@table' AND uid = NEW.uid;
    DELETE FROM unsynced_rows WHERE kind = '@table' AND key = NEW.uid;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('@table', NEW.uid, NULL);
END;
CREATE TRIGGER @table_changed_to_sync AFTER UPDATE OF hlc ON @table
WHEN (NEW.private = 0 OR OLD.private = 0) AND (NEW.hlc, NEW.editor) <> (OLD.hlc, OLD.editor)
    AND EXISTS (SELECT 1 FROM sync_peers) BEGIN
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('@table', NEW.uid || '/', (
        SELECT note FROM unsynced_rows WHERE kind = '@table' AND key = NEW.uid
    ));
    DELETE FROM unsynced_rows WHERE kind = '@table' AND key = NEW.uid;
    UPDATE unsynced_rows SET key = NEW.uid, note = iif(
        NEW.private > OLD.private, 'hidden', iif(NEW.private < OLD.private, 'shown', note)
    ) WHERE kind = '@table' AND key = NEW.uid || '/';
END;
CREATE TRIGGER @table_removed_to_sync AFTER DELETE ON @table
WHEN OLD.private = 0 AND EXISTS (SELECT 1 FROM sync_peers)
    AND NOT EXISTS (SELECT 1 FROM purged WHERE uid = OLD.uid) BEGIN
    INSERT INTO sync_tombstones SELECT '@table', OLD.uid,
        max(CAST(unixepoch('subsec') * 1000 AS INTEGER) << 16, OLD.hlc + 1), value,
        CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM meta WHERE key = 'machine_id'
        ON CONFLICT DO UPDATE SET hlc = excluded.hlc, editor = excluded.editor,
            deleted_at = excluded.deleted_at;
    DELETE FROM unsynced_rows WHERE kind = '@table' AND key = OLD.uid;
    INSERT INTO unsynced_rows (kind, key) VALUES ('@table', OLD.uid);
END;
-- @end

-- What has no private rows. key: what names a row there.
-- @each table: key of
--     fact_sources: NEW.uid; purged: NEW.uid; renamed_records: NEW.uid; merged_records: NEW.uid;
--     not_duplicates: NEW.uid || ' ' || NEW.other_uid; project_aliases: NEW.name;
--     reports: NEW.uid || ' ' || NEW.agent; saved_searches: NEW.name
CREATE TRIGGER @table_added_to_sync AFTER INSERT ON @table
WHEN EXISTS (SELECT 1 FROM sync_peers) BEGIN
    DELETE FROM unsynced_rows WHERE kind = '@table' AND key = @key;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('@table', @key, NULL);
END;
-- @end
-- Of these, `purged` and `not_duplicates` never change.
-- @each table: key of
--     fact_sources: NEW.uid; renamed_records: NEW.uid; merged_records: NEW.uid; project_aliases: NEW.name;
--     reports: NEW.uid || ' ' || NEW.agent; saved_searches: NEW.name
CREATE TRIGGER @table_changed_to_sync AFTER UPDATE ON @table
WHEN EXISTS (SELECT 1 FROM sync_peers) BEGIN
    DELETE FROM unsynced_rows WHERE kind = '@table' AND key = @key;
    INSERT INTO unsynced_rows (kind, key, note) VALUES ('@table', @key, NULL);
END;
-- @end
