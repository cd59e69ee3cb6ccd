-- The names that the most documents have, of each kind, without sorting all of them.
DROP INDEX label_names_entities;
CREATE INDEX label_names_by_uses ON label_names (kind, uses DESC, value);
