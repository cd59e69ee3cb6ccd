-- The records of a turn are asked for by its number. What asked for those of a session is served too.
CREATE INDEX observations_by_turn ON observations (session_id, prompt_number);
DROP INDEX observations_by_session;
