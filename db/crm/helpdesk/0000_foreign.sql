-- Whether the help desk is there as this preset reads it. First of all, so that a wrong VELO_CRM leaves no trace.
-- The error bears the code of an undefined table because only such errors may be told in their own words.

DO $$
DECLARE
    lacking text;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'helpdesk') THEN
        RAISE EXCEPTION 'there is no schema helpdesk in this database; point DATABASE_URL to the help desk''s own database'
            USING ERRCODE = 'undefined_table';
    END IF;

    IF NOT has_schema_privilege('helpdesk', 'USAGE') OR EXISTS (
        SELECT
        FROM pg_class
        WHERE relnamespace = 'helpdesk'::regnamespace AND relkind IN ('r', 'p', 'v') AND NOT has_table_privilege(oid, 'SELECT')
    ) THEN
        RAISE EXCEPTION 'velo_owner may not read schema helpdesk; let its owner run GRANT USAGE ON SCHEMA helpdesk TO velo_owner; '
            'GRANT SELECT ON ALL TABLES IN SCHEMA helpdesk TO velo_owner; and migrate again' USING ERRCODE = 'undefined_table';
    END IF;

    IF EXISTS (
        SELECT
        FROM pg_class
        WHERE relnamespace = 'helpdesk'::regnamespace AND relkind IN ('r', 'p') AND has_table_privilege(oid, 'INSERT, UPDATE, DELETE')
    ) THEN
        RAISE EXCEPTION 'velo_owner may write in schema helpdesk and must only read it; revoke INSERT, UPDATE and DELETE from it'
            USING ERRCODE = 'undefined_table';
    END IF;

    SELECT string_agg(needed.relation || '.' || name, ', ' ORDER BY needed.relation, name)
    INTO lacking
    FROM (
        VALUES
            ('accounts', '{key}'::text[]),
            ('agents', '{account,login,given,family,mail,duty,suspended,opened,touched,removed}'),
            ('channel_agents', '{account,channel,agent}'),
            ('channels', '{account,code,label,medium,paused,touched,removed}'),
            ('mailings', '{key,account,label,medium,stage,from_day,to_day,figures,touched,removed}'),
            ('opportunities', '{key,account,person,organisation,agent,label,step,worth_cents,money,due,opened,touched,removed}'),
            ('organisations', '{key,account,trading_name,tax_code,town,opened,touched,removed}'),
            ('people', '{key,account,given,family,nicknames,papers,organisation,stage,opened,touched,last_heard,removed,absorbed_by}'),
            ('person_tags', '{account,person,tag}'),
            ('posts', '{number,ticket,side,agent,content,internal,posted}'),
            ('reach', '{number,account,person,way,address,is_main,touched}'),
            ('remarks', '{number,account,person,agent,content,written}'),
            ('tags', '{account,slug,label}'),
            ('ticket_tags', '{account,ticket,tag}'),
            (
                'tickets',
                '{ref,account,person,channel,handler,phase,urgency,topic,opened,touched,last_post,unanswered_since,closed,removed}'
            )
    ) AS needed (relation, names),
        unnest(needed.names) AS name
    WHERE NOT EXISTS (
        SELECT
        FROM pg_class AS there
        JOIN pg_attribute AS col ON col.attrelid = there.oid AND col.attname = name AND NOT col.attisdropped
        WHERE there.relnamespace = 'helpdesk'::regnamespace AND there.relname = needed.relation
    );
    IF lacking IS NOT NULL THEN
        RAISE EXCEPTION 'schema helpdesk is of another version than this preset reads: it has no %', lacking
            USING ERRCODE = 'undefined_table';
    END IF;
END
$$;
