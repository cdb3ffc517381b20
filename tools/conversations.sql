-- Conversations. In every statement $1 is the tenant and $2 the member who asks; what they may not see does not exist, counts included.

-- name: found_conversations
-- How many conversations match, and one page of them; one row without an id when the page is empty. Latest message first, or the longest
-- waiting first when the waiting time is asked for.
-- $3 status, $4 priority, $5 inbox, $6 assignee, $7 only unassigned, $8 contact, $9 label (folded equality), $10 waiting since before,
-- $11 created from, $12 created before, $13 last message from, $14 last message before, $15 rows to skip, $16 rows. NULL leaves a filter out.
WITH matched AS (
    SELECT
        conversation.id,
        conversation.contact_id,
        conversation.inbox_id,
        conversation.assignee_id,
        conversation.status,
        conversation.priority,
        conversation.subject,
        conversation.last_message_at,
        CASE WHEN conversation.status <> 'resolved' THEN conversation.waiting_since END AS waiting_since
    FROM crm.conversations AS conversation
    WHERE conversation.tenant_id = $1
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'conversation' AND seen.entity_id = conversation.id
        )
        AND ($3::text IS NULL OR conversation.status = $3)
        AND ($4::text IS NULL OR conversation.priority = $4)
        AND ($5::bigint IS NULL OR conversation.inbox_id = $5)
        AND ($6::bigint IS NULL OR conversation.assignee_id = $6)
        AND ($7::boolean IS NOT TRUE OR conversation.assignee_id IS NULL)
        AND ($8::bigint IS NULL OR conversation.contact_id = $8)
        AND ($9::text IS NULL OR EXISTS (
            SELECT FROM crm.conversation_labels AS worn
            JOIN crm.labels AS label ON label.tenant_id = $1 AND label.id = worn.label_id
            WHERE worn.tenant_id = $1 AND worn.conversation_id = conversation.id AND crm.fold(label.name) = crm.fold($9)
        ))
        AND ($10::timestamptz IS NULL OR (conversation.waiting_since <= $10 AND conversation.status <> 'resolved'))
        AND ($11::timestamptz IS NULL OR conversation.created_at >= $11)
        AND ($12::timestamptz IS NULL OR conversation.created_at < $12)
        AND ($13::timestamptz IS NULL OR conversation.last_message_at >= $13)
        AND ($14::timestamptz IS NULL OR conversation.last_message_at < $14)
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
    ) THEN page.contact_id END AS contact,
    CASE WHEN EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'inbox' AND seen.entity_id = page.inbox_id
    ) THEN page.inbox_id END AS inbox,
    CASE WHEN EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'member' AND seen.entity_id = page.assignee_id
    ) THEN page.assignee_id END AS assignee,
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
SELECT
    CASE $15::text WHEN 'status' THEN conversation.status END AS status,
    CASE WHEN $15 = 'inbox' AND EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'inbox' AND seen.entity_id = conversation.inbox_id
    ) THEN conversation.inbox_id END AS inbox,
    CASE WHEN $15 = 'assignee' AND EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'member' AND seen.entity_id = conversation.assignee_id
    ) THEN conversation.assignee_id END AS assignee,
    count(*) AS conversations
FROM crm.conversations AS conversation
WHERE conversation.tenant_id = $1
    AND EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'conversation' AND seen.entity_id = conversation.id
    )
    AND ($3::text IS NULL OR conversation.status = $3)
    AND ($4::text IS NULL OR conversation.priority = $4)
    AND ($5::bigint IS NULL OR conversation.inbox_id = $5)
    AND ($6::bigint IS NULL OR conversation.assignee_id = $6)
    AND ($7::boolean IS NOT TRUE OR conversation.assignee_id IS NULL)
    AND ($8::bigint IS NULL OR conversation.contact_id = $8)
    AND ($9::text IS NULL OR EXISTS (
        SELECT FROM crm.conversation_labels AS worn
        JOIN crm.labels AS label ON label.tenant_id = $1 AND label.id = worn.label_id
        WHERE worn.tenant_id = $1 AND worn.conversation_id = conversation.id AND crm.fold(label.name) = crm.fold($9)
    ))
    AND ($10::timestamptz IS NULL OR (conversation.waiting_since <= $10 AND conversation.status <> 'resolved'))
    AND ($11::timestamptz IS NULL OR conversation.created_at >= $11)
    AND ($12::timestamptz IS NULL OR conversation.created_at < $12)
    AND ($13::timestamptz IS NULL OR conversation.last_message_at >= $13)
    AND ($14::timestamptz IS NULL OR conversation.last_message_at < $14)
GROUP BY 1, 2, 3
ORDER BY count(*) DESC, min(conversation.id)

-- name: conversation_card
-- One conversation; no row when the member may not see it. $3 conversation.
SELECT
    conversation.id AS conversation,
    CASE WHEN EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'contact' AND seen.entity_id = conversation.contact_id
    ) THEN conversation.contact_id END AS contact,
    CASE WHEN EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'inbox' AND seen.entity_id = conversation.inbox_id
    ) THEN conversation.inbox_id END AS inbox,
    CASE WHEN EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'member' AND seen.entity_id = conversation.assignee_id
    ) THEN conversation.assignee_id END AS assignee,
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
    )
