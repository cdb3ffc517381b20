-- name: map_of_thread
-- The tokens of a thread with all that must be masked for their entities, and what has become of these: of every number that it has given, or of
-- the entities that are minted now. Each entity is asked for by its keys (OFFSET 0 keeps the planner from joining all that is visible), so that
-- nothing grows with the CRM. Rows whose ``print`` is known already are left out.
-- $1 tenant, $2 thread, $3 member, $4 letters, $5 their kinds (same length), $6 letters and $7 ids to be minted (same length; none: the whole
-- thread), $8 known prints
WITH given AS (
    SELECT t.kind AS letter, t.number, t.entity_id, t.state, t.literal, t.merged_into
    FROM velo.tokens AS t
    WHERE t.tenant_id = $1 AND t.thread_id = $2 AND cardinality($7::bigint[]) = 0
    UNION ALL
    SELECT m.letter, m.number, m.entity_id, 'live', NULL, NULL
    FROM velo.mint($2, $6::text[], $7::bigint[]) AS m
),
known AS (
    SELECT g.letter, g.number, g.entity_id, g.state, g.literal, g.merged_into, n.names, v.sorts, v.values,
        (
            SELECT m.into_id FROM crm.merged AS m WHERE m.tenant_id = $1 AND m.kind = k.kind AND m.entity_id = g.entity_id
        ) AS into_id,
        EXISTS (
            SELECT FROM crm.cards AS c WHERE c.tenant_id = $1 AND c.kind = k.kind AND c.entity_id = g.entity_id OFFSET 0
        ) AS alive,
        EXISTS (
            SELECT FROM crm.visible AS s
            WHERE s.tenant_id = $1 AND s.member_id = $3 AND s.kind = k.kind AND s.entity_id = g.entity_id
            OFFSET 0
        ) AS visible
    FROM given AS g
    LEFT JOIN unnest($4::text[], $5::text[]) AS k (letter, kind) ON k.letter = g.letter
    CROSS JOIN LATERAL (
        SELECT array_agg(f.form ORDER BY f.form) AS names
        FROM crm.name_forms AS f
        WHERE f.tenant_id = $1 AND f.kind = k.kind AND f.entity_id = g.entity_id
    ) AS n
    CROSS JOIN LATERAL (
        SELECT array_agg(f.value_kind ORDER BY f.value_kind, f.form) AS sorts, array_agg(f.form ORDER BY f.value_kind, f.form) AS values
        FROM crm.value_forms AS f
        WHERE f.tenant_id = $1 AND f.kind = k.kind AND f.entity_id = g.entity_id
    ) AS v
),
printed AS (
    SELECT known.*, md5(ROW(letter, entity_id, names, sorts, values, into_id, alive, visible)::text) AS print
    FROM known
)
SELECT letter, number, entity_id, state, literal, merged_into, names, sorts, values, into_id, alive, visible, print
FROM printed
WHERE print <> ALL ($8::text[]);

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
