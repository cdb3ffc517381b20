-- What a reader is shown of an entity: its present name, the values behind its handles, and what tells homonyms apart.
-- Tickets are called by the help desk's own reference. One flat join from the number of an entity to the one row that
-- bears its key, since only such a view can be asked for single entities of several kinds at once.

CREATE VIEW crm.cards AS
SELECT
    keys.tenant_id,
    keys.kind,
    keys.id AS entity_id,
    CASE keys.kind
        WHEN 'contact' THEN btrim(concat_ws(' ', person.given, person.family))
        WHEN 'member' THEN btrim(concat_ws(' ', agent.given, agent.family))
        WHEN 'company' THEN organisation.trading_name
        WHEN 'inbox' THEN channel.label
        WHEN 'campaign' THEN mailing.label
        WHEN 'conversation' THEN '#' || ticket.ref
        ELSE coalesce(nullif(btrim(opportunity.label), ''), '#' || opportunity.key)
    END AS name,
    (
        SELECT reach.address
        FROM helpdesk.reach
        WHERE reach.person = person.key AND reach.way = 'phone'
        ORDER BY reach.is_main DESC, reach.number
        LIMIT 1
    ) AS phone,
    CASE keys.kind WHEN 'member' THEN agent.mail ELSE (
        SELECT reach.address
        FROM helpdesk.reach
        WHERE reach.person = person.key AND reach.way = 'mail'
        ORDER BY reach.is_main DESC, reach.number
        LIMIT 1
    ) END AS email,
    person.papers ->> 'national' AS national_id,
    organisation.tax_code AS legal_id,
    coalesce(person.last_heard, ticket.last_post) AS last_contact_at,
    (
        SELECT place.label
        FROM helpdesk.tickets AS latest
        JOIN helpdesk.channels AS place ON place.account = latest.account AND place.code = latest.channel
        WHERE latest.person = person.key AND latest.removed IS NULL
        ORDER BY latest.last_post DESC NULLS LAST, latest.ref DESC
        LIMIT 1
    ) AS inbox
FROM crm.here
JOIN velo.entity_keys AS keys ON keys.tenant_id = here.tenant_id
LEFT JOIN helpdesk.people AS person
    ON keys.kind = 'contact'
    AND person.key = keys.source_key
    AND person.account = here.account
    AND person.removed IS NULL
    AND person.absorbed_by IS NULL
LEFT JOIN helpdesk.agents AS agent
    ON keys.kind = 'member' AND agent.login = keys.source_key AND agent.account = here.account AND agent.removed IS NULL
LEFT JOIN helpdesk.organisations AS organisation
    ON keys.kind = 'company'
    AND organisation.key = keys.source_key
    AND organisation.account = here.account
    AND organisation.removed IS NULL
LEFT JOIN helpdesk.channels AS channel
    ON keys.kind = 'inbox' AND channel.code = keys.source_key AND channel.account = here.account AND channel.removed IS NULL
LEFT JOIN helpdesk.mailings AS mailing
    ON keys.kind = 'campaign' AND mailing.key = keys.source_key AND mailing.account = here.account AND mailing.removed IS NULL
LEFT JOIN helpdesk.tickets AS ticket
    ON keys.kind = 'conversation'
    AND ticket.ref = keys.source_key
    AND ticket.account = here.account
    AND ticket.removed IS NULL
    AND (ticket.channel IS NULL OR EXISTS (
        SELECT
        FROM velo.entity_keys AS named
        WHERE named.tenant_id = here.tenant_id AND named.kind = 'inbox' AND named.source_key = ticket.channel
    ))
LEFT JOIN helpdesk.opportunities AS opportunity
    ON keys.kind = 'deal'
    AND opportunity.key = keys.source_key
    AND opportunity.account = here.account
    AND opportunity.removed IS NULL
WHERE coalesce(person.key, agent.login, organisation.key, channel.code, mailing.key) IS NOT NULL
    OR (ticket.ref IS NOT NULL AND EXISTS (
        SELECT FROM helpdesk.people AS owner WHERE owner.key = ticket.person AND owner.removed IS NULL AND owner.absorbed_by IS NULL
    ))
    OR (opportunity.key IS NOT NULL AND (opportunity.person IS NULL OR EXISTS (
        SELECT FROM helpdesk.people AS owner WHERE owner.key = opportunity.person AND owner.removed IS NULL AND owner.absorbed_by IS NULL
    )));

GRANT SELECT ON crm.cards TO velo_app;
