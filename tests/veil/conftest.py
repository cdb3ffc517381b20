"""The two modules of the veil that see Postgres are tested in the house of the laws."""

from tests.laws.conftest import filled, house, house_dsn

__all__ = ["filled", "house", "house_dsn"]
