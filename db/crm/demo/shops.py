"""The three shops of the demo as literal data: one in Chile, one in Brazil, one in Spain and the US.

Every name is invented; words.py says which words a cast renames.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shop:
    """One tenant. Names are written plainly, given names before the slash; a stroke parts a name from its alias, and `@US` says of which country its
    numbers are.
    """

    tenant_id: int
    name: str
    countries: tuple[str, ...]  # the first one unless another is said
    language: str
    zone: str
    currency: str
    prices: tuple[tuple[str, str], ...]  # slot, and how it writes a price whose thousands are parted by {dotted} or {comma}
    days: tuple[str, ...]  # how days may be written
    stories: str
    domain: str
    cities: tuple[str, ...]
    members: tuple[tuple[str, str, tuple[int, ...]], ...]  # name, role, inboxes
    inboxes: tuple[tuple[str, str, str], ...]  # name, channel, key in the stories
    contacts: tuple[str, ...]  # those who must be there; the rest is drawn
    given: tuple[str, ...]  # from which the rest is drawn; empty: from the whole pools
    surnames: tuple[str, ...]
    strangers: tuple[tuple[str, str], ...]  # country, and the end of the names of the pools of people of it whom no CRM knows
    companies: tuple[str, ...]
    labels: tuple[str, ...]
    campaigns: tuple[tuple[str, str, str], ...]  # name, channel, state
    notes: tuple[str, ...]
    deals: tuple[str, ...]

    @property
    def country(self) -> str:
        """Where it has its seat."""
        return self.countries[0]

    @property
    def settings(self) -> dict[str, object]:
        """The tenant's settings as Velo reads them."""
        countries = list(self.countries)
        return {"language": self.language, "zone": self.zone, "phone_regions": countries, "id_countries": countries}


def _names(written: str) -> tuple[str, ...]:
    return tuple(written.split())


CHILE = Shop(
    tenant_id=1,
    name="Casa Demo Chile",
    countries=("CL",),
    language="es",
    zone="America/Santiago",
    currency="CLP",
    prices=(("price", "${dotted}"),),
    days=("%d/%m", "%d/%m/%Y", "%d-%m-%Y"),
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
    strangers=(("CL", ""),),
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
    countries=("BR",),
    language="pt",
    zone="America/Sao_Paulo",
    currency="BRL",
    prices=(("price", "R$ {dotted},90"),),
    days=("%d/%m", "%d/%m/%Y", "%d-%m-%Y"),
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
    strangers=(("BR", ""),),
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

NORTH = Shop(
    tenant_id=3,
    name="Casa Demo Madrid & Miami",
    countries=("ES", "US"),
    language="en",
    zone="America/New_York",
    currency="USD",
    prices=(("price", "${comma}.00"), ("euros", "{dotted},50 €")),
    days=("%d/%m/%Y", "%m/%d/%Y", "%Y-%m-%d"),
    stories="stories_en_es.txt",
    domain="shop.example",
    cities=("Madrid", "Bilbao", "Miami", "Tampa"),
    members=(
        ("Isabel / Heredia", "admin", ()),
        ("Stephanie / Caldwell", "supervisor", ()),
        ("Carolina / Vallejo", "agent", (1,)),
        ("Trevor / Hughes", "agent", (2,)),
        ("Macarena / Ordóñez", "agent", (1,)),
        ("Derek / Crawford", "agent", (1, 2, 3)),
    ),
    inboxes=(("Support", "whatsapp", "support"), ("Sales", "web", "sales"), ("Envíos Madrid", "email", "shipping")),
    contacts=(
        "Robert / McAllister @US",
        "Elizabeth / O'Brien @US",
        "Pilar / García Ruiz",
        "Carmen / de la Cruz",
        "Wallace / van der Berg @US",
        "Jimena / Fernández-Cano",
        "Bo / Li @US",
        "王小明 / @US | Xiaoming Wang",
        "渡辺花子 / @ES | Hanako Watanabe",
        "محمد / العلي @ES | Muhammad Alali",
        "דוד / לוי @US | David Levi",
        "Paco / Ortiz Molina",
        "Guadalupe / Sanz Delgado",
        "Luz / Marín",
        "Rosa / Peña",
        "Mercedes / Soler",
        "Santiago / Castillo",
        "Austin / Bennett @US",
        "Charlotte / Watkins @US",
        "Victoria / Prieto",
        "Grace / Hayes @US",
        "Hope / Johnson @US",
        "Joy / Perkins @US",
        "Will / Foster @US",
        "Rich / Coleman @US",
        "Bill / Sutton @US",
        "Summer / Griffin @US",
        "Pepe / Calvo",
        "Lola / Redondo",
        "Maite / Arrieta",
        "Chelo / Cordero",
        "Rosa /",
        "Cliente /",
        "Elizabeth / Otero @ES",
        "Ángel / Reyes Flores",
        "Timothy / O'Malley @US",
        "Katherine / McKinley @US",
        "Josefa / Escribano | Josefa de Galán",
    ),
    given=_names(
        "Carmen Rocío Aurora Lourdes Lucía Inés Begoña Nuria Mireia Elena Cristina Silvia Javier Óscar Iván Adrián "
        "Brenda Kimberly Melissa Brandon Kevin Dustin Cynthia Lauren Rachel Hannah Zachary Caleb Thomas James Gregory "
        "Anthony Patrick Alexander Jennifer Edward Deborah Ainhoa Oriol"
    ),
    surnames=_names(
        "Crespo Rubio Ramos Bosch Puig Ferrer Hidalgo Gallardo Luque Carmona Velasco Merino Villar Valverde Pombo "
        "Guijarro Giménez Vázquez Núñez Cortés Thompson Harrison Henderson Patterson Richardson Bradshaw Sullivan "
        "Reilly Fletcher Burgess Webster Kramer Wheeler Hawkins Vaughn Tanaka Zhang Cohen"
    ),
    strangers=(("ES", ""), ("US", "_north")),
    companies=(
        "La Esquina",
        "Quimelar Logistics LLC @US",
        "Ferrer y Asociados S.L.",
        "Norvelia Foods Inc. @US",
        "Caldwell Hughes LLP @US",
        "Casa Alameda S.L.",
        "Trevinca",
        "Andolira Ibérica S.A.",
        "Lumipar Holdings Corp. @US",
    ),
    labels=("VIP", "Claim", "Cobro", "Wholesale", "Garantía", "Accounts of {star.first}", "Follow up"),
    campaigns=(
        ("Operación Cosecha", "whatsapp", "running"),
        ("Back to school", "email", "finished"),
        ("Semana de la Terraza", "web", "paused"),
        ("Winter at home", "whatsapp", "finished"),
        ("Free shipping", "email", "draft"),
    ),
    notes=(
        "Prefers calls in the afternoon. Ask {star.first}, she knows the case.",
        "Autorizó a {y} (documento {y.id}) a recoger en su nombre.",
        "Paid {price} in cash; the change stays on the account.",
        "Se quejó del trato del técnico {y.first}. Pedir disculpas.",
        "Other phone: {x.phone|spaced} (of her sister {x.first}).",
        "Viene recomendado por {other}.",
        "No credit until {date}.",
        "Always talk to {me.first}, never to {x}.\nBackup e-mail: {x.email}",
    ),
    deals=(
        "Yearly renewal, company {company}",
        "40 sillas a nombre de {me.last}",
        "Project with {x}",
        "Office furniture",
        "Wholesale order {order}",
        "Contrato de mantenimiento, contacto {other.first}",
    ),
)

SHOPS = (CHILE, BRAZIL, NORTH)
