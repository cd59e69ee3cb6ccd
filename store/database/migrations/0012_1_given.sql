-- What a session was given its memories at: its start, by the source that the agent names (startup,
-- resume, clear, compact), "prompt" or "file".
ALTER TABLE given_contexts ADD COLUMN occasion TEXT NOT NULL DEFAULT 'startup';
