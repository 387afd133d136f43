import { Digits, make, parse, visible } from "../list/text.js";
import { resolved } from "./moments.js";
import { createItem } from "./requests.js";

const number = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const date = /^\d{4}-\d{2}-\d{2}/;
const hints = {
  number: "A number", boolean: "true or false", date: "2026-11-22 or @today", list: "a, b, c", map: '{"key": "value"}',
};

/** Returns the value that someone means by a text: a moment, a number, true, false, or the text. */
function meant(text) {
  const value = resolved(text);
  if (value !== text) return value;
  if (number.test(text)) return new Digits(text);
  if (text === "true" || text === "false") return text === "true";
  return text;
}

/** Returns the value that someone means by a text in a field whose values are of a kind in most items. */
function meantAs({ type, elementType }, text) {
  switch (type) {
    case "string": return resolved(text);
    case "map": return json(text, "a map in JSON, such as {\"a\": 1}");
    case "list": {
      if (text.trim().startsWith("[")) return json(text, "a list: a, b, c, or JSON such as [\"a\", \"b\"]");
      const parts = text.split(",").map((part) => part.trim()).filter((part) => part !== "");
      return elementType === "string" ? parts : parts.map(meant);
    }
    default: return meant(text);
  }
}

function json(text, wanted) {
  try {
    return parse(text);
  } catch {
    throw new Error(`Write ${wanted}.`);
  }
}

/** Returns what is unusual about a value in a field of a kind; null if nothing is. */
function doubt({ type }, value) {
  if (type === "number" && !(value instanceof Digits)) return "This is not a number, as in the other items.";
  if (type === "boolean" && typeof value !== "boolean") return "Other items have true or false here.";
  if (type === "date" && !(typeof value === "string" && date.test(value))) {
    return "This is not a date such as 2026-11-22 or @today, as in the other items.";
  }
  return null;
}

/**
 * Shows the form for a new item.
 * @param {Pane} pane the pane.
 * @param {HTMLElement} place where the form is shown.
 * @param {(item: object, form: HTMLElement) => void} onAdded gets the new item and the form.
 */
export function showNew(pane, place, onAdded) {
  const id = make("input", { type: "text", id: "new-id", required: true, autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: "folder/name" });
  const rows = make("div", { class: "editors" });
  const error = make("p", { class: "notice", role: "alert", hidden: true });
  const fail = (message, element = id) => {
    error.hidden = false;
    error.textContent = visible(message);
    element.focus();
  };
  const line = (name = "") => {
    const field = make("input", { type: "text", "aria-label": "Field", placeholder: "Field", value: name, list: "field-names" });
    const value = make("input", { type: "text", "aria-label": name ? `Value of ${name}` : "Value" });
    const hint = () => { value.placeholder = hints[pane.actions.choices.kind(field.value.trim()).type] ?? "Value"; };
    field.addEventListener("input", hint);
    hint();
    rows.append(make("div", { class: "pair" }, field, value));
    return field;
  };
  const begin = () => {
    rows.replaceChildren();
    for (const name of pane.actions.choices.suggested) line(name);
    if (rows.childElementCount === 0) line();
  };
  begin();
  // The fields may not be known yet. What someone wrote meanwhile stays.
  pane.actions.choices.loaded.then(() => {
    if (![...rows.querySelectorAll("input")].some((input) => input.value || input === document.activeElement)) begin();
  });
  // The unusual values that were shown, if nothing was changed since.
  let confirmed = "";
  const form = make("form", {
    "aria-label": "New item", novalidate: true,
    oninput: () => { confirmed = ""; pane.dirty(true); },
    onsubmit: async (event) => {
      event.preventDefault();
      if (id.value.trim() === "") {
        fail("Write the id of the new item, such as friends/ada.");
        return;
      }
      // Without a prototype, so that a field can have the name `__proto__`.
      const fields = Object.create(null);
      const doubts = [];
      for (const pair of rows.children) {
        const [name, value] = [pair.children[0].value.trim(), pair.children[1].value];
        if (!name || value === "") continue;
        const kind = pane.actions.choices.kind(name);
        try {
          fields[name] = meantAs(kind, value);
        } catch (problem) {
          fail(`${name}: ${problem.message}`, pair.children[1]);
          return;
        }
        const unusual = doubt(kind, fields[name]);
        if (unusual) doubts.push({ text: `${name}: ${unusual}`, element: pair.children[1] });
      }
      const shown = doubts.map((one) => one.text).join(" ");
      if (shown !== confirmed) {
        fail(`${shown} Press Add again to add the item anyway.`, doubts[0].element);
        confirmed = shown;
        return;
      }
      try {
        onAdded(await createItem(id.value.trim(), fields), form);
      } catch (problem) {
        fail(problem.message);
      }
    },
  },
  make("div", { class: "editor" }, make("label", { for: "new-id" }, "Id"), id, make("small", { class: "quiet" }, "The file is named after it.")),
  rows, make("p", {}, make("button", { type: "button", onclick: () => line().focus() }, "Add field")), error,
  make("p", { class: "buttons" }, make("button", { type: "submit", class: "main" }, "Add"),
    make("button", { type: "button", onclick: () => pane.actions.close() }, "Cancel")));
  place.replaceChildren(make("div", { class: "head" }, make("h2", { tabindex: -1 }, "New item")), form);
  id.focus();
}
