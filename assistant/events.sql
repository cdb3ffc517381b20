-- name: add_events
-- Writes events, unless they are there already (a commit whose answer was lost), and wakes whoever follows them elsewhere. $1 tenant, $2 turns, $3 numbers, $4 kinds, $5 bodies (JSON as text, same length),
-- $6 channel, $7 notice
WITH added AS (
    INSERT INTO velo.turn_events (tenant_id, turn_id, seq, kind, body)
    SELECT $1, e.turn_id, e.seq, e.kind, e.body::jsonb
    FROM unnest($2::bigint[], $3::int[], $4::text[], $5::text[]) AS e (turn_id, seq, kind, body)
    ON CONFLICT (tenant_id, turn_id, seq) DO NOTHING
)
SELECT pg_notify($6, $7);

-- name: events_after
-- The turn's state, whether its last event is there, and its events behind a number; one row without an event when there is none.
-- $1 tenant, $2 turn, $3 number
SELECT t.state, velo.is_abandoned(t.lease_owner, t.lease_until) AS expired, e.seq, e.kind, e.body, EXISTS (
    SELECT FROM velo.turn_events AS l
    WHERE l.tenant_id = $1 AND l.turn_id = $2 AND l.kind IN ('turn.done', 'turn.failed', 'turn.stopped')
) AS told
FROM velo.turns AS t
LEFT JOIN velo.turn_events AS e ON e.tenant_id = t.tenant_id AND e.turn_id = t.id AND e.seq > $3
WHERE t.tenant_id = $1 AND t.id = $2
ORDER BY e.seq;
