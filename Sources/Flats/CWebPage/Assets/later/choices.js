import { showDialog } from "../detail/dialogs.js";
import { putView } from "../detail/requests.js";
import { byID, make, set, visible } from "../list/text.js";
import { address, order, saved, searchOf } from "../list/view.js";

/** The choices of order and sections, the tabs of the named views, and what is wrong with a view. */
export class Choices {
  #fields = [];
  #kinds = new Map();

  /** False if the fields and the named views could not be loaded. */
  isKnown = false;

  /** Names the version of the settings, which has the named views. */
  settings = "";

  /** Ends when the fields and the named views are known. */
  loaded = Promise.resolve();

  /** @param {Page} page the page. */
  constructor(page) {
    this.page = page;
    this.controls = page.controls;
    byID("views").addEventListener("click", (event) => {
      const tab = event.target.closest("a");
      if (!tab || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      page.show(this.#view(tab.dataset.view));
    });
    this.show();
  }

  /** Gets the fields and the named views of the folder. */
  async load() {
    this.isKnown = true;
    const response = await fetch("fields").catch(() => null);
    this.isKnown = response?.ok ?? false;
    if (!this.isKnown) return;
    const { fields, views, settings } = await response.json();
    this.settings = settings;
    this.#fields = fields.map(({ path }) => path);
    this.#kinds = new Map(fields.map((field) => [field.path, field]));
    this.controls.named = views;
    this.controls.show(this.page.view);
    this.show();
    // The tabs can have made the list lower, and the order of a named view marks its column.
    this.page.list.measure();
  }

  /** The paths of the fields. */
  get paths() { return this.#fields; }

  /** The fields with which a new item begins. */
  get suggested() { return this.#fields.filter((path) => !path.includes(".")).slice(0, 5); }

  /** Returns what most items have in a field: `type`, and for lists `elementType`; both may be missing. */
  kind(path) { return this.#kinds.get(path) ?? {}; }

  /** Shows the choices of the view. */
  show() {
    const { view } = this.page;
    const { named, viewName } = this.controls;
    this.#fill("sort", view.sort?.includes(",") ? view.sort : order(view.sort)[0], ["@modified", "@id"], "id");
    this.#fill("section", view.section ?? "", ["@dir"], "none");
    const tabs = named.length === 0 ? [] : ["", ...named.map(({ name }) => name)];
    const text = JSON.stringify([tabs, viewName]);
    if (byID("views").shown === text) return;
    byID("views").shown = text;
    byID("views").replaceChildren(...tabs.map((name) => make("a", {
      href: address(this.#view(name)), "data-view": name,
      "aria-current": name === viewName ? "page" : null,
    }, name ? visible(name) : "All items")));
  }

  /** Returns the view of a tab: without a name, that of the command line must not show through. */
  #view(name) { return name || this.controls.base.view ? { view: name } : {}; }

  /** Fills a choice. Of an order with several fields, the first one is shown. */
  #fill(id, value, more, none) {
    const names = ["", ...new Set([...(value ? [value] : []), ...this.#fields, ...more])];
    const first = this.controls.inherited(id) || none;
    const select = byID(id);
    const text = JSON.stringify([names, first]);
    if (select.shown !== text) {
      select.shown = text;
      select.replaceChildren(...names.map((name) => make("option", { value: name }, visible(label(id, name || first)))));
    }
    select.value = value;
    set(select, "title", (value || first).includes(",") ? visible(value || first) : null);
  }

  /**
   * Asks for a name, and saves the view in the settings of the folder.
   * @param {string} [suggested] the name with which the dialog begins.
   * @param {string} [problem] why the view could not be saved before.
   */
  async save(suggested = this.controls.viewName, problem = "") {
    // The names may have changed since they were read.
    await this.load();
    const { controls, page } = this;
    const { list, view } = page;
    const name = make("input", { type: "text", id: "view-name", value: suggested, required: true, autocomplete: "off", spellcheck: "false", autofocus: true });
    const notice = make("p", { class: "notice", role: "status" }, visible(problem));
    const wanted = () => name.value.trim();
    const describe = () => {
      notice.textContent = controls.named.some((one) => one.name === wanted()) ? `This replaces the view “${visible(wanted())}”.` : "";
    };
    name.addEventListener("input", describe);
    if (!problem) describe();
    const value = (part) => view[part] ?? controls.inherited(part);
    const sort = controls.sort.split(",").map(order).filter(([field]) => field).map(([field, isDescending]) => `${field}${isDescending ? ", descending" : ""}`);
    const parts = {
      Order: sort.join("; ") || "id", Sections: value("section") || "none", Filter: value("where") || "none",
      Columns: controls.choosesColumns ? list.columns.map(({ field }) => field).join(", ") : "automatic",
    };
    const answer = await showDialog({ "aria-label": "Save view", class: "save" }, make("h2", {}, "Save view"),
      make("form", { method: "dialog" },
        make("div", { class: "editor" }, make("label", { for: "view-name" }, "Name"), name),
        make("dl", { class: "fields" }, ...Object.entries(parts).flatMap(([title, text]) => [make("dt", {}, title), make("dd", { dir: "auto" }, visible(text))])),
        searchOf(view) ? make("p", { class: "quiet" }, "The words of the search are not saved.") : null, notice,
        make("p", { class: "buttons" }, make("button", { class: "main", value: "save" }, "Save"), make("button", { formnovalidate: true }, "Cancel"))));
    if (!answer) return;
    const after = { view: wanted(), search: view.search, query: view.query };
    try {
      const { undo } = await putView(after.view, saved(view), this.settings);
      await this.load();
      page.show(after);
      page.actions.pane.remember(undo, `Saved the view ${after.view}.`, [view, after]);
    } catch (error) {
      // If the settings changed meanwhile, it says so, and the names are read again.
      this.save(after.view, error.message);
    }
  }

  /** Shows why the view was refused; null if it was not. A filter has its column. */
  refuse(error) {
    const isFilter = error?.parameter === "where";
    const column = isFilter ? error.column : 0;
    set(byID("where"), "aria-invalid", isFilter || null);
    byID("where-error").hidden = !error;
    const message = visible(error?.message ?? "").replace(/^where, column \d+: /, "");
    const named = ["sort", "section", "section-order", "search-fields", "fields", "widths", "limit", "offset"].includes(error?.parameter);
    byID("where-error").textContent = column > 0
      ? `${visible(byID("where").value)}\n${" ".repeat(column - 1)}^\nColumn ${column}: ${message}`
      : `${named ? `${error.parameter}: ` : ""}${message}`;
  }
}

/** Returns the text of a choice: `-due,name` is shown as `due, …`, beside the button for the direction. */
function label(id, name) {
  if (id !== "sort" || !/[-,]/.test(name)) return name;
  return order(name)[0] + (name.includes(",") ? ", …" : "");
}
