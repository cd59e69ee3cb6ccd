-- A small memory as schema 10 left it: its rows, triggers and indexes.

PRAGMA page_size=4096;

-- This pragma is needed to restore virtual tables
PRAGMA writable_schema=ON;

BEGIN TRANSACTION;

-- Table  agent_days
DROP TABLE IF EXISTS agent_days;
CREATE TABLE agent_days (
    agent TEXT NOT NULL,
    day INTEGER NOT NULL,
    events INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (agent, day)
) STRICT, WITHOUT ROWID;

-- Table  captured_events
DROP TABLE IF EXISTS captured_events;
CREATE TABLE captured_events (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    content TEXT NOT NULL,
    at INTEGER NOT NULL,
    channel TEXT NOT NULL CHECK (channel IN ('hook', 'transcript', 'both')),
    shared INTEGER NOT NULL CHECK (shared IN (0, 1)),
    record_id INTEGER,
    PRIMARY KEY (session_id, kind, key)
) STRICT, WITHOUT ROWID;
-- Triggers and indices on  captured_events
CREATE INDEX captured_events_by_content ON captured_events (session_id, kind, content);
CREATE INDEX captured_events_by_record ON captured_events (kind, record_id)
    WHERE record_id IS NOT NULL;

-- Table  changes
DROP TABLE IF EXISTS changes;
CREATE TABLE changes (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    what TEXT NOT NULL,
    changeset BLOB NOT NULL,
    undone_at INTEGER
) STRICT;
INSERT INTO changes VALUES(1,1795385458951,'01a20550-00f8-787a-ad50-a036a6b56ea9','observation 4 deleted',X'541F010000000000000000000000000000000000000000000000000000000000006F62736572766174696F6E73001700010000000000000004000001000001A20550010505000000000101A205500105000000000000000000000000000000000000000000000000000001000001A20550010601000001A205500106000000000101A2055001060000000000000000000000000000000000000000000000',NULL);
INSERT INTO changes VALUES(2,1795385458953,'01a20550-00f8-787a-ad50-a036a6b56ea9','observation 1 pinned',X'541F010000000000000000000000000000000000000000000000000000000000006F62736572766174696F6E73001700010000000000000001000001000001A2055000FF000001000000000000000000000101A2055000FF000000000000000000000000000000000000000000000000000001000001A205500108000001000000000000000100000101A2055001080000000000000000000000000000000000000000000000',NULL);
-- Triggers and indices on  changes
CREATE INDEX changes_standing ON changes (id) WHERE undone_at IS NULL;

-- Table  context_profiles
DROP TABLE IF EXISTS context_profiles;
CREATE TABLE context_profiles (
    project TEXT PRIMARY KEY,
    updated_at INTEGER NOT NULL,
    budget INTEGER NOT NULL,
    first TEXT NOT NULL CHECK (json_valid(first)),
    left_out TEXT NOT NULL CHECK (json_valid(left_out)),
    brief TEXT NOT NULL CHECK (json_valid(brief))
) STRICT, WITHOUT ROWID;

-- Table  directories
DROP TABLE IF EXISTS directories;
CREATE TABLE directories (
    directory TEXT PRIMARY KEY,
    path TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Table  documents
DROP TABLE IF EXISTS documents;
CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    record_id INTEGER NOT NULL,
    session_id INTEGER,
    project TEXT NOT NULL,
    type TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    pinned INTEGER NOT NULL
);
INSERT INTO documents VALUES(1,'o',1,1,'','note',1795385458943,1);
INSERT INTO documents VALUES(2,'o',2,1,'','note',1795385458945,0);
INSERT INTO documents VALUES(3,'p',1,1,'','prompt',1795385458953,0);
INSERT INTO documents VALUES(4,'s',1,1,'','summary',1795385458955,0);
INSERT INTO documents VALUES(5,'f',1,NULL,'','fact',1795385458957,0);
-- Triggers and indices on  documents
CREATE INDEX documents_by_project ON documents (project, created_at);
CREATE UNIQUE INDEX documents_by_record ON documents (kind, record_id);
CREATE INDEX documents_by_session ON documents (session_id, created_at, kind);
CREATE INDEX documents_by_time ON documents (created_at);
CREATE INDEX documents_by_type ON documents (type, created_at);
CREATE TRIGGER documents_deleted AFTER DELETE ON documents BEGIN
    DELETE FROM unindexed WHERE document_id = OLD.id;
    DELETE FROM labels WHERE document_id = OLD.id AND (kind, value) IN (
        SELECT kind, value FROM memory_labels
        WHERE memory_kind = OLD.kind AND record_id = OLD.record_id
    );
END;
CREATE INDEX documents_facts ON documents (project, created_at) WHERE kind = 'f';
CREATE TRIGGER documents_inserted AFTER INSERT ON documents BEGIN
    INSERT INTO unindexed VALUES (NEW.id);
    INSERT INTO labels (kind, value, document_id)
        SELECT kind, value, NEW.id FROM memory_labels
        WHERE memory_kind = NEW.kind AND record_id = NEW.record_id;
END;
CREATE INDEX documents_pinned ON documents (created_at) WHERE pinned = 1;
CREATE INDEX documents_summaries ON documents (project, created_at) WHERE kind = 's';
CREATE TRIGGER grams_document_deleted AFTER DELETE ON documents BEGIN
    DELETE FROM grams WHERE rowid = OLD.id;
END;
CREATE TRIGGER spellings_document_deleted AFTER DELETE ON documents BEGIN
    UPDATE spellings SET document_id = 0 WHERE document_id = OLD.id;
END;
CREATE TRIGGER words_document_deleted AFTER DELETE ON documents BEGIN
    DELETE FROM words WHERE rowid = OLD.id;
END;

-- Table  fact_sources
DROP TABLE IF EXISTS fact_sources;
CREATE TABLE fact_sources (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    fact_id INTEGER NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    native_id TEXT NOT NULL,
    told_at INTEGER NOT NULL,
    deleted_at INTEGER,
    vanished_at INTEGER,
    is_verdict INTEGER NOT NULL DEFAULT 0 CHECK (is_verdict IN (0, 1)),
    confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    entities TEXT NOT NULL CHECK (json_valid(entities)),
    evidence TEXT NOT NULL CHECK (json_valid(evidence)),
    places TEXT NOT NULL CHECK (json_valid(places)),
    witnesses TEXT NOT NULL CHECK (json_valid(witnesses)),
    session TEXT,
    extra TEXT CHECK (extra IS NULL OR json_valid(extra)),
    UNIQUE (fact_id, source, native_id)
) STRICT;
INSERT INTO fact_sources VALUES(1,'1982ad23-ade5-82e8-bcea-414cbd7d555c',1,'','said',1795385458957,NULL,NULL,0,1.0,'["NTP"]','[]','[]','[]',NULL,NULL);
-- Triggers and indices on  fact_sources
CREATE INDEX fact_sources_by_source ON fact_sources (source, native_id);

