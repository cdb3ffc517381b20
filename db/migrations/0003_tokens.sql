-- Tokens: which number stands for which entity in a thread. Never a name.
--
-- A number is never given twice, so the next one comes from a counter and not from max(number): after an erased or
-- rolled-back row the same number would mean another person in an old transcript. All three functions lock the
-- counter rows of their letters first, in the same order, in a statement of its own: the statements after it then
-- see what the holder before them committed (READ COMMITTED). That order also rules deadlocks out.

CREATE TABLE velo.token_counters (
    tenant_id bigint NOT NULL,
    thread_id bigint NOT NULL,
    kind text NOT NULL CHECK (kind ~ '^[A-Z]$'),
    last int NOT NULL DEFAULT 0 CHECK (last BETWEEN 0 AND 999999),
    PRIMARY KEY (tenant_id, thread_id, kind),
    FOREIGN KEY (tenant_id, thread_id) REFERENCES velo.threads ON DELETE CASCADE
);
CALL velo.fence('velo.token_counters');

CREATE TABLE velo.tokens (
    tenant_id bigint NOT NULL,
    thread_id bigint NOT NULL,
    kind text NOT NULL CHECK (kind ~ '^[A-Z]$'),
    number int NOT NULL CHECK (number BETWEEN 1 AND 999999),
    entity_id bigint,
    state text NOT NULL CHECK (state IN ('live', 'reserved', 'literal', 'merged', 'erased')),
    literal text CHECK (length(literal) BETWEEN 1 AND 500),
    merged_into bigint,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, thread_id, kind, number),
    UNIQUE (tenant_id, thread_id, kind, entity_id),
    UNIQUE (tenant_id, thread_id, kind, literal),
    CHECK ((state IN ('live', 'merged', 'erased')) = (entity_id IS NOT NULL)),
    CHECK ((state = 'literal') = (literal IS NOT NULL)),
    CHECK ((state = 'merged') = (merged_into IS NOT NULL)),
    FOREIGN KEY (tenant_id, thread_id) REFERENCES velo.threads ON DELETE CASCADE
);
CALL velo.fence('velo.tokens');

-- A counter only goes up, whoever writes it.
CREATE FUNCTION velo.counters_only_grow() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RAISE EXCEPTION 'a token counter never goes back' USING ERRCODE = 'VL003';
END
$$;
CREATE TRIGGER only_grow BEFORE UPDATE ON velo.token_counters
FOR EACH ROW WHEN (new.last < old.last) EXECUTE FUNCTION velo.counters_only_grow();

-- Locks the counter of one letter until the transaction ends and gives its last number.
CREATE FUNCTION velo.lock_counter(p_tenant bigint, p_thread bigint, p_letter text) RETURNS int
LANGUAGE sql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
    INSERT INTO velo.token_counters AS c (tenant_id, thread_id, kind)
    VALUES (p_tenant, p_thread, p_letter)
    ON CONFLICT (tenant_id, thread_id, kind) DO UPDATE SET last = c.last
    RETURNING c.last
$$;

-- The first number after p_last that no row holds: reserved ones are passed over.
CREATE FUNCTION velo.next_number(p_tenant bigint, p_thread bigint, p_letter text, p_last int) RETURNS int
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    v_number int := p_last + 1;
BEGIN
    WHILE EXISTS (
        SELECT FROM velo.tokens t
        WHERE t.tenant_id = p_tenant AND t.thread_id = p_thread AND t.kind = p_letter AND t.number = v_number
    ) LOOP
        v_number := v_number + 1;
    END LOOP;
    IF v_number > 999999 THEN
        RAISE EXCEPTION 'the numbers of this thread are used up' USING ERRCODE = 'VL001';
    END IF;
    RETURN v_number;
END
$$;

-- Gives every (letter, id) its token: the one it has, else the next number, in the order of the arrays.
CREATE FUNCTION velo.mint(p_thread bigint, p_letters text[], p_ids bigint[])
RETURNS TABLE (letter text, entity_id bigint, number int)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    v_tenant bigint := velo.current_tenant();
    v_letter text;
    v_id bigint;
    v_last int;
