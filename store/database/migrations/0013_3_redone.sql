-- What was undone and then done again: when each was, and what undoing and redoing changed, so that the
-- memory between the two can be made again. change_id is the first change of the action. Times are ms.
CREATE TABLE redone_changes (
    id INTEGER PRIMARY KEY,
    change_id INTEGER NOT NULL REFERENCES changes (id) ON DELETE CASCADE,
    undone_at INTEGER NOT NULL,
    redone_at INTEGER NOT NULL,
    undo_changeset BLOB NOT NULL,
    redo_changeset BLOB NOT NULL
) STRICT;
CREATE INDEX redone_changes_by_change ON redone_changes (change_id);
