-- What statistics read instead of all rows: the busiest names first, and what it took to discover the visible
-- observations of a time.
CREATE INDEX label_names_by_uses ON label_names (kind, uses DESC, value);
DROP INDEX label_names_entities;
CREATE INDEX observations_discovery ON observations (created_at, project, discovery_tokens)
    WHERE private = 0 AND deleted_at IS NULL AND type <> 'noise';
