-- The rules' record of a message, which stands until a model's answer takes its place (purged with
-- it), and how the message ended: by whom it was observed, or why nothing came of it.
ALTER TABLE pending_messages ADD COLUMN observation_id INTEGER
    REFERENCES observations (id) ON DELETE CASCADE;
ALTER TABLE pending_messages ADD COLUMN summary_id INTEGER
    REFERENCES summaries (id) ON DELETE CASCADE;
ALTER TABLE pending_messages ADD COLUMN outcome TEXT;
UPDATE pending_messages SET observation_id = (
    SELECT id FROM observations WHERE observations.event_id = pending_messages.event_id
) WHERE kind = 'observation' AND event_id IS NOT NULL;
CREATE INDEX pending_messages_by_observation ON pending_messages (observation_id)
    WHERE observation_id IS NOT NULL;
CREATE INDEX pending_messages_by_summary ON pending_messages (summary_id)
    WHERE summary_id IS NOT NULL;
CREATE INDEX pending_messages_unobserved ON pending_messages (id)
    WHERE observation_id IS NULL AND summary_id IS NULL AND status IN ('pending', 'processing');
-- What has a record, without reading through its payload.
CREATE INDEX pending_messages_observed ON pending_messages (
    status, created_at, not_before, lease_until, session_id, prompt_number, kind, attempts, source
) WHERE observation_id IS NOT NULL OR summary_id IS NOT NULL;

-- What models were asked, by day (UTC, days since the epoch): calls, those of them that failed, and
-- tokens. A call is counted by an estimate before it is made, and by the model's own count after.
CREATE TABLE observer_days (
    day INTEGER NOT NULL,
    model TEXT NOT NULL,
    calls INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    PRIMARY KEY (day, model)
) STRICT, WITHOUT ROWID;
