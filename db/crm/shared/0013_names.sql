-- The forms of names and values, in one place for every preset. The demo had them before (0003_forms.sql); this file
-- stands for that part of it, and a later change is a new file here.

-- Legal forms in folded words, in the countries whose companies are customers; the veil's list is the same, a test
-- holds the two together.
CREATE OR REPLACE FUNCTION crm.legal_forms() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN
        'ab|ac|ag|and co|b i c|bv|c v|cb|cia|co|corp|corporation|de cv|e cia|e cia ltda|e filhos|e hijos|'
        'e i r l|e p p|e s p|eireli|eirl|empresa individual de responsabilidad limitada|epe|epp|gmbh|inc|'
        'incorporated|kg|l l c|l l p|l t d a|limitada|limited|llc|llp|lp|ltd|ltda|m e|me|mei|'
        'microempreendedor individual|nv|oy|pc|plc|pllc|rl|s a|s a a|s a b de c v|s a c|s a de c v|s a e s p|'
        's a p i de c v|s a s|s a u|s c|s c a|s coop|s de r l|s de r l de c v|s de rl|s de rl de cv|s en c|'
        's en c s|s l|s l u|s p a|s r l|s s|sa|sa de cv|sa esp|saa|sab de cv|sac|sad|sapi|sapi de cv|sarl|'
        'sas|sas bic|sau|sc|sca|sccl|scl|scp|scs|sl|sll|slu|snc|soc coop|sociedad anonima|'
        'sociedad anonima cerrada|sociedad anonima de capital variable|sociedad de responsabilidad limitada|'
        'sociedad limitada|sociedad por acciones|sociedade anonima|sociedade limitada|sofom|spa|srl|srls|'
        'y asociados|y cia|y cia ltda|y compania|y compania limitada|y hermanos|y hijos';

-- A company's words without its legal form ("Soto y Cía. Ltda." -> {soto}); one word always remains.
CREATE OR REPLACE FUNCTION crm.without_legal_form(words text[]) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN string_to_array(regexp_replace(array_to_string(words, ' '), '(?: (?:' || crm.legal_forms() || '))+$', ''), ' ');

-- One word for what an apostrophe or a hyphen ties together ("O'Higgins" -> ohiggins).
CREATE OR REPLACE FUNCTION crm.joined_words(written text) RETURNS SETOF text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
AS $$
    SELECT array_to_string(crm.words(tied.groups[1]), '')
    FROM regexp_matches(
        normalize(crm.fold(written), NFC),
        '([' || crm.letters() || ']+(?:[''`‘’‛′‐‒–—−-][' || crm.letters() || ']+)+)',
        'g'
    ) AS tied(groups)
$$;

-- All forms of one written name. A form longer than a name ever is would not fit its index and is left out.
CREATE OR REPLACE FUNCTION crm.forms_of_name(kind text, written text) RETURNS SETOF text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
AS $$
    WITH name AS (
        SELECT crm.words(written) AS words
    ),
    core AS (
        SELECT CASE WHEN kind = 'company' THEN crm.without_legal_form(words) ELSE words END AS words
        FROM name
    ),
    found (form) AS (
        SELECT array_to_string(words, ' ') FROM name
        UNION
        SELECT array_to_string(words, ' ') FROM core
        UNION
        SELECT word
        FROM core, unnest(words) AS word
        WHERE kind IN ('contact', 'member', 'company')
            AND word <> ALL (
                '{a,al,bin,d,da,das,de,del,della,den,der,di,do,dos,du,e,el,i,ibn,la,las,le,los,mac,'
                'ten,ter,van,vom,von,y,zu}'
            )
        UNION
        SELECT joined
        FROM crm.joined_words(written) AS joined
        WHERE kind IN ('contact', 'member', 'company')
    )
    SELECT form
    FROM found
    WHERE char_length(form) BETWEEN 2 AND 400
$$;

-- The forms of a row: those of its name and of its aliases, if rows of its kind have any.
CREATE OR REPLACE FUNCTION crm.forms_of_row(kind text, entity jsonb) RETURNS SETOF text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT DISTINCT form
    FROM (
        SELECT entity ->> 'name'
        UNION ALL
        SELECT alias FROM jsonb_array_elements_text(entity -> 'aliases') AS alias
    ) AS names (written),
        crm.forms_of_name(kind, written) AS form
$$;

-- The phone, e-mail and id of a row, written the one way in which they are compared.
CREATE OR REPLACE FUNCTION crm.values_of_row(entity jsonb) RETURNS TABLE (value_kind text, form text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    WITH written AS (
        SELECT
            btrim(normalize(entity ->> 'phone', NFKC)) AS phone,
            btrim(entity ->> 'email', E' \t\r\n') AS email,
            normalize(coalesce(entity ->> 'national_id', entity ->> 'legal_id'), NFKC) AS id
    ),
    forms (value_kind, form) AS (
        SELECT 'phone', CASE WHEN phone LIKE '+%' THEN '+' ELSE '' END || regexp_replace(phone, '[^0-9]', '', 'g')
        FROM written
        UNION ALL
        SELECT 'email', lower(email) FROM written
        UNION ALL
        SELECT 'id', regexp_replace(upper(id), '[^A-Z0-9]', '', 'g') FROM written
    )
    SELECT value_kind, form
    FROM forms
    WHERE form NOT IN ('', '+') AND char_length(form) <= 400
$$;
