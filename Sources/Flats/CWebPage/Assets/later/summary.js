import { byID, count, digits } from "../list/text.js";

const pause = 5_000;
const none = { insert: 0, delete: 0, move: 0, update: 0 };

/** The summaries of changes for screen readers. */
export class Summary {
  #changes = { ...none };
  #timer = 0;
  #line = null;
  #spoken = -1;

  /** Counts the changes of a line for the next summary. One is spoken at most every five seconds. */
  add(line) {
    this.#line = line;
    for (const kind in none) this.#changes[kind] += line.changes?.[kind] ?? 0;
    if (!this.#timer) this.#speak();
  }

  #speak() {
    const { insert, delete: gone, move, update } = this.#changes;
    this.#changes = { ...none };
    const parts = [[insert, "added"], [gone, "gone"], [move, "moved"], [update, "changed"]]
      .filter(([number]) => number > 0).map(([number, word]) => `${digits(number)} ${word}`);
    const text = `${count(this.#line.count, "item")}${parts.length > 0 ? `: ${parts.join(", ")}` : ""}.`;
    this.#timer = 0;
    if (parts.length === 0 && this.#spoken === this.#line.count) return;
    this.#spoken = this.#line.count;
    byID("live").textContent = text;
    this.#timer = setTimeout(() => this.#speak(), pause);
  }
}

/** Returns what can be done about an empty list. */
export function hint(line, causes) {
  if (line.missing) return "";
  if (causes.length === 2) return "An item must have every word of the search, and match the filter.";
  if (line.total > 0) return causes[0] === "search" ? "An item must have every word of the search." : "";
  if (line.problems) return `${count(line.problems, "file")} cannot be read. Open the problems above.`;
  return byID("add").hidden ? "" : "Press New, or save a YAML, JSON or Markdown file in the folder.";
}
