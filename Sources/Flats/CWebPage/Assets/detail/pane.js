import { Digits, byID, compact, make, visible } from "../list/text.js";
import { showNew } from "./add.js";
import { ask, showDialog, toast } from "./dialogs.js";
import { ItemForm } from "./form.js";
import { display, same } from "./editors.js";
import { showHistory } from "./history.js";
import { deleteItem, readItem, readProblem, undo } from "./requests.js";
import { Source, problemParts } from "./source.js";

const tabs = [["fields", "Fields"], ["source", "File"], ["history", "History"]];

// The pane then covers the list.
const narrow = matchMedia("(max-width: 55rem)");

/** Returns the title of an item, by the rule of the list; undefined if it has none. */
function titleOf({ value }) {
  const found = ["title", "name", "label", "subject"].map((key) => (Object.hasOwn(value, key) ? value[key] : ""))
    .find((one) => one !== "" && (typeof one !== "object" || one instanceof Digits));
  return found === undefined ? undefined : compact(found);
}

/** The pane of one item: its fields, the text of its file, its history, and its editors; or of one problem. */
export class Pane {
  #place = byID("detail");
  #tab = "fields";
  #isEditing = false;
  #isDirty = false;
  #form = null;
  #undone = [];
  #done = [];
  #undoing = Promise.resolve();
  #readings = 0;
  #reading = null;
  #takesFocus = false;
  #question = null;

  id = null;
  item = null;
  /** The path of the file whose problem is shown; null for none. */
  problem = null;
  #shown = "";

