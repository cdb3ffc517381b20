-- Whether a process still lives. Each holds a shared advisory lock on its own id for as long as it runs (db/listening.py);
-- Postgres lets go of it with the connection, whatever end the process came to. Tried exclusively and never waited for.
--
-- Nobody counts as gone while no session of ours is three seconds old: Postgres was started, or dropped everybody since one of its processes was
-- killed, and those who live come back within that time.
CREATE FUNCTION velo.gone(p_owner uuid) RETURNS boolean
LANGUAGE sql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT (SELECT min(backend_start) FROM pg_stat_activity WHERE usename = current_user) < clock_timestamp() - interval '3 seconds'
    AND pg_try_advisory_xact_lock(hashtextextended(p_owner::text, 0))
$$;
REVOKE ALL ON FUNCTION velo.gone(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION velo.gone(uuid) TO velo_app;

-- Whether a turn's lease counts no more: it has run out, or the turn was silent for six seconds (the lease is 60, a sign of life comes every
-- five) and its process is gone. Silence alone is none, and neither is a connection that was lost and is back at once.
CREATE FUNCTION velo.is_abandoned(p_owner uuid, p_until timestamptz) RETURNS boolean
LANGUAGE sql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT p_until < now() OR (p_until < now() + interval '54 seconds' AND velo.gone(p_owner))
$$;
REVOKE ALL ON FUNCTION velo.is_abandoned(uuid, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION velo.is_abandoned(uuid, timestamptz) TO velo_app;
