-- Names and values as they are looked up, and the triggers that keep them. Inserts are learnt by the statement, so
-- that a bulk load stays cheap; changes by the row, and only when a name or a value changed.

-- How the longer single words of names begin and end. A word of nine letters and more may be misspelt twice, and is
-- looked up by these; by equality, since row-level security lets hardly any other operator use an index.
ALTER TABLE crm.name_forms
    ADD COLUMN head text GENERATED ALWAYS AS (CASE WHEN form ~ '^[a-z]{7,26}$' THEN left(form, 3) END) STORED,
    ADD COLUMN tail text GENERATED ALWAYS AS (CASE WHEN form ~ '^[a-z]{7,26}$' THEN right(form, 3) END) STORED;
CREATE INDEX name_forms_by_head ON crm.name_forms (tenant_id, head) WHERE head IS NOT NULL;
CREATE INDEX name_forms_by_tail ON crm.name_forms (tenant_id, tail) WHERE tail IS NOT NULL;

-- Legal forms in folded words, in the countries whose companies are customers; the veil's list is the same, a test
-- holds the two together.
CREATE FUNCTION crm.legal_forms() RETURNS text
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
CREATE FUNCTION crm.without_legal_form(words text[]) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN string_to_array(regexp_replace(array_to_string(words, ' '), '(?: (?:' || crm.legal_forms() || '))+$', ''), ' ');

-- One word for what an apostrophe or a hyphen ties together ("O'Higgins" -> ohiggins).
CREATE FUNCTION crm.joined_words(written text) RETURNS SETOF text
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
CREATE FUNCTION crm.forms_of_name(kind text, written text) RETURNS SETOF text
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
CREATE FUNCTION crm.forms_of_row(kind text, entity jsonb) RETURNS SETOF text
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
CREATE FUNCTION crm.values_of_row(entity jsonb) RETURNS TABLE (value_kind text, form text)
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

CREATE FUNCTION crm.learn_rows() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO crm.name_forms (tenant_id, form, kind, entity_id)
    SELECT added.tenant_id, form, TG_ARGV[0], added.id
    FROM added, crm.forms_of_row(TG_ARGV[0], to_jsonb(added)) AS form
    ON CONFLICT (tenant_id, kind, entity_id, form) DO UPDATE SET former = false;

    INSERT INTO crm.value_forms (tenant_id, value_kind, form, kind, entity_id)
    SELECT added.tenant_id, value.value_kind, value.form, TG_ARGV[0], added.id
    FROM added, crm.values_of_row(to_jsonb(added)) AS value
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE FUNCTION crm.learn_change() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
    present text[] := ARRAY(SELECT crm.forms_of_row(TG_ARGV[0], to_jsonb(NEW)));
BEGIN
    UPDATE crm.name_forms
    SET former = true
    WHERE tenant_id = NEW.tenant_id AND kind = TG_ARGV[0] AND entity_id = NEW.id
        AND form <> ALL (present) AND NOT former;

    INSERT INTO crm.name_forms (tenant_id, form, kind, entity_id)
    SELECT NEW.tenant_id, form, TG_ARGV[0], NEW.id
    FROM unnest(present) AS form
    ON CONFLICT (tenant_id, kind, entity_id, form) DO UPDATE SET former = false WHERE name_forms.former;

    DELETE FROM crm.value_forms
    WHERE tenant_id = NEW.tenant_id AND kind = TG_ARGV[0] AND entity_id = NEW.id
        AND (value_kind, form) IN (SELECT value_kind, form FROM crm.values_of_row(to_jsonb(OLD)))
        AND (value_kind, form) NOT IN (SELECT value_kind, form FROM crm.values_of_row(to_jsonb(NEW)));

    INSERT INTO crm.value_forms (tenant_id, value_kind, form, kind, entity_id)
    SELECT NEW.tenant_id, value.value_kind, value.form, TG_ARGV[0], NEW.id
    FROM crm.values_of_row(to_jsonb(NEW)) AS value
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE FUNCTION crm.forget_rows() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM crm.name_forms AS known
    USING removed
    WHERE known.tenant_id = removed.tenant_id AND known.kind = TG_ARGV[0] AND known.entity_id = removed.id;

    DELETE FROM crm.value_forms AS known
    USING removed
    WHERE known.tenant_id = removed.tenant_id AND known.kind = TG_ARGV[0] AND known.entity_id = removed.id;
    RETURN NULL;
END
$$;

CREATE TRIGGER learn_rows AFTER INSERT ON crm.contacts
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION crm.learn_rows('contact');
CREATE TRIGGER learn_rows AFTER INSERT ON crm.members
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION crm.learn_rows('member');
CREATE TRIGGER learn_rows AFTER INSERT ON crm.companies
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION crm.learn_rows('company');
CREATE TRIGGER learn_rows AFTER INSERT ON crm.inboxes
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION crm.learn_rows('inbox');
CREATE TRIGGER learn_rows AFTER INSERT ON crm.campaigns
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION crm.learn_rows('campaign');

CREATE TRIGGER learn_change AFTER UPDATE OF name, aliases, phone, email, national_id ON crm.contacts
FOR EACH ROW EXECUTE FUNCTION crm.learn_change('contact');
CREATE TRIGGER learn_change AFTER UPDATE OF name, aliases, email ON crm.members
FOR EACH ROW EXECUTE FUNCTION crm.learn_change('member');
CREATE TRIGGER learn_change AFTER UPDATE OF name, legal_id ON crm.companies
FOR EACH ROW EXECUTE FUNCTION crm.learn_change('company');
CREATE TRIGGER learn_change AFTER UPDATE OF name ON crm.inboxes
FOR EACH ROW EXECUTE FUNCTION crm.learn_change('inbox');
CREATE TRIGGER learn_change AFTER UPDATE OF name ON crm.campaigns
FOR EACH ROW EXECUTE FUNCTION crm.learn_change('campaign');

CREATE TRIGGER forget_rows AFTER DELETE ON crm.contacts
REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION crm.forget_rows('contact');
CREATE TRIGGER forget_rows AFTER DELETE ON crm.members
REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION crm.forget_rows('member');
CREATE TRIGGER forget_rows AFTER DELETE ON crm.companies
REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION crm.forget_rows('company');
CREATE TRIGGER forget_rows AFTER DELETE ON crm.inboxes
REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION crm.forget_rows('inbox');
CREATE TRIGGER forget_rows AFTER DELETE ON crm.campaigns
REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION crm.forget_rows('campaign');
