"""What the offline demo model answers: a tool's result put into short sentences, in the language of the question."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from assistant.model.offline_words import NAMES, SAY
from veil import tokens

Body = Mapping[str, Any]

#: Rows of a list that are shown.
SHOWN = 8


def answer(topics: Sequence[str], results: Sequence[str], language: str) -> str:
    """What the tools gave, in sentences; of the topics those count that ask for a value."""
    fields = [topic for topic in topics if topic in tokens.HANDLE_FIELDS] if topics and topics[0] in tokens.HANDLE_FIELDS else []
    read = [(result, _data(result)) for result in results]
    return "\n".join(line for result, data in read for line in ([result] if data is None else _sentences(fields, data, language)))


def _sentences(fields: Sequence[str], data: Body, language: str) -> list[str]:
    say = SAY[language]
    if "error" in data:
        return [data["error"]]
    if "latest_messages" in data:
        total, status = _count(data["total_messages"], say["messages"]), _name(data["status"], language)
        told = say["conversation"].format(conversation=data["conversation"], contact=data.get("contact"), status=status, messages=total)
        return [told, *_messages(data["latest_messages"], language), *_settled(data, data["latest_messages"], language)]
    if "latest_deals" in data:
        return _company(data, language)
    if "total_conversations" in data:
        return [_values(fields, data, language) if fields else _card(data, language)]
    if "messages" in data:
        return [*(_messages(data["messages"], language) or [say["none"]]), *_settled(data, data["messages"], language)]
    for name, told_as in _TABLES.items():
        if name in data:
            rows = _rows(data[name], told_as, language)
            left = (len(data[name]) if name == "sums" else data.get("total") or 0) - len(rows)  # a sum's total counts deals
            return [f"Total: {data.get('total')}.", *rows, *(["", say["more"].format(number=left)] if rows and left > 0 else [])]
    return [say["none"]]


def _values(fields: Sequence[str], data: Body, language: str) -> str:
    """Whose values they are, and each: a value alone on a line might be anybody's."""
    names = {field: _name(field, language) for field in fields}
    parts = [f"{name} {data[field]}" if data.get(field) else SAY[language]["no_value"].format(field=name) for field, name in names.items()]
    return f"{data.get('contact')}: {', '.join(parts)}"


def _card(data: Body, language: str) -> str:
    say, state, last = SAY[language], _name(data["state"], language), _time(data.get("last_contact_at"))
    total, unsettled = _count(data["total_conversations"], say["conversations"]), _count(data["open_conversations"], say["open"])
    return say["card"].format(contact=data["contact"], state=state, total=total, open=unsettled, last=last)


def _conversation(row: Body, language: str) -> list[Any]:
    say, hours = SAY[language], row.get("waiting_hours")
    parts = [row["conversation"], row.get("contact"), row.get("inbox") or say["no_inbox"], row.get("subject")]
    if hours is not None:
        parts.append(say["waits"].format(time=_hours(hours, language)))
    return parts


def _company(data: Body, language: str) -> list[str]:
    say, city = SAY[language], data.get("city")
    head = say["company"].format(
        company=data["company"],
        city=f"{city}, " if city else "",
        contacts=_count(data["total_contacts"], say["contacts"]),
        deals=_count(data["total_deals"], say["deals"]),
        undecided=_count(data["undecided_deals"], say["undecided"]),
        legal_id=data.get("legal_id") or "—",
    )
    return [head, *_rows(data["latest_contacts"], _contact, language), *_rows(data["latest_deals"], _deal, language)]


def _contact(row: Body, language: str) -> list[Any]:
    return [row["contact"], _name(row["state"], language)]


def _deal(row: Body, language: str) -> list[Any]:
    """The reader sees the title where the token stands."""
    closes = row.get("expected_close") if row["stage"] not in ("won", "lost") else None
    parts = [row["deal"], row.get("contact") or row.get("company"), _name(row["stage"], language), _amount(row, language)]
    return [*parts, SAY[language]["closes"].format(date=closes) if closes else None]


def _sum(row: Body, language: str) -> list[Any]:
    return [_name(row["stage"], language), _count(row["deals"], SAY[language]["deals"]), _amount(row, language)]


