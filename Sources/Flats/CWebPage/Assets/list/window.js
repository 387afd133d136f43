// Changes that come within this time are shown as one.
const moment = 300;
// More changes than this are one highlight of the list: nobody can follow them.
const maxMoves = 200;

/** Returns the number of items that a line changes. */
const size = ({ changes }) => Object.values(changes ?? {}).reduce((sum, number) => sum + number, 0);

/**
 * The lines of one view. Rows come without values that are known from the last line, so each line
 * is completed as it arrives. While there is a reason to hold, the rows on the screen stay; what
 * arrives is joined to one line, and what changed is counted.
 *
 * Changes are held for a moment, since the server cuts a burst as its files arrive. Only what moves
 * no row, and comes alone, is shown at once.
 */
export class ListWindow {
  #values = new Map();
  #reasons = new Set();
  #held = null;
  #timer = 0;
  // When the last change arrived, and when the last one of too many to follow.
  #last = -moment;
  #lastOfMany = -moment;

  /** The number of changes that wait. */
  waiting = 0;

  /** @param {(line: object) => void} onLine gets the lines to be shown. */
  constructor(onLine) { this.onLine = onLine; }

  /**
   * Adds a line of the stream.
   * @param {object} line the line.
   * @param {boolean} isOld true if only its values are kept.
   * @param {boolean} isNew true if it is the first one of another view.
   */
  receive(line, isOld, isNew) {
    this.#complete(line);
    if (isOld) return;
    const isAnswer = line.answer !== undefined;
    if (isNew || (isAnswer && this.#reasons.size > 0)) {
      this.#show(line);
      return;
    }
    const now = performance.now();
    const isAlone = now - this.#last >= moment;
    if (size(line) > 0) this.#last = now;
    const all = this.#held ? joined(this.#held, line) : line;
    all.isMany = size(all) > 0 && (size(all) > maxMoves || now - this.#lastOfMany < moment);
    if (all.isMany) this.#lastOfMany = now;
    // Rows that were asked for are shown at once; what changed meanwhile is told with the rest.
    if (isAnswer) this.onLine({ ...line, changes: undefined });
    if (isAnswer && size(all) === 0) return;
    if (this.#reasons.size === 0 && !this.#timer && isAlone && !isAnswer && isStill(line)) {
      this.#show(all);
      return;
    }
    this.waiting += size(line);
    this.#held = all;
    if (this.#reasons.size === 0) this.#timer ||= setTimeout(() => this.#release(), moment);
  }

  /** Holds the rows for a reason, until there is none left. */
  hold(reason, on) {
    if (on) this.#reasons.add(reason);
    else this.#reasons.delete(reason);
    this.#release();
  }

  /** True if the rows are held for a reason. */
  holds(reason) { return this.#reasons.has(reason); }

  #release() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (this.#reasons.size === 0 && this.#held) this.#show(this.#held);
  }

  #show(line) {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#held = null;
    this.waiting = 0;
    this.onLine(line);
  }

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

/** True if a line moves no row, and changes few. */
function isStill(line) {
  const { insert = 0, delete: gone = 0, move = 0 } = line.changes ?? {};
  return insert + gone + move === 0 && size(line) <= 2;
}

/** Returns a line with what the one before it, which was not shown, changed. */
function joined(old, line) {
  const changes = old.changes || line.changes ? { ...old.changes } : undefined;
  for (const [kind, number] of Object.entries(line.changes ?? {})) changes[kind] = (changes[kind] ?? 0) + number;
  const before = new Map(old.rows.filter((row) => row.id !== undefined && row.change).map((row) => [row.id, row]));
  for (const row of line.rows) {
    const was = before.get(row.id);
    if (!was) continue;
    row.change = was.change === "insert" ? "insert" : row.change ?? was.change;
    if (was.fields) row.fields = [...new Set([...was.fields, ...(row.fields ?? [])])];
    if (was.before) row.before = { ...row.before, ...was.before };
  }
  return { ...line, changes, gone: [...(old.gone ?? []), ...(line.gone ?? [])] };
}
