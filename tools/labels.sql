-- Labels. $1 is the tenant and $2 the member who asks; contacts and conversations that they may not see are not counted. A label is a word of the
-- house and nobody's in particular, so that all are listed to every member who may see the team.

-- name: labels
-- How many labels there are, and one page of them by id; one row without a label when the page is empty. $3 rows to skip, $4 rows.
WITH known AS (
    SELECT label.id, label.name
    FROM crm.labels AS label
    WHERE label.tenant_id = $1
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'member' AND seen.entity_id = $2
        )
),
page AS (
    SELECT known.id, known.name
    FROM known
    ORDER BY known.id
    OFFSET $3::bigint
    LIMIT $4::bigint
),
of_contacts AS (
    SELECT worn.label_id, count(*) AS contacts
    FROM crm.contact_labels AS worn
    WHERE worn.tenant_id = $1
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'contact' AND seen.entity_id = worn.contact_id
        )
    GROUP BY worn.label_id
),
of_conversations AS (
    SELECT worn.label_id, count(*) AS conversations
    FROM crm.conversation_labels AS worn
    WHERE worn.tenant_id = $1
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'conversation' AND seen.entity_id = worn.conversation_id
        )
    GROUP BY worn.label_id
)
SELECT
    counted.total,
    page.name AS label,
    coalesce(of_contacts.contacts, 0) AS contacts,
    coalesce(of_conversations.conversations, 0) AS conversations
FROM (SELECT count(*) AS total FROM known) AS counted
LEFT JOIN page ON true
LEFT JOIN of_contacts ON of_contacts.label_id = page.id
LEFT JOIN of_conversations ON of_conversations.label_id = page.id
ORDER BY page.id
