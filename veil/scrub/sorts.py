"""What the scrubber speaks of: sorts, hits, regions, placeholders.

A hit says where a value stands and of what sort it is. Its normalised value serves one look-up in the
CRM and must not be printed, so that `repr` leaves it out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

VERSION = 2
"""Version of the detectors; marks carry it, and a mark of an older version is looked at again."""


class Sort(StrEnum):
    """What kind of value a hit is."""

    EMAIL = "email"
    PHONE = "phone"
    ID = "id"
    CARD = "card"
    ACCOUNT = "account"
    SECRET = "secret"


STRICTNESS: Mapping[Sort, int] = MappingProxyType({Sort.SECRET: 6, Sort.CARD: 5, Sort.ACCOUNT: 4, Sort.ID: 3, Sort.PHONE: 2, Sort.EMAIL: 1})
"""Where two hits overlap, their union has the stricter sort."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A span of the original text, in code points, that must not leave."""

    start: int
    end: int
    sort: Sort
    value: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Region:
    """The countries whose national forms are looked for (ISO codes); international forms always are."""

    phone_regions: tuple[str, ...]
    id_countries: tuple[str, ...]


PLACEHOLDERS: Mapping[str, Mapping[Sort, str]] = MappingProxyType(
    {
        "es": MappingProxyType(
            {
                Sort.EMAIL: "[correo]",
                Sort.PHONE: "[teléfono]",
                Sort.ID: "[documento]",
                Sort.CARD: "[tarjeta]",
                Sort.ACCOUNT: "[cuenta]",
                Sort.SECRET: "[secreto]",
            }
        ),
        "pt": MappingProxyType(
            {
                Sort.EMAIL: "[e-mail]",
                Sort.PHONE: "[telefone]",
                Sort.ID: "[documento]",
                Sort.CARD: "[cartão]",
                Sort.ACCOUNT: "[conta]",
                Sort.SECRET: "[segredo]",
            }
        ),
        "en": MappingProxyType(
            {
                Sort.EMAIL: "[email]",
                Sort.PHONE: "[phone]",
                Sort.ID: "[id]",
                Sort.CARD: "[card]",
                Sort.ACCOUNT: "[account]",
                Sort.SECRET: "[secret]",
            }
        ),
    }
)
