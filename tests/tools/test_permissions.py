"""The table of permissions, read aloud."""

from dataclasses import replace
from typing import cast

import pytest

from tests.tools.world import ADMIN, AGENT_1, SUPERVISOR
from tools.permissions import ALLOWED, Actor, Allowed, Permission, Refused, Role, decide
from tools.refusals import Reason


@pytest.mark.parametrize("permission", Permission)
@pytest.mark.parametrize("actor", [AGENT_1, SUPERVISOR, ADMIN], ids=lambda actor: actor.role)
def test_every_role_may_read(actor: Actor, permission: Permission):
    assert decide(actor, permission) == Allowed()


def test_every_permission_has_a_row():
    assert set(ALLOWED) == set(Permission)


@pytest.mark.parametrize("permission", ["read_everything", ""])
def test_a_permission_without_a_row_is_denied(permission: str):
    assert decide(ADMIN, cast(Permission, permission)) == Refused(Reason.NOT_ALLOWED)


def test_a_role_that_no_row_names_is_denied():
    stranger = replace(AGENT_1, role=cast(Role, "owner"))
    assert decide(stranger, Permission.READ_TEAM) == Refused(Reason.NOT_ALLOWED)
