"""The currencies that amounts are told in: a closed list, so that no text of a CRM crosses as a currency."""

from enum import StrEnum


class Currency(StrEnum):
    """A code of ISO 4217, as far as the countries of our customers and their neighbours use it; ``OTHER`` is any other text."""

    ARS = "ARS"
    AUD = "AUD"
    BOB = "BOB"
    BRL = "BRL"
    CAD = "CAD"
    CHF = "CHF"
    CLF = "CLF"
    CLP = "CLP"
    CNY = "CNY"
    COP = "COP"
    CRC = "CRC"
    DOP = "DOP"
    EUR = "EUR"
    GBP = "GBP"
    GTQ = "GTQ"
    HNL = "HNL"
    JPY = "JPY"
    MXN = "MXN"
    NIO = "NIO"
    PAB = "PAB"
    PEN = "PEN"
    PYG = "PYG"
    USD = "USD"
    UYU = "UYU"
    VES = "VES"
    OTHER = "other"

    @classmethod
    def _missing_(cls, value: object) -> "Currency":
        return cls.OTHER
