-- name: tenants
-- The ids of all tenants.
SELECT tenant_id
FROM velo.tenant_ids
ORDER BY tenant_id;

-- name: lock_of_job
-- Whether this transaction got the lock that lets one process at a time do the job number $1 for the tenant $2. Tenants that share a lock by
-- chance only wait for one another.
SELECT pg_try_advisory_xact_lock(x'56454c00'::int + $1::int, hashtext($2::bigint::text));

-- name: drop_old_events
-- Deletes events of turns of the tenant $1 that ended more than a day ago, whole turns at a time, some $2 events or a little more.
DELETE FROM velo.turn_events
WHERE tenant_id = $1 AND turn_id IN (
    SELECT e.turn_id
    FROM velo.turn_events AS e
    JOIN velo.turns AS t ON t.tenant_id = e.tenant_id AND t.id = e.turn_id
    WHERE e.tenant_id = $1 AND e.created_at < now() - interval '24 hours' AND t.ended_at < now() - interval '24 hours'
    ORDER BY e.created_at
    LIMIT $2
)
RETURNING 1;

-- name: forget_keys_of_turns
-- Clears the idempotency keys of turns of the tenant $1 that began more than a day ago, $2 at most.
UPDATE velo.turns
SET idempotency_key = NULL, body_hash = NULL
WHERE tenant_id = $1 AND id IN (
    SELECT id
    FROM velo.turns
    WHERE tenant_id = $1 AND body_hash IS NOT NULL AND created_at < now() - interval '24 hours'
    ORDER BY created_at
    LIMIT $2
)
RETURNING 1;

-- name: forget_keys_of_threads
-- Clears the idempotency keys of threads of the tenant $1 that were opened more than a day ago, $2 at most.
UPDATE velo.threads
SET idempotency_key = NULL, body_hash = NULL
WHERE tenant_id = $1 AND id IN (
    SELECT id
    FROM velo.threads
    WHERE tenant_id = $1 AND body_hash IS NOT NULL AND created_at < now() - interval '24 hours'
    ORDER BY created_at
    LIMIT $2
)
RETURNING 1;

-- name: freshen_crm
-- Learns what the CRM of the tenant $1 changed; gives how many things that were.
SELECT crm.freshen($1::bigint);

-- name: reconcile_crm
-- Compares everything that is known of the tenant $1 with its CRM; gives how many things were learnt.
SELECT crm.reconcile($1::bigint);
