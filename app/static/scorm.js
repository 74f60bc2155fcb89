// In a SCORM package: tells the learning platform completion, score and answers. Classic and in the head, for last
// time's answers have to be there before the lesson's module asks. Without a platform it does nothing at all.
(() => {
  const MASTERY = 80; // percent of the quiz
  const QUIET_MS = 2000; // platforms send each commit to their server, some while the page waits
  const LEVELS = 500;
  const old = document.currentScript.dataset.version === "1.2";
  const scorm = old
    ? { api: "API", prefix: "LMS", end: "Finish", core: "cmi.core.", status: "lesson_status", place: "lesson_location", mode: "lesson_mode", room: 4096, exit: "" }
    : { api: "API_1484_11", prefix: "", end: "Terminate", core: "cmi.", status: "completion_status", place: "location", mode: "mode", room: 64000, exit: "normal" };

  // ---- the platform: each call may throw, and answers with texts --------------------------
  /** The platform's API, in a window around this one or one that opened it. */
  function find() {
    const waiting = [window];
    for (let i = 0; i < waiting.length && i < LEVELS; i++) {
      const here = waiting[i];
      try {
        if (typeof here[scorm.api][`${scorm.prefix}Initialize`] === "function") return here[scorm.api];
      } catch {
        // None here, or a window of another origin; the one around it may be the platform's.
      }
      for (const way of ["parent", "opener"]) {
        const next = here[way]; // every origin may read these two
        if (next && !waiting.includes(next)) waiting.push(next);
      }
    }
    return null;
  }

  const api = find();
  let ended = false;

  function call(name, ...values) {
    try {
      return String(api[scorm.prefix + name](...values));
    } catch {
      return "";
    }
  }
  const get = (element) => call("GetValue", element);

  if (!api || call("Initialize", "") !== "true") return;
  // Somebody who looks through an attempt that is over changes nothing of it.
  const taken = /^(normal|undefined|null)?$/.test(get(scorm.core + scorm.mode));
  const put = (element, value) => taken && !ended && call("SetValue", element, value) === "true";

  // ---- when it is told ---------------------------------------------------------------------
  const began = performance.now();
  let timer = null;

  function spent() {
    const seconds = Math.round((performance.now() - began) / 1000);
    const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    return old ? [h, m, s].map((n) => String(n).padStart(2, "0")).join(":") : `PT${h}H${m}M${s}S`;
  }

  function tellWhere() {
    const section = document.querySelector("[data-contents] [aria-current]");
    if (section) put(scorm.core + scorm.place, section.hash.slice(1));
    put(`${scorm.core}session_time`, spent());
  }

  function commit() {
    clearTimeout(timer);
    timer = null;
    if (ended) return;
    tellWhere();
    if (taken) call("Commit", "");
  }
  const commitSoon = () => (timer ??= setTimeout(commit, QUIET_MS));

  document.addEventListener("visibilitychange", () => document.hidden && timer !== null && commit());
  addEventListener("pagehide", () => {
    if (ended) return;
    tellWhere();
    call(scorm.end, ""); // keeps everything too; a commit would fail here where it needs an answer from the network
    ended = true;
  });
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    ended = call("Initialize", "") !== "true"; // back from the browser's memory: the platform may have closed the attempt
    save();
  });

  // ---- the learner's answers ---------------------------------------------------------------
  const texts = new Map(); // what the lesson stores, by its key

  function unpack(text) {
    try {
      for (const [key, value] of Object.entries(JSON.parse(text))) texts.set(key, JSON.stringify(value));
    } catch {
      // Nothing yet, or written by somebody else: the next answer replaces it.
    }
  }

  /** All as one text that the platform has room for; own texts are left out if they must be, the longest first. */
  function pack() {
    const kept = Object.fromEntries([...texts].map(([key, text]) => [key, JSON.parse(text)]));
    const own = Object.values(kept)
      .flatMap((answers) => Object.entries(answers ?? {}))
      .flatMap(([name, prompts]) => (name.startsWith("interview-") && Array.isArray(prompts) ? prompts : []))
      .filter((prompt) => prompt?.own)
      .sort((a, b) => b.own.length - a.own.length);
    let text = JSON.stringify(kept);
    let whole = true;
    for (const prompt of own) {
      if (text.length <= scorm.room) break;
      delete prompt.own;
      whole = false;
      text = JSON.stringify(kept);
    }
    return { text: text.length <= scorm.room ? text : null, whole };
  }

  function save() {
    const { text, whole } = pack();
    const kept = text !== null && put("cmi.suspend_data", text);
    globalThis.lessonStorage.kept = !kept ? "refused" : whole ? "all" : "short";
    dispatchEvent(new CustomEvent("lesson-storage"));
    commitSoon();
  }

  unpack(get("cmi.suspend_data"));
  globalThis.lessonStorage = {
    kept: taken ? "all" : "refused",
    getItem: (key) => texts.get(key) ?? null,
    setItem(key, text) {
      texts.set(key, text);
      save();
    },
    removeItem(key) {
      texts.delete(key);
      save();
    },
  };

  // ---- how far the learner is: what was reached once is never taken back -------------------
  const status = get(scorm.core + scorm.status);
  let done = ["completed", "passed", "failed"].includes(status);
  let passed = [status, old ? "" : get("cmi.success_status")].includes("passed");
  let best = Number.parseFloat(get(`${scorm.core}score.raw`)); // not a number before the first grade
  const has = (kind) => document.querySelector(`[data-activity="${kind}"]`) !== null;
  if (!done) put(scorm.core + scorm.status, "incomplete");
  commitSoon();

  /** Until there is nothing left to reach the platform keeps the attempt open, with its answers. */
  function sayExit() {
    const finished = done && (passed || !has("quiz"));
    put(`${scorm.core}exit`, finished ? scorm.exit : "suspend");
  }

  function score({ right, count }) {
    const percent = Math.round((1e4 * right) / count) / 100;
    if (best >= percent) return;
    best = percent;
    if (!old) put("cmi.score.scaled", String(percent / 100));
    // From 0 to 100: the old standard asks for it, and there are platforms that take the number for the grade.
    for (const [name, value] of [["min", 0], ["max", 100], ["raw", percent]]) put(`${scorm.core}score.${name}`, String(value));
  }

  addEventListener("lesson-progress", ({ detail: { checkpoint, quiz } }) => {
    const before = [done, passed, best].join();
    if (quiz) score(quiz);
    passed ||= best >= MASTERY;
    done ||= (checkpoint ? checkpoint.done === checkpoint.count : !has("checkpoint")) && (quiz !== null || !has("quiz"));
    if ([done, passed, best].join() === before) return;
    if (done) {
      put(scorm.core + scorm.status, old && passed ? "passed" : "completed");
      if (!old && has("quiz")) put("cmi.success_status", passed ? "passed" : "failed");
    }
    sayExit();
    commitSoon();
  });

  // ---- back to the section of last time, unless a link leads elsewhere ---------------------
  const place = get(scorm.core + scorm.place);
  addEventListener("DOMContentLoaded", () => {
    sayExit();
    const head = place && !location.hash && document.getElementById(place);
    if (!head) return;
    // Not scrollIntoView: that would scroll the platform's page too.
    const above = [getComputedStyle(head).scrollMarginTop, getComputedStyle(document.documentElement).scrollPaddingTop];
    scrollTo(0, above.reduce((top, px) => top - (Number.parseFloat(px) || 0), scrollY + head.getBoundingClientRect().top));
  });
})();
