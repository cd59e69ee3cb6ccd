-- The machines that changes were made on, by name. No export holds a name: changes say the id, which
-- is random.
CREATE TABLE hosts (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;

-- Which machine made a change, and which agent and machine undid it (see hosts).
ALTER TABLE changes ADD COLUMN host TEXT;
ALTER TABLE changes ADD COLUMN undone_agent TEXT;
ALTER TABLE changes ADD COLUMN undone_host TEXT;
