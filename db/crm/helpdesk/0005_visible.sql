-- Who may see what now. Whether a person has tickets, and in which channels, is asked of the help desk's own tables: a
-- ticket that has no number yet hides its person all the same. Agents see the conversations of their channels and those
-- of no channel; contacts with such a conversation, or with none at all; their own channels; deals of those contacts or
-- their own. Members, companies and campaigns are everybody's. Leads and owners see all, suspended agents nothing.

CREATE VIEW crm.viewers AS
SELECT here.tenant_id, here.account, keys.id AS member_id, agent.login, agent.duty IN ('lead', 'owner') AS sees_all
FROM crm.here
JOIN helpdesk.agents AS agent ON agent.account = here.account
JOIN velo.entity_keys AS keys
    ON keys.tenant_id = here.tenant_id AND keys.kind = 'member' AND keys.source_key = agent.login
WHERE agent.removed IS NULL AND NOT agent.suspended;

CREATE VIEW crm.visible_contacts AS
SELECT viewer.tenant_id, viewer.member_id, keys.id AS contact_id
FROM crm.viewers AS viewer
JOIN velo.entity_keys AS keys ON keys.tenant_id = viewer.tenant_id AND keys.kind = 'contact'
JOIN helpdesk.people AS person ON person.key = keys.source_key AND person.account = viewer.account
WHERE person.removed IS NULL
    AND person.absorbed_by IS NULL
    AND (
        viewer.sees_all
        OR NOT EXISTS (
            SELECT FROM helpdesk.tickets AS ticket WHERE ticket.person = person.key AND ticket.removed IS NULL
        )
        OR EXISTS (
            SELECT
            FROM helpdesk.tickets AS ticket
            WHERE ticket.person = person.key
                AND ticket.removed IS NULL
                AND (
                    ticket.channel IS NULL
                    OR EXISTS (
                        SELECT
                        FROM helpdesk.channel_agents AS place
                        WHERE place.account = viewer.account AND place.channel = ticket.channel AND place.agent = viewer.login
                    )
                )
        )
    );

CREATE VIEW crm.visible AS
SELECT tenant_id, member_id, 'contact'::text AS kind, contact_id AS entity_id
FROM crm.visible_contacts
UNION ALL
SELECT viewer.tenant_id, viewer.member_id, 'conversation', keys.id
FROM crm.viewers AS viewer
JOIN velo.entity_keys AS keys ON keys.tenant_id = viewer.tenant_id AND keys.kind = 'conversation'
JOIN helpdesk.tickets AS ticket ON ticket.ref = keys.source_key AND ticket.account = viewer.account
JOIN helpdesk.people AS person ON person.key = ticket.person AND person.account = viewer.account
WHERE ticket.removed IS NULL
    AND person.removed IS NULL
    AND person.absorbed_by IS NULL
    AND (ticket.channel IS NULL OR EXISTS (
        SELECT
        FROM velo.entity_keys AS named
        WHERE named.tenant_id = viewer.tenant_id AND named.kind = 'inbox' AND named.source_key = ticket.channel
    ))
    AND (
        viewer.sees_all
        OR ticket.channel IS NULL
        OR EXISTS (
            SELECT
            FROM helpdesk.channel_agents AS place
            WHERE place.account = viewer.account AND place.channel = ticket.channel AND place.agent = viewer.login
        )
    )
UNION ALL
SELECT viewer.tenant_id, viewer.member_id, 'inbox', inbox.id
FROM crm.viewers AS viewer
JOIN crm.inboxes AS inbox ON inbox.tenant_id = viewer.tenant_id
WHERE viewer.sees_all
    OR EXISTS (
        SELECT
        FROM crm.inbox_members AS place
        WHERE place.tenant_id = viewer.tenant_id AND place.inbox_id = inbox.id AND place.member_id = viewer.member_id
    )
UNION ALL
SELECT viewer.tenant_id, viewer.member_id, 'deal', deal.id
FROM crm.viewers AS viewer
JOIN crm.deals AS deal ON deal.tenant_id = viewer.tenant_id
WHERE viewer.sees_all
    OR deal.owner_id = viewer.member_id
    OR EXISTS (
        SELECT
        FROM crm.visible_contacts AS theirs
        WHERE theirs.tenant_id = viewer.tenant_id AND theirs.member_id = viewer.member_id AND theirs.contact_id = deal.contact_id
    )
UNION ALL
SELECT viewer.tenant_id, viewer.member_id, 'member', colleague.id
FROM crm.viewers AS viewer
JOIN crm.members AS colleague ON colleague.tenant_id = viewer.tenant_id
UNION ALL
SELECT viewer.tenant_id, viewer.member_id, 'company', company.id
FROM crm.viewers AS viewer
JOIN crm.companies AS company ON company.tenant_id = viewer.tenant_id
UNION ALL
SELECT viewer.tenant_id, viewer.member_id, 'campaign', campaign.id
FROM crm.viewers AS viewer
JOIN crm.campaigns AS campaign ON campaign.tenant_id = viewer.tenant_id;

GRANT SELECT ON crm.visible TO velo_app;
