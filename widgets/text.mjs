// Words and numbers as the page shows them; widgets/words is the same in Python.

/** Put values in place of {names}; braces around anything else are left alone. */
export function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (found, name) => (name in values ? String(values[name]) : found));
}

/** A number with fixed decimals, and − for minus. */
export function fixed(value, digits = 2) {
  let text = Math.abs(value).toFixed(digits);
  // Ties go to the even digit, as in Python, so that server and browser print the same; toFixed rounds them up.
  // Not Intl, whose first number costs as much as the rest of a figure's first state.
  const isTie = Math.abs(value * 2 ** (digits + 1)) % 2 === 1;
  if (isTie && text.at(-1) % 2) text = text.slice(0, -1) + (text.at(-1) - 1);
  return value < 0 && Number(text) ? `−${text}` : text;
}

/** Write text only where it differs: a screen reader and the layout notice each write. */
export function write(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}
