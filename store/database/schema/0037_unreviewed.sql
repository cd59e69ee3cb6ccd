-- What an agent or a model wrote waits for its user's word (`[memory] review`): agents are told nothing of it until then.
-- @each table: kind of observations: o; summaries: s; facts: f; notes: n
ALTER TABLE @table ADD COLUMN unreviewed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX @table_unreviewed ON @table (unreviewed) WHERE unreviewed = 1;
-- @end
CREATE VIEW unreviewed_memories AS
    SELECT 'o' AS kind, id AS record_id FROM observations WHERE unreviewed = 1
    UNION ALL SELECT 's', id FROM summaries WHERE unreviewed = 1
    UNION ALL SELECT 'f', id FROM facts WHERE unreviewed = 1
    UNION ALL SELECT 'n', id FROM notes WHERE unreviewed = 1;
