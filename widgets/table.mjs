// A table as wire.py packed it, and how to look into it.

const TYPES = { float32: Float32Array, float64: Float64Array, int8: Int8Array, uint8: Uint8Array, int32: Int32Array };

/** Read the bytes: { meta, arrays: name → { data, shape } }. */
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

/** One entry of an array. */
export const one = (array, ...indices) => at(array, ...indices)[0];
