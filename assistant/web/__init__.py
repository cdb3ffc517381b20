"""The pages that people see. They talk to Velo only through /api/assistant, as any other client could."""
