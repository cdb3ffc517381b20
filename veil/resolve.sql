-- name: bearers_of_forms
-- Who bears each form in the whole tenant, and whether the member may see them. Of very many bearers of a form the first ones only, and the first
-- ones whom the member may see: enough to know that it is ambiguous. Who may be seen is asked of these, and of those who bear several of the
-- forms, since they are meant when their words stand side by side. Of the others it is NULL: none may be seen, or very many.
-- $1 tenant, $2 member, $3 folded forms, $4 most bearers of a form who are looked for among the visible, $5 most bearers of a form
WITH borne AS MATERIALIZED (
    SELECT wanted.form, bearer.kind, bearer.entity_id, bearer.visible
    FROM unnest($3::text[]) AS wanted (form)
    CROSS JOIN LATERAL (
        (
            SELECT f.kind, f.entity_id, true AS visible
            FROM crm.name_forms AS f
            WHERE f.tenant_id = $1 AND f.form = wanted.form AND EXISTS (
                SELECT FROM crm.visible AS s
                WHERE s.tenant_id = $1 AND s.member_id = $2 AND s.kind = f.kind AND s.entity_id = f.entity_id
                OFFSET 0
            )
            ORDER BY f.kind, f.entity_id
            LIMIT $4
        )
        UNION ALL
        (
            SELECT f.kind, f.entity_id, NULL
            FROM crm.name_forms AS f
            WHERE f.tenant_id = $1 AND f.form = wanted.form
            ORDER BY f.kind, f.entity_id
            LIMIT $5
        )
    ) AS bearer
),
seen AS (
    SELECT e.kind, e.entity_id, coalesce(e.visible, CASE WHEN e.forms > 1 THEN EXISTS (
        SELECT FROM crm.visible AS s
        WHERE s.tenant_id = $1 AND s.member_id = $2 AND s.kind = e.kind AND s.entity_id = e.entity_id
        OFFSET 0
    ) END) AS visible
    FROM (
        SELECT kind, entity_id, bool_or(visible) AS visible, count(DISTINCT form) AS forms
        FROM borne
        GROUP BY kind, entity_id
    ) AS e
)
SELECT DISTINCT borne.form, seen.kind, seen.entity_id, seen.visible
FROM borne
JOIN seen USING (kind, entity_id)
ORDER BY seen.visible DESC, seen.kind, seen.entity_id, borne.form;

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
    OFFSET 0
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
    s.kind, s.id AS entity_id, c.name, c.phone, c.email, c.national_id, c.legal_id, EXISTS (
        SELECT FROM crm.visible AS v
        WHERE v.tenant_id = $1 AND v.member_id = $2 AND v.kind = s.kind AND v.entity_id = s.now_id
        OFFSET 0
    ) AS visible
FROM survivors AS s
CROSS JOIN LATERAL (
    SELECT c.name, c.phone, c.email, c.national_id, c.legal_id
    FROM crm.cards AS c
    WHERE c.tenant_id = $1 AND c.kind = s.kind AND c.entity_id = s.now_id
    OFFSET 0
) AS c
ORDER BY s.kind, s.id, s.step DESC;

-- name: details
-- What tells the bearers of one name apart: when they were last in contact, and for contacts the inbox of their latest conversation that the member
-- may see. $1 tenant, $2 member, $3 kinds, $4 ids
SELECT w.kind, w.id AS entity_id, c.last_contact_at, (
    SELECT i.name
    FROM crm.conversations AS t
    JOIN crm.inboxes AS i ON i.tenant_id = $1 AND i.id = t.inbox_id
    WHERE t.tenant_id = $1 AND w.kind = 'contact' AND t.contact_id = w.id AND EXISTS (
        SELECT FROM crm.visible AS v
        WHERE v.tenant_id = $1 AND v.member_id = $2 AND v.kind = 'conversation' AND v.entity_id = t.id
        OFFSET 0
    )
    ORDER BY t.last_message_at DESC NULLS LAST, t.id DESC
    LIMIT 1
) AS inbox
FROM unnest($3::text[], $4::bigint[]) AS w (kind, id)
CROSS JOIN LATERAL (
    SELECT c.last_contact_at FROM crm.cards AS c WHERE c.tenant_id = $1 AND c.kind = w.kind AND c.entity_id = w.id OFFSET 0
) AS c;
