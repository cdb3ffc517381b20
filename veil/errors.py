"""What can go wrong in the veil. Texts carry tokens, field names and counts, never a value.

::

    VeilError
    ├── UnclassifiedField    a tool's result does not say how a field crosses (a mistake of ours, found at start)
    ├── TokensExhausted      a thread has used up the numbers of one kind
    ├── Leak                 the egress guard found an identifier twice: nothing was sent
    └── DetectorMissing      the model for names is switched on and cannot be used (found at start)
"""


class VeilError(Exception):
    """Root of all errors of this package."""


class UnclassifiedField(VeilError):
    """A field of a tool's result has no crossing class, or a type which its class does not allow."""


class TokensExhausted(VeilError):
    """A kind of entity has no number left in this thread."""


class Leak(VeilError):
    """What was to be sent still held an identifier after it had been masked in place."""


class DetectorMissing(VeilError):
    """The detector that the settings ask for is not installed or does not load; says what to do."""
