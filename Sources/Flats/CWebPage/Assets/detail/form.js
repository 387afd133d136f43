import { tokens } from "../list/columns.js";
import { compact, make, visible } from "../list/text.js";
import { display, makeEditor, same } from "./editors.js";
import { patchItem, readItem } from "./requests.js";

const maxEditors = 200;
const deleted = "The item was deleted meanwhile. Copy your changes and add it again.";

/** The editors of an item's fields. Only the changed fields are written. */
export class ItemForm {
  #editors = new Map();
  #removed = new Set();

  /**
   * Shows the editors.
   * @param {Pane} pane the pane of the item.
   * @param {HTMLElement} place where they are shown.
   */
  constructor(pane, place) {
    this.pane = pane;
    this.place = place;
    this.item = pane.item;
    this.error = make("p", { class: "notice", role: "alert", hidden: true });
    // Empty, but there: a screen reader is silent about a message that comes with its place.
    this.notice = make("p", { class: "notice changed", role: "status" });
    this.list = make("div", { class: "editors" });
    for (const [name, value] of Object.entries(this.item.value).slice(0, maxEditors)) {
      // `.inf` and `.nan` come as texts.
      this.#add(name, value, this.item.numbers?.[name] === true ? "number" : undefined);
    }
    this.form = make("form", {
      novalidate: true, "aria-label": "Edit", oninput: () => pane.dirty(this.#isChanged()),
      onsubmit: (event) => { event.preventDefault(); this.save(); },
    }, this.notice, this.list, this.#newField(), this.error, make("p", { class: "buttons" },
      make("button", { type: "submit", class: "main" }, "Save"),
      make("button", { type: "button", onclick: () => pane.cancel() }, "Cancel")));
    place.replaceChildren(this.form);
    this.list.querySelector("input, textarea")?.focus();
  }

  #add(name, value, kind) {
    const editor = makeEditor(name, value, kind);
    const label = make(editor ? "label" : "span", editor ? { for: editor.element.id, dir: "auto" } : { class: "label" }, visible(name));
    const line = make("div", { class: "editor", "data-field": name }, label);
    if (editor) {
      this.#editors.set(name, { ...editor, old: value });
      line.append(editor.element, editor.hint ?? "", make("button", {
        type: "button", class: "remove", "aria-label": `Remove the field ${name}`, title: "Remove the field",
        onclick: () => { this.#removed.add(name); line.remove(); this.pane.dirty(true); },
      }, "×"));
    } else line.append(make("span", {}, compact(value, 120)), make("small", { class: "quiet" }, "Edit it in the text of the file."));
    this.list.append(line);
    return editor;
  }

