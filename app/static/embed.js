// <attention-lesson figure="attention-lab" state="d_k=64">: a figure or a lesson, in a frame as high as it needs.
// docs/embedding.md describes attributes, events and methods.
customElements.get("attention-lesson") ||
customElements.define("attention-lesson", class extends HTMLElement {
  static here = new URL(".", document.currentScript?.src || location.href);
  static look = ["hide", "lock", "view", "theme", "lang"];
  static observedAttributes = ["figure", "lesson", "src", "base", "state", "height", "sandbox", ...this.look];

  #frame;
  #origin; // of the frame's messages
  #held; // what was asked of it before it was ready; null afterwards
  #state = null;
  #heard = (event) => this.#hear(event);

  connectedCallback() {
    addEventListener("message", this.#heard);
    this.style.display ||= "block";
    this.#load();
  }

  disconnectedCallback() {
    removeEventListener("message", this.#heard);
    this.#frame?.remove();
    this.#frame = null;
  }

  attributeChangedCallback(name, old, value) {
    if (!this.#frame || old === value) return;
    if (name === "state") this.set(Object.fromEntries(new URLSearchParams(value ?? "")));
    else this.#load();
  }

  #load() {
    const { here, look } = this.constructor;
    const of = (name) => this.getAttribute(name);
    const [lesson, figure, sandbox] = [of("lesson"), of("figure") || "attention-lab", of("sandbox")];
    const page = lesson ? `lessons/${encodeURIComponent(lesson)}/` : `embed/${encodeURIComponent(figure)}/`;
    const url = new URL(of("src") || page, new URL(of("base") || here, location.href));
    for (const pair of new URLSearchParams(of("state") ?? "")) url.searchParams.set(...pair);
    for (const name of look) if (of(name)) url.searchParams.set(name, of(name));

    this.#frame?.remove();
    this.#frame = null;
    if (!/^(https?|file):$/.test(url.protocol)) return;
    const frame = Object.assign(document.createElement("iframe"), {
      title: this.title || lesson || figure,
      loading: of("loading") || "lazy",
      allow: "clipboard-write",
      referrerPolicy: "origin",
      src: url.href,
    });
    frame.style.cssText = "display: block; width: 100%; border: 0";
    frame.style.height = of("height") || "36rem";
    if (sandbox !== null) frame.setAttribute("sandbox", sandbox);
    this.#origin = sandbox === null || /allow-same-origin/.test(sandbox) ? url.origin : "null";
    this.#held = [];
    this.append((this.#frame = frame));
  }

  #hear({ source, origin, data }) {
    if (!this.#frame || source !== this.#frame.contentWindow || origin !== this.#origin) return;
    if (data?.protocol !== "attention-lessons/1") return;
    if (data.type === "resize" && !this.hasAttribute("height")) this.#frame.style.height = `${Number(data.height)}px`;
    if (data.state) this.#state = data.state;
    if (data.type === "ready") {
      const held = this.#held ?? [];
      this.#held = null;
      for (const order of held) this.#send(...order);
    }
    const type = "id" in data && data.type === "state" ? "answer" : data.type;
    this.dispatchEvent(new CustomEvent(`lesson-${type}`, { detail: data }));
  }

  #send(type, values) {
    if (this.#held) return this.#held.push([type, values]);
    const to = this.#origin === "null" ? "*" : this.#origin;
    this.#frame?.contentWindow.postMessage({ protocol: "attention-lessons/1", type, ...values }, to);
  }

  get state() {
    return this.#state;
  }

  set state(state) {
    this.set(state);
  }

  set(state) {
    this.#send("set", { state });
  }

  get() {
    const answer = new Promise((resolve) =>
      this.addEventListener("lesson-answer", ({ detail }) => resolve(detail), { once: true }),
    );
    this.#send("get", { id: "get" });
    return answer;
  }

  reset() {
    this.#send("reset");
  }

  focusFigure() {
    this.#frame?.focus({ preventScroll: true });
    this.#send("focus");
  }

  lock(names) {
    this.#send("lock", { names });
  }
});
