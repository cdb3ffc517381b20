-- Workload. $1 is the tenant and $2 the member who asks; what they may not see does not exist, counts included.

-- name: workload
-- The conversations that are not resolved, counted by $3: assignee, inbox or assignee_and_inbox (what is not asked for is NULL, and so is an
-- assignee who is nobody), most waiting first; a member who is active, or an inbox, without any has zeros, unless both are asked for. Every row
-- says how many rows there are and how many conversations in all of them; one row without counts when the page is empty.
-- $4 inbox, $5 assignee, $6 rows to skip, $7 rows. NULL leaves a filter out.
WITH candidate AS MATERIALIZED (
    SELECT conversation.assignee_id, conversation.inbox_id, conversation.status, conversation.waiting_since
    FROM crm.conversations AS conversation
    WHERE conversation.tenant_id = $1
        AND conversation.status <> 'resolved'
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'conversation' AND seen.entity_id = conversation.id
        )
),
counted AS (
    SELECT
        candidate.assignee_id,
        candidate.inbox_id,
        count(*) FILTER (WHERE candidate.status = 'open') AS open,
        count(*) FILTER (WHERE candidate.status = 'pending') AS pending,
        count(*) FILTER (WHERE candidate.status = 'snoozed') AS snoozed,
        count(candidate.waiting_since) AS waiting,
        min(candidate.waiting_since) AS waiting_since
    FROM candidate
    WHERE ($4::bigint IS NULL OR candidate.inbox_id = $4)
        AND ($5::bigint IS NULL OR candidate.assignee_id = $5)
    GROUP BY candidate.assignee_id, candidate.inbox_id
),
named AS (
    SELECT
        CASE WHEN $3::text <> 'inbox' AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'member' AND seen.entity_id = counted.assignee_id
        ) THEN counted.assignee_id END AS assignee,
        CASE WHEN $3 <> 'assignee' AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'inbox' AND seen.entity_id = counted.inbox_id
        ) THEN counted.inbox_id END AS inbox,
        counted.open,
        counted.pending,
        counted.snoozed,
        counted.waiting,
        counted.waiting_since
    FROM counted
    UNION ALL
    SELECT colleague.id, NULL, 0, 0, 0, 0, NULL
    FROM crm.members AS colleague
    WHERE colleague.tenant_id = $1
        AND $3 = 'assignee'
        AND colleague.active
        AND ($5 IS NULL OR colleague.id = $5)
        AND ($4 IS NULL OR EXISTS (
            SELECT FROM crm.inbox_members AS place
            WHERE place.tenant_id = $1 AND place.member_id = colleague.id AND place.inbox_id = $4
        ))
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'member' AND seen.entity_id = colleague.id
        )
    UNION ALL
    SELECT NULL, inbox.id, 0, 0, 0, 0, NULL
    FROM crm.inboxes AS inbox
    WHERE inbox.tenant_id = $1
        AND $3 = 'inbox'
        AND $5 IS NULL
        AND ($4 IS NULL OR inbox.id = $4)
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'inbox' AND seen.entity_id = inbox.id
        )
),
work AS (
    SELECT
        named.assignee,
        named.inbox,
        sum(named.open)::bigint AS open,
        sum(named.pending)::bigint AS pending,
        sum(named.snoozed)::bigint AS snoozed,
        sum(named.waiting)::bigint AS waiting,
        min(named.waiting_since) AS waiting_since
    FROM named
    GROUP BY named.assignee, named.inbox
)
SELECT
    whole.total,
    whole.unresolved AS all_unresolved,
    whole.waiting AS all_waiting,
    page.assignee,
    page.inbox,
    page.open AS open_conversations,
    page.pending AS pending_conversations,
    page.snoozed AS snoozed_conversations,
    page.waiting AS waiting_conversations,
    page.waiting_since
FROM (
    SELECT
        count(*) AS total,
        coalesce(sum(work.open + work.pending + work.snoozed), 0)::bigint AS unresolved,
        coalesce(sum(work.waiting), 0)::bigint AS waiting
    FROM work
) AS whole
LEFT JOIN LATERAL (
    SELECT work.*
    FROM work
    ORDER BY work.waiting DESC, work.open DESC, work.assignee, work.inbox
    OFFSET $6::bigint
    LIMIT $7::bigint
) AS page ON true
ORDER BY page.waiting DESC, page.open DESC, page.assignee, page.inbox
