// A table as wire.py packed it, and how to look into it.

const TYPES = { float32: Float32Array, float64: Float64Array, int8: Int8Array, uint8: Uint8Array, int32: Int32Array };

/** Read the bytes: { meta, arrays: name → { data, shape } }. */
export function unpack(buffer) {
  const headerLength = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, headerLength)));
  const arrays = {};
  for (const [name, { dtype, shape, offset, planes }] of Object.entries(header.arrays)) {
    const length = shape.reduce((product, size) => product * size, 1);
    const start = 4 + headerLength + offset;
    const data = planes
      ? new TYPES[dtype](joinPlanes(new Uint8Array(buffer, start, length * planes), planes))
      : new TYPES[dtype](buffer, start, length);
    arrays[name] = { data, shape };
  }
  return { meta: header.meta, arrays };
}

/** Put bytes that were stored as first bytes, second bytes, … back into their numbers. */
function joinPlanes(bytes, planes) {
  const joined = new Uint8Array(bytes.length);
  const length = bytes.length / planes;
  for (let plane = 0; plane < planes; plane++) {
    for (let i = 0; i < length; i++) joined[i * planes + plane] = bytes[plane * length + i];
  }
  return joined.buffer;
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
