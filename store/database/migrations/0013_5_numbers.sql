-- The number of a record that is purged, or whose adding is undone, is never given to another one:
-- AUTOINCREMENT keeps the highest number there was, in `sqlite_sequence`. It changes what is done to a
-- new row and none that is there, so that its word is put into the schema's text: copying all rows into
-- new tables would take minutes. Making and dropping a table makes `sqlite_sequence`, and has all other
-- connections read the schema again.
CREATE TABLE numbered (id INTEGER PRIMARY KEY AUTOINCREMENT);
DROP TABLE numbered;
PRAGMA writable_schema = ON;
UPDATE sqlite_schema
    SET sql = replace(sql, 'id INTEGER PRIMARY KEY,', 'id INTEGER PRIMARY KEY AUTOINCREMENT,')
    WHERE type = 'table' AND name IN (
        'sessions', 'prompts', 'observations', 'summaries', 'facts', 'notes', 'pending_messages'
    );
PRAGMA writable_schema = RESET;
INSERT INTO sqlite_sequence (name, seq)
    SELECT kind, max(number) FROM (
        SELECT 'sessions' AS kind, max(id) AS number FROM sessions
        UNION ALL SELECT 'prompts', max(id) FROM prompts
        UNION ALL SELECT 'observations', max(id) FROM observations
        UNION ALL SELECT 'summaries', max(id) FROM summaries
        UNION ALL SELECT 'facts', max(id) FROM facts
        UNION ALL SELECT 'notes', max(id) FROM notes
        UNION ALL SELECT 'pending_messages', max(id) FROM pending_messages
        UNION ALL SELECT kind, max(record_id) FROM changed_rows GROUP BY kind
    )
    WHERE kind IN (
        'sessions', 'prompts', 'observations', 'summaries', 'facts', 'notes', 'pending_messages'
    ) GROUP BY kind HAVING max(number) IS NOT NULL;
