-- What a run asks before its tool does.

-- name: visible_entities
-- Those of the named entities that the member may see now. $1 tenant, $2 member; ids of $3 contacts, $4 conversations, $5 inboxes, $6 members,
-- $7 companies, $8 campaigns, $9 deals. Each kind stands as a constant, so that only its own branch of crm.visible is read.
SELECT seen.kind, seen.entity_id
FROM crm.visible AS seen
WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'contact' AND seen.entity_id = ANY ($3::bigint[])
UNION ALL
SELECT seen.kind, seen.entity_id
FROM crm.visible AS seen
WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'conversation' AND seen.entity_id = ANY ($4::bigint[])
UNION ALL
SELECT seen.kind, seen.entity_id
FROM crm.visible AS seen
WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'inbox' AND seen.entity_id = ANY ($5::bigint[])
UNION ALL
SELECT seen.kind, seen.entity_id
FROM crm.visible AS seen
WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'member' AND seen.entity_id = ANY ($6::bigint[])
UNION ALL
SELECT seen.kind, seen.entity_id
FROM crm.visible AS seen
WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'company' AND seen.entity_id = ANY ($7::bigint[])
UNION ALL
SELECT seen.kind, seen.entity_id
FROM crm.visible AS seen
WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'campaign' AND seen.entity_id = ANY ($8::bigint[])
UNION ALL
SELECT seen.kind, seen.entity_id
FROM crm.visible AS seen
WHERE seen.tenant_id = $1 AND seen.member_id = $2 AND seen.kind = 'deal' AND seen.entity_id = ANY ($9::bigint[])
