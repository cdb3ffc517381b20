"""Postgres: the pool, the roles, tenancy, the migrations and the embedded server.

The only package that knows the driver; what leaves it are plain rows and the errors of `db.errors`.
"""
