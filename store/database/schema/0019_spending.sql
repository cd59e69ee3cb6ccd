-- Which model an answer is of, by its maker's name, and when it came (ms since the epoch, UTC): what a model
-- cost by day. Of answers that were stored before neither is known: their day is that of their session.
ALTER TABLE token_usage ADD COLUMN model TEXT NOT NULL DEFAULT '';
ALTER TABLE token_usage ADD COLUMN at INTEGER;
