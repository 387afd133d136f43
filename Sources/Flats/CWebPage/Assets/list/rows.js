import { nameOf, valueIn, valueOf } from "./columns.js";
import { compact, digits, make, set, visible } from "./text.js";
import { short, shown } from "./values.js";

/** Returns the key of a row: ids of items and sections can be equal. */
export const keyOf = (row) => (row.id === undefined ? `s:${row.section}` : `i:${row.id}`);

const color = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/** Makes the element of a row. */
export function makeRow(row) {
  const element = make("div", { role: "row", class: row.id === undefined ? "header" : "row", tabindex: -1 });
  element.row = row;
  return element;
}

/**
 * Brings the element of a row up to date.
 * @param {HTMLElement} element the element.
 * @param {object} row the row.
 * @param {object} context `columns`, `line` (its number from 0), `header` (of its section, if there
 *   are sections), `total` (of items, or of sections for a header), `opened`.
 */
export function updateRow(element, row, context) {
  const { header } = context;
  set(element, "aria-rowindex", context.line + 2);
  if (row.id === undefined) {
    updateHeader(element, row, context);
    return;
  }
  // The set of an item is its section; its row index is its place in the complete list.
  set(element, "aria-level", header ? 2 : 1);
  set(element, "aria-posinset", header ? context.line - header.line : row.position);
  set(element, "aria-setsize", header ? header.count : context.total);
  set(element, "aria-selected", row.id === context.opened);
  if (element.shown === row.value && element.columns === context.columns && !row.fields
    && element.problem === row.problem) return;
  element.shown = row.value;
  element.columns = context.columns;
  element.problem = row.problem;
  element.dataset.id = row.id;
  element.replaceChildren(...context.columns.map((column) => makeCell(row, column, context.columns)));
  if (row.problem) element.firstChild.append(make("span", { class: "warning", title: row.problem }, "⚠\ufe0e"));
}

function updateHeader(element, row, context) {
  set(element, "aria-level", 1);
  set(element, "aria-posinset", row.number);
  set(element, "aria-setsize", context.total);
  set(element, "aria-expanded", "true");
  const text = `${row.title ?? row.section}\n${row.count}`;
  if (element.shown === text) return;
  element.shown = text;
  element.replaceChildren(make("span", { role: "rowheader", "aria-colspan": context.columns.length }, ...headerParts(row)));
}

/** Returns the title and the count of a section. */
export function headerParts(row) {
  return [
    make("span", { class: "name", dir: "auto" }, visible(row.title ?? (row.section || "No section"))),
    make("span", { class: "number" }, digits(row.count)),
  ];
}

function makeCell(row, column, columns) {
  if (column.isFirst) {
    const title = make("span", { role: "rowheader", class: "title", dir: "auto", title: row.id });
    fill(title, row, column, nameOf(row, columns));
    return title;
  }
  const value = valueOf(row, column);
  const cell = make("span", { role: "gridcell", dir: "auto" });
  if (column.numbers) cell.className = "number";
  if (value === undefined) cell.className = "nothing";
  if (typeof value === "string" && color.test(value)) {
    const swatch = make("span", { class: "swatch" });
    swatch.style.background = value;
    cell.append(swatch);
  }
  if (typeof value === "boolean") cell.classList.add(value ? "yes" : "no");
  fill(cell, row, column, value);
  return cell;
}

/** Shows a value and, if it just changed, what it was before. Of a list that is what went and came. */
function fill(cell, row, column, value) {
  // On a phone, a yes is the name of its field.
  const now = (one) => make("span", { class: "new", "data-name": value === true ? column.field : null }, short(one));
  const isPart = (inner, outer) => inner === outer || inner.startsWith(`${outer}/`);
  if (!row.fields?.some((field) => isPart(field, column.pointer) || isPart(column.pointer, field))) {
    cell.append(...(value === true ? [now(value)] : shown(value)));
    return;
  }
  cell.classList.add("changing");
  const before = valueIn(row.before, column);
  const [gone, come] = Array.isArray(before) && Array.isArray(value) ? [without(before, value), without(value, before)] : [[], []];
  if (gone.length + come.length === 0) cell.append(make("del", {}, short(before ?? "") || "–"), arrow(" → "), now(value));
  else {
    cell.append(...(gone.length > 0 ? [make("del", {}, compact(gone, 40))] : []),
      ...(come.length > 0 ? [arrow(gone.length > 0 ? " → " : "+ "), now(come)] : []));
  }
}

const arrow = (text) => make("span", { class: "arrow" }, text);

/** Returns the elements of a list without those of another one. */
function without(list, other) {
  const rest = other.map((one) => compact(one));
  return list.filter((one) => {
    const index = rest.indexOf(compact(one));
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
}

/** Makes the row of column headers. */
export function makeColumns(columns, sorted, descending, onSort) {
  return make("div", { role: "row", class: "columns", "aria-rowindex": 1 }, ...columns.map((column) => {
    const isSorted = column.field === sorted;
    return make("span", {
      role: "columnheader", class: column.numbers ? "number" : "",
      "aria-sort": isSorted ? (descending ? "descending" : "ascending") : "none",
    }, make("button", { type: "button", tabindex: -1, onclick: () => onSort(column.field) },
      column.field === "@id" ? "id" : visible(column.field), isSorted ? (descending ? " ↓" : " ↑") : ""));
  }));
}
