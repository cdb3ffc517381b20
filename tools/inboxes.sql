-- Inboxes. $1 is the tenant and $2 the member who asks; what they may not see does not exist, counts included.

-- name: inboxes
-- How many inboxes match, and one page of them by id; one row without an id when the page is empty.
-- $3 channel, $4 state, $5 rows to skip, $6 rows. NULL leaves a filter out.
WITH matched AS (
    SELECT inbox.id, inbox.name, inbox.channel, inbox.state
    FROM crm.inboxes AS inbox
    WHERE inbox.tenant_id = $1
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'inbox' AND seen.entity_id = inbox.id
        )
        AND ($3::text IS NULL OR inbox.channel = $3)
        AND ($4::text IS NULL OR inbox.state = $4)
),
work AS (
    SELECT
        conversation.inbox_id,
        count(*) FILTER (WHERE conversation.status = 'open') AS open_conversations,
        count(conversation.waiting_since) AS waiting_conversations,
        count(*) FILTER (WHERE conversation.status = 'open' AND conversation.assignee_id IS NULL) AS unassigned_conversations
    FROM crm.conversations AS conversation
    WHERE conversation.tenant_id = $1
        AND conversation.status <> 'resolved'
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'conversation' AND seen.entity_id = conversation.id
        )
    GROUP BY conversation.inbox_id
)
SELECT
    counted.total,
    page.id AS inbox,
    page.name,
    page.channel,
    page.state,
    coalesce(work.open_conversations, 0) AS open_conversations,
    coalesce(work.waiting_conversations, 0) AS waiting_conversations,
    coalesce(work.unassigned_conversations, 0) AS unassigned_conversations
FROM (SELECT count(*) AS total FROM matched) AS counted
LEFT JOIN LATERAL (
    SELECT matched.id, matched.name, matched.channel, matched.state
    FROM matched
    ORDER BY matched.id
    OFFSET $5::bigint
    LIMIT $6::bigint
) AS page ON true
LEFT JOIN work ON work.inbox_id = page.id
ORDER BY page.id
