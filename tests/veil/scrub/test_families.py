"""Ids, cards, accounts, addresses, secrets and what is spelt out: tables of written forms."""

import pytest

from tests.veil.scrub.test_cases import scrubbed
from veil.scrub import Region, Sort, find

IDS = [
    ("AR", "cuit 20-12345678-6", "cuit [id]"),
    ("AR", "mi dni es el 12345678", "mi dni es el [id]"),
    ("AR", "d.n.i. nro 12 345 678", "d.n.i. nro [id]"),
    ("AR", "12.345.678", "[id]"),
    ("AR", "total 12.345.678", "total 12.345.678"),
    ("AR", "LE 4.567.890, LU 1234567", "[id], [id]"),
    ("AR", "LE DEBO 4.567.890 pesos", "LE DEBO 4.567.890 pesos"),
    ("AR", "12.345.678,50", "12.345.678,50"),
    ("BR", "RG: 12.345.678-9", "RG: [id]"),
    ("BR", "RG 123456789", "RG [id]"),
    ("BR", "minha chave pix é 12345678909", "minha chave pix é [id]"),
    ("BR", "PIS 120.12345.67-8", "PIS [id]"),
    ("BR", "00.000.A00/0001-50", "[id]"),
    ("CL", "cuenta rut n° 17.654.320", "cuenta rut n° [id]"),
    ("CL", "17654320 es mi rut", "[id] es mi rut"),
    ("CL", "rut_17654320-5_frente.png", "rut_[id]_frente.png"),
    ("CL", "RUT 12.345.678-5, 150000 unidades", "RUT [id], 150000 unidades"),
    ("CO", "cédula de ciudadanía número 52102292", "cédula de ciudadanía número [id]"),
    ("CO", "C.C 52.102.292 de Bogotá", "C.C [id] de Bogotá"),
    ("CO", "$1.138.219.804", "$1.138.219.804"),
    ("ES", "nass 28/12345678/40", "nass [id]"),
    ("ES", "A-81620353", "[id]"),
    ("ES", "pasaporte AAB123456", "pasaporte [id]"),
    ("ES", "CIP ABCD1234567890", "CIP [id]"),
    ("ES", "tarjeta sanitaria BBBB123456789012", "tarjeta sanitaria [id]"),
    ("ES", r'{"text":"hola\n12345678Z\tfin"}', r'{"text":"hola\n[id]\tfin"}'),
    ("MX", "VECJ-880326-XX1", "[id]"),
    ("MX", "ABC123456XYZ", "ABC123456XYZ"),
    ("MX", "mi nss es 12345678901", "mi nss es [id]"),
    ("PE", "ruc 20131312955", "ruc [id]"),
    ("PE", "documento de identidad 12345678", "documento de identidad [id]"),
    ("US", "SSN# 123-45-6789", "SSN# [id]"),
    ("US", "my social is 123456789", "my social is [id]"),
    ("US", "EIN 12-3456789", "EIN [id]"),
    ("US", "driver's license D1234567", "driver's license [id]"),
    ("US", "A-number A123456789", "A-number [id]"),
    ("US", "Medicare: 1EG4-TE5-MK73, mbi 1eg4te5mk73", "Medicare: [id], mbi [id]"),
    ("US", "order 1EG4-TE5-MK73", "order 1EG4-TE5-MK73"),
    ("US", "248-3884270-7400822", "248-3884270-7400822"),
    ("CL", "Ana Roa\n176543205\n955501234\nana@correo.example", "Ana Roa\n[id]\n[phone]\n[email]"),
    ("AR", "Ana - 12345678 - 11 5550 1234 - Calle 1", "Ana - [id] - [phone] - Calle 1"),
]  # fmt: skip


@pytest.mark.parametrize(("country", "text", "right"), IDS)
def test_ids(country, text, right):
    assert scrubbed(text, country) == right


def test_the_value_of_an_id_is_its_letters_and_digits():
    (hit,) = find("rut 16.000.004-k", Region(("CL",), ("CL",)))
    assert hit.value == "16000004K"


