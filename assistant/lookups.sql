-- name: freshen
-- Learns what a CRM that tells nobody has changed. $1 tenant
SELECT crm.freshen($1::bigint);
