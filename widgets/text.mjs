// Words and numbers as the page shows them; widgets/words is the same in Python.

/** Put values in place of {names}; braces around anything else are left alone. */
export function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (found, name) => (name in values ? String(values[name]) : found));
}

// Ties go to the even digit, as in Python, so that server and browser print the same.
// Made when first used: each takes milliseconds to set up.
const formats = [];
const format = (digits) =>
  (formats[digits] ??= new Intl.NumberFormat("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    roundingMode: "halfEven",
    signDisplay: "negative",
    useGrouping: false,
  }));

/** A number with fixed decimals, and − for minus. */
export function fixed(value, digits = 2) {
  return format(digits).format(value).replace("-", "−");
}

/** Write text only where it differs: a screen reader and the layout notice each write. */
export function write(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}
