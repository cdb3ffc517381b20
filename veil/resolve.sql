-- name: bearers_of_forms
-- Who bears each form in the whole tenant, and whether the member may see them. Of very many bearers of a form the first ones only,
-- those whom the member may see before the others: enough to know that it is ambiguous.
-- $1 tenant, $2 member, $3 folded forms, $4 most bearers of a form
SELECT wanted.form, bearer.kind, bearer.entity_id, bearer.visible
FROM unnest($3::text[]) AS wanted (form)
CROSS JOIN LATERAL (
    SELECT f.kind, f.entity_id, bool_or(
        EXISTS (
            SELECT FROM crm.visible AS s
            WHERE s.tenant_id = $1 AND s.member_id = $2 AND s.kind = f.kind AND s.entity_id = f.entity_id
        )
    ) AS visible
    FROM crm.name_forms AS f
    WHERE f.tenant_id = $1 AND f.form = wanted.form
    GROUP BY f.kind, f.entity_id
    ORDER BY visible DESC, f.kind, f.entity_id
    LIMIT $4
) AS bearer;

-- name: forms_alike
-- Longer single words of the names of people that begin or end as a word does. Among them is every one that is two slips of the hand away, unless
-- one slip is at the beginning and the other at the end. $1 tenant, $2 beginnings, $3 ends (same length)
SELECT DISTINCT alike.form
FROM unnest($2::text[], $3::text[]) AS wanted (head, tail)
CROSS JOIN LATERAL (
    SELECT f.form FROM crm.name_forms AS f WHERE f.tenant_id = $1 AND f.head = wanted.head AND f.kind IN ('contact', 'member')
    UNION ALL
    SELECT f.form FROM crm.name_forms AS f WHERE f.tenant_id = $1 AND f.tail = wanted.tail AND f.kind IN ('contact', 'member')
) AS alike;

-- name: bearers_of_values
-- Who bears each phone, e-mail or id. $1 tenant, $2 member, $3 value kinds, $4 normalised values (same length)
SELECT wanted.value_kind, wanted.value, v.kind, v.entity_id, EXISTS (
    SELECT FROM crm.visible AS s
    WHERE s.tenant_id = $1 AND s.member_id = $2 AND s.kind = v.kind AND s.entity_id = v.entity_id
) AS visible
FROM unnest($3::text[], $4::text[]) AS wanted (value_kind, value)
JOIN crm.value_forms AS v ON v.tenant_id = $1 AND v.value_kind = wanted.value_kind AND v.form = wanted.value
ORDER BY v.kind, v.entity_id;

-- name: cards
-- What may be shown of these entities to the member, by the ids that were asked for: a merged one shows its survivor, one that is no more has no
-- row. $1 tenant, $2 member, $3 kinds, $4 ids
WITH RECURSIVE survivors (kind, id, now_id, step) AS (
    SELECT kind, id, id, 0
    FROM unnest($3::text[], $4::bigint[]) AS wanted (kind, id)
    UNION ALL
    SELECT s.kind, s.id, m.into_id, s.step + 1
    FROM survivors AS s
    JOIN crm.merged AS m ON m.tenant_id = $1 AND m.kind = s.kind AND m.entity_id = s.now_id
    WHERE s.step < 10
)
SELECT DISTINCT ON (s.kind, s.id)
    s.kind, s.id AS entity_id, c.name, c.phone, c.email, c.national_id, c.legal_id, c.inbox, c.last_contact_at, EXISTS (
        SELECT FROM crm.visible AS v
        WHERE v.tenant_id = $1 AND v.member_id = $2 AND v.kind = s.kind AND v.entity_id = s.now_id
    ) AS visible
FROM survivors AS s
JOIN crm.cards AS c ON c.tenant_id = $1 AND c.kind = s.kind AND c.entity_id = s.now_id
ORDER BY s.kind, s.id, s.step DESC;
