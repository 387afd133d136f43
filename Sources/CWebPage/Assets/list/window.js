/**
 * The lines of one view. Rows come without values that are known from the last line, so each line
 * is completed as it arrives. While there is a reason to hold, the rows on the screen stay; the
 * newest line is kept, and what changed is counted.
 */
export class ListWindow {
  #values = new Map();
  #reasons = new Set();
  #held = null;

  /** The number of changes that wait. */
  waiting = 0;

  /** @param {(line: object) => void} onLine gets the lines to be shown. */
  constructor(onLine) { this.onLine = onLine; }

  /** Adds a line of the stream. Only the values of an old one are kept. */
  receive(line, isOld) {
    this.#complete(line);
    if (isOld) return;
    if (this.#reasons.size > 0 && line.answer === undefined) {
      for (const number of Object.values(line.changes ?? {})) this.waiting += number;
      this.#held = { ...line, gone: [...(this.#held?.gone ?? []), ...(line.gone ?? [])] };
      return;
    }
    this.#held = null;
    this.waiting = 0;
    this.onLine(line);
  }

  /** Holds the rows for a reason, until there is none left. */
  hold(reason, on) {
    if (on) this.#reasons.add(reason);
    else this.#reasons.delete(reason);
    if (this.#reasons.size > 0 || !this.#held) return;
    const line = this.#held;
    this.#held = null;
    this.waiting = 0;
    this.onLine(line);
  }

  /** True if the rows are held for a reason. */
  holds(reason) { return this.#reasons.has(reason); }

  #complete(line) {
    const values = new Map();
    for (const row of line.rows) {
      if (row.id === undefined) continue;
      const known = this.#values.get(row.id);
      if (row.value === undefined && known) {
        row.value = known.value;
        row.path ??= known.path;
        row.cut ??= known.cut;
      }
      row.revision ??= known?.revision;
      values.set(row.id, row);
    }
    this.#values = values;
  }
}
