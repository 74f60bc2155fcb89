// A learner's answers, kept in their own browser and nowhere else. A browser may refuse every
// access (blocked cookies, private windows, a full disk): then everything works, unsaved.

/**
 * What is kept of one lesson.
 *
 * slug       the lesson's name
 * onRefused  called once, the first time that the browser keeps nothing
 */
export function openStore(slug, onRefused) {
  const key = `attention-lessons/${slug}`;
  let refused = false;
  let kept = guarded((storage) => JSON.parse(storage.getItem(key) ?? "{}"));
  if (typeof kept !== "object" || kept === null || Array.isArray(kept)) kept = {};

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

  return {
    get: (name) => kept[name],
    set(name, value) {
      kept[name] = value;
      guarded((storage) => storage.setItem(key, JSON.stringify(kept)));
    },
    clear() {
      kept = {};
      guarded((storage) => storage.removeItem(key));
    },
  };
}