MONEY = [
    ("CL", "P-4501 4111 1111 1111 1111", "P-4501 [card]"),
    ("CL", "ZA-1234 5678 9012 3456 7890 12", "ZA-1234 5678 9012 3456 7890 12"),
    ("CL", "4111 11111111 1111", "[card]"),
    ("CL", "3782 822463 10005", "[card]"),
    ("CL", "4111 1111 1111 1112", "[card]"),
    ("CL", "tarjeta 4111111111111112", "tarjeta [card]"),
    ("CL", "4111111111111112", "4111111111111112"),
    ("CL", "pedido 4111111111111111", "pedido [card]"),
    ("CL", "tarjeta 4111 1111 1111 1111 12/27 cvv 123", "tarjeta [card] 12/27 cvv [secret]"),
    ("CL", "tarjeta terminada en 1234", "tarjeta terminada en 1234"),
    ("CL", "1526 7584 3714 2118 3763 90", "1526 7584 3714 2118 3763 90"),
    ("CL", "4111\n1111\n1111\n1111", "[card]"),
    ("CL", "1200\n1300\n1400\n1500", "1200\n1300\n1400\n1500"),
    ("ES", "es91 2100 0418 4502 0005 1332", "[account]"),
    ("ES", "2100 0418 45 0200051332", "[account]"),
    ("ES", "2100 0418 46 0200051332", "2100 0418 46 0200051332"),
    ("ES", "GB82 WEST 1234 5698 7654 32", "[account]"),
    ("ES", "ES00 2100 0418 4502 0005 1332", "[account]"),
    ("ES", "DE36000000000000000000", "[account]"),
    ("MX", "002010077777777771", "[account]"),
    ("AR", "cbu 2850590940090418135201", "cbu [account]"),
    ("CO", "cuenta de ahorros Bancolombia 123-456789-00", "cuenta de ahorros Bancolombia [account]"),
    ("BR", "conta 12345678-9", "conta [account]"),
    ("US", "routing 021000021 account 1234567890", "routing [account] account [account]"),
]  # fmt: skip


@pytest.mark.parametrize(("country", "text", "right"), MONEY)
def test_cards_and_accounts(country, text, right):
    assert scrubbed(text, country) == right


HANDLES = [
    ("AR", "alias perro.gato.casa", "alias [account]"),
    ("AR", "mi alias cbu es PERRO.GATO.CASA.", "mi alias cbu es [account]."),
    ("AR", "alias cbu: perrogato", "alias cbu: [account]"),
    ("AR", "te paso el alias cbu mañana, el alias de Ana es Nita", "te paso el alias cbu mañana, el alias de Ana es Nita"),
    ("AR", "alias www.tienda.example/x", "alias www.tienda.example/x"),
    ("ES", "alias perro.gato.casa", "alias perro.gato.casa"),
    ("CO", "mi llave bre-b es @perrogato12", "mi llave bre-b es [account]"),
    ("CO", "la llave de la casa, hablar con @soporte", "la llave de la casa, hablar con @soporte"),
    ("US", "cashapp $perrogato", "cashapp [account]"),
    ("US", "my cash app is $perro-gato or cash.app/$gato", "my cash app is [account] or cash.app/[account]"),
    ("US", "cash app, total $usd 30, or cashapp $25", "cash app, total $usd 30, or cashapp $25"),
    ("US", "venmo @perro-gato-12", "venmo [account]"),
    ("US", "https://venmo.com/u/perrogato", "https://venmo.com/u/[account]"),
    ("US", "venmo or ask @perrogato", "venmo or ask @perrogato"),
    ("US", "https://paypal.me/perrogato/25", "https://paypal.me/[account]/25"),
]  # fmt: skip


@pytest.mark.parametrize(("country", "text", "right"), HANDLES)
def test_a_handle_that_money_is_sent_to_goes_behind_its_word(country, text, right):
    assert scrubbed(text, country) == right


ADDRESSES = [
    ("CL", "de: ana@x.cl, bea@y.cl; cc:c@z.cl", "de: [email], [email]; cc:[email]"),
    ("CL", "juan@gmail", "[email]"),
    ("CL", "ana@mail.example,com,br ok", "[email] ok"),
    ("CL", "ana@x.cl,com esto", "[email] esto"),
    ("CL", "a n a @ g m a i l . c o m", "[email]"),
    ("CL", "ana.roa@\r\ngmail.com", "[email]"),
    ("CL", "ana.roa\r\n@gmail.com\r\nok", "[email]\r\nok"),
    ("CL", '"ana roa"@x.cl', "[email]"),
    ("CL", "ana@[192.0.2.1]", "[email]"),
    ("CL", "ana punto roa@gmail.com", "[email]"),
    ("CL", "ana@gmail punto com", "[email]"),
    ("CL", "juan guion bajo perez arroba gmail punto com", "[email]"),
    ("CL", "juanperez arroba gmail", "[email]"),
    ("CL", "mi mail: ana_roa(at)x(dot)cl", "mi mail: [email]"),
    ("BR", "meu email é joao ponto silva arroba uol ponto com ponto br", "meu email é [email]"),
    ("US", "john dot smith at gmail dot com", "[email]"),
    ("US", "my email is jperez at example.com", "my email is [email]"),
    ("US", "mail me at john.doe at example.com", "mail me at [email]"),
    ("US", "look at example.com/help", "look at example.com/help"),
    ("US", "meet me at noon", "meet me at noon"),
    ("CL", "compré 2 arrobas de papas", "compré 2 arrobas de papas"),
    ("CL", "a.b@gva.e y user@localhost", "[email] y user@localhost"),
]  # fmt: skip


