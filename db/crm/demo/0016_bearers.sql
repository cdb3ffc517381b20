-- Of a name that thousands bear the first ones are wanted, in the order of kind and id: then the index alone gives them.
DROP INDEX crm.name_forms_by_form;
CREATE INDEX name_forms_by_form ON crm.name_forms (tenant_id, form, kind, entity_id);
