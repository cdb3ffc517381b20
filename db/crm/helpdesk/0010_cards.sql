-- What a reader is shown of an entity: its present name, the values behind its handles, and what tells homonyms apart.
-- Tickets are called by the help desk's own reference. One flat join from the number of an entity to the one row that
-- bears its key, since only such a view can be asked for single entities of several kinds at once.

CREATE VIEW crm.cards AS
SELECT
    keys.tenant_id,
    keys.kind,
    keys.id AS entity_id,
    CASE keys.kind
        WHEN 'contact' THEN contact.name
        WHEN 'member' THEN member.name
        WHEN 'company' THEN company.name
        WHEN 'inbox' THEN inbox.name
        WHEN 'campaign' THEN campaign.name
        WHEN 'conversation' THEN '#' || ticket.ref
        ELSE coalesce(nullif(btrim(deal.title), ''), '#' || keys.source_key)
    END AS name,
    contact.phone,
    coalesce(contact.email, member.email) AS email,
    contact.national_id,
    company.legal_id,
    coalesce(contact.last_contact_at, ticket.last_post) AS last_contact_at,
    (
        SELECT channel.label
        FROM helpdesk.tickets AS latest
        JOIN helpdesk.channels AS channel ON channel.account = latest.account AND channel.code = latest.channel
        WHERE keys.kind = 'contact' AND latest.person = keys.source_key AND latest.removed IS NULL
        ORDER BY latest.last_post DESC NULLS LAST, latest.ref DESC
        LIMIT 1
    ) AS inbox
FROM velo.entity_keys AS keys
LEFT JOIN crm.contacts AS contact
    ON keys.kind = 'contact' AND contact.tenant_id = keys.tenant_id AND contact.id = keys.id
LEFT JOIN crm.members AS member
    ON keys.kind = 'member' AND member.tenant_id = keys.tenant_id AND member.id = keys.id
LEFT JOIN crm.companies AS company
    ON keys.kind = 'company' AND company.tenant_id = keys.tenant_id AND company.id = keys.id
LEFT JOIN crm.inboxes AS inbox
    ON keys.kind = 'inbox' AND inbox.tenant_id = keys.tenant_id AND inbox.id = keys.id
LEFT JOIN crm.campaigns AS campaign
    ON keys.kind = 'campaign' AND campaign.tenant_id = keys.tenant_id AND campaign.id = keys.id
LEFT JOIN crm.source_tickets AS ticket
    ON keys.kind = 'conversation' AND ticket.tenant_id = keys.tenant_id AND ticket.id = keys.id
LEFT JOIN crm.deals AS deal
    ON keys.kind = 'deal' AND deal.tenant_id = keys.tenant_id AND deal.id = keys.id
WHERE keys.tenant_id = nullif(current_setting('velo.tenant_id', true), '')::bigint
    AND coalesce(contact.id, member.id, company.id, inbox.id, campaign.id, ticket.id, deal.id) IS NOT NULL;

GRANT SELECT ON crm.cards TO velo_app;
