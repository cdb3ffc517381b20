-- name: tenants
-- The ids of all tenants.
SELECT tenant_id
FROM velo.tenant_ids
ORDER BY tenant_id;

-- name: next_tenant_id
-- The id for a new tenant.
SELECT coalesce(max(tenant_id), 0) + 1
FROM velo.tenant_ids;

-- name: new_tenant
-- Adds the tenant $1 with name $2 and settings $3.
INSERT INTO velo.tenants (tenant_id, name, settings)
VALUES ($1, $2, $3);

-- name: trusted_issuer
-- Lets the issuer $2 sign tokens of the tenant $1.
INSERT INTO velo.issuers (tenant_id, issuer)
VALUES ($1, $2)
ON CONFLICT DO NOTHING;

-- name: name_of_tenant
-- The name of the tenant $1.
SELECT name
FROM velo.tenants
WHERE tenant_id = $1;

-- name: members_to_sign_in_as
-- The active members of the tenant $1, those first who see everything.
SELECT id, role
FROM crm.members
WHERE tenant_id = $1 AND active
ORDER BY array_position(ARRAY['admin', 'supervisor', 'agent'], role), id;

-- name: tenant
-- Name and settings of the tenant $1.
SELECT name, settings
FROM velo.tenants
WHERE tenant_id = $1;

-- name: with_patience
-- What follows in this transaction may take ten minutes: a large account is learnt at once.
SET LOCAL statement_timeout = '10min';

-- name: open_account
-- Makes the tenant $1 read the account $2 of the CRM; gives the number of things learnt.
SELECT crm.open_account($1::bigint, $2::text);

-- name: inboxes
-- The ids of the inboxes of the tenant $1.
SELECT id
FROM crm.inboxes
WHERE tenant_id = $1
ORDER BY id;

-- name: member_like
-- The active member of the tenant $1 with the name $2, the e-mail $3 and the role $4.
SELECT min(id)
FROM crm.members
WHERE tenant_id = $1 AND name = $2 AND email IS NOT DISTINCT FROM $3 AND role = $4 AND active;

-- name: new_member
-- Adds a member to the tenant $1: name $2, e-mail $3, role $4; gives the id.
INSERT INTO crm.members (tenant_id, name, email, role)
VALUES ($1, $2, $3, $4)
RETURNING id;

-- name: new_inbox_member
-- Puts the member $3 of the tenant $1 into the inbox $2.
INSERT INTO crm.inbox_members (tenant_id, inbox_id, member_id)
VALUES ($1, $2, $3)
ON CONFLICT DO NOTHING;
