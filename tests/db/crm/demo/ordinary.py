"""Words of the demo's texts that are names elsewhere and are none here: no cast renames them, and no veil takes them for a mention."""

PHRASES = (
    *("un vestido rosa", "al lado de la esquina", "fica na esquina"),
    *("el pilar de", "se fue la luz", "I hope you", "I hope so"),
)
