// One view of the lab inside a Panel component: params on one side, mount() on the other.

import { mount } from "attention-lab";
import { unpack } from "table";

const CHOICES = ["d_k", "scaled", "fault", "row", "theme"];
const JUPYTER = { true: "light", false: "dark" }; // data-jp-theme-light of its body
const TRIES = 20; // a second apart
const PATIENCE_MS = 15_000; // a notebook's Python answers when its cells have run

export function render({ model, el }) {
  el.innerHTML = new TextDecoder().decode(model.html);
  el.lang = model.lang;
  const waiting = new Map();
  let asked = 0;
  const bytes = () => {
    const table = model.table;
    return table instanceof ArrayBuffer ? table : table.buffer.slice(table.byteOffset, table.byteOffset + table.byteLength);
  };
  const say = (message) => model.send_msg({ view: model.id, ...message });
  const choices = () => Object.fromEntries(CHOICES.map((name) => [name, model[name]]));

  const lab = mount({
    el,
    table: bytes(),
    state: choices(),
    onChange(state) {
      for (const name of CHOICES) if (model[name] !== state[name]) model[name] = state[name];
    },
    // Python checks what was typed, sets its params, and the new table comes as a param.
    requestTable: ({ text, seed }) =>
      new Promise((resolve, reject) => {
        const id = ++asked;
        waiting.set(id, { resolve, reject });
        say({ id, text, seed });
        setTimeout(() => reject(new Error("no answer from Python")), PATIENCE_MS);
      }),
  });

  // Python answers with what has changed since this view was made. A notebook that was just opened may not have
  // reached its Python yet, and one that was only saved has none.
  let tries = 0;
  const stand = () => {
    if (++tries >= TRIES) clearInterval(waits);
    say({ shown: { ...choices(), text: model.text, seed: model.seed } });
  };
  const waits = setInterval(stand, 1000);
  model.on("answer", () => {
    const { view, heard, id, error } = JSON.parse(model.answer);
    if (view !== model.id) return;
    if (heard) clearInterval(waits);
    const request = waiting.get(id);
    waiting.delete(id);
    if (error) request?.reject(Object.assign(new Error(error.message), error));
    else request?.resolve(unpack(bytes()));
  });
  const follow = () => {
    const { dataset } = el.querySelector(".lab");
    dataset.theme = model.theme === "auto" ? (JUPYTER[document.body.dataset.jpThemeLight] ?? "auto") : model.theme;
    if (model.theme === "auto") delete dataset.ownGround;
    else dataset.ownGround = "";
    lab.set(choices());
    lab.recolour();
  };
  CHOICES.forEach((name) => model.on(name, follow));
  model.on("table", () => lab.setTable(bytes(), choices()));
  const host = new MutationObserver(follow);
  host.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
  model.on("remove", () => {
    clearInterval(waits);
    host.disconnect();
    lab.destroy();
  });
  // JupyterLab takes Enter from the fields of a cell's output, and with it the sending of a form.
  el.addEventListener("beforeinput", (event) => event.stopPropagation());
  follow();
  lab.join(JSON.parse(model.plots));
  stand();
}
