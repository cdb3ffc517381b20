-- name: tenant_exists
-- Whether this tenant is there. $1 tenant
SELECT EXISTS (SELECT FROM velo.tenants WHERE tenant_id = $1);

-- name: add_tenant
-- $1 tenant, $2 name, $3 settings as JSON text, $4 when
INSERT INTO velo.tenants (tenant_id, name, settings, created_at)
VALUES ($1, $2, $3::text::jsonb, $4);

-- name: add_issuer
-- Tokens that Velo itself signs. $1 tenant
INSERT INTO velo.issuers (tenant_id, issuer)
VALUES ($1, 'velo');

-- name: move_sequence
-- Ids given by the database go on after those given here. $1 table, $2 column, $3 the highest id given
SELECT setval(sequence, greatest($3::bigint, coalesce(pg_sequence_last_value(sequence), 1)))
FROM CAST(pg_get_serial_sequence($1::text, $2::text) AS regclass) AS sequence;

-- name: add_members
-- $1 rows as a JSON array in text
INSERT INTO crm.members (tenant_id, id, name, email, role, created_at)
SELECT tenant_id, id, name, email, role, created_at
FROM jsonb_populate_recordset(NULL::crm.members, $1::text::jsonb);

-- name: add_companies
-- $1 rows as a JSON array in text
INSERT INTO crm.companies (tenant_id, id, name, legal_id, city, created_at)
SELECT tenant_id, id, name, legal_id, city, created_at
FROM jsonb_populate_recordset(NULL::crm.companies, $1::text::jsonb);

-- name: add_contacts
-- $1 rows as a JSON array in text
INSERT INTO crm.contacts (tenant_id, id, name, phone, email, national_id, aliases, company_id, state, created_at)
SELECT tenant_id, id, name, phone, email, national_id, aliases, company_id, state, created_at
FROM jsonb_populate_recordset(NULL::crm.contacts, $1::text::jsonb);

-- name: add_inboxes
-- $1 rows as a JSON array in text
INSERT INTO crm.inboxes (tenant_id, id, name, channel, created_at)
SELECT tenant_id, id, name, channel, created_at
FROM jsonb_populate_recordset(NULL::crm.inboxes, $1::text::jsonb);

-- name: add_inbox_members
-- $1 rows as a JSON array in text
INSERT INTO crm.inbox_members (tenant_id, inbox_id, member_id)
SELECT tenant_id, inbox_id, member_id
FROM jsonb_populate_recordset(NULL::crm.inbox_members, $1::text::jsonb);

-- name: add_conversations
-- $1 rows as a JSON array in text
INSERT INTO crm.conversations (tenant_id, id, contact_id, inbox_id, assignee_id, status, subject, priority, created_at)
SELECT tenant_id, id, contact_id, inbox_id, assignee_id, status, subject, priority, created_at
FROM jsonb_populate_recordset(NULL::crm.conversations, $1::text::jsonb);

-- name: add_messages
-- $1 rows as a JSON array in text
INSERT INTO crm.messages (tenant_id, id, conversation_id, author_kind, member_id, body, private, created_at)
SELECT tenant_id, id, conversation_id, author_kind, member_id, body, private, created_at
FROM jsonb_populate_recordset(NULL::crm.messages, $1::text::jsonb);

-- name: add_labels
-- $1 rows as a JSON array in text
INSERT INTO crm.labels (tenant_id, id, name)
SELECT tenant_id, id, name
FROM jsonb_populate_recordset(NULL::crm.labels, $1::text::jsonb);

-- name: add_contact_labels
-- $1 rows as a JSON array in text
INSERT INTO crm.contact_labels (tenant_id, contact_id, label_id)
SELECT tenant_id, contact_id, label_id
FROM jsonb_populate_recordset(NULL::crm.contact_labels, $1::text::jsonb);

-- name: add_conversation_labels
-- $1 rows as a JSON array in text
INSERT INTO crm.conversation_labels (tenant_id, conversation_id, label_id)
SELECT tenant_id, conversation_id, label_id
FROM jsonb_populate_recordset(NULL::crm.conversation_labels, $1::text::jsonb);

-- name: add_notes
-- $1 rows as a JSON array in text
INSERT INTO crm.notes (tenant_id, id, contact_id, author_id, body, created_at)
SELECT tenant_id, id, contact_id, author_id, body, created_at
FROM jsonb_populate_recordset(NULL::crm.notes, $1::text::jsonb);

-- name: add_campaigns
-- $1 rows as a JSON array in text
INSERT INTO crm.campaigns (tenant_id, id, name, channel, state, starts_at, ends_at, sent, delivered, opened, replied)
SELECT tenant_id, id, name, channel, state, starts_at, ends_at, sent, delivered, opened, replied
FROM jsonb_populate_recordset(NULL::crm.campaigns, $1::text::jsonb);

