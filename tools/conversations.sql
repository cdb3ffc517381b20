-- Conversations. In every statement $1 is the tenant and $2 the member who asks; what they may not see does not exist, counts included.
--
-- EXISTS (…) asks whether the member may see a row. As it stands it becomes a join with all that they may see: right for a search. EXISTS (…) IS TRUE
-- stays a look-up by id: right for the rows of one contact or one page, whose cost must not grow with the CRM. A search is MATERIALIZED before it is
-- filtered: nobody knows beforehand which filters are given, and a join that expects one row and gets thousands takes minutes.

-- name: found_conversations
-- How many conversations match, and one page of them; one row without an id when the page is empty. Latest message first, or the longest
-- waiting first when the waiting time is asked for.
-- $3 status, $4 priority, $5 inbox, $6 assignee, $7 only unassigned, $8 contact, $9 label (folded equality), $10 waiting since before,
-- $11 created from, $12 created before, $13 last message from, $14 last message before, $15 rows to skip, $16 rows. NULL leaves a filter out.
WITH candidate AS MATERIALIZED (
    SELECT
        conversation.id,
        conversation.contact_id,
        conversation.inbox_id,
        conversation.assignee_id,
        conversation.status,
        conversation.priority,
        conversation.subject,
        conversation.created_at,
        conversation.last_message_at,
        conversation.waiting_since
    FROM crm.conversations AS conversation
    WHERE conversation.tenant_id = $1
        AND conversation.contact_id = $8::bigint
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'conversation' AND seen.entity_id = conversation.id
        ) IS TRUE
    UNION ALL
    SELECT
        conversation.id,
        conversation.contact_id,
        conversation.inbox_id,
        conversation.assignee_id,
        conversation.status,
        conversation.priority,
        conversation.subject,
        conversation.created_at,
        conversation.last_message_at,
        conversation.waiting_since
    FROM crm.conversations AS conversation
    WHERE conversation.tenant_id = $1
        AND $8 IS NULL
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'conversation' AND seen.entity_id = conversation.id
        )
),
matched AS (
    SELECT
        candidate.id,
        candidate.contact_id,
        candidate.inbox_id,
        candidate.assignee_id,
        candidate.status,
        candidate.priority,
        candidate.subject,
        candidate.last_message_at,
        CASE WHEN candidate.status <> 'resolved' THEN candidate.waiting_since END AS waiting_since
    FROM candidate
    WHERE ($3::text IS NULL OR candidate.status = $3)
        AND ($4::text IS NULL OR candidate.priority = $4)
        AND ($5::bigint IS NULL OR candidate.inbox_id = $5)
        AND ($6::bigint IS NULL OR candidate.assignee_id = $6)
        AND ($7::boolean IS NOT TRUE OR candidate.assignee_id IS NULL)
        AND ($9::text IS NULL OR EXISTS (
            SELECT FROM crm.conversation_labels AS worn
            JOIN crm.labels AS label ON label.tenant_id = $1 AND label.id = worn.label_id
            WHERE worn.tenant_id = $1 AND worn.conversation_id = candidate.id AND crm.fold(label.name) = crm.fold($9)
        ))
        AND ($10::timestamptz IS NULL OR (candidate.waiting_since <= $10 AND candidate.status <> 'resolved'))
        AND ($11::timestamptz IS NULL OR candidate.created_at >= $11)
        AND ($12::timestamptz IS NULL OR candidate.created_at < $12)
        AND ($13::timestamptz IS NULL OR candidate.last_message_at >= $13)
        AND ($14::timestamptz IS NULL OR candidate.last_message_at < $14)
),
ranked AS (
    SELECT
        matched.*,
        row_number() OVER (
            ORDER BY
                CASE WHEN $10::timestamptz IS NOT NULL THEN matched.waiting_since END NULLS LAST,
                matched.last_message_at DESC NULLS LAST,
                matched.id DESC
        ) AS rank
    FROM matched
)
SELECT
    counted.total,
    page.id AS conversation,
    CASE WHEN EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'contact' AND seen.entity_id = page.contact_id
    ) IS TRUE THEN page.contact_id END AS contact,
    CASE WHEN EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'inbox' AND seen.entity_id = page.inbox_id
    ) IS TRUE THEN page.inbox_id END AS inbox,
    CASE WHEN EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'member' AND seen.entity_id = page.assignee_id
    ) IS TRUE THEN page.assignee_id END AS assignee,
    page.status,
    page.priority,
    page.subject,
    page.last_message_at,
    page.waiting_since
FROM (SELECT count(*) AS total FROM matched) AS counted
LEFT JOIN ranked AS page ON page.rank > $15::bigint AND page.rank <= $15::bigint + $16::bigint
ORDER BY page.rank

