"""The two shops of the demo as literal data, one in Chile and one in Brazil.

Every name is invented; words.py says which words a cast renames.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shop:
    """One tenant. Names are written plainly, given names before the slash; a stroke parts a name from its alias."""

    tenant_id: int
    name: str
    country: str
    language: str
    zone: str
    currency: str
    stories: str
    domain: str
    cities: tuple[str, ...]
    members: tuple[tuple[str, str, tuple[int, ...]], ...]  # name, role, inboxes
    inboxes: tuple[tuple[str, str, str], ...]  # name, channel, key in the stories
    contacts: tuple[str, ...]  # those who must be there; the rest is drawn
    given: tuple[str, ...]  # from which the rest is drawn; empty: from the whole pools
    surnames: tuple[str, ...]
    companies: tuple[str, ...]
    labels: tuple[str, ...]
    campaigns: tuple[tuple[str, str, str], ...]  # name, channel, state
    notes: tuple[str, ...]
    deals: tuple[str, ...]

    @property
    def settings(self) -> dict[str, object]:
        """The tenant's settings as Velo reads them."""
        countries = [self.country]
        return {"language": self.language, "zone": self.zone, "phone_regions": countries, "id_countries": countries}


def _names(written: str) -> tuple[str, ...]:
    return tuple(written.split())


CHILE = Shop(
    tenant_id=1,
    name="Casa Demo Chile",
    country="CL",
    language="es",
    zone="America/Santiago",
    currency="CLP",
    stories="stories_es.txt",
    domain="tienda.example",
    cities=("Santiago", "Concepción", "La Serena", "Temuco"),
    members=(
        ("Marcelo / Troncoso", "admin", ()),
        ("Paulina / Retamal", "supervisor", ()),
        ("Valentina / Orellana", "agent", (1,)),
        ("Ricardo / Urrutia", "agent", (2,)),
        ("Constanza / Zúñiga", "agent", (1,)),
        ("Gustavo / Olivares", "agent", (1, 2, 3)),
    ),
    inboxes=(("Soporte", "whatsapp", "soporte"), ("Ventas", "web", "ventas"), ("Despacho Norte", "email", "despacho")),
    contacts=(
        "María / López",
        "María / Contreras Rojas",
        "José / Pérez | José Ortega",
        "José Miguel / Araya",
        "Juan José / Vergara Muñoz",
        "José Ignacio / Sepúlveda",
        "José Luis / Figueroa Pizarro",
        "José Tomás / de la Cruz",
        "Pedro José / Alarcón",
        "Rosa /",
        "Ana /",
        "Cliente /",
        "Luz / Flores",
        "Paz / Reyes Cruz",
        "Bernardo / O'Higgins Aravena",
        "Ximena-Paola / Villagra",
        "Joaquín / Echeverría-Vásquez",
        "Camila / Wu",
        "Tomás / Valencia",
        "Josefina / del Valle Araya",
        "Gabriela / da Silva",
        "Eduardo / de Castro y Bustamante",
        "Javiera / Nakamura Li",
        "Dolores / Guerra",
        "Felipe / Alarcón | Felipe Montenegro",
        "Hugo / Recabarren",
        "Cristóbal / Muñoz Muñoz",
        "Eva / Campos | Eva de Fuenzalida",
    ),
    given=(),
    surnames=(),
    companies=(
        "La Esquina",
        "Comercial Quimelar SpA",
        "Barrientos y Cía. Ltda.",
        "Ferretería Lumipar Ltda.",
        "Transportes Aguilera Donoso S.A.",
        "Trevinca",
        "Cascada",
        "Importadora Andolira Limitada",
        "Constructora Tecnoruil S.A.",
        "Clínica Huilmora E.I.R.L.",
    ),
    labels=("VIP", "Reclamo", "Cobranza", "Mayorista", "Garantía", "Cartera de {star.first}", "Seguimiento"),
    campaigns=(
        ("Operación Cosecha", "whatsapp", "running"),
        ("Regreso a clases", "email", "finished"),
        ("Semana de la Terraza", "web", "paused"),
        ("Invierno en casa", "whatsapp", "finished"),
        ("Despacho gratis", "email", "draft"),
    ),
    notes=(
        "Prefiere llamadas por la tarde. {star.first} conoce el caso.",
        "Autorizó a {y} (RUT {y.id}) a retirar en su nombre.",
        "Pagó {price} en efectivo; el vuelto quedó a favor.",
        "Reclamó por el trato del técnico {y.first}. Pedir disculpas.",
        "Otro teléfono: {x.phone|spaced} (de su hermana {x.first}).",
        "Viene por recomendación de {other}.",
        "No ofrecer crédito hasta el {date}.",
        "Hablar siempre con {me.first}, nunca con {x}.\nCorreo de respaldo: {x.email}",
    ),
    deals=(
        "Renovación anual, empresa {company}",
        "40 sillas a nombre de {me.last}",
        "Proyecto con {x}",
        "Equipamiento de oficina",
        "Pedido mayorista {order}",
        "Contrato de mantención, contacto {other.first}",
    ),
)

