-- Keeping step with a CRM that tells nobody of its changes. crm.freshen looks at what is dated later than the last look
-- and is called before names are looked up; crm.reconcile compares everything and finds what bears no date: rows that
-- vanished, changes made by hand. Both run with the caller's rights, inside one transaction of one tenant.

-- The rows that have names, with all that is learnt of them: "reach" are phones, e-mails and ids; "gone" and "into" say
-- that they are nobody's any more.
CREATE VIEW crm.sources AS
SELECT
    here.tenant_id,
    'contact'::text AS kind,
    person.key AS source_key,
    jsonb_build_object(
        'name', btrim(concat_ws(' ', person.given, person.family)),
        'aliases', CASE WHEN jsonb_typeof(person.nicknames) = 'array' THEN person.nicknames ELSE '[]' END,
        'reach', jsonb_build_array(jsonb_build_object('national_id', person.papers ->> 'national')) || coalesce(
            (
                SELECT jsonb_agg(
                    jsonb_build_object(CASE reach.way WHEN 'mail' THEN 'email' ELSE 'phone' END, reach.address) ORDER BY reach.number
                )
                FROM helpdesk.reach
                WHERE reach.person = person.key
            ),
            '[]'
        ),
        'gone', person.removed IS NOT NULL OR person.absorbed_by IS NOT NULL,
        'into', person.absorbed_by
    ) AS entity
FROM crm.here
JOIN helpdesk.people AS person ON person.account = here.account
UNION ALL
SELECT here.tenant_id, 'member', agent.login, jsonb_build_object(
    'name', btrim(concat_ws(' ', agent.given, agent.family)),
    'reach', jsonb_build_array(jsonb_build_object('email', agent.mail)),
    'gone', agent.removed IS NOT NULL
)
FROM crm.here
JOIN helpdesk.agents AS agent ON agent.account = here.account
UNION ALL
SELECT here.tenant_id, 'company', organisation.key, jsonb_build_object(
    'name', organisation.trading_name,
    'reach', jsonb_build_array(jsonb_build_object('legal_id', organisation.tax_code)),
    'gone', organisation.removed IS NOT NULL
)
FROM crm.here
JOIN helpdesk.organisations AS organisation ON organisation.account = here.account
UNION ALL
SELECT here.tenant_id, 'inbox', channel.code, jsonb_build_object('name', channel.label, 'gone', channel.removed IS NOT NULL)
FROM crm.here
JOIN helpdesk.channels AS channel ON channel.account = here.account
UNION ALL
SELECT here.tenant_id, 'campaign', mailing.key, jsonb_build_object('name', mailing.label, 'gone', mailing.removed IS NOT NULL)
FROM crm.here
JOIN helpdesk.mailings AS mailing ON mailing.account = here.account;

-- When which row was touched last, and since when and where it stands. Agents and channels are few and tags bear no date:
-- they are always looked at.
CREATE VIEW crm.changes AS
SELECT here.tenant_id, 'contact'::text AS kind, person.key AS source_key, person.touched, person.opened, person.ctid AS place
FROM crm.here
JOIN helpdesk.people AS person ON person.account = here.account
UNION ALL
SELECT here.tenant_id, 'contact', reach.person, reach.touched, NULL, NULL
FROM crm.here
JOIN helpdesk.reach ON reach.account = here.account
UNION ALL
SELECT here.tenant_id, 'company', organisation.key, organisation.touched, organisation.opened, organisation.ctid
FROM crm.here
JOIN helpdesk.organisations AS organisation ON organisation.account = here.account
UNION ALL
SELECT here.tenant_id, 'member', agent.login, 'infinity', agent.opened, agent.ctid
FROM crm.here
JOIN helpdesk.agents AS agent ON agent.account = here.account
UNION ALL
SELECT here.tenant_id, 'inbox', channel.code, 'infinity', NULL, channel.ctid
FROM crm.here
JOIN helpdesk.channels AS channel ON channel.account = here.account
UNION ALL
SELECT here.tenant_id, 'campaign', mailing.key, mailing.touched, NULL, mailing.ctid
FROM crm.here
JOIN helpdesk.mailings AS mailing ON mailing.account = here.account
UNION ALL
SELECT here.tenant_id, 'conversation', ticket.ref, ticket.touched, ticket.opened, ticket.ctid
FROM crm.here
JOIN helpdesk.tickets AS ticket ON ticket.account = here.account
UNION ALL
SELECT here.tenant_id, 'deal', opportunity.key, opportunity.touched, opportunity.opened, opportunity.ctid
FROM crm.here
JOIN helpdesk.opportunities AS opportunity ON opportunity.account = here.account
UNION ALL
SELECT here.tenant_id, 'label', tag.slug, 'infinity', NULL, tag.ctid
FROM crm.here
JOIN helpdesk.tags AS tag ON tag.account = here.account;

