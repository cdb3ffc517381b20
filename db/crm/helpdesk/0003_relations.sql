-- The help desk's rows under the names and words that Velo reads. A row appears once its key has a number
-- (velo.entity_keys, filled by crm.freshen). Views are plain and not barriers: they are read by our own statements
-- only, and a barrier would keep every look-up from the help desk's indexes.

-- The people who are there.
CREATE VIEW crm.source_people AS
SELECT here.tenant_id, keys.id, person.*
FROM crm.here
JOIN helpdesk.people AS person ON person.account = here.account
JOIN velo.entity_keys AS keys
    ON keys.tenant_id = here.tenant_id AND keys.kind = 'contact' AND keys.source_key = person.key
WHERE person.removed IS NULL AND person.absorbed_by IS NULL;

-- Tickets of people who are there. One whose channel has no number yet is left out: without an inbox it would be
-- everybody's.
CREATE VIEW crm.source_tickets AS
SELECT person.tenant_id, keys.id, person.id AS contact_id, channel.id AS inbox_id, ticket.*
FROM crm.source_people AS person
JOIN helpdesk.tickets AS ticket ON ticket.account = person.account AND ticket.person = person.key
JOIN velo.entity_keys AS keys
    ON keys.tenant_id = person.tenant_id AND keys.kind = 'conversation' AND keys.source_key = ticket.ref
LEFT JOIN velo.entity_keys AS channel
    ON channel.tenant_id = person.tenant_id AND channel.kind = 'inbox' AND channel.source_key = ticket.channel
WHERE ticket.removed IS NULL AND (ticket.channel IS NULL OR channel.id IS NOT NULL);

CREATE VIEW crm.members AS
SELECT
    here.tenant_id,
    keys.id,
    btrim(concat_ws(' ', agent.given, agent.family)) AS name,
    agent.mail AS email,
    CASE agent.duty WHEN 'owner' THEN 'admin' WHEN 'lead' THEN 'supervisor' ELSE 'agent' END AS role,
    '{}'::text[] AS aliases,
    NOT agent.suspended AS active,
    agent.opened AS created_at
FROM crm.here
JOIN helpdesk.agents AS agent ON agent.account = here.account
JOIN velo.entity_keys AS keys
    ON keys.tenant_id = here.tenant_id AND keys.kind = 'member' AND keys.source_key = agent.login
WHERE agent.removed IS NULL;

CREATE VIEW crm.companies AS
SELECT
    here.tenant_id,
    keys.id,
    organisation.trading_name AS name,
    organisation.tax_code AS legal_id,
    organisation.town AS city,
    organisation.opened AS created_at
FROM crm.here
JOIN helpdesk.organisations AS organisation ON organisation.account = here.account
JOIN velo.entity_keys AS keys
    ON keys.tenant_id = here.tenant_id AND keys.kind = 'company' AND keys.source_key = organisation.key
WHERE organisation.removed IS NULL;

CREATE VIEW crm.contacts AS
SELECT
    person.tenant_id,
    person.id,
    btrim(concat_ws(' ', person.given, person.family)) AS name,
    (
        SELECT reach.address
        FROM helpdesk.reach
        WHERE reach.person = person.key AND reach.way = 'phone'
        ORDER BY reach.is_main DESC, reach.number
        LIMIT 1
    ) AS phone,
    (
        SELECT reach.address
        FROM helpdesk.reach
        WHERE reach.person = person.key AND reach.way = 'mail'
        ORDER BY reach.is_main DESC, reach.number
        LIMIT 1
    ) AS email,
    person.papers ->> 'national' AS national_id,
    ARRAY(
        SELECT jsonb_array_elements_text(CASE WHEN jsonb_typeof(person.nicknames) = 'array' THEN person.nicknames ELSE '[]' END)
    ) AS aliases,
    company.id AS company_id,
    CASE person.stage WHEN 'prospect' THEN 'lead' WHEN 'dormant' THEN 'inactive' ELSE 'active' END AS state,
    person.opened AS created_at,
    person.last_heard AS last_contact_at
FROM crm.source_people AS person
LEFT JOIN velo.entity_keys AS company
    ON company.tenant_id = person.tenant_id AND company.kind = 'company' AND company.source_key = person.organisation;

CREATE VIEW crm.inboxes AS
SELECT
    here.tenant_id,
    keys.id,
    channel.label AS name,
    CASE channel.medium WHEN 'wa' THEN 'whatsapp' WHEN 'mail' THEN 'email' WHEN 'voice' THEN 'phone' ELSE 'web' END AS channel,
    CASE WHEN channel.paused THEN 'closed' ELSE 'open' END AS state
