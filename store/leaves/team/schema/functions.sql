-- What members call, made anew with each step of the schema.

CREATE OR REPLACE FUNCTION memtui.now_ms() RETURNS bigint
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;

-- Returns the membership of who has logged in.
CREATE OR REPLACE FUNCTION memtui.me(p_team text) RETURNS memtui.member
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    who text := session_user;
    me memtui.member;
BEGIN
    SELECT m.* INTO me FROM memtui.member m WHERE m.team_id = p_team AND m.name = who AND m.revoked_at IS NULL;
    IF me.name IS NULL THEN
        RAISE EXCEPTION 'You are no member of this team.' USING ERRCODE = '42501';
    END IF;
    RETURN me;
END
$$;

-- The slots of a team, by number.
CREATE OR REPLACE FUNCTION memtui.slots(p_team text) RETURNS text[]
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT array_agg(p_team || ' ' || to_hex(n) ORDER BY n) FROM generate_series(0, 15) AS n
$$;

CREATE OR REPLACE FUNCTION memtui.version() RETURNS integer
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN (SELECT max(v.version) FROM memtui.schema_version v);
END
$$;

CREATE OR REPLACE FUNCTION memtui.teams() RETURNS TABLE (out_team text, out_name text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    who text := session_user;
BEGIN
    RETURN QUERY SELECT t.team_id, t.name FROM memtui.member m JOIN memtui.team t ON t.team_id = m.team_id
        WHERE m.name = who AND m.revoked_at IS NULL ORDER BY t.name;
END
$$;

-- The numbers of the newest rows, by slot.
CREATE OR REPLACE FUNCTION memtui.heads(p_team text) RETURNS bigint[]
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    me memtui.member := memtui.me(p_team);
    slots text[] := memtui.slots(p_team);
BEGIN
    RETURN (SELECT array_agg(h.head ORDER BY h.slot) FROM memtui.head h WHERE h.slot = ANY (slots));
END
$$;

-- How the team knows a machine, which becomes the caller's if it is nobody's.
CREATE OR REPLACE FUNCTION memtui.greet(p_team text, p_machine text) RETURNS TABLE (
    out_name text, out_role text, out_projects text[], out_heads bigint[], out_meeting text, out_now bigint,
    out_read_dsn text, out_version integer
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    me memtui.member := memtui.me(p_team);
BEGIN
    out_heads := memtui.heads(p_team);
    SELECT d.meeting INTO out_meeting FROM memtui.device d
        WHERE d.team_id = p_team AND d.machine = p_machine AND d.member = me.name;
    SELECT t.read_dsn INTO out_read_dsn FROM memtui.team t WHERE t.team_id = p_team;
    out_name := me.name;
    out_role := me.role;
    out_projects := me.projects;
    out_now := memtui.now_ms();
    out_version := memtui.version();
    RETURN NEXT;
END
$$;

-- Notes machines as the caller's, but those that are another's.
CREATE OR REPLACE FUNCTION memtui.name_machines(p_team text, p_machines text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    me memtui.member := memtui.me(p_team);
BEGIN
    IF me.role = 'reader' THEN
        RAISE EXCEPTION 'You may only read in this team.' USING ERRCODE = '42501';
    END IF;
    INSERT INTO memtui.device (team_id, machine, member)
        SELECT p_team, e.machine, me.name FROM unnest(p_machines) AS e (machine)
        ON CONFLICT (team_id, machine) DO NOTHING;
END
$$;

-- The number of what is no word.
CREATE OR REPLACE FUNCTION memtui.mark(p_text text) RETURNS integer
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT -1073741824 - ('x' || left(md5(p_text), 7))::bit(28)::integer
$$;

-- What a row has beside its words, by which few are looked at where many have a word: when it was made, in spans of
-- 3 and of 50 days; its author and project, and whether all see it; and whether it is of a sample, one in 256.
CREATE OR REPLACE FUNCTION memtui.marks(
    p_uid text, p_made bigint, p_author text, p_project text, p_visibility text
) RETURNS integer[]
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT ARRAY[(-1 - (least(greatest(p_made, 0), (1::bigint << 56) - 1) >> 28))::integer,
        (-536870912 - (least(greatest(p_made, 0), (1::bigint << 56) - 1) >> 32))::integer,
        memtui.mark('author ' || p_author), memtui.mark('project ' || p_project)]
        || CASE WHEN p_visibility = 'team' THEN ARRAY[memtui.mark('team')] ELSE ARRAY[]::integer[] END
        || CASE WHEN substr(md5(p_uid), 2, 2) = '00' THEN ARRAY[-2147483648] ELSE ARRAY[]::integer[] END
$$;

-- The part of push that is done where the slot is, for who may write there (p_who), with what was read of them.
CREATE OR REPLACE FUNCTION memtui.store(
    p_slot text, p_team text, p_who text, p_role text, p_allowed text[], p_own text[], p_now bigint,
    p_machine text, p_kinds text[], p_uids text[], p_projects text[], p_editors text[], p_hlcs bigint[],
    p_versions text[], p_visibilities text[], p_states text[], p_made bigint[], p_deleted bigint[],
    p_payloads text[], p_words text[], p_bases text[], p_unseen text[]
) RETURNS TABLE (out_kind text, out_uid text, out_verdict text, out_author text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    many bigint := coalesce(array_length(p_uids, 1), 0);
    newest bigint;
    verdicts text[];
    authors text[];
BEGIN
    -- Whoever pushes to this slot next waits until this is committed.
    UPDATE memtui.head h SET head = h.head + many WHERE h.slot = p_slot RETURNING h.head INTO newest;
    WITH given AS (
        SELECT g.* FROM unnest(p_kinds, p_uids, p_projects, p_editors, p_hlcs, p_versions, p_visibilities,
            p_states, p_bases)
            WITH ORDINALITY AS g (kind, uid, project, editor, hlc, version, visibility, state, base, place)
    ), present AS (
        SELECT e.kind, e.uid, e.author, e.project, e.editor, e.hlc, e.version, e.visibility, e.state
        FROM memtui.entry e WHERE e.slot = p_slot AND e.team_id = p_team AND e.uid = ANY (p_uids)
            AND e.kind = ANY (p_kinds)
    ), judged AS (
        SELECT g.place, coalesce(e.author, p_who) AS author, CASE
            WHEN e.state = 'purged' THEN 'known'
            WHEN e.version = g.version AND e.state = g.state AND e.visibility = g.visibility
                AND e.project = g.project THEN 'known'
            WHEN e.state = 'renamed' AND g.state <> 'purged' THEN 'known'
            WHEN NOT (g.editor = ANY (p_own) AND p_machine = ANY (p_own))
                THEN 'it was changed on a machine that is not yours'
            WHEN (g.hlc >> 16) > p_now + 300000 THEN 'its clock is more than five minutes ahead of the server''s'
            WHEN p_allowed IS NOT NULL AND NOT (g.project = ANY (p_allowed)
                AND coalesce(e.project, g.project) = ANY (p_allowed))
                THEN 'it is of a project that you do not write in'
            WHEN e.uid IS NULL AND g.kind = 'reviews' AND right(g.uid, length(p_who) + 1) <> ' ' || p_who
                THEN 'it is what another member says'
            WHEN e.author <> p_who AND (g.state = 'renamed' OR p_role <> 'admin' AND (
                g.state IN ('deleted', 'withdrawn', 'purged') OR e.state = 'withdrawn' OR g.kind = 'reviews'
                OR e.visibility <> g.visibility OR e.project <> g.project))
                THEN 'only its author, or an administrator, takes it away or moves it'
            WHEN g.state IN ('here', 'deleted') AND g.hlc IS NOT NULL AND e.state <> 'withdrawn'
                AND (e.version <> g.base OR NOT (g.hlc, g.editor) >= (e.hlc, e.editor)) THEN 'older'
            ELSE 'stored' END AS verdict
        FROM given g LEFT JOIN present e ON e.kind = g.kind AND e.uid = g.uid
    )
    SELECT array_agg(j.verdict ORDER BY j.place), array_agg(j.author ORDER BY j.place)
        INTO verdicts, authors FROM judged j;
    INSERT INTO memtui.entry AS t (team_id, kind, uid, slot, project, author, editor, via, hlc, version, unseen,
        visibility, state, made_at, deleted_at, payload, words, size, seq)
    SELECT p_team, g.kind, g.uid, p_slot, g.project, p_who, g.editor, p_machine, g.hlc, g.version, g.unseen,
        g.visibility, g.state, g.made_at, CASE WHEN g.state <> 'here' THEN coalesce(g.deleted_at, p_now) END,
        g.payload::jsonb, CASE WHEN g.state = 'here' AND length(g.words) > 2
            THEN replace(g.words, '-', '')::integer[]
                || memtui.marks(g.uid, g.made_at, g.author, g.project, g.visibility) ELSE '{}' END,
        octet_length(g.payload), newest - many + g.place
    FROM unnest(p_kinds, p_uids, p_projects, p_editors, p_hlcs, p_versions, p_visibilities, p_states, p_made,
        p_deleted, p_payloads, p_words, p_unseen, verdicts, authors)
        WITH ORDINALITY AS g (kind, uid, project, editor, hlc, version, visibility, state, made_at, deleted_at,
            payload, words, unseen, verdict, author, place)
    WHERE g.verdict = 'stored'
    ON CONFLICT (team_id, kind, uid, slot) DO UPDATE SET project = excluded.project, editor = excluded.editor,
        via = excluded.via, hlc = CASE WHEN excluded.hlc > t.hlc THEN excluded.hlc ELSE t.hlc END,
        version = excluded.version,
        unseen = right(t.unseen || CASE WHEN t.unseen <> '' AND excluded.unseen <> '' THEN ',' ELSE '' END
            || excluded.unseen, 8000),
        visibility = excluded.visibility,
        state = excluded.state, made_at = excluded.made_at, deleted_at = excluded.deleted_at,
        payload = excluded.payload, words = excluded.words, size = excluded.size, seq = excluded.seq;
    IF EXISTS (SELECT 1 FROM unnest(p_states, verdicts, authors) AS g (state, verdict, author)
        WHERE g.verdict = 'stored' AND g.author <> p_who AND g.state IN ('deleted', 'withdrawn', 'purged')) THEN
        INSERT INTO memtui.removal (slot, team_id, at, member, state, kind, uid, author, project)
        SELECT p_slot, p_team, p_now, p_who, g.state, g.kind, g.uid, g.author, g.project
        FROM unnest(p_states, p_kinds, p_uids, p_projects, verdicts, authors)
            AS g (state, kind, uid, project, verdict, author)
        WHERE g.verdict = 'stored' AND g.author <> p_who AND g.state IN ('deleted', 'withdrawn', 'purged');
    END IF;
    RETURN QUERY SELECT * FROM unnest(p_kinds, p_uids, verdicts, authors);
END
$$;

-- Stores rows of one slot. p_bases: the version that the sender knew of each; '' for none. Returns what became of
-- each row: stored, known, older (the sender has to look at what is here first), or why it was refused; and whose
-- it is.
CREATE OR REPLACE FUNCTION memtui.push(
    p_team text, p_machine text, p_slot integer, p_kinds text[], p_uids text[], p_projects text[],
    p_editors text[], p_hlcs bigint[], p_versions text[], p_visibilities text[], p_states text[], p_made bigint[],
    p_deleted bigint[], p_payloads text[], p_words text[], p_bases text[], p_unseen text[]
) RETURNS TABLE (out_kind text, out_uid text, out_verdict text, out_author text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    me memtui.member := memtui.me(p_team);
    its_slot text := (memtui.slots(p_team))[p_slot + 1];
    now_at bigint := memtui.now_ms();
    own_machines text[];
BEGIN
    IF me.role = 'reader' THEN
        RAISE EXCEPTION 'You may only read in this team.' USING ERRCODE = '42501';
    END IF;
    IF EXISTS (SELECT 1 FROM unnest(p_uids) AS u (uid) WHERE left(md5(u.uid), 1) <> to_hex(p_slot)) THEN
        RAISE EXCEPTION 'A row is not of this slot.' USING ERRCODE = '22023';
    END IF;
    SELECT array_agg(d.machine) INTO own_machines FROM memtui.device d
        WHERE d.team_id = p_team AND d.member = me.name AND d.machine = ANY (array_append(p_editors, p_machine));
    own_machines := coalesce(own_machines, '{}');
    RETURN QUERY SELECT * FROM memtui.store(its_slot, p_team, me.name, me.role, me.projects,
        own_machines, now_at, p_machine, p_kinds, p_uids, p_projects, p_editors, p_hlcs,
        p_versions, p_visibilities, p_states, p_made, p_deleted, p_payloads, p_words, p_bases, p_unseen);
END
$$;

-- The rows of each slot from behind one number to another, which other machines than one brought, slot by slot: no
-- more than so many rows and bytes, but one.
CREATE OR REPLACE FUNCTION memtui.pull(
    p_team text, p_cursors bigint[], p_heads bigint[], p_machine text, p_rows integer, p_bytes bigint
) RETURNS TABLE (
    out_kind text, out_uid text, out_project text, out_editor text, out_hlc bigint, out_version text,
    out_visibility text, out_state text, out_made_at bigint, out_deleted_at bigint, out_payload jsonb,
    out_words text, out_base text, out_unseen text, out_author text, out_slot integer, out_seq bigint
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    me memtui.member := memtui.me(p_team);
    slots text[] := memtui.slots(p_team);
    its_slot text;
    rows_left bigint := p_rows;
    bytes_left bigint := p_bytes;
    many bigint;
    bytes bigint;
    last bigint;
BEGIN
    FOR n IN 1..16 LOOP
        CONTINUE WHEN p_heads[n] <= p_cursors[n];
        its_slot := slots[n];
        SELECT count(*), sum(c.size), max(c.seq) INTO many, bytes, last FROM (
            SELECT s.seq, s.size, sum(s.size) OVER (ORDER BY s.seq) - s.size AS before FROM (
                SELECT e.seq, e.size FROM memtui.entry e
                WHERE e.slot = its_slot AND e.seq > p_cursors[n] AND e.seq <= p_heads[n]
                    AND e.via IS DISTINCT FROM p_machine
                    AND (me.projects IS NULL OR e.visibility = 'team' OR e.project = ANY (me.projects))
                ORDER BY e.seq LIMIT rows_left
            ) s
        ) c WHERE c.before < bytes_left;
        CONTINUE WHEN many = 0;
        RETURN QUERY SELECT e.kind, e.uid, e.project, e.editor, e.hlc, e.version, e.visibility, e.state, e.made_at,
            e.deleted_at, e.payload, '', '', e.unseen, e.author, n - 1, e.seq FROM memtui.entry e
            WHERE e.slot = its_slot AND e.seq > p_cursors[n] AND e.seq <= last
                AND e.via IS DISTINCT FROM p_machine
                AND (me.projects IS NULL OR e.visibility = 'team' OR e.project = ANY (me.projects))
            ORDER BY e.seq;
        rows_left := rows_left - many;
        bytes_left := bytes_left - bytes;
        EXIT WHEN rows_left <= 0 OR bytes_left <= 0;
    END LOOP;
END
$$;

-- Rows by kind and uid.
CREATE OR REPLACE FUNCTION memtui.fetch(p_team text, p_kinds text[], p_uids text[]) RETURNS TABLE (
    out_kind text, out_uid text, out_project text, out_editor text, out_hlc bigint, out_version text,
    out_visibility text, out_state text, out_made_at bigint, out_deleted_at bigint, out_payload jsonb,
    out_words text, out_base text, out_unseen text, out_author text, out_slot integer, out_seq bigint
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    me memtui.member := memtui.me(p_team);
BEGIN
    RETURN QUERY SELECT e.kind, e.uid, e.project, e.editor, e.hlc, e.version, e.visibility, e.state, e.made_at,
        e.deleted_at, e.payload, '', '', e.unseen, e.author, -1, e.seq FROM memtui.entry e
        WHERE e.team_id = p_team AND e.kind || ' ' || e.uid = ANY (
                SELECT g.kind || ' ' || g.uid FROM unnest(p_kinds, p_uids) AS g (kind, uid))
            AND e.kind = ANY (p_kinds) AND e.uid = ANY (p_uids)
            AND (me.projects IS NULL OR e.visibility = 'team' OR e.project = ANY (me.projects))
        ORDER BY e.seq;
END
$$;

-- Of the next rows behind one, by kind and uid: how many, the last of them, and a digest of their uids, states and
-- versions.
CREATE OR REPLACE FUNCTION memtui.digest(p_team text, p_kind text, p_uid text, p_rows integer) RETURNS TABLE (
    out_rows bigint, out_kind text, out_uid text, out_digest text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT count(*), (array_agg(r.out_kind ORDER BY r.place DESC))[1],
        (array_agg(r.out_uid ORDER BY r.place DESC))[1],
        md5(string_agg(r.out_kind || ' ' || r.out_uid || ' ' || r.out_state || ' ' || r.out_version, E'\n'
            ORDER BY r.place))
        FROM memtui.listing(p_team, p_kind, p_uid, p_rows) WITH ORDINALITY
            AS r (out_kind, out_uid, out_state, out_version, place);
END
$$;

CREATE OR REPLACE FUNCTION memtui.listing(p_team text, p_kind text, p_uid text, p_rows integer) RETURNS TABLE (
    out_kind text, out_uid text, out_state text, out_version text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    me memtui.member := memtui.me(p_team);
BEGIN
    RETURN QUERY SELECT e.kind, e.uid, e.state, e.version FROM memtui.entry e
        WHERE e.team_id = p_team AND (e.kind, e.uid) > (p_kind COLLATE "C", p_uid COLLATE "C")
            AND (me.projects IS NULL OR e.visibility = 'team' OR e.project = ANY (me.projects))
        ORDER BY e.kind, e.uid LIMIT p_rows;
END
$$;

-- The best of the rows that have all words: of about the newest 2,000 where there are more, by a sample of them.
-- Better is where the words stand earlier.
CREATE OR REPLACE FUNCTION memtui.search(
    p_team text, p_words integer[], p_kinds text[], p_projects text[], p_authors text[], p_since bigint,
    p_until bigint, p_limit integer
) RETURNS TABLE (out_kind text, out_uid text, out_author text, out_project text, out_made_at bigint, out_payload jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    me memtui.member := memtui.me(p_team);
    kinds text[] := coalesce(p_kinds, ARRAY['prompts', 'observations', 'summaries', 'facts', 'notes']);
    sought text := 'FROM memtui.entry e WHERE e.team_id = $1 AND e.state = ''here'' AND e.kind = ANY ($3)'
        || CASE WHEN p_projects IS NOT NULL THEN ' AND e.project = ANY ($4) AND e.words && $11' ELSE '' END
        || CASE WHEN p_authors IS NOT NULL THEN ' AND e.author = ANY ($5) AND e.words && $13' ELSE '' END
        || CASE WHEN p_until IS NOT NULL THEN ' AND e.made_at < $7' ELSE '' END
        || CASE WHEN me.projects IS NOT NULL THEN
            ' AND e.words && $12 AND (e.visibility = ''team'' OR e.project = ANY ($8))' ELSE '' END;
    asked integer[] := ARRAY(SELECT memtui.mark('project ' || p) FROM unnest(p_projects) AS p);
    allowed integer[] := ARRAY(SELECT memtui.mark('project ' || p) FROM unnest(me.projects) AS p)
        || memtui.mark('team');
    written integer[] := ARRAY(SELECT memtui.mark('author ' || a) FROM unnest(p_authors) AS a);
    earlier text := '';
    since bigint := p_since;
    spans integer[];
    oldest bigint;
BEGIN
    -- Each is planned for these values; no sum is had in order from an index, so the sample is.
    IF p_words <> '{}' THEN
        EXECUTE 'SELECT e.made_at + 0 ' || sought
            || ' AND e.words @> ($2 || -2147483648) ORDER BY 1 DESC OFFSET 7 LIMIT 1'
            INTO oldest USING p_team, p_words, kinds, p_projects, p_authors, since, p_until, me.projects,
                spans, p_limit, asked, allowed, written;
        since := greatest(since, oldest);
        SELECT string_agg('trunc(ln(array_position(e.words, $2[' || n || ']) + 7))', ' + ') || ', ' INTO earlier
            FROM generate_series(1, cardinality(p_words)) AS n;
    END IF;
    IF oldest IS NULL THEN
        sought := sought || CASE WHEN since IS NOT NULL THEN ' AND e.made_at >= $6' ELSE '' END
            || CASE WHEN p_words <> '{}' THEN ' AND e.words @> $2' ELSE '' END;
    ELSE
        -- From then on by short spans up to a long one, and from there by long ones.
        SELECT array_agg(s.n) INTO spans FROM (
            SELECT -1 - n FROM generate_series((since >> 28)::integer, ((((since >> 32) + 1) << 4) - 1)::integer) AS n
            UNION ALL SELECT -536870912 - n FROM generate_series((since >> 32)::integer + 1,
                (coalesce(p_until, memtui.now_ms()) >> 32)::integer + 1) AS n
        ) AS s (n);
        sought := sought || ' AND e.made_at >= $6 AND e.words @> $2 AND e.words && $9';
    END IF;
    RETURN QUERY EXECUTE 'SELECT e.kind, e.uid, e.author, e.project, e.made_at, e.payload ' || sought
        || ' ORDER BY ' || earlier || 'e.made_at DESC LIMIT $10'
        USING p_team, p_words, kinds, p_projects, p_authors, since, p_until, me.projects, spans,
            least(greatest(p_limit, 0), 500), asked, allowed, written;
END
$$;

CREATE OR REPLACE FUNCTION memtui.met(p_team text, p_machine text, p_name text, p_meeting text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    me memtui.member := memtui.me(p_team);
    who text := me.name;
    now_at bigint := memtui.now_ms();
BEGIN
    INSERT INTO memtui.device AS d (team_id, machine, member, name, meeting, met_at)
        VALUES (p_team, p_machine, who, left(p_name, 80), p_meeting, now_at)
        ON CONFLICT (team_id, machine) DO UPDATE SET name = excluded.name, meeting = excluded.meeting,
            met_at = excluded.met_at WHERE d.member = who;
END
$$;

-- The machines of all members, each with whose it is.
CREATE OR REPLACE FUNCTION memtui.machines(p_team text) RETURNS TABLE (out_machine text, out_member text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    me memtui.member := memtui.me(p_team);
BEGIN
    RETURN QUERY SELECT d.machine, d.member FROM memtui.device d WHERE d.team_id = p_team;
END
$$;

CREATE OR REPLACE FUNCTION memtui.members(p_team text) RETURNS TABLE (
    out_name text, out_role text, out_projects text[], out_joined_at bigint, out_revoked_at bigint,
    out_machines bigint, out_met_at bigint
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    me memtui.member := memtui.me(p_team);
BEGIN
    RETURN QUERY SELECT m.name, m.role, m.projects, m.joined_at, m.revoked_at, count(d.machine), max(d.met_at)
        FROM memtui.member m LEFT JOIN memtui.device d ON d.team_id = m.team_id AND d.member = m.name
        WHERE m.team_id = p_team GROUP BY 1, 2, 3, 4, 5 ORDER BY 1;
END
$$;

CREATE OR REPLACE FUNCTION memtui.removals(p_team text, p_limit integer) RETURNS TABLE (
    out_at bigint, out_member text, out_state text, out_kind text, out_uid text, out_author text, out_project text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    me memtui.member := memtui.me(p_team);
BEGIN
    RETURN QUERY SELECT r.at, r.member, r.state, r.kind, r.uid, r.author, r.project FROM memtui.removal r
        WHERE r.team_id = p_team AND r.kind NOT IN ('fact_sources', 'reviews')
            AND (r.author = me.name OR me.projects IS NULL OR r.project = ANY (me.projects))
        ORDER BY r.at DESC LIMIT p_limit;
END
$$;

-- Raises what is not an administrator's, and returns who it is.
CREATE OR REPLACE FUNCTION memtui.administrator(p_team text) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    me memtui.member := memtui.me(p_team);
BEGIN
    IF me.role <> 'admin' THEN
        RAISE EXCEPTION 'Only an administrator of the team does that.' USING ERRCODE = '42501';
    END IF;
    RETURN me.name;
END
$$;

CREATE OR REPLACE FUNCTION memtui.set_member(p_team text, p_name text, p_role text, p_projects text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    who text := memtui.administrator(p_team);
    now_at bigint := memtui.now_ms();
    state text := coalesce('invited as ' || p_role, 'revoked');
    projects text := coalesce(array_to_string(p_projects, ', '), '');
    slot text := (memtui.slots(p_team))[1];
BEGIN
    IF p_name = who THEN
        RAISE EXCEPTION 'Nobody changes their own membership.' USING ERRCODE = '42501';
    END IF;
    IF p_role IS NULL THEN
        UPDATE memtui.member m SET revoked_at = now_at
            WHERE m.team_id = p_team AND m.name = p_name AND m.revoked_at IS NULL;
    ELSE
        INSERT INTO memtui.member AS m (team_id, name, role, projects, joined_at)
            VALUES (p_team, p_name, p_role, p_projects, now_at)
            ON CONFLICT (team_id, name) DO UPDATE SET role = excluded.role, projects = excluded.projects,
                revoked_at = NULL;
    END IF;
    INSERT INTO memtui.removal VALUES (slot, p_team, now_at, who, state, 'members', p_name, p_name, projects);
END
$$;

-- Gives all that one member shared to another, as a change of each row.
CREATE OR REPLACE FUNCTION memtui.hand_over(p_team text, p_from text, p_to text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    who text := memtui.administrator(p_team);
    now_at bigint := memtui.now_ms();
    state text := 'handed over to ' || p_to;
    mark_from integer := memtui.mark('author ' || p_from);
    mark_to integer := memtui.mark('author ' || p_to);
    slots text[] := memtui.slots(p_team);
    its_slot text;
    newest bigint;
    many bigint;
    total bigint := 0;
BEGIN
    IF NOT EXISTS (SELECT 1 FROM memtui.member m WHERE m.team_id = p_team AND m.name = p_to
        AND m.revoked_at IS NULL) THEN
        RAISE EXCEPTION 'It can only be handed over to a member.' USING ERRCODE = '42501';
    END IF;
    FOR n IN 1..16 LOOP
        its_slot := slots[n];
        UPDATE memtui.head h SET head = h.head WHERE h.slot = its_slot;
        SELECT count(*) INTO many FROM memtui.entry e
            WHERE e.slot = its_slot AND e.team_id = p_team AND e.author = p_from;
        CONTINUE WHEN many = 0;
        UPDATE memtui.head h SET head = h.head + many WHERE h.slot = its_slot RETURNING h.head INTO newest;
        UPDATE memtui.entry e SET author = p_to, via = '', seq = newest - many + o.place,
                words = array_replace(e.words, mark_from, mark_to)
            FROM (SELECT f.kind, f.uid, row_number() OVER (ORDER BY f.seq) AS place FROM memtui.entry f
                WHERE f.slot = its_slot AND f.team_id = p_team AND f.author = p_from) o
            WHERE e.slot = its_slot AND e.team_id = p_team AND e.kind = o.kind AND e.uid = o.uid;
        total := total + many;
    END LOOP;
    INSERT INTO memtui.removal VALUES (slots[1], p_team, now_at, who, state, 'members', p_from, p_from, '');
    RETURN total;
END
$$;

CREATE OR REPLACE FUNCTION memtui.rename_team(p_team text, p_name text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    who text := memtui.administrator(p_team);
BEGIN
    UPDATE memtui.team t SET name = p_name WHERE t.team_id = p_team;
END
$$;

CREATE OR REPLACE FUNCTION memtui.remove_team(p_team text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    who text := memtui.administrator(p_team);
    slots text[] := memtui.slots(p_team);
    its_slot text;
BEGIN
    FOREACH its_slot IN ARRAY slots LOOP
        DELETE FROM memtui.entry e WHERE e.slot = its_slot;
        DELETE FROM memtui.removal r WHERE r.slot = its_slot;
        DELETE FROM memtui.head h WHERE h.slot = its_slot;
    END LOOP;
    DELETE FROM memtui.device d WHERE d.team_id = p_team;
    DELETE FROM memtui.member m WHERE m.team_id = p_team;
    DELETE FROM memtui.team t WHERE t.team_id = p_team;
END
$$;
