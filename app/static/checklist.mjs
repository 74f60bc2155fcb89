// The checklist: each line holds or is broken in the layer that the lab shows now. The truth comes
// from the core, with the lab's table.

const QUIET_MS = 700;

export function startChecklist({ el, config }) {
  const { words, faults } = config;
  const lines = [...el.querySelectorAll("[data-check]")];
  const said = el.querySelector("[data-said]");
  let last = null;
  let quiet = null;

  document.addEventListener("figure-state", ({ detail: { figure, state, facts, by } }) => {
    if (figure !== config.figure) return;
    const holding = lines.filter((line) => {
      const mark = facts.checks[line.dataset.check] ? "holds" : "broken";
      line.dataset.mark = mark;
      line.querySelector("[data-word]").textContent = words[`checklist.${mark}`];
      return mark === "holds";
    }).length;
    el.querySelector("[data-now]").textContent = words["checklist.now"]
      .replace("{d_k}", state.d_k)
      .replace("{scale}", words[`checklist.scale.${Number(state.scaled)}`])
      .replace("{fault}", faults[state.fault]);
    if (holding !== last && last !== null && by !== "figure") speak(holding);
    last = holding;
  });

  function speak(holding) {
    clearTimeout(quiet);
    quiet = setTimeout(() => {
      said.textContent = words["checklist.said"].replace("{holding}", holding).replace("{count}", lines.length);
    }, QUIET_MS);
  }

  return { show() {} };
}
