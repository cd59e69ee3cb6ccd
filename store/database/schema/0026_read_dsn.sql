-- Where the team's server is for reads alone, a replica of it: without user and password; '' for none.
ALTER TABLE team ADD COLUMN read_dsn TEXT NOT NULL DEFAULT '';
