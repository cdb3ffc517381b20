-- A deal without a title is shown by its number.

CREATE OR REPLACE VIEW crm.cards WITH (security_invoker = true) AS
SELECT
    contacts.tenant_id,
    'contact'::text AS kind,
    contacts.id AS entity_id,
    contacts.name,
    contacts.phone,
    contacts.email,
    contacts.national_id,
    NULL::text AS legal_id,
    contacts.last_contact_at,
    (
        SELECT inboxes.name
        FROM crm.conversations
        JOIN crm.inboxes ON inboxes.tenant_id = conversations.tenant_id AND inboxes.id = conversations.inbox_id
        WHERE conversations.tenant_id = contacts.tenant_id AND conversations.contact_id = contacts.id
        ORDER BY conversations.last_message_at DESC NULLS LAST, conversations.id DESC
        LIMIT 1
    ) AS inbox
FROM crm.contacts
UNION ALL
SELECT tenant_id, 'member', id, name, NULL, email, NULL, NULL, NULL, NULL
FROM crm.members
UNION ALL
SELECT tenant_id, 'company', id, name, NULL, NULL, NULL, legal_id, NULL, NULL
FROM crm.companies
UNION ALL
SELECT tenant_id, 'inbox', id, name, NULL, NULL, NULL, NULL, NULL, NULL
FROM crm.inboxes
UNION ALL
SELECT tenant_id, 'campaign', id, name, NULL, NULL, NULL, NULL, NULL, NULL
FROM crm.campaigns
UNION ALL
SELECT tenant_id, 'conversation', id, '#' || id, NULL, NULL, NULL, NULL, last_message_at, NULL
FROM crm.conversations
UNION ALL
SELECT tenant_id, 'deal', id, coalesce(nullif(btrim(title), ''), '#' || id), NULL, NULL, NULL, NULL, NULL, NULL
FROM crm.deals;