@pytest.mark.parametrize(("country", "text", "right"), ADDRESSES)
def test_addresses(country, text, right):
    assert scrubbed(text, country) == right


def test_the_value_of_an_address_is_lower_case_however_it_is_spelt():
    for text in ("ANA.ROA@X.CL", "ana.roa @ x.cl", "ana punto roa arroba x punto cl", "ana.roa@x,cl"):
        (hit,) = find(text, Region((), ()))
        assert hit.value == "ana.roa@x.cl"


SECRETS = [
    "mi clave es ‹perrito22›", "contraseña: ‹hunter2!›", "password=‹abcd›", "minha senha é ‹gato123›", "senha do app: ‹gato›", "mi clave es ‹perrito›",
    "contraseña nueva: ‹Gato.2024›", 'te paso la contraseña "‹gato azul›" ok', '{"password":"‹hunter2›","user":"ana"}', "pin ‹4821›", "cvv: ‹123›",
    "código de verificación ‹482913›", "verification code: ‹482913›", "API key: ‹12ab34cd56ef78ab90›", "‹sk-proj-abcdefghijklmnop1234›",
    "‹AKIAIOSFODNN7EXAMPLE›", "Authorization: Bearer ‹abcdef1234567890xyz›", "postgres://‹user:p4ss›@host/db",
    "token: ‹eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N›", "https://x.example/?token=‹abcdef123456›&p=2",
    "‹-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----›", "‹-----BEGIN PRIVATE KEY-----\nMIIabc›",
]  # fmt: skip


@pytest.mark.parametrize("marked", SECRETS)
def test_a_secret_is_gone(marked):
    start, end = marked.index("‹"), marked.index("›") - 1
    hits = find(marked.replace("‹", "").replace("›", ""), Region(("CL",), ("CL",)))
    assert [(hit.start, hit.end, hit.sort) for hit in hits] == [(start, end, Sort.SECRET)]


@pytest.mark.parametrize(
    "text",
    [
        "mi contraseña es incorrecta",
        "la clave es responder rápido",
        "mi clave no funciona",
        "olvidé mi clave",
        "a senha é muito fraca",
        "password reset link",
        "pin de 4 dígitos",
        "token de acceso vencido",
        "clave: [secreto]",
        "my password is wrong",
    ],
)
def test_talk_about_a_secret_stays(text):
    assert find(text, Region(("CL",), ("CL",))) == []


LINKS = [
    ("https://crm.example/buscar?q=17.654.320-5", "https://crm.example/buscar?q=[id]"),
    ("https://crm.example/u/ana.roa%40correo.example/perfil", "https://crm.example/u/[email]/perfil"),
    ("https://api.whatsapp.com/send?phone=56955501234&text=hola", "https://api.whatsapp.com/send?phone=[phone]&text=hola"),
    ("wa.me/56955501234?text=hola", "wa.me/[phone]?text=hola"),
    ("tel:+56955501234", "tel:[phone]"),
    ("https://x.example/?tel=955501234&email=ana%40correo.cl", "https://x.example/?tel=[phone]&email=[email]"),
    ("http://pay.example.net/l/1324901733", "http://pay.example.net/l/1324901733"),
    ("www.example.com/seguimiento/955501234", "www.example.com/seguimiento/955501234"),
    ("(ver https://x.example/a?f=%2B56%209%205550%201234).", "(ver https://x.example/a?f=[phone])."),
    ("correo ana%40x.cl ok", "correo [email] ok"),
]


@pytest.mark.parametrize(("text", "right"), LINKS)
def test_a_web_address_keeps_scheme_and_host_and_loses_values(text, right):
    assert scrubbed(text, "CL") == right
