// The main figure starts while the page is still being read; what needs the rest of it waits.

/** Resolves when the whole page is there. */
export const isRead = () =>
  document.readyState === "loading" ? new Promise((resolve) => addEventListener("DOMContentLoaded", resolve, { once: true })) : null;
