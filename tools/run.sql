-- What a run asks before its tool does.

-- name: visible_entities
-- Those of the named entities that the member may see now. $1 tenant, $2 member; ids of $3 contacts, $4 conversations, $5 inboxes, $6 members,
-- $7 companies, $8 campaigns, $9 deals. Each kind stands as a constant, so that only its own branch of crm.visible is read, and each id is a
-- look-up of its own (see conversations.sql).
SELECT 'contact' AS kind, wanted.id AS entity_id
FROM unnest($3::bigint[]) AS wanted(id)
WHERE EXISTS (
    SELECT FROM crm.visible AS seen
    WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'contact' AND seen.entity_id = wanted.id
) IS TRUE
UNION ALL
SELECT 'conversation' AS kind, wanted.id AS entity_id
FROM unnest($4::bigint[]) AS wanted(id)
WHERE EXISTS (
    SELECT FROM crm.visible AS seen
    WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'conversation' AND seen.entity_id = wanted.id
) IS TRUE
UNION ALL
SELECT 'inbox' AS kind, wanted.id AS entity_id
FROM unnest($5::bigint[]) AS wanted(id)
WHERE EXISTS (
    SELECT FROM crm.visible AS seen
    WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'inbox' AND seen.entity_id = wanted.id
) IS TRUE
UNION ALL
SELECT 'member' AS kind, wanted.id AS entity_id
FROM unnest($6::bigint[]) AS wanted(id)
WHERE EXISTS (
    SELECT FROM crm.visible AS seen
    WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'member' AND seen.entity_id = wanted.id
) IS TRUE
UNION ALL
SELECT 'company' AS kind, wanted.id AS entity_id
FROM unnest($7::bigint[]) AS wanted(id)
WHERE EXISTS (
    SELECT FROM crm.visible AS seen
    WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'company' AND seen.entity_id = wanted.id
) IS TRUE
UNION ALL
SELECT 'campaign' AS kind, wanted.id AS entity_id
FROM unnest($8::bigint[]) AS wanted(id)
WHERE EXISTS (
    SELECT FROM crm.visible AS seen
    WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'campaign' AND seen.entity_id = wanted.id
) IS TRUE
UNION ALL
SELECT 'deal' AS kind, wanted.id AS entity_id
FROM unnest($9::bigint[]) AS wanted(id)
WHERE EXISTS (
    SELECT FROM crm.visible AS seen
    WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'deal' AND seen.entity_id = wanted.id
) IS TRUE
