// Interview prompts: try in own words, compare, mark yourself.

import { tick } from "choice";

export function startInterview({ el, config, kept = [], keep }) {
  const prompts = [...el.querySelectorAll("[data-prompt]")].map((item) => ({
    own: item.querySelector("textarea"),
    details: item.querySelector("details"),
    radios: [...item.querySelectorAll('input[type="radio"]')],
  }));
  let open = []; // what was opened, to tell a learner's toggle from our own
  const mark = ({ radios }) => radios.find((radio) => radio.checked)?.value ?? null;

  function tell() {
    const marks = prompts.map(mark);
    const knew = marks.filter((found) => found === "knew").length;
    const text = config.words["interview.marked"].replace("{knew}", knew).replace("{count}", marks.length);
    el.querySelector("[data-marked]").textContent = marks.some(Boolean) ? text : "";
  }

  function show(saved) {
    prompts.forEach(({ own, details, radios }, i) => {
      own.value = typeof saved[i]?.own === "string" ? saved[i].own : "";
      details.open = saved[i]?.open === true;
      tick(radios, typeof saved[i]?.mark === "string" ? saved[i].mark : null);
    });
    open = prompts.map(({ details }) => details.open);
    tell();
  }

  const save = () =>
    keep(prompts.map((prompt) => ({ own: prompt.own.value, open: prompt.details.open, mark: mark(prompt) })));
  const early = prompts.map(({ own }) => own.value); // what a learner wrote before this module was here
  show(Array.isArray(kept) ? kept : []);
  prompts.forEach(({ own }, i) => (own.value = early[i] || own.value));
  el.addEventListener("change", () => {
    tell();
    save();
  });
  prompts.forEach(({ details }, i) => {
    details.addEventListener("toggle", () => {
      if (details.open === open[i]) return;
      open[i] = details.open;
      save();
    });
  });
  return { show: (saved) => show(Array.isArray(saved) ? saved : []) };
}
