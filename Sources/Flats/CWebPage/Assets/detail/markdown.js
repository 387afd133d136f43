import { make, visible } from "../list/text.js";

/**
 * Renders a safe part of Markdown: headings, paragraphs, lists, quotes, code, emphasis and links.
 * Everything else, and all HTML, stays text. No image is loaded.
 */
export function markdown(text) {
  return make("div", { class: "markdown", dir: "auto" }, ...blocks(text.slice(0, 200_000).split(/\r?\n/), 1));
}

// Lists that are nested deeper are shown at this depth.
const maxDepth = 5;

function blocks(lines, depth) {
  const parts = [];
  for (let index = 0; index < lines.length;) {
    const [part, next] = block(lines, index, depth);
    if (part) parts.push(part);
    index = next;
  }
  return parts;
}

/** Returns the title of a heading without the marks after it. An expression would try each space. */
function titleOf(text) {
  let end = text.trimEnd().length;
  while (text[end - 1] === "#") end -= 1;
  return text.slice(0, end).trim();
}

const starts = [/^\s*$/, /^\x60{3}/, /^#{1,6}\s/, /^>\s?/, /^\s*[-*+]\s+/, /^\s*\d{1,9}[.)]\s+/];

const kindOf = (line) => starts.findIndex((start) => start.test(line));

function block(lines, index, depth) {
  const kind = kindOf(lines[index]);
  if (kind === 0) return [null, index + 1];
  if (kind === 1) return fence(lines, index);
  if (kind === 2) {
    const [marks] = /^#+/.exec(lines[index]);
    return [make(`h${Math.min(marks.length + 2, 6)}`, {}, ...inline(titleOf(lines[index].slice(marks.length)))), index + 1];
  }
  if (kind > 3) return list(lines, index, kind, depth);
  let end = index;
  const belongs = (line) => kind < 0 ? !starts.some((start) => start.test(line)) : starts[kind].test(line);
  while (end < lines.length && (end === index || belongs(lines[end]))) end += 1;
  const own = lines.slice(index, end);
  if (kind < 0) return [make("p", {}, ...inline(own.join("\n"))), end];
  const bare = own.map((line) => line.replace(starts[kind], ""));
  return [make("blockquote", {}, make("p", {}, ...inline(bare.join("\n")))), end];
}

/** Shows a list. Further lines belong to the item above: text, or a list that is indented more. */
function list(lines, index, kind, depth) {
  const indent = (line) => line.search(/\S/);
  const isNested = (line) => depth < maxDepth && indent(line) > indent(lines[index]) + 1;
  const items = [];
  let end = index;
  for (; end < lines.length; end += 1) {
    const found = kindOf(lines[end]);
    if (found === kind && !isNested(lines[end])) items.push([lines[end].replace(starts[kind], "")]);
    else if (found < 0 || (found > 3 && isNested(lines[end]))) items.at(-1).push(lines[end]);
    else break;
  }
  return [make(kind === 4 ? "ul" : "ol", {}, ...items.map(([first, ...rest]) => {
    const inner = rest.findIndex((line) => kindOf(line) > 3);
    const text = [first, ...(inner < 0 ? rest : rest.slice(0, inner))].map((line) => line.trim()).join("\n");
    return make("li", {}, ...inline(text), ...(inner < 0 ? [] : blocks(rest.slice(inner), depth + 1)));
  })), end];
}

function fence(lines, index) {
  let end = index + 1;
  while (end < lines.length && !starts[1].test(lines[end])) end += 1;
  return [make("pre", { tabindex: 0 }, make("code", {}, visible(lines.slice(index + 1, end).join("\n"), true))), end + 1];
}

const span = /\x60([^\x60\n]+)\x60|\*\*([^*\n]+)\*\*|\*([^*\n]+)\*|\b_([^_\n]+)_\b|\[([^\][\n]+)\]\(([^()\s]+)\)|<(https?:\/\/[^<>\s]+)>/g;

function inline(text) {
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(span)) {
    parts.push(visible(text.slice(end, found.index), true));
    const [all, code, strong, em, emphasis, title, target, url] = found;
    if (code) parts.push(make("code", {}, visible(code)));
    else if (strong) parts.push(make("strong", {}, visible(strong)));
    else if (em || emphasis) parts.push(make("em", {}, visible(em || emphasis)));
    else parts.push(link(title ?? url, target ?? url, all));
    end = found.index + all.length;
  }
  parts.push(visible(text.slice(end), true));
  return parts;
}

/** A link to the web or to a mail address; anything else stays text. */
export function link(title, target, all = title) {
  let url;
  try {
    url = new URL(target);
  } catch {
    return visible(all);
  }
  if (!["http:", "https:", "mailto:"].includes(url.protocol)) return visible(all);
  return make("a", { href: url.href, rel: "noopener noreferrer", target: "_blank", title: url.href }, visible(title));
}
