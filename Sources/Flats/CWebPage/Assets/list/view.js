/** The view: what the address bar holds, what the stream is asked for. */

/** The parameters of a view, named as the options of `notes-watch list`. */
export const names = [
  "view", "sort", "section", "section-order", "where", "search", "query", "search-fields", "fields",
  "limit", "offset",
];

/** The parts of the view of the page: its address also has the widths of columns, as JSON. */
const parts = [...names, "widths"];

/** True if a view has a part. The view with the empty name is the complete folder, also if the command line names another. */
export const isGiven = (view, name) => Boolean(view[name]) || (name === "view" && view.view === "");

/** Reads the view and the opened item of an address. */
export function read(address) {
  const parameters = new URL(address).searchParams;
  const view = {};
  for (const name of parts) {
    const values = parameters.getAll(name);
    if (name === "where" && values.length > 1) view.where = values.map((one) => `(${one})`).join(" AND ");
    else if (values.length > 0 && (values[0] !== "" || name === "view")) view[name] = values[0];
  }
  return { view, item: parameters.get("id") };
}

/** Returns the parameters of a view, to be put behind a `?`. */
export function query(view, more = {}) {
  const parameters = new URLSearchParams();
  for (const name of names) if (isGiven(view, name)) parameters.append(name, view[name]);
  for (const [name, value] of Object.entries(more)) if (value) parameters.append(name, value);
  return parameters.toString().replaceAll("+", "%20");
}

/** Returns a view with only the parts that it has. */
export const given = (view) => Object.fromEntries(parts.filter((name) => isGiven(view, name)).map((name) => [name, view[name]]));

/** Returns the address of a view with an opened item. */
export function address(view, item = null) {
  const text = query(view, { widths: view.widths, id: item });
  return text ? `./?${text}` : "./";
}

/** Returns the view as the stream wants it: the keys of the settings. */
export function settings(view) {
  const keys = given(view);
  // The server refuses a text that is not a number, or not a map.
  for (const name of ["limit", "offset"]) if (/^\d+$/.test(keys[name])) keys[name] = Number(keys[name]);
  if (keys.widths) keys.widths = widthsOf(view) ?? keys.widths;
  // The order of the list breaks ties.
  if (isRanked(view)) keys.sort = ["@relevance", ...ownSort(view.sort)].join(",");
  return keys;
}

/** Returns the widths of a view, which an address can have in any form; null for none. */
export function widthsOf({ widths }) {
  try {
    return JSON.parse(widths ?? null);
  } catch {
    return null;
  }
}

/** Returns the sort fields without that of relevance. */
const ownSort = (sort) => (sort ?? "").split(",").map((one) => one.trim()).filter((one) => one && one !== "@relevance");

/** Returns the search of a view: what is typed is a query; an address may have a plain search. */
export const searchOf = (view) => view.query ?? view.search ?? "";

/** True if the best matches of a search come first. */
export const isRanked = (view) => searchOf(view).trim() !== "";

/** Returns the view that is saved under a name: without the search, and what belongs to it. */
export const saved = (view) => settings({ ...view, search: undefined, query: undefined, sort: ownSort(view.sort).join(",") });

/** Returns a view with other search text. */
export const withSearch = (view, text) => ({ ...view, search: undefined, query: text });

/** Returns the view that finds similar names; null if its search is more than words. */
export function similar(view) {
  const words = searchOf(view).split(/\s+/).filter(Boolean);
  if (words.length === 0 || !words.every((word) => /^[\p{L}\p{N}][\p{L}\p{N}_-]*$/u.test(word) && !["AND", "OR", "NOT"].includes(word))) return null;
  return withSearch(view, words.map((word) => `~${word}`).join(" "));
}

/** Returns the first field of the order, without its suffixes, and true if it is descending. */
export function order(sort) {
  const first = (ownSort(sort)[0] ?? "").replace(/(:exact|:nulls-first)+$/, "");
  return first.startsWith("-") ? [first.slice(1), true] : [first, false];
}
