"""Asked of a page: whether everything fits."""

# Text that its own box does not show. The place that is being read is named in one line, whatever its length.
CUT = """() => {
  const texts = "button, summary, label, legend, dt, dd, p, th, td, figcaption, li, a, output, span";
  const left = ".visually-hidden, svg, math, .canvas, pre, [data-current], [popover]";
  const hides = (overflow) => overflow === "hidden" || overflow === "clip";
  const isCut = (el) => {
    const { display, overflowX, overflowY } = getComputedStyle(el);
    if (display === "inline" || el.closest(left) || !el.checkVisibility({ contentVisibilityAuto: true })) return false;
    const isWide = (hides(overflowX) || el.matches("button")) && el.scrollWidth > el.clientWidth + 1;
    return isWide || (hides(overflowY) && el.scrollHeight > el.clientHeight + 2);
  };
  const name = (el) => `${el.closest("[data-figure]")?.dataset.figure} ${el.tagName}.${el.className}`;
  return [...document.querySelectorAll(`main :is(${texts}), .languages a, footer`)]
    .filter(isCut)
    .map((el) => `${name(el)} ${el.textContent.trim().slice(0, 60)}`);
}"""
WIDER = "document.documentElement.scrollWidth - innerWidth"
SETTLED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
