-- Messages. $1 is the tenant and $2 the member who asks; messages of conversations that they may not see do not exist, numbers included.

-- name: page_of_messages
-- The latest messages, newest first, of $3 a conversation or $4 all conversations of a contact (one of the two is NULL; with both NULL there is
-- nothing), with their place counted from the oldest, and how many there are in all; one row without a body's number when the page is empty.
-- $5 only those whose number is smaller, $6 rows. Private messages are for members, and only members ask.
WITH numbered AS (
    SELECT
        message.id,
        message.conversation_id,
        conversation.contact_id,
        message.author_kind,
        message.member_id,
        message.private,
        message.body,
        message.created_at,
        row_number() OVER (ORDER BY message.created_at, message.id) AS number,
        lag(message.body) OVER writer AS earlier,
        lead(message.body) OVER writer AS later
    FROM crm.conversations AS conversation
    JOIN crm.messages AS message ON message.tenant_id = $1 AND message.conversation_id = conversation.id
    WHERE conversation.tenant_id = $1
        AND (conversation.id = $3::bigint OR conversation.contact_id = $4::bigint)
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'conversation' AND seen.entity_id = conversation.id
        )
    WINDOW writer AS (
        PARTITION BY conversation.id, message.author_kind, message.member_id ORDER BY message.created_at, message.id
    )
)
SELECT
    counted.total,
    page.number,
    page.conversation_id AS conversation,
    CASE WHEN EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'contact' AND seen.entity_id = page.contact_id
    ) THEN page.contact_id END AS contact,
    page.author_kind AS author,
    CASE WHEN EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'member' AND seen.entity_id = page.member_id
    ) THEN page.member_id END AS member,
    page.private,
    page.body,
    page.earlier,
    page.later,
    page.created_at AS sent_at
FROM (SELECT count(*) AS total FROM numbered) AS counted
LEFT JOIN LATERAL (
    SELECT numbered.*
    FROM numbered
    WHERE $5::bigint IS NULL OR numbered.number < $5
    ORDER BY numbered.number DESC
    LIMIT $6::bigint
) AS page ON true
ORDER BY page.number DESC
