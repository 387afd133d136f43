/** Requests that read and change items. */

import { Digits, parse } from "../list/text.js";

/** A refused request: its status and its problem document. */
export class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail ?? `The server answered ${status}.`);
    this.status = status;
    this.problem = problem;
  }
}

/** Returns a value as JSON; numbers keep their digits. */
export function json(value) {
  if (value instanceof Digits) return value.text;
  if (Array.isArray(value)) return `[${value.map(json).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    return `{${Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}:${json(part)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

/** Reads JSON with all numbers as `Digits`. Old browsers do not give the digits, and round. */
const parseDigits = (text) => JSON.parse(text, (_, value, context) =>
  typeof value === "number" ? new Digits(context?.source ?? String(value)) : value);

// The server can have made the change, and the connection was lost before its answer.
const unknown = "The server does not answer. When the connection is back, check if the change was made.";

async function request(method, path, { type = "application/json", body, headers = {} } = {}) {
  const response = await fetch(path, {
    method, body, headers: { Accept: "application/json", ...(body === undefined ? {} : { "Content-Type": type }), ...headers },
    cache: "no-store",
  }).catch(() => { throw new Refused(0, { detail: method === "GET" ? "The server does not answer." : unknown }); });
  if (response.ok) return response;
  const problem = await response.text();
  try {
    throw new Refused(response.status, { ...JSON.parse(problem), conflict: parseDigits(problem).conflict });
  } catch (error) {
    throw error instanceof Refused ? error : new Refused(response.status, {});
  }
}

const path = (id, part = "") => `item${part}?id=${encodeURIComponent(id)}`;

async function item(response) {
  const text = await response.text();
  return { ...JSON.parse(text), value: parseDigits(text).value ?? {}, tag: response.headers.get("etag") };
}

/** Reads an item; its `tag` names its state. */
export const readItem = async (id) => item(await request("GET", path(id)));

/** Reads the text of an item's file, with its byte order mark. Bytes that are not UTF-8 are replaced. */
export async function readSource(id) {
  const response = await request("GET", path(id, "/source"), { headers: { Accept: "text/plain" } });
  const bytes = await response.arrayBuffer();
  const decode = (fatal) => new TextDecoder("utf-8", { ignoreBOM: true, fatal }).decode(bytes);
  const tag = response.headers.get("etag");
  try {
    return { text: decode(true), tag, isUTF8: true };
  } catch {
    return { text: decode(false), tag, isUTF8: false };
  }
}

/** Reads a problem with the text of its file around its line. */
export const readProblem = async (file) => (await request("GET", `problem?path=${encodeURIComponent(file)}`)).json();

/** Writes fields; null removes one. Changes of other fields meanwhile are merged. */
export const patchItem = async (id, fields, tag) => item(await request("PATCH", path(id), {
  type: "application/merge-patch+json", body: json(fields), headers: { "If-Match": tag, Prefer: "merge" },
}));

/** Writes the text of an item's file. */
export const putSource = async (id, source, tag) => item(await request("PUT", path(id, "/source"), {
  body: JSON.stringify({ source }), headers: { "If-Match": tag },
}));

/** Returns why the list of a view is empty. */
export const readHints = async (view) => {
  const response = await request("GET", `items?${view}`).catch(() => null);
  return (await response?.json())?.hints ?? [];
};

/** Makes an item. */
export const createItem = async (id, value) => item(await request("POST", "items", { body: json({ id, value, typed: true }) }));

/** Deletes an item if it is as `tag` says or, without one, as its row shows. */
export const deleteItem = async (id, tag, revision) => (await (tag
  ? request("DELETE", path(id), { headers: { "If-Match": tag } })
  : request("DELETE", `${path(id)}&revision=${encodeURIComponent(revision)}`))).json();

/** Saves a named view in the settings, if they are as `settings` says. */
export const putView = async (name, view, settings) => (await request("PUT", `view?name=${encodeURIComponent(name)}`, {
  body: JSON.stringify(view), headers: { "If-Match": settings },
})).json();

/** Undoes a change, if the file is as the change left it. */
export const undo = async (token) => (await request("POST", "undo", { body: JSON.stringify({ undo: token }) })).json();

/** Reads what the last commits did to an item. */
export async function readLog(id, limit) {
  const response = await request("GET", `${path(id, "/log")}&limit=${limit}`, { headers: { Accept: "application/jsonl" } });
  return (await response.text()).split("\n").filter(Boolean).map((line) => parse(line));
}
