import { byID } from "../list/text.js";

/** True if keys belong to the element: it is a field in which one types or chooses. */
function types(element) {
  return element.closest("input, textarea, select, [contenteditable], dialog") !== null;
}

/** True if the element is in the pane of an item, and the list is beside it. */
const inPane = (element) => element.closest("#detail") !== null && !byID("scroller").inert;

/**
 * Returns what handles the keys of the page.
 * @param {List} list the list.
 * @param {Actions} actions what keys do.
 */
export function keyHandler(list, actions) {
  const moves = {
    j: () => list.focusedLine + 1, ArrowDown: () => list.focusedLine + 1,
    k: () => list.focusedLine - 1, ArrowUp: () => list.focusedLine - 1,
    PageDown: () => list.focusedLine + list.page, PageUp: () => list.focusedLine - list.page,
    Home: () => 0, End: () => list.lines - 1,
  };
  const commands = {
    "/": () => byID("search").focus(), n: () => actions.add(), u: () => actions.undo(), U: () => actions.undo(true),
    c: () => actions.choose(), p: () => actions.pause(), "?": () => actions.more(),
  };
  const rows = {
    Enter: (row) => actions.open(row.id), e: (row) => actions.edit(row.id),
    Delete: (row) => actions.remove(row),
  };

  /** From the search and the filter, keys go to the list. */
  function searchKey(event, { id, value, ariaInvalid }) {
    const isDone = event.key === "ArrowDown" || (event.key === "Enter" && !ariaInvalid) || (event.key === "Escape" && value === "");
    if (!isDone) return;
    list.enter();
    if (event.key === "Enter" && id === "search" && value.trim()) actions.page.openBest();
    event.preventDefault();
  }

  return (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const { key } = event;
    // A key that was pressed before this was loaded acts where the focus is now.
    const target = document.activeElement ?? document.body;
    // But one that was pressed in a field, or to delete a row, was not meant for another element.
    if (event.target !== target && (types(event.target) || key === "Delete")) return;
    if (target === byID("search") || target === byID("where")) searchKey(event, target);
    if (types(target)) return;
    const inList = target.closest("#rows") !== null;
    // In the pane of an item, the other keys scroll the pane.
    const isFree = inList || target === document.body || (inPane(target) && "jk".includes(key));
    if (key === "Escape") actions.close();
    else if (isFree && moves[key] && target === document.body) list.enter();
    else if (isFree && moves[key]) list.focusLine(moves[key]());
    else if (rows[key] && (inList || key === "e")) {
      const row = list.focusedRow ?? (key === "e" && actions.page.item ? { id: actions.page.item } : null);
      if (row?.broken) actions.onProblem(key, row.broken);
      else if (row?.id === undefined) return;
      else rows[key](row);
    } else if (commands[key]) commands[key]();
    else return;
    event.preventDefault();
  };
}
