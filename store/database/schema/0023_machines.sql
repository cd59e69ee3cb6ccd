-- What machines call themselves that were met, or whose rows came by way of others: machine is the id of the
-- store there.
CREATE TABLE machines (
    machine TEXT PRIMARY KEY,
    name TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO machines SELECT machine, name FROM sync_peers WHERE machine NOT LIKE 'folder-%';

-- Which memories were made on a machine. Noise, which no list shows, isn't counted among them.
CREATE INDEX observations_by_origin ON observations (origin, type);
CREATE INDEX prompts_by_origin ON prompts (origin);
CREATE INDEX summaries_by_origin ON summaries (origin);
CREATE INDEX facts_by_origin ON facts (origin);
