-- name: issuer_listed
-- Whether the issuer $2 may sign tokens of the tenant $1.
SELECT EXISTS (
    SELECT
    FROM velo.issuers
    WHERE tenant_id = $1 AND issuer = $2
);

-- name: role_of_active_member
-- The role of the member $2 of the tenant $1; no row when there is none or they have left.
SELECT role
FROM crm.members
WHERE tenant_id = $1 AND id = $2 AND active;
