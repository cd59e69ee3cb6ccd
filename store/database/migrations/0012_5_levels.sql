-- Brief and detailed are two levels of one summary. The detailed one is the document; a brief one is a
-- document only while its detailed one is hidden, deleted or missing.

-- Which detailed summary a brief one belongs to: the last of its session and project that an observer, or
-- the same program, wrote too. What a person wrote by hand belongs to another only where that says all of
-- it, for else a part of it could not be found.
CREATE VIEW summary_levels AS
    SELECT b.id AS brief_id, b.session_id, (
        SELECT max(d.id) FROM summaries d
        WHERE d.session_id = b.session_id AND d.level = 'detailed' AND d.project = b.project
            AND d.source IS b.source AND (d.text IS NULL) = (b.text IS NULL)
            AND (iif(json_valid(d.extra), json_extract(d.extra, '$.observer'), NULL) IS NULL)
                = (iif(json_valid(b.extra), json_extract(b.extra, '$.observer'), NULL) IS NULL)
            AND (
                b.source IS NOT NULL
                OR iif(json_valid(b.extra), json_extract(b.extra, '$.observer'), NULL) IS NOT NULL
                OR (
                    instr(ifnull(d.request, ''), ifnull(b.request, ''))
                    AND instr(ifnull(d.investigated, ''), ifnull(b.investigated, ''))
                    AND instr(ifnull(d.learned, ''), ifnull(b.learned, ''))
                    AND instr(ifnull(d.completed, ''), ifnull(b.completed, ''))
                    AND instr(ifnull(d.next_steps, ''), ifnull(b.next_steps, ''))
                    AND instr(ifnull(d.notes, ''), ifnull(b.notes, ''))
                    AND instr(ifnull(d.text, ''), ifnull(b.text, ''))
                )
            )
    ) AS detailed_id
    FROM summaries b WHERE b.level = 'brief';

-- The brief ones that are no documents.
CREATE VIEW second_levels AS
    SELECT l.brief_id, l.session_id FROM summary_levels l JOIN summaries d ON d.id = l.detailed_id
    WHERE d.private = 0 AND d.deleted_at IS NULL;

DROP VIEW visible_memories;
CREATE VIEW visible_memories AS
    SELECT kind, record_id, session_id, project, type, created_at, pinned FROM memories m
    WHERE private = 0 AND deleted_at IS NULL AND type <> 'noise'
        AND NOT (kind = 's' AND EXISTS (SELECT 1 FROM second_levels WHERE brief_id = m.record_id));

DROP TRIGGER summaries_inserted;
CREATE TRIGGER summaries_inserted AFTER INSERT ON summaries
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL BEGIN
    DELETE FROM documents WHERE kind = 's'
        AND record_id IN (SELECT brief_id FROM second_levels WHERE session_id = NEW.session_id);
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT * FROM visible_memories WHERE kind = 's' AND record_id = NEW.id;
END;
CREATE TRIGGER summaries_levelled AFTER UPDATE OF private, deleted_at, session_id, project, level,
    source, extra, request, investigated, learned, completed, next_steps, notes, text
ON summaries BEGIN
    DELETE FROM documents WHERE kind = 's'
        AND record_id IN (SELECT brief_id FROM second_levels WHERE session_id = NEW.session_id);
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT * FROM visible_memories WHERE kind = 's' AND record_id IN (
            SELECT brief_id FROM summary_levels WHERE session_id IN (OLD.session_id, NEW.session_id)
        ) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER summaries_alone AFTER DELETE ON summaries WHEN OLD.level = 'detailed' BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT * FROM visible_memories WHERE kind = 's' AND record_id IN (
            SELECT brief_id FROM summary_levels WHERE session_id = OLD.session_id
        ) ON CONFLICT DO NOTHING;
END;

DELETE FROM documents WHERE kind = 's' AND record_id IN (SELECT brief_id FROM second_levels);
