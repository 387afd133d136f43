import { byID, make } from "../list/text.js";
import { isRanked, names, query, settings } from "../list/view.js";
import { showDialog, toast } from "./dialogs.js";

const keys = [
  ["/", "Search"], ["j k ↓ ↑", "Next and previous row"], ["Page Up, Page Down", "One page"], ["Home, End", "First and last row"],
  ["Enter", "Open the item"], ["e", "Edit the item"], ["n", "New item"], ["Delete", "Delete the item"], ["u", "Undo"], ["U", "Redo"],
  ["c", "Columns"], ["p", "Pause, and go on"], ["Ctrl Enter", "Save"], ["Esc", "Cancel, or close the item"], ["?", "This help"],
];

const changes = new Set(["e", "n", "Delete", "u", "U", "Ctrl Enter"]);

/** Shows the keys, and commands and links for the view. */
export function showMore(page) {
  if (document.querySelector("dialog[open]")) return;
  const copy = (title, text, id) => make("div", { class: "copy" }, make("code", { id }, text), make("button", {
    type: "button", "aria-describedby": id,
    onclick: () => navigator.clipboard.writeText(text).then(() => toast("Copied."), () => getSelection().selectAllChildren(byID(id))),
  }, title));
  const text = query(page.view);
  // The best matches come first, as in the list.
  const sorted = isRanked(page.view) ? { sort: settings(page.view).sort } : {};
  showDialog({ "aria-label": "Keys and links", class: "more" },
    make("h2", {}, "This view elsewhere"),
    copy("Copy as notes-watch list …", listCommand(page.folder, { ...page.controls.complete, ...sorted }), "copy-list"),
    copy("Copy as curl", curlCommand(new URL(".", location.href).href, { ...page.view, ...sorted }), "copy-curl"),
    make("p", { class: "quiet" }, "The file auth has one line: “Authorization: Bearer ” and the token. The server prints where its token is when it starts."),
    make("p", {}, make("a", { href: `plain${text ? `?${text}` : ""}` }, "The plain page"), ", for printing, searching and other browsers"),
    make("h2", {}, "Keys"),
    make("table", {}, ...keys.filter(([key]) => !page.isReadOnly || !changes.has(key)).map(([key, what]) => make("tr", {}, make("th", { scope: "row" }, make("kbd", {}, key)), make("td", {}, what)))),
    make("form", { method: "dialog" }, make("button", { autofocus: true }, "Close")));
}

/** Quotes a text for a shell. Control characters are written as escapes. */
function quoted(text) {
  if (/^[A-Za-z0-9_./:@%+,=-]+$/.test(text)) return text;
  if (!/[\u0000-\u001f\u007f]/.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text.replace(/[\\']/g, "\\$&").replace(
    /[\u0000-\u001f\u007f]/g,
    (one) => `\\${one.codePointAt(0).toString(8).padStart(3, "0")}`);
  return `$'${escaped}'`;
}

/** Returns the command that prints the view. */
function listCommand(folder, view) {
  const words = ["notes-watch", "list", quoted(folder.startsWith("-") ? `./${folder}` : folder)];
  for (const name of names) {
    if (!view[name]) continue;
    // A value that begins with `-` would be read as an option.
    if (view[name].startsWith("-")) words.push(quoted(`--${name}=${view[name]}`));
    else words.push(`--${name}`, quoted(view[name]));
  }
  return words.join(" ");
}

/** Returns the curl command that gets the view. Its header is in a file: others see the words of a command. */
function curlCommand(base, view) {
  const text = query(view);
  const url = `${base}items${text ? `?${text}` : ""}`;
  return `curl -H @auth ${quoted(url)}`;
}
