import { order, searchOf, withSearch } from "./view.js";
import { byID, set } from "./text.js";

/** The search field, the filter, and the direction. The choices are filled after the first list. */
export class Controls {
  /** The view of the command line. */
  base = JSON.parse(document.documentElement.dataset.view);
  /** The named views, when they are known. */
  named = [];
  #hints = {};
  view = {};

  /** @param {(view: object, replaces: boolean) => void} onView gets each chosen view. */
  constructor(onView) {
    this.onView = onView;
    byID("controls").addEventListener("submit", (event) => event.preventDefault());
    for (const name of ["search", "where", "sort", "section"]) {
      const isTyped = byID(name).tagName === "INPUT";
      byID(name).addEventListener("input", ({ target }) =>
        onView(name === "search" ? withSearch(this.view, target.value) : { ...this.view, [name]: target.value }, isTyped));
    }
    byID("direction").addEventListener("click", () => this.#reverse());
  }

  /** The name of the view; empty if it has none. */
  get viewName() { return this.view.view ?? this.base.view ?? ""; }

  /** Returns a part of the view as the named view or the command line sets it. */
  inherited(part) {
    const named = this.named.find((one) => one.name === this.viewName)?.view?.[part];
    return String((this.view.view !== undefined ? named : this.base[part] ?? named) ?? "");
  }

  /** The view with the parts that the command line of the server sets. */
  get complete() {
    if (this.view.view !== undefined) return this.view;
    return { ...Object.fromEntries(Object.entries(this.base).map(([part, value]) => [part, String(value)])), ...this.view };
  }

  /** True if the view says which columns there are. */
  get choosesColumns() { return Boolean(this.view.fields || this.inherited("fields")); }

  /** The order, as the view or what it is based on sets it. */
  get sort() { return (this.view.sort ?? this.inherited("sort")).trim(); }

  /** The first field of the order, and true if it is descending. */
  get order() { return order(this.sort); }

  /** Sorts by a field, or the other way round if the list is sorted by it. */
  sortBy(field) {
    if (field === this.order[0]) this.#reverse();
    else this.onView({ ...this.view, sort: field }, false);
  }

  /** Reverses the order of the first field. The further fields stay. */
  #reverse() {
    const sort = this.sort.replace(/^@relevance,?\s*/, "") || "@id";
    this.onView({ ...this.view, sort: sort.startsWith("-") ? sort.slice(1) : `-${sort}` }, false);
  }

  /** Shows a view. The field in which someone types is left alone. */
  show(view) {
    this.view = view;
    for (const name of ["search", "where"]) {
      const field = byID(name);
      const text = name === "search" ? searchOf(view) : view[name] ?? "";
      if (document.activeElement !== field) field.value = text;
      // The text of the named view or the command line, which a typed one replaces.
      this.#hints[name] ??= field.placeholder;
      const inherited = this.inherited(name) || (name === "search" ? this.inherited("query") : "");
      field.placeholder = inherited ? `${name === "where" ? "Filter" : "Search"}: ${inherited}` : this.#hints[name];
    }
    const [sorted, isDescending] = this.order;
    // The order of a named view that is not known yet cannot be reversed.
    byID("direction").disabled = !sorted && this.viewName !== "" && this.named.length === 0;
    set(byID("direction"), "aria-pressed", isDescending);
    byID("direction").textContent = isDescending ? "↓" : "↑";
  }
}
