-- Reserving many numbers at once takes time in proportion: what each one is now is looked up by sets. More may come back than was asked for (every
-- letter with every number), as they are.
CREATE OR REPLACE FUNCTION velo.reserve(p_thread bigint, p_letters text[], p_numbers int[])
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
    FROM velo.tokens AS t
    WHERE t.tenant_id = v_tenant AND t.thread_id = p_thread AND t.kind = ANY (p_letters) AND t.number = ANY (p_numbers)
    ORDER BY t.kind, t.number;
END
$$;
