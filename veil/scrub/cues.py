"""Cues: the words that say what the number beside them is.

`before` walks back from a number over at most a handful of words. The nearest word of the table decides. A word of the
sender's own data ("mi rut es") may stand further away; one of business ("pedido") must be next to its number, since
taking a phone for an order would let it out.
"""

import re
from enum import StrEnum

from veil.scrub.vocabulary import listed


class Cue(StrEnum):
    """What a cue word announces."""

    PHONE = "phone"
    CALL = "call"
    ID = "id"
    CARD = "card"
    ACCOUNT = "account"
    OWN = "own"
    """A bare "ID:", which may be anybody's and anything's."""
    CODE = "code"
    MONEY = "money"


def before(low: str, position: int) -> Cue | None:
    """The cue that governs the number at `position` of a folded text, if one does."""
    window = low[max(0, position - _REACH) : position][::-1]
    near = _NEAREST.match(window)
    if near is not None:
        cue = CUES.get(near[1][::-1])
        if cue in LOOSE or (cue is Cue.CODE and near[2] is not None and near[2][::-1] not in _NEAR):
            return cue
    return _far(window[::-1])


def _far(window: str) -> Cue | None:
    if "." in window or "/" in window:
        window = _INITIALS.sub(r"\1", window)
    window = window.replace(_ALIEN, "alien ")
    found = _walk_back(_TOKEN.findall(window))
    if found is None and window.rstrip(" ")[-1:] in _NUMBERING and _NUMBERED.search(window[-8:]) and not _MINE.search(window[-16:]):
        return Cue.CODE
    return found


def glued(low: str, position: int) -> Cue | None:
    """The cue that touches the number ("tel987…", "rut:12…", "cpf-…", "phone=…"), if there is one."""
    if position == 0 or low[position - 1] in " \n\t(+":
        return None
    match = _GLUED.search(low[max(0, position - 24) : position])
    return CUES.get(match.group(1)) if match else None


def after(low: str, position: int) -> Cue | None:
    """The cue that follows: "987654321 (whatsapp)", "12345678 es mi rut"."""
    match = _AFTER.match(low, position, position + 48)
    cue = CUES.get(match.group(1)) if match else None
    return cue if match and len(match[1]) > 2 and cue in LOOSE and cue is not Cue.CALL else None


def towards(low: str, position: int) -> bool:
    """Whether the number is where something goes: "al 2345 6789"."""
    return _AT.search(low, max(0, position - 5), position) is not None


def _walk_back(tokens: list[str]) -> Cue | None:
    """What the words before a number say: the nearest cue, unless something parts it from the number."""
    walk = _Walk(tokens)
    for index in range(len(tokens) - 1, -1, -1):
        token = tokens[index]
        if token[0].isalpha():
            word = token.rstrip("0123456789")
            cue = CUES.get(word)
            if cue is not None and not (cue is Cue.MONEY and index and _counts(tokens[index - 1])):
                return _judge(cue, word, tokens[:index], walk)
            if word in _COUNTED and index:
                cue = _of_number(word, tokens[:index])
                if cue is not None:
                    return cue
            if not walk.passes(word):
                return None
        elif not walk.crosses(index):
            return None
    return None


class _Walk:
    """What the walk back from the number has come past."""

    __slots__ = ("comma", "crossed", "first", "having", "linked", "strangers", "tokens")

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.strangers = 0
        self.crossed = self.comma = self.having = False
        self.linked = True
        self.first = ""

    def passes(self, word: str) -> bool:
        """Whether a word lets the cue before it reach the number."""
        self.first = self.first or word
        if word not in _LINKS:
            self.linked = False
        if word not in FILLERS:
            self.strangers += 1
        if word in _HAVING:
            self.having = True
        lacking = self.having and word in _NOT
        return self.strangers <= _FAR and word not in _STREETS and not lacking

    def crosses(self, index: int) -> bool:
        """Whether a sign or another number does so: of numbers only a list ("tel 1 y 2") is reached over."""
        token = self.tokens[index]
        if token.isdecimal():
            self.crossed = True
            return self.linked
        if token == ",":
            self.comma = True
        if token == "=" and self.tokens[index - 1] == "text":
            return False
        return token not in ".;!?\n" or _abbreviates(self.tokens, index)


def _of_number(word: str, earlier: list[str]) -> Cue | None:
    """What "número" makes of the words around it: "mi número" is a phone's, "número de cliente" a code of business."""
    before = earlier[-1]
    if word in _NUMBER:
        return Cue.CALL if before in _OURS else None
    counted = before in _NUMBER or (before in _OF and len(earlier) > 1 and earlier[-2] in _NUMBER)
    return Cue.CODE if counted else None


def _counts(token: str) -> bool:
    """Whether a unit behind this word belongs to the number before it: "45 mil pesos"."""
    return token.isdecimal() or token in _COUNTS


