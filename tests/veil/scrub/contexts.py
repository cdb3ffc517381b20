"""Sentences with one place for a value, as customers write them."""

from collections.abc import Mapping

from hypothesis import strategies as st

SENTENCES: Mapping[str, tuple[str, ...]] = {
    "es": (
        "{}", "hola, soy Ana, {}", "anota: {}", "te dejo {} gracias", "({})", "{}.", "¿es {}?", "Ana Roa - {} - Calle Larga",
        "mis datos:\n{}\nsaludos", "es {}, ¿ok?", "\t{}\t", "\"{}\"", "dato={}", "el mío es {}; el de Ana lo mando luego",
        "hoy a las 15:30 {} por favor", "pagué $ 12.990 y {}", "mándalo a {}!!", "{}\n", "12/03/2024 {}", "/ {} /",
        "**{}**", "• {}", "|{}|", "{} 👍", "ok,{},listo", "Buenas tardes quisiera saber de mi despacho\n\nAna Roa\n{}\nana", "«{}»",
        "no me llegó nada el 3 de mayo, {}", "compré 2 unidades por $ 45.990 c/u. {}", "📱 {}", "1) {} 2) nada", "> {}",
        "cobraron 44 mil pesos {}", "500 USD {}", "Ana: {} / Bea: igual", "favor coordinar con el conserje, {} gracias", "me mudé a Av. Larga 123, depto 4. {}",
    ),
    "pt": (
        "{}", "oi, aqui é a Ana, {}", "anota aí: {}", "pode usar {} obrigada", "({})", "é {}, tá?", "meus dados:\n{}\nabs", "hoje às 15h30 {}", "paguei R$ 12,90 e {}",
        "bom dia, comprei ontem e nada. {}", "segue {} qualquer coisa", "58 mil reais {}", "me chama no {}", "moro na Rua Larga, 12 - apto 3; {}",
    ),
    "en": (
        "{}", "hi, Ana here, {}", "use {} please", "it is {}.", "({})", "my details:\n{}\nthanks", "today at 3:30 pm {}", "I paid $12.90 and {}",
        "she says {} is fine", "still waiting since May 3, 2024. {}", "left a note for Ana at {} asap", "ship to 12 Main St, Apt 4. {}",
    ),
}  # fmt: skip
"""By language."""


def sentences() -> st.SearchStrategy[str]:
    """Sentences of all languages."""
    return st.sampled_from(tuple(s for rows in SENTENCES.values() for s in rows))
