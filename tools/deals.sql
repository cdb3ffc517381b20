-- Deals. In every statement $1 is the tenant and $2 the member who asks; what they may not see does not exist, counts included.

-- name: found_deals
-- How many deals match, and one page of them; one row without an id when the page is empty. Latest close first, or the next close first when
-- a day is given from which on they close.
-- $3 deal, $4 contact, $5 company, $6 owner, $7 stage, $8 only neither won nor lost, $9 closes from, $10 closes before, $11 rows to skip,
-- $12 rows. NULL leaves a filter out.
WITH candidate AS MATERIALIZED (
    SELECT
        deal.id,
        deal.contact_id,
        deal.company_id,
        deal.owner_id,
        deal.title,
        deal.stage,
        deal.amount,
        deal.currency,
        deal.expected_close,
        deal.created_at
    FROM crm.deals AS deal
    WHERE deal.tenant_id = $1
        AND (deal.id = $3::bigint OR deal.contact_id = $4::bigint OR deal.company_id = $5::bigint)
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'deal' AND seen.entity_id = deal.id
        ) IS TRUE
    UNION ALL
    SELECT
        deal.id,
        deal.contact_id,
        deal.company_id,
        deal.owner_id,
        deal.title,
        deal.stage,
        deal.amount,
        deal.currency,
        deal.expected_close,
        deal.created_at
    FROM crm.deals AS deal
    WHERE deal.tenant_id = $1
        AND coalesce($3, $4, $5) IS NULL
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'deal' AND seen.entity_id = deal.id
        )
),
matched AS (
    SELECT candidate.*
    FROM candidate
    WHERE ($3 IS NULL OR candidate.id = $3)
        AND ($4 IS NULL OR candidate.contact_id = $4)
        AND ($5 IS NULL OR candidate.company_id = $5)
        AND ($6::bigint IS NULL OR candidate.owner_id = $6)
        AND ($7::text IS NULL OR candidate.stage = $7)
        AND ($8::boolean IS NOT TRUE OR candidate.stage NOT IN ('won', 'lost'))
        AND ($9::date IS NULL OR candidate.expected_close >= $9)
        AND ($10::date IS NULL OR candidate.expected_close < $10)
),
page AS (
    SELECT
        matched.*,
        row_number() OVER (
            ORDER BY
                CASE WHEN $9::date IS NOT NULL THEN matched.expected_close END NULLS LAST,
                matched.expected_close DESC NULLS LAST,
                matched.id DESC
        ) AS rank
    FROM matched
    ORDER BY rank
    OFFSET $11::bigint
    LIMIT $12::bigint
)
SELECT
    counted.total,
    page.id AS deal,
    CASE WHEN EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'contact' AND seen.entity_id = page.contact_id
    ) IS TRUE THEN page.contact_id END AS contact,
    CASE WHEN EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'company' AND seen.entity_id = page.company_id
    ) IS TRUE THEN page.company_id END AS company,
    CASE WHEN EXISTS (
        SELECT FROM crm.visible AS seen
        WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'member' AND seen.entity_id = page.owner_id
    ) IS TRUE THEN page.owner_id END AS owner,
    page.title,
    page.stage,
    page.amount,
    nullif(upper(btrim(page.currency)), '') AS currency,
    page.expected_close,
    page.created_at
FROM (SELECT count(*) AS total FROM matched) AS counted
LEFT JOIN page ON true
ORDER BY page.rank

-- name: summed_deals
-- How many deals match and what they amount to, by stage, in the order of the stages, and currency. The parameters up to $10 are those of
-- found_deals.
WITH candidate AS MATERIALIZED (
    SELECT deal.id, deal.contact_id, deal.company_id, deal.owner_id, deal.stage, deal.amount, deal.currency, deal.expected_close
    FROM crm.deals AS deal
    WHERE deal.tenant_id = $1
        AND (deal.id = $3::bigint OR deal.contact_id = $4::bigint OR deal.company_id = $5::bigint)
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'deal' AND seen.entity_id = deal.id
        ) IS TRUE
    UNION ALL
    SELECT deal.id, deal.contact_id, deal.company_id, deal.owner_id, deal.stage, deal.amount, deal.currency, deal.expected_close
    FROM crm.deals AS deal
    WHERE deal.tenant_id = $1
        AND coalesce($3, $4, $5) IS NULL
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'deal' AND seen.entity_id = deal.id
        )
)
SELECT
    candidate.stage,
    nullif(upper(btrim(candidate.currency)), '') AS currency,
    count(*) AS deals,
    count(*) FILTER (WHERE candidate.amount IS NULL) AS deals_without_amount,
    sum(candidate.amount) AS amount
FROM candidate
WHERE ($3 IS NULL OR candidate.id = $3)
    AND ($4 IS NULL OR candidate.contact_id = $4)
    AND ($5 IS NULL OR candidate.company_id = $5)
    AND ($6::bigint IS NULL OR candidate.owner_id = $6)
    AND ($7::text IS NULL OR candidate.stage = $7)
    AND ($8::boolean IS NOT TRUE OR candidate.stage NOT IN ('won', 'lost'))
    AND ($9::date IS NULL OR candidate.expected_close >= $9)
    AND ($10::date IS NULL OR candidate.expected_close < $10)
GROUP BY 1, 2
ORDER BY array_position(ARRAY['new', 'qualified', 'proposal', 'won', 'lost'], candidate.stage), count(*) DESC, min(candidate.id)
