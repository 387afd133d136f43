import { toast } from "../detail/dialogs.js";
import { showMore } from "../detail/more.js";
import { Pane } from "../detail/pane.js";
import { readHints } from "../detail/requests.js";
import { causesOf } from "../list/status.js";
import { byID, digits, make, sentence, set } from "../list/text.js";
import { address, query, read, withSearch } from "../list/view.js";
import { Choices } from "./choices.js";
import { Columns } from "./columns.js";
import { keyHandler } from "./keys.js";
import * as motion from "./motion.js";
import { Summary, hint } from "./summary.js";

/** What people do with the page, apart from the search. It is loaded after the first list. */
export class Actions {
  // The view of the empty list whose hint is shown, and the timer for it.
  #explained = null;
  #timer = 0;

  /** @param {Page} page the page. */
  constructor(page) {
    this.page = page;
    this.choices = new Choices(page);
    this.summary = new Summary();
    this.pane = new Pane(this);
    this.columns = new Columns(this);
    this.key = keyHandler(page.list, this);
    page.list.motion = motion;
    if (page.list.line) this.summary.add(page.list.line);
    page.list.measure();
    this.counted();
    this.choices.loaded = this.choices.load();
    document.addEventListener("keydown", this.key);
    addEventListener("popstate", () => this.#go());
    byID("search").addEventListener("focus", () => this.#prepareSearch());
    if (document.activeElement === byID("search")) this.#prepareSearch();
    byID("rows").addEventListener("pointerover", ({ target }) => {
      const cell = target.closest(".row > *");
      if (cell && cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent;
    });
    byID("rows").addEventListener("pointerdown", () => this.hold("pointer", true));
    // A menu, or another window, can swallow the end of the press.
    for (const event of ["pointerup", "pointercancel", "contextmenu", "blur"]) {
      addEventListener(event, () => this.hold("pointer", false));
    }
  }

  /** Shows the view and the item of the address bar. */
  async #go() {
    const { view, item } = read(location.href);
    // The rows stay where they are if only the item is another one.
    if (address(view) !== address(this.page.view)) this.page.show(view, false, false);
    if (item && item !== this.page.item) await this.open(item, false);
    else if (!item) await this.close(false);
    // Someone stays at what is not saved: the address says so again.
    if (item !== this.page.item) this.page.remember();
  }

  /** The server prepares for a search, while the hands go to the keys. */
  #prepareSearch() {
    if (!this.page.rows.holds("pause") && !this.page.rows.holds("editor")) this.page.prepareSearch();
  }

  /** Gets what could not be loaded before. */
  connected() { if (!this.choices.isKnown) this.choices.loaded = this.choices.load(); }

  /** Says why the view was refused, if it was. */
  refuse() { this.choices.refuse(this.page.refusal); }

  /** Shows how many changes wait, and what to do about an empty list. */
  counted() {
    const { list: { line }, rows, view } = this.page;
    if (!line) return;
    const isPaused = rows.holds("pause");
    set(byID("pause"), "aria-pressed", isPaused);
    byID("pause").textContent = !isPaused ? "Pause" : rows.waiting > 0 ? `Resume (${digits(rows.waiting)})` : "Resume";
    if (line.count > 0) this.#explained = null;
    else if (this.#explained !== view) this.#explain(line, view);
  }

  /** Shows what can be done about an empty list and then, unless someone goes on typing, why it is empty. */
  #explain(line, view) {
    this.#explained = view;
    const causes = causesOf(line, view);
    byID("hint").textContent = hint(line, causes);
    byID("clear").replaceChildren(...causes.map((cause) =>
      make("button", { type: "button", onclick: () => this.#clear(cause) }, `Clear the ${cause}`)));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      const hints = line.total > 0 ? await readHints(query(view)) : [];
      if (hints.length > 0 && this.#explained === view) byID("hint").textContent = hints.map(sentence).join(" ");
    }, 300);
  }

  /** Clears the search or the filter, and goes to its field. */
  #clear(cause) {
    const { view } = this.page;
    this.page.show(cause === "search" ? withSearch(view, "") : { ...view, where: "" });
    byID(cause === "search" ? "search" : "where").focus();
  }

  /** Holds the rows for a reason, or lets them go. */
  hold(reason, on) {
    if (this.page.rows.holds(reason) === on) return;
    this.page.rows.hold(reason, on);
    this.page.count();
  }

  /** Pauses the list, or goes on. */
  pause() { this.hold("pause", !this.page.rows.holds("pause")); }

  /** Shows the menu of the columns. */
  choose() { byID("choose").click(); }

  /** Shows the keys and links. */
  more() { showMore(this.page); }

  /** Opens an item. */
  async open(id, remembers = true) {
    if (!await this.pane.mayLeave()) return;
    this.opened(id, remembers);
    await this.pane.open(id);
  }

  /** Opens the file of a problem. */
  async openProblem(path) {
    if (!await this.pane.mayLeave()) return;
    this.opened(null, true, `p:${path}`);
    await this.pane.openProblem(path);
  }

  /** Does what a key does on the row of a problem. */
  onProblem(key, { path }) {
    if (key === "Enter") this.openProblem(path);
    else toast("This row is a problem, not an item. Enter shows its file.");
  }

  /** Follows a line that the list shows. */
  applied(line) {
    this.summary.add(line);
    if (this.pane.problem !== null) this.pane.refresh();
  }

  /** Marks the row of an item or a problem, and puts the item into the address bar. */
  opened(id, remembers = true, key = id === null ? null : `i:${id}`) {
    const { list } = this.page;
    this.page.item = id;
    list.opened = key;
    // When the pane is closed, the focus goes to its row, and keys act on this item.
    if (key !== null) list.focus = key;
    if (remembers) this.page.remember();
    this.page.title();
    list.refresh();
  }

  /** Closes the item. */
  async close(remembers = true) {
    if (!this.pane.isOpen || !await this.pane.mayLeave()) return;
    const { list } = this.page;
    this.pane.close();
    this.opened(null, remembers);
    // If the row is out of view, no other one gets the focus: keys would act on it.
    if (list.hasFocusedRow) list.focusLine(list.focusedLine);
  }

  /** Opens an item with its editors. */
  async edit(id) {
    if (this.page.item !== id) await this.open(id);
    if (this.pane.id === id) this.pane.edit();
  }

  /** Shows the form for a new item. */
  add() { if (!this.page.isReadOnly) this.pane.add(); }

  /** Deletes the item of a row, if it is as the row shows it. */
  remove(row) { this.pane.remove(row.id, row.revision); }

  /** Undoes the last change of this page, or redoes the last undone one. */
  undo(redoes = false) { this.pane.undo(redoes); }
}
