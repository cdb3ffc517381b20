-- Companies. In every statement $1 is the tenant and $2 the member who asks; what they may not see does not exist, counts included.

-- name: found_companies
-- How many companies match, and one page of them, latest first; one row without an id when the page is empty.
-- $3 city (folded equality), $4 only with a deal that is neither won nor lost, $5 created from, $6 created before, $7 rows to skip, $8 rows.
-- NULL leaves a filter out.
WITH candidate AS MATERIALIZED (
    SELECT company.id, company.city, company.created_at
    FROM crm.companies AS company
    WHERE company.tenant_id = $1
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'company' AND seen.entity_id = company.id
        )
),
matched AS (
    SELECT candidate.*
    FROM candidate
    WHERE ($3::text IS NULL OR crm.fold(btrim(candidate.city)) = crm.fold($3))
        AND ($4::boolean IS NOT TRUE OR EXISTS (
            SELECT FROM crm.deals AS deal
            WHERE deal.tenant_id = $1 AND deal.company_id = candidate.id AND deal.stage NOT IN ('won', 'lost')
                AND EXISTS (
                    SELECT FROM crm.visible AS seen
                    WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'deal' AND seen.entity_id = deal.id
                ) IS TRUE
        ) IS TRUE)
        AND ($5::timestamptz IS NULL OR candidate.created_at >= $5)
        AND ($6::timestamptz IS NULL OR candidate.created_at < $6)
)
SELECT
    counted.total,
    page.id AS company,
    page.city,
    page.created_at,
    (
        SELECT count(*)
        FROM crm.contacts AS contact
        WHERE contact.tenant_id = $1 AND contact.company_id = page.id
            AND EXISTS (
                SELECT FROM crm.visible AS seen
                WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'contact' AND seen.entity_id = contact.id
            ) IS TRUE
    ) AS contacts,
    (
        SELECT count(*)
        FROM crm.deals AS deal
        WHERE deal.tenant_id = $1 AND deal.company_id = page.id AND deal.stage NOT IN ('won', 'lost')
            AND EXISTS (
                SELECT FROM crm.visible AS seen
                WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'deal' AND seen.entity_id = deal.id
            ) IS TRUE
    ) AS undecided_deals
FROM (SELECT count(*) AS total FROM matched) AS counted
LEFT JOIN LATERAL (
    SELECT matched.*
    FROM matched
    ORDER BY matched.created_at DESC, matched.id DESC
    OFFSET $7::bigint
    LIMIT $8::bigint
) AS page ON true
ORDER BY page.created_at DESC, page.id DESC

-- name: company_card
-- One company; no row when the member may not see it. $3 company. Of its legal id only whether there is one.
SELECT
    company.id AS company,
    company.city,
    coalesce(btrim(company.legal_id), '') <> '' AS legal_id,
    company.created_at,
    (
        SELECT count(*)
        FROM crm.contacts AS contact
        WHERE contact.tenant_id = $1 AND contact.company_id = company.id
            AND EXISTS (
                SELECT FROM crm.visible AS seen
                WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'contact' AND seen.entity_id = contact.id
            ) IS TRUE
    ) AS contacts,
    counted.deals,
    counted.undecided_deals
FROM crm.companies AS company
CROSS JOIN LATERAL (
    SELECT count(*) AS deals, count(*) FILTER (WHERE deal.stage NOT IN ('won', 'lost')) AS undecided_deals
    FROM crm.deals AS deal
    WHERE deal.tenant_id = $1
        AND deal.company_id = company.id
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'deal' AND seen.entity_id = deal.id
        ) IS TRUE
) AS counted
WHERE company.tenant_id = $1
    AND company.id = $3
    AND EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'company' AND seen.entity_id = company.id
    ) IS TRUE
