// The channel to the page around a frame: whose messages count, what they may hold, and how often any are sent.

export const PROTOCOL = "attention-lessons/1";
const MAX = { names: 50, name: 50, wait: 100 };

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isName = (value) => typeof value === "string" && value.length > 0 && value.length <= MAX.name;
const isId = (value) => isName(value) || Number.isFinite(value);

// What a host may ask for, and what has to be in it. Values of a state are typed later, by the figure's schema.
const FORMS = {
  set: ({ state }) => isObject(state) && Object.keys(state).length <= MAX.names && Object.keys(state).every(isName),
  get: () => true,
  reset: () => true,
  focus: () => true,
  lock: ({ names }) => Array.isArray(names) && names.length <= MAX.names && names.every(isName),
};

const isMessage = (data) =>
  isObject(data) &&
  data.protocol === PROTOCOL &&
  typeof data.type === "string" && // ["set"] is a name, too
  Object.hasOwn(FORMS, data.type) &&
  (data.id === undefined || isId(data.id)) &&
  FORMS[data.type](data);

/** The origin of the page around this one, where the browser tells it. */
function parentOrigin() {
  if (location.ancestorOrigins) return location.ancestorOrigins[0];
  try {
    return parent.location.origin;
  } catch {
    return document.referrer ? new URL(document.referrer).origin : null;
  }
}

/**
 * Open the channel.
 *
 * origins    who may be at the other end, besides pages of our own origin; anyone where none is named: a figure's
 *            state and a learner's score are no secret from the page that they are a part of
 * onMessage  called with each message that is well formed; all others are left alone, for other scripts may
 *            send their own
 *
 * Returns send(type, values).
 */
export function openChannel(origins, onMessage) {
  const known = origins.length ? [...origins, location.origin] : null;
  let target = known ? known.find((origin) => origin === parentOrigin()) : "*";
  addEventListener("message", ({ source, origin, data }) => {
    if (source !== parent || (known && !known.includes(origin)) || !isMessage(data)) return;
    if (known) target = origin;
    onMessage(data);
  });
  return (type, values) => {
    if (target) parent.postMessage({ protocol: PROTOCOL, type, ...values }, target);
  };
}

/** A function that has `act` called once in the next frame, however often it is called itself. */
export function onceAFrame(act) {
  let frame = null;
  let timer = null;
  function run() {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    timer = null;
    act();
  }
  return () => {
    if (timer !== null) return;
    frame = requestAnimationFrame(run);
    timer = setTimeout(run, MAX.wait); // a page out of view is given no frames
  };
}
