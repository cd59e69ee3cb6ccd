CREATE VIRTUAL TABLE words USING fts5(
    title, body, lists, content='', contentless_delete=1,
    tokenize='porter unicode61 remove_diacritics 2'
);
CREATE TRIGGER words_document_deleted AFTER DELETE ON documents BEGIN
    DELETE FROM words WHERE rowid = OLD.id;
END;
CREATE TRIGGER words_document_changed AFTER INSERT ON unindexed BEGIN
    DELETE FROM words WHERE rowid = NEW.document_id;
END;