  /** @param {Actions} actions what people do with the page. */
  constructor(actions) {
    this.actions = actions;
    this.page = actions.page;
    this.isReadOnly = this.page.isReadOnly;
    this.source = new Source(this);
    narrow.addEventListener("change", () => this.#cover());
    addEventListener("beforeunload", (event) => { if (this.#isDirty) event.preventDefault(); });
    this.#place.addEventListener("keydown", (event) => this.#key(event));
  }

  #key(event) {
    if (event.key === "Escape") {
      event.preventDefault();
      if (this.#isEditing) this.cancel();
      else this.actions.close();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      event.target.form?.requestSubmit();
    }
  }

  #reveal(on) {
    this.#place.hidden = !on;
    this.#cover();
  }

  /** Makes the covered parts unreachable. */
  #cover() {
    for (const covered of document.querySelectorAll("header, #scroller, .skip")) covered.inert = narrow.matches && this.isOpen;
  }

  /** Returns true if there is nothing unsaved, or the user wants to lose it. */
  async mayLeave() {
    if (!this.#isDirty) return true;
    this.#question ??= ask("Discard the changes?", "The changes of this item are not saved.", "Discard", "Keep editing")
      .finally(() => { this.#question = null; });
    return this.#question;
  }

  /** Says that editors are open: the rows of the list hold still. */
  editing(on) {
    this.#isEditing = on;
    if (!on) this.#isDirty = false;
    this.actions.hold("editor", on);
  }

  /** Says that there is something unsaved. */
  dirty(on) { this.#isDirty = on; }

  /** Opens an item, and follows its changes. */
  async open(id) {
    this.id = id;
    this.item = null;
    this.problem = null;
    this.#tab = "fields";
    this.#takesFocus = true;
    this.editing(false);
    this.#reveal(true);
    const text = JSON.stringify(id).replace(/[\u007f-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
    this.page.link.show("item", { where: `@id = ${text}`, window: { first: 0, count: 1 } }, (line) => {
      // Also after the first line: the item can have changed since it was read.
      if (line.type === "window") this.refresh();
    });
    await this.refresh();
  }

  /** Shows a problem and its file, and follows them by `refresh()`. */
  async openProblem(path) {
    this.close();
    this.problem = path;
    this.#shown = "";
    this.#takesFocus = true;
    this.#reveal(true);
    await this.refresh();
  }

  /** Reads the item or the problem again, and shows it. */
  refresh() {
    this.#reading = this.problem === null ? this.#read() : this.#readProblem(this.problem);
    return this.#reading;
  }

  /** A problem that is as before is not drawn again: what someone scrolled or selected stays. */
  async #readProblem(path) {
    this.#readings += 1;
    const number = this.#readings;
    const found = await readProblem(path).catch((error) => error);
    if (path !== this.problem || number !== this.#readings) return;
    const state = found instanceof Error ? `${found.status} ${found.message}` : JSON.stringify(found);
    if (state === this.#shown) return;
    this.#shown = state;
    const word = found.status === 404 ? "This file has no problem any more." : found.message;
    const parts = found instanceof Error ? [make("p", { class: "notice changed", role: "status" }, visible(word))] : problemParts(found);
    this.#place.replaceChildren(...this.#head(path || "."), ...parts);
    this.#place.querySelector(".bad")?.scrollIntoView({ block: "center" });
    if (this.#takesFocus) this.#place.querySelector("h2").focus({ preventScroll: true });
    this.#takesFocus = false;
  }

  async #read() {
    if (!this.id) return;
    this.#readings += 1;
    const number = this.#readings;
    const { id } = this;
    let item = null;
    let failure = null;
    try {
      item = await readItem(id);
    } catch (error) {
      failure = error;
    }
    if (id !== this.id) return;
    if (number !== this.#readings) {
      await this.#reading;
      return;
    }
    if (this.#isEditing) {
      if (item || failure.status === 404) this.#form?.changed(item);
    } else if (item) this.#renew(item);
    else this.#drawMissing(failure);
    if (this.#takesFocus) this.#place.querySelector("h2")?.focus();
    this.#takesFocus = false;
  }

  /** Draws the item, unless it is drawn already: what someone scrolled or selected stays. */
  #renew(item) {
    const isDrawn = this.item && byID("part") && this.item.tag === item.tag
      && this.item.path === item.path && JSON.stringify(this.item.problems) === JSON.stringify(item.problems);
    this.item = item;
    if (!isDrawn) this.#draw();
  }

  #drawMissing(failure) {
    this.#place.replaceChildren(...this.#head(), make("p", { class: "notice" },
      failure.status !== 404 ? visible(failure.message)
        : this.item ? "This item was deleted or renamed." : "There is no item with this id."));
  }

  #head(title = (this.item && titleOf(this.item)) ?? this.id) {
    const close = make("button", { type: "button", class: "close", "aria-label": "Close", onclick: () => this.actions.close() }, "×");
    return [make("div", { class: "head" }, make("h2", { tabindex: -1, dir: "auto" }, visible(title)), close)];
  }

  #draw() {
    const focused = document.activeElement?.id;
    const { item } = this;
    const strip = make("div", { class: "tabs", role: "tablist", "aria-label": "Parts of the item" }, ...tabs.map(([name, title]) => make("button", {
      type: "button", role: "tab", id: `tab-${name}`, "aria-selected": name === this.#tab, "aria-controls": "part",
      tabindex: name === this.#tab ? 0 : -1, onclick: () => this.#choose(name), onkeydown: (event) => this.#step(event),
    }, title)));
    const part = make("div", { id: "part", role: "tabpanel", "aria-labelledby": `tab-${this.#tab}` });
    this.#place.replaceChildren(...this.#head(), make("p", { class: "path quiet", dir: "auto" }, visible(item.path ?? "")), strip, part);
    this.#fill(part);
    if (focused) byID(focused)?.focus({ preventScroll: true });
  }

  #choose(name) {
    // The parts of the item before are there until the next one is read.
    if (!this.item) return;
    this.#tab = name;
    this.#draw();
    byID(`tab-${name}`).focus();
  }

  #step(event) {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    const index = tabs.findIndex(([name]) => name === this.#tab);
    this.#choose(tabs[(index + way + tabs.length) % tabs.length][0]);
  }

  async #fill(part) {
    const { problems = [] } = this.item;
    try {
      if (this.#tab === "source") await this.source.show(part, problems);
      else if (this.#tab === "history") await showHistory(part, this.id);
      else this.#drawFields(part, problems);
    } catch (error) {
      part.replaceChildren(make("p", { class: "notice" }, visible(error.message)));
    }
  }

  #drawFields(part, problems) {
    const isMarkdown = /\.(md|markdown)$/.test(this.item.path ?? "");
    const entries = Object.entries(this.item.value);
    const shown = entries.slice(0, 500);
    part.replaceChildren(
      ...problems.map((problem) => make("p", { class: "notice problem" }, `Line ${problem.line}, column ${problem.column}: ${visible(problem.message)}`)),
      make("dl", { class: "fields" }, ...shown.flatMap(([name, value]) => [
        make("dt", { dir: "auto" }, visible(name)), make("dd", { "data-field": name }, display(name, value, isMarkdown)),
      ])),
      entries.length === 0 ? make("p", { class: "quiet" }, "This item has no fields.") : "",
      entries.length > shown.length ? make("p", { class: "quiet" }, `and ${entries.length - shown.length} more fields. See the file.`) : "",
      this.isReadOnly ? "" : make("p", { class: "buttons" },
        make("button", { type: "button", class: "main", id: "edit", "aria-keyshortcuts": "e", onclick: () => this.edit() }, "Edit"),
        make("button", { type: "button", onclick: () => this.remove(this.id) }, "Delete")));
  }

  /** Shows the editors of the fields. */
  edit() {
    if (this.isReadOnly || !this.item || this.#isEditing) return;
    if (this.#tab !== "fields") this.#choose("fields");
    this.editing(true);
    this.#form = new ItemForm(this, byID("part"));
  }

  /** Closes the editors without saving. */
  async cancel() {
    if (!this.id) {
      this.actions.close();
      return;
    }
    if (!await this.mayLeave()) return;
    this.#form = null;
    this.editing(false);
    const top = this.#top();
    this.#draw();
    this.#scrollTo(top);
    byID("edit")?.focus({ preventScroll: true });
    this.refresh();
  }

  /**
   * Shows what was saved, and offers to undo it.
   * @param {object} item the item.
   * @param {HTMLElement} form the editors. If they were left meanwhile, the pane stays as it is.
   * @param {string} [word] the message.
   */
  saved(item, form, word = "Saved.") {
    if (form.isConnected) {
      this.#form = null;
      this.editing(false);
      this.item = item;
      const top = this.#top();
      this.#draw();
      this.#scrollTo(top);
      byID("edit")?.focus({ preventScroll: true });
    }
    this.remember(item.undo, word);
  }

  /** Returns the first field in view and its place, unless the pane is at its top. */
  #top() {
    if (this.#place.scrollTop === 0) return null;
    const start = this.#place.getBoundingClientRect().top;
    const field = [...this.#place.querySelectorAll("[data-field]")].find((one) => one.getBoundingClientRect().bottom > start);
    return field ? { name: field.dataset.field, y: field.getBoundingClientRect().top } : null;
  }

  /** Scrolls so that a field is where it was. */
  #scrollTo(top) {
    const field = top && [...this.#place.querySelectorAll("[data-field]")].find((one) => one.dataset.field === top.name);
    this.#place.scrollTop = field ? this.#place.scrollTop + field.getBoundingClientRect().top - top.y : 0;
  }

  /** Says what was done, and offers to undo it if there is a token. An undo then shows the first of two views, a redo the second. */
  remember(token, word, views) {
    if (token) {
      this.#done.push({ token, views });
      this.#undone = [];
    }
    toast(word, ...(token ? ["Undo", () => this.undo()] : []));
  }

  /** Deletes an item if it is as the pane or its row shows it. Otherwise it is opened. */
  async remove(id, revision) {
    if (this.isReadOnly || (id === this.id && !await this.mayLeave())) return;
    const tag = id === this.id ? this.item?.tag : null;
    try {
      const answer = await deleteItem(id, tag, revision ?? "");
      // Editors with unsaved text stay open.
      if (id === this.id && !this.#isDirty) {
        this.editing(false);
        this.actions.close();
      }
      this.remember(answer.undo, `Deleted ${id}.`);
    } catch (error) {
      if (error.status === 412 && !tag) {
        this.actions.open(id);
        toast(`${id} changed. It was not deleted.`);
        return;
      }
      this.failed(error);
    }
  }

  /** Undoes the last change of this page, or redoes the last undone one. One at a time. */
  undo(redoes = false) {
    this.#undoing = this.#undoing.then(() => this.#undo(redoes));
  }

  async #undo(redoes) {
    const [from, to] = redoes ? [this.#undone, this.#done] : [this.#done, this.#undone];
    const last = from.pop();
    if (!last) {
      toast(redoes ? "There is nothing to redo." : "There is nothing to undo.");
      return;
    }
    try {
      const answer = await undo(last.token);
      if (answer.undo) to.push({ token: answer.undo, views: last.views?.toReversed() });
      if (last.views) await this.actions.choices.load();
      if (last.views && this.page.view.view === last.views[1].view) this.page.show(last.views[0]);
      toast(redoes ? "Redone." : "Undone.", ...(redoes || !answer.undo ? [] : ["Redo", () => this.undo(true)]));
      if (this.id && !this.#isEditing) this.refresh();
    } catch (error) {
      // It was not made, or nobody knows: it can be tried again.
      if (error.status === 0 || error.status === 401 || error.status >= 500) from.push(last);
      this.failed(error);
    }
  }

  /** Shows why something was refused. */
  failed(error) {
    const { difference } = error.problem ?? {};
    if (!difference) {
      toast(error.message);
      return;
    }
    showDialog({ "aria-label": "What changed" },
      make("h2", {}, "The file changed"), make("p", {}, visible(error.message)),
      make("pre", { class: "difference", tabindex: 0 }, visible(difference, true)),
      make("form", { method: "dialog" }, make("button", {}, "Close")));
  }

  /** Shows the form for a new item. */
  async add() {
    if (!await this.mayLeave()) return;
    this.close();
    this.#reveal(true);
    this.editing(true);
    this.actions.opened(null);
    showNew(this, this.#place, (item, form) => {
      const isShown = form.isConnected;
      if (isShown) {
        this.id = item.id;
        this.actions.opened(item.id);
      }
      this.saved(item, form, `Added ${item.id}.`);
      if (isShown) this.open(item.id);
    });
  }

  /** True if the pane shows an item or the form for one. */
  get isOpen() { return !this.#place.hidden; }

  /** Closes the pane. */
  close() {
    this.id = null;
    this.item = null;
    this.problem = null;
    this.editing(false);
    this.page.link.show("item", null);
    this.#reveal(false);
    this.#place.replaceChildren();
  }

  /** Returns the fields of `item` that differ from those on which the editors began. */
  differences(item) {
    const names = new Set([...Object.keys(this.item.value), ...Object.keys(item.value)]);
    return [...names].filter((name) => !same(this.item.value[name], item.value[name]));
  }
}
