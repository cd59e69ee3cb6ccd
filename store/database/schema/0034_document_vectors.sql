-- Vectors lie in the store, of the documents that a search compared, and go with their text. Files of vectors
-- that lay beside it are deleted by whoever brings a store here.
DROP TRIGGER embedded_document_added;
DROP TRIGGER embedded_document_changed;
DROP TRIGGER embedded_document_deleted;
DROP TABLE unembedded;
DELETE FROM meta WHERE key IN ('embeddings', 'embeddings_rest');

-- Of a document a vector a passage, of half floats, by the model that `model` is the fingerprint of.
CREATE TABLE document_vectors (
    document_id INTEGER PRIMARY KEY, model TEXT NOT NULL, vectors BLOB NOT NULL
) STRICT;
CREATE TRIGGER document_vectors_reworded AFTER INSERT ON unindexed BEGIN
    DELETE FROM document_vectors WHERE document_id = NEW.document_id;
END;
CREATE TRIGGER document_vectors_deleted AFTER DELETE ON documents BEGIN
    DELETE FROM document_vectors WHERE document_id = OLD.id;
END;
