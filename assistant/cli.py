"""The command ``velo``: what can be said on the command line, and how it ends when something goes wrong.

Nobody at a terminal is shown a traceback: an expected error is one sentence, an unexpected one an id that also stands
in the log.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from typing import get_args

import structlog

from assistant import logging
from assistant.administration import FEWEST_CONTACTS
from assistant.errors import SettingsError
from assistant.http.errors import new_error_id, place_of
from assistant.jobs import JOBS
from assistant.settings import COUNTRIES, Language, Settings, TenantSettings, read_settings
from db.errors import DatabaseError
from tools.permissions import Role

log = structlog.get_logger()

_LONGEST_NAME = 200
_DEFAULTS = TenantSettings()

Command = Callable[[Settings, argparse.Namespace], None]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and gives its exit code."""
    options = parser().parse_args(arguments)
    try:
        settings = read_settings(demo=options.demo, serving=options.serving)
        logging.configure(settings.log_level)
        with logging.wordless():
            function_of(options.command)(settings, options)
    except (SettingsError, DatabaseError) as error:
        print(f"velo: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except Exception as error:
        _unexpected(error)
        return 1
    return 0


def function_of(command: str) -> Command:
    """The function of a command; its module is loaded only now, since those that serve take a second to load."""
    module, _, name = command.partition(".")
    function: Command = getattr(importlib.import_module(f"assistant.{module}"), name)
    return function


def _unexpected(error: Exception) -> None:
    error_id = new_error_id()
    log.error("command_failed", error_id=error_id, kind=type(error).__name__, place=place_of(error))
    if isinstance(error, ModuleNotFoundError) and error.name:  # the name of a module is nothing of anybody's
        print(f"velo: the module {error.name} is not installed (error {error_id}): install requirements.lock again", file=sys.stderr)
        return
    print(
        f"velo: something went wrong (error {error_id}, {type(error).__name__} at {place_of(error)}). "
        "This is a mistake of ours: please report it with this line.",
        file=sys.stderr,
    )


def parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    velo = argparse.ArgumentParser(prog="velo", description="Ask about your customers; the model sees tokens.")
    commands = velo.add_subparsers(required=True, metavar="COMMAND")
    serve = _add(commands, "serve", "cli_serve.serve", "start the server")
    serve.set_defaults(serving=True)
    demo = _add(commands, "demo", "cli_serve.demo", "set up the demo CRM and start the server on this machine")
    demo.set_defaults(serving=True, demo=True)
    _add(commands, "migrate", "cli_admin.migrate", "bring the database to this version")
    _add_seed(commands)
    _add_chat(commands)
    _add_token(commands)
    _add_nouns(commands)
    return velo


def _add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, command: str, help: str) -> argparse.ArgumentParser:
    added = commands.add_parser(name, help=help, description=help)
    added.set_defaults(command=command, serving=False, demo=False)
    return added


