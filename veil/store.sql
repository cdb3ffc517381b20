-- name: tokens_of_thread
-- Every number that this thread has given, whatever for. $1 tenant, $2 thread
SELECT kind AS letter, number, entity_id, state, literal, merged_into
FROM velo.tokens
WHERE tenant_id = $1 AND thread_id = $2;

-- name: facts_of_entities
-- All that must be masked for these entities, and what has become of them: rows (place, what, form, detail).
-- what: name | value (detail = its sort) | into (detail = the survivor's id) | alive | visible
-- $1 tenant, $2 kinds, $3 ids (same length), $4 member
WITH wanted AS (
    SELECT kind, id, place::int
    FROM unnest($2::text[], $3::bigint[]) WITH ORDINALITY AS w (kind, id, place)
)
SELECT w.place, 'name' AS what, f.form, NULL::text AS detail
FROM wanted AS w
JOIN crm.name_forms AS f ON f.tenant_id = $1 AND f.kind = w.kind AND f.entity_id = w.id
UNION ALL
SELECT w.place, 'value', v.form, v.value_kind
FROM wanted AS w
JOIN crm.value_forms AS v ON v.tenant_id = $1 AND v.kind = w.kind AND v.entity_id = w.id
UNION ALL
SELECT w.place, 'into', NULL, m.into_id::text
FROM wanted AS w
JOIN crm.merged AS m ON m.tenant_id = $1 AND m.kind = w.kind AND m.entity_id = w.id
UNION ALL
SELECT w.place, 'alive', NULL, NULL
FROM wanted AS w
WHERE EXISTS (SELECT FROM crm.cards AS c WHERE c.tenant_id = $1 AND c.kind = w.kind AND c.entity_id = w.id)
UNION ALL
SELECT w.place, 'visible', NULL, NULL
FROM wanted AS w
WHERE EXISTS (
    SELECT FROM crm.visible AS s WHERE s.tenant_id = $1 AND s.member_id = $4 AND s.kind = w.kind AND s.entity_id = w.id
);

-- name: mint
-- The token of each entity, given now or before. $1 thread, $2 letters, $3 ids (same length)
SELECT letter, entity_id, number FROM velo.mint($1, $2::text[], $3::bigint[]);

-- name: reserve
-- What each number is now that nobody else may get it. $1 thread, $2 letters, $3 numbers (same length)
SELECT letter, number, state FROM velo.reserve($1, $2::text[], $3::int[]);

-- name: alias
-- The alias of each literal. $1 thread, $2 literals
SELECT literal, number FROM velo.alias($1, $2::text[]);

-- name: set_merged
-- Tokens whose entities the CRM has merged into others. $1 tenant, $2 thread, $3 letters, $4 ids, $5 numbers of the survivors
UPDATE velo.tokens AS t
SET state = 'merged', merged_into = m.number
FROM unnest($3::text[], $4::bigint[], $5::int[]) AS m (letter, id, number)
WHERE t.tenant_id = $1 AND t.thread_id = $2 AND t.kind = m.letter AND t.entity_id = m.id AND t.state = 'live';

-- name: set_erased
-- Tokens whose entities are no more. $1 tenant, $2 thread, $3 letters, $4 ids
UPDATE velo.tokens AS t
SET state = 'erased'
FROM unnest($3::text[], $4::bigint[]) AS m (letter, id)
WHERE t.tenant_id = $1 AND t.thread_id = $2 AND t.kind = m.letter AND t.entity_id = m.id AND t.state = 'live';

-- name: set_live
-- Tokens whose entities are there again under the same id. $1 tenant, $2 thread, $3 letters, $4 ids
UPDATE velo.tokens AS t
SET state = 'live'
FROM unnest($3::text[], $4::bigint[]) AS m (letter, id)
WHERE t.tenant_id = $1 AND t.thread_id = $2 AND t.kind = m.letter AND t.entity_id = m.id AND t.state = 'erased';
