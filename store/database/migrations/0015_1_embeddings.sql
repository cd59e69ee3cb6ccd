-- Memories whose vectors are not as their text is: new, reworded, hidden or gone. Noted only where vectors
-- are kept, which the row `embeddings` of `meta` says; the vectors lie in files of their own.
CREATE TABLE unembedded (
    kind TEXT NOT NULL, record_id INTEGER NOT NULL, PRIMARY KEY (kind, record_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER embedded_document_changed AFTER INSERT ON unindexed
WHEN EXISTS (SELECT 1 FROM meta WHERE key = 'embeddings') BEGIN
    INSERT INTO unembedded SELECT kind, record_id FROM documents WHERE id = NEW.document_id
        ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER embedded_document_deleted AFTER DELETE ON documents
WHEN EXISTS (SELECT 1 FROM meta WHERE key = 'embeddings') BEGIN
    INSERT INTO unembedded VALUES (OLD.kind, OLD.record_id) ON CONFLICT DO NOTHING;
END;
