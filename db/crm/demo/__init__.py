"""The demo CRM: tables, triggers and views in numbered .sql files, and two shops full of invented people (seed.py)."""
