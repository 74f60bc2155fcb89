// What scrolls sideways by itself, a wide formula or table, takes the keyboard while it does, and only then. It goes
// by the name of its section.

function mark(el) {
  const scrolls = el.scrollWidth > el.clientWidth;
  if (scrolls === el.hasAttribute("tabindex")) return;
  const before = (head) => head.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_FOLLOWING;
  const section = [...document.querySelectorAll("h2[id], h3[id]")].filter(before).at(-1)?.id ?? "";
  for (const [name, value] of Object.entries({ tabindex: 0, role: "group", "aria-labelledby": section })) {
    if (scrolls) el.setAttribute(name, value);
    else el.removeAttribute(name);
  }
}

export function watchScrolling(selector) {
  const watch = new ResizeObserver((entries) => entries.forEach(({ target }) => mark(target)));
  for (const el of document.querySelectorAll(selector)) watch.observe(el);
}
