-- A request is recorded before it leaves, so that what left is known whatever becomes of the process; what came back has a row of its own.

CREATE TABLE velo.model_replies (
    tenant_id bigint NOT NULL,
    call_id bigint NOT NULL,
    response bytea,
    response_sha256 bytea,
    status text NOT NULL,
    received_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, call_id),
    FOREIGN KEY (tenant_id, call_id) REFERENCES velo.model_calls ON DELETE CASCADE
);

-- Without a tenant set even the owner sees no row of a fenced table.
ALTER TABLE velo.model_calls NO FORCE ROW LEVEL SECURITY;
INSERT INTO velo.model_replies (tenant_id, call_id, response, response_sha256, status, received_at)
SELECT tenant_id, id, response, response_sha256, status, coalesce(received_at, sent_at)
FROM velo.model_calls;
ALTER TABLE velo.model_calls FORCE ROW LEVEL SECURITY;

ALTER TABLE velo.model_calls
    DROP COLUMN response,
    DROP COLUMN response_sha256,
    DROP COLUMN status,
    DROP COLUMN received_at;

CALL velo.fence('velo.model_replies');
GRANT SELECT, INSERT ON velo.model_replies TO velo_app;
