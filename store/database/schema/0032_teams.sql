-- A team's server numbers rows by slot: team.cursors says up to which number each slot's rows are here, a list.
ALTER TABLE team DROP COLUMN cursor;
ALTER TABLE team ADD COLUMN cursors TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(cursors));

-- unseen: the versions there that what is here replaced without who edited it having seen them, parted by commas;
-- each is kept by whose words it has.
ALTER TABLE team_rows ADD COLUMN unseen TEXT NOT NULL DEFAULT '';

-- The memories that teammates shared, or edited, with who did, and whether agents are told nothing of them. Of a
-- store in no team whatever `team_rows` holds: what a machine of one's own that is in the team brought, with its
-- author. Agents are told nothing of that.
DROP VIEW team_memories;
CREATE VIEW team_memories AS
    SELECT m.kind, m.record_id,
        CASE WHEN k.author IS t.member THEN x.member WHEN x.member IS NULL OR x.member = k.author THEN k.author
        ELSE k.author || ', edited by ' || x.member END AS author,
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
