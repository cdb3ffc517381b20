-- Notes. $1 is the tenant and $2 the member who asks; notes on contacts that they may not see do not exist, counts included.

-- name: notes
-- How many notes match, and one page of them, newest first; one row without a contact when the page is empty.
-- $3 contact, $4 author, $5 written from, $6 written before, $7 rows to skip, $8 rows. NULL leaves a filter out.
WITH candidate AS MATERIALIZED (
    SELECT note.id, note.contact_id, note.author_id, note.created_at
    FROM crm.notes AS note
    WHERE note.tenant_id = $1
        AND note.contact_id = $3::bigint
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'contact' AND seen.entity_id = note.contact_id
        ) IS TRUE
    UNION ALL
    SELECT note.id, note.contact_id, note.author_id, note.created_at
    FROM crm.notes AS note
    WHERE note.tenant_id = $1
        AND $3 IS NULL
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'contact' AND seen.entity_id = note.contact_id
        )
),
matched AS (
    SELECT candidate.*
    FROM candidate
    WHERE ($4::bigint IS NULL OR candidate.author_id = $4)
        AND ($5::timestamptz IS NULL OR candidate.created_at >= $5)
        AND ($6::timestamptz IS NULL OR candidate.created_at < $6)
)
SELECT
    counted.total,
    page.contact_id AS contact,
    CASE WHEN EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'member' AND seen.entity_id = page.author_id
    ) THEN page.author_id END AS member,
    page.created_at,
    written.body
FROM (SELECT count(*) AS total FROM matched) AS counted
LEFT JOIN LATERAL (
    SELECT matched.*
    FROM matched
    ORDER BY matched.created_at DESC, matched.id DESC
    OFFSET $7::bigint
    LIMIT $8::bigint
) AS page ON true
LEFT JOIN crm.notes AS written ON written.tenant_id = $1 AND written.id = page.id
ORDER BY page.created_at DESC, page.id DESC
