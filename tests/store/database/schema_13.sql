-- A small memory as schema 13 left it: its rows, triggers and indexes, and a journal with undone actions.

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

-- Table  changed_rows
DROP TABLE IF EXISTS changed_rows;
CREATE TABLE changed_rows (
    change_id INTEGER NOT NULL REFERENCES changes (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    record_id INTEGER NOT NULL,
    uid TEXT NOT NULL,
    PRIMARY KEY (change_id, kind, record_id)
) STRICT, WITHOUT ROWID;
INSERT INTO changed_rows VALUES(3,'facts',1,'01a20419-efff-71c3-9e7f-dd272a30594a');
INSERT INTO changed_rows VALUES(3,'observations',1,'01a20419-efe8-7470-8727-66a47ca6e1dd');
INSERT INTO changed_rows VALUES(4,'facts',2,'01a20419-f005-7019-b994-5d2f88b54506');
INSERT INTO changed_rows VALUES(5,'notes',1,'01a20419-f006-70a5-84b4-491b1725748a');
INSERT INTO changed_rows VALUES(6,'observations',1,'01a20419-efe8-7470-8727-66a47ca6e1dd');
-- Triggers and indices on  changed_rows
CREATE INDEX changed_rows_by_record ON changed_rows (kind, record_id);

-- Table  changes
DROP TABLE IF EXISTS changes;
CREATE TABLE changes (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    what TEXT NOT NULL,
    changeset BLOB NOT NULL,
    undone_at INTEGER
, part_of INTEGER, undo_changeset BLOB, via TEXT NOT NULL DEFAULT '', agent TEXT, undone_after INTEGER, undone_via TEXT, host TEXT, undone_agent TEXT, undone_host TEXT) STRICT;
INSERT INTO changes VALUES(1,1795365138417,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','observation 4 deleted',X'541F010000000000000000000000000000000000000000000000000000000000006F62736572766174696F6E73001700010000000000000004000001000001A20419EFED05000000000101A20419EFED000000000000000000000000000000000000000000000000000001000001A20419EFEF01000001A20419EFEE000000000101A20419EFEF0000000000000000000000000000000000000000000000',NULL,NULL,NULL,'',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO changes VALUES(2,1795365138424,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','observation 6 pinned',X'541F010000000000000000000000000000000000000000000000000000000000006F62736572766174696F6E73001700010000000000000006000001000001A20419EFF5000001000000000000000000000101A20419EFF5000000000000000000000000000000000000000000000000000001000001A20419EFF8000001000000000000000100000101A20419EFF80000000000000000000000000000000000000000000000',NULL,NULL,NULL,'',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO changes VALUES(3,1795391707764,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','2 memories deleted',X'541F010000000000000000000000000000000000000000000000000000000000006F62736572766174696F6E73001700010000000000000001000001000001A20419EFE805000000000101A20419EFE8000000000000000000000000000000000000000000000000000001000001A205AF5A6F01000001A205AF5A6F000000000101A205AF5A6F00000000000000000000000000000000000000000000005416010000000000000000000000000000000000000000006661637473001700010000000000000001000001000001A20419F00305000000000101A20419F003000000000000000000000000000000000001000001A205AF5A7201000001A205AF5A71000000000101A205AF5A720000000000000000000000000000',1795391707771,NULL,X'541F010000000000000000000000000000000000000000000000000000000000006F62736572766174696F6E73001700010000000000000001000001000001A205AF5A6F01000001A205AF5A6F000000000101A205AF5A6F000000000000000000000000000000000000000000000000000001000001A205AF5A7905000000000101A205AF5A7900000000000000000000000000000000000000000000005416010000000000000000000000000000000000000000006661637473001700010000000000000001000001000001A205AF5A7201000001A205AF5A71000000000101A205AF5A72000000000000000000000000000000000001000001A205AF5A7A05000000000101A205AF5A7A0000000000000000000000000000','',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO changes VALUES(4,1795391707773,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','fact f2 pinned',X'5416010000000000000000000000000000000000000000006661637473001700010000000000000002000001000001A20419F005000001000000000000000000000101A20419F005000000000000000000000000000000000001000001A205AF5A7D000001000000000000000100000101A205AF5A7D0000000000000000000000000000',NULL,NULL,NULL,'',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO changes VALUES(5,1795391707775,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','note n1 put',X'541101000000000000000000000000000000006E6F746573001700010000000000000001000001000001A20419F00600000000000101A20419F00600000000000000000324232041746C61730A52656672657368206279207468652073657276657220636C6F636B2E00000001000001A205AF5A7E00000000000101A205AF5A7E0000000000000000031A232041746C61730A0A54686520636C6F636B206472696674732E',NULL,NULL,NULL,'',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO changes VALUES(6,1795403222724,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','observation 1 deleted',X'541F010000000000000000000000000000000000000000000000000000000000006F62736572766174696F6E73001700010000000000000001000001000001A205AF5A7905000000000101A205AF5A79000000000000000000000000000000000000000000000000000001000001A2065F0EBE01000001A2065F0EBD000000000101A2065F0EBE0000000000000000000000000000000000000000000000',1795403222749,NULL,X'541F010000000000000000000000000000000000000000000000000000000000006F62736572766174696F6E73001700010000000000000001000001000001A2065F0EBE01000001A2065F0EBD000000000101A2065F0EBE000000000000000000000000000000000000000000000000000001000001A2065F0EDC05000000000101A2065F0EDC0000000000000000000000000000000000000000000000','',NULL,6,'',NULL,NULL,NULL);
-- Triggers and indices on  changes
CREATE INDEX changes_by_part ON changes (part_of) WHERE part_of IS NOT NULL;
CREATE INDEX changes_standing ON changes (id) WHERE undone_at IS NULL;
CREATE INDEX changes_undone ON changes (undone_after, id) WHERE undone_after IS NOT NULL;

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
, changed_in INTEGER NOT NULL DEFAULT 0);
INSERT INTO documents VALUES(1,'p',1,1,'atlas','prompt',1771000001000,0,0);
INSERT INTO documents VALUES(2,'p',2,1,'atlas','prompt',1771000002000,0,0);
INSERT INTO documents VALUES(3,'o',1,1,'atlas','bugfix',1771000003000,0,0);
INSERT INTO documents VALUES(4,'o',2,1,'atlas','decision',1771000004000,0,0);
INSERT INTO documents VALUES(5,'s',1,1,'atlas','summary',1771000006000,0,0);
INSERT INTO documents VALUES(6,'f',1,NULL,'atlas','fact',1771000007000,0,0);
INSERT INTO documents VALUES(7,'f',2,NULL,'','fact',1771000009000,1,0);
INSERT INTO documents VALUES(8,'o',6,2,'orders','discovery',1771086404000,1,0);
INSERT INTO documents VALUES(9,'s',2,2,'orders','summary',1771086405000,0,0);
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
CREATE TRIGGER documents_forgotten AFTER DELETE ON documents BEGIN
    UPDATE repositories SET documents = (SELECT ifnull(max(id), 0) FROM documents)
        WHERE documents > (SELECT ifnull(max(id), 0) FROM documents);
END;
CREATE TRIGGER documents_inserted AFTER INSERT ON documents BEGIN
    INSERT INTO unindexed VALUES (NEW.id);
    INSERT INTO labels (kind, value, document_id)
        SELECT kind, value, NEW.id FROM memory_labels
        WHERE memory_kind = NEW.kind AND record_id = NEW.record_id;
END;
CREATE TRIGGER documents_moved AFTER UPDATE OF created_at, session_id ON documents
WHEN (OLD.created_at, OLD.session_id) IS NOT (NEW.created_at, NEW.session_id) BEGIN
    UPDATE repositories SET documents = OLD.id - 1 WHERE documents >= OLD.id;
END;
CREATE INDEX documents_pinned ON documents (created_at) WHERE pinned = 1;
CREATE INDEX documents_stale ON documents (created_at) WHERE changed_in > 0;
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
INSERT INTO fact_sources VALUES(1,'051f5e91-e19c-83d5-8c10-16c35b5ed073',1,'','ce33ce1edcfbac277fdbcd1f6bb71b09',1771000007000,NULL,NULL,0,0.8,'["NTP"]','["u-1"]','["bob"]','["u-1", "bob"]',NULL,NULL);
INSERT INTO fact_sources VALUES(2,'befaa61e-7433-84dd-97c3-a8d9f73eb2d0',1,'','09c49aeb2c9b10416b063f9397b25ead',1771000008000,NULL,NULL,0,0.7,'["chrony"]','["u-2"]','["ann"]','["u-2", "ann"]',NULL,NULL);
INSERT INTO fact_sources VALUES(3,'d959a8a0-7be4-8436-a2e9-d2c13d7bc32e',2,'','said',1771000009000,NULL,NULL,0,1.0,'[]','[]','[]','[]',NULL,NULL);
-- Triggers and indices on  fact_sources
CREATE INDEX fact_sources_by_source ON fact_sources (source, native_id);

-- Table  facts
DROP TABLE IF EXISTS facts;
CREATE TABLE facts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
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
, superseded_by TEXT) STRICT;
INSERT INTO facts VALUES(1,'01a20419-efff-71c3-9e7f-dd272a30594a',1771000007000,1795391707770,NULL,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117662790960414720,NULL,NULL,NULL,NULL,'atlas','W','Clocks drift','["NTP", "chrony"]',0.94,'["u-1", "u-2"]','["bob", "ann"]','clocks drift',NULL);
INSERT INTO facts VALUES(2,'01a20419-f005-7019-b994-5d2f88b54506',1771000009000,1795391707773,NULL,0,1,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117662790960611328,NULL,NULL,NULL,NULL,'','O','The user likes short answers','[]',1.0,'[]','[]','the user likes short answers',NULL);
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
CREATE INDEX facts_superseded ON facts (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE TRIGGER facts_unlabelled BEFORE UPDATE OF entities ON facts
WHEN OLD.entities IS NOT NEW.entities BEGIN
    DELETE FROM labels
        WHERE document_id = (SELECT id FROM documents WHERE kind = 'f' AND record_id = OLD.id)
        AND (kind, value) IN (
            SELECT kind, value FROM memory_labels WHERE memory_kind = 'f' AND record_id = OLD.id
        );
END;

-- Table  file_commits
DROP TABLE IF EXISTS file_commits;
CREATE TABLE file_commits (
    label_id INTEGER NOT NULL,
    repository_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    committed_at INTEGER NOT NULL,
    authored_at INTEGER NOT NULL,
    previous_at INTEGER NOT NULL,
    status TEXT NOT NULL,
    PRIMARY KEY (label_id, repository_id, number)
) STRICT, WITHOUT ROWID;

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
, occasion TEXT NOT NULL DEFAULT 'startup') STRICT;

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
INSERT INTO grams_data VALUES(1,X'09832E');
INSERT INTO grams_data VALUES(10,X'00000000FF0000010103030003010101010100000502010102020000020301010303000002');
INSERT INTO grams_data VALUES(137438953473,X'000003B904301F1F1F03010403016103030163030103016F0803017303050301740303017503050303E68A8A04040295B00402026175030202636C030102026F72080202737203050202746803030174030202757203050206E68A8AE7B4A204030595B0E68DAE04010320323403020261720802026279030202646F0103017201020202681F0303016F030202696408030173030202726501020202736B03020274680103016F010201032E7079030501032F612E030202622E0302026F72080103323420030103342068030103612E7003020272650802027574030103622E700302027920030103632F61030301620303016F0802026B1F03010301200302026C6F0301010364206203030174030202656D080301720802026F65010202726901020103652069080301720303017401020264200302026672010202026D700802026E20010203017403050202727308020273200103016801020202771F030103666978030202726501020202741F0103016503010367656E03050103681F1F0302022064010202026520010202026F750302027920010103696465080202667401020202732003020278650301036B1F1F030102022073030202656E01020301770301036C20690302026F63030101036D706F0801036E207201020202741F030501036F636B0301020265730102026B6501020202726408020274650802027572030103706F74080202791F0305010372632F030502026465080202652008030166010203017301020202676503050202696601020202731F03050301200803012E080103731F1F03050202203203030161080301740102022E70080202681F03030120010202026B65030202726303050103741F1F010205020265640303016E080202681F03030165010202026C200302026F6B01020202746C03010375726703050301730302027468030103771F1F0302026879010103786564030103791F1F03050202203203030164010109E4BBA4E7898CE588B7020206BFAEE5A5BD1F020109E588B7E696B0E4BFAE020204A5BD1F1F020204BA931F1F040406E79A84E4BBA4020406E8BF81E7A7BB040208BC95E694BEE8BF9B040109E68A8AE695B0E68DAE020406E7B4A2E5BC950402068DAEE5BA931F040703E79A84020703E8BF8104020894BEE8BF9BE8BF8104020895B0E68DAEE5BA930202020896B0E4BFAEE5A5BD020109E7898CE588B7E696B00202089A84E4BBA4E7898C020204A7BB1F1F040404E9878C1F040208B4A2E5BC95E694BE040107E8BF81E7A7BB1F040703E9878C0403079BE8BF81E7A7BB040105E9878C1F1F0404080405040504050605050605060504060908060505050505040504060505050706050506060605050605060404060406060405040506060404050605060505050505060605040706060605050606050507050604060606070607050605050506060705050505060606040407050404050505050608050405050506050704050605060705040C090C070709090B0C090906060B0C0B0C0B07070B0A060A');
INSERT INTO grams_data VALUES(274877906945,X'0000014704301F1F1F05040301630503017205030173050202636C05020272650502027372050103206279050202636C0502026472050202736505020274680501032E70790501032F622E050103622E700502027920050103632F620502026B1F050301730502026C6F0501036465720902027269050103652064050301730502026672050202722005030173090301760502027368050103667265050202741F05010368206205020265200501036966740501036B1F1F05020273200501036C6F630501036F636B05020270200502027264090103702074050202791F050103722063050202632F05020264650902026566050301730502026966050202731F0902027665050103731F1F0902022064050202657205020268200502027263050202746F050103741F1F05020268650502026F70050103766572050103791F1F0502022074050407040404050505060505050506060605060504050605060405050404050605060506060506060505060506050505040505050605050505050605050606');
INSERT INTO grams_data VALUES(412316860417,X'0000012204301F1F1F070301630603016E06020263680602026E7406010320616E07020264720602026C6907020273680702027573070103616E730701036368720602026B730602026C6F060103647269060103652075070202722007030173070202732007010366741F0601036865200702026F72070202726F0601036966740602026B650701036B657307020273200601036C696B0702026F630601036E73770702027470060202791F0601036F636B0602026E790602027274070103701F1F06010372206C07020269660602026F6E060202731F0702027420070103731F1F0702022064060301730702026572070202686F0702027765070103741F1F06020220610702026865070202701F060103757365070103776572070103791F1F06040604040505060505050506060505060605040506060505060506050605060505060505060605050505060504050505060505050606');

-- Table  grams_docsize
DROP TABLE IF EXISTS grams_docsize;
CREATE TABLE 'grams_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);
INSERT INTO grams_docsize VALUES(1,X'20',1);
INSERT INTO grams_docsize VALUES(2,X'0B',1);
INSERT INTO grams_docsize VALUES(3,X'8102',1);
INSERT INTO grams_docsize VALUES(4,X'27',1);
INSERT INTO grams_docsize VALUES(5,X'4D',2);
INSERT INTO grams_docsize VALUES(6,X'19',3);
INSERT INTO grams_docsize VALUES(7,X'1E',3);
INSERT INTO grams_docsize VALUES(8,X'40',1);
INSERT INTO grams_docsize VALUES(9,X'16',2);

-- Table  grams_idx
DROP TABLE IF EXISTS grams_idx;
CREATE TABLE 'grams_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO grams_idx VALUES(1,X'',2);
INSERT INTO grams_idx VALUES(2,X'',2);
INSERT INTO grams_idx VALUES(3,X'',2);

-- Table  hook_runs
DROP TABLE IF EXISTS hook_runs;
CREATE TABLE hook_runs (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    agent TEXT NOT NULL,
    microseconds INTEGER NOT NULL
) STRICT;

-- Table  hosts
DROP TABLE IF EXISTS hosts;
CREATE TABLE hosts (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;

-- Table  label_names
DROP TABLE IF EXISTS label_names;
CREATE TABLE label_names (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    UNIQUE (kind, value)
);
INSERT INTO label_names VALUES(1,'entity','NTP');
INSERT INTO label_names VALUES(2,'entity','chrony');
INSERT INTO label_names VALUES(3,'concept','auth');
INSERT INTO label_names VALUES(4,'concept','clock');
INSERT INTO label_names VALUES(5,'file','src/a.py');
INSERT INTO label_names VALUES(6,'file','src/b.py');
INSERT INTO label_names VALUES(7,'tag','urgent');
INSERT INTO label_names VALUES(8,'concept','数据库');
INSERT INTO label_names VALUES(9,'file','src/orders.py');
INSERT INTO label_names VALUES(10,'tag','orders');
-- Triggers and indices on  label_names
CREATE TRIGGER labels_forgotten AFTER DELETE ON label_names BEGIN
    DELETE FROM file_commits WHERE label_id = OLD.id;
    UPDATE repositories SET labels = (SELECT ifnull(max(id), 0) FROM label_names)
        WHERE labels > (SELECT ifnull(max(id), 0) FROM label_names);
END;

-- Table  label_uses
DROP TABLE IF EXISTS label_uses;
CREATE TABLE label_uses (
    label_id INTEGER NOT NULL,
    document_id INTEGER NOT NULL,
    PRIMARY KEY (label_id, document_id)
) WITHOUT ROWID;
INSERT INTO label_uses VALUES(1,6);
INSERT INTO label_uses VALUES(2,6);
INSERT INTO label_uses VALUES(3,3);
INSERT INTO label_uses VALUES(4,3);
INSERT INTO label_uses VALUES(4,4);
INSERT INTO label_uses VALUES(5,3);
INSERT INTO label_uses VALUES(6,3);
INSERT INTO label_uses VALUES(6,5);
INSERT INTO label_uses VALUES(7,3);
INSERT INTO label_uses VALUES(7,8);
INSERT INTO label_uses VALUES(8,4);
INSERT INTO label_uses VALUES(9,8);
INSERT INTO label_uses VALUES(10,8);

-- Table  merged_records
DROP TABLE IF EXISTS merged_records;
CREATE TABLE merged_records (
    uid TEXT PRIMARY KEY,
    into_uid TEXT NOT NULL,
    session TEXT,
    key TEXT,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- Triggers and indices on  merged_records
CREATE INDEX merged_records_by_key ON merged_records (key) WHERE key IS NOT NULL;
CREATE INDEX merged_records_into ON merged_records (into_uid);

-- Table  meta
DROP TABLE IF EXISTS meta;
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES('machine_id','01a20419-efc4-7f7d-87a3-e965d6e2fe1a');
INSERT INTO meta VALUES('tokenizer','trigram');

-- Table  not_duplicates
DROP TABLE IF EXISTS not_duplicates;
CREATE TABLE not_duplicates (
    uid TEXT NOT NULL,
    other_uid TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (uid, other_uid),
    CHECK (uid < other_uid)
) STRICT, WITHOUT ROWID;
-- Triggers and indices on  not_duplicates
CREATE INDEX not_duplicates_by_other ON not_duplicates (other_uid);

-- Table  notes
DROP TABLE IF EXISTS notes;
CREATE TABLE notes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
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
INSERT INTO notes VALUES(1,'01a20419-f006-70a5-84b4-491b1725748a',1795365138438,1795391707774,NULL,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117662790960676864,NULL,NULL,NULL,NULL,'atlas','MEMORY.md','# Atlas

The clock drifts.');
-- Triggers and indices on  notes
CREATE UNIQUE INDEX notes_by_source ON notes (source, native_id) WHERE source IS NOT NULL;
CREATE TRIGGER notes_forgotten AFTER DELETE ON notes BEGIN
    DELETE FROM vanished WHERE kind = 'notes' AND record_id = OLD.id;
END;

-- Table  observations
DROP TABLE IF EXISTS observations;
CREATE TABLE observations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
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
INSERT INTO observations VALUES(1,'01a20419-efe8-7470-8727-66a47ca6e1dd',1771000003000,1795403222748,NULL,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117663545606012928,NULL,NULL,NULL,NULL,1,'atlas','bugfix','Fixed token refresh','clock skew','The refresh drifted by 24 hours',NULL,'["TTL is 24 h"]','["clock", "auth"]','["src/a.py", "src/b.py"]','["src/a.py"]','["urgent"]','Edit',1,120,'e-1',NULL);
INSERT INTO observations VALUES(2,'01a20419-efeb-7b0f-973a-8c9a2d4a757f',1771000004000,1795365138411,NULL,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049710903296,NULL,NULL,NULL,NULL,1,'atlas','decision','数据库迁移',NULL,'把索引放进迁移里',NULL,'[]','["clock", "数据库"]','[]','[]','[]',NULL,NULL,0,NULL,NULL);
INSERT INTO observations VALUES(3,'01a20419-efec-7e47-bbd7-5143a2169962',1771000005000,1795365138412,NULL,1,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049710968832,NULL,NULL,NULL,NULL,1,'atlas','note','drift canary',NULL,NULL,NULL,'[]','["canary"]','[]','[]','[]',NULL,NULL,0,NULL,NULL);
INSERT INTO observations VALUES(4,'01a20419-efed-7b20-b495-c692bb0444b4',1771086402000,1795365138442,1795365138414,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049712934912,NULL,NULL,NULL,NULL,2,'orders','note','drift gone',NULL,NULL,NULL,'[]','["canary"]','[]','[]','[]',NULL,NULL,0,NULL,NULL);
INSERT INTO observations VALUES(5,'01a20419-eff3-76fc-92ad-d4b2506f861e',1771086403000,1795365138442,NULL,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049712934912,NULL,NULL,NULL,NULL,2,'orders','noise','Listed src',NULL,NULL,NULL,'[]','["canary"]','["src/noise.py"]','[]','[]',NULL,NULL,0,NULL,NULL);
INSERT INTO observations VALUES(6,'01a20419-eff5-785e-a8dc-ac0faea19cfa',1771086404000,1795365138442,NULL,0,1,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049712934912,NULL,NULL,NULL,NULL,2,'orders','discovery','Orders are idempotent',NULL,NULL,NULL,'[]','[]','["src/orders.py"]','[]','["urgent", "orders"]',NULL,NULL,0,NULL,NULL);
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
CREATE TRIGGER observations_refiled AFTER UPDATE OF files_read, files_modified ON observations
WHEN (OLD.files_read, OLD.files_modified) IS NOT (NEW.files_read, NEW.files_modified) BEGIN
    UPDATE repositories SET documents = (
        SELECT id - 1 FROM documents WHERE kind = 'o' AND record_id = NEW.id
    ) WHERE documents >= (SELECT id FROM documents WHERE kind = 'o' AND record_id = NEW.id);
END;
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
    id INTEGER PRIMARY KEY AUTOINCREMENT,
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
INSERT INTO pending_messages VALUES(1,'01a20419-f007-731d-9ac4-e4932150e291',1,'observation',1795365138439,1795365138439,'pending',0,NULL,NULL,NULL,NULL,'Bash','{"command":"make"}','ok',NULL,NULL,NULL,1,'e-9',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO pending_messages VALUES(2,'01a20419-f008-7a8b-896d-b1427e5f03cc',2,'summary',1795365138440,1795365138440,'pending',0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'orders',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO project_aliases VALUES('order-center','orders');

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
    id INTEGER PRIMARY KEY AUTOINCREMENT,
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
INSERT INTO prompts VALUES(1,'01a20419-efdc-72aa-9169-29a4b541d7d4',1771000001000,1795365138396,NULL,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049709920256,NULL,NULL,NULL,NULL,1,1,'why does the token refresh drift');
INSERT INTO prompts VALUES(2,'01a20419-efde-72f1-9708-f3d527c48482',1771000002000,1795365138398,NULL,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049710051328,NULL,NULL,NULL,NULL,1,2,'把数据库的令牌刷新修好');
INSERT INTO prompts VALUES(3,'01a20419-efe5-7ccc-94ca-9bdddb369ce8',1771086401000,1795365138405,NULL,1,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049710510080,NULL,NULL,NULL,NULL,2,1,'a hidden prompt about drift');
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
        VALUES ('p', NEW.id, NEW.session_id,
            coalesce((SELECT project FROM sessions WHERE id = NEW.session_id), ''),
            'prompt', NEW.created_at, NEW.pinned);
END;
CREATE TRIGGER prompts_quoted AFTER UPDATE OF text, private, deleted_at ON prompts
WHEN (OLD.text, OLD.private, OLD.deleted_at) IS NOT (NEW.text, NEW.private, NEW.deleted_at) BEGIN
    UPDATE sessions SET hlc = max(min(hlc, 9223372036854775806) + 1, NEW.hlc), first_prompt = (
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
    UPDATE sessions SET hlc = max(min(hlc, 9223372036854775806) + 1, OLD.hlc), first_prompt = (
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
, key TEXT) STRICT, WITHOUT ROWID;
-- Triggers and indices on  purged
CREATE INDEX purged_by_key ON purged (key, kind) WHERE key IS NOT NULL;
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
INSERT INTO recent_searches VALUES('drift',1795365138441);

-- Table  redone_changes
DROP TABLE IF EXISTS redone_changes;
CREATE TABLE redone_changes (
    id INTEGER PRIMARY KEY,
    change_id INTEGER NOT NULL REFERENCES changes (id) ON DELETE CASCADE,
    undone_at INTEGER NOT NULL,
    redone_at INTEGER NOT NULL,
    undo_changeset BLOB NOT NULL,
    redo_changeset BLOB NOT NULL
) STRICT;
-- Triggers and indices on  redone_changes
CREATE INDEX redone_changes_by_change ON redone_changes (change_id);

-- Table  repositories
DROP TABLE IF EXISTS repositories;
CREATE TABLE repositories (
    id INTEGER PRIMARY KEY,
    place TEXT NOT NULL UNIQUE,
    head TEXT NOT NULL DEFAULT '',
    sessions TEXT NOT NULL DEFAULT '',
    labels INTEGER NOT NULL DEFAULT 0,
    documents INTEGER NOT NULL DEFAULT 0,
    since INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Table  retention_policies
DROP TABLE IF EXISTS retention_policies;
CREATE TABLE "retention_policies" (
    project TEXT PRIMARY KEY,
    days REAL NOT NULL CHECK (days >= 0),
    grace_days REAL NOT NULL CHECK (grace_days >= 0),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Table  saved_searches
DROP TABLE IF EXISTS saved_searches;
CREATE TABLE saved_searches (
    name TEXT PRIMARY KEY,
    query TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO saved_searches VALUES('mine','type:bugfix',1795365138441,1795365138441);

-- Table  schema_versions
DROP TABLE IF EXISTS schema_versions;
CREATE TABLE schema_versions (
    version INTEGER PRIMARY KEY,
    applied_at INTEGER NOT NULL
) STRICT;
INSERT INTO schema_versions VALUES(1,1795365138331);
INSERT INTO schema_versions VALUES(2,1795365138331);
INSERT INTO schema_versions VALUES(3,1795365138331);
INSERT INTO schema_versions VALUES(4,1795365138331);
INSERT INTO schema_versions VALUES(5,1795365138331);
INSERT INTO schema_versions VALUES(6,1795365138331);
INSERT INTO schema_versions VALUES(7,1795365138331);
INSERT INTO schema_versions VALUES(8,1795365138331);
INSERT INTO schema_versions VALUES(9,1795365138331);
INSERT INTO schema_versions VALUES(10,1795391707730);
INSERT INTO schema_versions VALUES(11,1795391707730);
INSERT INTO schema_versions VALUES(12,1795403222703);
INSERT INTO schema_versions VALUES(13,1795456820442);

-- Table  sessions
DROP TABLE IF EXISTS sessions;
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
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
INSERT INTO sessions VALUES(1,'01a20419-efd9-7510-8807-4619bb4015fa',1771000000000,1795365138395,NULL,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049709854720,NULL,NULL,NULL,NULL,'claude-code','c-1','m-1','atlas','/home/u/atlas','Token refresh','why does the token refresh drift','active',1771000000000,NULL,2);
INSERT INTO sessions VALUES(2,'01a20419-efda-70f6-802e-8d49c19fa78a',1771086400000,1795365138445,NULL,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049713131520,NULL,NULL,NULL,NULL,'codex','c-2',NULL,'orders',NULL,NULL,NULL,'completed',1771086400000,1771172800000,1);
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
INSERT INTO spellings VALUES('answers','srewsna',7);
INSERT INTO spellings VALUES('are','era',8);
INSERT INTO spellings VALUES('auth','htua',3);
INSERT INTO spellings VALUES('chrony','ynorhc',6);
INSERT INTO spellings VALUES('clock','kcolc',3);
INSERT INTO spellings VALUES('clocks','skcolc',6);
INSERT INTO spellings VALUES('does','seod',1);
INSERT INTO spellings VALUES('drift','tfird',1);
INSERT INTO spellings VALUES('drifted','detfird',3);
INSERT INTO spellings VALUES('fixed','dexif',3);
INSERT INTO spellings VALUES('hours','sruoh',3);
INSERT INTO spellings VALUES('idempotent','tnetopmedi',8);
INSERT INTO spellings VALUES('likes','sekil',7);
INSERT INTO spellings VALUES('ntp','ptn',6);
INSERT INTO spellings VALUES('orders','sredro',8);
INSERT INTO spellings VALUES('refresh','hserfer',1);
INSERT INTO spellings VALUES('server','revres',5);
INSERT INTO spellings VALUES('short','trohs',7);
INSERT INTO spellings VALUES('skew','weks',3);
INSERT INTO spellings VALUES('src','crs',8);
INSERT INTO spellings VALUES('stop','pots',5);
INSERT INTO spellings VALUES('the','eht',3);
INSERT INTO spellings VALUES('token','nekot',1);
INSERT INTO spellings VALUES('ttl','ltt',3);
INSERT INTO spellings VALUES('urgent','tnegru',3);
INSERT INTO spellings VALUES('user','resu',7);
INSERT INTO spellings VALUES('why','yhw',1);
INSERT INTO spellings VALUES('令牌','牌令',2);
INSERT INTO spellings VALUES('修好','好修',2);
INSERT INTO spellings VALUES('刷新','新刷',2);
INSERT INTO spellings VALUES('库的','的库',2);
INSERT INTO spellings VALUES('库迁','迁库',4);
INSERT INTO spellings VALUES('引放','放引',4);
INSERT INTO spellings VALUES('把数','数把',2);
INSERT INTO spellings VALUES('把索','索把',4);
INSERT INTO spellings VALUES('据库','库据',2);
INSERT INTO spellings VALUES('放进','进放',4);
INSERT INTO spellings VALUES('数据','据数',2);
INSERT INTO spellings VALUES('新修','修新',2);
INSERT INTO spellings VALUES('牌刷','刷牌',2);
INSERT INTO spellings VALUES('的令','令的',2);
INSERT INTO spellings VALUES('移里','里移',4);
INSERT INTO spellings VALUES('索引','引索',4);
INSERT INTO spellings VALUES('迁移','移迁',4);
INSERT INTO spellings VALUES('进迁','迁进',4);
-- Triggers and indices on  spellings
CREATE INDEX spellings_backwards ON spellings (backwards);
CREATE INDEX spellings_by_document ON spellings (document_id);

-- Table  spool_lines
DROP TABLE IF EXISTS spool_lines;
CREATE TABLE spool_lines (
    at INTEGER NOT NULL,
    hash INTEGER NOT NULL,
    PRIMARY KEY (at, hash)
) STRICT, WITHOUT ROWID;

-- Table  spool_segments
DROP TABLE IF EXISTS spool_segments;
CREATE TABLE spool_segments (
    segment TEXT PRIMARY KEY,
    stored INTEGER NOT NULL
, last INTEGER, mark INTEGER, read_at INTEGER, anew_at INTEGER, anew_to INTEGER) STRICT, WITHOUT ROWID;

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
    id INTEGER PRIMARY KEY AUTOINCREMENT,
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
INSERT INTO summaries VALUES(1,'01a20419-eff9-7b3e-a56f-4524390360cc',1771000006000,1795365138425,NULL,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049711820800,NULL,NULL,NULL,NULL,1,'atlas','detailed','stop the drift',NULL,'clocks drift','refresh by the server clock',NULL,NULL,NULL,'[]','["src/b.py"]',NULL,0);
INSERT INTO summaries VALUES(2,'01a20419-effd-72e9-9ee8-e00edd4af6d3',1771086405000,1795365138443,NULL,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049713000448,NULL,NULL,NULL,NULL,2,'orders','brief','orders',NULL,NULL,NULL,NULL,NULL,NULL,'[]','[]',NULL,0);
-- Triggers and indices on  summaries
CREATE TRIGGER summaries_alone AFTER DELETE ON summaries WHEN OLD.level = 'detailed' BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT * FROM visible_memories WHERE kind = 's' AND record_id IN (
            SELECT brief_id FROM summary_levels WHERE session_id = OLD.session_id
        ) ON CONFLICT DO NOTHING;
END;
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
    DELETE FROM documents WHERE kind = 's'
        AND record_id IN (SELECT brief_id FROM second_levels WHERE session_id = NEW.session_id);
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT * FROM visible_memories WHERE kind = 's' AND record_id = NEW.id;
END;
CREATE TRIGGER summaries_labelled AFTER UPDATE OF files_read, files_edited ON summaries
WHEN (OLD.files_read, OLD.files_edited) IS NOT (NEW.files_read, NEW.files_edited) BEGIN
    INSERT INTO labels (kind, value, document_id)
        SELECT l.kind, l.value, d.id FROM documents d CROSS JOIN memory_labels l
        WHERE d.kind = 's' AND d.record_id = NEW.id AND l.memory_kind = 's' AND l.record_id = NEW.id;
END;
CREATE TRIGGER summaries_levelled AFTER UPDATE OF private, deleted_at, session_id, project, level,
    source, extra, request, investigated, learned, completed, next_steps, notes, text
ON summaries BEGIN
    DELETE FROM documents WHERE kind = 's'
        AND record_id IN (SELECT brief_id FROM second_levels WHERE session_id = NEW.session_id);
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT * FROM visible_memories WHERE kind = 's' AND record_id IN (
            SELECT brief_id FROM summary_levels WHERE session_id IN (OLD.session_id, NEW.session_id)
        ) ON CONFLICT DO NOTHING;
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
INSERT INTO words_data VALUES(1,X'090F2F1E');
INSERT INTO words_data VALUES(10,X'00000000FF0000010103030003010101010100000502010102020000020301010303000002');
INSERT INTO words_data VALUES(137438953473,X'0000022603303234030C01010801020401016103080102090802017208020302037574680306010207010162030601020C02017903060101070105636C6F636B030C01010201020601060102020103646F650106010103020472696674010601010702060101060103666978030202010168030601020502036F7572030601010901076964656D706F74080204020173030601020301056F72646572080A020102030501027079030A01020A0505050601020401077265667265736801060101060208040101050104736B6577030601010302027263030A0102080505050601020201037468650106010104020601010402046F6B656E01060101050202030202746C03060102020106757267656E7403060102110506010205010377687901060101020106E4BBA4E7898C02060101070205BFAEE5A5BD020601010B0106E588B7E696B002060101090202A5BD020601010C0202BA9304060102050403E79A8402060101050403E8BF810402040205BC95E694BE04060101040106E68A8AE695B002060101020403E7B4A2040601010202058DAEE5BA930206010104020803010204020594BEE8BF9B0406010105020595B0E68DAE0206010103020802010203020596B0E4BFAE020601010A0106E7898CE588B7020601010802059A84E4BBA402060101060202A7BB0402060403E9878C04060101080205B4A2E5BC9504060101030106E8BF81E7A7BB04080501010703049BE8BF8104060101060103E9878C0406010109040C09060A0808140A1008080A0C080E10140B100F0E09120A0D0C0D09090A080C0D0A120C120C0D0C070A0C0E0B');
INSERT INTO words_data VALUES(274877906945,X'00000078023062050601020302017905060101050105636C6F636B0508010102080105647269667405080401010301056F726465720902020102707905060102040107726566726573680506010104010673657276657205060101070202726305060102020203746F7005020201037468650508030101060408080D0D0A090E0D0908');
INSERT INTO words_data VALUES(412316860417,X'0000006B0730616E73776572070601010601066368726F6E69060601020302046C6F636B060601010201056472696674060601010301046C696B65070601010401036E74700606010202010573686F72740706010105010374686507060101020104757365720706010103040D0D0B0C0B0A0C0A');

-- Table  words_docsize
DROP TABLE IF EXISTS words_docsize;
CREATE TABLE 'words_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);
INSERT INTO words_docsize VALUES(1,X'000600',1);
INSERT INTO words_docsize VALUES(2,X'000B00',1);
INSERT INTO words_docsize VALUES(3,X'030810',1);
INSERT INTO words_docsize VALUES(4,X'050804',1);
INSERT INTO words_docsize VALUES(5,X'030703',2);
INSERT INTO words_docsize VALUES(6,X'000202',3);
INSERT INTO words_docsize VALUES(7,X'000500',3);
INSERT INTO words_docsize VALUES(8,X'030005',1);
INSERT INTO words_docsize VALUES(9,X'010000',2);

-- Table  words_idx
DROP TABLE IF EXISTS words_idx;
CREATE TABLE 'words_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO words_idx VALUES(1,X'',2);
INSERT INTO words_idx VALUES(2,X'',2);
INSERT INTO words_idx VALUES(3,X'',2);

-- Views
DROP VIEW IF EXISTS labels;
CREATE VIEW labels AS
    SELECT kind, value, document_id
    FROM label_uses JOIN label_names ON label_names.id = label_id;
DROP VIEW IF EXISTS hidden_documents;
CREATE VIEW hidden_documents AS
    SELECT -(4 * record_id + instr('opsf', kind) - 1) AS id, *
    FROM memories WHERE private = 1 OR deleted_at IS NOT NULL OR type = 'noise';
DROP VIEW IF EXISTS memories;
CREATE VIEW memories AS
    SELECT 'o' AS kind, id AS record_id, session_id, project, type,
        created_at, pinned, private, deleted_at FROM observations
    UNION ALL
    SELECT 'p', id, session_id, coalesce((SELECT project FROM sessions WHERE id = prompts.session_id), ''),
        'prompt', created_at, pinned, private, deleted_at FROM prompts
    UNION ALL
    SELECT 's', id, session_id, project, 'summary',
        created_at, pinned, private, deleted_at FROM summaries
    UNION ALL
    SELECT 'f', id, NULL, project, 'fact',
        created_at, pinned, private, deleted_at FROM facts;
DROP VIEW IF EXISTS memory_labels;
CREATE VIEW memory_labels AS
    SELECT 'o' AS memory_kind, o.id AS record_id, 'concept' AS kind, CAST(value AS TEXT) AS value
        FROM observations o, json_each(iif(json_valid(o.concepts), o.concepts, '[]')) WHERE value IS NOT NULL
    UNION ALL SELECT 'o', o.id, 'file', CAST(value AS TEXT)
        FROM observations o, json_each(iif(json_valid(o.files_read), o.files_read, '[]')) WHERE value IS NOT NULL
    UNION ALL SELECT 'o', o.id, 'file', CAST(value AS TEXT)
        FROM observations o, json_each(iif(json_valid(o.files_modified), o.files_modified, '[]')) WHERE value IS NOT NULL
    UNION ALL SELECT 'o', o.id, 'tag', CAST(value AS TEXT)
        FROM observations o, json_each(iif(json_valid(o.tags), o.tags, '[]')) WHERE value IS NOT NULL
    UNION ALL SELECT 's', s.id, 'file', CAST(value AS TEXT)
        FROM summaries s, json_each(iif(json_valid(s.files_read), s.files_read, '[]')) WHERE value IS NOT NULL
    UNION ALL SELECT 's', s.id, 'file', CAST(value AS TEXT)
        FROM summaries s, json_each(iif(json_valid(s.files_edited), s.files_edited, '[]')) WHERE value IS NOT NULL
    UNION ALL SELECT 'f', f.id, 'entity', CAST(value AS TEXT)
        FROM facts f, json_each(iif(json_valid(f.entities), f.entities, '[]')) WHERE value IS NOT NULL;
DROP VIEW IF EXISTS summary_levels;
CREATE VIEW summary_levels AS
    SELECT b.id AS brief_id, b.session_id, (
        SELECT max(d.id) FROM summaries d
        WHERE d.session_id = b.session_id AND d.level = 'detailed' AND d.project = b.project
            AND d.source IS b.source AND (d.text IS NULL) = (b.text IS NULL)
            AND (iif(json_valid(d.extra), json_extract(d.extra, '$.observer'), NULL) IS NULL)
                = (iif(json_valid(b.extra), json_extract(b.extra, '$.observer'), NULL) IS NULL)
            AND (
                b.source IS NOT NULL
                OR iif(json_valid(b.extra), json_extract(b.extra, '$.observer'), NULL) IS NOT NULL
                OR (
                    instr(ifnull(d.request, ''), ifnull(b.request, ''))
                    AND instr(ifnull(d.investigated, ''), ifnull(b.investigated, ''))
                    AND instr(ifnull(d.learned, ''), ifnull(b.learned, ''))
                    AND instr(ifnull(d.completed, ''), ifnull(b.completed, ''))
                    AND instr(ifnull(d.next_steps, ''), ifnull(b.next_steps, ''))
                    AND instr(ifnull(d.notes, ''), ifnull(b.notes, ''))
                    AND instr(ifnull(d.text, ''), ifnull(b.text, ''))
                )
            )
    ) AS detailed_id
    FROM summaries b WHERE b.level = 'brief';
DROP VIEW IF EXISTS second_levels;
CREATE VIEW second_levels AS
    SELECT l.brief_id, l.session_id FROM summary_levels l JOIN summaries d ON d.id = l.detailed_id
    WHERE d.private = 0 AND d.deleted_at IS NULL;
DROP VIEW IF EXISTS visible_memories;
CREATE VIEW visible_memories AS
    SELECT kind, record_id, session_id, project, type, created_at, pinned FROM memories m
    WHERE private = 0 AND deleted_at IS NULL AND type <> 'noise'
        AND NOT (kind = 's' AND EXISTS (SELECT 1 FROM second_levels WHERE brief_id = m.record_id));

-- For primary key autoincrements the next id to use is stored in
-- sqlite_sequence
DELETE FROM main.sqlite_sequence WHERE name='facts';
INSERT INTO main.sqlite_sequence VALUES ('facts', 2);
DELETE FROM main.sqlite_sequence WHERE name='notes';
INSERT INTO main.sqlite_sequence VALUES ('notes', 1);
DELETE FROM main.sqlite_sequence WHERE name='observations';
INSERT INTO main.sqlite_sequence VALUES ('observations', 6);
DELETE FROM main.sqlite_sequence WHERE name='pending_messages';
INSERT INTO main.sqlite_sequence VALUES ('pending_messages', 2);
DELETE FROM main.sqlite_sequence WHERE name='prompts';
INSERT INTO main.sqlite_sequence VALUES ('prompts', 3);
DELETE FROM main.sqlite_sequence WHERE name='sessions';
INSERT INTO main.sqlite_sequence VALUES ('sessions', 2);
DELETE FROM main.sqlite_sequence WHERE name='summaries';
INSERT INTO main.sqlite_sequence VALUES ('summaries', 2);

-- Database header
pragma user_version=13;
pragma application_id=1835363700;

COMMIT TRANSACTION;

-- Restoring writable schema back to default
PRAGMA writable_schema=OFF;

-- We need to force SQLite to reread the schema because otherwise it doesn't
-- know that the virtual tables we inserted directly into sqlite_schema exist.
BEGIN;
CREATE TABLE no_such_table(x,y,z);
ROLLBACK;
