import { Digits, chip, compact, make, visible } from "../list/text.js";
import { markdown } from "./markdown.js";
import { resolved } from "./moments.js";

const date = /^\d{4}-\d{2}-\d{2}$/;
const dateTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;
const number = /^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$/;
const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/;
const maxParts = 300;

/** True if the editor for dates can hold a text: not 2026-02-31. */
const isDate = (text) => date.test(text) && Object.assign(make("input", { type: "date" }), { value: text }).value === text;

/** Returns the kind of a value, by which its editor is chosen. */
export function kindOf(value) {
  if (value instanceof Digits) return "number";
  if (typeof value === "boolean") return "boolean";
  if (value === null) return "null";
  if (typeof value === "string") {
    if (isDate(value)) return "date";
    return value.length > 80 || /[\r\n]/.test(value) ? "long" : "string";
  }
  if (Array.isArray(value)) return value.every((part) => typeof part === "string" && /^[^\r\n]+$/.test(part)) ? "strings" : "tree";
  return "tree";
}

/** Shows a value for reading. */
export function display(name, value, isMarkdown) {
  if (isMarkdown && name === "body" && typeof value === "string") return markdown(value);
  const kind = kindOf(value);
  if (kind === "tree" && Array.isArray(value) && value.length > 0 && value.every((part) => typeof part !== "object" || part instanceof Digits)) {
    return make("span", { dir: "auto" }, compact(value.map(String), 2_000));
  }
  if (kind === "tree") return tree(value);
  if (kind === "strings") {
    if (value.length === 0) return make("span", { class: "quiet" }, "empty list");
    return make("ul", { class: "tags" }, ...value.slice(0, maxParts).map((part) => chip("li", part)));
  }
  if (kind === "long") return make("div", { class: "long", dir: "auto" }, visible(value.slice(0, 20_000), true), value.length > 20_000 ? " …" : "");
  if (value === "") return make("span", { class: "quiet" }, "empty");
  return make("span", { class: kind, dir: "auto" }, kind === "number" ? value.text : compact(value, 2_000));
}

/** Shows maps and lists, which are edited in the text of the file. */
function tree(value) {
  const entries = Array.isArray(value) ? value.map((part, index) => [String(index + 1), part]) : Object.entries(value);
  if (entries.length === 0) return make("span", { class: "quiet" }, Array.isArray(value) ? "empty list" : "empty map");
  return make("dl", { class: "tree" }, ...entries.slice(0, maxParts).flatMap(([key, part]) => [
    make("dt", { dir: "auto" }, visible(key)), make("dd", {}, display(key, part)),
  ]), ...(entries.length > maxParts ? [make("dd", { class: "quiet" }, `and ${entries.length - maxParts} more`)] : []));
}

/**
 * Makes the editor of a field.
 * @param {string} name the name of the field.
 * @param {*} value its value; undefined for a new field.
 * @param {string} kind the kind of its value.
 * @returns {object|null} `element` and `read()` (the value, or an error is thrown);
 *   null for maps and lists of maps.
 */
export function makeEditor(name, value, kind = kindOf(value)) {
  const id = `field-${name}`;
  const common = { id, name, dir: "auto", spellcheck: "false", autocomplete: "off" };
  if (kind === "tree") return null;
  if (kind === "boolean") {
    const element = make("input", { ...common, type: "checkbox" });
    element.checked = value === true;
    return editor(element, value, () => element.checked);
  }
  if (kind === "number") return numberEditor(common, value);
  if (kind === "strings") {
    const element = make("textarea", { ...common, rows: Math.min(Math.max((value ?? []).length + 1, 2), 8), "aria-describedby": `${id}-hint` });
    element.value = (value ?? []).join("\n");
    const result = editor(element, value, () => element.value.split("\n").filter((line) => line !== ""));
    result.hint = make("small", { id: `${id}-hint`, class: "quiet" }, "One entry per line");
    return result;
  }
  const element = kind === "long"
    ? make("textarea", { ...common, rows: Math.min(Math.max(Math.ceil(String(value).length / 60), 4), 16) })
    : make("input", { ...common, type: kind === "date" ? "date" : "text" });
  element.value = value ?? "";
  const result = editor(element, value, () => element.value === "" && value === null ? null : resolved(withLineEnds(element.value, value ?? "")));
  if (typeof value === "string" && dateTime.test(value)) {
    result.hint = make("small", { class: "quiet" }, "A date and time, such as 2026-05-09T13:37:00Z");
  }
  return result;
}

/** A value that nobody edits stays as it is, also if the element cannot hold it. */
function editor(element, value, read) {
  const state = () => element.type === "checkbox" ? element.checked : element.value;
  const first = state();
  return { element, read: () => value !== undefined && state() === first ? value : read() };
}

/**
 * Returns an edited text with the line ends that it had before: browsers make all of them LF.
 * Changed and new lines get the first one.
 */
export function withLineEnds(text, before) {
  const parts = before.split(/(\r\n|\r|\n)/);
  const [old, ends] = [0, 1].map((odd) => parts.filter((_, index) => index % 2 === odd));
  const lines = text.split("\n");
  let start = 0;
  while (start < lines.length && lines[start] === old[start]) start += 1;
  let end = 0;
  while (end < lines.length - start && lines.at(-1 - end) === old.at(-1 - end)) end += 1;
  const endOf = (index) => ends[index < start ? index : index >= lines.length - end ? index - lines.length + old.length : 0];
  return lines.map((line, index) => index === lines.length - 1 ? line : line + (endOf(index) ?? ends[0] ?? "\n")).join("");
}

/** A number stays as it was typed: 1.50 keeps its zero. */
function numberEditor(common, value) {
  const element = make("input", { ...common, type: "text", inputmode: "decimal" });
  element.value = String(value ?? "");
  return editor(element, value, () => {
    const text = element.value.trim();
    if (text === "") throw new Error("Write a number, such as 8 or 2.5.");
    if (!number.test(text)) throw new Error(`\`${text}\` is not a number. Write digits, such as 8 or 2.5.`);
    return new Digits(jsonNumber.test(text) ? text : String(Number(text)));
  });
}

/** True if two values are the same, and their numbers have the same digits. */
export function same(one, other) {
  if (one instanceof Digits && other instanceof Digits) return one.text === other.text;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other;
  const keys = Object.keys(one);
  return Array.isArray(one) === Array.isArray(other) && keys.length === Object.keys(other).length
    && keys.every((key) => Object.hasOwn(other, key) && same(one[key], other[key]));
}
