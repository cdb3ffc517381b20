-- What is kept for a day only is found by its age.

CREATE INDEX turns_with_key ON velo.turns (tenant_id, created_at) WHERE body_hash IS NOT NULL;
CREATE INDEX threads_with_key ON velo.threads (tenant_id, created_at) WHERE body_hash IS NOT NULL;
