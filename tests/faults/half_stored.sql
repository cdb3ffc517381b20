-- name: open_turn
-- A turn that nobody ended.
SELECT id FROM velo.turns WHERE state IN ('queued', 'running', 'stopping');

-- name: done_without_answer
SELECT id FROM velo.turns WHERE state = 'done' AND answer_id IS NULL;

-- name: ended_without_time
SELECT id FROM velo.turns WHERE ended_at IS NULL OR lease_owner IS NOT NULL;

-- name: answer_of_no_turn
-- An answer that its turn does not know.
SELECT m.id
FROM velo.messages AS m
JOIN velo.turns AS t USING (tenant_id, thread_id)
WHERE m.turn_id = t.id AND m.role = 'assistant' AND m.id IS DISTINCT FROM t.answer_id;

-- name: question_of_no_turn
SELECT m.id
FROM velo.messages AS m
JOIN velo.turns AS t USING (tenant_id, thread_id)
WHERE m.turn_id = t.id AND m.role = 'user' AND m.id IS DISTINCT FROM t.question_id;

-- name: turn_without_question
SELECT id FROM velo.turns WHERE question_id IS NULL;

-- name: message_beside_the_path
-- Nobody edits here, so each message has one follower at most.
SELECT parent_id FROM velo.messages WHERE parent_id IS NOT NULL GROUP BY parent_id HAVING count(*) > 1;

-- name: calls_without_results
-- Calls of a turn that went on to an answer without their results.
SELECT c.id
FROM velo.messages AS c
JOIN velo.turns AS t ON t.tenant_id = c.tenant_id AND t.id = c.turn_id AND t.state = 'done'
WHERE c.role = 'calls' AND jsonb_array_length(c.calls) <> (
    SELECT count(*)
    FROM velo.messages AS r
    WHERE r.turn_id = c.turn_id AND r.role = 'tool' AND r.calls -> 0 ->> 'id' IN (SELECT x ->> 'id' FROM jsonb_array_elements(c.calls) AS x)
);

-- name: gap_in_events
SELECT turn_id FROM velo.turn_events GROUP BY turn_id HAVING max(seq) <> count(*) OR min(seq) <> 1;

-- name: last_event_of_no_end
-- The table says that a turn ended, or in another way, than its row does.
SELECT t.id
FROM velo.turn_events AS e
JOIN velo.turns AS t ON t.tenant_id = e.tenant_id AND t.id = e.turn_id
WHERE e.kind IN ('turn.done', 'turn.failed', 'turn.stopped')
    AND e.kind <> CASE t.state WHEN 'done' THEN 'turn.done' WHEN 'stopped' THEN 'turn.stopped' ELSE 'turn.failed' END;

-- name: done_without_last_event
SELECT t.id
FROM velo.turns AS t
WHERE t.state IN ('done', 'stopped', 'failed') AND NOT EXISTS (
    SELECT FROM velo.turn_events AS e
    WHERE e.turn_id = t.id AND e.kind IN ('turn.done', 'turn.failed', 'turn.stopped')
);

-- name: entity_with_two_tokens
SELECT thread_id FROM velo.tokens WHERE entity_id IS NOT NULL GROUP BY thread_id, kind, entity_id HAVING count(*) > 1;

-- name: token_above_its_counter
-- A number that could be given again.
SELECT t.thread_id
FROM velo.tokens AS t
LEFT JOIN velo.token_counters AS c USING (tenant_id, thread_id, kind)
WHERE t.number > coalesce(c.last, 0) AND t.state NOT IN ('reserved', 'literal');