FROM crm.here
JOIN helpdesk.channels AS channel ON channel.account = here.account
JOIN velo.entity_keys AS keys
    ON keys.tenant_id = here.tenant_id AND keys.kind = 'inbox' AND keys.source_key = channel.code
WHERE channel.removed IS NULL;

CREATE VIEW crm.inbox_members AS
SELECT here.tenant_id, channel.id AS inbox_id, agent.id AS member_id
FROM crm.here
JOIN helpdesk.channel_agents AS place ON place.account = here.account
JOIN velo.entity_keys AS channel
    ON channel.tenant_id = here.tenant_id AND channel.kind = 'inbox' AND channel.source_key = place.channel
JOIN velo.entity_keys AS agent
    ON agent.tenant_id = here.tenant_id AND agent.kind = 'member' AND agent.source_key = place.agent;

CREATE VIEW crm.conversations AS
SELECT
    ticket.tenant_id,
    ticket.id,
    ticket.contact_id,
    ticket.inbox_id,
    handler.id AS assignee_id,
    CASE ticket.phase
        WHEN 'parked' THEN 'pending' WHEN 'asleep' THEN 'snoozed' WHEN 'closed' THEN 'resolved' ELSE 'open'
    END AS status,
    coalesce(ticket.topic, '') AS subject,
    CASE ticket.urgency WHEN 1 THEN 'low' WHEN 2 THEN 'normal' WHEN 3 THEN 'high' ELSE 'urgent' END AS priority,
    ticket.opened AS created_at,
    ticket.last_post AS last_message_at,
    CASE WHEN ticket.phase <> 'closed' THEN ticket.unanswered_since END AS waiting_since,
    ticket.closed AS resolved_at
FROM crm.source_tickets AS ticket
LEFT JOIN velo.entity_keys AS handler
    ON handler.tenant_id = ticket.tenant_id AND handler.kind = 'member' AND handler.source_key = ticket.handler;

-- Written out rather than on crm.source_tickets: every table that a look-up need not join is planned for nothing.
CREATE VIEW crm.messages AS
SELECT
    here.tenant_id,
    post.number AS id,
    keys.id AS conversation_id,
    CASE post.side WHEN 'customer' THEN 'contact' WHEN 'desk' THEN 'member' ELSE 'system' END AS author_kind,
    CASE WHEN post.side = 'desk' THEN (
        SELECT named.id
        FROM velo.entity_keys AS named
        WHERE named.tenant_id = here.tenant_id AND named.kind = 'member' AND named.source_key = post.agent
    ) END AS member_id,
    post.content AS body,
    post.internal AS private,
    post.posted AS created_at
FROM crm.here
JOIN velo.entity_keys AS keys ON keys.tenant_id = here.tenant_id AND keys.kind = 'conversation'
JOIN helpdesk.tickets AS ticket ON ticket.ref = keys.source_key AND ticket.account = here.account
JOIN helpdesk.people AS person ON person.key = ticket.person AND person.account = here.account
JOIN helpdesk.posts AS post ON post.ticket = ticket.ref
WHERE ticket.removed IS NULL
    AND person.removed IS NULL
    AND person.absorbed_by IS NULL
    AND (ticket.channel IS NULL OR EXISTS (
        SELECT
        FROM velo.entity_keys AS named
        WHERE named.tenant_id = here.tenant_id AND named.kind = 'inbox' AND named.source_key = ticket.channel
    ));

CREATE VIEW crm.labels AS
SELECT here.tenant_id, keys.id, tag.label AS name
FROM crm.here
JOIN helpdesk.tags AS tag ON tag.account = here.account
JOIN velo.entity_keys AS keys ON keys.tenant_id = here.tenant_id AND keys.kind = 'label' AND keys.source_key = tag.slug;

CREATE VIEW crm.contact_labels AS
SELECT person.tenant_id, person.id AS contact_id, keys.id AS label_id
FROM crm.source_people AS person
JOIN helpdesk.person_tags AS worn ON worn.account = person.account AND worn.person = person.key
JOIN velo.entity_keys AS keys ON keys.tenant_id = person.tenant_id AND keys.kind = 'label' AND keys.source_key = worn.tag;

CREATE VIEW crm.conversation_labels AS
SELECT ticket.tenant_id, ticket.id AS conversation_id, keys.id AS label_id
FROM crm.source_tickets AS ticket
JOIN helpdesk.ticket_tags AS worn ON worn.account = ticket.account AND worn.ticket = ticket.ref
JOIN velo.entity_keys AS keys ON keys.tenant_id = ticket.tenant_id AND keys.kind = 'label' AND keys.source_key = worn.tag;

