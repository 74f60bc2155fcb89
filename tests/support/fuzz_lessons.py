"""What is hard on a reader of lessons: YAML, Markdown, and pieces that spoil either."""

FRONT = "---\ntitle: t\nnumber: 1\nminutes: 5\nforced_by: a\nnew_idea: b\nforces_next: c\nprerequisites: [p]\ngoals: [g]\n---\n"
BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
QUESTIONS = "".join(f"- question: q{i}\n  number: {i}\n  reply: r\n  otherwise: o\n" for i in range(8))

DEEP = 1100  # more than Python recurses
HARD_YAML = [
    BOMB + "number: *i\n", BOMB + "? *i\n: 1\n", "&a [*a]", "title: &a [*a]\n", "? &a [*a]\n: 1\n", "? &a {b: *a}\n: 1\n",
    "[" * DEEP, "{a: " * DEEP, "- " * DEEP, "a:\n" + "".join(" " * i + "- b:\n" for i in range(1, 400)), "'", "\"\\x", "!!python/object:os.system x",
    "!!timestamp 2001-99-99", "2001-99-99: 1", "title: 2001-02-31\n", "number: " + "9" * 5000, "number: !!int x", "number: !!float x",
    "!!binary x", "a: !!binary '*'", "!!set {a, b}", "a: !!omap [1]", "a: !!bool maybe", "a: !!null x", "%YAML 9.9\n---\na: 1", "a: 1\n---\nb: 2", "\0", "\ufeffa: 1",
    "<<: 1", "<<: [*x]", "&a a: {<<: *a}", "a: &a {<<: *a}", "a: &a {<<: [*a, *a]}", "\"a\\nb\": 1\n\"a\\nb\": 2", "\"x\\nq\": 1", "? [a, b]\n: 1", "? {a: b}\n: 1", "~: 1", ".nan: 1",
]  # fmt: skip

HARD_TEXT = [
    "[]{.term}", "[`x`]{.term}", "[**x**]{.term}", "[x]{.term", "[[x]{.term}]{.term}", "![x]{.term}", "[x](#)", "[](#)", "[x](#a?b)", "[x](#attention-lab?d_k=9)",
    "[" * DEEP, "![" * DEEP, "> " * DEEP, "*" * DEEP + "a" + "*" * DEEP, "`" * DEEP, "- " * DEEP, "$" * DEEP, "$a$ " * 300, "$" + "{" * 500 + "}" * 500 + "$",
    "$$\n" + "\\frac{" * 300 + "\n$$", "$\\left( \\left( $", "$\\begin{matrix}$", "$\\sqrt$", "$x^$", "$_$", "$^^$", "$\\$", "$\\\\$", "$&$", "$\\text{$", "$\\class{x}{y}$", "$\\query$",
    ":::", ":::{", ":::{}", ":::{note}", "::::{note}\n:::{note}\n:::\n::::", (":::{note}\n" * 300), "".join(":" * (3 + n) + "{note}\n" for n in range(99, 0, -1)),
    "".join(":" * (3 + n) + "{note}\n" for n in range(300, 0, -1)) + "".join("\n" + ":" * (3 + n) for n in range(1, 301)), "> :::{note}\n> x\n> :::", "- :::{attention-lab}\n  :::",
    "## ", "## 1", "## \U0001f600", "## x\n\n## x", "##### x", "x\n===", "\0", "\r", "a\rb", "\u2028", "|a|\n|-|\n" + "|b" * 500, "{.x}", "x{#id .y z=1}", "[x]{" + "." * 500 + "}",
    "<script>", "&#0;", "&#x110000;", "[x]: y\n" * 300 + "[x]", "[a]: <" + "b" * 9999, "[x](javascript:alert(1))", "[x](data:text/html,x)", ":::{attention-lab}\n:state: " + "a=1&" * 500 + "\n:::",
    ":::{quiz}\nx: 1\n:::", ":::{quiz}\n:::", ":::{interview}\n:::", ":::{checklist}\nlines: x\n:::", ":::{checkpoint}\ntasks: [[]]\n:::", ":::{figure} a b c\n:::",
]  # fmt: skip

PIECES = [b"", b"\n", b"---\n", b":::", b":::{note}\n", b"  ", b"\t", b": ", b"- ", b"[", b"]", b"{", b"}", b"$", b"$$", b"|", b"\\", b"*a", b"&a ", b"!!x ", b"'", b'"', b"\xff", b"\0"]  # fmt: skip
