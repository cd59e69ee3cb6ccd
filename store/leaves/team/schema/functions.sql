-- What members call, made anew with each step of the schema.

-- Returns what became of each row: stored, known, older, or why it was refused; and whose it is.
CREATE OR REPLACE FUNCTION memtui.push(
    p_team text, p_machine text, p_kinds text[], p_uids text[], p_projects text[], p_editors text[],
    p_hlcs bigint[], p_versions text[], p_visibilities text[], p_states text[], p_made bigint[],
    p_deleted bigint[], p_payloads text[], p_words text[]
) RETURNS TABLE (out_kind text, out_uid text, verdict text, out_author text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    me memtui.member;
    newest bigint;
    many bigint := coalesce(array_length(p_uids, 1), 0);
    renamed bigint := coalesce(array_length(array_positions(p_states, 'renamed'), 1), 0);
    given_up text[];
BEGIN
    SELECT * INTO me FROM memtui.member m
        WHERE m.team_id = p_team AND m.name = session_user AND m.revoked_at IS NULL;
    IF me.name IS NULL THEN
        RAISE EXCEPTION 'You are no member of this team.' USING ERRCODE = '42501';
    END IF;
    IF me.role = 'reader' THEN
        RAISE EXCEPTION 'You may only read in this team.' USING ERRCODE = '42501';
    END IF;
    UPDATE memtui.head t SET head = t.head + many + renamed WHERE t.team_id = p_team RETURNING t.head INTO newest;
    INSERT INTO memtui.device (team_id, machine, member)
        SELECT DISTINCT p_team, e.machine, me.name FROM unnest(array_append(p_editors, p_machine)) AS e (machine)
        ON CONFLICT (team_id, machine) DO NOTHING;
    -- Of two rows that turned out to be one record, what stays is whose who said it first; one of them is the
    -- caller's.
    WITH pairs AS (
        SELECT g.kind, g.uid, g.payload::jsonb ->> 'into_uid' AS into_uid,
            newest - many - renamed + row_number() OVER () AS seq
        FROM unnest(p_kinds, p_uids, p_states, p_payloads) AS g (kind, uid, state, payload)
        WHERE g.state = 'renamed'
    ), moved AS (
        UPDATE memtui.entry AS t SET author = e.author, stated = e.stated, via = '', seq = p.seq
        FROM pairs p JOIN memtui.entry e ON e.team_id = p_team AND e.kind = p.kind AND e.uid = p.uid
        WHERE t.team_id = p_team AND t.kind = p.kind AND t.uid = p.into_uid AND t.state = 'here' AND e.state = 'here'
            AND t.uid COLLATE "C" < e.uid COLLATE "C" AND e.stated < t.stated AND e.author <> t.author
            AND me.name IN (e.author, t.author)
            AND (me.projects IS NULL OR (t.project = ANY (me.projects) AND e.project = ANY (me.projects)))
            AND memtui.names_of(t.kind, t.project, t.payload) && memtui.names_of(e.kind, e.project, e.payload)
        RETURNING p.uid
    )
    SELECT array_agg(m.uid) INTO given_up FROM moved m;
    RETURN QUERY
    WITH given AS (
        SELECT g.*, newest - many + row_number() OVER () AS seq
        FROM unnest(p_kinds, p_uids, p_projects, p_editors, p_hlcs, p_versions, p_visibilities, p_states, p_made,
            p_deleted, p_payloads, p_words)
            AS g (kind, uid, project, editor, hlc, version, visibility, state, made_at, deleted_at, payload, words)
    ), judged AS (
        SELECT g.*, e.author AS known_author, CASE
            WHEN e.state = 'purged' THEN 'known'
            WHEN e.version = g.version AND e.state = g.state AND e.visibility = g.visibility
                AND e.project = g.project THEN 'known'
            WHEN e.state = 'renamed' AND g.state <> 'purged' THEN 'known'
            -- Who shared it has it renamed, be it another's client that noticed.
            WHEN g.state = 'renamed' AND e.author <> me.name AND me.role <> 'admin'
                AND NOT g.uid = ANY (coalesce(given_up, '{}')) THEN 'older'
            WHEN d.member IS DISTINCT FROM me.name OR v.member IS DISTINCT FROM me.name
                THEN 'it was changed on a machine that is not yours'
            WHEN (g.hlc >> 16) > memtui.now_ms() + 300000
                THEN 'its clock is more than five minutes ahead of the server''s'
            WHEN me.projects IS NOT NULL AND NOT (g.project = ANY (me.projects)
                AND coalesce(e.project, g.project) = ANY (me.projects))
                THEN 'it is of a project that you do not write in'
            WHEN e.uid IS NULL AND g.kind = 'reviews' AND right(g.uid, length(me.name) + 1) <> ' ' || me.name
                THEN 'it is what another member says'
            WHEN e.author <> me.name AND me.role <> 'admin' AND (g.state IN ('deleted', 'withdrawn', 'purged')
                OR e.state = 'withdrawn' OR g.kind = 'reviews' OR e.visibility <> g.visibility
                OR e.project <> g.project)
                THEN 'only its author, or an administrator, takes it away or moves it'
            WHEN g.state IN ('here', 'deleted') AND g.hlc IS NOT NULL AND e.state <> 'withdrawn'
                AND NOT (g.hlc, g.editor) >= (e.hlc, e.editor) THEN 'older'
            ELSE 'stored' END AS verdict
        FROM given g
        LEFT JOIN memtui.entry e ON e.team_id = p_team AND e.kind = g.kind AND e.uid = g.uid
        LEFT JOIN memtui.device d ON d.team_id = p_team AND d.machine = g.editor
        LEFT JOIN memtui.device v ON v.team_id = p_team AND v.machine = p_machine
    ), written AS (
        INSERT INTO memtui.entry AS t (team_id, kind, uid, project, author, editor, via, hlc, version, visibility,
            state, made_at, deleted_at, payload, words, seq, stated)
        SELECT p_team, j.kind, j.uid, j.project, me.name, j.editor, p_machine, j.hlc, j.version, j.visibility,
            j.state, j.made_at, CASE WHEN j.state <> 'here' THEN coalesce(j.deleted_at, memtui.now_ms()) END,
            j.payload::jsonb, CASE WHEN j.state = 'here' THEN j.words ELSE '' END::tsvector, j.seq, j.seq
        FROM judged j WHERE j.verdict = 'stored'
        ON CONFLICT (team_id, kind, uid) DO UPDATE SET project = excluded.project, editor = excluded.editor,
            via = excluded.via, hlc = CASE WHEN excluded.hlc > t.hlc THEN excluded.hlc ELSE t.hlc END,
            version = excluded.version, visibility = excluded.visibility, state = excluded.state,
            made_at = excluded.made_at, deleted_at = excluded.deleted_at, payload = excluded.payload,
            words = excluded.words, seq = excluded.seq,
            stated = CASE WHEN memtui.names_of(t.kind, t.project, t.payload)
                = memtui.names_of(excluded.kind, excluded.project, excluded.payload) THEN t.stated
                WHEN t.author = excluded.author THEN excluded.seq END
        RETURNING 1
    ), traced AS (
        INSERT INTO memtui.removal (team_id, seq, at, member, state, kind, uid, author, project)
        SELECT p_team, j.seq, memtui.now_ms(), me.name, j.state, j.kind, j.uid, j.known_author, j.project
        FROM judged j
        WHERE j.verdict = 'stored' AND j.known_author <> me.name AND j.state IN ('deleted', 'withdrawn', 'purged')
        RETURNING 1
    )
    SELECT j.kind, j.uid, j.verdict, coalesce(j.known_author, me.name) FROM judged j;
END
$$;

-- Row security would have every row read, since its conditions come before the index's; so membership is checked here.
CREATE OR REPLACE FUNCTION memtui.search(
    p_team text, p_words text, p_kinds text[], p_projects text[], p_authors text[], p_since bigint, p_until bigint,
    p_limit integer
) RETURNS TABLE (out_kind text, out_uid text, out_author text, out_project text, out_made_at bigint, out_payload jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    me memtui.member;
BEGIN
    SELECT * INTO me FROM memtui.member m
        WHERE m.team_id = p_team AND m.name = session_user AND m.revoked_at IS NULL;
    IF me.name IS NULL THEN
        RAISE EXCEPTION 'You are no member of this team.' USING ERRCODE = '42501';
    END IF;
    -- Planned for these values: how rare the words are decides by which index.
    RETURN QUERY EXECUTE
        'SELECT f.kind, f.uid, f.author, f.project, f.made_at, f.payload FROM (
            SELECT e.* FROM memtui.entry e WHERE e.team_id = $1 AND e.state = ''here'''
        || CASE WHEN p_words <> '' THEN ' AND e.words @@ $2::tsquery' ELSE '' END
        || CASE WHEN p_kinds IS NOT NULL THEN ' AND e.kind = ANY ($3)' ELSE ' AND e.kind <> ALL ($9)' END
        || CASE WHEN p_projects IS NOT NULL THEN ' AND e.project = ANY ($4)' ELSE '' END
        || CASE WHEN p_authors IS NOT NULL THEN ' AND e.author = ANY ($5)' ELSE '' END
        || CASE WHEN p_since IS NOT NULL THEN ' AND e.made_at >= $6' ELSE '' END
        || CASE WHEN p_until IS NOT NULL THEN ' AND e.made_at < $7' ELSE '' END
        || CASE WHEN me.projects IS NOT NULL THEN ' AND (e.visibility = ''team'' OR e.project = ANY ($8))' ELSE '' END
        || ' ORDER BY e.made_at DESC LIMIT 2000) f ORDER BY '
        || CASE WHEN p_words <> '' THEN 'ts_rank(f.words, $2::tsquery) DESC, ' ELSE '' END
        || 'f.made_at DESC LIMIT $10'
        USING p_team, p_words, p_kinds, p_projects, p_authors, p_since, p_until, me.projects,
            ARRAY['sessions', 'fact_sources', 'merged_records', 'project_aliases', 'reviews'],
            least(greatest(p_limit, 0), 500);
END
$$;

CREATE OR REPLACE FUNCTION memtui.met(p_team text, p_machine text, p_name text, p_meeting text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM memtui.member m
        WHERE m.team_id = p_team AND m.name = session_user AND m.revoked_at IS NULL) THEN
        RAISE EXCEPTION 'You are no member of this team.' USING ERRCODE = '42501';
    END IF;
    INSERT INTO memtui.device AS d (team_id, machine, member, name, meeting, met_at)
        VALUES (p_team, p_machine, session_user, left(p_name, 80), p_meeting, memtui.now_ms())
        ON CONFLICT (team_id, machine) DO UPDATE SET name = excluded.name, meeting = excluded.meeting,
            met_at = excluded.met_at WHERE d.member = session_user;
END
$$;

CREATE OR REPLACE FUNCTION memtui.set_member(p_team text, p_name text, p_role text, p_projects text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    newest bigint;
BEGIN
    IF NOT EXISTS (SELECT 1 FROM memtui.member m WHERE m.team_id = p_team AND m.name = session_user
        AND m.role = 'admin' AND m.revoked_at IS NULL) THEN
        RAISE EXCEPTION 'Only an administrator of the team does that.' USING ERRCODE = '42501';
    END IF;
    IF p_name = session_user THEN
        RAISE EXCEPTION 'Nobody changes their own membership.' USING ERRCODE = '42501';
    END IF;
    IF p_role IS NULL THEN
        UPDATE memtui.member m SET revoked_at = memtui.now_ms()
            WHERE m.team_id = p_team AND m.name = p_name AND m.revoked_at IS NULL;
    ELSE
        INSERT INTO memtui.member AS m (team_id, name, role, projects, joined_at)
            VALUES (p_team, p_name, p_role, p_projects, memtui.now_ms())
            ON CONFLICT (team_id, name) DO UPDATE SET role = excluded.role, projects = excluded.projects,
                revoked_at = NULL;
    END IF;
    UPDATE memtui.head t SET head = t.head + 1 WHERE t.team_id = p_team RETURNING t.head INTO newest;
    INSERT INTO memtui.removal (team_id, seq, at, member, state, kind, uid, author, project)
        VALUES (p_team, newest, memtui.now_ms(), session_user, coalesce('invited as ' || p_role, 'revoked'), 'members',
            p_name, p_name, coalesce(array_to_string(p_projects, ', '), ''));
END
$$;

-- Gives all that one member shared to another, as a change of each row.
CREATE OR REPLACE FUNCTION memtui.hand_over(p_team text, p_from text, p_to text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    newest bigint;
    many bigint;
BEGIN
    IF NOT EXISTS (SELECT 1 FROM memtui.member m WHERE m.team_id = p_team AND m.name = session_user
        AND m.role = 'admin' AND m.revoked_at IS NULL)
        OR NOT EXISTS (SELECT 1 FROM memtui.member m WHERE m.team_id = p_team AND m.name = p_to
        AND m.revoked_at IS NULL) THEN
        RAISE EXCEPTION 'Only an administrator does that, and only to a member.' USING ERRCODE = '42501';
    END IF;
    SELECT count(*) INTO many FROM memtui.entry e WHERE e.team_id = p_team AND e.author = p_from;
    UPDATE memtui.head t SET head = t.head + many WHERE t.team_id = p_team RETURNING t.head INTO newest;
    UPDATE memtui.entry e SET author = p_to, via = '', seq = newest - many + n.place
        FROM (SELECT o.kind, o.uid, row_number() OVER (ORDER BY o.seq) AS place FROM memtui.entry o
            WHERE o.team_id = p_team AND o.author = p_from) n
        WHERE e.team_id = p_team AND e.kind = n.kind AND e.uid = n.uid;
    UPDATE memtui.head t SET head = t.head + 1 WHERE t.team_id = p_team RETURNING t.head INTO newest;
    INSERT INTO memtui.removal (team_id, seq, at, member, state, kind, uid, author, project)
        VALUES (p_team, newest, memtui.now_ms(), session_user, 'handed over to ' || p_to, 'members', p_from, p_from, '');
    RETURN many;
END
$$;