-- Table  facts
DROP TABLE IF EXISTS facts;
CREATE TABLE facts (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted_at INTEGER,
    private INTEGER NOT NULL DEFAULT 0 CHECK (private IN (0, 1)),
    pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    origin TEXT NOT NULL DEFAULT '',
    editor TEXT NOT NULL DEFAULT '',
    hlc INTEGER NOT NULL DEFAULT 0,
    source TEXT,
    native_id TEXT,
    fingerprint TEXT,
    extra TEXT CHECK (extra IS NULL OR json_valid(extra)),
    project TEXT NOT NULL DEFAULT '',
    kind TEXT NOT NULL DEFAULT 'O' CHECK (kind IN ('W', 'B', 'O', 'S')),
    content TEXT NOT NULL,
    entities TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(entities)),
    confidence REAL NOT NULL DEFAULT 1.0 CHECK (confidence BETWEEN 0 AND 1),
    evidence TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(evidence)),
    sources TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(sources)),
    statement TEXT -- the key under which two facts are the same one; NULL until the store has met it
) STRICT;
INSERT INTO facts VALUES(1,'01a20550-010d-7cdd-a937-30a93f776d65',1795385458957,1795385458957,NULL,0,0,'01a20550-00f8-787a-ad50-a036a6b56ea9','01a20550-00f8-787a-ad50-a036a6b56ea9',117662381438205952,NULL,NULL,NULL,NULL,'','O','clocks drift','["NTP"]',1.0,'[]','[]','clocks drift');
-- Triggers and indices on  facts
CREATE INDEX facts_by_kind ON facts (kind, created_at) WHERE private = 0 AND deleted_at IS NULL;
CREATE INDEX facts_by_project ON facts (project, created_at)
    WHERE private = 0 AND deleted_at IS NULL;
CREATE UNIQUE INDEX facts_by_source ON facts (source, native_id) WHERE source IS NOT NULL;
CREATE INDEX facts_by_statement ON facts (statement, kind);
CREATE INDEX facts_by_time ON facts (created_at) WHERE private = 0 AND deleted_at IS NULL;
CREATE TRIGGER facts_changed
AFTER UPDATE OF private, deleted_at, project, created_at, pinned ON facts BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT * FROM visible_memories WHERE kind = 'f' AND record_id = NEW.id
        ON CONFLICT (kind, record_id) DO UPDATE SET
            session_id = excluded.session_id, project = excluded.project, type = excluded.type,
            created_at = excluded.created_at, pinned = excluded.pinned;
END;
CREATE TRIGGER facts_deleted BEFORE DELETE ON facts BEGIN
    DELETE FROM documents WHERE kind = 'f' AND record_id = OLD.id;
END;
CREATE TRIGGER facts_forgotten AFTER DELETE ON facts BEGIN
    DELETE FROM vanished WHERE kind = 'facts' AND record_id = OLD.id;
END;
CREATE INDEX facts_hidden ON facts (created_at) WHERE private = 1 OR deleted_at IS NOT NULL;
CREATE TRIGGER facts_hidden BEFORE UPDATE OF private, deleted_at ON facts
WHEN NEW.private = 1 OR NEW.deleted_at IS NOT NULL BEGIN
    DELETE FROM documents WHERE kind = 'f' AND record_id = OLD.id;
END;
CREATE TRIGGER facts_inserted AFTER INSERT ON facts
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        VALUES ('f', NEW.id, NULL, NEW.project, 'fact', NEW.created_at, NEW.pinned);
END;
CREATE TRIGGER facts_labelled AFTER UPDATE OF entities ON facts
WHEN OLD.entities IS NOT NEW.entities BEGIN
    INSERT INTO labels (kind, value, document_id)
        SELECT l.kind, l.value, d.id FROM documents d CROSS JOIN memory_labels l
        WHERE d.kind = 'f' AND d.record_id = NEW.id AND l.memory_kind = 'f' AND l.record_id = NEW.id;
END;
CREATE TRIGGER facts_reworded AFTER UPDATE OF content, entities ON facts
WHEN (OLD.content, OLD.entities) IS NOT (NEW.content, NEW.entities) BEGIN
    INSERT INTO unindexed SELECT id FROM documents WHERE kind = 'f' AND record_id = NEW.id
        ON CONFLICT DO NOTHING;
END;
CREATE UNIQUE INDEX facts_statement ON facts (project, kind, coalesce(statement, content))
    WHERE deleted_at IS NULL;
CREATE TRIGGER facts_unlabelled BEFORE UPDATE OF entities ON facts
WHEN OLD.entities IS NOT NEW.entities BEGIN
    DELETE FROM labels
        WHERE document_id = (SELECT id FROM documents WHERE kind = 'f' AND record_id = OLD.id)
        AND (kind, value) IN (
            SELECT kind, value FROM memory_labels WHERE memory_kind = 'f' AND record_id = OLD.id
        );
END;

-- Table  given_contexts
DROP TABLE IF EXISTS given_contexts;
CREATE TABLE given_contexts (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    project TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    refs TEXT NOT NULL CHECK (json_valid(refs))
) STRICT;

-- Table  gram_instances
DELETE FROM sqlite_schema WHERE name='gram_instances' AND type='table';
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql) VALUES('table','gram_instances','gram_instances',0,'CREATE VIRTUAL TABLE gram_instances USING fts5vocab(grams, instance)');

