import { Controls } from "./controls.js";
import { listenToKeys } from "./keys.js";
import { List } from "./list.js";
import { maxMoves } from "./motion.js";
import { Link } from "./sharing.js";
import { Status } from "./status.js";
import { byID } from "./text.js";
import { address, read, settings } from "./view.js";
import { ListWindow } from "./window.js";

/** The page: the view of the address bar, the list, and the item that is open. */
class Page {
  #request = 0;
  #isNew = true;
  #moves = false;
  #pane = null;
  // The view of the last request, the last one that was not refused, and the window.
  #asked = {};
  #good = {};
  #window = null;
  #offered = null;

  folder = document.documentElement.dataset.folder;
  isReadOnly = document.documentElement.dataset.readOnly === "true";

  constructor() {
    const { view, item } = read(location.href);
    this.view = view;
    this.item = null;
    this.status = new Status();
    this.controls = new Controls((next, replaces) => this.show(next, replaces));
    this.list = new List({
      onWindow: (window) => this.#ask(window), onOpen: (id) => this.open(id),
      onSort: (field) => this.controls.sortBy(field), sorted: () => this.controls.order,
    });
    this.rows = new ListWindow((line) => this.#apply(line));
    this.link = new Link((state) => this.status.connection(state));
    this.controls.show(view);
    this.list.view = view;
    this.#asked = view;
    this.#ask(this.list.firstWindow);
    this.#listen();
    if (item) this.open(item, false);
  }

  #listen() {
    addEventListener("popstate", () => {
      const { view, item } = read(location.href);
      this.show(view, false, false);
      if (item && item !== this.item) this.open(item, false);
      else if (!item) this.close(false);
    });
    const actions = {
      open: (id) => this.open(id), edit: (id) => this.edit(id), escape: () => this.close(),
      remove: async (row) => (await this.pane()).remove(row.id, row.revision),
      add: async () => { if (!this.isReadOnly) (await this.pane()).add(); },
      undo: async () => (await this.pane()).undo(), redo: async () => (await this.pane()).undo(true),
      pause: () => this.#hold("pause", !this.rows.holds("pause")),
      more: async () => (await import("../detail/more.js")).showMore(this),
    };
    for (const name of ["pause", "more", "add"]) byID(name).addEventListener("click", actions[name]);
    byID("retry").addEventListener("click", () => this.link.retry());
    byID("add").hidden = this.isReadOnly;
    byID("search").addEventListener("focus", () => this.#prepareSearch());
    byID("rows").addEventListener("pointerdown", () => this.#hold("pointer", true));
    for (const event of ["pointerup", "pointercancel"]) {
      addEventListener(event, () => this.#hold("pointer", false));
    }
    listenToKeys(this.list, actions);
  }

  /**
   * Shows a view.
   * @param {object} view the view.
   * @param {boolean} replaces true while someone types: "back" then leaves the word.
   * @param {boolean} remembers false if the address bar has the view already.
   */
  show(view, replaces = false, remembers = true) {
    this.#moves = !replaces && this.view.view === view.view;
    this.view = Object.fromEntries(Object.entries(view).filter(([, value]) => value));
    this.list.view = this.view;
    this.list.keepsColumns = replaces;
    if (remembers) this.#remember(replaces);
    this.controls.show(this.view);
    this.#isNew = true;
    this.#asked = this.view;
    this.#ask(this.list.firstWindow);
  }

  #remember(replaces) {
    const url = address(this.view, this.item);
    if (replaces) history.replaceState(null, "", url);
    else if (url !== location.pathname + location.search) history.pushState(null, "", url);
  }

  #ask(window, named = {}) {
    this.#request += 1;
    this.#window = window;
    const view = { ...settings(this.#asked), ...named, window, request: this.#request };
    this.link.show("list", view, (line) => this.#receive(line));
  }

  /** Names the search text, so that the server prepares for the first key. */
  #prepareSearch() {
    const { search } = this.controls;
    if (search === null || this.#isNew || this.rows.holds("pause") || this.rows.holds("editor")) return;
    this.#ask(this.#window, { search });
  }

  #receive(line) {
    if (line.type === "error" && line.code === "bad-view") this.#refuse(line);
    if (line.type !== "window") return;
    // An answer to an older request has the rows of a view that is not wanted any more.
    const isOld = line.answer !== this.#request && this.#isNew;
    this.rows.receive(line, isOld);
    if (line.answer === this.#request) this.#good = this.#asked;
    if (line.answer === this.#request && this.#asked === this.view) this.controls.refuse(null);
    this.#count();
  }

  /** The view was refused: the list goes on with the one before. */
  #refuse(line) {
    this.controls.refuse(line);
    if (this.#asked === this.#good || (line.answer ?? this.#request) !== this.#request) return;
    this.#asked = this.#good;
    this.#isNew = !this.list.line;
    this.#ask(this.list.line ? this.#window : this.list.firstWindow);
  }

  #apply(line) {
    const { insert = 0, move = 0 } = line.changes ?? {};
    const moves = insert + move <= maxMoves && (this.#isNew ? this.#moves : line.changes !== undefined);
    this.list.apply(line, this.#isNew, moves);
    this.#isNew = false;
    this.#offered ??= this.#offer();
    this.status.summarize(line);
  }

  #count() {
    const { line } = this.list;
    const isSearched = Boolean(this.view.search || this.view.where);
    if (line) this.status.counts(line, isSearched, this.rows.waiting, this.rows.holds("pause"));
  }

  #hold(reason, on) {
    if (this.rows.holds(reason) === on) return;
    this.rows.hold(reason, on);
    this.#count();
  }

  /** Holds the rows while someone edits, or lets them go. */
  holdForEditor(on) { this.#hold("editor", on); }

  /** Gets the fields and the named views for the choices. The first list does not wait for them. */
  async #offer() {
    const response = await fetch("/fields").catch(() => null);
    if (response?.ok) this.controls.offer(await response.json());
    if (this.list.line) this.list.measure();
  }

  /** The pane of the item. Its modules are loaded when they are first needed. */
  async pane() {
    const { Pane } = await import("../detail/pane.js");
    this.#pane ??= new Pane(this);
    return this.#pane;
  }

  /** Opens an item. */
  async open(id, remembers = true) {
    const pane = await this.pane();
    if (!pane.mayLeave()) return;
    this.opened(id, remembers);
    await pane.open(id);
  }

  /** Marks the row of an item, and puts it into the address bar. */
  opened(id, remembers = true) {
    this.item = id;
    this.list.opened = id;
    // When the item is closed, the focus goes to its row, and keys act on this item.
    if (id !== null) this.list.focus = `i:${id}`;
    if (remembers) this.#remember(false);
    this.list.refresh();
  }

  /** Closes the item. */
  close(remembers = true) {
    if (!this.#pane?.isOpen || !this.#pane.mayLeave()) return;
    this.#pane.close();
    this.opened(null, remembers);
    // If the row is out of view, no other one gets the focus: keys would act on it.
    if (this.list.hasFocusedRow) this.list.focusLine(this.list.focusedLine);
  }

  /** Opens an item with its editors. */
  async edit(id) {
    if (this.item !== id) await this.open(id);
    (await this.pane()).edit();
  }
}

globalThis.page = new Page();