GRANT SELECT ON crm.sources, crm.changes TO velo_app;

-- Dates are set when a transaction begins and seen when it ends, and by the help desk's own clock: so long may both take
-- together.
CREATE FUNCTION crm.overlap() RETURNS interval
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN interval '5 minutes';

-- The number of a key; NULL when it has none.
CREATE FUNCTION crm.number_of(p_tenant bigint, p_kind text, p_key text) RETURNS bigint
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT id FROM velo.entity_keys WHERE tenant_id = p_tenant AND kind = p_kind AND source_key = p_key
$$;

-- Who somebody is in the end, along all who absorbed one another; NULL when nobody is left.
CREATE FUNCTION crm.survivor(p_tenant bigint, p_key text) RETURNS bigint
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
    WITH RECURSIVE walk (source_key, entity, step) AS (
        SELECT source.source_key, source.entity, 0
        FROM crm.sources AS source
        WHERE source.tenant_id = p_tenant AND source.kind = 'contact' AND source.source_key = p_key
        UNION ALL
        SELECT source.source_key, source.entity, walk.step + 1
        FROM walk
        CROSS JOIN LATERAL (
            SELECT further.source_key, further.entity
            FROM crm.sources AS further
            WHERE further.tenant_id = p_tenant AND further.kind = 'contact' AND further.source_key = walk.entity ->> 'into'
            OFFSET 0
        ) AS source
        WHERE walk.step < 20
    )
    SELECT crm.number_of(p_tenant, 'contact', source_key) FROM walk WHERE NOT (entity ->> 'gone')::boolean LIMIT 1
$$;

