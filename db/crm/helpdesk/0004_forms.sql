-- What people type when they mean an entity, and what was learnt of each of the help desk's rows. These are tables of
-- ours: a look-up by form needs an index, and former names nobody else keeps. Look-ups use equality only.

CREATE TABLE crm.name_forms (
    tenant_id bigint NOT NULL,
    form text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('contact', 'member', 'company', 'inbox', 'campaign')),
    entity_id bigint NOT NULL,
    former boolean NOT NULL DEFAULT false,
    head text GENERATED ALWAYS AS (CASE WHEN form ~ '^[a-z]{7,26}$' THEN left(form, 3) END) STORED,
    tail text GENERATED ALWAYS AS (CASE WHEN form ~ '^[a-z]{7,26}$' THEN right(form, 3) END) STORED,
    PRIMARY KEY (tenant_id, kind, entity_id, form)
);
CREATE INDEX name_forms_by_form ON crm.name_forms (tenant_id, form, kind, entity_id);
CREATE INDEX name_forms_by_head ON crm.name_forms (tenant_id, head) WHERE head IS NOT NULL;
CREATE INDEX name_forms_by_tail ON crm.name_forms (tenant_id, tail) WHERE tail IS NOT NULL;

-- An inherited value is one of a person whom this one has absorbed.
CREATE TABLE crm.value_forms (
    tenant_id bigint NOT NULL,
    value_kind text NOT NULL CHECK (value_kind IN ('phone', 'email', 'id')),
    form text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('contact', 'member', 'company')),
    entity_id bigint NOT NULL,
    inherited boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tenant_id, kind, entity_id, value_kind, form)
);
CREATE INDEX value_forms_by_form ON crm.value_forms (tenant_id, value_kind, form);

-- What of a row was learnt last: a hash of its names and values.
CREATE TABLE crm.learnt (
    tenant_id bigint NOT NULL,
    kind text NOT NULL,
    source_key text NOT NULL,
    hash text NOT NULL,
    PRIMARY KEY (tenant_id, kind, source_key)
);

-- Up to when the help desk's changes have been looked at. No row: never.
CREATE TABLE crm.freshness (
    tenant_id bigint PRIMARY KEY,
    upto timestamptz NOT NULL
);

CALL velo.fence('crm.name_forms');
CALL velo.fence('crm.value_forms');
CALL velo.fence('crm.learnt');
CALL velo.fence('crm.freshness');
GRANT SELECT, INSERT, UPDATE, DELETE ON crm.name_forms, crm.value_forms, crm.learnt, crm.freshness TO velo_app;
