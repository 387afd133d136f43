/** Commands that show the same view in a terminal. */

import { names, query } from "../list/view.js";

/** Quotes a text for a shell. Control characters are written as escapes. */
export function quoted(text) {
  if (/^[A-Za-z0-9_./:@%+,=-]+$/.test(text)) return text;
  if (!/[\u0000-\u001f\u007f]/.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text.replace(/[\\']/g, "\\$&").replace(
    /[\u0000-\u001f\u007f]/g,
    (one) => `\\${one.codePointAt(0).toString(8).padStart(3, "0")}`);
  return `$'${escaped}'`;
}

/** Returns the command that prints the view. */
export function listCommand(folder, view) {
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
export function curlCommand(base, view) {
  const text = query(view);
  const url = `${base}items${text ? `?${text}` : ""}`;
  return `curl -H @auth ${quoted(url)}`;
}