CREATE VIEW crm.notes AS
SELECT
    person.tenant_id,
    remark.number AS id,
    person.id AS contact_id,
    (
        SELECT named.id
        FROM velo.entity_keys AS named
        WHERE named.tenant_id = person.tenant_id AND named.kind = 'member' AND named.source_key = remark.agent
    ) AS author_id,
    remark.content AS body,
    remark.written AS created_at
FROM crm.source_people AS person
JOIN helpdesk.remarks AS remark ON remark.account = person.account AND remark.person = person.key;

-- A count out of the help desk's JSON; 0 for what is no count.
CREATE FUNCTION crm.figure(figures jsonb, name text) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN figures ->> name ~ '^[0-9]{1,9}$' THEN (figures ->> name)::integer ELSE 0 END;

CREATE VIEW crm.campaigns AS
SELECT
    here.tenant_id,
    keys.id,
    mailing.label AS name,
    CASE mailing.medium WHEN 'wa' THEN 'whatsapp' WHEN 'mail' THEN 'email' WHEN 'voice' THEN 'phone' ELSE 'web' END AS channel,
    CASE mailing.stage WHEN 'going' THEN 'running' WHEN 'halted' THEN 'paused' WHEN 'over' THEN 'finished' ELSE 'draft' END AS state,
    mailing.from_day::timestamp AT TIME ZONE zone.name AS starts_at,
    mailing.to_day::timestamp AT TIME ZONE zone.name AS ends_at,
    crm.figure(mailing.figures, 'sent') AS sent,
    crm.figure(mailing.figures, 'arrived') AS delivered,
    crm.figure(mailing.figures, 'read') AS opened,
    crm.figure(mailing.figures, 'answered') AS replied
FROM crm.here
-- A day begins at the tenant's midnight.
CROSS JOIN LATERAL (
    SELECT coalesce((SELECT tenant.settings ->> 'zone' FROM velo.tenants AS tenant WHERE tenant.tenant_id = here.tenant_id), 'UTC')
) AS zone (name)
JOIN helpdesk.mailings AS mailing ON mailing.account = here.account
JOIN velo.entity_keys AS keys
    ON keys.tenant_id = here.tenant_id AND keys.kind = 'campaign' AND keys.source_key = mailing.key
WHERE mailing.removed IS NULL;

-- An opportunity goes with its person: its label may tell who that was.
CREATE VIEW crm.deals AS
SELECT
    here.tenant_id,
    keys.id,
    person.id AS contact_id,
    company.id AS company_id,
    agent.id AS owner_id,
    opportunity.label AS title,
    CASE opportunity.step
        WHEN 'qualified' THEN 'qualified' WHEN 'offered' THEN 'proposal' WHEN 'won' THEN 'won' WHEN 'lost' THEN 'lost' ELSE 'new'
    END AS stage,
    opportunity.worth_cents::numeric / 100 AS amount,
    opportunity.money AS currency,
    opportunity.due AS expected_close,
    opportunity.opened AS created_at
FROM crm.here
JOIN helpdesk.opportunities AS opportunity ON opportunity.account = here.account
JOIN velo.entity_keys AS keys
    ON keys.tenant_id = here.tenant_id AND keys.kind = 'deal' AND keys.source_key = opportunity.key
LEFT JOIN crm.source_people AS person ON person.tenant_id = here.tenant_id AND person.key = opportunity.person
LEFT JOIN velo.entity_keys AS company
    ON company.tenant_id = here.tenant_id AND company.kind = 'company' AND company.source_key = opportunity.organisation
LEFT JOIN velo.entity_keys AS agent
    ON agent.tenant_id = here.tenant_id AND agent.kind = 'member' AND agent.source_key = opportunity.agent
WHERE opportunity.removed IS NULL AND (opportunity.person IS NULL OR person.id IS NOT NULL);

-- Who was absorbed by whom, one step at a time.
CREATE VIEW crm.merged AS
SELECT here.tenant_id, 'contact'::text AS kind, gone.id AS entity_id, survivor.id AS into_id
FROM crm.here
JOIN helpdesk.people AS person ON person.account = here.account AND person.absorbed_by <> person.key
JOIN velo.entity_keys AS gone
    ON gone.tenant_id = here.tenant_id AND gone.kind = 'contact' AND gone.source_key = person.key
JOIN velo.entity_keys AS survivor
    ON survivor.tenant_id = here.tenant_id AND survivor.kind = 'contact' AND survivor.source_key = person.absorbed_by;

GRANT SELECT ON
    crm.members, crm.companies, crm.contacts, crm.inboxes, crm.inbox_members, crm.conversations, crm.messages, crm.labels,
    crm.contact_labels, crm.conversation_labels, crm.notes, crm.campaigns, crm.deals, crm.merged
TO velo_app;
