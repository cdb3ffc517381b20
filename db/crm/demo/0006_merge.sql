-- Merging two contacts who are one person. The survivor bears the names and values of both, so that what was masked
-- stays masked. That hangs on the row of crm.merged alone: whoever writes it may delete the contact afterwards.

-- Where a merger leads: a survivor that was itself merged away is not one. Both rows are locked in the order of their
-- ids, so that two mergers at once wait for one another.
CREATE FUNCTION crm.find_survivor() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
    further bigint;
BEGIN
    LOOP
        PERFORM FROM crm.contacts
        WHERE tenant_id = NEW.tenant_id AND id IN (NEW.entity_id, NEW.into_id)
        ORDER BY id
        FOR UPDATE;
        SELECT into_id INTO further
        FROM crm.merged
        WHERE tenant_id = NEW.tenant_id AND kind = NEW.kind AND entity_id = NEW.into_id;
        EXIT WHEN NOT FOUND;
        NEW.into_id := further;
    END LOOP;
    IF NEW.into_id = NEW.entity_id THEN
        RAISE EXCEPTION 'contact % cannot be merged into itself', NEW.entity_id
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION crm.learn_merger() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE crm.merged
    SET into_id = NEW.into_id
    WHERE tenant_id = NEW.tenant_id AND kind = NEW.kind AND into_id = NEW.entity_id;

    INSERT INTO crm.name_forms (tenant_id, form, kind, entity_id, former)
    SELECT tenant_id, form, kind, NEW.into_id, true
    FROM crm.name_forms
    WHERE tenant_id = NEW.tenant_id AND kind = NEW.kind AND entity_id = NEW.entity_id
    ON CONFLICT DO NOTHING;

    INSERT INTO crm.value_forms (tenant_id, value_kind, form, kind, entity_id)
    SELECT tenant_id, value_kind, form, kind, NEW.into_id
    FROM crm.value_forms
    WHERE tenant_id = NEW.tenant_id AND kind = NEW.kind AND entity_id = NEW.entity_id
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE TRIGGER find_survivor BEFORE INSERT ON crm.merged
FOR EACH ROW EXECUTE FUNCTION crm.find_survivor();
CREATE TRIGGER learn_merger AFTER INSERT ON crm.merged
FOR EACH ROW EXECUTE FUNCTION crm.learn_merger();

-- The whole merger: what the contact had moves to the survivor, who keeps what both have.
CREATE FUNCTION crm.merge_contacts(p_from bigint, p_into bigint) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    tenant bigint := nullif(current_setting('velo.tenant_id', true), '')::bigint;
    source crm.contacts;
BEGIN
    INSERT INTO crm.merged (tenant_id, kind, entity_id, into_id)
    VALUES (tenant, 'contact', p_from, p_into)
    RETURNING into_id INTO p_into;
    SELECT * INTO source FROM crm.contacts WHERE tenant_id = tenant AND id = p_from;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'contact % does not exist', p_from USING ERRCODE = 'no_data_found';
    END IF;

    UPDATE crm.conversations SET contact_id = p_into WHERE tenant_id = tenant AND contact_id = p_from;
    UPDATE crm.notes SET contact_id = p_into WHERE tenant_id = tenant AND contact_id = p_from;
    UPDATE crm.deals SET contact_id = p_into WHERE tenant_id = tenant AND contact_id = p_from;
    INSERT INTO crm.contact_labels (tenant_id, contact_id, label_id)
    SELECT tenant_id, p_into, label_id FROM crm.contact_labels WHERE tenant_id = tenant AND contact_id = p_from
    ON CONFLICT DO NOTHING;
    DELETE FROM crm.contacts WHERE tenant_id = tenant AND id = p_from;

    UPDATE crm.contacts
    SET phone = coalesce(phone, source.phone),
        email = coalesce(email, source.email),
        national_id = coalesce(national_id, source.national_id),
        company_id = coalesce(company_id, source.company_id),
        last_contact_at = greatest(last_contact_at, source.last_contact_at)
    WHERE tenant_id = tenant AND id = p_into;
END
$$;
