-- The trash, the last deleted first.
CREATE INDEX sessions_in_trash ON sessions (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX prompts_in_trash ON prompts (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX observations_in_trash ON observations (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX summaries_in_trash ON summaries (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX facts_in_trash ON facts (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX notes_in_trash ON notes (deleted_at) WHERE deleted_at IS NOT NULL;
-- Noise, with what says whether it is visible.
DROP INDEX IF EXISTS observations_noise;
CREATE INDEX observations_noise ON observations (private, deleted_at) WHERE type = 'noise';
-- Replies that are kept, with their length.
CREATE INDEX observations_replies
    ON observations (length(title) + length(coalesce(narrative, '')))
    WHERE tool_name = 'reply' AND private = 0 AND deleted_at IS NULL;
-- What is hidden, with why.
DROP INDEX IF EXISTS observations_hidden;
DROP INDEX IF EXISTS prompts_hidden;
DROP INDEX IF EXISTS summaries_hidden;
DROP INDEX IF EXISTS facts_hidden;
CREATE INDEX observations_hidden ON observations (created_at, private, deleted_at)
    WHERE private = 1 OR deleted_at IS NOT NULL;
CREATE INDEX prompts_hidden ON prompts (created_at, private, deleted_at)
    WHERE private = 1 OR deleted_at IS NOT NULL;
CREATE INDEX summaries_hidden ON summaries (created_at, private, deleted_at)
    WHERE private = 1 OR deleted_at IS NOT NULL;
CREATE INDEX facts_hidden ON facts (created_at, private, deleted_at)
    WHERE private = 1 OR deleted_at IS NOT NULL;
-- What the list of sessions counts.
CREATE INDEX sessions_listed ON sessions (started_at, project, agent)
    WHERE private = 0 AND deleted_at IS NULL;
