// Is the server there? Asked only while somebody uses the page: an idle page asks for nothing.

const CHECK_MS = 4000;
const RETRY_MS = 2000;

let health = null;
let answers = true;
let lastCheck = Date.now();

/** Note whether the server answered just now; the page says so when it does not. */
export function serverAnswers(now) {
  lastCheck = Date.now();
  if (answers === now) return;
  answers = now;
  document.querySelector('[data-notice="offline"]').hidden = now;
  if (now) dispatchEvent(new Event("server-back"));
  else setTimeout(retry, RETRY_MS);
}

const ask = () =>
  fetch(health, { cache: "no-store" }).then(
    (answer) => serverAnswers(answer.ok),
    () => serverAnswers(false),
  );

async function retry() {
  await ask();
  if (!answers) setTimeout(retry, RETRY_MS);
}

function askWhenUsed() {
  if (!answers || Date.now() - lastCheck < CHECK_MS) return;
  lastCheck = Date.now();
  ask();
}

export function followServer(address) {
  health = address;
  for (const type of ["keydown", "pointerdown", "input"]) addEventListener(type, askWhenUsed, { passive: true, capture: true });
}
