-- name: tenants
-- The ids of all tenants.
SELECT tenant_id
FROM velo.tenant_ids
ORDER BY tenant_id;

-- name: lock_of_jobs
-- Whether this transaction got the lock that lets one process at a time work on the job number $1.
SELECT pg_try_advisory_xact_lock(x'56454c4f'::int, $1::int);
