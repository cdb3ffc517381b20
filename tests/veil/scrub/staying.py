"""Strategies for what no detector may touch, and the sentences it stands in.

Every value is of a kind that some scrubber takes for a phone, an id or a card. An address of a machine stays: it is seldom
a person's, the model needs it to help with a connection, and no law of the eight countries treats it as the ids above.
"""

import re
from collections.abc import Mapping

from hypothesis import strategies as st

from tests.veil.scrub.generators import digits

_TWO = st.integers(1, 12).map(lambda n: f"{n:02d}")
_DAY = st.integers(1, 28).map(lambda n: f"{n:02d}")
_YEAR = st.integers(1990, 2030).map(str)
_HEX = "0123456789abcdef"
_ORDER_CUES = (
    "pedido {}", "orden {}", "order {}", "mi pedido es el {}", "pedido nº {}", "N° {}", "#{}", "código {}", "ticket {}",
    "folio {}", "guía {}", "tracking {}", "rastreio {}", "protocolo {}", "factura {}", "invoice {}", "nota fiscal {}",
    "reserva {}", "número de seguimiento {}", "order number {}", "ref. {}", "sku {}", "EAN {}", "lote {}", "OC {}", "PO {}",
    "caso {}", "reclamo {}", "chamado {}", "código de rastreo: {}", "order_id={}", '"order_id": {}', "https://t.example/p/{}",
    "comprobante nro {}", "remito {}", "boleta N° {}", "expediente {}", "radicado {}", "PQR {}", "nsu {}", "n° de operación {}",
    "número de cliente {}", "nº do pedido {}", "cotización {}", "póliza {}", "serial {}", "case {}", "confirmation {}", "RMA {}",
)  # fmt: skip


