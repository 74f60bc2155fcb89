// The contents bar: names the section that is being read, closes when one was chosen.

import { watchScrolling } from "scrollable";

watchScrolling(".math.block, main > pre");

const bar = document.querySelector("[data-contents]");
if (bar) {
  const links = new Map([...bar.querySelectorAll("a")].map((link) => [link.hash.slice(1), link]));
  const heads = [...links.keys()].map((id) => document.getElementById(id));
  const current = bar.querySelector("[data-current]");
  let asked = false;

  function mark() {
    asked = false;
    const id = heads.filter((head) => head.getBoundingClientRect().top < innerHeight / 3).at(-1)?.id;
    for (const [anchor, link] of links) {
      if (anchor === id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    current.textContent = id ? links.get(id).textContent : "";
  }

  const markSoon = () => {
    if (!asked) requestAnimationFrame(mark);
    asked = true;
  };
  addEventListener("scroll", markSoon, { passive: true });
  addEventListener("resize", markSoon);
  bar.addEventListener("click", ({ target }) => {
    if (target.closest("a")) bar.open = false;
  });
  bar.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !bar.open) return;
    bar.open = false;
    bar.querySelector("summary").focus();
  });
  mark();
}
