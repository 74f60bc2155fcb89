"""Sentences that are taken and look like code where somebody forgets that they are text."""

TOKENS = (
    "\"onload='x()'",
    "&lt;img&gt;",
    "{{7*7}}",
    "{%raw%}",
    "$$x^2$$",
    "${x}`",
    "javascript:x()",
    "';x()//",
    "=1+1",
    "](x)",
    "*/x/*",
    "--",
)
SENTENCE = " ".join(TOKENS)
# As many words, none of which is anything but a word.
PLAIN = "a b c d e f g h i j k l"
