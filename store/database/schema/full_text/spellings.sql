CREATE TABLE spellings (
    word TEXT PRIMARY KEY,
    backwards TEXT NOT NULL,
    document_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX spellings_backwards ON spellings (backwards);
CREATE INDEX spellings_by_document ON spellings (document_id);
CREATE TRIGGER spellings_document_deleted AFTER DELETE ON documents BEGIN
    UPDATE spellings SET document_id = 0 WHERE document_id = OLD.id;
END;
CREATE TRIGGER spellings_document_changed AFTER INSERT ON unindexed BEGIN
    UPDATE spellings SET document_id = 0 WHERE document_id = NEW.document_id;
END;
