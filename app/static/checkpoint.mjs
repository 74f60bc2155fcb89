// The checkpoint: tasks that tick themselves when they are really done on the lab, then a question.
//
// A task is a run: the learner takes d_k from `start` or less up to `stop`, and nothing else changes
// on the way. A link or a host page that sets d_k makes no run.

import { followChoice } from "choice";

/** The run of a task after one more state of the lab; null where there is none. */
export function follow(run, task, { state, facts, by }) {
  const { d_k, ...rest } = state;
  const fits = state.fault === "none" && state.scaled === task.scaled && (task.throughout ?? facts.softmax) === facts.softmax;
  if (!fits) return null;
  const setting = JSON.stringify(rest);
  if (d_k <= task.start) return { setting, done: false };
  if (by === "link" || by === "host" || run?.setting !== setting) return null;
  return { setting, done: d_k >= task.stop && (task.ends ?? facts.softmax) === facts.softmax };
}

export function startCheckpoint({ el, config, kept, keep }) {
  const { tasks, words } = config;
  const items = [...el.querySelectorAll("[data-task]")];
  const said = el.querySelector("[data-said]");
  let runs = tasks.map(() => null);
  const doneOf = (kept) => tasks.map((_, i) => kept?.done?.[i] === true);
  let done = doneOf(kept);
  let answer = kept?.answer;
  let touched = false; // nobody is under way before they have moved something

  function show() {
    items.forEach((item, i) => {
      const mark = done[i] ? "done" : runs[i] && touched ? "under-way" : "open";
      item.dataset.mark = mark;
      item.querySelector("[data-word]").textContent = words[`checkpoint.${mark}`];
    });
  }

  document.addEventListener("figure-state", ({ detail }) => {
    if (detail.figure !== config.figure) return;
    touched ||= detail.by === "learner";
    runs = tasks.map((task, i) => follow(runs[i], task, detail));
    runs.forEach((run, i) => {
      if (!run?.done || done[i]) return;
      done[i] = true;
      said.textContent = words["checkpoint.said"].replace("{n}", i + 1).replace("{count}", tasks.length);
      keep({ done, answer });
    });
    show();
  });
  const choice = followChoice(el.querySelector("[data-choice]"), {
    chosen: answer,
    onAnswer: (given) => keep({ done, answer: (answer = given) }),
  });
  show();

  return {
    /** What another tab kept; without it, all anew. */
    show(kept) {
      if (!kept) {
        runs = tasks.map(() => null);
        touched = false;
        said.textContent = "";
      }
      done = doneOf(kept);
      answer = kept?.answer;
      choice.show(answer);
      show();
    },
    tasks: () => ({ done: done.filter(Boolean).length, count: tasks.length }),
  };
}
