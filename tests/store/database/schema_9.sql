-- A small memory as the schema before the baseline left it (version 9): its rows, triggers and indexes.
PRAGMA writable_schema=ON;
BEGIN TRANSACTION;
CREATE TABLE agent_days (
    agent TEXT NOT NULL,
    day INTEGER NOT NULL,
    events INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (agent, day)
) STRICT, WITHOUT ROWID;
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
CREATE INDEX captured_events_by_content ON captured_events (session_id, kind, content);
CREATE TABLE changes (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    what TEXT NOT NULL,
    changeset BLOB NOT NULL,
    undone_at INTEGER
) STRICT;
INSERT INTO changes VALUES(1,1795365138417,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','observation 4 deleted',X'541F010000000000000000000000000000000000000000000000000000000000006F62736572766174696F6E73001700010000000000000004000001000001A20419EFED05000000000101A20419EFED000000000000000000000000000000000000000000000000000001000001A20419EFEF01000001A20419EFEE000000000101A20419EFEF0000000000000000000000000000000000000000000000',NULL);
INSERT INTO changes VALUES(2,1795365138424,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','observation 6 pinned',X'541F010000000000000000000000000000000000000000000000000000000000006F62736572766174696F6E73001700010000000000000006000001000001A20419EFF5000001000000000000000000000101A20419EFF5000000000000000000000000000000000000000000000000000001000001A20419EFF8000001000000000000000100000101A20419EFF80000000000000000000000000000000000000000000000',NULL);
CREATE TABLE context_profiles (
    project TEXT PRIMARY KEY,
    updated_at INTEGER NOT NULL,
    budget INTEGER NOT NULL,
    first TEXT NOT NULL CHECK (json_valid(first)),
    left_out TEXT NOT NULL CHECK (json_valid(left_out)),
    brief TEXT NOT NULL CHECK (json_valid(brief))
) STRICT, WITHOUT ROWID;
CREATE TABLE directories (
    directory TEXT PRIMARY KEY,
    path TEXT NOT NULL
) STRICT, WITHOUT ROWID;
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
INSERT INTO documents VALUES(1,'p',1,1,'atlas','prompt',1771000001000,0);
INSERT INTO documents VALUES(2,'p',2,1,'atlas','prompt',1771000002000,0);
INSERT INTO documents VALUES(3,'o',1,1,'atlas','bugfix',1771000003000,0);
INSERT INTO documents VALUES(4,'o',2,1,'atlas','decision',1771000004000,0);
INSERT INTO documents VALUES(5,'o',6,2,'orders','discovery',1771086404000,1);
INSERT INTO documents VALUES(6,'s',1,1,'atlas','summary',1771000006000,0);
INSERT INTO documents VALUES(7,'s',2,2,'orders','summary',1771086405000,0);
INSERT INTO documents VALUES(8,'f',1,NULL,'atlas','fact',1771000007000,0);
INSERT INTO documents VALUES(9,'f',2,NULL,'','fact',1771000009000,0);
CREATE INDEX documents_by_project ON documents (project, created_at);
CREATE UNIQUE INDEX documents_by_record ON documents (kind, record_id);
CREATE INDEX documents_by_session ON documents (session_id, created_at, kind);
CREATE INDEX documents_by_time ON documents (created_at);
CREATE INDEX documents_by_type ON documents (type, created_at);
CREATE TRIGGER documents_deleted AFTER DELETE ON documents BEGIN
    DELETE FROM unindexed WHERE document_id = OLD.id;
END;
CREATE INDEX documents_facts ON documents (project, created_at) WHERE kind = 'f';
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
CREATE INDEX fact_sources_by_source ON fact_sources (source, native_id);
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
    sources TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(sources))
, statement TEXT) STRICT;
INSERT INTO facts VALUES(1,'01a20419-efff-71c3-9e7f-dd272a30594a',1771000007000,1795365138435,NULL,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049712476160,NULL,NULL,NULL,NULL,'atlas','W','Clocks drift','["NTP", "chrony"]',0.94,'["u-1", "u-2"]','["bob", "ann"]','clocks drift');
INSERT INTO facts VALUES(2,'01a20419-f005-7019-b994-5d2f88b54506',1771000009000,1795365138437,NULL,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049712607232,NULL,NULL,NULL,NULL,'','O','The user likes short answers','[]',1.0,'[]','[]','the user likes short answers');
CREATE UNIQUE INDEX facts_by_source ON facts (source, native_id) WHERE source IS NOT NULL;
CREATE INDEX facts_by_statement ON facts (statement, kind);
CREATE TRIGGER facts_deleted AFTER DELETE ON facts BEGIN
    DELETE FROM label_uses
        WHERE document_id = (SELECT id FROM documents WHERE kind = 'f' AND record_id = OLD.id)
        AND label_id IN (
            SELECT label_names.id FROM (
                SELECT 'entity' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.entities)
            ) AS used CROSS JOIN label_names USING (kind, value)
        );
    DELETE FROM label_names
        WHERE (kind, value) IN (
            SELECT 'entity' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.entities)
        ) AND NOT EXISTS (SELECT 1 FROM label_uses WHERE label_id = label_names.id);
    DELETE FROM documents WHERE kind = 'f' AND record_id = OLD.id;
END;
CREATE TRIGGER facts_forgotten AFTER DELETE ON facts BEGIN
    DELETE FROM vanished WHERE kind = 'facts' AND record_id = OLD.id;
END;
CREATE INDEX facts_hidden ON facts (created_at) WHERE private = 1 OR deleted_at IS NOT NULL;
CREATE TRIGGER facts_inserted AFTER INSERT ON facts
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        VALUES ('f', NEW.id, NULL, NEW.project,
            'fact', NEW.created_at, NEW.pinned);
    INSERT INTO unindexed SELECT id FROM documents WHERE kind = 'f' AND record_id = NEW.id;
    INSERT INTO label_names (kind, value)
        SELECT kind, value FROM (
            SELECT 'entity' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.entities)
        ) WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT DO NOTHING;
    INSERT INTO label_uses (label_id, document_id)
        SELECT label_names.id, (SELECT id FROM documents WHERE kind = 'f' AND record_id = NEW.id)
        FROM (
            SELECT 'entity' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.entities)
        ) AS used CROSS JOIN label_names USING (kind, value)
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT DO NOTHING;
END;
CREATE UNIQUE INDEX facts_statement ON facts (project, kind, coalesce(statement, content))
    WHERE deleted_at IS NULL;