-- name: add_deals
-- $1 rows as a JSON array in text
INSERT INTO crm.deals (tenant_id, id, contact_id, company_id, owner_id, title, stage, amount, currency, expected_close, created_at)
SELECT tenant_id, id, contact_id, company_id, owner_id, title, stage, amount, currency, expected_close, created_at
FROM jsonb_populate_recordset(NULL::crm.deals, $1::text::jsonb);

-- name: forms_of_words
-- How each word stands in the forms of a contact's name: alone, and as a part of the whole name. $1 words
SELECT word, ARRAY(SELECT crm.forms_of_name('contact', word)) AS alone, array_to_string(crm.words(word), ' ') AS inside
FROM unnest($1::text[]) AS word;

-- name: begin_bulk
-- Tables of the session for rows on their way, and triggers that learn row by row set aside: these rows bring along what would be learnt.
CREATE TEMPORARY TABLE crowd_contacts (LIKE crm.contacts) ON COMMIT DROP;
CREATE TEMPORARY TABLE crowd_name_forms (LIKE crm.name_forms) ON COMMIT DROP;
CREATE TEMPORARY TABLE crowd_value_forms (LIKE crm.value_forms) ON COMMIT DROP;
CREATE TEMPORARY TABLE crowd_contact_labels (LIKE crm.contact_labels) ON COMMIT DROP;
CREATE TEMPORARY TABLE crowd_conversations (LIKE crm.conversations) ON COMMIT DROP;
CREATE TEMPORARY TABLE crowd_messages (LIKE crm.messages) ON COMMIT DROP;
CREATE TEMPORARY TABLE crowd_notes (LIKE crm.notes) ON COMMIT DROP;
CREATE TEMPORARY TABLE crowd_deals (LIKE crm.deals) ON COMMIT DROP;
ALTER TABLE crm.contacts DISABLE TRIGGER learn_rows;
ALTER TABLE crm.messages DISABLE TRIGGER follow_new_messages;
SET LOCAL statement_timeout = 0;

-- name: move_crowd
-- The rows on their way into the CRM, in the order in which foreign keys allow.
INSERT INTO crm.contacts (
    tenant_id, id, name, phone, email, national_id, aliases, company_id, state, created_at, last_contact_at
)
SELECT tenant_id, id, name, phone, email, national_id, aliases, company_id, state, created_at, last_contact_at
FROM crowd_contacts;
INSERT INTO crm.name_forms (tenant_id, form, kind, entity_id, former)
SELECT tenant_id, form, kind, entity_id, former
FROM crowd_name_forms;
INSERT INTO crm.value_forms (tenant_id, value_kind, form, kind, entity_id)
SELECT tenant_id, value_kind, form, kind, entity_id
FROM crowd_value_forms;
INSERT INTO crm.contact_labels (tenant_id, contact_id, label_id)
SELECT tenant_id, contact_id, label_id
FROM crowd_contact_labels;
INSERT INTO crm.conversations (
    tenant_id, id, contact_id, inbox_id, assignee_id, status, subject, priority, created_at, last_message_at, waiting_since
)
SELECT tenant_id, id, contact_id, inbox_id, assignee_id, status, subject, priority, created_at, last_message_at, waiting_since
FROM crowd_conversations;
INSERT INTO crm.messages (tenant_id, id, conversation_id, author_kind, member_id, body, private, created_at)
SELECT tenant_id, id, conversation_id, author_kind, member_id, body, private, created_at
FROM crowd_messages;
INSERT INTO crm.notes (tenant_id, id, contact_id, author_id, body, created_at)
SELECT tenant_id, id, contact_id, author_id, body, created_at
FROM crowd_notes;
INSERT INTO crm.deals (
    tenant_id, id, contact_id, company_id, owner_id, title, stage, amount, currency, expected_close, created_at
)
SELECT tenant_id, id, contact_id, company_id, owner_id, title, stage, amount, currency, expected_close, created_at
FROM crowd_deals;
TRUNCATE
    crowd_contacts, crowd_name_forms, crowd_value_forms, crowd_contact_labels, crowd_conversations, crowd_messages, crowd_notes, crowd_deals;

-- name: end_bulk
-- The triggers back in place, and what the planner must know of the new rows.
ALTER TABLE crm.contacts ENABLE TRIGGER learn_rows;
ALTER TABLE crm.messages ENABLE TRIGGER follow_new_messages;
ANALYZE crm.contacts, crm.name_forms, crm.value_forms, crm.contact_labels, crm.conversations, crm.messages, crm.notes, crm.deals;
