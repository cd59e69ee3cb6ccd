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

-- As in step 28, and what is one's own as a teammate wrote it, with that one for its author.
DROP VIEW team_memories;
CREATE VIEW team_memories AS
    SELECT 'o' AS kind, m.id AS record_id, iif(k.author IS t.member, x.member, k.author) AS author,
        CASE t.tells WHEN 'all' THEN coalesce(r.verdict, '') IN ('kept out', 'disputed')
        WHEN 'accepted' THEN NOT (r.verdict IS 'accepted' AND r.version IS m.hlc || ' ' || m.editor) ELSE 1 END AS is_withheld
    FROM observations m JOIN team_rows k ON k.kind = 'observations' AND k.uid = m.uid LEFT JOIN team t ON t.id = 1
    LEFT JOIN team_machines x ON x.machine = m.editor
    LEFT JOIN team_reviews r ON r.uid = m.uid AND r.member = t.member
    WHERE k.author IS NOT t.member OR x.member IS NOT NULL
    UNION ALL
    SELECT 'p', m.id, iif(k.author IS t.member, x.member, k.author),
        CASE t.tells WHEN 'all' THEN coalesce(r.verdict, '') IN ('kept out', 'disputed')
        WHEN 'accepted' THEN NOT (r.verdict IS 'accepted' AND r.version IS m.hlc || ' ' || m.editor) ELSE 1 END
    FROM prompts m JOIN team_rows k ON k.kind = 'prompts' AND k.uid = m.uid LEFT JOIN team t ON t.id = 1
    LEFT JOIN team_machines x ON x.machine = m.editor
    LEFT JOIN team_reviews r ON r.uid = m.uid AND r.member = t.member
    WHERE k.author IS NOT t.member OR x.member IS NOT NULL
    UNION ALL
    SELECT 's', m.id, iif(k.author IS t.member, x.member, k.author),
        CASE t.tells WHEN 'all' THEN coalesce(r.verdict, '') IN ('kept out', 'disputed')
        WHEN 'accepted' THEN NOT (r.verdict IS 'accepted' AND r.version IS m.hlc || ' ' || m.editor) ELSE 1 END
    FROM summaries m JOIN team_rows k ON k.kind = 'summaries' AND k.uid = m.uid LEFT JOIN team t ON t.id = 1
    LEFT JOIN team_machines x ON x.machine = m.editor
    LEFT JOIN team_reviews r ON r.uid = m.uid AND r.member = t.member
    WHERE k.author IS NOT t.member OR x.member IS NOT NULL
    UNION ALL
    SELECT 'f', m.id, iif(k.author IS t.member, x.member, k.author),
        CASE t.tells WHEN 'all' THEN coalesce(r.verdict, '') IN ('kept out', 'disputed')
        WHEN 'accepted' THEN NOT (r.verdict IS 'accepted' AND r.version IS m.hlc || ' ' || m.editor) ELSE 1 END
    FROM facts m JOIN team_rows k ON k.kind = 'facts' AND k.uid = m.uid LEFT JOIN team t ON t.id = 1
    LEFT JOIN team_machines x ON x.machine = m.editor
    LEFT JOIN team_reviews r ON r.uid = m.uid AND r.member = t.member
    WHERE k.author IS NOT t.member OR x.member IS NOT NULL
    UNION ALL
    SELECT '@', m.id, iif(k.author IS t.member, x.member, k.author),
        CASE t.tells WHEN 'all' THEN coalesce(r.verdict, '') IN ('kept out', 'disputed')
        WHEN 'accepted' THEN NOT (r.verdict IS 'accepted' AND r.version IS m.hlc || ' ' || m.editor) ELSE 1 END
    FROM sessions m JOIN team_rows k ON k.kind = 'sessions' AND k.uid = m.uid LEFT JOIN team t ON t.id = 1
    LEFT JOIN team_machines x ON x.machine = m.editor
    LEFT JOIN team_reviews r ON r.uid = m.uid AND r.member = t.member
    WHERE k.author IS NOT t.member OR x.member IS NOT NULL
    UNION ALL
    SELECT 'n', m.id, iif(k.author IS t.member, x.member, k.author),
        CASE t.tells WHEN 'all' THEN coalesce(r.verdict, '') IN ('kept out', 'disputed')
        WHEN 'accepted' THEN NOT (r.verdict IS 'accepted' AND r.version IS m.hlc || ' ' || m.editor) ELSE 1 END
    FROM notes m JOIN team_rows k ON k.kind = 'notes' AND k.uid = m.uid LEFT JOIN team t ON t.id = 1
    LEFT JOIN team_machines x ON x.machine = m.editor
    LEFT JOIN team_reviews r ON r.uid = m.uid AND r.member = t.member
    WHERE k.author IS NOT t.member OR x.member IS NOT NULL;