CREATE TRIGGER facts_updated AFTER UPDATE OF
    content, entities, private, deleted_at, created_at, pinned, project
ON facts BEGIN
    DELETE FROM label_uses
        WHERE document_id = (SELECT id FROM documents WHERE kind = 'f' AND record_id = OLD.id)
        AND label_id IN (
            SELECT label_names.id FROM (
                SELECT 'entity' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.entities)
            ) AS used CROSS JOIN label_names USING (kind, value)
        );
    DELETE FROM documents
        WHERE kind = 'f' AND record_id = OLD.id
        AND (NEW.private = 1 OR NEW.deleted_at IS NOT NULL);
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT 'f', NEW.id, NULL, NEW.project,
            'fact', NEW.created_at, NEW.pinned
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT (kind, record_id) DO UPDATE SET
            session_id = excluded.session_id, project = excluded.project, type = excluded.type,
            created_at = excluded.created_at, pinned = excluded.pinned;
    INSERT INTO unindexed
        SELECT id FROM documents WHERE kind = 'f' AND record_id = NEW.id
        AND (
            OLD.private = 1 OR OLD.deleted_at IS NOT NULL
            OR (OLD.content, OLD.entities)
            IS NOT (NEW.content, NEW.entities)
        )
        ON CONFLICT DO NOTHING;
    INSERT INTO label_names (kind, value)
        SELECT kind, value FROM (
            SELECT 'entity' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.entities)
        ) WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT DO NOTHING;
    INSERT INTO label_uses (label_id, document_id)
        SELECT label_names.id, (SELECT id FROM documents WHERE kind = 'f' AND record_id = NEW.id)
        FROM (
            SELECT 'entity' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.entities)
        ) AS used CROSS JOIN label_names USING (kind, value)
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT DO NOTHING;
    DELETE FROM label_names
        WHERE (kind, value) IN (
            SELECT 'entity' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.entities)
        ) AND NOT EXISTS (SELECT 1 FROM label_uses WHERE label_id = label_names.id);
