// Numbers as people type them: 2981, 2,981, 2 981, 2.981 and 0,5 alike.

/** Every number that a text may stand for: none where it stands for no number. */
export function readings(text) {
  const plain = text.replace(/[\s'’_]/g, "").replace("−", "-");
  if (!/^[+-]?(\d[\d.,]*|[.,]\d+)$/.test(plain)) return [];
  const found = new Set();
  if (/^[^,]*$/.test(plain)) found.add(Number(plain));
  if (/^[^.]*,[^,.]*$/.test(plain)) found.add(Number(plain.replace(",", ".")));
  if (/^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/.test(plain)) found.add(Number(plain.replaceAll(",", "")));
  if (/^[+-]?\d{1,3}(\.\d{3})+(,\d*)?$/.test(plain)) found.add(Number(plain.replaceAll(".", "").replace(",", ".")));
  return [...found].filter(Number.isFinite);
}

/** Whether one of the readings is the number, as exactly as it was asked for. */
export const isNear = (read, { number, tolerance }) => read.some((value) => Math.abs(value - number) <= tolerance);
