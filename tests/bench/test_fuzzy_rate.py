"""The rate of false misspelt names counts words, and those that match a name of the other shop's people."""

from __future__ import annotations

from bench import fuzzy_rate
from bench.crm import Tenant


def shop(number: int, contact: str, *bodies: str) -> Tenant:
    tenant = Tenant(number, f"Shop {number}", {"language": "es", "phone_regions": ["CL"], "id_countries": ["CL"]})
    tenant.add("contacts", 1, name=contact, aliases=[], company_id=None, state="active", phone=None, email=None, national_id=None)
    tenant.add("conversations", 1, contact_id=1)
    for message, body in enumerate(bodies, 1):
        tenant.add("messages", message, conversation_id=1, body=body)
    return tenant


async def test_a_word_that_is_like_somebody_of_the_other_shop_is_counted_and_a_name_spelt_right_is_not() -> None:
    writer = shop(1, "Rosa Quillay", "vino Wenceslao con Ibarola y la boleta")
    alike, same = shop(2, "Otoniel Ibarrola", "nada"), shop(3, "Otoniel Ibarola", "nada")
    assert (await fuzzy_rate.measure([writer, alike], 10))[1] == ("Shop 1", "Shop 2", "7", "1", "142.86")
    assert (await fuzzy_rate.measure([writer, same], 10))[1] == ("Shop 1", "Shop 3", "7", "0", "0.00")
