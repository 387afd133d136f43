import { make, visible } from "../list/text.js";
import { order, saved, searchOf } from "../list/view.js";
import { showDialog } from "./dialogs.js";
import { putView } from "./requests.js";

/**
 * Asks for a name, and saves the view in the settings of the folder.
 * @param {Actions} actions what people do with the page.
 * @param {string} [suggested] the name with which the dialog begins.
 * @param {string} [problem] why the view could not be saved before.
 */
export async function saveView(actions, suggested = actions.page.controls.viewName, problem = "") {
  const { page, pane, choices } = actions;
  const { controls, list, view } = page;
  // The names may have changed since they were read.
  await choices.load();
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
    const { undo } = await putView(after.view, saved(controls.complete), choices.settings);
    await choices.load();
    page.show(after);
    pane.remember(undo, `Saved the view ${after.view}.`, [view, after]);
  } catch (error) {
    saveView(actions, after.view, error.status === 412 ? "The settings changed meanwhile, so nothing was saved. Look at the name, and save again." : error.message);
  }
}
