// What a page without a server has in itself, compressed whatever its host does.

// Browsers of before 2025 have only the slow way.
const fromBase64 = (text) => Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** The bytes of what gzip packed. */
export const unzip = (bytes) => new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();

/** The bytes that an element of the page has as text. */
export const heldBytes = (el) => unzip(fromBase64(el.textContent));
