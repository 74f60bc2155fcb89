// The links to this page in other languages keep what is on screen.

import { ownQuery } from "address";
import { writeQuery } from "link";
import { stateOf } from "stateof";

/** Before such a link is followed, the main figure's state is written into it. */
export function followLanguages() {
  addEventListener("click", ({ target }) => {
    const link = target.closest?.("[data-language]");
    if (!link) return;
    const root = document.querySelector("[data-mount][data-eager] [data-figure]");
    const url = new URL(link.href);
    for (const [name, value] of writeQuery(root ? stateOf(root) : {}, ownQuery())) {
      if (name !== "lang") url.searchParams.set(name, value);
    }
    url.hash = location.hash;
    link.href = url.href;
  });
}
