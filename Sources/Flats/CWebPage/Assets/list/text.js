/** How values look, and the only way in which this page makes elements: content is always text. */

/**
 * Makes an element.
 * @param {string} tag its name.
 * @param {object} attributes attributes; `class`, `on…` functions and booleans are understood.
 * @param {...(Node|string)} children its content.
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name.startsWith("aria-")) set(element, name, value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Sets an attribute, but only if it differs; null removes it. */
export function set(element, name, value) {
  if (value === null || value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

/** Returns the element with an id. */
export const byID = (id) => document.getElementById(id);

// Control characters, and those that change the direction of the text around them.
const hidden = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Returns a text in which control characters are visible. Line breaks and tabs stay if `keep`. */
export function visible(text, keep = false) {
  return text.replace(hidden, (character) => {
    if (character === "\n" || character === "\t") return keep ? character : " ";
    const code = character.codePointAt(0);
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return `⟨${code.toString(16).padStart(4, "0")}⟩`;
  });
}

/** Returns a message as a sentence of its own: with a capital letter, and control characters visible. */
export const sentence = (text) => visible(text.charAt(0).toUpperCase() + text.slice(1));

/** A number with the digits of the file, which JavaScript's numbers do not keep. */
export class Digits {
  constructor(text) { this.text = text; }
  toString() { return this.text; }
}

// Matches texts that could have numbers which JavaScript writes differently.
const inexact = /\d{16}|\.\d*0(?!\d)|\d[eE][-+]?\d|-0/;

/** Reads JSON. Numbers that JavaScript would write differently, such as 9.50, are `Digits`. */
export const parse = (text) => JSON.parse(text, !inexact.test(text) ? undefined : (_, value, context) =>
  typeof value === "number" && context && context.source !== String(value) ? new Digits(context.source) : value);

/** Returns a value in one line of at most `limit` characters. */
export function compact(value, limit = 200) {
  let text;
  if (value === null || value === undefined) text = value === null ? "null" : "";
  else if (typeof value === "string") text = value.slice(0, limit + 1);
  else if (value instanceof Digits) text = value.text;
  else if (Array.isArray(value)) text = value.map((part) => compact(part, 40)).join(", ");
  else if (typeof value === "object") {
    text = Object.entries(value).map(([key, part]) => `${key}: ${compact(part, 40)}`).join(", ");
  } else text = String(value);
  text = visible(text);
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

const whole = new Intl.NumberFormat("en");

/** Returns a number with separators: 12,000. */
export const digits = (number) => whole.format(number);

/** Returns a number and its noun: 1 item, 2 items. */
export const count = (number, noun) => `${digits(number)} ${noun}${number === 1 ? "" : "s"}`;

// Values as people read them: the rules of docs/browse.md, which the screen has in `Value+Shown.swift`.
const moment = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(?::\d\d(?:[.,]\d+)?)?(?:[Zz]|[-+]\d\d(?::?\d\d)?)?$/;
const webAddress = /^https?:\/\/(?:www\.)?(\S+?)\/?$/;
const maxChip = 20;

/** Returns a scalar, or any other value, as one short text. */
export function short(value) {
  if (typeof value === "boolean") return value ? "✓" : "–";
  if (typeof value !== "string") return compact(value);
  return compact(value.replace(moment, "$1 $2").replace(webAddress, "$1"));
}

/** Returns what a cell shows for a value: a text, or a chip for each of a few short words. */
export function shown(value) {
  const isWord = (one) => typeof one === "string" && one !== "" && one.length <= maxChip;
  if (!Array.isArray(value) || value.length === 0 || !value.every(isWord)) {
    return [Array.isArray(value) && value.every((one) => typeof one !== "object") ? value.map(short).join(", ") : short(value)];
  }
  // Blanks between them, for those who copy or hear them.
  return value.flatMap((word, index) => [...(index > 0 ? [" "] : []), chip("span", word)]);
}

/** Makes an element with a word, in a color that is always the same for it. */
export function chip(tag, word) {
  let sum = 0;
  for (const character of word) sum = (sum * 31 + character.codePointAt(0)) % 1_000_003;
  const element = make(tag, { class: "chip", dir: "auto" }, visible(word));
  element.style.setProperty("--hue", sum % 9 * 40);
  return element;
}
