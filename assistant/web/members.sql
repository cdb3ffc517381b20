-- name: tenants
-- The ids of all tenants.
SELECT tenant_id
FROM velo.tenant_ids
ORDER BY tenant_id;

-- name: name_of_tenant
-- The name of the tenant $1.
SELECT name
FROM velo.tenants
WHERE tenant_id = $1;

-- name: members_to_sign_in_as
-- The active members of the tenant $1, those first who see everything.
SELECT id, name, role
FROM crm.members
WHERE tenant_id = $1 AND active
ORDER BY array_position(ARRAY['admin', 'supervisor', 'agent'], role), id;

-- name: name_of_member
-- The name of the member $2 of the tenant $1.
SELECT name
FROM crm.members
WHERE tenant_id = $1 AND id = $2;
