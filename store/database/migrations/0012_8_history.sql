-- Who made a change: actor is the machine, via the command ("mem delete") or the key, agent the agent
-- that ran it (null: a person). undone_after is the newest change there was when it was undone: while
-- none is newer it can be done again. undone_via is what undid it.
ALTER TABLE changes ADD COLUMN via TEXT NOT NULL DEFAULT '';
ALTER TABLE changes ADD COLUMN agent TEXT;
ALTER TABLE changes ADD COLUMN undone_after INTEGER;
ALTER TABLE changes ADD COLUMN undone_via TEXT;
CREATE INDEX changes_undone ON changes (undone_after, id) WHERE undone_after IS NOT NULL;