END;
CREATE TABLE given_contexts (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    project TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    refs TEXT NOT NULL CHECK (json_valid(refs))
) STRICT;
DELETE FROM sqlite_schema WHERE name='gram_instances' AND type='table';
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql) VALUES('table','gram_instances','gram_instances',0,'CREATE VIRTUAL TABLE gram_instances USING fts5vocab(grams, instance)');
DELETE FROM sqlite_schema WHERE name='grams' AND type='table';
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql) VALUES('table','grams','grams',0,'CREATE VIRTUAL TABLE grams USING fts5(
    text, content='''', contentless_delete=1, detail=''none'', tokenize=''trigram case_sensitive 1''
)');
CREATE TABLE 'grams_config'(k PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO grams_config VALUES('version',4);
CREATE TABLE 'grams_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO grams_data VALUES(1,X'09832E');
INSERT INTO grams_data VALUES(10,X'00000000FF000001010B0D000B0101010101000001020101020200000103010103030000010401010404000001050101050501010106010106060000010701010707000001080101080800000109010109090101010A01010A0A0000010B01010B0B000001');
INSERT INTO grams_data VALUES(137438953473,X'000000AE043020646F01030172010202726501020274680103016F010103646F65010202726901010365207401020266720102026E20010202732001030168010103667265010202741F010103682064010202652001020279200101036966740101036B656E0101036E20720101036F65730102026B650101037265660103017301020269660101037320740102026820010103741F1F01020268650102026F6B010103776879010103792064010406040505040605060505050406050605050606060605060405060506050506');
INSERT INTO grams_data VALUES(274877906945,X'0000007B0A30E4BBA4E7898CE588B7020206BFAEE5A5BD1F020109E588B7E696B0E4BFAE020204A5BD1F1F020208BA93E79A84E4BBA4020109E68A8AE695B0E68DAE0202088DAEE5BA93E79A8402020895B0E68DAEE5BA9302020896B0E4BFAEE5A5BD020109E7898CE588B7E696B00202089A84E4BBA4E7898C02040C090C070B0C0B0B0B0C');
INSERT INTO grams_data VALUES(412316860417,X'000001E504301F1F1F03030161030301630303017303030174030301750302026175030202636C0302027372030202746803030174030202757203010320323403020262790302026472030202681F0303016F03020269730302027265030202736B030202746F0301032E70790301032F612E030202622E030103323420030103342068030103612E700302027574030103622E700302027920030103632F61030301620302026B1F030301200302026C6F030103642062030301740302027269030103652072030202642003020266720302026E20030301740302027368030202771F0301036669780302027265030202746503010367656E030103681F1F030202206403020265200302026F75030103696674030202732003020278650301036B1F1F0302022073030202656E030301770301036C20690302026F630301036E2072030202741F0301036F636B0302026B65030202757203010370791F03010372632F03020265660303017303020267650302026966030202731F030103731F1F0302022032030202681F030301200302026B650302027263030103741F1F0302026564030202681F030301650302026C200302026F6B030202746C030103757267030301730302027468030103771F1F030103786564030103791F1F03020220320304060404040404050505050405060505050405050505060605060606050605060405040506040506050505040505060505060605050506050506050504060506050605050606050405050506050504050506050504050505060405060606');
INSERT INTO grams_data VALUES(549755813889,X'000000D504301F1F1F04030163040303E68A8A04040295B0040202636C040206E68A8AE7B4A204030595B0E68DAE040103636B1F0402026C6F0401036B1F1F0401036C6F630401036F636B040105E5BA931F1F040406E8BF81E7A7BB040208BC95E694BEE8BF9B040109E68A8AE7B4A2E5BC950402068DAEE5BA931F040703E8BF8104020894BEE8BF9BE8BF8104020895B0E68DAEE5BA93040105E7A7BB1F1F040404E9878C1F040208B4A2E5BC95E694BE040107E8BF81E7A7BB1F040703E9878C0403079BE8BF81E7A7BB040105E9878C1F1F040406040605050908060506060608090B0C09060B0B08070B0A060A');
INSERT INTO grams_data VALUES(687194767361,X'0000007004301F1F1F05030163050202636105010320676F050103616E61050202727905010363616E050103647269050103651F1F050103667420050103676F6E0501036966740501036E6172050202651F0501036F6E65050103726966050202791F050103742067050103791F1F0504060405060605060606060606060506060506');
INSERT INTO grams_data VALUES(824633720833,X'000000E304301F1F1F0503016F05030173050301750502026F720502027372050202757205010320617205020269640501032E70790501032F6F72050103617265050103632F6F05010364656D050301720501036520690502026D700502026E74050202727305010367656E0501036964650501036D706F0501036E741F0501036F72640502027465050103706F74050202791F05010372632F050202646505020265200502026765050202731F050301200503012E050103731F1F05020220610502022E700502027263050103741F1F050202656E050103757267050103791F1F05040604040405050506050606060606040605050506060606060506050605050505040406050505060506');
INSERT INTO grams_data VALUES(962072674305,X'0000012904301F1F1F060301630603017206030173060202636C06020272650602027372060103206279060202636C0602026472060202736506020274680601032E70790601032F622E060103622E700602027920060103632F620602026B1F060301730602026C6F0601036472690601036520640603017306020266720602027220060301760602027368060103667265060202741F06010368206206020265200601036966740601036B1F1F06020273200601036C6F630601036F636B0602027020060103702074060202791F060103722063060202632F06020265660603017306020269660602027665060103732064060202657206020268200602027263060202746F060103741F1F06020268650602026F70060103766572060103791F1F0602022074060406040404050505060505050506060605060504050606040505040506050605060605060605060506050504050506050505050605050606');
INSERT INTO grams_data VALUES(1099511627777,X'0000002D04301F1F1F0701036465720701036572730701036F7264070103726465070202731F070103731F1F0704060606060605');
INSERT INTO grams_data VALUES(1236950581249,X'0000006704301F1F6E0802026E74080103206472080103636B730802026C6F08010364726908010366741F0801036966740801036B73200801036C6F630801036E74700801036F636B080103701F1F080103726966080103732064080103741F1F080202701F080406050606050606060606060606060606');
INSERT INTO grams_data VALUES(1374389534721,X'0000009004301F1F630803016E08020263680802026E740801032064720801036368720802026B730802026C6F08010364726908010366741F08010368726F0801036966740801036B73200801036C6F630801036E7470080202791F0801036F636B0802026E79080103701F1F0801037269660802026F6E080103732064080103741F1F080202701F080103791F1F0804060405050606050506060606060606050605060605060605');
INSERT INTO grams_data VALUES(1511828488193,X'000000A304301F1F1F09010320616E0902026C6909020273680902027573090103616E7309010365207509020272200903017309020273200901036865200902026F72090103696B650901036B65730901036C696B0901036E73770901036F727409010372206C090202731F0902027420090103731F1F09020220730902026572090202686F09020277650901037420610902026865090103757365090103776572090406060505050606050405060506060606060605050605050505060506');
INSERT INTO grams_data VALUES(9007886449508352,X'04000000000000010000000000000000000000000000000000000000000000050000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO grams_data VALUES(9008436205322240,X'04000000000000010000000000000000000000000000000000000000000000000000000000000000000000080000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000');
CREATE TABLE 'grams_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);
INSERT INTO grams_docsize VALUES(1,X'20',1);
INSERT INTO grams_docsize VALUES(2,X'0B',2);
INSERT INTO grams_docsize VALUES(3,X'8102',3);
INSERT INTO grams_docsize VALUES(4,X'27',4);
INSERT INTO grams_docsize VALUES(5,X'40',6);
INSERT INTO grams_docsize VALUES(6,X'4D',7);
INSERT INTO grams_docsize VALUES(7,X'16',8);
INSERT INTO grams_docsize VALUES(8,X'19',10);
INSERT INTO grams_docsize VALUES(9,X'1E',11);
CREATE TABLE 'grams_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO grams_idx VALUES(1,X'',2);
INSERT INTO grams_idx VALUES(2,X'',2);
INSERT INTO grams_idx VALUES(3,X'',2);
INSERT INTO grams_idx VALUES(4,X'',2);
INSERT INTO grams_idx VALUES(5,X'',2);
INSERT INTO grams_idx VALUES(6,X'',2);
INSERT INTO grams_idx VALUES(7,X'',2);
INSERT INTO grams_idx VALUES(8,X'',2);
INSERT INTO grams_idx VALUES(9,X'',2);
INSERT INTO grams_idx VALUES(10,X'',2);
INSERT INTO grams_idx VALUES(11,X'',2);
CREATE TABLE hook_runs (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    agent TEXT NOT NULL,
    microseconds INTEGER NOT NULL
) STRICT;
CREATE TABLE label_names (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    UNIQUE (kind, value)
);
INSERT INTO label_names VALUES(1,'concept','clock');
INSERT INTO label_names VALUES(2,'concept','auth');
INSERT INTO label_names VALUES(3,'file','src/a.py');
INSERT INTO label_names VALUES(4,'file','src/b.py');
INSERT INTO label_names VALUES(5,'tag','urgent');
INSERT INTO label_names VALUES(6,'concept','数据库');
INSERT INTO label_names VALUES(7,'file','src/orders.py');
INSERT INTO label_names VALUES(8,'tag','orders');
INSERT INTO label_names VALUES(9,'entity','NTP');
INSERT INTO label_names VALUES(10,'entity','chrony');
CREATE TABLE label_uses (
    label_id INTEGER NOT NULL,
    document_id INTEGER NOT NULL,
    PRIMARY KEY (label_id, document_id)
) WITHOUT ROWID;
INSERT INTO label_uses VALUES(1,3);
INSERT INTO label_uses VALUES(1,4);
INSERT INTO label_uses VALUES(2,3);
INSERT INTO label_uses VALUES(3,3);
INSERT INTO label_uses VALUES(4,3);
INSERT INTO label_uses VALUES(4,6);
INSERT INTO label_uses VALUES(5,3);
INSERT INTO label_uses VALUES(5,5);
INSERT INTO label_uses VALUES(6,4);
INSERT INTO label_uses VALUES(7,5);
INSERT INTO label_uses VALUES(8,5);
INSERT INTO label_uses VALUES(9,8);
INSERT INTO label_uses VALUES(10,8);
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES('machine_id','01a20419-efc4-7f7d-87a3-e965d6e2fe1a');
INSERT INTO meta VALUES('tokenizer','trigram');
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
INSERT INTO notes VALUES(1,'01a20419-f006-70a5-84b4-491b1725748a',1795365138438,1795365138438,NULL,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049712672768,NULL,NULL,NULL,NULL,'atlas','MEMORY.md','# Atlas
Refresh by the server clock.');
CREATE UNIQUE INDEX notes_by_source ON notes (source, native_id) WHERE source IS NOT NULL;
CREATE TRIGGER notes_forgotten AFTER DELETE ON notes BEGIN
    DELETE FROM vanished WHERE kind = 'notes' AND record_id = OLD.id;
END;
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
INSERT INTO observations VALUES(1,'01a20419-efe8-7470-8727-66a47ca6e1dd',1771000003000,1795365138408,NULL,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049710706688,NULL,NULL,NULL,NULL,1,'atlas','bugfix','Fixed token refresh','clock skew','The refresh drifted by 24 hours',NULL,'["TTL is 24 h"]','["clock", "auth"]','["src/a.py", "src/b.py"]','["src/a.py"]','["urgent"]','Edit',1,120,'e-1',NULL);
INSERT INTO observations VALUES(2,'01a20419-efeb-7b0f-973a-8c9a2d4a757f',1771000004000,1795365138411,NULL,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049710903296,NULL,NULL,NULL,NULL,1,'atlas','decision','数据库迁移',NULL,'把索引放进迁移里',NULL,'[]','["clock", "数据库"]','[]','[]','[]',NULL,NULL,0,NULL,NULL);
INSERT INTO observations VALUES(3,'01a20419-efec-7e47-bbd7-5143a2169962',1771000005000,1795365138412,NULL,1,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049710968832,NULL,NULL,NULL,NULL,1,'atlas','note','drift canary',NULL,NULL,NULL,'[]','["canary"]','[]','[]','[]',NULL,NULL,0,NULL,NULL);
INSERT INTO observations VALUES(4,'01a20419-efed-7b20-b495-c692bb0444b4',1771086402000,1795365138442,1795365138414,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049712934912,NULL,NULL,NULL,NULL,2,'orders','note','drift gone',NULL,NULL,NULL,'[]','["canary"]','[]','[]','[]',NULL,NULL,0,NULL,NULL);
INSERT INTO observations VALUES(5,'01a20419-eff3-76fc-92ad-d4b2506f861e',1771086403000,1795365138442,NULL,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049712934912,NULL,NULL,NULL,NULL,2,'orders','noise','Listed src',NULL,NULL,NULL,'[]','["canary"]','["src/noise.py"]','[]','[]',NULL,NULL,0,NULL,NULL);
INSERT INTO observations VALUES(6,'01a20419-eff5-785e-a8dc-ac0faea19cfa',1771086404000,1795365138442,NULL,0,1,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049712934912,NULL,NULL,NULL,NULL,2,'orders','discovery','Orders are idempotent',NULL,NULL,NULL,'[]','[]','["src/orders.py"]','[]','["urgent", "orders"]',NULL,NULL,0,NULL,NULL);
CREATE UNIQUE INDEX observations_by_source ON observations (source, native_id) WHERE source IS NOT NULL;
CREATE INDEX observations_by_tool ON observations (tool_name) WHERE tool_name IS NOT NULL;
CREATE TRIGGER observations_deleted AFTER DELETE ON observations BEGIN
    DELETE FROM label_uses
        WHERE document_id = (SELECT id FROM documents WHERE kind = 'o' AND record_id = OLD.id)
        AND label_id IN (
            SELECT label_names.id FROM (
                SELECT 'concept' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.concepts)
                UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_read)
                UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_modified)
                UNION ALL SELECT 'tag' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.tags)
            ) AS used CROSS JOIN label_names USING (kind, value)
        );
    DELETE FROM label_names
        WHERE (kind, value) IN (
            SELECT 'concept' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.concepts)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_modified)
            UNION ALL SELECT 'tag' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.tags)
        ) AND NOT EXISTS (SELECT 1 FROM label_uses WHERE label_id = label_names.id);
    DELETE FROM documents WHERE kind = 'o' AND record_id = OLD.id;
END;
CREATE TRIGGER observations_forgotten AFTER DELETE ON observations BEGIN
    DELETE FROM vanished WHERE kind = 'observations' AND record_id = OLD.id;
END;
CREATE INDEX observations_hidden ON observations (created_at) WHERE private = 1 OR deleted_at IS NOT NULL;
CREATE TRIGGER observations_inserted AFTER INSERT ON observations
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL AND NEW.type <> 'noise' BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        VALUES ('o', NEW.id, NEW.session_id, NEW.project,
            NEW.type, NEW.created_at, NEW.pinned);
    INSERT INTO unindexed SELECT id FROM documents WHERE kind = 'o' AND record_id = NEW.id;
    INSERT INTO label_names (kind, value)
        SELECT kind, value FROM (
            SELECT 'concept' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.concepts)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_modified)
            UNION ALL SELECT 'tag' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.tags)
        ) WHERE NEW.private = 0 AND NEW.deleted_at IS NULL AND NEW.type <> 'noise'
        ON CONFLICT DO NOTHING;
    INSERT INTO label_uses (label_id, document_id)
        SELECT label_names.id, (SELECT id FROM documents WHERE kind = 'o' AND record_id = NEW.id)
        FROM (
            SELECT 'concept' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.concepts)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_modified)
            UNION ALL SELECT 'tag' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.tags)
        ) AS used CROSS JOIN label_names USING (kind, value)
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL AND NEW.type <> 'noise'
        ON CONFLICT DO NOTHING;
END;
CREATE INDEX observations_noise ON observations (id) WHERE type = 'noise';
CREATE TRIGGER observations_updated AFTER UPDATE OF
    title, subtitle, narrative, text, facts, concepts, files_read, files_modified, tags,
    private, deleted_at, created_at, pinned, session_id, project, type
ON observations BEGIN
    DELETE FROM label_uses
        WHERE document_id = (SELECT id FROM documents WHERE kind = 'o' AND record_id = OLD.id)
        AND label_id IN (
            SELECT label_names.id FROM (
                SELECT 'concept' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.concepts)
                UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_read)
                UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_modified)
                UNION ALL SELECT 'tag' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.tags)
            ) AS used CROSS JOIN label_names USING (kind, value)
        );
    DELETE FROM documents
        WHERE kind = 'o' AND record_id = OLD.id
        AND (NEW.private = 1 OR NEW.deleted_at IS NOT NULL OR NEW.type = 'noise');
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT 'o', NEW.id, NEW.session_id, NEW.project,
            NEW.type, NEW.created_at, NEW.pinned
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL AND NEW.type <> 'noise'
        ON CONFLICT (kind, record_id) DO UPDATE SET
            session_id = excluded.session_id, project = excluded.project, type = excluded.type,
            created_at = excluded.created_at, pinned = excluded.pinned;
    INSERT INTO unindexed
        SELECT id FROM documents WHERE kind = 'o' AND record_id = NEW.id
        AND (
            OLD.private = 1 OR OLD.deleted_at IS NOT NULL OR OLD.type = 'noise'
            OR (OLD.title, OLD.subtitle, OLD.narrative, OLD.text, OLD.facts, OLD.concepts,
                OLD.files_read, OLD.files_modified, OLD.tags)
            IS NOT (NEW.title, NEW.subtitle, NEW.narrative, NEW.text, NEW.facts, NEW.concepts,
                NEW.files_read, NEW.files_modified, NEW.tags)
        )
        ON CONFLICT DO NOTHING;
    INSERT INTO label_names (kind, value)
        SELECT kind, value FROM (
            SELECT 'concept' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.concepts)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_modified)
            UNION ALL SELECT 'tag' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.tags)
        ) WHERE NEW.private = 0 AND NEW.deleted_at IS NULL AND NEW.type <> 'noise'
        ON CONFLICT DO NOTHING;
    INSERT INTO label_uses (label_id, document_id)
        SELECT label_names.id, (SELECT id FROM documents WHERE kind = 'o' AND record_id = NEW.id)
        FROM (
            SELECT 'concept' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.concepts)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_modified)
            UNION ALL SELECT 'tag' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.tags)
        ) AS used CROSS JOIN label_names USING (kind, value)
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL AND NEW.type <> 'noise'
        ON CONFLICT DO NOTHING;
    DELETE FROM label_names
        WHERE (kind, value) IN (
            SELECT 'concept' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.concepts)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_modified)
            UNION ALL SELECT 'tag' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.tags)
        ) AND NOT EXISTS (SELECT 1 FROM label_uses WHERE label_id = label_names.id);
END;
CREATE TABLE observer_days (
    day INTEGER NOT NULL,
    model TEXT NOT NULL,
    calls INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    PRIMARY KEY (day, model)
) STRICT, WITHOUT ROWID;
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
    extra TEXT CHECK (extra IS NULL OR json_valid(extra))
, observation_id INTEGER
    REFERENCES observations (id) ON DELETE CASCADE, summary_id INTEGER
    REFERENCES summaries (id) ON DELETE CASCADE, outcome TEXT) STRICT;
INSERT INTO pending_messages VALUES(1,'01a20419-f007-731d-9ac4-e4932150e291',1,'observation',1795365138439,1795365138439,'pending',0,NULL,NULL,NULL,NULL,'Bash','{"command":"make"}','ok',NULL,NULL,NULL,1,'e-9',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO pending_messages VALUES(2,'01a20419-f008-7a8b-896d-b1427e5f03cc',2,'summary',1795365138440,1795365138440,'pending',0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'orders',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
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
CREATE TABLE project_aliases (
    name TEXT PRIMARY KEY,
    project TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO project_aliases VALUES('order-center','orders');
CREATE TABLE project_places (
    kind TEXT NOT NULL CHECK (kind IN ('remote', 'root')),
    place TEXT NOT NULL,
    project TEXT NOT NULL,
    PRIMARY KEY (kind, place)
) STRICT, WITHOUT ROWID;
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
INSERT INTO prompts VALUES(1,'01a20419-efdc-72aa-9169-29a4b541d7d4',1771000001000,1795365138396,NULL,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049709920256,NULL,NULL,NULL,NULL,1,1,'why does the token refresh drift');
INSERT INTO prompts VALUES(2,'01a20419-efde-72f1-9708-f3d527c48482',1771000002000,1795365138398,NULL,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049710051328,NULL,NULL,NULL,NULL,1,2,'把数据库的令牌刷新修好');
INSERT INTO prompts VALUES(3,'01a20419-efe5-7ccc-94ca-9bdddb369ce8',1771086401000,1795365138405,NULL,1,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049710510080,NULL,NULL,NULL,NULL,2,1,'a hidden prompt about drift');
CREATE UNIQUE INDEX prompts_by_source ON prompts (source, native_id) WHERE source IS NOT NULL;
CREATE TRIGGER prompts_deleted AFTER DELETE ON prompts BEGIN
    DELETE FROM documents WHERE kind = 'p' AND record_id = OLD.id;
    UPDATE sessions SET hlc = max(hlc + 1, OLD.hlc), first_prompt = (
        SELECT text FROM prompts WHERE id = (
            SELECT record_id FROM documents WHERE session_id = OLD.session_id AND kind = 'p'
            ORDER BY created_at, record_id LIMIT 1
        )
    ) WHERE id = OLD.session_id AND (first_prompt IS NULL OR first_prompt = OLD.text);
END;
CREATE TRIGGER prompts_forgotten AFTER DELETE ON prompts BEGIN
    DELETE FROM vanished WHERE kind = 'prompts' AND record_id = OLD.id;
END;
CREATE INDEX prompts_hidden ON prompts (created_at) WHERE private = 1 OR deleted_at IS NOT NULL;
CREATE TRIGGER prompts_inserted AFTER INSERT ON prompts
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        VALUES ('p', NEW.id, NEW.session_id, (SELECT project FROM sessions WHERE id = NEW.session_id),
            'prompt', NEW.created_at, NEW.pinned);
    INSERT INTO unindexed SELECT id FROM documents WHERE kind = 'p' AND record_id = NEW.id;
END;
CREATE TRIGGER prompts_updated AFTER UPDATE OF
    text, private, deleted_at, created_at, pinned, session_id
ON prompts BEGIN
    DELETE FROM documents
        WHERE kind = 'p' AND record_id = OLD.id
        AND (NEW.private = 1 OR NEW.deleted_at IS NOT NULL);
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT 'p', NEW.id, NEW.session_id, (SELECT project FROM sessions WHERE id = NEW.session_id),
            'prompt', NEW.created_at, NEW.pinned
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT (kind, record_id) DO UPDATE SET
            session_id = excluded.session_id, project = excluded.project, type = excluded.type,
            created_at = excluded.created_at, pinned = excluded.pinned;
    INSERT INTO unindexed
        SELECT id FROM documents WHERE kind = 'p' AND record_id = NEW.id
        AND (
            OLD.private = 1 OR OLD.deleted_at IS NOT NULL
            OR (OLD.text)
            IS NOT (NEW.text)
        )
        ON CONFLICT DO NOTHING;
    -- A session never shows a prompt that is hidden.
    UPDATE sessions SET hlc = max(hlc + 1, NEW.hlc), first_prompt = (
        SELECT text FROM prompts WHERE id = (
            SELECT record_id FROM documents WHERE session_id = NEW.session_id AND kind = 'p'
            ORDER BY created_at, record_id LIMIT 1
        )
    ) WHERE id = NEW.session_id AND (first_prompt IS NULL OR first_prompt = OLD.text)
        AND (OLD.text, OLD.private, OLD.deleted_at) IS NOT (NEW.text, NEW.private, NEW.deleted_at);
END;
CREATE TABLE purged (
    uid TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    source TEXT,
    native_id TEXT,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX purged_by_source ON purged (source, native_id) WHERE source IS NOT NULL;
CREATE TABLE quarantine (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    agent TEXT NOT NULL,
    reason TEXT NOT NULL,
    record TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE TABLE recent_searches (
    text TEXT PRIMARY KEY,
    used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO recent_searches VALUES('drift',1795365138441);
CREATE TABLE retention_policies (
    project TEXT PRIMARY KEY,
    days INTEGER NOT NULL CHECK (days > 0),
    grace_days INTEGER NOT NULL CHECK (grace_days >= 0),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE saved_searches (
    name TEXT PRIMARY KEY,
    query TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO saved_searches VALUES('mine','type:bugfix',1795365138441,1795365138441);
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
INSERT INTO sessions VALUES(1,'01a20419-efd9-7510-8807-4619bb4015fa',1771000000000,1795365138395,NULL,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049709854720,NULL,NULL,NULL,NULL,'claude-code','c-1','m-1','atlas','/home/u/atlas','Token refresh','why does the token refresh drift','active',1771000000000,NULL,2);
INSERT INTO sessions VALUES(2,'01a20419-efda-70f6-802e-8d49c19fa78a',1771086400000,1795365138445,NULL,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049713131520,NULL,NULL,NULL,NULL,'codex','c-2',NULL,'orders',NULL,NULL,NULL,'completed',1771086400000,1771172800000,1);
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
CREATE TABLE source_marks (
    mark TEXT PRIMARY KEY,
    source TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE spellings (
    word TEXT PRIMARY KEY,
    backwards TEXT NOT NULL,
    document_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO spellings VALUES('answers','srewsna',9);
INSERT INTO spellings VALUES('are','era',5);
INSERT INTO spellings VALUES('auth','htua',3);
INSERT INTO spellings VALUES('chrony','ynorhc',8);
INSERT INTO spellings VALUES('clock','kcolc',3);
INSERT INTO spellings VALUES('clocks','skcolc',6);
INSERT INTO spellings VALUES('does','seod',1);
INSERT INTO spellings VALUES('drift','tfird',1);
INSERT INTO spellings VALUES('drifted','detfird',3);
INSERT INTO spellings VALUES('fixed','dexif',3);
INSERT INTO spellings VALUES('hours','sruoh',3);
INSERT INTO spellings VALUES('idempotent','tnetopmedi',5);
INSERT INTO spellings VALUES('likes','sekil',9);
INSERT INTO spellings VALUES('ntp','ptn',8);
INSERT INTO spellings VALUES('orders','sredro',5);
INSERT INTO spellings VALUES('refresh','hserfer',1);
INSERT INTO spellings VALUES('server','revres',6);
INSERT INTO spellings VALUES('short','trohs',9);
INSERT INTO spellings VALUES('skew','weks',3);
INSERT INTO spellings VALUES('src','crs',3);
INSERT INTO spellings VALUES('stop','pots',6);
INSERT INTO spellings VALUES('the','eht',1);
INSERT INTO spellings VALUES('token','nekot',1);
INSERT INTO spellings VALUES('ttl','ltt',3);
INSERT INTO spellings VALUES('urgent','tnegru',3);
INSERT INTO spellings VALUES('user','resu',9);
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
CREATE INDEX spellings_backwards ON spellings (backwards);
CREATE INDEX spellings_by_document ON spellings (document_id);
CREATE TABLE spool_segments (
    segment TEXT PRIMARY KEY,
    stored INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE subagents (
    agent TEXT NOT NULL,
    id TEXT NOT NULL,
    parent TEXT NOT NULL,
    PRIMARY KEY (agent, id)
) STRICT, WITHOUT ROWID;
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
INSERT INTO summaries VALUES(1,'01a20419-eff9-7b3e-a56f-4524390360cc',1771000006000,1795365138425,NULL,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049711820800,NULL,NULL,NULL,NULL,1,'atlas','detailed','stop the drift',NULL,'clocks drift','refresh by the server clock',NULL,NULL,NULL,'[]','["src/b.py"]',NULL,0);
INSERT INTO summaries VALUES(2,'01a20419-effd-72e9-9ee8-e00edd4af6d3',1771086405000,1795365138443,NULL,0,0,'01a20419-efc4-7f7d-87a3-e965d6e2fe1a','01a20419-efc4-7f7d-87a3-e965d6e2fe1a',117661049713000448,NULL,NULL,NULL,NULL,2,'orders','brief','orders',NULL,NULL,NULL,NULL,NULL,NULL,'[]','[]',NULL,0);
CREATE UNIQUE INDEX summaries_by_source ON summaries (source, native_id) WHERE source IS NOT NULL;
CREATE TRIGGER summaries_deleted AFTER DELETE ON summaries BEGIN
    DELETE FROM label_uses
        WHERE document_id = (SELECT id FROM documents WHERE kind = 's' AND record_id = OLD.id)
        AND label_id IN (
            SELECT label_names.id FROM (
                SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_read)
                UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_edited)
            ) AS used CROSS JOIN label_names USING (kind, value)
        );
    DELETE FROM label_names
        WHERE (kind, value) IN (
            SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_edited)
        ) AND NOT EXISTS (SELECT 1 FROM label_uses WHERE label_id = label_names.id);
    DELETE FROM documents WHERE kind = 's' AND record_id = OLD.id;
END;
CREATE TRIGGER summaries_forgotten AFTER DELETE ON summaries BEGIN
    DELETE FROM vanished WHERE kind = 'summaries' AND record_id = OLD.id;
END;
CREATE INDEX summaries_hidden ON summaries (created_at) WHERE private = 1 OR deleted_at IS NOT NULL;
CREATE TRIGGER summaries_inserted AFTER INSERT ON summaries
WHEN NEW.private = 0 AND NEW.deleted_at IS NULL BEGIN
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        VALUES ('s', NEW.id, NEW.session_id, NEW.project,
            'summary', NEW.created_at, NEW.pinned);
    INSERT INTO unindexed SELECT id FROM documents WHERE kind = 's' AND record_id = NEW.id;
    INSERT INTO label_names (kind, value)
        SELECT kind, value FROM (
            SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_edited)
        ) WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT DO NOTHING;
    INSERT INTO label_uses (label_id, document_id)
        SELECT label_names.id, (SELECT id FROM documents WHERE kind = 's' AND record_id = NEW.id)
        FROM (
            SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_edited)
        ) AS used CROSS JOIN label_names USING (kind, value)
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER summaries_updated AFTER UPDATE OF
    request, investigated, learned, completed, next_steps, notes, text, files_read,
    files_edited, private, deleted_at, created_at, pinned, session_id, project
ON summaries BEGIN
    DELETE FROM label_uses
        WHERE document_id = (SELECT id FROM documents WHERE kind = 's' AND record_id = OLD.id)
        AND label_id IN (
            SELECT label_names.id FROM (
                SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_read)
                UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_edited)
            ) AS used CROSS JOIN label_names USING (kind, value)
        );
    DELETE FROM documents
        WHERE kind = 's' AND record_id = OLD.id
        AND (NEW.private = 1 OR NEW.deleted_at IS NOT NULL);
    INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
        SELECT 's', NEW.id, NEW.session_id, NEW.project,
            'summary', NEW.created_at, NEW.pinned
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT (kind, record_id) DO UPDATE SET
            session_id = excluded.session_id, project = excluded.project, type = excluded.type,
            created_at = excluded.created_at, pinned = excluded.pinned;
    INSERT INTO unindexed
        SELECT id FROM documents WHERE kind = 's' AND record_id = NEW.id
        AND (
            OLD.private = 1 OR OLD.deleted_at IS NOT NULL
            OR (OLD.request, OLD.investigated, OLD.learned, OLD.completed, OLD.next_steps,
                OLD.notes, OLD.text, OLD.files_read, OLD.files_edited)
            IS NOT (NEW.request, NEW.investigated, NEW.learned, NEW.completed, NEW.next_steps,
                NEW.notes, NEW.text, NEW.files_read, NEW.files_edited)
        )
        ON CONFLICT DO NOTHING;
    INSERT INTO label_names (kind, value)
        SELECT kind, value FROM (
            SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_edited)
        ) WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT DO NOTHING;
    INSERT INTO label_uses (label_id, document_id)
        SELECT label_names.id, (SELECT id FROM documents WHERE kind = 's' AND record_id = NEW.id)
        FROM (
            SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(NEW.files_edited)
        ) AS used CROSS JOIN label_names USING (kind, value)
        WHERE NEW.private = 0 AND NEW.deleted_at IS NULL
        ON CONFLICT DO NOTHING;
    DELETE FROM label_names
        WHERE (kind, value) IN (
            SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_read)
            UNION ALL SELECT 'file' AS kind, CAST(value AS TEXT) AS value FROM json_each(OLD.files_edited)
        ) AND NOT EXISTS (SELECT 1 FROM label_uses WHERE label_id = label_names.id);
END;
CREATE TABLE synced_files (
    directory TEXT NOT NULL,
    file TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (directory, file)
) STRICT, WITHOUT ROWID;
CREATE TABLE synced_records (
    directory TEXT NOT NULL,
    uid TEXT NOT NULL,
    kind TEXT NOT NULL,
    file TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (directory, uid)
) STRICT, WITHOUT ROWID;
CREATE TABLE token_usage (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    message TEXT NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    cache_read INTEGER NOT NULL,
    cache_written INTEGER NOT NULL,
    PRIMARY KEY (session_id, message)
) STRICT, WITHOUT ROWID;
CREATE TABLE transcript_records (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL
) STRICT;
CREATE TABLE transcripts (
    path TEXT PRIMARY KEY,
    agent TEXT NOT NULL,
    file TEXT NOT NULL DEFAULT '',
    read_bytes INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(state)),
    is_due INTEGER NOT NULL DEFAULT 0 CHECK (is_due IN (0, 1)),
    read_at INTEGER
) STRICT;
CREATE INDEX transcripts_due ON transcripts (is_due) WHERE is_due = 1;
CREATE INDEX transcripts_unread ON transcripts (agent) WHERE read_at IS NULL;
CREATE TABLE unindexed (document_id INTEGER PRIMARY KEY);
CREATE TRIGGER grams_document_changed AFTER INSERT ON unindexed BEGIN
    DELETE FROM grams WHERE rowid = NEW.document_id;
END;
CREATE TRIGGER spellings_document_changed AFTER INSERT ON unindexed BEGIN
    UPDATE spellings SET document_id = 0 WHERE document_id = NEW.document_id;
END;
CREATE TRIGGER words_document_changed AFTER INSERT ON unindexed BEGIN
    DELETE FROM words WHERE rowid = NEW.document_id;
END;
CREATE TABLE vanished (
    kind TEXT NOT NULL,
    record_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (kind, record_id)
) STRICT, WITHOUT ROWID;
DELETE FROM sqlite_schema WHERE name='words' AND type='table';
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql) VALUES('table','words','words',0,'CREATE VIRTUAL TABLE words USING fts5(
    title, body, lists, content='''', contentless_delete=1,
    tokenize=''porter unicode61 remove_diacritics 2''
)');
CREATE TABLE 'words_config'(k PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO words_config VALUES('version',4);
CREATE TABLE 'words_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO words_data VALUES(1,X'090F2F1E');
INSERT INTO words_data VALUES(10,X'00000000FF000001010B0D000B0101010101000001020101020200000103010103030000010401010404000001050101050501010106010106060000010701010707000001080101080800000109010109090101010A01010A0A0000010B01010B0B000001');
INSERT INTO words_data VALUES(137438953473,X'000000460430646F650106010103020472696674010601010701077265667265736801060101060103746865010601010402046F6B656E010601010501037768790106010102040A0B0E0A0B');
INSERT INTO words_data VALUES(274877906945,X'000000890730E4BBA4E7898C02060101070205BFAEE5A5BD020601010B0106E588B7E696B002060101090202A5BD020601010C0205BA93E79A8402060101050106E68A8AE695B0020601010202058DAEE5BA930206010104020595B0E68DAE0206010103020596B0E4BFAE020601010A0106E7898CE588B7020601010802059A84E4BBA40206010106040D0C0D090C0D0C0C0C0D');
INSERT INTO words_data VALUES(412316860417,X'000000CA03303234030C01010801020401016103080102090802037574680306010207010162030601020C02017903060101070105636C6F636B030C0101020102060105647269667403060101060103666978030202010168030601020502036F7572030601010901026973030601020301027079030A01020A05050107726566726573680308040101050104736B6577030601010302027263030A01020805050103746865030601010402046F6B656E0302030202746C03060102020106757267656E740306010211040C090A08080F0C08080A090B0F0B0B0A0909');
INSERT INTO words_data VALUES(549755813889,X'000000A20630636C6F636B04060102020103E5BA9304060102050403E8BF810402040205BC95E694BE04060101040106E68A8AE7B4A2040601010202058DAEE5BA93040803010204020594BEE8BF9B0406010105020595B0E68DAE0408020102030103E7A7BB0402060403E9878C04060101080205B4A2E5BC9504060101030106E8BF81E7A7BB04080501010703049BE8BF8104060101060103E9878C0406010109040C0A080C0D0D0C0D080A0C0E0B');
INSERT INTO words_data VALUES(687194767361,X'00000024073063616E6172690506010202010564726966740502020104676F6E65050203040D0A');
INSERT INTO words_data VALUES(824633720833,X'000000450330617205020301076964656D706F7405020401056F72646572050A0201020305010270790506010204010373726305060102020106757267656E74050601020504070C0E090A');
INSERT INTO words_data VALUES(962072674305,X'0000006E023062060601020302017906060101050105636C6F636B060801010208010564726966740608040101030102707906060102040107726566726573680606010104010673657276657206060101070202726306060102020203746F7006020201037468650608030101060408080D0D090E0D0908');
INSERT INTO words_data VALUES(1099511627777,X'0000000E06306F7264657207020204');
INSERT INTO words_data VALUES(1236950581249,X'000000260630636C6F636B080601010201056472696674080601010301036E74700806010202040C0C');
INSERT INTO words_data VALUES(1374389534721,X'0000003207306368726F6E69080601020302046C6F636B080601010201056472696674080601010301036E74700806010202040D0B0C');
INSERT INTO words_data VALUES(1511828488193,X'0000003D0730616E73776572090601010601046C696B650906010104010573686F72740906010105010374686509060101020104757365720906010103040D0B0C0A');
INSERT INTO words_data VALUES(9007886449508352,X'04000000000000010000000000000000000000000000000000000000000000050000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO words_data VALUES(9008436205322240,X'04000000000000010000000000000000000000000000000000000000000000000000000000000000000000080000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000');
CREATE TABLE 'words_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);
INSERT INTO words_docsize VALUES(1,X'000600',1);
INSERT INTO words_docsize VALUES(2,X'000B00',2);
INSERT INTO words_docsize VALUES(3,X'030810',3);
INSERT INTO words_docsize VALUES(4,X'050804',4);
INSERT INTO words_docsize VALUES(5,X'030005',6);
INSERT INTO words_docsize VALUES(6,X'030703',7);
INSERT INTO words_docsize VALUES(7,X'010000',8);
INSERT INTO words_docsize VALUES(8,X'000202',10);
INSERT INTO words_docsize VALUES(9,X'000500',11);
CREATE TABLE 'words_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO words_idx VALUES(1,X'',2);
INSERT INTO words_idx VALUES(2,X'',2);
INSERT INTO words_idx VALUES(3,X'',2);
INSERT INTO words_idx VALUES(4,X'',2);
INSERT INTO words_idx VALUES(5,X'',2);
INSERT INTO words_idx VALUES(6,X'',2);
INSERT INTO words_idx VALUES(7,X'',2);
INSERT INTO words_idx VALUES(8,X'',2);
INSERT INTO words_idx VALUES(9,X'',2);
INSERT INTO words_idx VALUES(10,X'',2);
INSERT INTO words_idx VALUES(11,X'',2);
CREATE VIEW labels AS
    SELECT kind, value, document_id
    FROM label_uses JOIN label_names ON label_names.id = label_id;
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
CREATE VIEW hidden_documents AS
    SELECT -(4 * record_id + instr('opsf', kind) - 1) AS id, *
    FROM memories WHERE private = 1 OR deleted_at IS NOT NULL OR type = 'noise';
pragma user_version=9;
pragma application_id=1835363700;
COMMIT TRANSACTION;
PRAGMA writable_schema=OFF;
BEGIN;
CREATE TABLE no_such_table(x,y,z);
ROLLBACK;
