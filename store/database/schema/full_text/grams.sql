CREATE VIRTUAL TABLE grams USING fts5(
    text, content='', contentless_delete=1, detail='none', tokenize='trigram case_sensitive 1'
);
CREATE VIRTUAL TABLE gram_instances USING fts5vocab(grams, instance);
CREATE TRIGGER grams_document_deleted AFTER DELETE ON documents BEGIN
    DELETE FROM grams WHERE rowid = OLD.id;
END;
CREATE TRIGGER grams_document_changed AFTER INSERT ON unindexed BEGIN
    DELETE FROM grams WHERE rowid = NEW.document_id;
END;
