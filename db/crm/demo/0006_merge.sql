-- Merging two contacts who are one person. The survivor bears the names and values of both, so that what was masked
-- stays masked.
CREATE FUNCTION crm.merge_contacts(p_from bigint, p_into bigint) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    tenant bigint := nullif(current_setting('velo.tenant_id', true), '')::bigint;
    source crm.contacts;
BEGIN
    IF p_from = p_into THEN
        RAISE EXCEPTION 'contact % cannot be merged into itself', p_from USING ERRCODE = 'invalid_parameter_value';
    END IF;
    -- Both rows are locked in the order of their ids: two merges the other way round wait for one another instead of
    -- dying.
    PERFORM FROM crm.contacts WHERE tenant_id = tenant AND id IN (p_from, p_into) ORDER BY id FOR UPDATE;
    IF (SELECT count(*) FROM crm.contacts WHERE tenant_id = tenant AND id IN (p_from, p_into)) < 2 THEN
        RAISE EXCEPTION 'contact % or % does not exist', p_from, p_into USING ERRCODE = 'no_data_found';
    END IF;
    SELECT * INTO source FROM crm.contacts WHERE tenant_id = tenant AND id = p_from;

    UPDATE crm.conversations SET contact_id = p_into WHERE tenant_id = tenant AND contact_id = p_from;
    UPDATE crm.notes SET contact_id = p_into WHERE tenant_id = tenant AND contact_id = p_from;
    UPDATE crm.deals SET contact_id = p_into WHERE tenant_id = tenant AND contact_id = p_from;
    INSERT INTO crm.contact_labels (tenant_id, contact_id, label_id)
    SELECT tenant_id, p_into, label_id FROM crm.contact_labels WHERE tenant_id = tenant AND contact_id = p_from
    ON CONFLICT DO NOTHING;

    INSERT INTO crm.name_forms (tenant_id, form, kind, entity_id, former)
    SELECT tenant_id, form, kind, p_into, true
    FROM crm.name_forms
    WHERE tenant_id = tenant AND kind = 'contact' AND entity_id = p_from
    ON CONFLICT DO NOTHING;
    INSERT INTO crm.value_forms (tenant_id, value_kind, form, kind, entity_id)
    SELECT tenant_id, value_kind, form, kind, p_into
    FROM crm.value_forms
    WHERE tenant_id = tenant AND kind = 'contact' AND entity_id = p_from
    ON CONFLICT DO NOTHING;

    UPDATE crm.merged SET into_id = p_into WHERE tenant_id = tenant AND kind = 'contact' AND into_id = p_from;
    INSERT INTO crm.merged (tenant_id, kind, entity_id, into_id) VALUES (tenant, 'contact', p_from, p_into);
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
