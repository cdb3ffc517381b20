"""The public fault reports of the group "scrub", by their id: what others got wrong must be right here. All nineteen are in the table.

Not here is what B064 says of direction marks (they are taken out before a text is sent): that is the veil's, see tests/veil/test_veiling.py.
"""

import pytest

from veil.scrub import PLACEHOLDERS, Region, equivalents, find

COUNTRIES = ("CL", "AR", "MX", "CO", "PE", "BR", "ES", "US")


def scrubbed(text: str, country: str) -> str:
    region = Region((country,), (country,)) if country in COUNTRIES else Region(COUNTRIES, COUNTRIES)
    out, at = [], 0
    for hit in find(text, region):
        out += [text[at : hit.start], PLACEHOLDERS["en"][hit.sort]]
        at = hit.end
    return "".join([*out, text[at:]])


CASES = [
    ("B060", "CL", "ticket 5e2c17aa-91d4-4c3f-9056-2255018443aa sigue abierto", "ticket 5e2c17aa-91d4-4c3f-9056-2255018443aa sigue abierto"),
    ("B061 lower case", "ES", "dni 12003456d", "dni [id]"),
    ("B061 lower-case nie", "ES", "nie: x1200345k", "nie: [id]"),
    ("B061 nie in groups", "ES", "NIE X-1200345-K", "NIE [id]"),
    ("B061 dots", "ES", "DNI 12.003.456-D", "DNI [id]"),
    ("B061 blank", "ES", "12003456 D", "[id]"),
    ("B062 punycode", "CL", "escribe a ana.b@xn--exmple-cua.example", "escribe a [email]"),
    ("B062 unicode", "CL", "correo: iñaki@muñoz-hermanos.example", "correo: [email]"),
    ("B062 plus", "CL", "n.q+ventas@sub.correo.museum", "[email]"),
    ("B062 apostrophe", "CL", "o'higgins_r@correo.example", "[email]"),
    ("B062 full stop", "CL", "ANA@CORREO.EXAMPLE.", "[email]."),
    ("B064 address", "CL", "ana@\u200bcorreo.example", "[email]"),
    ("B064 phone", "CL", "+56 9 55\u200d50 1234", "[phone]"),
    ("B064 id", "ES", "12003456\u2060D", "[id]"),
    ("B064 card", "CL", "4111\xad2222\xad3333\xad4448", "[card]"),
    # Taking the direction marks out before sending is the veil's part; the number behind them is found here.
    ("B064 direction", "CL", "\u202e4321 0555 9 65+\u202c", "\u202e[phone]\u202c"),
    ("B065", "CL", "mi rut es 17.6\u035454.3\u030320-5", "mi rut es [id]"),
    # Decided: decimal digits of any script are digits, circled and superscript ones are not; two wide blanks part two numbers.
    ("B066 stays", "CL", "paso ①②③④: lote 41112222\u3000\u300033334448", "paso ①②③④: lote 41112222\u3000\u300033334448"),
    ("B066 card", "CL", "4111\u30002222\u30003333\u30004448", "[card]"),
    # Decided: a handle of a social network is no e-mail; names inside it are the business of the names.
    ("B069", "CL", "error en org.pila.Nodo@7f3e21 y git@repo, ver @nayareth_q y precio 3@25", "error en org.pila.Nodo@7f3e21 y git@repo, ver @nayareth_q y precio 3@25"),
    ("B070 signs", "BR", "CNPJ 7K.4PX.2QN/0001-48", "CNPJ [id]"),
    ("B070 bare", "BR", "cnpj 7k4px2qn000148", "cnpj [id]"),
    ("B071 minus", "CL", "17.654.320\u22125", "[id]"),
    ("B071 no-break hyphen", "CL", "17654320\u20115", "[id]"),
    ("B071 blanks", "CL", "17 654 320 - 5", "[id]"),
    ("B071 bare", "CL", "176543205", "176543205"),
    ("B071 bare with a cue", "CL", "cédula 176543205", "cédula [id]"),
    ("B071 cue", "CL", "rut:17.654.320-5.", "rut:[id]."),
    ("B072 K", "CL", "16.000.004-K", "[id]"),
    ("B072 k", "CL", "16000004-k", "[id]"),
    ("B072 zero", "CL", "16.000.009-0", "[id]"),
    ("B074 plus", "AR", "+54 9 11 5550-1234", "[phone]"),
    ("B074 trunk and 15", "AR", "011 15 5550-1234", "[phone]"),
    ("B074 15", "AR", "11 15-5550-1234", "[phone]"),
    ("B074 national", "AR", "11 5550 1234", "[phone]"),
    ("B074 other area", "AR", "(0341) 15 555-0123", "[phone]"),
    ("B074 no plus", "AR", "54 11 5550 1234", "[phone]"),
    # Ecuador is none of the eight; the cue carries the number.
    ("B076 EC", "EC", "llámame al 991550123", "llámame al [phone]"),
    ("B076 CL", "CL", "fono 955501234", "fono [phone]"),
    ("B076 PE", "PE", "955 501 234", "[phone]"),
    ("B076 CO", "CO", "300 555 0123", "[phone]"),
    ("B076 ES", "ES", "612 34 50 01", "[phone]"),
    ("B078 iso", "CL", "2026-09-14 10:35", "2026-09-14 10:35"),
    ("B078 seconds", "CL", "14-09-2026 10:35:00", "14-09-2026 10:35:00"),
    ("B078 weekday", "CL", "Mon 14 10:35:09 CLT 2026", "Mon 14 10:35:09 CLT 2026"),
    ("B078 hs", "CL", "14/09/26 18.30 hs", "14/09/26 18.30 hs"),
    ("B078 stamp", "CL", "creado 20260914103500", "creado 20260914103500"),
    ("B079 batch", "CL", "lote-norte-20260914-07", "lote-norte-20260914-07"),
    ("B079 key", "CL", "id_conv=955501234", "id_conv=955501234"),
    # Decided: bare digits in the path of a web address are an id of its system; with a country code they are a phone.
    ("B079 path", "CL", "https://crm.example/contactos/955501234/editar", "https://crm.example/contactos/955501234/editar"),
    ("B079 messenger", "CL", "https://wa.example/56955501234", "https://wa.example/[phone]"),
    ("B080", "CL", '{"at_millis":1781000000004}', '{"at_millis":1781000000004}'),
    ("B082", "CL", "ver n.quinelen@correo.example/archivos/2026 hoy", "ver [email]/archivos/2026 hoy"),
    ("B083", "CL", "pagó con 4111 2222 3333 4448.net ayer", "pagó con [card].net ayer"),
    ("B085 X", "MX", "CURP OXXA900101HDFXXN00", "CURP [id]"),
    ("B085 lower case", "MX", "curp oxxa900101hdfxxn00", "curp [id]"),
    ("B085 third sex", "MX", "OXXA900101XDFXXN04", "[id]"),
    ("B085 rfc", "MX", "RFC GOMR850214HJ1", "RFC [id]"),
    ("B086 all in words", "CL", "ana punto roa arroba correo punto example", "[email]"),
    ("B086 brackets", "CL", "ana.roa (arroba) correo (punto) example", "[email]"),
    ("B086 english", "CL", "ana roa [at] correo [dot] example", "[email]"),
    ("B086 numerals", "BR", "meu zap é onze nove cinco cinco cinco zero um dois três quatro", "meu zap é [phone]"),
    ("B086 spaced", "CL", "9 5 5 5 0 1 2 3 4", "[phone]"),
    ("B086 mixed", "CL", "nueve cincuenta y cinco 50 12 34", "[phone]"),
    ("B086 blanks", "CL", "ana.roa @ correo . example", "[email]"),
    ("B037", "BR", '{"tipo":"CPF","numero":112233406,"saldo":112233406,"telefono":56955501234}', '{"tipo":"CPF","numero":[id],"saldo":112233406,"telefono":[phone]}'),
]  # fmt: skip


@pytest.mark.parametrize(("country", "text", "right"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_reported_fault_does_not_happen_here(country, text, right):
    assert scrubbed(text, country) == right


def test_b074_the_spellings_of_one_argentine_line_are_one_number():
    """Whoever looks one of them up finds the same contact."""
    region = Region(("AR",), ("AR",))
    written = ("+54 9 11 5550-1234", "011 15 5550-1234", "11 15-5550-1234", "11 5550 1234")
    lines = {equivalents(hit.value or "") for text in written for hit in find(text, region)}
    assert {value for line in lines for value in line} == {"+541155501234", "+5491155501234"}
