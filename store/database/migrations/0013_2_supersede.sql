-- The uid of the fact that took the place of one: what it says is no longer true, and no session is told.
-- One that was purged since has no row, and supersedes still.
ALTER TABLE facts ADD COLUMN superseded_by TEXT;
CREATE INDEX facts_superseded ON facts (superseded_by) WHERE superseded_by IS NOT NULL;
