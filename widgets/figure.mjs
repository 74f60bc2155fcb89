// What all figures share: reading a table, filling in words, showing a number.
// Nothing here computes: a number on screen was computed by the attention package.

const TYPES = { float32: Float32Array, int8: Int8Array, uint8: Uint8Array };

/** Read what wire.py packed: { meta, arrays: name → { data, shape } }. */
export function unpack(buffer) {
  const headerLength = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, headerLength)));
  const arrays = {};
  for (const [name, { dtype, shape, offset }] of Object.entries(header.arrays)) {
    const length = shape.reduce((product, size) => product * size, 1);
    arrays[name] = { data: new TYPES[dtype](buffer, 4 + headerLength + offset, length), shape };
  }
  return { meta: header.meta, arrays };
}

/** The entries of an array at leading indices: a view, not a copy. */
export function at({ data, shape }, ...indices) {
  let size = data.length;
  let start = 0;
  indices.forEach((index, axis) => {
    size /= shape[axis];
    start += index * size;
  });
  return data.subarray(start, start + size);
}

/** Put values in place of {names}; braces around anything else are left alone. */
export function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (found, name) => (name in values ? String(values[name]) : found));
}

// Ties go to the even digit, as in Python, so that server and browser print the same.
const formats = [0, 1, 2, 3, 4].map(
  (digits) =>
    new Intl.NumberFormat("en", {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      roundingMode: "halfEven",
      signDisplay: "negative",
      useGrouping: false,
    }),
);

/** A number as the page shows it: fixed decimals, and − for minus. */
export function fixed(value, digits = 2) {
  return formats[digits].format(value).replace("-", "−");
}

/** Write text only where it differs: a screen reader and the layout notice each write. */
export function write(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}
