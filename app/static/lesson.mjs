// What learners do in a lesson: starts every activity, keeps their answers, says how far they are.

import { startChecklist } from "checklist";
import { startCheckpoint } from "checkpoint";
import { startPredict } from "choice";
import { act, dropUndo } from "golinks";
import { startInterview } from "interview";
import { startQuiz } from "quiz";
import { openStore } from "store";

const START = {
  predict: (activity) => startPredict(activity, act),
  checkpoint: startCheckpoint,
  checklist: startChecklist,
  interview: startInterview,
  quiz: startQuiz,
};

const configOf = (el) => JSON.parse(el.querySelector("[data-config]").textContent);
const bar = document.querySelector("[data-lesson]");
if (bar) start();

function start() {
  const { slug, words } = configOf(bar);
  const part = (name) => bar.querySelector(`[data-${name}]`);
  const activities = new Map(); // by the name under which its answers are kept
  const shown = new Map(); // what each shows, as text
  const store = openStore(slug, () => (part("kept").textContent = words["progress.unsaved"]), showAll);

  /** Show what is kept, wherever it is other than what is shown. */
  function showAll() {
    for (const [name, activity] of activities) {
      const kept = store.get(name);
      const text = JSON.stringify(kept);
      if (shown.get(name) === text) continue;
      shown.set(name, text);
      activity.show(kept);
    }
    tell();
  }
  const counts = {};

  /** On a learning platform: whether it keeps the answers. */
  function tellKept() {
    const { kept } = globalThis.lessonStorage ?? {};
    if (kept) part("kept").textContent = words[`progress.platform.${kept}`];
  }
  addEventListener("lesson-storage", tellKept);
  tellKept();

  /** Say how far the learner is: in the page, and to whoever follows it (a host page, a learning platform). */
  function tell() {
    const told = [];
    const progress = { checkpoint: null, quiz: null };
    for (const activity of activities.values()) {
      const tasks = activity.tasks?.();
      if (tasks) told.push(words["progress.tasks"].replace("{done}", tasks.done).replace("{count}", tasks.count));
      const score = activity.score?.();
      if (score) told.push(words["progress.quiz"].replace("{right}", score.right).replace("{count}", score.count));
      else if (score === null) told.push(words["progress.quiz.none"]);
      progress.checkpoint ??= tasks ?? null;
      progress.quiz ??= score ?? null;
    }
    part("done").textContent = told.join(" ");
    dispatchEvent(new CustomEvent("lesson-progress", { detail: progress }));
  }

  for (const el of document.querySelectorAll("[data-activity]")) {
    const kind = el.dataset.activity;
    if (!START[kind]) continue;
    counts[kind] = (counts[kind] ?? 0) + 1;
    const name = `${kind}-${counts[kind]}`;
    const keep = (value) => {
      store.set(name, value);
      shown.set(name, JSON.stringify(value));
      tell();
    };
    const kept = store.get(name);
    shown.set(name, JSON.stringify(kept));
    activities.set(name, START[kind]({ el, config: configOf(el), kept, keep }));
  }
  tell();
  // A figure that came to life before this module says once more where it is.
  for (const root of document.querySelectorAll("[data-figure]")) root.dispatchEvent(new CustomEvent("figure-ask"));

  // ---- start over: asked in the page, and the focus stays with the question ------------
  function ask(sure) {
    part("idle").hidden = sure;
    part("sure").hidden = !sure;
    part(sure ? "keep" : "start-over").focus();
  }
  part("start-over").addEventListener("click", () => {
    part("said").textContent = "";
    ask(true);
  });
  part("keep").addEventListener("click", () => ask(false));
  part("sure").addEventListener("keydown", ({ key }) => key === "Escape" && ask(false));
  part("clear").addEventListener("click", () => {
    store.clear();
    dropUndo();
    for (const [name, activity] of activities) {
      shown.set(name, undefined);
      activity.show(undefined);
    }
    tell();
    ask(false);
    part("said").textContent = words["progress.cleared"];
  });
}
