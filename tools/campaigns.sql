-- Campaigns. $1 is the tenant and $2 the member who asks; what they may not see does not exist, counts included.

-- name: campaigns
-- How many campaigns match, and one page of them, latest start first; one row without an id when the page is empty. Shares are in percent with
-- one decimal, NULL where there is nothing to take a share of.
-- $3 campaign, $4 state, $5 channel, $6 starts from, $7 starts before, $8 rows to skip, $9 rows. NULL leaves a filter out.
WITH matched AS (
    SELECT
        campaign.id,
        campaign.name,
        campaign.channel,
        campaign.state,
        campaign.starts_at,
        campaign.ends_at,
        campaign.sent,
        campaign.delivered,
        campaign.opened,
        campaign.replied
    FROM crm.campaigns AS campaign
    WHERE campaign.tenant_id = $1
        AND EXISTS (
            SELECT FROM crm.visible AS seen
            WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'campaign' AND seen.entity_id = campaign.id
        ) IS TRUE
        AND ($3::bigint IS NULL OR campaign.id = $3)
        AND ($4::text IS NULL OR campaign.state = $4)
        AND ($5::text IS NULL OR campaign.channel = $5)
        AND ($6::timestamptz IS NULL OR campaign.starts_at >= $6)
        AND ($7::timestamptz IS NULL OR campaign.starts_at < $7)
)
SELECT
    counted.total,
    page.id AS campaign,
    page.name,
    page.channel,
    page.state,
    page.starts_at,
    page.ends_at,
    page.sent,
    page.delivered,
    page.opened,
    page.replied,
    round(100.0 * page.delivered / nullif(page.sent, 0), 1) AS delivered_percent,
    round(100.0 * page.opened / nullif(page.delivered, 0), 1) AS opened_percent,
    round(100.0 * page.replied / nullif(page.delivered, 0), 1) AS replied_percent
FROM (SELECT count(*) AS total FROM matched) AS counted
LEFT JOIN LATERAL (
    SELECT matched.*
    FROM matched
    ORDER BY matched.starts_at DESC NULLS LAST, matched.id DESC
    OFFSET $8::bigint
    LIMIT $9::bigint
) AS page ON true
ORDER BY page.starts_at DESC NULLS LAST, page.id DESC
