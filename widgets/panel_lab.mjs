// The lab inside a Panel component: params on one side, mount() on the other.

import { mount } from "attention-lab";
import { unpack } from "table";

const CHOICES = ["d_k", "scaled", "fault", "row", "theme"];

export function render({ model, el }) {
  el.innerHTML = model.html;
  const waiting = new Map();
  let asked = 0;
  const bytes = () => {
    const table = model.table;
    return table instanceof ArrayBuffer ? table : table.buffer.slice(table.byteOffset, table.byteOffset + table.byteLength);
  };
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
        model.send_msg({ id, text, seed });
      }),
  });

  model.on("msg:custom", (event) => {
    const { id, error } = event.data ?? event;
    const request = waiting.get(id);
    waiting.delete(id);
    if (error) request?.reject(Object.assign(new Error(error.message), error));
    else request?.resolve(unpack(bytes()));
  });
  const follow = () => {
    el.querySelector(".lab").dataset.theme = model.theme;
    lab.set(choices());
    lab.recolour();
  };
  CHOICES.forEach((name) => model.on(name, follow));
  model.on("table", () => lab.setTable(bytes(), choices()));
  model.on("remove", () => lab.destroy());
  follow();
  lab.join(JSON.parse(model.plots));
}
