// An answer that tells its progress: lines of JSON, then the bytes that they announce.

const NEWLINE = 10;

/**
 * Read the answer's body: {"step": n} lines go to onProgress(n); {"bytes": n} says that n bytes follow,
 * which are returned. An {"error": { field, message }} line is thrown as refuse(field, message) makes it.
 */
export async function readProgress(body, { onProgress, refuse }) {
  const reader = body.getReader();
  let held = new Uint8Array(0);

  /** Hold what comes next as well; throws where nothing comes. */
  async function more() {
    const { done, value } = await reader.read();
    if (done) throw new Error("the answer ended early");
    const joined = new Uint8Array(held.length + value.length);
    joined.set(held);
    joined.set(value, held.length);
    held = joined;
  }

  async function nextLine() {
    while (!held.includes(NEWLINE)) await more();
    const end = held.indexOf(NEWLINE);
    const line = new TextDecoder().decode(held.subarray(0, end));
    held = held.slice(end + 1);
    return JSON.parse(line);
  }

  for (;;) {
    const { step, error, bytes } = await nextLine();
    if (step !== undefined) onProgress(step);
    if (error) throw refuse(error.field, error.message);
    if (bytes === undefined) continue;
    while (held.length < bytes) await more();
    return held.buffer;
  }
}
