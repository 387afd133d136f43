import { Digits, make, visible } from "../list/text.js";
import { createItem } from "./requests.js";

const number = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** Returns the value that someone means by a text: a number, true, false, or the text. */
function meant(text) {
  if (number.test(text)) return new Digits(text);
  if (text === "true" || text === "false") return text === "true";
  return text;
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
  const fail = (message) => {
    error.hidden = false;
    error.textContent = visible(message);
    id.focus();
  };
  const line = (name = "") => {
    const field = make("input", { type: "text", "aria-label": "Field", placeholder: "Field", value: name, list: "field-names" });
    const value = make("input", { type: "text", "aria-label": name ? `Value of ${name}` : "Value", placeholder: "Value" });
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
  const form = make("form", {
    "aria-label": "New item", novalidate: true, oninput: () => pane.dirty(true),
    onsubmit: async (event) => {
      event.preventDefault();
      if (id.value.trim() === "") {
        fail("Write the id of the new item, such as friends/ada.");
        return;
      }
      // Without a prototype, so that a field can have the name `__proto__`.
      const fields = Object.create(null);
      for (const pair of rows.children) {
        const [name, value] = [...pair.children].map((input) => input.value);
        if (name.trim() && value !== "") fields[name.trim()] = meant(value);
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
