-- name: add_call
-- One call of the model, written before it leaves, with those of its blocks that are not kept yet; gives its id. No row comes back, and no call is
-- written, when somebody else kept one of them at the same moment: this statement does not see it yet.
-- $1 tenant, $2 turn, $3 ordinal, $4 SHA-256 and $5 bytes of each block (same length), $6 parameters, $7 SHA-256 of the body, $8 sent at
WITH wanted AS (
    SELECT b.sha256, b.bytes, b.place
    FROM unnest($4::bytea[], $5::bytea[]) WITH ORDINALITY AS b (sha256, bytes, place)
),
kept AS MATERIALIZED (
    SELECT v.sha256, v.id
    FROM velo.veiled_blocks AS v
    WHERE v.tenant_id = $1 AND v.sha256 = ANY ($4::bytea[])
),
added AS (
    INSERT INTO velo.veiled_blocks (tenant_id, sha256, bytes)
    SELECT DISTINCT ON (w.sha256) $1, w.sha256, w.bytes
    FROM wanted AS w
    WHERE w.sha256 NOT IN (SELECT k.sha256 FROM kept AS k)
    ORDER BY w.sha256
    ON CONFLICT (tenant_id, sha256) DO NOTHING
    RETURNING sha256, id
),
numbered AS (
    SELECT array_agg(b.id ORDER BY w.place) AS ids
    FROM wanted AS w
    LEFT JOIN (SELECT k.sha256, k.id FROM kept AS k UNION ALL SELECT a.sha256, a.id FROM added AS a) AS b ON b.sha256 = w.sha256
)
INSERT INTO velo.model_calls (tenant_id, turn_id, ordinal, blocks, parameters, request_sha256, sent_at)
SELECT $1, $2, $3, n.ids, $6, $7, $8
FROM numbered AS n
WHERE array_position(n.ids, NULL) IS NULL
RETURNING id;

-- name: add_reply
-- What came back of a call, or that nothing did; once. $1 tenant, $2 call, $3 response, $4 status, $5 received at
INSERT INTO velo.model_replies (tenant_id, call_id, response, response_sha256, status, received_at)
VALUES ($1, $2, $3, pg_catalog.sha256($3), $4, $5)
ON CONFLICT (tenant_id, call_id) DO NOTHING;

-- name: calls_of_turn
-- The calls of a turn in their order, each with the bytes of its blocks and what came back; nothing did where the process died. $1 tenant, $2 turn
SELECT c.ordinal, c.parameters, c.request_sha256, r.response, coalesce(r.status, 'sent') AS status, c.sent_at, r.received_at, (
    SELECT array_agg(v.bytes ORDER BY b.place)
    FROM unnest(c.blocks) WITH ORDINALITY AS b (id, place)
    JOIN velo.veiled_blocks AS v ON v.tenant_id = $1 AND v.id = b.id
) AS blocks
FROM velo.model_calls AS c
LEFT JOIN velo.model_replies AS r ON r.tenant_id = c.tenant_id AND r.call_id = c.id
WHERE c.tenant_id = $1 AND c.turn_id = $2
ORDER BY c.ordinal;
