-- Which vectors of memories are behind; 0034_document_vectors.sql drops all of this.

-- Memories whose vectors are not as their text is: new (is_new, which have no vectors at all), reworded,
-- hidden or gone. Noted only where vectors are kept, which the row `embeddings` of `meta` says; the vectors
-- lie in files of their own.
CREATE TABLE unembedded (
    kind TEXT NOT NULL, record_id INTEGER NOT NULL, is_new INTEGER NOT NULL,
    PRIMARY KEY (kind, record_id)
) STRICT, WITHOUT ROWID;
-- New ones wait for whoever builds vectors; every commit asks for the others.
CREATE INDEX unembedded_changed ON unembedded (is_new) WHERE is_new = 0;

-- BEFORE, so that a new one is noted as such before it waits to be indexed.
CREATE TRIGGER embedded_document_added BEFORE INSERT ON documents
WHEN EXISTS (SELECT 1 FROM meta WHERE key = 'embeddings')
    AND NOT EXISTS (SELECT 1 FROM documents WHERE kind = NEW.kind AND record_id = NEW.record_id) BEGIN
    INSERT INTO unembedded VALUES (NEW.kind, NEW.record_id, 1) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER embedded_document_changed AFTER INSERT ON unindexed
WHEN EXISTS (SELECT 1 FROM meta WHERE key = 'embeddings') BEGIN
    INSERT INTO unembedded SELECT kind, record_id, 0 FROM documents WHERE id = NEW.document_id
        ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER embedded_document_deleted AFTER DELETE ON documents
WHEN EXISTS (SELECT 1 FROM meta WHERE key = 'embeddings') BEGIN
    INSERT INTO unembedded VALUES (OLD.kind, OLD.record_id, 0) ON CONFLICT DO NOTHING;
END;
