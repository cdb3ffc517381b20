-- Turns that stream: a question and its turn are taken in one call, and a long thread remembers where its history begins.

-- The first message that travels in this turn; NULL: the whole path does.
ALTER TABLE velo.turns
    ADD COLUMN history_from bigint,
    ADD CONSTRAINT turns_history FOREIGN KEY (tenant_id, thread_id, history_from)
        REFERENCES velo.messages (tenant_id, thread_id, id) ON DELETE SET NULL (history_from);
CREATE INDEX turns_of_history ON velo.turns (tenant_id, thread_id, history_from);

-- Takes the thread for a new turn and stores its question and its first event, or says why not: 'no_thread', or 'busy' with the
-- other turn and the seconds that its lease still runs. A turn whose lease has run out, or whose process is gone (0006), ends here. Without a thread a new one is opened, in which the member is U-1.
CREATE FUNCTION velo.take_turn(
    p_member bigint, p_letter text, p_thread bigint, p_owner uuid, p_lease float8, p_key text, p_hash bytea,
    p_model text, p_prompt text, p_software text, p_text text, p_marks jsonb, p_opening text
)
RETURNS TABLE (outcome text, thread bigint, turn bigint, question bigint, seconds_left float8)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    v_tenant bigint := velo.current_tenant();
    v_parent bigint;
BEGIN
    thread := p_thread;
    IF p_thread IS NULL THEN
        INSERT INTO velo.threads AS t (tenant_id, member_id) VALUES (v_tenant, p_member) RETURNING t.id INTO thread;
        PERFORM velo.mint(thread, ARRAY[p_letter], ARRAY[p_member]);
    ELSE
        UPDATE velo.threads AS t SET updated_at = now() WHERE t.tenant_id = v_tenant AND t.id = p_thread AND t.member_id = p_member;
        IF NOT FOUND THEN
            outcome := 'no_thread';
            RETURN NEXT;
            RETURN;
        END IF;
        UPDATE velo.turns AS t SET state = 'interrupted', ended_at = now(), lease_owner = NULL
        WHERE t.tenant_id = v_tenant AND t.thread_id = p_thread AND t.state IN ('queued', 'running', 'stopping')
            AND velo.is_abandoned(t.lease_owner, t.lease_until);
        SELECT t.id, extract(epoch FROM t.lease_until - now()) INTO turn, seconds_left
        FROM velo.turns AS t
        WHERE t.tenant_id = v_tenant AND t.thread_id = p_thread AND t.state IN ('queued', 'running', 'stopping');
        IF FOUND THEN
            outcome := 'busy';
            RETURN NEXT;
            RETURN;
        END IF;
        -- The path goes on from the last message; a turn that only asked whom was meant is left out.
        SELECT max(m.id) INTO v_parent
        FROM velo.messages AS m
        JOIN velo.turns AS t ON t.tenant_id = m.tenant_id AND t.id = m.turn_id
        WHERE m.tenant_id = v_tenant AND m.thread_id = p_thread AND NOT coalesce(t.outcome ? 'asked', false);
    END IF;
    INSERT INTO velo.turns AS t (
        tenant_id, thread_id, member_id, state, lease_owner, lease_until, idempotency_key, body_hash, model, prompt_version, software_version
    )
    VALUES (
        v_tenant, thread, p_member, 'running', p_owner, now() + make_interval(secs => p_lease), p_key, p_hash, p_model, p_prompt, p_software
    )
    RETURNING t.id INTO turn;
    INSERT INTO velo.messages AS m (tenant_id, thread_id, parent_id, turn_id, role, text, marks, opening)
    VALUES (v_tenant, thread, v_parent, turn, 'user', p_text, p_marks, p_opening)
    RETURNING m.id INTO question;
    UPDATE velo.turns AS t SET question_id = question WHERE t.tenant_id = v_tenant AND t.id = turn;
    INSERT INTO velo.turn_events (tenant_id, turn_id, seq, kind) VALUES (v_tenant, turn, 1, 'turn.started');
    outcome := 'taken';
    RETURN NEXT;
END
$$;
REVOKE ALL ON FUNCTION
    velo.take_turn(bigint, text, bigint, uuid, float8, text, bytea, text, text, text, text, jsonb, text)
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    velo.take_turn(bigint, text, bigint, uuid, float8, text, bytea, text, text, text, text, jsonb, text)
TO velo_app;
