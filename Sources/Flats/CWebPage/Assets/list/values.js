/** Values as people read them: the rules of docs/browse.md, which the screen has in `Value+Shown.swift`. */

import { compact, make } from "./text.js";

const moment = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(?::\d\d(?:[.,]\d+)?)?(?:[Zz]|[-+]\d\d(?::?\d\d)?)?$/;
const webAddress = /^https?:\/\/(?:www\.)?(\S+?)\/?$/;
const maxChip = 20;
const hues = 8;

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
  return value.flatMap((word, index) => [...(index > 0 ? [" "] : []), make("span", { class: `chip hue${hue(word)}` }, compact(word))]);
}

/** Returns a number from 0 that is always the same for a word. */
function hue(word) {
  let sum = 0;
  for (const character of word) sum = (sum * 31 + character.codePointAt(0)) % 1_000_003;
  return sum % hues;
}
