-- When a conversation was last resolved. It stays when the conversation is opened again, so that what was said before
-- can be told from what came after; NULL where nobody saw it happen.

ALTER TABLE crm.conversations ADD COLUMN resolved_at timestamptz;

-- Nobody waits in a resolved conversation; opened again, the wait goes on from where it began.
CREATE OR REPLACE FUNCTION crm.follow_status() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    NEW.waiting_since := CASE WHEN NEW.status <> 'resolved' THEN crm.waiting_since(NEW.tenant_id, NEW.id) END;
    IF NEW.status = 'resolved' AND OLD.status <> 'resolved' AND NEW.resolved_at IS NOT DISTINCT FROM OLD.resolved_at THEN
        NEW.resolved_at := now();
    END IF;
    RETURN NEW;
END
$$;
