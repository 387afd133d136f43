import { byID } from "./text.js";

/** True if keys belong to the element: it is a field in which one types or chooses. */
function types(element) {
  return element.closest("input, textarea, select, [contenteditable], dialog") !== null;
}

/**
 * Handles the keys of the page.
 * @param {List} list the list.
 * @param {object} actions `open`, `edit`, `add`, `remove`, `undo`, `redo`, `pause`, `more` and `escape`.
 */
export function listenToKeys(list, actions) {
  const moves = {
    j: () => list.focusedLine + 1, ArrowDown: () => list.focusedLine + 1,
    k: () => list.focusedLine - 1, ArrowUp: () => list.focusedLine - 1,
    PageDown: () => list.focusedLine + list.page, PageUp: () => list.focusedLine - list.page,
    Home: () => 0, End: () => list.lines - 1,
  };
  const commands = {
    "/": () => byID("search").focus(), n: actions.add, u: actions.undo, U: actions.redo,
    p: actions.pause, "?": actions.more,
  };
  const rows = {
    Enter: (row) => actions.open(row.id), e: (row) => actions.edit(row.id),
    Delete: actions.remove,
  };

  function searchKey(event) {
    if (event.key === "ArrowDown" || event.key === "Enter") list.focusLine(list.focusedLine);
    else if (event.key === "Escape" && event.target.value === "") list.focusLine(list.focusedLine);
    else return;
    event.preventDefault();
  }

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const { key, target } = event;
    if (target === byID("search")) searchKey(event);
    if (types(target)) return;
    const inList = target.closest("#rows") !== null;
    const isFree = inList || target === document.body;
    if (key === "Escape") actions.escape();
    else if (isFree && moves[key]) list.focusLine(isFree && !inList ? list.focusedLine : moves[key]());
    else if (rows[key] && (inList || key === "e")) {
      const row = list.focusedRow ?? (key === "e" && list.opened ? { id: list.opened } : null);
      if (row?.id === undefined) return;
      rows[key](row);
    } else if (commands[key]) commands[key]();
    else return;
    event.preventDefault();
  });
}
