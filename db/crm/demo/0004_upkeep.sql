-- What a conversation and a contact know of their messages: when the last one was, and since when the person waits.
-- Private messages are no contact.

-- The first of the person's messages that nobody has answered yet; NULL when all are answered.
CREATE FUNCTION crm.waiting_since(p_tenant bigint, p_conversation bigint) RETURNS timestamptz
LANGUAGE sql STABLE
AS $$
    SELECT min(asked.created_at)
    FROM crm.messages AS asked
    WHERE asked.tenant_id = p_tenant
        AND asked.conversation_id = p_conversation
        AND asked.author_kind = 'contact'
        AND NOT EXISTS (
            SELECT
            FROM crm.messages AS answer
            WHERE answer.tenant_id = p_tenant
                AND answer.conversation_id = p_conversation
                AND answer.author_kind = 'member'
                AND NOT answer.private
                AND (answer.created_at, answer.id) > (asked.created_at, asked.id)
        )
$$;

CREATE FUNCTION crm.follow_messages() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE crm.conversations
    SET last_message_at = (
            SELECT max(message.created_at)
            FROM crm.messages AS message
            WHERE message.tenant_id = conversations.tenant_id
                AND message.conversation_id = conversations.id
                AND NOT message.private
        ),
        waiting_since = CASE WHEN status <> 'resolved' THEN crm.waiting_since(tenant_id, id) END
    WHERE (tenant_id, id) IN (SELECT tenant_id, conversation_id FROM changed);

    UPDATE crm.contacts
    SET last_contact_at = (
        SELECT max(conversation.last_message_at)
        FROM crm.conversations AS conversation
        WHERE conversation.tenant_id = contacts.tenant_id AND conversation.contact_id = contacts.id
    )
    WHERE (tenant_id, id) IN (
        SELECT conversation.tenant_id, conversation.contact_id
        FROM changed
        JOIN crm.conversations AS conversation
            ON conversation.tenant_id = changed.tenant_id AND conversation.id = changed.conversation_id
    );
    RETURN NULL;
END
$$;

CREATE TRIGGER follow_new_messages AFTER INSERT ON crm.messages
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION crm.follow_messages();
CREATE TRIGGER follow_edited_messages AFTER UPDATE ON crm.messages
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION crm.follow_messages();
CREATE TRIGGER follow_deleted_messages AFTER DELETE ON crm.messages
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION crm.follow_messages();

-- Nobody waits in a resolved conversation; opened again, the wait goes on from where it began.
CREATE FUNCTION crm.follow_status() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    NEW.waiting_since := CASE WHEN NEW.status <> 'resolved' THEN crm.waiting_since(NEW.tenant_id, NEW.id) END;
    RETURN NEW;
END
$$;

CREATE TRIGGER follow_status BEFORE UPDATE OF status ON crm.conversations
FOR EACH ROW EXECUTE FUNCTION crm.follow_status();