-- name: counted_conversations
-- How many conversations match, by one trait: $15 is status, inbox or assignee, and the other two are NULL in every row. The parameters up to
-- $14 are those of found_conversations.
WITH candidate AS MATERIALIZED (
    SELECT
        conversation.id,
        conversation.inbox_id,
        conversation.assignee_id,
        conversation.status,
        conversation.priority,
        conversation.created_at,
        conversation.last_message_at,
        conversation.waiting_since
    FROM crm.conversations AS conversation
    WHERE conversation.tenant_id = $1
        AND conversation.contact_id = $8::bigint
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'conversation' AND seen.entity_id = conversation.id
        ) IS TRUE
    UNION ALL
    SELECT
        conversation.id,
        conversation.inbox_id,
        conversation.assignee_id,
        conversation.status,
        conversation.priority,
        conversation.created_at,
        conversation.last_message_at,
        conversation.waiting_since
    FROM crm.conversations AS conversation
    WHERE conversation.tenant_id = $1
        AND $8 IS NULL
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'conversation' AND seen.entity_id = conversation.id
        )
),
matched AS (
    SELECT candidate.id, candidate.inbox_id, candidate.assignee_id, candidate.status
    FROM candidate
    WHERE ($3::text IS NULL OR candidate.status = $3)
        AND ($4::text IS NULL OR candidate.priority = $4)
        AND ($5::bigint IS NULL OR candidate.inbox_id = $5)
        AND ($6::bigint IS NULL OR candidate.assignee_id = $6)
        AND ($7::boolean IS NOT TRUE OR candidate.assignee_id IS NULL)
        AND ($9::text IS NULL OR EXISTS (
            SELECT FROM crm.conversation_labels AS worn
            JOIN crm.labels AS label ON label.tenant_id = $1 AND label.id = worn.label_id
            WHERE worn.tenant_id = $1 AND worn.conversation_id = candidate.id AND crm.fold(label.name) = crm.fold($9)
        ))
        AND ($10::timestamptz IS NULL OR (candidate.waiting_since <= $10 AND candidate.status <> 'resolved'))
        AND ($11::timestamptz IS NULL OR candidate.created_at >= $11)
        AND ($12::timestamptz IS NULL OR candidate.created_at < $12)
        AND ($13::timestamptz IS NULL OR candidate.last_message_at >= $13)
        AND ($14::timestamptz IS NULL OR candidate.last_message_at < $14)
),
grouped AS (
    SELECT
        CASE $15::text WHEN 'status' THEN matched.status END AS status,
        CASE $15 WHEN 'inbox' THEN matched.inbox_id END AS inbox_id,
        CASE $15 WHEN 'assignee' THEN matched.assignee_id END AS assignee_id,
        count(*) AS conversations,
        min(matched.id) AS first_id
    FROM matched
    GROUP BY 1, 2, 3
)
SELECT
    grouped.status,
    CASE WHEN EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'inbox' AND seen.entity_id = grouped.inbox_id
    ) THEN grouped.inbox_id END AS inbox,
    CASE WHEN EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'member' AND seen.entity_id = grouped.assignee_id
    ) THEN grouped.assignee_id END AS assignee,
    sum(grouped.conversations)::bigint AS conversations
FROM grouped
GROUP BY 1, 2, 3
ORDER BY sum(grouped.conversations) DESC, min(grouped.first_id)

-- name: conversation_card
-- One conversation; no row when the member may not see it. $3 conversation.
SELECT
    conversation.id AS conversation,
    CASE WHEN EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'contact' AND seen.entity_id = conversation.contact_id
    ) IS TRUE THEN conversation.contact_id END AS contact,
    CASE WHEN EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'inbox' AND seen.entity_id = conversation.inbox_id
    ) IS TRUE THEN conversation.inbox_id END AS inbox,
    CASE WHEN EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'member' AND seen.entity_id = conversation.assignee_id
    ) IS TRUE THEN conversation.assignee_id END AS assignee,
    conversation.status,
    conversation.priority,
    conversation.subject,
    ARRAY(
        SELECT label.name
        FROM crm.conversation_labels AS worn
        JOIN crm.labels AS label ON label.tenant_id = $1 AND label.id = worn.label_id
        WHERE worn.tenant_id = $1 AND worn.conversation_id = conversation.id
        ORDER BY label.id
    ) AS labels,
    conversation.created_at,
    conversation.last_message_at,
    CASE WHEN conversation.status <> 'resolved' THEN conversation.waiting_since END AS waiting_since
FROM crm.conversations AS conversation
WHERE conversation.tenant_id = $1
    AND conversation.id = $3
    AND EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'conversation' AND seen.entity_id = conversation.id
    ) IS TRUE
