-- What is shared by choice, or by a project's rule, is looked at anew by the next meeting, also where a change
-- was taken back.
CREATE TRIGGER team_choices_added AFTER INSERT ON team_choices BEGIN
    UPDATE sync_peers SET meeting = NULL WHERE machine LIKE 'team-%' AND meeting IS NOT NULL;
END;
CREATE TRIGGER team_choices_changed AFTER UPDATE ON team_choices BEGIN
    UPDATE sync_peers SET meeting = NULL WHERE machine LIKE 'team-%' AND meeting IS NOT NULL;
END;
CREATE TRIGGER team_choices_removed AFTER DELETE ON team_choices BEGIN
    UPDATE sync_peers SET meeting = NULL WHERE machine LIKE 'team-%' AND meeting IS NOT NULL;
END;
CREATE TRIGGER team_projects_added AFTER INSERT ON team_projects BEGIN
    UPDATE sync_peers SET meeting = NULL WHERE machine LIKE 'team-%' AND meeting IS NOT NULL;
END;
CREATE TRIGGER team_projects_changed AFTER UPDATE ON team_projects BEGIN
    UPDATE sync_peers SET meeting = NULL WHERE machine LIKE 'team-%' AND meeting IS NOT NULL;
END;
CREATE TRIGGER team_projects_removed AFTER DELETE ON team_projects BEGIN
    UPDATE sync_peers SET meeting = NULL WHERE machine LIKE 'team-%' AND meeting IS NOT NULL;
END;

-- As in step 25, and of a store in no team whatever `team_rows` holds: what a machine of one's own that is in
-- the team brought, with its author. Agents are told nothing of that.
DROP VIEW team_memories;
CREATE VIEW team_memories AS
    SELECT 'o' AS kind, m.id AS record_id, k.author, CASE t.tells WHEN 'all' THEN coalesce(r.verdict, '') IN ('kept out', 'disputed')
        WHEN 'accepted' THEN coalesce(r.verdict, '') <> 'accepted' ELSE 1 END AS is_withheld
    FROM observations m JOIN team_rows k ON k.kind = 'observations' AND k.uid = m.uid LEFT JOIN team t ON t.id = 1
    LEFT JOIN team_reviews r ON r.uid = m.uid AND r.member = t.member WHERE k.author IS NOT t.member
    UNION ALL
    SELECT 'p', m.id, k.author, CASE t.tells WHEN 'all' THEN coalesce(r.verdict, '') IN ('kept out', 'disputed')
        WHEN 'accepted' THEN coalesce(r.verdict, '') <> 'accepted' ELSE 1 END
    FROM prompts m JOIN team_rows k ON k.kind = 'prompts' AND k.uid = m.uid LEFT JOIN team t ON t.id = 1
    LEFT JOIN team_reviews r ON r.uid = m.uid AND r.member = t.member WHERE k.author IS NOT t.member
    UNION ALL
    SELECT 's', m.id, k.author, CASE t.tells WHEN 'all' THEN coalesce(r.verdict, '') IN ('kept out', 'disputed')
        WHEN 'accepted' THEN coalesce(r.verdict, '') <> 'accepted' ELSE 1 END
    FROM summaries m JOIN team_rows k ON k.kind = 'summaries' AND k.uid = m.uid LEFT JOIN team t ON t.id = 1
    LEFT JOIN team_reviews r ON r.uid = m.uid AND r.member = t.member WHERE k.author IS NOT t.member
    UNION ALL
    SELECT 'f', m.id, k.author, CASE t.tells WHEN 'all' THEN coalesce(r.verdict, '') IN ('kept out', 'disputed')
        WHEN 'accepted' THEN coalesce(r.verdict, '') <> 'accepted' ELSE 1 END
    FROM facts m JOIN team_rows k ON k.kind = 'facts' AND k.uid = m.uid LEFT JOIN team t ON t.id = 1
    LEFT JOIN team_reviews r ON r.uid = m.uid AND r.member = t.member WHERE k.author IS NOT t.member
    UNION ALL
    SELECT '@', m.id, k.author, CASE t.tells WHEN 'all' THEN coalesce(r.verdict, '') IN ('kept out', 'disputed')
        WHEN 'accepted' THEN coalesce(r.verdict, '') <> 'accepted' ELSE 1 END
    FROM sessions m JOIN team_rows k ON k.kind = 'sessions' AND k.uid = m.uid LEFT JOIN team t ON t.id = 1
    LEFT JOIN team_reviews r ON r.uid = m.uid AND r.member = t.member WHERE k.author IS NOT t.member
    UNION ALL
    SELECT 'n', m.id, k.author, CASE t.tells WHEN 'all' THEN coalesce(r.verdict, '') IN ('kept out', 'disputed')
        WHEN 'accepted' THEN coalesce(r.verdict, '') <> 'accepted' ELSE 1 END
    FROM notes m JOIN team_rows k ON k.kind = 'notes' AND k.uid = m.uid LEFT JOIN team t ON t.id = 1
    LEFT JOIN team_reviews r ON r.uid = m.uid AND r.member = t.member WHERE k.author IS NOT t.member;
