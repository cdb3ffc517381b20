-- name: tenants
-- The ids of all tenants.
SELECT tenant_id
FROM velo.tenant_ids
ORDER BY tenant_id;

-- name: lock_of_jobs
-- Whether this transaction got the lock that lets one process at a time work on the job number $1.
SELECT pg_try_advisory_xact_lock(x'56454c4f'::int, $1::int);

-- name: turns_with_a_lapsed_lease
-- Turns of the tenant $1 whose process is gone: they end as interrupted, and their threads are free again.
UPDATE velo.turns
SET state = 'interrupted', ended_at = now(), lease_owner = NULL, lease_until = NULL
WHERE tenant_id = $1
  AND state IN ('queued', 'running', 'stopping')
  AND lease_until < now()
RETURNING id;
