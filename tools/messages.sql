-- Messages. $1 is the tenant and $2 the member who asks; messages of conversations that they may not see do not exist, numbers included.

-- name: page_of_messages
-- The latest messages, newest first, of $3 a conversation or $4 all conversations of a contact (one of the two is NULL; with both NULL there is
-- nothing), with their place counted from the oldest, how many there are in all, and how many of them are settled: from before their conversation
-- was last resolved. Of one conversation that was opened again the settled ones are left out, unless $5 asks for them. One row without a number
-- when the page is empty. $5 only those whose number is smaller, $6 rows. Private messages are for members, and only members ask.
--
-- Places are counted in the index; only what is shown is read.
WITH chosen AS (
    SELECT conversation.id, conversation.contact_id, conversation.resolved_at
    FROM crm.conversations AS conversation
    WHERE conversation.tenant_id = $1 AND conversation.id = $3::bigint
    UNION ALL
    SELECT conversation.id, conversation.contact_id, conversation.resolved_at
    FROM crm.conversations AS conversation
    WHERE conversation.tenant_id = $1 AND $3 IS NULL AND conversation.contact_id = $4::bigint
),
place AS (
    SELECT
        message.id,
        message.created_at,
        chosen.contact_id,
        coalesce(message.created_at <= chosen.resolved_at, false) AS settled
    FROM chosen
    JOIN crm.messages AS message ON message.tenant_id = $1 AND message.conversation_id = chosen.id
    WHERE EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'conversation' AND seen.entity_id = chosen.id
    ) IS TRUE
),
counted AS (
    SELECT
        count(*) AS total,
        count(*) FILTER (WHERE place.settled) AS settled,
        CASE WHEN $5::bigint IS NULL THEN 0 ELSE greatest(count(*) - $5 + 1, 0) END AS skipped
    FROM place
),
page AS (
    SELECT
        place.*,
        counted.total - counted.skipped + 1 - row_number() OVER (ORDER BY place.created_at DESC, place.id DESC) AS number
    FROM counted
    CROSS JOIN LATERAL (
        SELECT place.*
        FROM place
        ORDER BY place.created_at DESC, place.id DESC
        OFFSET counted.skipped
        LIMIT CASE
            WHEN $5 IS NULL AND $3 IS NOT NULL AND counted.settled < counted.total
            THEN least($6::bigint, counted.total - counted.settled)
            ELSE $6::bigint
        END
    ) AS place
)
SELECT
    counted.total,
    counted.settled AS settled_messages,
    page.number,
    message.conversation_id AS conversation,
    CASE WHEN EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'contact' AND seen.entity_id = page.contact_id
    ) IS TRUE THEN page.contact_id END AS contact,
    message.author_kind AS author,
    CASE WHEN EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'member' AND seen.entity_id = message.member_id
    ) IS TRUE THEN message.member_id END AS member,
    message.private,
    page.settled,
    message.body,
    (
        SELECT former.body
        FROM crm.messages AS former
        WHERE former.tenant_id = $1
            AND former.conversation_id = message.conversation_id
            AND former.author_kind = message.author_kind
            AND former.member_id IS NOT DISTINCT FROM message.member_id
            AND (former.created_at, former.id) < (message.created_at, message.id)
        ORDER BY former.created_at DESC, former.id DESC
        LIMIT 1
    ) AS earlier,
    (
        SELECT latter.body
        FROM crm.messages AS latter
        WHERE latter.tenant_id = $1
            AND latter.conversation_id = message.conversation_id
            AND latter.author_kind = message.author_kind
            AND latter.member_id IS NOT DISTINCT FROM message.member_id
            AND (latter.created_at, latter.id) > (message.created_at, message.id)
        ORDER BY latter.created_at, latter.id
        LIMIT 1
    ) AS later,
    message.created_at AS sent_at
FROM counted
LEFT JOIN page ON true
LEFT JOIN crm.messages AS message ON message.tenant_id = $1 AND message.id = page.id
ORDER BY page.number DESC
