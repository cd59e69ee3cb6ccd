-- version: that of the memory which a verdict was given on, its clock and machine; what was accepted holds for
-- that one only.
ALTER TABLE team_reviews ADD COLUMN version TEXT NOT NULL DEFAULT '';
UPDATE team_reviews SET version = coalesce(
    (SELECT hlc || ' ' || editor FROM facts m WHERE m.uid = team_reviews.uid),
    (SELECT hlc || ' ' || editor FROM observations m WHERE m.uid = team_reviews.uid), '');

-- The machines of the other members, as the server knew them when something was pulled last.
CREATE TABLE team_machines (
    machine TEXT PRIMARY KEY,
    member TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- As in step 25, and also what is one's own as a teammate wrote it, with that one for its author; and of a store
-- in no team whatever `team_rows` holds: what a machine of one's own that is in the team brought, with its author.
-- Agents are told nothing of that.
DROP VIEW team_memories;
CREATE VIEW team_memories AS
    SELECT m.kind, m.record_id, iif(k.author IS t.member, x.member, k.author) AS author,
        CASE t.tells WHEN 'all' THEN coalesce(r.verdict, '') IN ('kept out', 'disputed')
        WHEN 'accepted' THEN NOT (r.verdict IS 'accepted' AND r.version IS m.hlc || ' ' || m.editor) ELSE 1 END AS is_withheld
    FROM (
        SELECT 'o' AS kind, 'observations' AS name, id AS record_id, uid, hlc, editor FROM observations
        UNION ALL
        SELECT 'p', 'prompts', id, uid, hlc, editor FROM prompts
        UNION ALL
        SELECT 's', 'summaries', id, uid, hlc, editor FROM summaries
        UNION ALL
        SELECT 'f', 'facts', id, uid, hlc, editor FROM facts
        UNION ALL
        SELECT '@', 'sessions', id, uid, hlc, editor FROM sessions
        UNION ALL
        SELECT 'n', 'notes', id, uid, hlc, editor FROM notes
    ) m JOIN team_rows k ON k.kind = m.name AND k.uid = m.uid LEFT JOIN team t ON t.id = 1
    LEFT JOIN team_machines x ON x.machine = m.editor
    LEFT JOIN team_reviews r ON r.uid = m.uid AND r.member = t.member
    WHERE k.author IS NOT t.member OR x.member IS NOT NULL;
