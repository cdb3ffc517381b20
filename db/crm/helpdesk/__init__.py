"""A self-hosted help desk whose tables live in a schema of their own, read and never written."""