def _add_seed(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    seed = _add(commands, "seed", "cli_admin.seed", "fill an empty database with invented customers")
    contacts = "contacts of each of the three tenants (80); of 50 tenants together from 10,000 on"
    seed.add_argument("--contacts", type=_contacts, metavar="N", help=contacts)
    seed.add_argument("--tenants", type=_positive, metavar="T", help="how many tenants share the contacts instead")
    seed.add_argument("--structure-seed", type=int, default=1, metavar="S", help="what happens in the CRM (1)")
    seed.add_argument("--people-seed", type=int, default=0, metavar="P", help="how people are called (0)")
    seed.add_argument("--renaming", metavar="FILE", help="where the renaming goes as JSON; - is the terminal")


def _add_chat(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    chat = _add(commands, "chat", "cli_chat.chat", "ask in the terminal")
    chat.add_argument("--url", help="the server's address, if it is not this machine's")
    chat.add_argument("--tenant", type=_positive, default=1, metavar="T", help="the number of your tenant (1)")
    chat.add_argument("--member", type=_positive, default=1, metavar="M", help="your number as its member (1)")
    chat.add_argument("--thread", type=_positive, metavar="N", help="go on with this thread (a new one)")


def _add_token(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    token = _add(commands, "token", "cli_admin.token", "print a token that signs a member in for an hour")
    token.add_argument("--tenant", type=_positive, required=True, metavar="T", help="the number of the tenant")
    token.add_argument("--member", type=_positive, required=True, metavar="M", help="the number of its member; whether they exist is not checked")


def _add_nouns(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    _add(_noun(commands, "db", "where the database is: url"), "url", "cli_admin.db_url", "print the owner's DSN")
    _add_tenant(_noun(commands, "tenant", "tenants: add, list"))
    _add_member(_noun(commands, "member", "members: add (to a CRM that Velo keeps itself), list"))
    jobs = _noun(commands, "jobs", "periodic work: run, list")
    _add(jobs, "list", "cli_admin.list_jobs", "print the jobs, how often each is done, and what it does")
    job = _add(jobs, "run", "cli_admin.run_job", "do a job now")
    job.add_argument("name", choices=[job.name for job in JOBS], metavar="NAME", help=", ".join(job.name for job in JOBS))


def _add_tenant(tenants: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    _add(tenants, "list", "cli_admin.list_tenants", "print each tenant's id and name")
    tenant = _add(tenants, "add", "cli_admin.add_tenant", "add a tenant and print its id; one that is there just so is printed again")
    tenant.add_argument("--name", type=_name, required=True, help="how it is called")
    tenant.add_argument("--language", choices=get_args(Language), default=_DEFAULTS.language, help="what it is answered in (%(default)s)")
    tenant.add_argument("--zone", default=_DEFAULTS.zone, help="its time zone, as America/Santiago (%(default)s)")
    tenant.add_argument("--countries", type=_countries, metavar="C,C", help=f"whose phones and ids are looked for, of {','.join(COUNTRIES)} (all)")
    tenant.add_argument("--model", help="which model it asks (the server's)")
    tenant.add_argument("--issuer", type=_name, help="who signs its members' tokens (`velo token`)")
    tenant.add_argument("--account", type=_name, metavar="KEY", help="its account in a CRM that has accounts of its own")


def _add_member(members: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    member = _add(members, "add", "cli_admin.add_member", "add a member and print their id; one who is there just so is printed again")
    member.add_argument("--tenant", type=_positive, required=True, metavar="T", help="the number of the tenant")
    member.add_argument("--name", type=_name, required=True, help="how they are called")
    member.add_argument("--role", choices=[role.value for role in Role], default=Role.AGENT.value, help="what they may see (%(default)s)")
    member.add_argument("--email", type=_email, help="their address")
    member.add_argument("--inbox", type=_positive, action="append", default=[], metavar="I", help="an inbox they are in; may be repeated")
    listed = _add(members, "list", "cli_admin.list_members", "print the numbers and roles of a tenant's members")
    listed.add_argument("--tenant", type=_positive, required=True, metavar="T", help="the number of the tenant")


def _noun(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, help: str
) -> "argparse._SubParsersAction[argparse.ArgumentParser]":
    return commands.add_parser(name, help=help, description=help).add_subparsers(required=True, metavar="COMMAND")


def _contacts(text: str) -> int:
    number = _positive(text)
    if number < FEWEST_CONTACTS:
        raise argparse.ArgumentTypeError(f"the demo has {FEWEST_CONTACTS} contacts at least")
    return number


def _name(text: str) -> str:
    name = " ".join(text.split())
    if not name or len(name) > _LONGEST_NAME or not name.isprintable():
        raise argparse.ArgumentTypeError(f"must be a text of 1 to {_LONGEST_NAME} characters")
    return name


def _email(text: str) -> str:
    local, _, domain = text.partition("@")
    if not local or not domain or len(text) > _LONGEST_NAME or any(c.isspace() or not c.isprintable() for c in text):
        raise argparse.ArgumentTypeError("must be an e-mail address")
    return text


def _countries(text: str) -> list[str]:
    countries = [part.strip().upper() for part in text.split(",")]
    if unknown := [country for country in countries if country not in COUNTRIES]:
        raise argparse.ArgumentTypeError(f"{len(unknown)} of them unknown: choose from {','.join(COUNTRIES)}")
    return countries


def _positive(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 20 else 0
    if not 1 <= number < 2**63:
        raise argparse.ArgumentTypeError("must be a positive number")
    return number
