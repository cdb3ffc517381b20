"""The record of what left the house."""