def _campaign(row: Body, language: str) -> list[Any]:
    say, since = SAY[language], _time(row.get("starts_at"))[:10]
    parts = [row["campaign"], _name(row["channel"], language), _name(row["state"], language), since]
    if not row.get("sent"):
        return parts
    shares = {share: _percent(row.get(f"{share}_percent"), language) for share in ("delivered", "opened", "replied")}
    sent = f"{_number(row['sent'], language)} {say['sent'].split('|')[row['sent'] != 1]}"
    return [*parts, say["figures"].format(sent=sent, **shares)]


def _work(row: Body, language: str) -> list[Any]:
    say, hours = SAY[language], row.get("longest_wait_hours")
    of = [row.get("assignee"), row.get("inbox")] if row.get("assignee") or row.get("inbox") else [say["nobody"]]
    counts = [_count(row["open_conversations"], say["open"]), _count(row["waiting_conversations"], say["waiting"])]
    return [*of, *counts, None if hours is None else say["longest"].format(time=_hours(hours, language))]


def _note(row: Body, language: str) -> list[Any]:
    return [_time(row.get("written_at")), row.get("member"), row["contact"], f"«{row.get('body') or ''}»"]


def _label(row: Body, language: str) -> list[Any]:
    say = SAY[language]
    return [row["label"], _count(row["contacts"], say["contacts"]), _count(row["conversations"], say["conversations"])]


def _firm(row: Body, language: str) -> list[Any]:
    say = SAY[language]
    counts = [_count(row["contacts"], say["contacts"]), _count(row["undecided_deals"], say["deals"])]
    return [row["company"], row.get("city"), counts[0], f"{counts[1]} {say['undecided'].split('|')[0]}"]


#: The lists of results, each with how a row of it is told.
_TABLES: Mapping[str, Callable[[Body, str], Sequence[Any]]] = {
    "conversations": _conversation,
    "members": lambda row, language: [row["member"], _name(row["role"], language)],
    "inboxes": lambda row, language: [row["inbox"], _name(row["channel"], language)],
    "contacts": _contact,
    "notes": _note,
    "workload": _work,
    "companies": _firm,
    "campaigns": _campaign,
    "deals": _deal,
    "sums": _sum,
    "labels": _label,
}


def _rows(rows: Sequence[Body], told: Callable[[Body, str], Sequence[Any]], language: str) -> list[str]:
    return [f"- {', '.join(str(part) for part in told(row, language) if part)}" for row in rows[:SHOWN]]


def _messages(rows: Sequence[Body], language: str) -> list[str]:
    return [f"- {_time(row.get('sent_at'))}, {_author(row, language)}: «{row.get('body') or ''}»" for row in rows[:SHOWN]]


def _settled(data: Body, shown: Sequence[Body], language: str) -> list[str]:
    """That a conversation was opened again, and how much was said before."""
    number, left_out = data.get("settled_messages") or 0, not any(row.get("settled") for row in shown)
    return [SAY[language]["settled"].format(messages=_count(number, SAY[language]["messages"]))] if number and left_out else []


def _author(row: Body, language: str) -> str:
    named = row.get("member") or (row.get("contact") if row.get("author") == "contact" else None)
    return named or _name(str(row.get("author")), language)


def _name(written: str, language: str) -> str:
    return NAMES[written][language] if written in NAMES else written


def _count(number: int, forms: str) -> str:
    return f"{number} {forms.split('|')[number != 1]}"


def _hours(hours: int, language: str) -> str:
    say = SAY[language]
    return _count(hours // 24, say["days"]) if hours >= 48 else _count(hours, say["hours"])


def _number(number: float, language: str) -> str:
    """As the language writes numbers: 1,234.5 or 1.234,5."""
    written = f"{number:,.2f}".removesuffix(".00") if isinstance(number, float) else f"{number:,}"
    return written if language == "en" else written.translate(str.maketrans(",.", ".,"))


def _percent(share: float | None, language: str) -> str:
    if share is None:
        return "—"
    return f"{share:g}%" if language == "en" else f"{share:g} %".replace(".", ",")


def _amount(row: Body, language: str) -> str | None:
    if row.get("amount") is None:
        return None
    currency = row.get("currency")
    return f"{_name(currency, language) if currency else ''} {_number(row['amount'], language)}".strip()


def _time(moment: Any) -> str:
    return str(moment)[:16].replace("T", " ") if moment else "—"


def _data(result: str) -> dict[str, Any] | None:
    """The JSON object inside a tool's answer, if there is one."""
    try:
        data = json.loads(result[result.index("{") : result.rindex("}") + 1])
    except ValueError:
        return None
    return data if isinstance(data, dict) else None
