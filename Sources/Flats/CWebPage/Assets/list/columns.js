import { Digits, compact } from "./text.js";

const isMap = (value) => typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Digits);

/** Returns the keys of a JSON Pointer. */
export const tokens = (pointer) => pointer.split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));

/** Returns the value at some keys in a value of an item; undefined if it has none. */
export function valueIn(value, { keys }) {
  let found = value;
  for (const key of keys) {
    // Not a property of all objects, such as `constructor`.
    if (!isMap(found) || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}

/** Returns the value of a column in a row; undefined if it has none. */
export const valueOf = (row, column) => (column.field === "@id" ? row.id : valueIn(row.value, column));

/** Returns what the first column of a row shows: the id for a title that is missing, or if the row has nothing else. */
export function nameOf(row, columns) {
  const isEmpty = (column) => (valueOf(row, column) ?? "") === "";
  return isEmpty(columns[0]) && (columns[0].isTitle || columns.every(isEmpty)) ? row.id : valueOf(row, columns[0]);
}

/**
 * Lays out the columns of a line: those that someone chose, or of those that the server chose as many as there is
 * room for, the sorted one among them.
 * @param {object[]} given the columns of a line: `field`, `pointer`, `width` if it is set, and `title` if it names the item.
 * @param {object[]} rows the rows of a window.
 * @param {string} sorted the field of the order.
 * @param {number} room the width of the list in `ch`.
 * @param {boolean} areChosen true if someone chose the columns.
 */
export function layOut(given, rows, sorted, room, areChosen) {
  const items = rows.filter((row) => row.value !== undefined).slice(0, 60);
  const columns = given.map(({ field, pointer, width: set, title: isTitle = false }, index) => {
    const column = { field, pointer, keys: tokens(pointer), isTitle, isFirst: index === 0, isSet: set !== undefined };
    const values = items.map((row) => valueOf(row, column)).filter((value) => value !== undefined);
    const width = typical(values.map((value) => compact(value, 60).length));
    column.numbers = !column.isFirst && values.length > 0
      && values.every((value) => typeof value === "number" || value instanceof Digits);
    column.width = set ?? (column.isFirst
      ? Math.max(14, Math.min(width, 40)) : Math.max(Math.min(width, 28), Math.min(field.length + 2, 18), 5));
    return column;
  });
  if (areChosen) return columns;
  const [first, ...others] = columns;
  const kept = new Set([first]);
  let used = first.width + 4;
  const isSorted = ({ field }) => field === sorted;
  for (const column of [...others.filter(isSorted), ...others.filter((one) => !isSorted(one))]) {
    if (kept.size > 1 && (used + column.width + 3 > room || kept.size > 9)) break;
    used += column.width + 3;
    kept.add(column);
  }
  return columns.filter((column) => kept.has(column));
}

/** Returns a length that nine of ten texts do not exceed. */
function typical(widths) {
  const sorted = widths.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * 0.9)] ?? 0;
}

/** The width in `ch` that a column has at least. What someone chose is scrolled before it gets too narrow to read. */
const least = ({ width, isSet, numbers }, areChosen) =>
  isSet ? width : numbers ? width + 2 : Math.min(width, areChosen ? 20 : 9) + 1;

/** Returns the columns as a value of `grid-template-columns`, and the width in `ch` of the first one and of all. */
export function template(columns, areChosen) {
  const widths = columns.map((column) => least(column, areChosen));
  const text = columns.map(({ width, isSet, numbers }, index) =>
    isSet || numbers ? `${widths[index]}ch` : `minmax(${widths[index]}ch, ${width}fr)`).join(" ");
  return [text, widths[0], widths.reduce((sum, one) => sum + one, 0)];
}
