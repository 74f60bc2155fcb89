// Before the first paint: what of the address decides how the page looks. Classic and inline, for it may not wait.
(() => {
  // While servers are replaced, a page may meet one that lacks its modules: once more from the start.
  // Where it meets none, as soon as one is there.
  let anew = performance.getEntriesByType("navigation")[0]?.type !== "reload";
  let waits = false;
  const wait = () => {
    anew = true;
    document.querySelector('[data-notice="start"]')?.removeAttribute("hidden");
    setTimeout(ask, 2000);
  };
  const go = ({ ok, status }) => (status < 500 ? ok && anew && location.reload() : wait());
  const ask = () => fetch(location.pathname, { method: "HEAD", cache: "no-store" }).then(go, wait);
  const failed = ({ target: { type } }) => {
    if (type !== "module" || waits || location.protocol === "file:") return;
    waits = true;
    ask();
  };
  addEventListener("error", failed, true);
  const root = document.documentElement;
  const query = new URLSearchParams(root.dataset.start);
  new URLSearchParams(location.search).forEach((value, name) => query.set(name, value));
  // A server has read it itself; in a site each language has its own folder.
  const lang = query.get("lang");
  const other = lang && lang !== root.lang && document.querySelector(`link[rel="alternate"][hreflang="${CSS.escape(lang)}"]`);
  if (other) location.replace(other.href + location.search + location.hash);
  let theme = query.get("theme") ?? root.dataset.theme;
  try {
    // A link that leaves the colours open leaves them to the reader.
    if (theme === "auto") theme = JSON.parse(localStorage.getItem("attention-lessons/settings")).theme;
  } catch {
    // nothing is kept, or may be read
  }
  if (typeof theme === "string" && /^(auto|light|dark|projector)$/.test(theme)) root.dataset.theme = theme;
  if (query.get("view") === "compact") root.dataset.view = "compact";
  // Names only: nothing else of an address gets into a style. pieces.mjs tells which are none of the figure's.
  const hidden = (query.get("hide") ?? "").split(",").filter((name) => /^[a-z][\w-]{0,40}$/i.test(name));
  if (!hidden.length) return;
  const style = document.createElement("style");
  const pieces = hidden.slice(0, 50).map((name) => `[data-eager] [data-piece~="${name}"]`);
  style.textContent = `:is(${pieces}) { display: none !important; }`;
  document.head.append(style);
})();
