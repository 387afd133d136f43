import { order } from "./view.js";
import { byID, make, set, visible } from "./text.js";

/** The search field, the filter, the sort and section choices, and the tabs of the named views. */
export class Controls {
  #base = JSON.parse(document.documentElement.dataset.view);
  #fields = [];
  #views = [];

  /** @param {(view: object, replaces: boolean) => void} onView gets each chosen view. */
  constructor(onView) {
    this.onView = onView;
    this.view = {};
    byID("controls").addEventListener("submit", (event) => event.preventDefault());
    for (const name of ["search", "where", "sort", "section"]) {
      const isTyped = byID(name).tagName === "INPUT";
      byID(name).addEventListener("input", ({ target }) => onView({ ...this.view, [name]: target.value }, isTyped));
    }
    byID("direction").addEventListener("click", () => this.sortBy(this.order[0]));
    byID("views").addEventListener("click", (event) => {
      const tab = event.target.closest("a");
      if (!tab || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      onView({ view: tab.dataset.view }, false);
    });
  }

  /** Returns a part of the view as the named view or the command line sets it. */
  #inherited(part) {
    const name = this.view.view ?? this.#base.view;
    const named = this.#views.find((one) => one.name === name)?.view?.[part];
    return String((this.view.view ? named : this.#base[part] ?? named) ?? "");
  }

  /** The search text of the view; null if it is that of a named view that is not known yet. */
  get search() {
    const name = this.view.view ?? this.#base.view;
    if (name && !this.#views.some((one) => one.name === name)) return null;
    return this.view.search ?? this.#inherited("search");
  }

  /** The first field of the order, and true if it is descending. */
  get order() { return order(this.view.sort ?? this.#inherited("sort")); }

  /** Sorts by a field, or the other way round if the list is sorted by it. */
  sortBy(field) {
    const [now, isDescending] = this.order;
    this.onView({ ...this.view, sort: field === now && !isDescending ? `-${field}` : field }, false);
  }

  /** The fields with which a new item begins. */
  get suggested() { return this.#fields.filter((path) => !path.includes(".")).slice(0, 5); }

  /** Offers the fields and views of the folder. */
  offer({ fields, views }) {
    this.#fields = fields.map(({ path }) => path);
    this.#views = views;
    this.show(this.view);
  }

  /** Shows a view. The field in which someone types is left alone. */
  show(view) {
    this.view = view;
    for (const name of ["search", "where"]) {
      if (document.activeElement !== byID(name)) byID(name).value = view[name] ?? "";
    }
    this.#fill("sort", view.sort?.includes(",") ? view.sort : order(view.sort)[0], ["@modified", "@id"], "id");
    this.#fill("section", view.section ?? "", ["@dir"], "none");
    const [sorted, isDescending] = this.order;
    byID("direction").disabled = !sorted;
    set(byID("direction"), "aria-pressed", isDescending);
    byID("direction").textContent = isDescending ? "↓" : "↑";
    const now = view.view ?? this.#base.view ?? "";
    const all = this.#base.view ? [] : [{ name: "" }];
    byID("views").replaceChildren(...(this.#views.length > 0 ? [...all, ...this.#views] : []).map(({ name }) => make("a", {
      href: name ? `/?view=${encodeURIComponent(name)}` : "/", "data-view": name,
      "aria-current": name === now ? "page" : null,
    }, name ? visible(name) : "All items")));
  }

  /** Fills a choice. Of an order with several fields, the first one is shown. */
  #fill(id, value, more, none) {
    const names = ["", ...new Set([...(value ? [value] : []), ...this.#fields, ...more])];
    const first = this.#inherited(id) || none;
    const select = byID(id);
    if (select.shown !== names.join("\n") + first) {
      select.shown = names.join("\n") + first;
      select.replaceChildren(...names.map((name) => make("option", { value: name }, visible(label(id, name || first)))));
    }
    select.value = value;
    set(select, "title", (value || first).includes(",") ? visible(value || first) : null);
  }

  /** Shows why the view was refused; null if it was not. A filter has its column. */
  refuse(error) {
    const isFilter = error?.parameter === "where";
    const column = isFilter ? error.column : 0;
    set(byID("where"), "aria-invalid", isFilter || null);
    byID("where-error").hidden = !error;
    const message = visible(error?.message ?? "").replace(/^where, column \d+: /, "");
    byID("where-error").textContent = column > 0
      ? `${visible(byID("where").value)}\n${" ".repeat(column - 1)}^\nColumn ${column}: ${message}` : message;
  }
}

/** Returns the text of a choice: `-due,name` is shown as `due, …`, beside the button for the direction. */
function label(id, name) {
  if (id !== "sort" || !/[-,]/.test(name)) return name;
  return order(name)[0] + (name.includes(",") ? ", …" : "");
}
