import { make, visible } from "../list/text.js";
import { withLineEnds } from "./editors.js";
import { putSource, readSource } from "./requests.js";

const maxLength = 200_000;
const maxLines = 5_000;

/** Returns why a text was not saved: where, what and what to do. */
function reason({ status, message, problem }) {
  if (status === 412) return "The file changed meanwhile. Copy your text, press Cancel, and begin with the new text.";
  if (status === 404) return "The item was deleted meanwhile. Copy your text and add it again.";
  return problem?.line ? `Line ${problem.line}, column ${problem.column}: ${message}` : message;
}

/** Returns lines of a text, numbered from `first`, with problems at their lines. */
function numbered(lines, problems, first = 1) {
  const byLine = Map.groupBy(problems, (problem) => problem.line ?? 1);
  return make("ol", { class: "source", start: first, tabindex: 0, "aria-label": "The text of the file" }, ...lines.map((line, index) => {
    const found = byLine.get(first + index) ?? [];
    return make("li", { class: found.length > 0 ? "bad" : null }, make("code", { dir: "auto" }, visible(line, true) || " "),
      ...found.map((problem) => make("span", { class: "problem" }, `Column ${problem.column ?? 1}: ${visible(problem.message)}`)));
  }));
}

/** Returns what the pane shows of a problem: what is wrong, and the text of the file around its line. */
export function problemParts(problem) {
  const lines = problem.text?.split("\n") ?? [];
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return [
    make("p", { class: "notice problem" }, `Line ${problem.line}, column ${problem.column}: ${visible(problem.message)}`),
    problem.text === undefined ? "" : numbered(lines, [problem], problem.first),
    problem.note ? make("p", { class: "quiet" }, visible(problem.note)) : "",
  ];
}

/** The text of the file, with its problems at their lines, and an editor for it. */
export class Source {
  /** @param {object} pane the pane: `id`, `isReadOnly` and `saved(item, form)`. */
  constructor(pane) { this.pane = pane; }

  /** Shows the text. */
  async show(place, problems) {
    const { text, tag, isUTF8 } = await readSource(this.pane.id);
    const lines = text.slice(0, maxLength).split("\n");
    if (lines.length > 1 && lines.at(-1) === "") lines.pop();
    const list = numbered(lines.slice(0, maxLines), problems);
    const edit = make("button", { type: "button", onclick: () => this.edit(place, text, tag) }, "Edit the text");
    const tooLong = text.length > maxLength || lines.length > maxLines;
    const reason = tooLong ? "The text is longer than what is shown here." : isUTF8 ? null : "The text is not UTF-8.";
    place.replaceChildren(list, reason ? make("p", { class: "quiet" }, `${reason} Open the file in an editor.`) : "",
      this.pane.isReadOnly || reason ? "" : make("p", { class: "buttons" }, edit));
  }

  /** Shows the editor of the text. */
  edit(place, text, tag) {
    const area = make("textarea", { class: "code", rows: 18, spellcheck: "false", "aria-label": "The text of the file", "aria-describedby": "source-error" });
    area.value = text;
    const shown = area.value;
    const edited = () => area.value === shown ? text : withLineEnds(area.value, text);
    const error = make("p", { class: "notice", role: "alert", id: "source-error", hidden: true });
    const form = make("form", {
      onsubmit: async (event) => {
        event.preventDefault();
        try {
          this.pane.saved(await putSource(this.pane.id, edited(), tag), form);
        } catch (problem) {
          error.hidden = false;
          error.textContent = visible(reason(problem));
        }
      },
      oninput: () => this.pane.dirty(area.value !== shown),
    }, area, error, make("p", { class: "buttons" }, make("button", { type: "submit", class: "main" }, "Save"),
      make("button", { type: "button", onclick: () => this.pane.cancel() }, "Cancel")));
    this.pane.editing(true);
    place.replaceChildren(form);
    area.focus();
  }
}
