import { Controls } from "./controls.js";
import { List } from "./list.js";
import { Link } from "./sharing.js";
import { Status } from "./status.js";
import { byID, make, visible } from "./text.js";
import { address, given, query, read, searchOf, settings, similar } from "./view.js";
import { ListWindow } from "./window.js";

/** The page: the view of the address bar, and the list. All else is loaded after the first list. */
class Page {
  #request = 0;
  #isNew = true;
  #moves = false;
  #loading = null;
  // True if the best match opens as soon as it is there.
  #opensBest = false;
  // The view of the last request, the last one that was not refused, and the window.
  #asked = {};
  #good = {};
  #window = null;

  folder = document.documentElement.dataset.folder;
  isReadOnly = document.documentElement.dataset.readOnly === "true";
  /** The id of the opened item. */
  item = null;
  /** Why the view was refused; null if it was not. */
  refusal = null;
  /** What is loaded after the first list; null before. */
  actions = null;

  constructor() {
    const { view, item } = read(location.href);
    this.view = view;
    this.status = new Status();
    this.controls = new Controls((next, replaces) => this.show(next, replaces));
    this.list = new List({
      onWindow: (window) => this.#ask(window), onOpen: (row) => this.run(...(row.broken ? ["openProblem", row.broken.path] : ["open", row.id])),
      onSort: (field) => this.controls.sortBy(field), sorted: () => this.controls.order, areChosen: () => this.controls.choosesColumns,
    });
    this.rows = new ListWindow((line) => this.#apply(line));
    this.link = new Link((state) => {
      this.status.connection(state);
      if (state.name === "live") this.status.isIncomplete ? this.#load() : this.actions?.connected();
      // The browser asks before it loses what is not saved.
      if (state.name === "outdated") location.reload();
    });
    this.controls.show(view);
    this.title();
    this.#asked = view;
    this.#ask(item ? this.list.windowAround(item) : this.list.firstWindow);
    for (const name of ["pause", "more", "add"]) byID(name).addEventListener("click", () => this.run(name));
    // As soon as all is loaded, the button opens its menu itself.
    byID("choose").addEventListener("click", () => { if (!this.actions) this.run("choose"); });
    byID("add").hidden = this.isReadOnly;
    byID("retry").addEventListener("click", () => this.link.retry());
    // Keys that are pressed before all is loaded wait for it, apart from the one for the search.
    document.addEventListener("keydown", (event) => {
      if (this.actions) return;
      if (event.key === "/" && event.target === document.body) {
        event.preventDefault();
        byID("search").focus();
      } else if (this.list.line) this.run("key", event);
    });
    if (item) this.run("open", item, false);
  }

  /**
   * Loads the keys, the choices, movement, announcements and the pane of items. If that fails, the
   * page says so, and tries it again with the next action or connection.
   */
  #load() {
    this.#loading ??= Promise.all([import("../later/actions.js"), style("assets/later.css")]).then(([{ Actions }]) => {
      this.actions = new Actions(this);
      this.status.incomplete(false);
    }, () => {
      this.#loading = null;
      this.status.incomplete(true);
    });
    return this.#loading;
  }

  /** Runs an action: now, or as soon as all is loaded. */
  async run(action, ...words) {
    if (!this.actions) await this.#load();
    this.actions?.[action](...words);
  }

  /**
   * Shows a view.
   * @param {object} view the view.
   * @param {boolean} replaces true while someone types: "back" then leaves the word.
   * @param {boolean} remembers false if the address bar has the view already.
   */
  show(view, replaces = false, remembers = true) {
    this.#moves = !replaces && this.view.view === view.view;
    const rowsOf = (one) => query({ ...one, fields: undefined });
    // With other columns, the rows stay where they are.
    const hasSameRows = this.list.line && rowsOf(view) === rowsOf(this.view) && address(view) !== address(this.view);
    this.view = given(view);
    this.list.keepsColumns = replaces;
    this.#isNew ||= !hasSameRows;
    this.#opensBest = false;
    this.#asked = this.view;
    // All else is done while the server makes the rows.
    this.#ask(this.#isNew ? this.list.firstWindow : this.#window);
    if (remembers) this.remember(replaces);
    this.controls.show(this.view);
    this.title();
    this.actions?.choices.show();
  }

  /** Opens the best match of the search, as soon as the list has it. */
  openBest() {
    this.#opensBest = true;
    if (!this.#isNew) this.#openBest();
  }

  #openBest() {
    const { first, sections, rows } = this.list.line;
    // In sections, the first row is not always the best one.
    const row = this.#opensBest && first === 0 && sections === 0 && rows[0];
    this.#opensBest = false;
    if (row) this.run("open", row.id);
  }

  /** Names the tab, and its entry in the history of the browser, after the item, the view and the folder. */
  title() {
    const names = [this.item, this.controls.viewName, this.folder, "notes-watch"];
    document.title = names.filter(Boolean).map((name) => visible(name)).join(" · ");
  }

  /** Puts the view and the opened item into the address bar. */
  remember(replaces = false) {
    const url = address(this.view, this.item);
    if (replaces) history.replaceState(null, "", url);
    else if (new URL(url, location.href).search !== location.search) history.pushState(null, "", url);
  }

  #ask(window, named = {}) {
    this.#request += 1;
    this.#window = window;
    const view = { ...settings(this.#asked), ...named, window, request: this.#request };
    this.link.show("list", view, (line) => this.#receive(line));
  }

  /** Names the search text as it is, so that the server prepares for the first key. */
  prepareSearch() { if (!this.#isNew) this.#ask(this.#window, this.#asked.search === undefined ? { query: this.#asked.query ?? null } : { search: this.#asked.search }); }

  #receive(line) {
    if (line.type === "error" && line.code === "bad-view") this.#refuse(line);
    if (line.type !== "window") return;
    // The list may ask for more rows of it, which is another request.
    const isNewest = line.answer === this.#request;
    // An answer to an older request has the rows of a view that is not wanted any more.
    this.rows.receive(line, !isNewest && this.#isNew, this.#isNew);
    if (isNewest) this.#good = this.#asked;
    if (isNewest && line.count === 0 && line.total > 0 && this.#asked === this.view && !line.warnings && !line.problemRows) {
      this.#askSimilar();
    }
    if (isNewest && this.#asked === this.view) {
      this.refusal = null;
      this.actions?.refuse();
    }
    this.count();
  }

  /** Nothing matches: asks for the items with similar names, until the search or the files change. */
  #askSimilar() {
    const asked = similar(this.view);
    if (!asked) return;
    this.#asked = asked;
    this.#ask(this.list.firstWindow);
  }

  /** The view was refused: the list goes on with the one before. */
  #refuse(line) {
    this.refusal = line;
    this.run("refuse");
    if (this.#asked === this.#good || (line.answer ?? this.#request) !== this.#request) return;
    this.#asked = this.#good;
    this.#isNew = !this.list.line;
    this.#ask(this.list.line ? this.#window : this.list.firstWindow);
  }

  #apply(line) {
    // A change of the files may be what was searched.
    if (line.changes && this.#asked !== this.view && this.#asked.query?.startsWith("~")) {
      this.#asked = this.view;
      this.#ask(this.list.firstWindow);
    }
    this.list.apply(line, this.#isNew, this.#isNew ? this.#moves : line.changes !== undefined);
    this.#isNew = false;
    this.#openBest();
    this.count();
    if (this.actions) this.actions.applied(line);
    else if (!this.#loading) requestAnimationFrame(() => (globalThis.requestIdleCallback ?? setTimeout)(() => this.#load()));
  }

  /** Shows the counts, and what waits. */
  count() {
    if (!this.list.line) return;
    const areSimilar = this.#asked !== this.view && this.#asked.query?.startsWith("~");
    this.status.counts(this.list.line, this.view, () => this.list.enterProblems(), areSimilar);
    this.actions?.counted();
  }
}

/** Loads a style sheet. */
function style(href) {
  return new Promise((onload, onerror) => { document.head.append(make("link", { rel: "stylesheet", href, onload, onerror })); });
}

globalThis.page = new Page();
