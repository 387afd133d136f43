import { byID, count, digits, make, visible } from "./text.js";

const words = {
  connecting: "Connecting…", live: "Live", offline: "Offline. It connects again by itself.",
};
const pause = 5_000;
const none = { insert: 0, delete: 0, move: 0, update: 0 };

/** The connection, the counts, and the summaries for screen readers. */
export class Status {
  #state = {};
  #clock = 0;
  #changes = { ...none };
  #timer = 0;
  #line = null;
  #spoken = -1;

  /** Shows a state of the connection. */
  connection(state) {
    this.#state = state;
    byID("connection").dataset.state = state.name;
    clearInterval(this.#clock);
    if (state.at) this.#clock = setInterval(() => this.#word(), 1_000);
    byID("retry").hidden = !state.at;
    this.#word();
  }

  #word() {
    const { name, at, attempt, message, command } = this.#state;
    let text = command ? `Signed out. Run \`${command}\` and open the address that it prints.` : words[name];
    if (!text) {
      const seconds = Math.max(0, Math.ceil((at - Date.now()) / 1_000));
      const why = message ?? (attempt > 3 ? "The server is gone." : "The connection is lost.");
      text = `${why} Again in ${seconds} s.`;
    } else if (name === "connecting" && attempt > 0) text = "Connecting again…";
    const place = byID("connection").querySelector(".word");
    if (place.textContent !== text) place.textContent = text;
  }

  /** Shows the counts of a line, and what waits. */
  counts(line, isSearched, waiting, isPaused) {
    const isAll = line.count === (line.total ?? line.count);
    const text = isAll ? count(line.count, "item") : `${digits(line.count)} of ${count(line.total, "item")}`;
    const sections = line.lines === line.count ? "" : ` · ${count(line.sections, "section")}`;
    byID("counts").replaceChildren(text + sections, ...(line.problems
      ? [" · ", make("a", { href: "/plain#problems" }, count(line.problems, "problem"))] : []));
    set(byID("pause"), isPaused, waiting);
    byID("empty").hidden = line.count > 0;
    if (line.count > 0) return;
    byID("empty").replaceChildren(make("p", {}, visible(line.empty ?? "There are no items here yet.")),
      make("p", { class: "hint" }, this.#hint(line, isSearched)));
  }

  /** Returns what can be done about an empty list. */
  #hint(line, isSearched) {
    if (line.total > 0) {
      return isSearched ? "An item must have every word of the search, and match the filter. Shorten them." : "";
    }
    if (line.problems) return `${count(line.problems, "file")} cannot be read. Open the problems above.`;
    return byID("add").hidden ? "" : "Press New, or save a YAML, JSON or Markdown file in the folder.";
  }

  /** Counts changes for the next summary. One is spoken at most every five seconds. */
  summarize(line) {
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

function set(button, isPaused, waiting) {
  button.setAttribute("aria-pressed", isPaused);
  button.textContent = !isPaused ? "Pause" : waiting > 0 ? `Resume (${digits(waiting)})` : "Resume";
}
