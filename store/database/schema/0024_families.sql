-- The session that one goes on from, as a fork or with what was handed over: AGENT/ID, by the agent's own id.
ALTER TABLE sessions ADD COLUMN continues TEXT;
CREATE INDEX sessions_continuing ON sessions (continues) WHERE continues IS NOT NULL;
-- Which sub-agents worked in a session.
CREATE INDEX observations_of_subagents ON observations (session_id, subagent) WHERE subagent IS NOT NULL;
