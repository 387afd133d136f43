const day = /^@today(?:\s+([-+])\s+(\d{1,6})([dwmy]))?$/u;
const nearly = /^@(?:today|now)\s*[-+]\s*\d/u;
const quoted = /^(["'])(.*)\1$/u;

const padded = (number, width = 2) => String(number).padStart(width, "0");

/**
 * Returns the value of a complete text such as `@today`, `@today + 3d` or `@now`, as `set` reads it.
 * The day is the local one of the browser: that of the person who types.
 * @param {string} text the text.
 * @param {Date} now the present.
 * @returns {string} the date, the text in the quotes of `"@today"`, or the text itself; throws if it
 *   was meant as a moment and is none.
 */
export function resolved(text, now = new Date()) {
  const inner = quoted.exec(text)?.[2];
  if (inner !== undefined && (inner === "@now" || day.test(inner))) return inner;
  if (text === "@now") return moment(now);
  const match = day.exec(text);
  if (match) return distant(now, match[1] === "-" ? -Number(match[2]) : Number(match[2] ?? 0), match[3]);
  if (nearly.test(text)) throw new Error(`Write a distance with a space on each side of its sign, as in @today + 3d; the units are d, w, m and y.`);
  return text;
}

function distant(now, count, unit) {
  const months = 12 * now.getFullYear() + now.getMonth() + (unit === "m" ? count : unit === "y" ? 12 * count : 0);
  const [year, month] = [Math.floor(months / 12), ((months % 12) + 12) % 12];
  const days = unit === "d" ? count : unit === "w" ? 7 * count : 0;
  // A month that is too short ends with its last day.
  const last = utc(year, month + 1, 0).getUTCDate();
  const date = utc(year, month, Math.min(now.getDate(), last) + days);
  if (!(date.getUTCFullYear() >= 0 && date.getUTCFullYear() <= 9999)) throw new Error("This day is not in the years 0 to 9999.");
  return `${padded(date.getUTCFullYear(), 4)}-${padded(date.getUTCMonth() + 1)}-${padded(date.getUTCDate())}`;
}

/** Returns a day; Date.UTC would read the years 0 to 99 as 1900 to 1999. */
function utc(year, month, date) {
  const result = new Date(0);
  result.setUTCFullYear(year, month, date);
  return result;
}

function moment(now) {
  const east = -now.getTimezoneOffset();
  const local = new Date(now.getTime() + east * 60_000).toISOString().slice(0, 19);
  return `${local}${east < 0 ? "-" : "+"}${padded(Math.floor(Math.abs(east) / 60))}:${padded(Math.abs(east) % 60)}`;
}
