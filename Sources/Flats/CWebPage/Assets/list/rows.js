import { nameOf, valueIn, valueOf } from "./columns.js";
import { compact, digits, make, set, short, shown, visible } from "./text.js";

/** Returns the key of a row: ids of items, sections and paths can be equal. */
export function keyOf(row) {
  if (row.broken) return `p:${row.broken.path}`;
  if (row.isProblems) return "problems";
  return row.id === undefined ? `s:${row.section}` : `i:${row.id}`;
}

/** True for the header of a section, or of the problems. */
export const isHeader = (row) => row.id === undefined && !row.broken;

/**
 * Returns the header of the problems of a line, and their rows, each with its problem as `broken`.
 * They are above the lines that the server counts.
 */
export function problemRows({ problemRows: problems }) {
  if (!problems) return [];
  const { total, rows } = problems;
  const title = total > rows.length ? `The first ${rows.length} problems of` : "Problems";
  return [{ isProblems: true, title, count: total, line: 0 }, ...rows.map((broken) => ({ broken }))];
}

const color = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/** Makes the element of a row. */
export function makeRow(row) {
  const kind = isHeader(row) ? "header" : "row";
  const element = make("div", { role: "row", class: row.broken || row.isProblems ? `${kind} broken` : kind, tabindex: -1 });
  element.row = row;
  return element;
}

/**
 * Brings the element of a row up to date.
 * @param {HTMLElement} element the element.
 * @param {object} row the row.
 * @param {object} context `columns`, `line` (its number from 0), `above` (the number of lines for problems), `header`
 *   (of its section, if it has one), `total` (of items, or of sections for a header), `opened` (the key of a row).
 */
export function updateRow(element, row, context) {
  const { header } = context;
  set(element, "aria-rowindex", context.line + 2);
  if (isHeader(row)) {
    updateHeader(element, row, context);
    return;
  }
  set(element, "aria-selected", keyOf(row) === context.opened);
  if (row.broken) {
    updateProblem(element, row.broken, context);
    return;
  }
  // The set of an item is its section; its row index is its place in the complete list.
  set(element, "aria-level", header ? 2 : 1);
  set(element, "aria-posinset", header ? context.line - context.above - header.line : row.position);
  set(element, "aria-setsize", header ? header.count : context.total);
  const snippet = JSON.stringify(row.snippet);
  if (element.shown === row.value && element.columns === context.columns && !row.fields
    && element.problem === row.problem && element.snippet === snippet) return;
  element.snippet = snippet;
  element.shown = row.value;
  element.columns = context.columns;
  element.problem = row.problem;
  element.dataset.id = row.id;
  const columns = row.snippet ? context.columns.slice(0, 1) : context.columns;
  element.replaceChildren(...columns.map((column) => makeCell(row, column, columns)));
  if (row.snippet) element.append(makeSnippet(row.snippet, context.columns.length - 1));
  if (row.problem) element.firstChild.append(make("span", { class: "warning", title: row.problem }, "⚠\ufe0e"));
}

/** Returns the part of an item that matches the search, if no cell shows it. Every second part is a match. */
const makeSnippet = ({ field, parts }, width) => make("span",
  { role: "gridcell", class: "snippet", dir: "auto", "aria-colspan": width > 1 ? width : null }, `${visible(field)}: `,
  ...parts.map((part, index) => index % 2 === 1 ? make("mark", {}, visible(part)) : visible(part)));
function updateProblem(element, { path, line, message }, { line: number, header }) {
  set(element, "aria-level", 2);
  set(element, "aria-posinset", number);
  set(element, "aria-setsize", header.count);
  const text = `${path}\n${line}\n${message}`;
  if (element.shown === text) return;
  element.shown = text;
  const place = `${path || "."}:${line}`;
  element.replaceChildren(
    make("span", { role: "rowheader", class: "title", dir: "auto", title: visible(place) }, visible(place)),
    make("span", { role: "gridcell", dir: "auto", title: visible(message) }, visible(message)));
}

function updateHeader(element, row, context) {
  set(element, "aria-level", 1);
  set(element, "aria-posinset", row.isProblems ? null : row.number);
  set(element, "aria-setsize", row.isProblems ? null : context.total);
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

/** Returns the name of a field for people. */
export const nameOfField = (field) => (field === "@id" ? "id" : visible(field));

/** Makes the row of column headers. */
export function makeColumns(columns, sorted, descending, onSort) {
  return make("div", { role: "row", class: "columns", "aria-rowindex": 1 }, ...columns.map((column) => {
    const isSorted = column.field === sorted;
    return make("span", {
      role: "columnheader", class: column.numbers ? "number" : "",
      "aria-sort": isSorted ? (descending ? "descending" : "ascending") : "none",
    }, make("button", { type: "button", tabindex: -1, onclick: () => onSort(column.field) },
      nameOfField(column.field), isSorted ? make("span", { class: "sorted" }, descending ? " ↓" : " ↑") : ""),
    make("span", { class: "edge", "aria-hidden": "true" }));
  }));
}
