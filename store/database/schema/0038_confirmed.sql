-- confirmed_at: when a person said last that an observation is still true, though its files have changed (ms).
ALTER TABLE observations ADD COLUMN confirmed_at INTEGER;
CREATE TRIGGER observations_confirmed AFTER UPDATE OF confirmed_at ON observations
WHEN OLD.confirmed_at IS NOT NEW.confirmed_at BEGIN
    UPDATE documents SET changed_in = coalesce((
        SELECT c.repository_id FROM label_uses u CROSS JOIN file_commits c ON c.label_id = u.label_id
        WHERE u.document_id = documents.id AND NEW.confirmed_at IS NULL AND c.committed_at > documents.created_at
    ), 0) WHERE kind = 'o' AND record_id = NEW.id;
    -- Which lines have changed is looked up again.
    UPDATE repositories SET documents = (SELECT id - 1 FROM documents WHERE kind = 'o' AND record_id = NEW.id)
        WHERE documents >= (SELECT id FROM documents WHERE kind = 'o' AND record_id = NEW.id);
END;
