-- Who may see what now. Resolver, tools, guard and export ask here and nowhere else, filtered by tenant, member, kind
-- and ids. Agents see the conversations of their inboxes and those of no inbox; contacts with such a conversation, or
-- with none at all; their own inboxes; deals of those contacts or their own. Members, companies and campaigns are
-- everybody's. Supervisors and admins see all, inactive members nothing.

CREATE VIEW crm.viewers WITH (security_invoker = true) AS
SELECT tenant_id, id AS member_id, role IN ('supervisor', 'admin') AS sees_all
FROM crm.members
WHERE active;

CREATE VIEW crm.visible_conversations WITH (security_invoker = true) AS
SELECT viewers.tenant_id, viewers.member_id, conversations.id AS conversation_id, conversations.contact_id
FROM crm.viewers
JOIN crm.conversations ON conversations.tenant_id = viewers.tenant_id
WHERE viewers.sees_all
    OR conversations.inbox_id IS NULL
    OR EXISTS (
        SELECT
        FROM crm.inbox_members
        WHERE inbox_members.tenant_id = conversations.tenant_id
            AND inbox_members.inbox_id = conversations.inbox_id
            AND inbox_members.member_id = viewers.member_id
    );

CREATE VIEW crm.visible_contacts WITH (security_invoker = true) AS
SELECT viewers.tenant_id, viewers.member_id, contacts.id AS contact_id
FROM crm.viewers
JOIN crm.contacts ON contacts.tenant_id = viewers.tenant_id
WHERE viewers.sees_all
    OR NOT EXISTS (
        SELECT
        FROM crm.conversations
        WHERE conversations.tenant_id = contacts.tenant_id AND conversations.contact_id = contacts.id
    )
    OR EXISTS (
        SELECT
        FROM crm.visible_conversations AS theirs
        WHERE theirs.tenant_id = contacts.tenant_id
            AND theirs.contact_id = contacts.id
            AND theirs.member_id = viewers.member_id
    );

CREATE VIEW crm.visible WITH (security_invoker = true) AS
SELECT tenant_id, member_id, 'contact'::text AS kind, contact_id AS entity_id
FROM crm.visible_contacts
UNION ALL
SELECT tenant_id, member_id, 'conversation', conversation_id
FROM crm.visible_conversations
UNION ALL
SELECT viewers.tenant_id, viewers.member_id, 'inbox', inboxes.id
FROM crm.viewers
JOIN crm.inboxes ON inboxes.tenant_id = viewers.tenant_id
WHERE viewers.sees_all
    OR EXISTS (
        SELECT
        FROM crm.inbox_members
        WHERE inbox_members.tenant_id = inboxes.tenant_id
            AND inbox_members.inbox_id = inboxes.id
            AND inbox_members.member_id = viewers.member_id
    )
UNION ALL
SELECT viewers.tenant_id, viewers.member_id, 'deal', deals.id
FROM crm.viewers
JOIN crm.deals ON deals.tenant_id = viewers.tenant_id
WHERE viewers.sees_all
    OR deals.owner_id = viewers.member_id
    OR EXISTS (
        SELECT
        FROM crm.visible_contacts
        WHERE visible_contacts.tenant_id = deals.tenant_id
            AND visible_contacts.member_id = viewers.member_id
            AND visible_contacts.contact_id = deals.contact_id
    )
UNION ALL
SELECT viewers.tenant_id, viewers.member_id, 'member', members.id
FROM crm.viewers
JOIN crm.members ON members.tenant_id = viewers.tenant_id
UNION ALL
SELECT viewers.tenant_id, viewers.member_id, 'company', companies.id
FROM crm.viewers
JOIN crm.companies ON companies.tenant_id = viewers.tenant_id
UNION ALL
SELECT viewers.tenant_id, viewers.member_id, 'campaign', campaigns.id
FROM crm.viewers
JOIN crm.campaigns ON campaigns.tenant_id = viewers.tenant_id;

GRANT SELECT ON crm.viewers, crm.visible_conversations, crm.visible_contacts, crm.visible TO velo_app;
