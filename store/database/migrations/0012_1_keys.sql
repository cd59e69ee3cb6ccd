-- No text in keys: those of replies began with what was said. `apply_script` has the functions.
UPDATE OR REPLACE captured_events SET key = stored_event_key(kind, key)
WHERE stored_event_key(kind, key) <> key;
UPDATE OR REPLACE pending_messages SET event_id = stored_event_id(event_id)
WHERE event_id LIKE '%:reply:%' AND stored_event_id(event_id) <> event_id;
UPDATE OR REPLACE observations SET event_id = stored_event_id(event_id)
WHERE event_id LIKE '%:reply:%' AND stored_event_id(event_id) <> event_id;