def _join(sign: str, *parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(*parts).map(sign.join)


def _grouped(n: int, sign: str) -> str:
    return f"{n:,}".replace(",", sign)


MUST_STAY: Mapping[str, st.SearchStrategy[str]] = {
    "date dmy": st.sampled_from("/-.").flatmap(lambda s: _join(s, _DAY, _TWO, _YEAR)),
    "date ymd": st.sampled_from("/-.").flatmap(lambda s: _join(s, _YEAR, _TWO, _DAY)),
    "date short": st.sampled_from("/-.").flatmap(lambda s: _join(s, _DAY, _TWO, st.integers(10, 30).map(str))),
    "date in words": st.tuples(_DAY, st.sampled_from(("enero", "mayo", "julho", "October")), _YEAR).map(" de ".join),
    "date and time": st.tuples(_YEAR, _TWO, _DAY, _TWO, _TWO).map(lambda p: f"{p[0]}-{p[1]}-{p[2]} {p[3]}:{p[4]}:00"),
    "iso": st.tuples(_YEAR, _TWO, _DAY, _TWO, _TWO).map(lambda p: f"{p[0]}-{p[1]}-{p[2]}T{p[3]}:{p[4]}:00.123Z"),
    "stamp": st.tuples(_YEAR, _TWO, _DAY, _TWO, _TWO).map("".join),
    "time": _join(":", _TWO, _TWO),
    "money": st.integers(1, 99_999_999).map(lambda n: f"$ {_grouped(n, '.')}"),
    "money behind": st.tuples(st.integers(1, 99_999_999), st.sampled_from((" pesos", " €", " reais", " USD", "€", " CLP"))).map(lambda p: _grouped(p[0], ".") + p[1]),
    "money with cents": st.integers(1, 9_999_999).map(lambda n: f"R$ {_grouped(n, '.')},90"),
    "money in english": st.integers(1, 9_999_999).map(lambda n: f"${_grouped(n, ',')}.99"),
    "money of other lands": st.tuples(st.sampled_from(("S/ ", "US$ ", "USD ", "CLP ", "COP ", "MXN ", "PEN ", "€", "AR$ ", "U$S ", "Bs. ", "₲ ")), st.integers(1000, 99_999_999)).map(lambda p: p[0] + _grouped(p[1], ".")),
    "money in Colombia": st.integers(1_000_000, 99_999_999).map(lambda n: "$" + _grouped(n, ".").replace(".", "'", 1)),
    "money in slang": st.integers(2, 900).map(lambda n: f"{n}.000 lucas"),
    "date after a month": st.tuples(_DAY, st.sampled_from(("ene", "marzo", "Oct", "fev", "mai")), _YEAR, st.integers(1000, 999_999)).map(lambda p: f"{p[0]} {p[1]} {p[2]} {_grouped(p[3], '.')} pesos"),
    "day in one": st.tuples(_YEAR, _TWO, _DAY).map("".join) | st.tuples(_DAY, _TWO, _YEAR).map("".join),
    "machine": st.tuples(st.integers(11, 223), st.integers(0, 255), st.integers(0, 255), st.integers(100, 254)).map(lambda p: ".".join(map(str, p))),
    "point on the map": st.tuples(st.integers(-55, -10), digits(6), st.integers(-99, -30), digits(6)).map(lambda p: f"{p[0]}.{p[1]}, {p[2]}.{p[3]}"),
    "software": st.sampled_from(("Chrome 124.0.6367.78", "iOS 17.5.1", "Windows 10.0.19045.3803", "app 2024.11.3")),
    "measures": st.tuples(st.integers(10, 200), st.integers(10, 200), st.integers(10, 200)).map(lambda p: f"{p[0]}x{p[1]}x{p[2]} cm"),
    "none to give": st.integers(10, 99).map(lambda n: f"no tengo rut, {n}x{n}x{n} cm"),
    "parcel with its label": st.tuples(digits(4), digits(4), digits(4)).map(lambda p: "guía " + " ".join(p)),
    "payment at a counter": digits(6, "123456789").map(lambda d: f"pagué en efecty, pin {d}"),
    "host": st.sampled_from(("code SAVE15 at www.shop.example/sale", "order 4411 at shop.example.com", "síguenos en @tienda.cl", "look at example.com/help")),
    "talk": st.sampled_from(("mi clave no funciona", "olvidé mi contraseña", "pin de 4 dígitos", "no llega el código de verificación", "son las nueve cuarenta y cinco", "veinte mil quinientos pesos", "uno dos tres probando", "entre cinco y seis mil")),
    "percent": st.integers(0, 100).map(lambda n: f"{n} %"),
    "uuid": st.uuids().map(str),
    "digest": st.text(_HEX, min_size=40, max_size=40),
    "short digest": st.text(_HEX, min_size=8, max_size=12).filter(lambda s: re.search(r"\d[a-f]+\d", s) is not None),
    "epoch": st.integers(1_600_000_000, 1_799_999_999).map(str),
    "epoch in milliseconds": st.integers(1_600_000_000_000, 1_799_999_999_999).map(str),
    "version": st.tuples(st.integers(0, 20), st.integers(0, 99), st.integers(0, 99)).map(lambda p: f"v{p[0]}.{p[1]}.{p[2]}"),
    "order": st.tuples(st.sampled_from(_ORDER_CUES), digits(9, "123456789") | digits(10, "123456789") | digits(8, "123456789")).map(lambda p: p[0].format(p[1])),
    "order with prefix": st.tuples(st.sampled_from(("PED-", "F-", "TCK-", "INC", "NB-40-", "RR", "MX", "SX", "SKU-")), digits(8, "123456789")).map("".join),
    "shop order": st.tuples(digits(3), digits(7), digits(7)).map("-".join),
    "parcel": st.tuples(st.sampled_from(("RR", "LB", "OJ")), digits(9), st.sampled_from(("CL", "BR"))).map("".join),
    "long parcel": st.lists(digits(4), min_size=5, max_size=5).map(lambda g: " ".join(g) + " 63"),
    "ean": st.tuples(st.sampled_from(("780", "779", "750", "770", "841", "789")), digits(10)).map("".join).map(lambda d: "EAN " + d),
    "nfe": digits(44),
    "nfe in groups": st.lists(digits(4), min_size=11, max_size=11).map(" ".join),
    "boleto": st.tuples(digits(5), digits(5), digits(5), digits(6), digits(5), digits(6), digits(1), digits(14)).map(lambda p: f"{p[0]}.{p[1]} {p[2]}.{p[3]} {p[4]}.{p[5]} {p[6]} {p[7]}"),
    "coupon": st.sampled_from(("VERANO20", "HOLA10", "BLACK30", "SAVE15")),
    "years": st.tuples(_YEAR, _YEAR).map("-".join),
    "quantity": st.integers(1, 99_999).map(lambda n: f"{n} unidades"),
    "address": st.integers(1, 9999).map(lambda n: f"Av. Larga {n}, depto 1205"),
    "postcode": digits(5).map(lambda d: f"CEP {d}-310"),
    "placeholder": st.sampled_from(("[teléfono]", "[correo]", "[documento]", "[tarjeta]", "[nombre 1]", "C-12", "X-3", "C-4|C-5", "H-14", "C-7.phone")),
}  # fmt: skip


def must_stay(kind: str) -> st.SearchStrategy[str]:
    """What no detector may touch."""
    return MUST_STAY[kind]
