"""Asked of a page: whether everything fits."""

# Text that its own box does not show. Left out: what only repeats a name that is shown in full elsewhere on the page,
# as the place that is being read does, in one line, whatever its length.
CUT = """() => {
  const repeated = "[data-current], .op-slot th"; // in the contents, in the list of rows
  const left = `.visually-hidden, [aria-hidden=true], svg, math, .canvas, .op-map, pre, select, [popover], ${repeated}`;
  const hides = (overflow) => overflow === "hidden" || overflow === "clip";
  const isCut = (el) => {
    const { display, overflowX, overflowY, clipPath } = getComputedStyle(el);
    if (display === "inline" || clipPath !== "none" || !el.textContent.trim() || el.closest(left)) return false;
    if (!el.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })) return false;
    const isWide = (hides(overflowX) || el.matches("button")) && el.scrollWidth > el.clientWidth + 1;
    return isWide || (hides(overflowY) && el.scrollHeight > el.clientHeight + 2);
  };
  const name = (el) => `${el.closest("[data-figure]")?.dataset.figure} ${el.tagName}.${el.className}`;
  return [...document.querySelectorAll("main *, .languages a, footer")]
    .filter(isCut)
    .map((el) => `${name(el)} ${el.textContent.trim().slice(0, 60)}`);
}"""
WIDER = "document.documentElement.scrollWidth - innerWidth"
SETTLED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
