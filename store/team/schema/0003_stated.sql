-- By which change of the team its author first named a row as it is; NULL where somebody else did. Of two rows that
-- turn out to be one record, what stays is whose who was first.
ALTER TABLE memtui.entry ADD COLUMN stated bigint;
UPDATE memtui.entry SET stated = seq;

-- What else than its uid names a record: two rows that share one of these are one record.
CREATE FUNCTION memtui.names_of(p_kind text, p_project text, p_payload jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT array_remove(ARRAY[
        'event ' || (p_payload ->> 'event_id'),
        'from ' || (p_payload ->> 'source') || ' ' || (p_payload ->> 'native_id'),
        CASE p_kind
            WHEN 'sessions' THEN 'session ' || (p_payload ->> 'agent') || ' ' || (p_payload ->> 'content_session_id')
            WHEN 'facts' THEN 'fact ' || p_project || ' ' || (p_payload ->> 'kind') || ' '
                || rtrim(lower(regexp_replace(p_payload ->> 'content', '\s+', ' ', 'g')), ' .。!！;；')
        END], NULL)
$$;