BRAZIL = Shop(
    tenant_id=2,
    name="Casa Demo Brasil",
    country="BR",
    language="pt",
    zone="America/Sao_Paulo",
    currency="BRL",
    stories="stories_pt.txt",
    domain="loja.example",
    cities=("Campinas", "Curitiba", "Recife", "Manaus"),
    members=(
        ("Otávio / Guimarães", "admin", ()),
        ("Débora / Fonseca", "supervisor", ()),
        ("Larissa / Azevedo", "agent", (1,)),
        ("Thiago / Bezerra", "agent", (2,)),
        ("Bianca / Siqueira", "agent", (1,)),
        ("Murilo / Tavares", "agent", (1, 2, 3)),
    ),
    inboxes=(("Suporte", "whatsapp", "suporte"), ("Vendas", "web", "vendas"), ("Entregas Sul", "email", "entregas")),
    contacts=(
        "María / López",
        "José / Pérez",
        "Rosa /",
        "Ana / Leal",
        "Cliente /",
        "Luz / Reyes",
        "Aline / dos Santos",
        "Caetano / da Silva Costa",
        "Vinícius / Falcão",
        "Lívia / D'Aragão",
        "Yasmin / Nakamura Li",
        "Zélia-Cíntia / Peixoto",
        "Ademir / Barbosa-Medeiros",
        "Celeste / Campos",
        "Edson / Wu",
        "Gisele / de Almeida e Castro",
        "Rayssa / Dallagnol | Rayssa Pimentel",
        "Everton / Mendonça",
        "Simón / Valdivia",
        "Flávia / Meireles Meireles",
    ),
    given=_names(
        "Aline Luana Larissa Bianca Débora Yasmin Rayssa Gisele Cíntia Flávia Lívia Sueli Ivete Zélia Jandira "
        "Iracema Vinícius Caio Otávio Edson Everton Gilmar Ademir Jurandir Valdemar Osmar Murilo Thiago Fabrício "
        "Renata Cecilia Beatriz Natalia Vanessa Priscila Marcos Gaspar Caetano Bruno Camila Daniela Gabriela "
        "Leonardo Eduardo Ricardo Gustavo Felipe Rafael"
    ),
    surnames=_names(
        "Pereira Almeida Barbosa Cavalcanti Nogueira Teixeira Azevedo Bezerra Rezende Fonseca Guimarães Andrade "
        "Siqueira Vasconcelos Brandão Mendonça Figueiredo Borges Camargo Castro Dantas Esteves Furtado Gouveia "
        "Lacerda Macedo Magalhães Medeiros Novaes Paiva Pimentel Quintana Sampaio Seabra Tavares Valadares "
        "Meireles Peixoto Gusmão Junqueira Ferreira Silveira Moraes Soares Barreto Carneiro Falcão Aragão Galvão "
        "Simões Silva Santos Costa Campos Leal"
    ),
    companies=(
        "Padaria Esquina",
        "Brasmilha Comércio Ltda.",
        "Vasconcelos & Medeiros Advogados",
        "Transportadora Norvelia S.A.",
        "Casa Alameda ME",
        "Vidrolén",
        "Construtora Pampasur Ltda.",
        "Clínica Altoveda EIRELI",
        "Mercado Semilla",
    ),
    labels=("VIP", "Reclamação", "Cobrança", "Atacado", "Garantia", "Carteira da {star.first}", "Acompanhar"),
    campaigns=(
        ("Operação Cascada", "whatsapp", "running"),
        ("Volta às aulas", "email", "finished"),
        ("Semana da Rambla", "web", "paused"),
        ("Inverno em casa", "whatsapp", "finished"),
        ("Frete grátis", "email", "draft"),
    ),
    notes=(
        "Prefere ligação à tarde. A {star.first} conhece o caso.",
        "Autorizou {y} (CPF {y.id}) a retirar em seu nome.",
        "Pagou {price} em dinheiro; o troco ficou de crédito.",
        "Reclamou do técnico {y.first}. Pedir desculpas.",
        "Outro telefone: {x.phone|spaced} (da irmã {x.first}).",
        "Veio por indicação de {other}.",
        "Não oferecer crédito até {date}.",
        "Falar sempre com {me.first}, nunca com {x}.\nE-mail reserva: {x.email}",
    ),
    deals=(
        "Renovação anual, empresa {company}",
        "40 cadeiras em nome de {me.last}",
        "Projeto com {x}",
        "Móveis de escritório",
        "Pedido de atacado {order}",
        "Contrato de manutenção, contato {other.first}",
    ),
)

SHOPS = (CHILE, BRAZIL)
