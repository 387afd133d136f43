import { Digits, compact } from "./text.js";

const titles = ["title", "name", "label", "subject"];
// Long texts are shown with the item, not in the list.
const left = new Set(["body", "notes", "description", "text"]);

function hasTitle(row, name) {
  const value = row.value?.[name];
  return value instanceof Digits || typeof value === "number" || (typeof value === "string" && value !== "");
}

/** Returns the field that names most of these rows: a title, or the id. */
function titleField(items) {
  return titles.find((name) => items.filter((row) => hasTitle(row, name)).length * 2 > items.length) ?? "@id";
}

/** Returns the name of an item: its title, or its id if it has none. */
export const nameOf = (row, title) => (title !== "@id" && hasTitle(row, title) ? row.value[title] : row.id);

/** Returns the top-level name of a field path, such as `address` of `address.city`. */
const top = (path) => path.split(".")[0].replaceAll("\u0060", "");

/**
 * Chooses the columns of a list: the title, the sorted field, then the fields in the order of the
 * first item, as many as there is room for.
 * @param {object[]} rows the rows of a window.
 * @param {object} view the view.
 * @param {string} sorted the field of the order.
 * @param {number} room the width of the list in `ch`.
 */
export function chooseColumns(rows, view, sorted, room) {
  const items = rows.filter((row) => row.value !== undefined).slice(0, 60);
  const title = titleField(items);
  const found = new Map();
  for (const row of items) {
    for (const [name, value] of Object.entries(row.value)) {
      if (name === title || (left.has(name) && !view.fields)) continue;
      if (!found.has(name)) found.set(name, { widths: [], numbers: true, maps: false, seen: 0 });
      const column = found.get(name);
      column.widths.push(Math.min(compact(value, 40).length, 40));
      const isNumber = typeof value === "number" || value instanceof Digits;
      column.numbers &&= isNumber;
      column.maps ||= typeof value === "object" && value !== null && !isNumber && !Array.isArray(value);
      column.seen += 1;
    }
  }
  const wanted = (view.fields ?? "").split(",").map((one) => top(one.trim())).filter(Boolean);
  const first = top(sorted);
  const order = wanted.length > 0
    ? wanted.filter((name) => found.has(name))
    : [...found.keys()].filter((name) => name === first || (!found.get(name).maps && name !== view.section));
  if (wanted.length === 0 && order.includes(first)) {
    order.splice(order.indexOf(first), 1);
    order.unshift(first);
  }
  const columns = [{ name: title, title: true, width: typicalTitle(items, title), numbers: false }];
  let used = columns[0].width + 4;
  for (const name of order) {
    const column = found.get(name);
    const width = Math.max(Math.min(typical(column.widths), 28), Math.min(name.length + 3, 12), 5);
    if (columns.length > 1 && (used + width + 3 > room || columns.length > 9)) break;
    used += width + 3;
    columns.push({ name, title: false, width, numbers: column.numbers });
  }
  return columns;
}

function typicalTitle(items, title) {
  const widths = items.map((row) => compact(nameOf(row, title), 60).length);
  return Math.max(14, Math.min(typical(widths), 40));
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
