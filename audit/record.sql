-- name: add_blocks
-- Keeps each block once. $1 tenant, $2 blocks
INSERT INTO velo.veiled_blocks (tenant_id, sha256, bytes)
SELECT DISTINCT ON (pg_catalog.sha256(b.bytes)) $1, pg_catalog.sha256(b.bytes), b.bytes
FROM unnest($2::bytea[]) AS b (bytes)
ON CONFLICT (tenant_id, sha256) DO NOTHING;

-- name: ids_of_blocks
-- The ids of blocks in their order. $1 tenant, $2 blocks
SELECT v.id
FROM unnest($2::bytea[]) WITH ORDINALITY AS b (bytes, place)
JOIN velo.veiled_blocks AS v ON v.tenant_id = $1 AND v.sha256 = pg_catalog.sha256(b.bytes)
ORDER BY b.place;

-- name: add_call
-- One call of the model, written when it has ended. $1 tenant, $2 turn, $3 ordinal, $4 block ids, $5 parameters, $6 SHA-256 of the body,
-- $7 response, $8 status, $9 sent at, $10 received at
INSERT INTO velo.model_calls (
    tenant_id, turn_id, ordinal, blocks, parameters, request_sha256, response, response_sha256, status, sent_at, received_at
)
VALUES ($1, $2, $3, $4, $5, $6, $7, pg_catalog.sha256($7), $8, $9, $10);

-- name: calls_of_turn
-- The calls of a turn in their order, each with the bytes of its blocks. $1 tenant, $2 turn
SELECT c.ordinal, c.parameters, c.request_sha256, c.response, c.status, c.sent_at, c.received_at, (
    SELECT array_agg(v.bytes ORDER BY b.place)
    FROM unnest(c.blocks) WITH ORDINALITY AS b (id, place)
    JOIN velo.veiled_blocks AS v ON v.tenant_id = $1 AND v.id = b.id
) AS blocks
FROM velo.model_calls AS c
WHERE c.tenant_id = $1 AND c.turn_id = $2
ORDER BY c.ordinal;
