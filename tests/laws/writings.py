"""How models write a token: every dash, everything around it, every ending, every field; and what only looks like one.

Each table is a list of kinds. A writing is letter, dash and number, put into a surrounding; any of the one with any of the other is read as the token.
"""

#: Between letter and number, after any letter.
DASHES = (
    "-", "\u02d7", "\u2010", "\u2011", "\u2012", "\u2013", "\u2014", "\u2015", "\u2043", "\u2212", "\ufe58", "\ufe63", "\uff0d",
    # escaped for Markdown, once or twice, and for JSON
    "\\-", "\\\\-", "\\\u2011", "\\u002d", "\\u002D", "\\u2011", "\\u2013", "\\u2014", "\\u2212", "\\\\u002d",
    # HTML entities, also escaped again
    "&#45;", "&#045;", "&#0045;", "&#x2d;", "&#x2D;", "&#x02d;", "&#8208;", "&#8209;", "&#8211;", "&#8212;", "&#8722;", "&#x2010;", "&#x2011;", "&#x2013;",
    "&#x2014;", "&#x2212;", "&ndash;", "&mdash;", "&minus;", "&hyphen;", "&dash;", "&horbar;", "&amp;#45;", "&amp;ndash;",
    # with characters of no width
    "\u200b-", "-\u200b", "\u2060-\u2060", "\ufeff-", "-\u200d", "\u00ad-", "-\u200e", "\u200b\u2011\u200b",
)  # fmt: skip

#: Between letter and number, after a capital only.
SPACED_DASHES = (
    " - ", " -", "- ", "-  ", "  -", "\u00a0-\u00a0", "\u00a0-", "\u202f\u2013\u202f", " \u2013 ", " \u2014 ", " \u2212 ", " \\- ", "&nbsp;-&nbsp;",
    "&#160;-", "-&#xA0;", " &ndash; ", "\u00a0\u2060-\u2060\u00a0", "\u2007-\u2007",
)  # fmt: skip

#: Before and behind.
AROUND = (
    ("", ""), (" ", " "), ("\n", "\n"), ("\r\n", "\r\n"), ("- ", "\n- "), ("1. ", "\n2. "), ("# ", "\n"), ("> ", "\n>"),
    # emphasis, code, strikethrough, highlighting
    ("*", "*"), ("**", "**"), ("***", "***"), ("_", "_"), ("__", "__"), ("**_", "_**"), ("`", "`"), ("``", "``"), ("~~", "~~"), ("==", "=="), ("\\*", "\\*"), ("\\_", "\\_"),
    # brackets
    ("[", "]"), ("(", ")"), ("{", "}"), ("<", ">"), ("[[", "]]"), ("\\[", "\\]"), ("\u3010", "\u3011"), ("&lt;", "&gt;"), ("$", "$"), ("\\text{", "}"), ("\\(", "\\)"),
    # quotes
    ('"', '"'), ("'", "'"), ("\u201c", "\u201d"), ("\u2018", "\u2019"), ("\u00ab", "\u00bb"), ("\u2039", "\u203a"), ("\u201e", "\u201c"), ("&quot;", "&quot;"), ('\\"', '\\"'),
    # punctuation and signs
    ("\u00bf", "?"), ("\u00a1", "!"), ("", "."), ("", ","), ("", ";"), ("", ":"), ("", "\u2026"), ("", "..."), ("\u2014", "\u2014"), ("\u2013", "\u2013"), ("#", ""), ("@", ""),
    ("", ".\n"), ("", ".Ahora"), ("=", ""), ("\u2192", "\u2192"), ("\U0001f600", "\U0001f600"), ("+", "+"), ("\u2022 ", ""), ("", "%"), ("", "/"), ("", " / "),
    # tables, links, HTML, JSON, escaped line breaks
    ("|", "|"), ("| ", " | "), ("\\|", "\\|"), ("<td>", "</td>"), ("<b>", "</b>"), ("<br>", "<br/>"), ("[", "](https://tienda.example/x)"), ("[ficha de ", "](x)"),
    ('{"contact":"', '"}'), ("\\n", "\\n"), ("\\t", "\\t"), ("\\r\\n", "\\r\\n"), ("&nbsp;", "&nbsp;"), ("  ", "  \n"), ("", "\\\n"),
    # characters of no width or of direction
    ("\u200b", "\u200b"), ("\u2060", "\u2060"), ("\ufeff", "\ufeff"), ("\u200e", "\u200f"), ("\u2068", "\u2069"), ("\u202a", "\u202c"),
    # possessives, plurals, articles and elisions, translations, neighbours
    ("", "'s"), ("", "\u2019s"), ("", "\u00b4s"), ("", "\u02bcs"), ("", "'"), ("", "s"), ("los ", "s"), ("los ", "es"), ("los ", ""), ("", "(s)"), ("", "s' "), ("l'", ""), ("d\u2019", ""),
    ("cliente ", ""), ("el contacto ", ""), ("contact ", ""), ("o contato ", ""), ("Kunde ", ""), ("de ", " y ana"),
)  # fmt: skip

#: Behind the token, for the field that it names.
FIELDS = (
    (".phone", "phone"), (".email", "email"), (".national_id", "national_id"), (".legal_id", "legal_id"), (".national\\_id", "national_id"), (".legal\\_id", "legal_id"),
    (".Phone", "phone"), (".EMAIL", "email"), (".NATIONAL_ID", "national_id"), ("\\.phone", "phone"),
)  # fmt: skip

#: Part of a word, number, code, path, file name or e-mail address; leading zeros; too long; broken over two lines; a dash too many.
NO_TOKENS = (
    "UTC-7", "ABC-7", "1C-7", "C-7B", "C-7b", "C-7S", "C-7sa", "C-7es7", "C-77777777", "C-07", "C-0", "C-1000000", "\u00f1C-7", "C-7\u00f1", "C-7\u0301", "xC-7", "\u0106-7", "\u0416-7", "C-7\u00b2",
    "C-7\u0661", "\uff21C-7", "C-7\uff21", "C-7\u200b8", "C-7\u2060\u200b8",
    "foto_C-7", "foto__C-7", "foto\\_C-7", "C-7_1", "C-7__a", "C-7\\_1", "C-7\\_\\_a", "x-C-7", "x\\-C-7", "x\u2011C-7", "C-7-8", "C-7-a", "C-7\\-8", "C-7\u20118", "C-7\u2010a",
    "1.C-7", "C-7.5", "C-7.jpg", "C-7s.jpg", "informe.C-7", "C-7.phones", "C-7.tel\u00e9fono", "C-7.phone_1",
    "/C-7/", "a/C-7", "C-7/a", "C-7/5", "/C-7/C-8", "C-7/C-8/a", "~/C-7", "./C-7", "a/C-7/C-8", "C:\\C-7", "\\C-7", "C-7\\ficha", "C-7\\a.txt",
    "c-7@correo.example", "c-7\\@correo.example", "x@C-7", "x\\@C-7", "x.@C-7", "c-7+ventas@correo.example", "ana.c-7@correo.example", "ana+c-7@correo.example", "c-7.ana@correo.example", "c-7_ana@correo.example",
    "ana@c-7.example", "@c-7.example",
    "C7", "C 7", "C--7", "C- -7", "C_7", "c - 7", "c -7", "C\n-7", "C-\n7", "C-x", "C-", "-7", "C-\u0667", "C%2D7", "C&gt;7", "C&#46;7", "C\\n-7", "C   -7",
)  # fmt: skip
