-- name: turn_of_key
-- The turn that this idempotency key started. $1 tenant, $2 member, $3 key
SELECT id, body_hash FROM velo.turns WHERE tenant_id = $1 AND member_id = $2 AND idempotency_key = $3;

-- name: thread_of_key
-- The thread that this idempotency key opened. $1 tenant, $2 member, $3 key
SELECT id, body_hash, created_at, updated_at FROM velo.threads WHERE tenant_id = $1 AND member_id = $2 AND idempotency_key = $3;

-- name: add_thread
-- A new thread. $1 tenant, $2 member, $3 idempotency key, $4 hash of the body
INSERT INTO velo.threads (tenant_id, member_id, idempotency_key, body_hash) VALUES ($1, $2, $3, $4)
RETURNING id, created_at, updated_at;

-- name: mint_asker
-- $1 thread, $2 letter of members, $3 member
SELECT number FROM velo.mint($1, ARRAY[$2::text], ARRAY[$3::bigint]);

-- name: end_expired
-- Turns whose server is gone. $1 tenant; gives their ids
UPDATE velo.turns SET state = 'interrupted', ended_at = now(), lease_owner = NULL
WHERE tenant_id = $1 AND state IN ('queued', 'running', 'stopping') AND velo.is_abandoned(lease_owner, lease_until)
RETURNING id;

-- name: end_orphan
-- Ends a turn of a process that does not perform it; not a very new one, which may be about to start. $1 tenant, $2 turn, $3 lease owner
UPDATE velo.turns SET state = 'interrupted', ended_at = now(), lease_owner = NULL
WHERE tenant_id = $1 AND id = $2 AND lease_owner = $3 AND state IN ('queued', 'running', 'stopping') AND created_at < now() - interval '2 seconds'
RETURNING true;

-- name: take_turn
-- The thread, for a new turn with this question, or why not. $1 member, $2 letter of members, $3 thread, $4 lease owner, $5 lease in seconds,
-- $6 idempotency key, $7 hash of the body, $8 model, $9 prompt version, $10 software version, $11 question, $12 marks, $13 opening
SELECT outcome, thread, turn, question, seconds_left FROM velo.take_turn($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13);

-- name: last_question
-- The question of the thread's last turn, if that turn only asked whom was meant. $1 tenant, $2 thread, $3 member
SELECT q.text, t.outcome
FROM velo.turns AS t
JOIN velo.messages AS q ON q.tenant_id = t.tenant_id AND q.id = t.question_id
WHERE t.tenant_id = $1 AND t.thread_id = $2 AND t.member_id = $3 AND t.outcome ? 'asked'
    AND t.id = (SELECT max(id) FROM velo.turns WHERE tenant_id = $1 AND thread_id = $2);

-- name: add_message
-- $1 tenant, $2 thread, $3 parent, $4 turn, $5 role, $6 state, $7 text, $8 marks, $9 calls, $10 opening
INSERT INTO velo.messages (tenant_id, thread_id, parent_id, turn_id, role, state, text, marks, calls, opening)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
RETURNING id;

-- name: extend_lease
-- Whether the turn is still ours, and its state. $1 tenant, $2 turn, $3 lease owner, $4 lease in seconds
UPDATE velo.turns SET lease_until = now() + make_interval(secs => $4)
WHERE tenant_id = $1 AND id = $2 AND lease_owner = $3 AND state IN ('running', 'stopping')
RETURNING state;

-- name: message
-- One message. $1 tenant, $2 message
SELECT id, parent_id, turn_id, role, state, text, marks, created_at FROM velo.messages WHERE tenant_id = $1 AND id = $2;

-- name: extend_leases
-- Signs of life of turns of one process, and the states of those that are still its own. $1 tenant, $2 turns, $3 lease owner, $4 lease in seconds
UPDATE velo.turns SET lease_until = now() + make_interval(secs => $4)
WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) AND lease_owner = $3 AND state IN ('running', 'stopping')
RETURNING id, state;

