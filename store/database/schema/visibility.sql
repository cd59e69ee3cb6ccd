-- Why is this row hidden? `visible_memories` is the rule: a record has a document, and with it a place in
-- lists, counts and indexes, unless it is private, deleted, noise, or the second level of a summary. The
-- triggers in documents.sql follow these views, whoever writes the rows. Views read rows as other programs
-- and failing disks leave them: lists that are no JSON, items that are null, a session that is not there.

-- All memories in the shape of documents, hidden or not.
CREATE VIEW memories AS
    SELECT 'o' AS kind, id AS record_id, session_id, project, type,
        created_at, pinned, private, deleted_at FROM observations
    UNION ALL
    SELECT 'p', id, session_id, coalesce((SELECT project FROM sessions WHERE id = prompts.session_id), ''),
        'prompt', created_at, pinned, private, deleted_at FROM prompts
    UNION ALL
    SELECT 's', id, session_id, project, 'summary',
        created_at, pinned, private, deleted_at FROM summaries
    UNION ALL
    SELECT 'f', id, NULL, project, 'fact',
        created_at, pinned, private, deleted_at FROM facts;

-- Brief and detailed are two levels of one summary. The detailed one is the document; a brief one is a
-- document only while its detailed one is hidden, deleted or missing. It belongs to the last detailed one of
-- its session and project that an observer, or the same program, wrote too. What a person wrote by hand
-- belongs to another only where that says all of it, for else a part of it could not be found.
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

-- The brief summaries that are no documents.
CREATE VIEW second_levels AS
    SELECT l.brief_id, l.session_id FROM summary_levels l JOIN summaries d ON d.id = l.detailed_id
    WHERE d.private = 0 AND d.deleted_at IS NULL;

-- The memories that are documents: the rule.
CREATE VIEW visible_memories AS
    SELECT kind, record_id, session_id, project, type, created_at, pinned FROM memories m
    WHERE private = 0 AND deleted_at IS NULL AND type <> 'noise'
        AND NOT (kind = 's' AND EXISTS (SELECT 1 FROM second_levels WHERE brief_id = m.record_id));

-- Those that are not, in the shape of documents, for `is:private`, `is:deleted` and `is:noise`. Their ids are
-- below 0, so that they are none of a document.
CREATE VIEW hidden_documents AS
    SELECT -(4 * record_id + instr('opsf', kind) - 1) AS id, *
    FROM memories WHERE private = 1 OR deleted_at IS NOT NULL OR type = 'noise';

-- The items of all memories' lists, hidden or not: `labels` holds those of documents.
CREATE VIEW memory_labels AS
    SELECT 'o' AS memory_kind, o.id AS record_id, 'concept' AS kind, CAST(value AS TEXT) AS value
        FROM observations o, json_each(iif(json_valid(o.concepts), o.concepts, '[]')) WHERE value IS NOT NULL
    UNION ALL SELECT 'o', o.id, 'file', CAST(value AS TEXT)
        FROM observations o, json_each(iif(json_valid(o.files_read), o.files_read, '[]')) WHERE value IS NOT NULL
    UNION ALL SELECT 'o', o.id, 'file', CAST(value AS TEXT)
        FROM observations o, json_each(iif(json_valid(o.files_modified), o.files_modified, '[]')) WHERE value IS NOT NULL
    UNION ALL SELECT 'o', o.id, 'tag', CAST(value AS TEXT)
        FROM observations o, json_each(iif(json_valid(o.tags), o.tags, '[]')) WHERE value IS NOT NULL
    UNION ALL SELECT 's', s.id, 'file', CAST(value AS TEXT)
        FROM summaries s, json_each(iif(json_valid(s.files_read), s.files_read, '[]')) WHERE value IS NOT NULL
    UNION ALL SELECT 's', s.id, 'file', CAST(value AS TEXT)
        FROM summaries s, json_each(iif(json_valid(s.files_edited), s.files_edited, '[]')) WHERE value IS NOT NULL
    UNION ALL SELECT 'f', f.id, 'entity', CAST(value AS TEXT)
        FROM facts f, json_each(iif(json_valid(f.entities), f.entities, '[]')) WHERE value IS NOT NULL;
