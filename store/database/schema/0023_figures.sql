-- What it took to discover the visible observations of a time, which statistics read instead of all rows.
CREATE INDEX observations_discovery ON observations (created_at, project, discovery_tokens)
    WHERE private = 0 AND deleted_at IS NULL AND type <> 'noise';