-- name: messages_of_thread
-- Every message of a thread, in order of its making, and what became of its turn. $1 tenant, $2 thread
SELECT m.id, m.parent_id, m.turn_id, m.role, m.state, m.text, m.marks, m.calls, m.opening, m.created_at,
    t.state AS turn_state, t.history_from, t.error_id, t.outcome
FROM velo.messages AS m
LEFT JOIN velo.turns AS t ON t.tenant_id = m.tenant_id AND t.id = m.turn_id
WHERE m.tenant_id = $1 AND m.thread_id = $2
ORDER BY m.id;

-- name: messages_of_turn
-- The messages of a turn in order of their making; its answer is not there before its end. $1 tenant, $2 thread, $3 turn
SELECT id FROM velo.messages WHERE tenant_id = $1 AND thread_id = $2 AND turn_id = $3 ORDER BY id;

-- name: set_history_from
-- $1 tenant, $2 turn, $3 first message that travels
UPDATE velo.turns SET history_from = $3 WHERE tenant_id = $1 AND id = $2;

-- name: set_messages
-- Stored messages as they are now. $1 tenant, $2 ids, $3 states, $4 texts, $5 marks, $6 calls (JSON as text, same length)
UPDATE velo.messages AS m
SET state = n.state, text = n.text, marks = n.marks::jsonb, calls = n.calls::jsonb
FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[]) AS n (id, state, text, marks, calls)
WHERE m.tenant_id = $1 AND m.id = n.id;

-- name: end_turn
-- The turn's end, unless its lease was lost. $1 tenant, $2 turn, $3 lease owner, $4 state, $5 answer, $6 usage, $7 steps, $8 outcome, $9 error id
UPDATE velo.turns
SET state = $4, answer_id = $5, usage = $6, steps = $7, outcome = $8, error_id = $9, ended_at = now(), lease_owner = NULL
WHERE tenant_id = $1 AND id = $2 AND lease_owner = $3 AND state IN ('running', 'stopping')
RETURNING id;

-- name: add_error
-- $1 tenant, $2 error id, $3 turn, $4 kind, $5 place, $6 detail
INSERT INTO velo.errors (tenant_id, id, turn_id, kind, place, detail) VALUES ($1, $2, $3, $4, $5, $6);

-- name: turn_of_member
-- A turn, why it failed, and the tenant's settings. $1 tenant, $2 turn, $3 member
SELECT t.id, t.thread_id, t.question_id, t.answer_id, t.state, t.model, t.prompt_version, t.software_version, t.usage, t.steps, t.outcome,
    t.error_id, e.kind AS error_kind, (SELECT s.settings FROM velo.tenants AS s WHERE s.tenant_id = $1) AS settings
FROM velo.turns AS t
LEFT JOIN velo.errors AS e ON e.tenant_id = t.tenant_id AND e.id = t.error_id
WHERE t.tenant_id = $1 AND t.id = $2 AND t.member_id = $3;

-- name: stop_turn
-- Whether the turn runs and is now to stop. $1 tenant, $2 turn, $3 member
UPDATE velo.turns SET state = 'stopping' WHERE tenant_id = $1 AND id = $2 AND member_id = $3 AND state IN ('queued', 'running', 'stopping')
RETURNING true;

-- name: tell_stop
-- Tells whoever performs a turn to stop. $1 channel, $2 which turn
SELECT pg_notify($1, $2);

-- name: stopping_of_owner
-- The turns of a process that were asked to stop. $1 tenant, $2 ids, $3 lease owner
SELECT id FROM velo.turns WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) AND lease_owner = $3 AND state = 'stopping';

-- name: threads_of_member
-- The latest first. $1 tenant, $2 member
SELECT id, created_at, updated_at FROM velo.threads WHERE tenant_id = $1 AND member_id = $2 ORDER BY updated_at DESC, id DESC LIMIT 200;

-- name: thread_of_member
-- $1 tenant, $2 thread, $3 member
SELECT id FROM velo.threads WHERE tenant_id = $1 AND id = $2 AND member_id = $3;

-- name: settings_of_tenant
-- $1 tenant
SELECT settings FROM velo.tenants WHERE tenant_id = $1;
