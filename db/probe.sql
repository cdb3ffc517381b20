-- name: powers_of_this_role
-- Roles above row-level security, or owning what it guards, that the current role is or may become.
SELECT
    rolname AS role,
    rolsuper AS superuser,
    rolbypassrls AS bypasses
FROM pg_roles
WHERE pg_has_role(current_user, oid, 'MEMBER')
    AND (rolsuper OR rolbypassrls OR rolname IN ('velo_owner', 'velo_search'))
ORDER BY rolname;

-- name: relations_of_this_role
-- What the current role owns.
SELECT format('%I.%I', n.nspname, c.relname) AS relation
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relowner = (SELECT oid FROM pg_roles WHERE rolname = current_user)
    AND c.relpersistence <> 't'
ORDER BY 1;

-- name: readable_relations
-- Everything with a tenant_id that the current role may read: whether its fence stands (tables), and whether
-- tenant_id itself is among the readable columns. velo.tenant_ids is meant to list all tenants.
SELECT
    format('%I.%I', n.nspname, c.relname) AS relation,
    c.relkind IN ('v', 'f') OR (c.relrowsecurity AND c.relforcerowsecurity) AS fenced,
    has_column_privilege(c.oid, a.attnum, 'SELECT') AS tells_tenant
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND n.nspname NOT IN ('pg_catalog', 'information_schema')
    AND has_schema_privilege(n.oid, 'USAGE')
    AND has_any_column_privilege(c.oid, 'SELECT')
    AND (n.nspname, c.relname) <> ('velo', 'tenant_ids')
ORDER BY 1;

-- name: definer_functions_above_the_fence
-- Functions that the current role may call and that run as a role above row-level security.
SELECT p.oid::regprocedure::text AS function
FROM pg_proc p
JOIN pg_roles r ON r.oid = p.proowner
JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE p.prosecdef
    AND (r.rolsuper OR r.rolbypassrls)
    AND n.nspname NOT IN ('pg_catalog', 'information_schema')
    AND has_schema_privilege(n.oid, 'USAGE')
    AND has_function_privilege(p.oid, 'EXECUTE')
ORDER BY 1;

-- name: may_set_config
-- Whether the current role may change the tenant inside an expression.
SELECT has_function_privilege('pg_catalog.set_config(text, text, boolean)', 'EXECUTE');

-- name: sample_of_tenants
-- The first and the last tenant.
SELECT min(tenant_id) AS first, max(tenant_id) AS last
FROM velo.tenant_ids;

-- name: relations_past_the_views
-- Of the schemas that views of crm draw from (a foreign CRM's own), the relations that the current role may use directly.
SELECT format('%I.%I', n.nspname, c.relname) AS relation
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND n.nspname NOT IN ('crm', 'velo', 'pg_catalog', 'information_schema')
    AND n.oid IN (
        SELECT source.relnamespace
        FROM pg_class v
        JOIN pg_namespace ours ON ours.oid = v.relnamespace AND ours.nspname = 'crm'
        JOIN pg_rewrite rule ON rule.ev_class = v.oid
        JOIN pg_depend d
            ON d.classid = 'pg_rewrite'::regclass AND d.objid = rule.oid AND d.refclassid = 'pg_class'::regclass
        JOIN pg_class source ON source.oid = d.refobjid
    )
    AND has_schema_privilege(n.oid, 'USAGE')
    AND (has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE') OR has_table_privilege(c.oid, 'DELETE, TRUNCATE'))
ORDER BY 1;
