"""Small literal tables of words that show what a name beside them is. All folded, in Spanish, Portuguese and English. Written by hand.

The bigger tables (titles, cues before a person, addresses) are data files, read by ``veil.lexicon``.
"""

#: Right before the name of an inbox or campaign of one word.
THING_CUES = frozenset({
    "bandeja", "bandejas", "buzon", "casilla", "inbox", "caixa", "caixa de entrada", "canal", "cola", "fila", "queue",
    "campana", "campanas", "campanha", "campanhas", "campaign", "campaigns",
})  # fmt: skip

#: Right before the name of a company whose words are all common.
COMPANY_CUES = frozenset({
    "empresa", "empresas", "compania", "firma", "negocio", "sociedad", "sociedade", "cliente", "proveedor", "fornecedor", "tienda", "loja",
    "companhia", "company", "business", "firm", "vendor", "supplier", "customer", "client", "cuenta", "conta", "account",
})  # fmt: skip

#: What somebody does, right behind a name that opens a sentence ("Rosa compró una rosa"). Preterites in -ó and -ou are told by their ending.
ACTIONS = frozenset({
    "es", "esta", "dice", "dijo", "quiere", "queria", "pide", "pidio", "vende", "compra", "llama", "llamo", "escribe", "necesita", "tiene",
    "tenia", "viene", "vino", "puede", "fue", "era", "ha", "va", "sigue", "debe", "paga", "reclama", "pregunta", "responde", "confirma", "recibe",
    "envia", "trabaja", "vive", "hizo", "trajo", "puso", "quiso", "supo", "estuvo", "diz", "disse", "quer", "pede", "pediu", "liga", "ligou",
    "escreve", "precisa", "tem", "tinha", "vem", "veio", "pode", "foi", "deve", "pergunta", "recebe", "recebeu", "trabalha", "mora", "fez", "trouxe",
    "vendeu", "esteve", "says", "said", "wants", "wanted", "asks", "asked", "sells", "sold", "buys", "bought", "calls", "called", "writes", "wrote",
    "needs", "has", "had", "is", "was", "comes", "came", "can", "owes", "paid", "pays", "works", "lives", "sent", "got", "did",
})  # fmt: skip
_ACTION_ENDINGS = ("io", "ou", "eou", "aba", "ava")


def is_action(word: str, *, accented_end: bool) -> bool:
    """Whether a folded word tells what somebody does or did; ``accented_end`` says that its last letter was written ``ó``."""
    return word in ACTIONS or accented_end or (len(word) > 4 and word.endswith(_ACTION_ENDINGS))
