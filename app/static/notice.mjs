// The notice on the page of what in its link could not be used.

import { fill } from "text";

/** Add to the notice; a server has written its own into it already. */
export function tellIgnored(ignored, words) {
  if (!ignored.length) return;
  const notice = document.querySelector('[data-notice="link"]');
  const list = notice.querySelector("ul");
  for (const value of ignored) {
    const item = document.createElement("li");
    item.textContent = fill(words["link.value"], value);
    list.append(item);
  }
  notice.hidden = false;
}

document
  .querySelector('[data-notice="link"] [data-close]')
  ?.addEventListener("click", ({ target }) => target.closest("[data-notice]").remove());
