import { byID, count, digits, make, sentence, visible } from "./text.js";
import { isRanked, searchOf } from "./view.js";

const words = {
  connecting: "Connecting…", live: "Live", offline: "Offline. It connects again by itself.",
  outdated: "The server has another list now, or another version. Reload the page.",
};

/** The connection, the counts, and the sentence of an empty list. */
export class Status {
  #state = {};
  #clock = 0;

  /** True if a part of the page could not be loaded. */
  isIncomplete = false;

  /** Shows a state of the connection. */
  connection(state) {
    this.#state = state;
    byID("connection").dataset.state = state.name;
    clearInterval(this.#clock);
    if (state.at) this.#clock = setInterval(() => this.#word(), 1_000);
    byID("retry").hidden = !state.at;
    this.#word();
  }

  /** Says that a part of the page could not be loaded, or that all is there. */
  incomplete(on) {
    this.isIncomplete = on;
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
    else if (name === "live" && this.isIncomplete) text = "Live, but a part of the page could not be loaded. Reload the page.";
    const place = byID("connection").querySelector(".word");
    if (place.textContent !== text) place.textContent = text;
  }

  /**
   * Shows the counts and the warnings of a line. The text of an empty list says whether the search and the filter of
   * `view` cause it. `enterProblems()` is false if the list has no rows for them.
   */
  counts(line, view, enterProblems, areSimilar = false) {
    const warning = (line.warnings ?? []).map(sentence).join(" ");
    byID("warning").hidden = !warning;
    // A screen reader says it once.
    if (byID("warning").textContent !== warning) byID("warning").textContent = warning;
    const isAll = line.count === (line.total ?? line.count);
    const text = isAll ? count(line.count, "item") : `${digits(line.count)} of ${count(line.total, "item")}`;
    const sections = line.lines === line.count ? "" : ` · ${count(line.sections, "section")}`;
    const missing = line.missing ? " · the folder is missing or cannot be read" : "";
    const ranked = line.count === 0 ? ""
      : areSimilar ? " · no match; these names are similar"
      : isRanked(view) ? make("span", { class: "ranked" }, " · best matches first") : "";
    byID("counts").replaceChildren(text + sections + missing, ranked, ...(line.problems
      ? [" · ", make("a", { href: "plain#problems", onclick: (event) => { if (enterProblems()) event.preventDefault(); } }, count(line.problems, "problem"))] : []));
    byID("empty").hidden = line.count > 0;
    if (line.count > 0) return;
    const causes = causesOf(line, view);
    byID("empty").firstElementChild.textContent = causes.length > 0
      ? `No item matches the ${causes.join(" and the ")}.` : visible(line.empty ?? "There are no items here yet.");
  }
}

/** Returns what can cause that a list is empty: the search, the filter, both or nothing. */
export const causesOf = (line, view) =>
  (line.total > 0 && !line.missing ? [searchOf(view) && "search", view.where && "filter"].filter(Boolean) : []);
