-- Where a replica of this server is, for members' searches and pulls: without user and password; '' for none. The
-- database's owner sets it, since members' programs log in there.
ALTER TABLE memtui.team ADD COLUMN read_dsn text NOT NULL DEFAULT '';