def _judge(cue: Cue, word: str, earlier: list[str], walk: _Walk) -> Cue | None:
    if cue is Cue.ACCOUNT and walk.strangers > 2:
        return None
    if word in _OWNED and not walk.strangers:
        if not earlier or earlier[-1] in _STARTS:
            return Cue.OWN
        if earlier[-1] in _OWNERS:
            return Cue.ID
    if cue in LOOSE:
        return cue
    if walk.strangers or walk.first in _TOWARDS:
        return None
    listed_before = walk.crossed and cue is Cue.CODE and word.endswith("s")
    if (walk.crossed or walk.comma) and not listed_before:
        return None
    return _owner(earlier) or cue


def _owner(earlier: list[str]) -> Cue | None:
    """The word of somebody's data that the word of business belongs to: "el teléfono del pedido es …"."""
    linked = False
    for token in reversed(earlier[-3:]):
        cue = CUES.get(token)
        if cue in (Cue.PHONE, Cue.ID) and linked and token not in _VAGUE:
            return cue
        if token not in _OF:
            return None
        linked = True
    return None


def _abbreviates(tokens: list[str], index: int) -> bool:
    """A dot after "tel", "cc" or "n", a line break after "Teléfono" or "RUT:", do not end the reach of a cue."""
    token, earlier = tokens[index], tokens[index - 1] if index else ""
    if token == "\n":
        return earlier == ":" or CUES.get(earlier) in LOOSE
    if token == "." and earlier.isdecimal() and index + 1 < len(tokens) and tokens[index + 1].isdecimal():
        return True
    return token == "." and (len(earlier) == 1 or earlier in CUES or earlier in _SHORT)


_REACH = 56
_FAR = 4
_TOKEN = re.compile(r"[a-z]+(?:\d(?![\da-z]))?|\d+|[^\sa-z\d]|\n")
_NEAREST = re.compile(r"[ :#=°(*-]*+([a-z]{2,})(?![a-z\d.])(?: ([a-z]+)(?=[ ,]))?")
"""From right to left: the word beside the number, and the one before it."""
_INITIALS = re.compile(r"(?<![a-z])([a-z])[./](?=[a-z](?![a-z]))")
_ALIEN = "a-number "
_GLUED = re.compile(r"(?<![a-z\d])([a-z]{2,14})\d?[ ]?[-._/:=#]{0,2}[\"']?[:=]?[\"']?$")
_AFTER = re.compile(
    r"(?:\s|\s?[(,-]\s?)\(?(?:(?:es|e|is|it's|sao|son|da|do|del|de|mi|meu|minha|el|o|my|a|la|su|seu|nuestro|ese|este|esse|that's|this)\s){0,3}([a-z]++)"
    r"(?!(?: (?:es|is|e|no|nro|n°?))? ?[:#.°]{0,2} ?[\d+(])"
)
"""The word behind a number, unless it announces another number."""
_AT = re.compile(r"(?<!\w)a[lo] \(?$")
_NUMBERING = ("n", "o", "°", ".", ":", "#")
_NUMBERED = re.compile(r"(?:(?<![a-z])(?:n°?\.?|no[.:]) ?[.:]? ?|#)$")
_MINE = re.compile(r"(?<![a-z])(?:mi|mis|my|meu|minha|su|seu|sua|tu) (?:n°?\.? ?|no\. ?|#)$")
_COUNTS = listed("mil k m millon millones milhao milhoes thousand million cien cientos € $ £")
_CLIENTS = listed("cliente client customer socio afiliado usuario")
_NUMBER = listed("numero nro num n ° number num")
_COUNTED = _NUMBER | _CLIENTS
_STREETS = listed("calle avenida av avda carrera cra kr rua ruta jiron jr paseo pasaje km piso street st ave road rd blvd")
"""Behind them comes the number of a house."""
_OWNED = frozenset({"id", "ids"})
_OURS = listed("mi mis su sus tu meu minha seu sua nuestro my your our his her their")
_OWNERS = _OURS | listed("tax federal national personal state fiscal")
"""Before "id" they say that it is a person's."""
_STARTS = frozenset({",", ";", "(", "\n"})
_HAVING = listed("tengo tenho tiene tienes tem have has recuerdo lembro sei se encuentro acho")
_NOT = listed("no nao sin sem not don dont never nunca")
LOOSE = frozenset({Cue.PHONE, Cue.CALL, Cue.ID, Cue.CARD, Cue.ACCOUNT})
_LINKS = listed(
    "y e o u and or ou el la los un otro otra outro outra other old new antiguo antigo anterior nuevo novo velho fijo fixo "
    "movil casa trabajo work home"
)
_TOWARDS = listed("al ao at to pro con com with")
_OF = listed("de del do da of for para pra el la o a the mi su este esta")
_NEAR = _OF | _OWNERS
_VAGUE = listed("documento documentos doc contacto contato contact linea line")
_SHORT = listed("cte nro num no núm nr sr sra")

