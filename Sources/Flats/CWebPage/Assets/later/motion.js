/** Movement: rows slide from where they were to where they are, and what changed is highlighted. */

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const forced = matchMedia("(forced-colors: active)");
const slide = { duration: 260, easing: "cubic-bezier(.2, .7, .3, 1)", id: "slide" };

/**
 * Returns where rows are on the screen now, also while they slide; null if none will move.
 * @param {Map} rows the shown rows.
 * @param {object} line the line; more changes than one can follow do not move rows.
 */
export function places(rows, line) {
  if (calm.matches || line?.isMany) return null;
  return new Map([...rows].map(([key, { element, y }]) => {
    const slides = element.getAnimations().some((one) => one.id === "slide");
    return [key, y + (slides ? new DOMMatrixReadOnly(getComputedStyle(element).transform).m42 : 0)];
  }));
}

/** Slides rows from their places before to those now. Rows that were not there fade in. */
export function move(before, rows, top, height) {
  const isNear = (y) => y > top - 100 && y < top + height + 100;
  for (const [key, { element, y }] of rows) {
    const old = before.get(key);
    if (old === undefined) element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 220, id: "appear" });
    else if (Math.abs(old - y) > 0.5 && (isNear(old) || isNear(y))) {
      const distance = Math.max(-height, Math.min(height, old - y));
      // Rows that moved are drawn above the others.
      const zIndex = element.row.change === "move" ? 1 : "auto";
      element.animate([{ transform: `translateY(${distance}px)`, zIndex }, { transform: "none", zIndex }], slide);
    }
  }
}

/** Fades a row out and removes it. One that has another place, out of view, slides there. */
export function vanish(element, distance) {
  element.inert = true;
  element.setAttribute("role", "presentation");
  if (calm.matches) {
    element.remove();
    return;
  }
  for (const one of element.getAnimations()) if (one.id === "slide") one.cancel();
  const transform = `translateY(${Math.max(-innerHeight, Math.min(innerHeight, distance))}px)`;
  const last = distance === 0
    // Below the others, which slide over it.
    ? element.animate([{ opacity: 1, zIndex: -1 }, { opacity: 0, zIndex: -1 }], { duration: 180, id: "vanish" })
    : element.animate([{ transform: "none", zIndex: 1 }, { transform, zIndex: 1 }], { ...slide, id: "leave" });
  last.finished.then(() => element.remove(), () => element.remove());
}

/**
 * Highlights the rows that a line changed, or the list if that is too much.
 * @param {object} line the line.
 * @param {HTMLElement} body the place of the rows.
 * @param {(row: object) => HTMLElement|undefined} elementOf returns the element of a row.
 * @param {(row: object, element: HTMLElement) => void} onEnd is called when a row is as before.
 */
export function highlight({ isMany, rows }, body, elementOf, onEnd) {
  if (isMany) {
    color(body);
    return;
  }
  for (const row of rows) {
    const element = row.change && elementOf(row);
    if (element) color(element).finished.then(() => onEnd(row, element), () => {});
  }
}

/** Without motion the color stays for the time and then goes at once. Forced colors have a line instead. */
function color(element) {
  if (forced.matches) {
    const line = { outline: "2px dashed Highlight", outlineOffset: "-2px" };
    return element.animate([line, line], { duration: 2_600, id: "highlight" });
  }
  const backgroundColor = getComputedStyle(document.documentElement).getPropertyValue("--changed");
  const end = calm.matches ? [] : [{ backgroundColor: "transparent" }];
  return element.animate([{ backgroundColor }, { backgroundColor, offset: 0.4 }, ...end],
    { duration: 2_600, id: "highlight" });
}
