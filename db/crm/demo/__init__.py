"""The demo CRM: tables, triggers and views in numbered .sql files, and three shops full of invented people (seed.py)."""
