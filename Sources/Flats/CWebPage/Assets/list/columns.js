import { Digits, compact } from "./text.js";

const isMap = (value) => typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Digits);

/** Returns the value of a column in a value of an item; undefined if it has none. */
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
 * Lays out the columns that the server chose: as many as there is room for, the sorted one among them.
 * @param {object[]} given the columns of a line: `field`, `pointer`, and `title` if it names the item.
 * @param {object[]} rows the rows of a window.
 * @param {string} sorted the field of the order.
 * @param {number} room the width of the list in `ch`.
 */
export function layOut(given, rows, sorted, room) {
  const items = rows.filter((row) => row.value !== undefined).slice(0, 60);
  const columns = given.map(({ field, pointer, title: isTitle = false }, index) => {
    const keys = pointer.split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    const column = { field, pointer, keys, isTitle, isFirst: index === 0 };
    const values = items.map((row) => valueOf(row, column)).filter((value) => value !== undefined);
    const width = typical(values.map((value) => compact(value, 60).length));
    column.numbers = !column.isFirst && values.length > 0
      && values.every((value) => typeof value === "number" || value instanceof Digits);
    column.width = column.isFirst
      ? Math.max(14, Math.min(width, 40)) : Math.max(Math.min(width, 28), Math.min(field.length + 2, 18), 5);
    return column;
  });
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

/** Returns the columns as a value of `grid-template-columns`. */
export function template(columns) {
  return columns.map(({ width, numbers }) =>
    numbers ? `${width + 2}ch` : `minmax(${Math.min(width, 9) + 1}ch, ${width}fr)`).join(" ");
}
