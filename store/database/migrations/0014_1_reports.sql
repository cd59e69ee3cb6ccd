-- What agents and people found of memories: that one is wrong, or of use, and why. uid is the memory's;
-- agent is who said so, "" a person. Whoever says so again replaces what it said.
CREATE TABLE reports (
    uid TEXT NOT NULL,
    agent TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('wrong', 'useful')),
    reason TEXT NOT NULL DEFAULT '',
    at INTEGER NOT NULL,
    PRIMARY KEY (uid, agent)
) STRICT, WITHOUT ROWID;

-- The memories that reports are of, hidden or not.
CREATE VIEW reported_memories AS
    SELECT 'o' AS kind, o.id AS record_id, r.verdict FROM reports r CROSS JOIN observations o ON o.uid = r.uid
    UNION ALL
    SELECT 'p', p.id, r.verdict FROM reports r CROSS JOIN prompts p ON p.uid = r.uid
    UNION ALL
    SELECT 's', s.id, r.verdict FROM reports r CROSS JOIN summaries s ON s.uid = r.uid
    UNION ALL
    SELECT 'f', f.id, r.verdict FROM reports r CROSS JOIN facts f ON f.uid = r.uid;