-- The names and values of a row as they are looked up.
CREATE FUNCTION crm.values_of_source(p_entity jsonb) RETURNS TABLE (value_kind text, form text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT DISTINCT found.value_kind, found.form
    FROM jsonb_array_elements(coalesce(p_entity -> 'reach', '[]')) AS way, crm.values_of_row(way) AS found
$$;

-- What a person leaves to the one who absorbed them: every form and value, so that what was masked stays masked.
CREATE FUNCTION crm.bequeath(p_tenant bigint, p_from bigint, p_into bigint, p_entity jsonb) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    INSERT INTO crm.name_forms (tenant_id, form, kind, entity_id, former)
    SELECT p_tenant, known.form, 'contact', p_into, true
    FROM crm.name_forms AS known
    WHERE known.tenant_id = p_tenant AND known.kind = 'contact' AND known.entity_id = p_from
    UNION
    SELECT p_tenant, form, 'contact', p_into, true
    FROM crm.forms_of_row('contact', p_entity) AS form
    ON CONFLICT DO NOTHING;

    INSERT INTO crm.value_forms (tenant_id, value_kind, form, kind, entity_id, inherited)
    SELECT p_tenant, known.value_kind, known.form, 'contact', p_into, true
    FROM crm.value_forms AS known
    WHERE known.tenant_id = p_tenant AND known.kind = 'contact' AND known.entity_id = p_from
    UNION
    SELECT p_tenant, found.value_kind, found.form, 'contact', p_into, true
    FROM crm.values_of_source(p_entity) AS found
    ON CONFLICT (tenant_id, kind, entity_id, value_kind, form) DO UPDATE SET inherited = true;
END
$$;

CREATE FUNCTION crm.forget(p_tenant bigint, p_kind text, p_id bigint) RETURNS void
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
AS $$
    DELETE FROM crm.name_forms WHERE tenant_id = p_tenant AND kind = p_kind AND entity_id = p_id;
    DELETE FROM crm.value_forms WHERE tenant_id = p_tenant AND kind = p_kind AND entity_id = p_id;
$$;

-- One row as it is now; a form that no longer belongs to its name stays, as a former one.
CREATE FUNCTION crm.learn(p_tenant bigint, p_kind text, p_id bigint, p_entity jsonb) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    present text[] := ARRAY(SELECT crm.forms_of_row(p_kind, p_entity));
BEGIN
    UPDATE crm.name_forms
    SET former = true
    WHERE tenant_id = p_tenant AND kind = p_kind AND entity_id = p_id AND form <> ALL (present) AND NOT former;

    INSERT INTO crm.name_forms (tenant_id, form, kind, entity_id)
    SELECT p_tenant, form, p_kind, p_id
    FROM unnest(present) AS form
    ON CONFLICT (tenant_id, kind, entity_id, form) DO UPDATE SET former = false WHERE name_forms.former;

    DELETE FROM crm.value_forms
    WHERE tenant_id = p_tenant AND kind = p_kind AND entity_id = p_id AND NOT inherited
        AND (value_kind, form) NOT IN (SELECT found.value_kind, found.form FROM crm.values_of_source(p_entity) AS found);

    INSERT INTO crm.value_forms (tenant_id, value_kind, form, kind, entity_id)
    SELECT p_tenant, found.value_kind, found.form, p_kind, p_id
    FROM crm.values_of_source(p_entity) AS found
    ON CONFLICT DO NOTHING;
END
$$;

-- One row that has changed: learnt, bequeathed or forgotten.
CREATE FUNCTION crm.learn_source(p_tenant bigint, p_kind text, p_key text, p_entity jsonb) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    v_id bigint := crm.number_of(p_tenant, p_kind, p_key);
    v_into bigint := CASE WHEN p_entity ->> 'into' IS NOT NULL THEN crm.survivor(p_tenant, p_key) END;
BEGIN
    IF v_into <> v_id THEN
        PERFORM crm.bequeath(p_tenant, v_id, v_into, p_entity);
    END IF;
    IF (p_entity ->> 'gone')::boolean THEN
        PERFORM crm.forget(p_tenant, p_kind, v_id);
    ELSE
        PERFORM crm.learn(p_tenant, p_kind, v_id, p_entity);
    END IF;
    INSERT INTO crm.learnt (tenant_id, kind, source_key, hash)
    VALUES (p_tenant, p_kind, p_key, md5(p_entity::text))
    ON CONFLICT (tenant_id, kind, source_key) DO UPDATE SET hash = EXCLUDED.hash;
END
$$;

-- One at a time: two at once would wait for each other's rows in different orders.
CREATE FUNCTION crm.alone(p_tenant bigint) RETURNS void
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT pg_advisory_xact_lock(x'63726d'::int, (p_tenant % 2147483647)::int)
$$;

-- The rows dated within this span that are not as they were learnt. Plans are made once for any span: OFFSET 0, here and
-- below, keeps the planner from reading all there is, and so does the span's end (always 'infinity'), since of what has two
-- ends it expects little, and of what has one a third of the table.
CREATE FUNCTION crm.stale(p_tenant bigint, p_since timestamptz, p_until timestamptz) RETURNS TABLE (kind text, source_key text, entity jsonb)
LANGUAGE sql STABLE
AS $$
    SELECT source.kind, source.source_key, source.entity
    FROM (
        SELECT DISTINCT change.kind, change.source_key
        FROM crm.changes AS change
        WHERE change.tenant_id = p_tenant AND change.touched > p_since AND change.touched <= p_until
    ) AS touched
    CROSS JOIN LATERAL (
        SELECT now_there.kind, now_there.source_key, now_there.entity
        FROM crm.sources AS now_there
        WHERE now_there.tenant_id = p_tenant AND now_there.kind = touched.kind AND now_there.source_key = touched.source_key
        OFFSET 0
    ) AS source
    WHERE NOT EXISTS (
        SELECT
        FROM crm.learnt
        WHERE learnt.tenant_id = p_tenant
            AND learnt.kind = source.kind
            AND learnt.source_key = source.source_key
            AND learnt.hash = md5(source.entity::text)
        OFFSET 0
    )
$$;

-- Keys dated within this span that have no number, the eldest first: a key may be made of a name, so none is sorted by it,
-- or what Velo lists by number would tell how names are spelt.
CREATE FUNCTION crm.unnumbered(p_tenant bigint, p_since timestamptz, p_until timestamptz) RETURNS TABLE (kind text, source_key text)
LANGUAGE sql STABLE
AS $$
    SELECT change.kind, change.source_key
    FROM crm.changes AS change
    WHERE change.tenant_id = p_tenant
        AND change.touched > p_since
        AND change.touched <= p_until
        AND NOT EXISTS (
            SELECT
            FROM velo.entity_keys AS known
            WHERE known.tenant_id = p_tenant AND known.kind = change.kind AND known.source_key = change.source_key
            OFFSET 0
        )
    GROUP BY change.kind, change.source_key
    ORDER BY min(change.opened), min(change.place)
$$;

-- Numbers for the keys and forms for the rows dated later than this. Gives how many rows were learnt.
CREATE FUNCTION crm.catch_up(p_tenant bigint, p_since timestamptz) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    v_until timestamptz := 'infinity';
    v_source record;
    v_count bigint := 0;
BEGIN
    FOR v_source IN SELECT kind, source_key FROM crm.unnumbered(p_tenant, p_since, v_until) LOOP
        INSERT INTO velo.entity_keys (tenant_id, kind, source_key)
        VALUES (p_tenant, v_source.kind, v_source.source_key)
        ON CONFLICT DO NOTHING;
    END LOOP;
    FOR v_source IN SELECT kind, source_key, entity FROM crm.stale(p_tenant, p_since, v_until) LOOP
        PERFORM crm.learn_source(p_tenant, v_source.kind, v_source.source_key, v_source.entity);
        v_count := v_count + 1;
    END LOOP;
    RETURN v_count;
END
$$;

-- Takes note of the help desk's changes; gives how many rows were learnt. Where there is nothing to learn nothing is
-- written, so that a read-only transaction may ask; where there is, it fails there, and nobody goes on without it.
CREATE FUNCTION crm.freshen(p_tenant bigint) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    v_upto timestamptz;
    v_since timestamptz;
    v_until timestamptz := 'infinity';
    v_count bigint := 0;
BEGIN
    SELECT upto, upto - crm.overlap() INTO v_upto, v_since FROM crm.freshness WHERE tenant_id = p_tenant;
    IF v_upto IS NULL THEN
        RETURN crm.reconcile(p_tenant);
    END IF;
    IF EXISTS (SELECT FROM crm.unnumbered(p_tenant, v_since, v_until)) OR EXISTS (SELECT FROM crm.stale(p_tenant, v_since, v_until)) THEN
        PERFORM crm.alone(p_tenant);
        v_count := crm.catch_up(p_tenant, v_since);
    END IF;
    IF v_upto < statement_timestamp() - interval '1 minute' AND current_setting('transaction_read_only') = 'off' THEN
        WITH free AS (
            SELECT tenant_id FROM crm.freshness WHERE tenant_id = p_tenant FOR NO KEY UPDATE SKIP LOCKED
        )
        UPDATE crm.freshness
        SET upto = statement_timestamp()
        FROM free
        WHERE freshness.tenant_id = free.tenant_id;
    END IF;
    RETURN v_count;
END
$$;

-- What was learnt of rows that are there no more.
CREATE FUNCTION crm.vanished(p_tenant bigint) RETURNS TABLE (kind text, source_key text)
LANGUAGE sql STABLE
AS $$
    SELECT learnt.kind, learnt.source_key
    FROM crm.learnt
    WHERE learnt.tenant_id = p_tenant
        AND (learnt.kind, learnt.source_key) NOT IN (SELECT kind, source_key FROM crm.sources WHERE tenant_id = p_tenant)
$$;

-- Compares everything; gives how many rows were learnt or forgotten. Nobody waits for it as long as all is as it should be.
CREATE FUNCTION crm.reconcile(p_tenant bigint) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    v_begun timestamptz := statement_timestamp();
    v_since timestamptz := '-infinity';
    v_until timestamptz := 'infinity';
    v_count bigint := 0;
    v_gone record;
BEGIN
    IF NOT EXISTS (SELECT FROM crm.accounts WHERE tenant_id = p_tenant) THEN
        RETURN 0;
    END IF;
    IF EXISTS (SELECT FROM crm.unnumbered(p_tenant, v_since, v_until))
        OR EXISTS (SELECT FROM crm.stale(p_tenant, v_since, v_until))
        OR EXISTS (SELECT FROM crm.vanished(p_tenant))
    THEN
        PERFORM crm.alone(p_tenant);
        v_count := crm.catch_up(p_tenant, v_since);
        FOR v_gone IN SELECT kind, source_key FROM crm.vanished(p_tenant) LOOP
            PERFORM crm.forget(p_tenant, v_gone.kind, crm.number_of(p_tenant, v_gone.kind, v_gone.source_key));
            DELETE FROM crm.learnt
            WHERE tenant_id = p_tenant AND kind = v_gone.kind AND source_key = v_gone.source_key;
            v_count := v_count + 1;
        END LOOP;
    END IF;
    INSERT INTO crm.freshness (tenant_id, upto)
    VALUES (p_tenant, v_begun)
    ON CONFLICT (tenant_id) DO UPDATE SET upto = EXCLUDED.upto;
    RETURN v_count;
END
$$;
