-- Which account of the help desk is which tenant. Everything else in schema crm begins at crm.here: one row, or none
-- when no tenant is set. The views run with their owner's rights, who may read the help desk; nobody else of ours may.

CREATE TABLE crm.accounts (
    tenant_id bigint PRIMARY KEY,
    account text NOT NULL
);
CALL velo.fence('crm.accounts');

CREATE VIEW crm.here AS
SELECT tenant_id, account
FROM crm.accounts
WHERE tenant_id = nullif(current_setting('velo.tenant_id', true), '')::bigint;

-- The tenant that an account was opened for, seen across the fence: a key that held across tenants could not be
-- distributed by tenant.
CREATE FUNCTION crm.tenant_of_account(p_account text) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT tenant_id FROM crm.accounts WHERE account = p_account
$$;
CREATE POLICY listing ON crm.accounts FOR SELECT TO velo_search USING (true);
GRANT USAGE, CREATE ON SCHEMA crm TO velo_search;
GRANT SELECT ON crm.accounts TO velo_search;
REVOKE ALL ON FUNCTION crm.tenant_of_account(text) FROM PUBLIC;
ALTER FUNCTION crm.tenant_of_account(text) OWNER TO velo_search;
REVOKE CREATE ON SCHEMA crm FROM velo_search;
SET LOCAL ROLE velo_search;
GRANT EXECUTE ON FUNCTION crm.tenant_of_account(text) TO velo_owner;
RESET ROLE;

-- Opens an account for the tenant of this transaction and learns all that is in it; gives how many entities that were.
-- VL004: the help desk has no such account. VL005: it, or the tenant, is taken.
CREATE FUNCTION crm.open_account(p_tenant bigint, p_account text) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    LOCK TABLE crm.accounts IN SHARE ROW EXCLUSIVE MODE;
    IF NOT EXISTS (SELECT FROM helpdesk.accounts WHERE key = p_account) THEN
        RAISE EXCEPTION 'the help desk has no such account' USING ERRCODE = 'VL004';
    END IF;
    IF crm.tenant_of_account(p_account) IS NOT NULL OR EXISTS (SELECT FROM crm.accounts WHERE tenant_id = p_tenant) THEN
        RAISE EXCEPTION 'the account belongs to a tenant, or the tenant has an account' USING ERRCODE = 'VL005';
    END IF;
    INSERT INTO crm.accounts (tenant_id, account) VALUES (p_tenant, p_account);
    RETURN crm.reconcile(p_tenant);
END
$$;
REVOKE ALL ON FUNCTION crm.open_account(bigint, text) FROM PUBLIC;

GRANT USAGE ON SCHEMA crm TO velo_app;
GRANT SELECT ON crm.accounts TO velo_app;
