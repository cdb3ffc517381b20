-- Contacts. In every statement $1 is the tenant and $2 the member who asks; what they may not see does not exist, counts included. See conversations.sql for
-- EXISTS and EXISTS IS TRUE.

-- name: found_contacts
-- How many contacts match, and one page of them, latest contact first; one row without an id when the page is empty.
-- $3 state, $4 label (folded equality), $5 company, $6 inbox of any conversation, $7 last contact from, $8 last contact before (or never),
-- $9 created from, $10 created before, $11 only without an open conversation, $12 rows to skip, $13 rows. NULL leaves a filter out.
WITH candidate AS MATERIALIZED (
    SELECT contact.id, contact.state, contact.company_id, contact.created_at, contact.last_contact_at
    FROM crm.contacts AS contact
    WHERE contact.tenant_id = $1
        AND contact.company_id = $5::bigint
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'contact' AND seen.entity_id = contact.id
        ) IS TRUE
    UNION ALL
    SELECT contact.id, contact.state, contact.company_id, contact.created_at, contact.last_contact_at
    FROM crm.contacts AS contact
    WHERE contact.tenant_id = $1
        AND $5 IS NULL
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'contact' AND seen.entity_id = contact.id
        )
),
matched AS (
    SELECT candidate.*
    FROM candidate
    WHERE ($3::text IS NULL OR candidate.state = $3)
        AND ($4::text IS NULL OR EXISTS (
            SELECT FROM crm.contact_labels AS worn
            JOIN crm.labels AS label ON label.tenant_id = $1 AND label.id = worn.label_id
            WHERE worn.tenant_id = $1 AND worn.contact_id = candidate.id AND crm.fold(label.name) = crm.fold($4)
        ))
        AND ($6::bigint IS NULL OR EXISTS (
            SELECT FROM crm.conversations AS conversation
            WHERE conversation.tenant_id = $1 AND conversation.contact_id = candidate.id AND conversation.inbox_id = $6
                AND EXISTS (
                    SELECT FROM crm.visible AS seen
                    WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'conversation' AND seen.entity_id = conversation.id
                )
        ))
        AND ($7::timestamptz IS NULL OR candidate.last_contact_at >= $7)
        AND ($8::timestamptz IS NULL OR candidate.last_contact_at < $8 OR candidate.last_contact_at IS NULL)
        AND ($9::timestamptz IS NULL OR candidate.created_at >= $9)
        AND ($10::timestamptz IS NULL OR candidate.created_at < $10)
        AND ($11::boolean IS NOT TRUE OR NOT EXISTS (
            SELECT FROM crm.conversations AS conversation
            WHERE conversation.tenant_id = $1 AND conversation.contact_id = candidate.id AND conversation.status = 'open'
                AND EXISTS (
                    SELECT FROM crm.visible AS seen
                    WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'conversation' AND seen.entity_id = conversation.id
                )
        ))
)
SELECT
    counted.total,
    page.id AS contact,
    page.state,
    CASE WHEN EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'company' AND seen.entity_id = page.company_id
    ) IS TRUE THEN page.company_id END AS company,
    ARRAY(
        SELECT label.name
        FROM crm.contact_labels AS worn
        JOIN crm.labels AS label ON label.tenant_id = $1 AND label.id = worn.label_id
        WHERE worn.tenant_id = $1 AND worn.contact_id = page.id
        ORDER BY label.id
    ) AS labels,
    page.created_at,
    page.last_contact_at,
    (
        SELECT count(*)
        FROM crm.conversations AS conversation
        WHERE conversation.tenant_id = $1 AND conversation.contact_id = page.id AND conversation.status = 'open'
            AND EXISTS (
                SELECT FROM crm.visible AS seen
                WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'conversation' AND seen.entity_id = conversation.id
            ) IS TRUE
    ) AS open_conversations
FROM (SELECT count(*) AS total FROM matched) AS counted
LEFT JOIN LATERAL (
    SELECT matched.id, matched.state, matched.company_id, matched.created_at, matched.last_contact_at
    FROM matched
    ORDER BY matched.last_contact_at DESC NULLS LAST, matched.id DESC
    OFFSET $12::bigint
    LIMIT $13::bigint
) AS page ON true
ORDER BY page.last_contact_at DESC NULLS LAST, page.id DESC

-- name: contact_card
-- One contact; no row when the member may not see it. $3 contact. Of phone, e-mail and ids only whether there is one.
SELECT
    contact.id AS contact,
    contact.state,
    company.id AS company,
    ARRAY(
        SELECT label.name
        FROM crm.contact_labels AS worn
        JOIN crm.labels AS label ON label.tenant_id = $1 AND label.id = worn.label_id
        WHERE worn.tenant_id = $1 AND worn.contact_id = contact.id
        ORDER BY label.id
    ) AS labels,
    coalesce(btrim(contact.phone), '') <> '' AS phone,
    coalesce(btrim(contact.email), '') <> '' AS email,
    coalesce(btrim(contact.national_id), '') <> '' AS national_id,
    coalesce(btrim(company.legal_id), '') <> '' AS legal_id,
    contact.created_at,
    contact.last_contact_at,
    counted.total_conversations,
    counted.open_conversations,
    (SELECT count(*) FROM crm.notes AS note WHERE note.tenant_id = $1 AND note.contact_id = contact.id) AS total_notes,
    (
        SELECT count(*)
        FROM crm.deals AS deal
        WHERE deal.tenant_id = $1 AND deal.contact_id = contact.id
            AND EXISTS (
                SELECT FROM crm.visible AS seen
                WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'deal' AND seen.entity_id = deal.id
            ) IS TRUE
    ) AS total_deals
FROM crm.contacts AS contact
LEFT JOIN crm.companies AS company
    ON company.tenant_id = $1
    AND company.id = contact.company_id
    AND EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'company' AND seen.entity_id = company.id
    ) IS TRUE
CROSS JOIN LATERAL (
    SELECT count(*) AS total_conversations, count(*) FILTER (WHERE conversation.status = 'open') AS open_conversations
    FROM crm.conversations AS conversation
    WHERE conversation.tenant_id = $1
        AND conversation.contact_id = contact.id
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'conversation' AND seen.entity_id = conversation.id
        ) IS TRUE
) AS counted
WHERE contact.tenant_id = $1
    AND contact.id = $3
    AND EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'contact' AND seen.entity_id = contact.id
    ) IS TRUE