-- Table  grams
DELETE FROM sqlite_schema WHERE name='grams' AND type='table';
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql) VALUES('table','grams','grams',0,'CREATE VIRTUAL TABLE grams USING fts5(
    text, content='''', contentless_delete=1, detail=''none'', tokenize=''trigram case_sensitive 1''
)');

-- Table  grams_config
DROP TABLE IF EXISTS grams_config;
CREATE TABLE 'grams_config'(k PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO grams_config VALUES('version',4);

-- Table  grams_data
DROP TABLE IF EXISTS grams_data;
CREATE TABLE 'grams_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO grams_data VALUES(1,X'057C');
INSERT INTO grams_data VALUES(10,X'00000000FF0000010106070006010101010100000102010102020000010301010303010101040101040400000105010105050000010601010606000001');
INSERT INTO grams_data VALUES(137438953473,X'000000BE04301F1F1F010301610103016301030175010202612E010202636C010202757201010320636C0102026F660101032E7079010103612E70010103636B1F010301730102026C6F010103647269010103656E74010103662063010202742001010367656E0101036966740101036B1F1F010202731F0101036C6F630101036E741F0101036F636B010202662001010370791F0101037267650102026966010103731F1F010103741F1F010202206F010103757267010103791F1F0104060404040505050605060606040506060605060606050606060506060506060506');
INSERT INTO grams_data VALUES(274877906945,X'0000002704301F1F1F020105E5BA931F1F020107E68DAEE5BA931F02020895B0E68DAEE5BA93020406080A');
INSERT INTO grams_data VALUES(412316860417,X'0000002204301F1F1F030103651F1F030103676F6E0301036E651F0301036F6E65030406060606');
INSERT INTO grams_data VALUES(549755813889,X'00000064043020646F030301720302026974030103646F65030202726903010365732003010366741F03010368792003010369667403020274200301036F6573030103726966030103732069030103741F1F0302022064030103776879030103792064030406040506050606060605060606060506');
INSERT INTO grams_data VALUES(687194767361,X'0000004904301F1F1F04030161040202612E0401032E7079040103612E7004010364726904010366741F04010369667404010370791F040103726966040103741F1F040103791F1F04040604050606060606060606');
INSERT INTO grams_data VALUES(824633720833,X'0000006704301F1F6E0502026E74050103206472050103636B730502026C6F05010364726905010366741F0501036966740501036B73200501036C6F630501036E74700501036F636B050103701F1F050103726966050103732064050103741F1F050202701F050406050606050606060606060606060606');
INSERT INTO grams_data VALUES(9007611571601408,X'04000000000000010000000000000000000000000000000300000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000');

-- Table  grams_docsize
DROP TABLE IF EXISTS grams_docsize;
CREATE TABLE 'grams_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);
INSERT INTO grams_docsize VALUES(1,X'2E',1);
INSERT INTO grams_docsize VALUES(2,X'13',2);
INSERT INTO grams_docsize VALUES(3,X'11',4);
INSERT INTO grams_docsize VALUES(4,X'19',5);
INSERT INTO grams_docsize VALUES(5,X'11',6);

-- Table  grams_idx
DROP TABLE IF EXISTS grams_idx;
CREATE TABLE 'grams_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO grams_idx VALUES(1,X'',2);
INSERT INTO grams_idx VALUES(2,X'',2);
INSERT INTO grams_idx VALUES(3,X'',2);
INSERT INTO grams_idx VALUES(4,X'',2);
INSERT INTO grams_idx VALUES(5,X'',2);
INSERT INTO grams_idx VALUES(6,X'',2);

-- Table  hook_runs
DROP TABLE IF EXISTS hook_runs;
CREATE TABLE hook_runs (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    agent TEXT NOT NULL,
    microseconds INTEGER NOT NULL
) STRICT;

-- Table  label_names
DROP TABLE IF EXISTS label_names;
CREATE TABLE label_names (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    UNIQUE (kind, value)
);
INSERT INTO label_names VALUES(1,'concept','clock');
INSERT INTO label_names VALUES(2,'file','a.py');
INSERT INTO label_names VALUES(3,'tag','urgent');
INSERT INTO label_names VALUES(4,'entity','NTP');

-- Table  label_uses
DROP TABLE IF EXISTS label_uses;
CREATE TABLE label_uses (
    label_id INTEGER NOT NULL,
    document_id INTEGER NOT NULL,
    PRIMARY KEY (label_id, document_id)
) WITHOUT ROWID;
INSERT INTO label_uses VALUES(1,1);
INSERT INTO label_uses VALUES(2,1);
INSERT INTO label_uses VALUES(2,4);
INSERT INTO label_uses VALUES(3,1);
INSERT INTO label_uses VALUES(4,5);

-- Table  meta
DROP TABLE IF EXISTS meta;
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES('machine_id','01a20550-00f8-787a-ad50-a036a6b56ea9');
INSERT INTO meta VALUES('tokenizer','trigram');

-- Table  notes
DROP TABLE IF EXISTS notes;
CREATE TABLE notes (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted_at INTEGER,
    private INTEGER NOT NULL DEFAULT 0 CHECK (private IN (0, 1)),
    pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    origin TEXT NOT NULL DEFAULT '',
    editor TEXT NOT NULL DEFAULT '',
    hlc INTEGER NOT NULL DEFAULT 0,
    source TEXT,
    native_id TEXT,
    fingerprint TEXT,
    extra TEXT CHECK (extra IS NULL OR json_valid(extra)),
    project TEXT NOT NULL DEFAULT '',
    path TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (project, path)
) STRICT;
INSERT INTO notes VALUES(1,'01a20550-0113-71f3-b545-002adbacac20',1795385458963,1795385458963,NULL,0,0,'01a20550-00f8-787a-ad50-a036a6b56ea9','01a20550-00f8-787a-ad50-a036a6b56ea9',117662381438599168,NULL,NULL,NULL,NULL,'','MEMORY.md','# Atlas');
-- Triggers and indices on  notes
CREATE UNIQUE INDEX notes_by_source ON notes (source, native_id) WHERE source IS NOT NULL;
CREATE TRIGGER notes_forgotten AFTER DELETE ON notes BEGIN
    DELETE FROM vanished WHERE kind = 'notes' AND record_id = OLD.id;
END;

-- Table  observations
DROP TABLE IF EXISTS observations;
CREATE TABLE observations (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted_at INTEGER,
    private INTEGER NOT NULL DEFAULT 0 CHECK (private IN (0, 1)),
    pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    origin TEXT NOT NULL DEFAULT '',
    editor TEXT NOT NULL DEFAULT '',
    hlc INTEGER NOT NULL DEFAULT 0,
    source TEXT,
    native_id TEXT,
    fingerprint TEXT,
    extra TEXT CHECK (extra IS NULL OR json_valid(extra)),
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    project TEXT NOT NULL DEFAULT '',
    type TEXT NOT NULL DEFAULT 'note',
    title TEXT,
    subtitle TEXT,
    narrative TEXT,
    text TEXT,
    facts TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(facts)),
    concepts TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(concepts)),
    files_read TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(files_read)),
    files_modified TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(files_modified)),
    tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags)),
    tool_name TEXT,
    prompt_number INTEGER,
    discovery_tokens INTEGER NOT NULL DEFAULT 0,
    event_id TEXT UNIQUE,
    content_hash TEXT
) STRICT;
INSERT INTO observations VALUES(1,'01a20550-00ff-744d-acd7-4e536dfe4a30',1795385458943,1795385458952,NULL,0,1,'01a20550-00f8-787a-ad50-a036a6b56ea9','01a20550-00f8-787a-ad50-a036a6b56ea9',117662381437878272,NULL,NULL,NULL,NULL,1,'','note','drift of clocks',NULL,NULL,NULL,'[]','["clock"]','["a.py"]','[]','["urgent"]',NULL,NULL,0,NULL,NULL);
INSERT INTO observations VALUES(2,'01a20550-0101-7f71-a95c-c13bb7dcfece',1795385458945,1795385458945,NULL,0,0,'01a20550-00f8-787a-ad50-a036a6b56ea9','01a20550-00f8-787a-ad50-a036a6b56ea9',117662381437419520,NULL,NULL,NULL,NULL,1,'','note','数据库',NULL,NULL,NULL,'[]','[]','[]','[]','[]',NULL,NULL,0,NULL,NULL);
INSERT INTO observations VALUES(3,'01a20550-0104-7e2a-b936-fbea0ede0624',1795385458948,1795385458948,NULL,1,0,'01a20550-00f8-787a-ad50-a036a6b56ea9','01a20550-00f8-787a-ad50-a036a6b56ea9',117662381437616128,NULL,NULL,NULL,NULL,1,'','note','drift hidden',NULL,NULL,NULL,'[]','[]','[]','[]','[]',NULL,NULL,0,NULL,NULL);
INSERT INTO observations VALUES(4,'01a20550-0105-77ce-9143-ea32e0b06a46',1795385458949,1795385458950,1795385458950,0,0,'01a20550-00f8-787a-ad50-a036a6b56ea9','01a20550-00f8-787a-ad50-a036a6b56ea9',117662381437747200,NULL,NULL,NULL,NULL,1,'','note','gone',NULL,NULL,NULL,'[]','[]','[]','[]','[]',NULL,NULL,0,NULL,NULL);
-- Triggers and indices on  observations
CREATE INDEX observations_by_session ON observations (session_id);
CREATE UNIQUE INDEX observations_by_source ON observations (source, native_id) WHERE source IS NOT NULL;
CREATE INDEX observations_by_tool ON observations (tool_name) WHERE tool_name IS NOT NULL;
CREATE TRIGGER observations_changed
AFTER UPDATE OF private, deleted_at, session_id, project, type, created_at, pinned ON observations BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT * FROM visible_memories WHERE kind = 'o' AND record_id = NEW.id
        ON CONFLICT (kind, record_id) DO UPDATE SET
            session_id = excluded.session_id, project = excluded.project, type = excluded.type,
            created_at = excluded.created_at, pinned = excluded.pinned;
END;
CREATE TRIGGER observations_deleted BEFORE DELETE ON observations BEGIN
    DELETE FROM documents WHERE kind = 'o' AND record_id = OLD.id;
END;
CREATE TRIGGER observations_forgotten AFTER DELETE ON observations BEGIN
    DELETE FROM vanished WHERE kind = 'observations' AND record_id = OLD.id;
END;
CREATE INDEX observations_hidden ON observations (created_at) WHERE private = 1 OR deleted_at IS NOT NULL;
CREATE TRIGGER observations_hidden BEFORE UPDATE OF private, deleted_at, type ON observations
WHEN NEW.private = 1 OR NEW.deleted_at IS NOT NULL OR NEW.type = 'noise' BEGIN
    DELETE FROM documents WHERE kind = 'o' AND record_id = OLD.id;
END;
CREATE TRIGGER observations_inserted AFTER INSERT ON observations
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL AND NEW.type <> 'noise' BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        VALUES ('o', NEW.id, NEW.session_id, NEW.project, NEW.type, NEW.created_at, NEW.pinned);
END;
CREATE TRIGGER observations_labelled
AFTER UPDATE OF concepts, files_read, files_modified, tags ON observations
WHEN (OLD.concepts, OLD.files_read, OLD.files_modified, OLD.tags)
    IS NOT (NEW.concepts, NEW.files_read, NEW.files_modified, NEW.tags) BEGIN
    INSERT INTO labels (kind, value, document_id)
        SELECT l.kind, l.value, d.id FROM documents d CROSS JOIN memory_labels l
        WHERE d.kind = 'o' AND d.record_id = NEW.id AND l.memory_kind = 'o' AND l.record_id = NEW.id;
END;
CREATE INDEX observations_noise ON observations (id) WHERE type = 'noise';
CREATE TRIGGER observations_reworded
AFTER UPDATE OF title, subtitle, narrative, text, facts, concepts, files_read, files_modified, tags ON
    observations
WHEN (OLD.title, OLD.subtitle, OLD.narrative, OLD.text, OLD.facts, OLD.concepts, OLD.files_read,
        OLD.files_modified, OLD.tags)
    IS NOT (NEW.title, NEW.subtitle, NEW.narrative, NEW.text, NEW.facts, NEW.concepts, NEW.files_read,
        NEW.files_modified, NEW.tags) BEGIN
    INSERT INTO unindexed SELECT id FROM documents WHERE kind = 'o' AND record_id = NEW.id
        ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER observations_unlabelled
BEFORE UPDATE OF concepts, files_read, files_modified, tags ON observations
WHEN (OLD.concepts, OLD.files_read, OLD.files_modified, OLD.tags)
    IS NOT (NEW.concepts, NEW.files_read, NEW.files_modified, NEW.tags) BEGIN
    DELETE FROM labels
        WHERE document_id = (SELECT id FROM documents WHERE kind = 'o' AND record_id = OLD.id)
        AND (kind, value) IN (
            SELECT kind, value FROM memory_labels WHERE memory_kind = 'o' AND record_id = OLD.id
        );
END;

-- Table  observer_days
DROP TABLE IF EXISTS observer_days;
CREATE TABLE observer_days (
    day INTEGER NOT NULL,
    model TEXT NOT NULL,
    calls INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    PRIMARY KEY (day, model)
) STRICT, WITHOUT ROWID;

-- Table  pending_messages
DROP TABLE IF EXISTS pending_messages;
CREATE TABLE pending_messages (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('observation', 'summary')),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    status TEXT NOT NULL DEFAULT 'pending'
        CHECK (status IN ('pending', 'processing', 'processed', 'failed', 'abandoned')),
    attempts INTEGER NOT NULL DEFAULT 0,
    lease_owner TEXT,
    lease_until INTEGER,
    not_before INTEGER,
    error TEXT,
    tool_name TEXT,
    tool_input TEXT,
    tool_response TEXT,
    cwd TEXT,
    last_user_message TEXT,
    last_assistant_message TEXT,
    prompt_number INTEGER,
    event_id TEXT UNIQUE,
    source TEXT,
    native_id TEXT,
    fingerprint TEXT,
    extra TEXT CHECK (extra IS NULL OR json_valid(extra)),
    observation_id INTEGER REFERENCES observations (id) ON DELETE CASCADE,
    summary_id INTEGER REFERENCES summaries (id) ON DELETE CASCADE,
    outcome TEXT
) STRICT;
INSERT INTO pending_messages VALUES(1,'01a20550-0114-7d15-ac74-f7f5556074f7',1,'observation',1795385458964,1795385458964,'pending',0,NULL,NULL,NULL,NULL,'Bash','{}',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
-- Triggers and indices on  pending_messages
CREATE INDEX pending_messages_by_observation ON pending_messages (observation_id)
    WHERE observation_id IS NOT NULL;
CREATE INDEX pending_messages_by_session ON pending_messages (session_id, status);
CREATE UNIQUE INDEX pending_messages_by_source ON pending_messages (source, native_id)
    WHERE source IS NOT NULL;
CREATE INDEX pending_messages_by_status ON pending_messages (status, id);
CREATE INDEX pending_messages_by_summary ON pending_messages (summary_id)
    WHERE summary_id IS NOT NULL;
CREATE TRIGGER pending_messages_forgotten AFTER DELETE ON pending_messages BEGIN
    DELETE FROM vanished WHERE kind = 'pending_messages' AND record_id = OLD.id;
END;
CREATE INDEX pending_messages_observed ON pending_messages (
    status, created_at, not_before, lease_until, session_id, prompt_number, kind, attempts, source
) WHERE observation_id IS NOT NULL OR summary_id IS NOT NULL;
CREATE INDEX pending_messages_unobserved ON pending_messages (id)
    WHERE observation_id IS NULL AND summary_id IS NULL AND status IN ('pending', 'processing');

-- Table  project_aliases
DROP TABLE IF EXISTS project_aliases;
CREATE TABLE project_aliases (
    name TEXT PRIMARY KEY,
    project TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Table  project_places
DROP TABLE IF EXISTS project_places;
CREATE TABLE project_places (
    kind TEXT NOT NULL CHECK (kind IN ('remote', 'root')),
    place TEXT NOT NULL,
    project TEXT NOT NULL,
    PRIMARY KEY (kind, place)
) STRICT, WITHOUT ROWID;

-- Table  prompts
DROP TABLE IF EXISTS prompts;
CREATE TABLE prompts (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted_at INTEGER,
    private INTEGER NOT NULL DEFAULT 0 CHECK (private IN (0, 1)),
    pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    origin TEXT NOT NULL DEFAULT '',
    editor TEXT NOT NULL DEFAULT '',
    hlc INTEGER NOT NULL DEFAULT 0,
    source TEXT,
    native_id TEXT,
    fingerprint TEXT,
    extra TEXT CHECK (extra IS NULL OR json_valid(extra)),
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    prompt_number INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;
INSERT INTO prompts VALUES(1,'01a20550-0109-7d21-bf4e-e5fde12795a7',1795385458953,1795385458953,NULL,0,0,'01a20550-00f8-787a-ad50-a036a6b56ea9','01a20550-00f8-787a-ad50-a036a6b56ea9',117662381437943808,NULL,NULL,NULL,NULL,1,1,'why does it drift');
-- Triggers and indices on  prompts
CREATE INDEX prompts_by_session ON prompts (session_id);
CREATE UNIQUE INDEX prompts_by_source ON prompts (source, native_id) WHERE source IS NOT NULL;
CREATE TRIGGER prompts_changed
AFTER UPDATE OF private, deleted_at, session_id, created_at, pinned ON prompts BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT * FROM visible_memories WHERE kind = 'p' AND record_id = NEW.id
        ON CONFLICT (kind, record_id) DO UPDATE SET
            session_id = excluded.session_id, project = excluded.project, type = excluded.type,
            created_at = excluded.created_at, pinned = excluded.pinned;
END;
CREATE TRIGGER prompts_deleted BEFORE DELETE ON prompts BEGIN
    DELETE FROM documents WHERE kind = 'p' AND record_id = OLD.id;
END;
CREATE TRIGGER prompts_forgotten AFTER DELETE ON prompts BEGIN
    DELETE FROM vanished WHERE kind = 'prompts' AND record_id = OLD.id;
END;
CREATE INDEX prompts_hidden ON prompts (created_at) WHERE private = 1 OR deleted_at IS NOT NULL;
CREATE TRIGGER prompts_hidden BEFORE UPDATE OF private, deleted_at ON prompts
WHEN NEW.private = 1 OR NEW.deleted_at IS NOT NULL BEGIN
    DELETE FROM documents WHERE kind = 'p' AND record_id = OLD.id;
END;
CREATE TRIGGER prompts_inserted AFTER INSERT ON prompts
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        VALUES ('p', NEW.id, NEW.session_id, (SELECT project FROM sessions WHERE id = NEW.session_id),
            'prompt', NEW.created_at, NEW.pinned);
END;
CREATE TRIGGER prompts_quoted AFTER UPDATE OF text, private, deleted_at ON prompts
WHEN (OLD.text, OLD.private, OLD.deleted_at) IS NOT (NEW.text, NEW.private, NEW.deleted_at) BEGIN
    UPDATE sessions SET hlc = max(hlc + 1, NEW.hlc), first_prompt = (
        SELECT text FROM prompts
        WHERE session_id = NEW.session_id AND private = 0 AND deleted_at IS NULL
        ORDER BY created_at, id LIMIT 1
    ) WHERE id = NEW.session_id AND (first_prompt IS NULL OR first_prompt = OLD.text);
END;
CREATE TRIGGER prompts_reworded AFTER UPDATE OF text ON prompts
WHEN OLD.text IS NOT NEW.text BEGIN
    INSERT INTO unindexed SELECT id FROM documents WHERE kind = 'p' AND record_id = NEW.id
        ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER prompts_unquoted AFTER DELETE ON prompts BEGIN
    UPDATE sessions SET hlc = max(hlc + 1, OLD.hlc), first_prompt = (
        SELECT text FROM prompts
        WHERE session_id = OLD.session_id AND private = 0 AND deleted_at IS NULL
        ORDER BY created_at, id LIMIT 1
    ) WHERE id = OLD.session_id AND (first_prompt IS NULL OR first_prompt = OLD.text);
END;

-- Table  purged
DROP TABLE IF EXISTS purged;
CREATE TABLE purged (
    uid TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    source TEXT,
    native_id TEXT,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO purged VALUES('u-1','observations',NULL,NULL,5);
-- Triggers and indices on  purged
CREATE INDEX purged_by_source ON purged (source, native_id) WHERE source IS NOT NULL;

-- Table  quarantine
DROP TABLE IF EXISTS quarantine;
CREATE TABLE quarantine (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    agent TEXT NOT NULL,
    reason TEXT NOT NULL,
    record TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 1
) STRICT;

-- Table  recent_searches
DROP TABLE IF EXISTS recent_searches;
CREATE TABLE recent_searches (
    text TEXT PRIMARY KEY,
    used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Table  retention_policies
DROP TABLE IF EXISTS retention_policies;
CREATE TABLE retention_policies (
    project TEXT PRIMARY KEY,
    days INTEGER NOT NULL CHECK (days > 0),
    grace_days INTEGER NOT NULL CHECK (grace_days >= 0),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO retention_policies VALUES('*',90,7,1,1);

-- Table  saved_searches
DROP TABLE IF EXISTS saved_searches;
CREATE TABLE saved_searches (
    name TEXT PRIMARY KEY,
    query TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Table  schema_versions
DROP TABLE IF EXISTS schema_versions;
CREATE TABLE schema_versions (
    version INTEGER PRIMARY KEY,
    applied_at INTEGER NOT NULL
) STRICT;
INSERT INTO schema_versions VALUES(9,1795385458927);
INSERT INTO schema_versions VALUES(10,1795385458927);

-- Table  sessions
DROP TABLE IF EXISTS sessions;
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted_at INTEGER,
    private INTEGER NOT NULL DEFAULT 0 CHECK (private IN (0, 1)),
    pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    origin TEXT NOT NULL DEFAULT '',
    editor TEXT NOT NULL DEFAULT '',
    hlc INTEGER NOT NULL DEFAULT 0,
    source TEXT,
    native_id TEXT,
    fingerprint TEXT,
    extra TEXT CHECK (extra IS NULL OR json_valid(extra)),
    agent TEXT NOT NULL,
    content_session_id TEXT NOT NULL,
    memory_session_id TEXT UNIQUE,
    project TEXT NOT NULL DEFAULT '',
    project_path TEXT,
    title TEXT,
    first_prompt TEXT,
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'completed', 'failed')),
    started_at INTEGER NOT NULL,
    completed_at INTEGER,
    prompt_counter INTEGER NOT NULL DEFAULT 0,
    UNIQUE (content_session_id, agent)
) STRICT;
INSERT INTO sessions VALUES(1,'01a20550-00fe-7f74-9f7b-5cf03e8a265e',1795385458942,1795385458942,NULL,0,0,'01a20550-00f8-787a-ad50-a036a6b56ea9','01a20550-00f8-787a-ad50-a036a6b56ea9',117662381437222912,NULL,NULL,NULL,NULL,'manual','c-1',NULL,'',NULL,NULL,'why does it drift','active',1795385458942,NULL,1);
-- Triggers and indices on  sessions
CREATE INDEX sessions_by_project ON sessions (project, started_at);
CREATE UNIQUE INDEX sessions_by_source ON sessions (source, native_id) WHERE source IS NOT NULL;
CREATE INDEX sessions_by_start ON sessions (started_at);
CREATE TRIGGER sessions_forgotten AFTER DELETE ON sessions BEGIN
    DELETE FROM vanished WHERE kind = 'sessions' AND record_id = OLD.id;
END;
CREATE TRIGGER sessions_renamed AFTER UPDATE OF project ON sessions
WHEN OLD.project IS NOT NEW.project BEGIN
    UPDATE documents SET project = NEW.project WHERE session_id = NEW.id AND kind = 'p';
END;

-- Table  source_marks
DROP TABLE IF EXISTS source_marks;
CREATE TABLE source_marks (
    mark TEXT PRIMARY KEY,
    source TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Table  spellings
DROP TABLE IF EXISTS spellings;
CREATE TABLE spellings (
    word TEXT PRIMARY KEY,
    backwards TEXT NOT NULL,
    document_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO spellings VALUES('clock','kcolc',1);
INSERT INTO spellings VALUES('clocks','skcolc',1);
INSERT INTO spellings VALUES('does','seod',3);
INSERT INTO spellings VALUES('drift','tfird',1);
INSERT INTO spellings VALUES('ntp','ptn',5);
INSERT INTO spellings VALUES('urgent','tnegru',1);
INSERT INTO spellings VALUES('why','yhw',3);
INSERT INTO spellings VALUES('据库','库据',2);
INSERT INTO spellings VALUES('数据','据数',2);
-- Triggers and indices on  spellings
CREATE INDEX spellings_backwards ON spellings (backwards);
CREATE INDEX spellings_by_document ON spellings (document_id);

-- Table  spool_segments
DROP TABLE IF EXISTS spool_segments;
CREATE TABLE spool_segments (
    segment TEXT PRIMARY KEY,
    stored INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO spool_segments VALUES('2026-01-01.jsonl:1:2',77);

-- Table  subagents
DROP TABLE IF EXISTS subagents;
CREATE TABLE subagents (
    agent TEXT NOT NULL,
    id TEXT NOT NULL,
    parent TEXT NOT NULL,
    PRIMARY KEY (agent, id)
) STRICT, WITHOUT ROWID;

-- Table  summaries
DROP TABLE IF EXISTS summaries;
CREATE TABLE summaries (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted_at INTEGER,
    private INTEGER NOT NULL DEFAULT 0 CHECK (private IN (0, 1)),
    pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    origin TEXT NOT NULL DEFAULT '',
    editor TEXT NOT NULL DEFAULT '',
    hlc INTEGER NOT NULL DEFAULT 0,
    source TEXT,
    native_id TEXT,
    fingerprint TEXT,
    extra TEXT CHECK (extra IS NULL OR json_valid(extra)),
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    project TEXT NOT NULL DEFAULT '',
    level TEXT NOT NULL DEFAULT 'detailed' CHECK (level IN ('brief', 'detailed')),
    request TEXT,
    investigated TEXT,
    learned TEXT,
    completed TEXT,
    next_steps TEXT,
    notes TEXT,
    text TEXT,
    files_read TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(files_read)),
    files_edited TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(files_edited)),
    prompt_number INTEGER,
    discovery_tokens INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO summaries VALUES(1,'01a20550-010b-7e91-8f0b-83b7536f0e30',1795385458955,1795385458955,NULL,0,0,'01a20550-00f8-787a-ad50-a036a6b56ea9','01a20550-00f8-787a-ad50-a036a6b56ea9',117662381438074880,NULL,NULL,NULL,NULL,1,'','detailed','drift',NULL,NULL,NULL,NULL,NULL,NULL,'["a.py"]','[]',NULL,0);
-- Triggers and indices on  summaries
CREATE INDEX summaries_by_session ON summaries (session_id);
CREATE UNIQUE INDEX summaries_by_source ON summaries (source, native_id) WHERE source IS NOT NULL;
CREATE TRIGGER summaries_changed
AFTER UPDATE OF private, deleted_at, session_id, project, created_at, pinned ON summaries BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT * FROM visible_memories WHERE kind = 's' AND record_id = NEW.id
        ON CONFLICT (kind, record_id) DO UPDATE SET
            session_id = excluded.session_id, project = excluded.project, type = excluded.type,
            created_at = excluded.created_at, pinned = excluded.pinned;
END;
CREATE TRIGGER summaries_deleted BEFORE DELETE ON summaries BEGIN
    DELETE FROM documents WHERE kind = 's' AND record_id = OLD.id;
END;
CREATE TRIGGER summaries_forgotten AFTER DELETE ON summaries BEGIN
    DELETE FROM vanished WHERE kind = 'summaries' AND record_id = OLD.id;
END;
CREATE INDEX summaries_hidden ON summaries (created_at) WHERE private = 1 OR deleted_at IS NOT NULL;
CREATE TRIGGER summaries_hidden BEFORE UPDATE OF private, deleted_at ON summaries
WHEN NEW.private = 1 OR NEW.deleted_at IS NOT NULL BEGIN
    DELETE FROM documents WHERE kind = 's' AND record_id = OLD.id;
END;
CREATE TRIGGER summaries_inserted AFTER INSERT ON summaries
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        VALUES ('s', NEW.id, NEW.session_id, NEW.project, 'summary', NEW.created_at, NEW.pinned);
END;
CREATE TRIGGER summaries_labelled AFTER UPDATE OF files_read, files_edited ON summaries
WHEN (OLD.files_read, OLD.files_edited) IS NOT (NEW.files_read, NEW.files_edited) BEGIN
    INSERT INTO labels (kind, value, document_id)
        SELECT l.kind, l.value, d.id FROM documents d CROSS JOIN memory_labels l
        WHERE d.kind = 's' AND d.record_id = NEW.id AND l.memory_kind = 's' AND l.record_id = NEW.id;
END;
CREATE TRIGGER summaries_reworded
AFTER UPDATE OF request, investigated, learned, completed, next_steps, notes, text, files_read,
    files_edited ON summaries
WHEN (OLD.request, OLD.investigated, OLD.learned, OLD.completed, OLD.next_steps, OLD.notes, OLD.text,
        OLD.files_read, OLD.files_edited)
    IS NOT (NEW.request, NEW.investigated, NEW.learned, NEW.completed, NEW.next_steps, NEW.notes,
        NEW.text, NEW.files_read, NEW.files_edited) BEGIN
    INSERT INTO unindexed SELECT id FROM documents WHERE kind = 's' AND record_id = NEW.id
        ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER summaries_unlabelled BEFORE UPDATE OF files_read, files_edited ON summaries
WHEN (OLD.files_read, OLD.files_edited) IS NOT (NEW.files_read, NEW.files_edited) BEGIN
    DELETE FROM labels
        WHERE document_id = (SELECT id FROM documents WHERE kind = 's' AND record_id = OLD.id)
        AND (kind, value) IN (
            SELECT kind, value FROM memory_labels WHERE memory_kind = 's' AND record_id = OLD.id
        );
END;

-- Table  synced_files
DROP TABLE IF EXISTS synced_files;
CREATE TABLE synced_files (
    directory TEXT NOT NULL,
    file TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (directory, file)
) STRICT, WITHOUT ROWID;

-- Table  synced_records
DROP TABLE IF EXISTS synced_records;
CREATE TABLE synced_records (
    directory TEXT NOT NULL,
    uid TEXT NOT NULL,
    kind TEXT NOT NULL,
    file TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (directory, uid)
) STRICT, WITHOUT ROWID;

-- Table  token_usage
DROP TABLE IF EXISTS token_usage;
CREATE TABLE token_usage (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    message TEXT NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    cache_read INTEGER NOT NULL,
    cache_written INTEGER NOT NULL,
    PRIMARY KEY (session_id, message)
) STRICT, WITHOUT ROWID;

-- Table  transcript_records
DROP TABLE IF EXISTS transcript_records;
CREATE TABLE transcript_records (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL
) STRICT;

-- Table  transcripts
DROP TABLE IF EXISTS transcripts;
CREATE TABLE transcripts (
    path TEXT PRIMARY KEY,
    agent TEXT NOT NULL,
    file TEXT NOT NULL DEFAULT '',
    read_bytes INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(state)),
    is_due INTEGER NOT NULL DEFAULT 0 CHECK (is_due IN (0, 1)),
    read_at INTEGER
) STRICT;
-- Triggers and indices on  transcripts
CREATE INDEX transcripts_due ON transcripts (is_due) WHERE is_due = 1;
CREATE INDEX transcripts_unread ON transcripts (agent) WHERE read_at IS NULL;

-- Table  unindexed
DROP TABLE IF EXISTS unindexed;
CREATE TABLE unindexed (document_id INTEGER PRIMARY KEY);
-- Triggers and indices on  unindexed
CREATE TRIGGER grams_document_changed AFTER INSERT ON unindexed BEGIN
    DELETE FROM grams WHERE rowid = NEW.document_id;
END;
CREATE TRIGGER spellings_document_changed AFTER INSERT ON unindexed BEGIN
    UPDATE spellings SET document_id = 0 WHERE document_id = NEW.document_id;
END;
CREATE TRIGGER words_document_changed AFTER INSERT ON unindexed BEGIN
    DELETE FROM words WHERE rowid = NEW.document_id;
END;

-- Table  vanished
DROP TABLE IF EXISTS vanished;
CREATE TABLE vanished (
    kind TEXT NOT NULL,
    record_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (kind, record_id)
) STRICT, WITHOUT ROWID;

-- Table  words
DELETE FROM sqlite_schema WHERE name='words' AND type='table';
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql) VALUES('table','words','words',0,'CREATE VIRTUAL TABLE words USING fts5(
    title, body, lists, content='''', contentless_delete=1,
    tokenize=''porter unicode61 remove_diacritics 2''
)');

