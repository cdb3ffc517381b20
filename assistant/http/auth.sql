-- name: proven_member
-- Whether the issuer $2 may sign tokens of the tenant $1, and the role of its member $3: NULL when there is none or they have left.
SELECT
    EXISTS (SELECT FROM velo.issuers WHERE tenant_id = $1 AND issuer = $2) AS listed,
    (SELECT role FROM crm.members WHERE tenant_id = $1 AND id = $3 AND active) AS role;
