"""What every preset provides in schema crm, whatever its CRM looks like: the only thing that resolver, store, tools and sign-in read.

Every relation has ``tenant_id``; it shows no row without a tenant in the transaction and none of another tenant. Ids are numbers of ours,
unique within tenant and relation, the same for as long as the thing exists. What a CRM does not know is NULL where a type ends in ``?``,
and a relation without rows where it has nothing of the kind. Words of states are those of ``WORDS`` and no others.

==================  ============================================================================================================
name_forms          what people type when they mean an entity: folded whole names, words, aliases (``crm.forms_of_name``). A form that the
                    name has lost stays with ``former``; a merger leaves the forms to the survivor; a deletion takes them away.
                    ``head`` and ``tail`` are the first and last three letters of single words of 7 to 26 letters a–z, else NULL
value_forms         phones, e-mails and ids, written as ``crm.values_of_row`` writes them
merged              who was merged into whom, in one step or several
visible             what a member may see now, by (tenant, member, kind, id): nothing for one who has left
cards               what is shown of an entity: exactly the rows of the seven relations of ``KINDS``
crm.freshen         called before names are looked up: what the CRM changed is in forms, values and ids when it returns. Gives how many
                    rows that were; raises in a read-only transaction when there are any
crm.reconcile       the same, from scratch; called now and then
crm.fold            the folded text (``veil.fold``)
==================  ============================================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

#: The relations, their columns and the columns' types.
RELATIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "members": {
        "tenant_id": "bigint",
        "id": "bigint",
        "name": "text",
        "email": "text?",
        "role": "text",
        "aliases": "text[]",
        "active": "boolean",
        "created_at": "timestamp with time zone",
    },
    "companies": {
        "tenant_id": "bigint",
        "id": "bigint",
        "name": "text",
        "legal_id": "text?",
        "city": "text?",
        "created_at": "timestamp with time zone",
    },
    "contacts": {
        "tenant_id": "bigint",
        "id": "bigint",
        "name": "text",
        "phone": "text?",
        "email": "text?",
        "national_id": "text?",
        "aliases": "text[]",
        "company_id": "bigint?",
        "state": "text",
        "created_at": "timestamp with time zone",
        "last_contact_at": "timestamp with time zone?",
    },
    "inboxes": {"tenant_id": "bigint", "id": "bigint", "name": "text", "channel": "text", "state": "text"},
    "inbox_members": {"tenant_id": "bigint", "inbox_id": "bigint", "member_id": "bigint"},
    "conversations": {
        "tenant_id": "bigint",
        "id": "bigint",
        "contact_id": "bigint",
        "inbox_id": "bigint?",
        "assignee_id": "bigint?",
        "status": "text",
        "subject": "text",
        "priority": "text",
        "created_at": "timestamp with time zone",
        "last_message_at": "timestamp with time zone?",
        "waiting_since": "timestamp with time zone?",
        "resolved_at": "timestamp with time zone?",
    },
    "messages": {
        "tenant_id": "bigint",
        "id": "bigint",
        "conversation_id": "bigint",
        "author_kind": "text",
        "member_id": "bigint?",
        "body": "text",
        "private": "boolean",
        "created_at": "timestamp with time zone",
    },
    "labels": {"tenant_id": "bigint", "id": "bigint", "name": "text"},
    "contact_labels": {"tenant_id": "bigint", "contact_id": "bigint", "label_id": "bigint"},
    "conversation_labels": {"tenant_id": "bigint", "conversation_id": "bigint", "label_id": "bigint"},
    "notes": {
        "tenant_id": "bigint",
        "id": "bigint",
        "contact_id": "bigint",
        "author_id": "bigint?",
        "body": "text",
        "created_at": "timestamp with time zone",
    },
    "campaigns": {
        "tenant_id": "bigint",
        "id": "bigint",
        "name": "text",
        "channel": "text",
        "state": "text",
        "starts_at": "timestamp with time zone?",
        "ends_at": "timestamp with time zone?",
        "sent": "integer",
        "delivered": "integer",
        "opened": "integer",
        "replied": "integer",
    },
    "deals": {
        "tenant_id": "bigint",
        "id": "bigint",
        "contact_id": "bigint?",
        "company_id": "bigint?",
        "owner_id": "bigint?",
        "title": "text",
        "stage": "text",
        "amount": "numeric?",
        "currency": "text?",
        "expected_close": "date?",
        "created_at": "timestamp with time zone",
    },
    "name_forms": {
        "tenant_id": "bigint",
        "form": "text",
        "kind": "text",
        "entity_id": "bigint",
        "former": "boolean",
        "head": "text?",
        "tail": "text?",
    },
    "value_forms": {"tenant_id": "bigint", "value_kind": "text", "form": "text", "kind": "text", "entity_id": "bigint"},
    "merged": {"tenant_id": "bigint", "kind": "text", "entity_id": "bigint", "into_id": "bigint"},
    "visible": {"tenant_id": "bigint", "member_id": "bigint", "kind": "text", "entity_id": "bigint"},
    "cards": {
        "tenant_id": "bigint",
        "kind": "text",
        "entity_id": "bigint",
        "name": "text",
        "phone": "text?",
        "email": "text?",
        "national_id": "text?",
        "legal_id": "text?",
        "last_contact_at": "timestamp with time zone?",
        "inbox": "text?",
    },
}

#: Which relation holds the entities of a kind.
KINDS: Final[Mapping[str, str]] = {
    "contact": "contacts",
    "member": "members",
    "company": "companies",
    "inbox": "inboxes",
    "campaign": "campaigns",
    "conversation": "conversations",
    "deal": "deals",
}

_CHANNELS = frozenset({"whatsapp", "email", "web", "phone"})

#: The only words that stand in these columns.
WORDS: Final[Mapping[tuple[str, str], frozenset[str]]] = {
    ("members", "role"): frozenset({"agent", "supervisor", "admin"}),
    ("contacts", "state"): frozenset({"lead", "active", "inactive"}),
    ("inboxes", "channel"): _CHANNELS,
    ("inboxes", "state"): frozenset({"open", "closed"}),
    ("conversations", "status"): frozenset({"open", "pending", "snoozed", "resolved"}),
    ("conversations", "priority"): frozenset({"low", "normal", "high", "urgent"}),
    ("messages", "author_kind"): frozenset({"contact", "member", "system"}),
    ("campaigns", "channel"): _CHANNELS,
    ("campaigns", "state"): frozenset({"draft", "running", "paused", "finished"}),
    ("deals", "stage"): frozenset({"new", "qualified", "proposal", "won", "lost"}),
    ("name_forms", "kind"): frozenset({"contact", "member", "company", "inbox", "campaign"}),
    ("value_forms", "kind"): frozenset({"contact", "member", "company"}),
    ("value_forms", "value_kind"): frozenset({"phone", "email", "id"}),
    ("merged", "kind"): frozenset({"contact"}),
    ("visible", "kind"): frozenset(KINDS),
    ("cards", "kind"): frozenset(KINDS),
}

#: The functions and what they give.
FUNCTIONS: Final[Mapping[str, str]] = {
    "crm.fold(text)": "text",
    "crm.words(text)": "text[]",
    "crm.forms_of_name(text,text)": "text",
    "crm.freshen(bigint)": "bigint",
    "crm.reconcile(bigint)": "bigint",
}
