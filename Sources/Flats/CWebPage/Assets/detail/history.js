import { tokens, valueIn } from "../list/columns.js";
import { compact, make, visible } from "../list/text.js";
import { readLog } from "./requests.js";

const maxCommits = 50;

/** Shows what commits did to an item, field by field. */
export async function showHistory(place, id) {
  const commits = await readLog(id, maxCommits + 1);
  if (commits.length === 0) {
    place.replaceChildren(make("p", { class: "quiet" }, "No commit has this item yet."));
    return;
  }
  place.replaceChildren(make("ol", { class: "history" }, ...commits.slice(0, maxCommits).map(entry)),
    commits.length > maxCommits ? make("p", { class: "quiet" }, "Older commits are not shown here.") : "");
}

function entry(commit) {
  const fields = (commit.fields ?? []).slice(0, 50).map((field) => {
    const keys = tokens(field);
    const before = valueIn(commit.before, { keys });
    const after = valueIn(commit.value, { keys });
    return make("li", {}, make("strong", {}, visible(keys.join("/"))), " ",
      make("del", {}, before === undefined ? "–" : compact(before, 120)), " → ",
      make("ins", {}, after === undefined ? "–" : compact(after, 120)));
  });
  const kind = { insert: "added", delete: "deleted", update: "changed", problem: "not readable" }[commit.op] ?? commit.op;
  return make("li", {},
    make("p", {}, make("strong", {}, visible(commit.subject ?? "")), " ", make("span", { class: "quiet" }, `${kind} by ${visible(commit.author ?? "")}, `,
      make("time", { datetime: commit.time }, (commit.time ?? "").slice(0, 10)), " ", make("code", {}, (commit.commit ?? "").slice(0, 8)))),
    commit.problem ? make("p", { class: "problem" }, visible(commit.problem)) : "",
    fields.length > 0 ? make("ul", {}, ...fields) : "");
}
