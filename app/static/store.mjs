// A learner's answers, kept in their own browser and nowhere else. A browser may refuse every
// access (blocked cookies, private windows, a full disk): then everything works, unsaved.

/**
 * What is kept of one lesson.
 *
 * slug       the lesson's name
 * onRefused  called once, the first time that the browser keeps nothing
 * onOther    called when another tab kept or cleared something
 */
export function openStore(slug, onRefused, onOther) {
  const key = `attention-lessons/${slug}`;
  let refused = false;
  let kept = read() ?? {};

  function read() {
    const found = guarded((storage) => JSON.parse(storage.getItem(key) ?? "{}"));
    return typeof found === "object" && found !== null && !Array.isArray(found) ? found : null;
  }

  function guarded(access) {
    try {
      return access(globalThis.lessonStorage ?? localStorage); // a learning platform keeps them itself
    } catch (error) {
      // Text that is no JSON was written by somebody else: it is overwritten by the next answer.
      if (!(error instanceof SyntaxError) && !refused) {
        refused = true;
        onRefused();
      }
      return undefined;
    }
  }

  addEventListener("storage", (event) => {
    if (event.key !== null && event.key !== key) return; // null: all was cleared
    kept = read() ?? {};
    onOther();
  });

  return {
    get: (name) => kept[name],
    set(name, value) {
      // What another tab kept meanwhile stays; where nothing can be read, what is known here.
      if (!refused) kept = read() ?? kept;
      kept[name] = value;
      guarded((storage) => storage.setItem(key, JSON.stringify(kept)));
    },
    clear() {
      kept = {};
      guarded((storage) => storage.removeItem(key));
    },
  };
}