  #newField() {
    const name = make("input", { type: "text", "aria-label": "Name of a new field", placeholder: "New field", size: 12 });
    const kind = make("select", { "aria-label": "Type of the new field" }, ...[
      ["string", "Text"], ["long", "Long text"], ["number", "Number"], ["boolean", "Yes or no"], ["date", "Date"], ["strings", "List of texts"],
    ].map(([value, title]) => make("option", { value }, title)));
    const add = () => {
      const text = name.value.trim();
      if (!text || this.#editors.has(text) || Object.hasOwn(this.item.value, text)) {
        this.#fail(text ? `There is a field ${text} already.` : "Write the name of the new field.", name);
        return;
      }
      this.#add(text, undefined, kind.value).element.focus();
      name.value = "";
      this.error.hidden = true;
      this.pane.dirty(true);
    };
    // Enter adds the field; it would save the form.
    name.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.isComposing) return;
      event.preventDefault();
      add();
    });
    this.newName = name;
    return make("p", { class: "new-field" }, name, kind, make("button", { type: "button", onclick: add }, "Add field"));
  }

  #fail(message, element) {
    this.error.hidden = false;
    this.error.textContent = visible(message);
    element?.setAttribute("aria-invalid", "true");
    element?.focus();
  }

  /** Returns the changed fields; throws if a text is not of its type. */
  #changes() {
    // Without a prototype, so that a field can have the name `__proto__`.
    const changes = Object.create(null);
    for (const [name, { element, read, old }] of this.#editors) {
      element.removeAttribute("aria-invalid");
      if (this.#removed.has(name)) {
        if (old !== undefined) changes[name] = null;
        continue;
      }
      let value;
      try {
        value = read();
      } catch (error) {
        error.element = element;
        throw error;
      }
      if (!same(value, old)) changes[name] = value;
    }
    return changes;
  }

  #isChanged() {
    try {
      return Object.keys(this.#changes()).length > 0;
    } catch {
      return true;
    }
  }

  /** Writes the changed fields. */
  async save() {
    const unused = this.newName.value.trim();
    if (unused) {
      this.#fail(`Press “Add field” to add ${unused}, or clear its name.`, this.newName);
      return;
    }
    let changes;
    try {
      changes = this.#changes();
    } catch (error) {
      this.#fail(error.message, error.element);
      return;
    }
    if (Object.keys(changes).length === 0) this.pane.cancel();
    else await this.#write(changes, this.item.tag);
  }

  async #write(changes, tag) {
    this.error.hidden = true;
    try {
      this.pane.saved(await patchItem(this.item.id, changes, tag), this.form);
    } catch (error) {
      if (error.status === 412) await this.#conflict(changes, error);
      else this.#fail(error.status === 404 ? deleted : error.message);
    }
  }

  async #conflict(changes, error) {
    const rows = error.problem.conflict ?? [];
    // Fields that only one side changed are kept as that side has them. The server may not know the
    // base any more: a field that is gone then counts as changed by both, unless it is new here.
    const isOwn = ({ field, base, theirs }) =>
      same(base, theirs) && (theirs !== undefined || !Object.hasOwn(this.item.value, top(field)));
    const both = rows.filter((row) => Object.hasOwn(changes, top(row.field)) && !isOwn(row));
    const conflict = both.length > 0 ? both : rows;
    let now;
    try {
      now = await readItem(this.item.id);
    } catch (problem) {
      this.#fail(problem.status === 404 ? deleted : problem.message);
      return;
    }
    if (conflict.length === 0) {
      this.#fail(error.message);
      return;
    }
    if (error.problem.more > 0) {
      this.#fail(`${rows.length + error.problem.more} fields differ from the file, too many for a choice. Nothing was saved. `
        + "Copy your changes, press Cancel, and edit the item again.");
      return;
    }
    // The choice is about the version that the server compared. A later one is compared again.
    const inConflict = new Set(conflict.map(({ field }) => top(field)));
    const back = () => { choice.remove(); this.form.hidden = false; };
    const choice = makeConflict(conflict, (mine) => {
      back();
      const kept = Object.fromEntries(Object.entries(changes).filter(([name]) =>
        !inConflict.has(name) || [...mine].some((field) => top(field) === name)));
      if (Object.keys(kept).length > 0) this.#write(kept, error.problem.etag);
      else this.pane.saved(now, this.form, "Nothing was saved: the file stays as it is.");
    }, back);
    this.form.hidden = true;
    this.place.append(choice);
    choice.querySelector("input").focus();
  }

  /** Says that the file changed while the editors are open. Their texts stay. */
  changed(item) {
    if (!item) {
      this.notice.textContent = "The item was deleted. Your changes are still here.";
      return;
    }
    const names = this.pane.differences(item);
    const news = names.slice(0, 8).map((name) => `${visible(name)} is now ${Object.hasOwn(item.value, name) ? compact(item.value[name], 60) : "gone"}`);
    this.notice.textContent = news.length > 0 ? `The file changed: ${news.join(", ")}. Your changes are still here.` : "";
  }
}

/** Returns the top-level field of a JSON Pointer, or a name as it is. */
function top(field) {
  if (!field.startsWith("/")) return field;
  return field.slice(1).split("/")[0].replaceAll("~1", "/").replaceAll("~0", "~");
}

const missing = () => make("span", { class: "quiet" }, "no such field");
const shown = (field, value) => value === undefined || value === null ? missing() : display(field, value);

/**
 * Shows a conflict: for each field what it was, what this page wants, and what is in the file now.
 * @param {object[]} conflict `{field, base, mine, theirs}` for each field.
 * @param {(mine: Set<string>) => void} onChoice gets the fields of which this page's value is kept.
 * @param {() => void} onCancel goes back to the editors.
 */
function makeConflict(conflict, onChoice, onCancel) {
  const fields = conflict.map(({ field, base, mine, theirs }) => {
    const name = `choice-${field}`;
    const choice = (value, title, content, checked) => make("label", { class: "choice" },
      make("input", { type: "radio", name, value, checked }), make("strong", {}, title), content);
    return make("fieldset", { "data-field": field }, make("legend", {}, visible(tokens(field).join("/"))),
      make("p", { class: "base" }, make("strong", {}, "Before "), shown(field, base)),
      choice("theirs", "In the file now", shown(field, theirs), true),
      choice("mine", "Yours", shown(field, mine), false));
  });
  const form = make("form", {
    class: "conflict", "aria-label": "Conflict",
    onsubmit: (event) => {
      event.preventDefault();
      const chosen = fields.filter((one) => one.querySelector("[value=mine]").checked);
      onChoice(new Set(chosen.map((one) => one.dataset.field)));
    },
  },
  make("p", { role: "alert", class: "notice" }, "Someone else changed the same fields. Choose which values stay."),
  ...fields,
  make("p", { class: "buttons" }, make("button", { type: "submit", class: "main" }, "Save the choice"),
    make("button", { type: "button", onclick: onCancel }, "Back")));
  return form;
}
