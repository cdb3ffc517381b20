"""What can go wrong between a member's question and its answer.

::

    AssistantError               carries all that the outside may learn: status, code, title, detail
    ├── BadRequest      400      the request cannot be understood; the detail says what, where and what to do
    ├── Unprocessable   422      the request is understood and cannot be done as it stands
    ├── KeyReused       422      an idempotency key came back with another body
    ├── Unauthorized    401      no token, or one that proves nothing
    ├── NotFound        404      no such thing for this member; whether it exists for others is not told
    ├── ThreadBusy      409      another turn holds the thread
    ├── TurnFailed      502      the turn ended without an answer; what went wrong is under its error id
    └── Unavailable     503      something the request needs is not there now; trying again may help
    ModelError                   the model gave no usable reply; texts hold nothing that the provider wrote
    ├── ModelUnavailable         it could not be reached, or it asks us to wait (``retry_after`` seconds)
    ├── ModelRejected            it refused the request; ``status`` is its HTTP status
    ├── ModelTimedOut            it took longer than the limit
    ├── ModelBroke               its answer broke off
    └── ModelMalformed           what it sent is no chat completion
    SettingsError                the environment or a tenant's settings do not fit; names variables, never their values

Details are sentences of ours with ids, tokens and field names: never a word of the request, the CRM or the provider.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar


class AssistantError(Exception):
    """Root of what a request can end in; subclasses say what it means."""

    status: ClassVar[int] = 500
    code: ClassVar[str] = "internal"
    title: ClassVar[str] = "Something went wrong"

    def __init__(
        self, detail: str, *, error_id: str | None = None, retry_after: int | None = None, concerns: Mapping[str, int] | None = None
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.error_id = error_id
        self.retry_after = retry_after
        self.concerns = dict(concerns or {})  # the ids of the thread and turn in which it happened


class BadRequest(AssistantError):
    """The request cannot be understood."""

    status = 400
    code = "bad_request"
    title = "The request cannot be understood"


class Unprocessable(AssistantError):
    """The request is understood and cannot be done as it stands."""

    status = 422
    code = "unprocessable"
    title = "The request cannot be done as it stands"


class KeyReused(AssistantError):
    """An idempotency key came back with another body."""

    status = 422
    code = "idempotency_key_reused"
    title = "The Idempotency-Key belongs to another request"


class Unauthorized(AssistantError):
    """No token, or one that proves nothing."""

    status = 401
    code = "unauthorized"
    title = "Sign in first"


class NotFound(AssistantError):
    """No such thing for this member."""

    status = 404
    code = "not_found"
    title = "There is no such thing"


class ThreadBusy(AssistantError):
    """Another turn holds the thread; nothing was stored."""

    status = 409
    code = "thread_busy"
    title = "The thread is answering another question"


class TurnFailed(AssistantError):
    """The turn ended without an answer; the next one works."""

    status = 502
    code = "turn_failed"
    title = "The question could not be answered"


class Unavailable(AssistantError):
    """Something the request needs is not there now."""

    status = 503
    code = "unavailable"
    title = "Not available now"


class ModelError(Exception):
    """Root of what the model can fail with."""


@dataclass(eq=False)
class ModelUnavailable(ModelError):
    """The model could not be reached, or asks us to wait."""

    retry_after: float | None = None

    def __str__(self) -> str:
        return "the model is not available"


@dataclass(eq=False)
class ModelRejected(ModelError):
    """The model's server refused the request."""

    status: int

    def __str__(self) -> str:
        return f"the model's server refused the request with status {self.status}"


class ModelTimedOut(ModelError):
    """The model took longer than the limit."""

    def __str__(self) -> str:
        return "the model took longer than the limit"


class ModelMalformed(ModelError):
    """What the model's server sent is no chat completion."""

    def __str__(self) -> str:
        return "the model's server sent no chat completion"


class ModelBroke(ModelError):
    """The model's answer broke off; what came of it is kept."""

    def __str__(self) -> str:
        return "the model's answer broke off"


class SettingsError(Exception):
    """The environment, or a tenant's settings, do not fit."""