_PHONE = (
    "tel tels telf telfs tlf tlfn tlfno tfno tfn tlfo fno telefono telefonos telefone telefones telefonico telefonicos fono "
    "fonos fone fones cel cels celu celus celular celulares cell cellphone cellular mobile movil moviles movel phone phones "
    "telephone phonenumber mobilephone telefon handy whatsapp whatsap whatssap watsapp wsp wsap wpp wapp wasap wassap guasap "
    "whats zap zapzap wa ws wp fax bizum nequi daviplata yape plin sms telegram signal linea landline fijo fixo contacto "
    "contato contact"
)
_CALL = (
    "llamar llame llamen llamame llamenme llamarme llamanos llamo llamarlo llamarla marcar marquen marcarme marcame marque "
    "call text ring dial reach ligar liga ligue ligou ligaram telefonar escribir escribirme escribeme escribime chama chamar "
    "chame chamem fala falar manda mande anota anoten anote anotar apunta apunte agenda agendame comunicarse comunicate "
    "comunicarme contactarme contactame contacteme ubicame ubicarme"
)
_ID = (
    "rut run carnet dni dnis nie nif cif cedula cedulas ced cc ci ce documento documentos doc docto identidad identificacion "
    "identidade identification cpf cnpj rg pis pasep nis nit cuit cuil cdi curp rfc nss imss nass nhc ncol nocol colegiado "
    "prontuario ssn social itin ein tin ruc pasaporte passaporte passport licencia license licence cnh ine ife titulo naf "
    "nuss ss afiliacion seguro identificado identificada identificacao habilitacao carteira motorista fein ti lc du cns uscis "
    "alien dl soc medicare cip sanitaria enrolamiento pas elector extranjeria extranjero permiso pep ppt nup cuip"
)
_CARD = "tarjeta tarjetas tarj tdc tdd card cards cartao cartoes visa mastercard master amex maestro debito credito debit credit diners elo hipercard"
_ACCOUNT = "cuenta cuentas cta ctas conta account acct acc iban clabe cbu cvu ccc agencia routing aba swift cci ahorros poupanca"
_CODE = (
    "pedido pedidos orden ordenes order orders ord oc po reserva reservas reservation booking compra factura facturas boleta "
    "boletas invoice invoices inv fatura faturas boleto boletos recibo recibos receipt albaran albaranes ticket tickets tkt "
    "caso casos case reclamo reclamos reclamacao reclamacion protocolo protocolos chamado atendimento incidencia incident "
    "solicitud solicitacao reporte radicado radicacion guia guias tracking track seguimiento rastreio rastreamento rastreo "
    "shipment parcel label encomienda encomenda objeto paquete pacote package codigo codigos cod code codes sku skus ref refs "
    "referencia referencias reference modelo model producto productos produto produtos product articulo articulos artigo item "
    "items lote lotes lot serie serial imei ean eans gtin upc isbn barcode barras nf nfe danfe nota acceso acesso operacion "
    "operacao transaccion transacao transaction transferencia confirmacion confirmacao confirmation autorizacion autorizacao "
    "authorization folio expediente concepto cotizacion cotacao presupuesto orcamento quote contrato contract poliza apolice "
    "policy version versao cupon cupom cupones coupon voucher os id ids uuid conv conversation conversacion conversa hash "
    "commit build epoch timestamp millis ts creado criado created updated unidades unidade units unit cantidad quantidade qty "
    "pzas piezas pecas pcs ups fedex usps dhl correios chilexpress starken andreani servientrega estafeta seur patente placa "
    "chapa ano anos year cp cep zip postal lead deal trato comprobante comprobantes sn remito pqr nsu tid devolucion "
    "devolucao rma pin expte dob nac nasc fnac birth born fecha date vence venc vto exp"
)
_MONEY = (
    "monto montos total totales subtotal valor valores precio precios preco precos price amount saldo saldos balance importe "
    "pago pagos pague pagar paid cobro cobraron cuesta vale valen costo custo deuda divida debe owes due clp ars mxn cop pen "
    "brl eur usd uf pesos reais euros dolares cuota parcela"
)
CUES: dict[str, Cue] = {
    word: cue
    for cue, words in (
        (Cue.CODE, _CODE),
        (Cue.MONEY, _MONEY),
        (Cue.CALL, _CALL),
        (Cue.ACCOUNT, _ACCOUNT),
        (Cue.CARD, _CARD),
        (Cue.ID, _ID),
        (Cue.PHONE, _PHONE),
    )
    for word in sorted(listed(words))
}
FILLERS = listed(
    "el la los las lo un una o os as um uma a al ao the es e is was are eran era foi son sao de del do da dos das of "
    "for n no nro nr num numero numeros number numbers mi mis su sus tu meu minha seu sua my your our nuestro "
    "nuestra y and en em in con com with at to por para pra pro que cliente x i s t interno actual nuevo nueva novo "
    "nova new web online ayer hoy ontem hoje yesterday anterior pendiente este esta fiscal electronica eletronica "
    "ahorro corriente corrente vista "
    "savings checking bancaria bancario banco cte chile estado"
)
