-- What agents say becomes observations. Of the replies that were stored before, only that there was
-- one is known: record_id 0 marks them, and a transcript that is read again from its beginning (by
-- `mem import`) makes an observation of each.
UPDATE captured_events SET record_id = 0 WHERE kind = 'reply' AND record_id IS NULL;
UPDATE transcripts SET file = '', read_bytes = 0, state = '{}';
