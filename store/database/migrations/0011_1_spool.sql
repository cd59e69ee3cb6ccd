-- A segment of the spool is known by its content: `segment` is the path under which it was read last,
-- `last` where the last stored line begins, `mark` a fingerprint of its first bytes, of those at `last`
-- and of those before `stored`. A file with another mark is read from its beginning: `anew_at` says
-- when that happened last, `anew_to` up to which byte the file before was stored. `read_at` is when
-- something was stored of it last. Times are ms.
ALTER TABLE spool_segments ADD COLUMN last INTEGER;
ALTER TABLE spool_segments ADD COLUMN mark INTEGER;
ALTER TABLE spool_segments ADD COLUMN read_at INTEGER;
ALTER TABLE spool_segments ADD COLUMN anew_at INTEGER;
ALTER TABLE spool_segments ADD COLUMN anew_to INTEGER;

-- Every line of the spool that was stored or quarantined, by its time (ms) and a hash of it, so that
-- none is stored twice, wherever and however often it is read.
CREATE TABLE spool_lines (
    at INTEGER NOT NULL,
    hash INTEGER NOT NULL,
    PRIMARY KEY (at, hash)
) STRICT, WITHOUT ROWID;
