"""What can go wrong in the tools that is our mistake; what the model does wrong is a ``Declined``, never an exception.

::

    ToolsError
    └── MisdeclaredTool    a row of the catalogue breaks a rule of the catalogue (found at start)
"""


class ToolsError(Exception):
    """Root of all errors of this package."""


class MisdeclaredTool(ToolsError):
    """A tool whose name, descriptions or arguments break a rule of the catalogue."""
