"""What the assistant can look up in the CRM: one literal catalogue, one noun a module with its SQL beside it."""
