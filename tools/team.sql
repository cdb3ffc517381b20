-- The team. $1 is the tenant and $2 the member who asks; inboxes and conversations that they may not see are neither listed nor counted.

-- name: team
-- How many members match, and one page of them by id; one row without an id when the page is empty.
-- $3 role, $4 inbox, $5 rows to skip, $6 rows. NULL leaves a filter out.
WITH matched AS (
    SELECT colleague.id, colleague.role, colleague.active
    FROM crm.members AS colleague
    WHERE colleague.tenant_id = $1
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'member' AND seen.entity_id = colleague.id
        )
        AND ($3::text IS NULL OR colleague.role = $3)
        AND ($4::bigint IS NULL OR EXISTS (
            SELECT FROM crm.inbox_members AS place
            WHERE place.tenant_id = $1 AND place.member_id = colleague.id AND place.inbox_id = $4
                AND EXISTS (
                    SELECT FROM crm.visible AS seen
                    WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'inbox' AND seen.entity_id = place.inbox_id
                )
        ))
),
work AS (
    SELECT conversation.assignee_id, count(*) AS open_conversations
    FROM crm.conversations AS conversation
    WHERE conversation.tenant_id = $1
        AND conversation.status = 'open'
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'conversation' AND seen.entity_id = conversation.id
        )
    GROUP BY conversation.assignee_id
)
SELECT
    counted.total,
    page.id AS member,
    page.role,
    page.active,
    ARRAY(
        SELECT place.inbox_id
        FROM crm.inbox_members AS place
        WHERE place.tenant_id = $1
            AND place.member_id = page.id
            AND EXISTS (
                SELECT FROM crm.visible AS seen
                WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'inbox' AND seen.entity_id = place.inbox_id
            )
        ORDER BY place.inbox_id
    ) AS inboxes,
    coalesce(work.open_conversations, 0) AS open_conversations
FROM (SELECT count(*) AS total FROM matched) AS counted
LEFT JOIN LATERAL (
    SELECT matched.id, matched.role, matched.active
    FROM matched
    ORDER BY matched.id
    OFFSET $5::bigint
    LIMIT $6::bigint
) AS page ON true
LEFT JOIN work ON work.assignee_id = page.id
ORDER BY page.id
