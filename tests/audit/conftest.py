"""The record is tested in the house of the laws."""

from tests.laws.conftest import filled, house, house_dsn

__all__ = ["filled", "house", "house_dsn"]