BEGIN
    IF cardinality(p_letters) <> cardinality(p_ids) THEN
        RAISE EXCEPTION 'letters and ids differ in number' USING ERRCODE = 'VL003';
    END IF;
    FOR v_letter IN SELECT DISTINCT l COLLATE "C" FROM unnest(p_letters) AS l ORDER BY 1 LOOP
        v_last := velo.lock_counter(v_tenant, p_thread, v_letter);
        FOR v_id IN
            SELECT a.id
            FROM unnest(p_letters, p_ids) WITH ORDINALITY AS a (l, id, place)
            WHERE a.l = v_letter AND NOT EXISTS (
                SELECT FROM velo.tokens t
                WHERE t.tenant_id = v_tenant AND t.thread_id = p_thread AND t.kind = v_letter AND t.entity_id = a.id
            )
            GROUP BY a.id
            ORDER BY min(a.place)
        LOOP
            v_last := velo.next_number(v_tenant, p_thread, v_letter, v_last);
            INSERT INTO velo.tokens (tenant_id, thread_id, kind, number, entity_id, state)
            VALUES (v_tenant, p_thread, v_letter, v_last, v_id, 'live');
        END LOOP;
        UPDATE velo.token_counters c SET last = v_last
        WHERE c.tenant_id = v_tenant AND c.thread_id = p_thread AND c.kind = v_letter AND c.last < v_last;
    END LOOP;
    RETURN QUERY
    SELECT t.kind, t.entity_id, t.number
    FROM unnest(p_letters, p_ids) WITH ORDINALITY AS a (l, id, place)
    JOIN velo.tokens t
        ON t.tenant_id = v_tenant AND t.thread_id = p_thread AND t.kind = a.l AND t.entity_id = a.id
    GROUP BY t.kind, t.entity_id, t.number
    ORDER BY min(a.place);
END
$$;

-- Takes numbers out of use because foreign text bears them, and says what each one is now: 'reserved', or the state
-- of the token that was there before.
CREATE FUNCTION velo.reserve(p_thread bigint, p_letters text[], p_numbers int[])
RETURNS TABLE (letter text, number int, state text)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    v_tenant bigint := velo.current_tenant();
    v_letter text;
BEGIN
    IF cardinality(p_letters) <> cardinality(p_numbers) THEN
        RAISE EXCEPTION 'letters and numbers differ in number' USING ERRCODE = 'VL003';
    END IF;
    FOR v_letter IN SELECT DISTINCT l COLLATE "C" FROM unnest(p_letters) AS l ORDER BY 1 LOOP
        PERFORM velo.lock_counter(v_tenant, p_thread, v_letter);
        INSERT INTO velo.tokens (tenant_id, thread_id, kind, number, state)
        SELECT v_tenant, p_thread, v_letter, a.n, 'reserved'
        FROM unnest(p_letters, p_numbers) AS a (l, n)
        WHERE a.l = v_letter
        ON CONFLICT (tenant_id, thread_id, kind, number) DO NOTHING;
    END LOOP;
    RETURN QUERY
    SELECT t.kind, t.number, t.state
    FROM unnest(p_letters, p_numbers) WITH ORDINALITY AS a (l, n, place)
    JOIN velo.tokens t
        ON t.tenant_id = v_tenant AND t.thread_id = p_thread AND t.kind = a.l AND t.number = a.n
    GROUP BY t.kind, t.number, t.state
    ORDER BY min(a.place);
END
$$;

-- Gives each look-alike whose number is taken an X-n that stands for its literal; the same literal keeps its X-n.
CREATE FUNCTION velo.alias(p_thread bigint, p_literals text[])
RETURNS TABLE (literal text, number int)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    v_tenant bigint := velo.current_tenant();
    v_literal text;
    v_last int := velo.lock_counter(v_tenant, p_thread, 'X');
BEGIN
    FOR v_literal IN
        SELECT a.l
        FROM unnest(p_literals) WITH ORDINALITY AS a (l, place)
        WHERE NOT EXISTS (
            SELECT FROM velo.tokens t
            WHERE t.tenant_id = v_tenant AND t.thread_id = p_thread AND t.kind = 'X' AND t.literal = a.l
        )
        GROUP BY a.l
        ORDER BY min(a.place)
    LOOP
        v_last := velo.next_number(v_tenant, p_thread, 'X', v_last);
        INSERT INTO velo.tokens (tenant_id, thread_id, kind, number, literal, state)
        VALUES (v_tenant, p_thread, 'X', v_last, v_literal, 'literal');
    END LOOP;
    UPDATE velo.token_counters c SET last = v_last
    WHERE c.tenant_id = v_tenant AND c.thread_id = p_thread AND c.kind = 'X' AND c.last < v_last;
    RETURN QUERY
    SELECT t.literal, t.number
    FROM unnest(p_literals) WITH ORDINALITY AS a (l, place)
    JOIN velo.tokens t
        ON t.tenant_id = v_tenant AND t.thread_id = p_thread AND t.kind = 'X' AND t.literal = a.l
    GROUP BY t.literal, t.number
    ORDER BY min(a.place);
END
$$;

REVOKE ALL ON FUNCTION
    velo.lock_counter(bigint, bigint, text), velo.next_number(bigint, bigint, text, int),
    velo.mint(bigint, text[], bigint[]), velo.reserve(bigint, text[], int[]), velo.alias(bigint, text[])
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    velo.lock_counter(bigint, bigint, text), velo.next_number(bigint, bigint, text, int),
    velo.mint(bigint, text[], bigint[]), velo.reserve(bigint, text[], int[]), velo.alias(bigint, text[])
TO velo_app;

-- No DELETE on either: a row goes with its thread, and what is erased keeps its number.
GRANT SELECT, INSERT, UPDATE (last) ON velo.token_counters TO velo_app;
GRANT SELECT, INSERT, UPDATE (state, merged_into) ON velo.tokens TO velo_app;
