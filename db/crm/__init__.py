"""Presets: each folder gives schema crm for one kind of CRM, its numbered .sql files applied by db.migrate."""