-- Table  words_config
DROP TABLE IF EXISTS words_config;
CREATE TABLE 'words_config'(k PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO words_config VALUES('version',4);

-- Table  words_data
DROP TABLE IF EXISTS words_data;
CREATE TABLE 'words_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO words_data VALUES(1,X'05070607');
INSERT INTO words_data VALUES(10,X'00000000FF0000010106070006010101010100000102010102020000010301010303010101040101040400000105010105050000010601010606000001');
INSERT INTO words_data VALUES(137438953473,X'0000004002306101060102030105636C6F636B0108040102020105647269667401020201026F660102030102707901060102040106757267656E74010601020504080D0A0709');
INSERT INTO words_data VALUES(274877906945,X'000000210430E5BA930202040106E68DAEE5BA93020203020595B0E68DAE02020204080B');
INSERT INTO words_data VALUES(412316860417,X'0000000D0530676F6E6503020204');
INSERT INTO words_data VALUES(549755813889,X'0000002C0430646F650306010103020472696674030601010501026974030601010401037768790306010102040A0B09');
INSERT INTO words_data VALUES(687194767361,X'0000001F02306104060102020105647269667404020201027079040601020304080A');
INSERT INTO words_data VALUES(824633720833,X'000000260630636C6F636B050601010201056472696674050601010301036E74700506010202040C0C');
INSERT INTO words_data VALUES(9007611571601408,X'04000000000000010000000000000000000000000000000300000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000');

-- Table  words_docsize
DROP TABLE IF EXISTS words_docsize;
CREATE TABLE 'words_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);
INSERT INTO words_docsize VALUES(1,X'030004',1);
INSERT INTO words_docsize VALUES(2,X'030000',2);
INSERT INTO words_docsize VALUES(3,X'000400',4);
INSERT INTO words_docsize VALUES(4,X'010002',5);
INSERT INTO words_docsize VALUES(5,X'000201',6);

-- Table  words_idx
DROP TABLE IF EXISTS words_idx;
CREATE TABLE 'words_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO words_idx VALUES(1,X'',2);
INSERT INTO words_idx VALUES(2,X'',2);
INSERT INTO words_idx VALUES(3,X'',2);
INSERT INTO words_idx VALUES(4,X'',2);
INSERT INTO words_idx VALUES(5,X'',2);
INSERT INTO words_idx VALUES(6,X'',2);

-- Views
DROP VIEW IF EXISTS labels;
CREATE VIEW labels AS
    SELECT kind, value, document_id
    FROM label_uses JOIN label_names ON label_names.id = label_id;
DROP VIEW IF EXISTS memories;
CREATE VIEW memories AS
    SELECT 'o' AS kind, id AS record_id, session_id, project, type,
        created_at, pinned, private, deleted_at FROM observations
    UNION ALL
    SELECT 'p', id, session_id, (SELECT project FROM sessions WHERE id = prompts.session_id),
        'prompt', created_at, pinned, private, deleted_at FROM prompts
    UNION ALL
    SELECT 's', id, session_id, project, 'summary',
        created_at, pinned, private, deleted_at FROM summaries
    UNION ALL
    SELECT 'f', id, NULL, project, 'fact',
        created_at, pinned, private, deleted_at FROM facts;
DROP VIEW IF EXISTS visible_memories;
CREATE VIEW visible_memories AS
    SELECT kind, record_id, session_id, project, type, created_at, pinned FROM memories
    WHERE private = 0 AND deleted_at IS NULL AND type <> 'noise';
DROP VIEW IF EXISTS hidden_documents;
CREATE VIEW hidden_documents AS
    SELECT -(4 * record_id + instr('opsf', kind) - 1) AS id, *
    FROM memories WHERE private = 1 OR deleted_at IS NOT NULL OR type = 'noise';
DROP VIEW IF EXISTS memory_labels;
CREATE VIEW memory_labels AS
    SELECT 'o' AS memory_kind, o.id AS record_id, 'concept' AS kind, CAST(value AS TEXT) AS value
        FROM observations o, json_each(o.concepts)
    UNION ALL SELECT 'o', o.id, 'file', CAST(value AS TEXT)
        FROM observations o, json_each(o.files_read)
    UNION ALL SELECT 'o', o.id, 'file', CAST(value AS TEXT)
        FROM observations o, json_each(o.files_modified)
    UNION ALL SELECT 'o', o.id, 'tag', CAST(value AS TEXT)
        FROM observations o, json_each(o.tags)
    UNION ALL SELECT 's', s.id, 'file', CAST(value AS TEXT)
        FROM summaries s, json_each(s.files_read)
    UNION ALL SELECT 's', s.id, 'file', CAST(value AS TEXT)
        FROM summaries s, json_each(s.files_edited)
    UNION ALL SELECT 'f', f.id, 'entity', CAST(value AS TEXT)
        FROM facts f, json_each(f.entities);

pragma user_version=10;
pragma application_id=1835363700;

COMMIT TRANSACTION;

-- Restoring writable schema back to default
PRAGMA writable_schema=OFF;

-- We need to force SQLite to reread the schema because otherwise it doesn't
-- know that the virtual tables we inserted directly into sqlite_schema exist.
BEGIN;
CREATE TABLE no_such_table(x,y,z);
ROLLBACK;
PRAGMA user_version=10;
PRAGMA application_id=0x6d656d74;
