import { make, visible } from "../list/text.js";
import { display } from "./editors.js";
import { nameOf } from "./pointers.js";

const missing = () => make("span", { class: "quiet" }, "no such field");
const shown = (field, value) => value === undefined || value === null ? missing() : display(field, value);

/**
 * Shows a conflict: for each field what it was, what this page wants, and what is in the file now.
 * @param {object[]} conflict `{field, base, mine, theirs}` for each field.
 * @param {(mine: Set<string>) => void} onChoice gets the fields of which this page's value is kept.
 * @param {() => void} onCancel goes back to the editors.
 */
export function makeConflict(conflict, onChoice, onCancel) {
  const fields = conflict.map(({ field, base, mine, theirs }) => {
    const name = `choice-${field}`;
    const choice = (value, title, content, checked) => make("label", { class: "choice" },
      make("input", { type: "radio", name, value, checked }), make("strong", {}, title), content);
    return make("fieldset", { "data-field": field }, make("legend", {}, visible(nameOf(field))),
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
