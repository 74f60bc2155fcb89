// What scrolls sideways by itself, a wide formula or table, takes the keyboard while it does, and only then.

const mark = (el) => {
  if (el.scrollWidth > el.clientWidth) el.tabIndex = 0;
  else el.removeAttribute("tabindex");
};

export function watchScrolling(selector) {
  const watch = new ResizeObserver((entries) => entries.forEach(({ target }) => mark(target)));
  for (const el of document.querySelectorAll(selector)) watch.observe(el);
}
