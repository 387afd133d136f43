import { tokens } from "../list/columns.js";
import { nameOfField } from "../list/rows.js";
import { byID, make, set } from "../list/text.js";
import { widthsOf } from "../list/view.js";

// The server sends as many.
const maxColumns = 16;
const maxWidth = 500;
// A backquote.
const quote = "\x60";

/** Returns the keys of a field path without places: `a.b`, a JSON Pointer, or keys in backquotes. */
const keysOf = (path) => (path.startsWith("/") ? tokens(path)
  : [...path.matchAll(/(?<=^|\.)`((?:[^`]|``)*)`|[^.]+/g)].map(([text, key]) => key?.replaceAll("``", "`") ?? text));

/** Returns a field path as it is written in a list: in backquotes if a part of it would be misread. */
const listed = (path) => (/,|^[\s-]|\s$/.test(path) ? keysOf(path).map((key) => quote + key.replaceAll(quote, quote + quote) + quote).join(".") : path);

/**
 * Follows a pressed pointer until it is released.
 * @param {PointerEvent} event the press.
 * @param {HTMLElement} place gets the events of the pointer.
 * @param {(event: PointerEvent) => void} onMove is called for each movement, once it is more than a click.
 * @param {(isDone: boolean) => void} onEnd is called after movements; false if Escape or the system cancelled them.
 */
function follow(event, place, onMove, onEnd) {
  const stop = new AbortController();
  let moves = false;
  const on = (name, run) => addEventListener(name, run, { signal: stop.signal, capture: true });
  const end = (isDone) => {
    stop.abort();
    if (moves) onEnd(isDone);
  };
  on("pointermove", (move) => {
    moves ||= Math.hypot(move.clientX - event.clientX, move.clientY - event.clientY) > 5;
    if (!moves) return;
    // So its release is not a click.
    place.setPointerCapture(event.pointerId);
    onMove(move);
  });
  on("pointerup", () => end(true));
  on("pointercancel", () => end(false));
  on("keydown", (key) => {
    if (key.key !== "Escape") return;
    key.preventDefault();
    key.stopPropagation();
    end(false);
  });
}

/** Returns the `fields` of a view with these columns. */
const fieldsOf = (columns) => columns.map(({ field }) => listed(field)).join(",");

const isReversed = (element) => getComputedStyle(element).direction === "rtl";

/** The columns as people choose them: a menu, and the headers, which are dragged and widened. */
export class Columns {
  #menu = make("dialog", { id: "fields", popover: "auto", "aria-label": "Columns" });
  #list = make("ul");
  #drawn = "";
  // The last choice.
  #chosen = [];

  /** @param {Actions} actions what people do with the page. */
  constructor(actions) {
    this.page = actions.page;
    this.choices = actions.choices;
    const button = (id, title, onclick) => make("button", { type: "button", id, onclick }, title);
    this.#menu.append(this.#list, make("p", { class: "buttons" },
      button("reset", "Reset", () => this.#show({ fields: undefined, widths: undefined }, "automatic")),
      this.page.isReadOnly ? null : button("save-view", "Save view…", () => {
        // The focus returns to the button of the menu, also after the dialog.
        this.#menu.hidePopover();
        this.choices.save();
      })));
    byID("choose").after(this.#menu);
    set(byID("choose"), "popovertarget", "fields");
    // Before it is shown: its first control gets the focus.
    this.#menu.addEventListener("beforetoggle", () => {
      this.#draw();
      this.#menu.style.top = `${byID("choose").getBoundingClientRect().bottom + 4}px`;
    });
    this.#list.addEventListener("pointerdown", (event) => this.#press(event, this.#list));
    const headers = byID("columns");
    new MutationObserver(() => this.show()).observe(headers, { childList: true });
    headers.addEventListener("pointerdown", (event) => this.#press(event, headers));
    headers.addEventListener("dblclick", ({ target }) => {
      if (target.className === "edge") this.#setWidth([...headers.querySelectorAll(".edge")].indexOf(target), null);
    });
  }

  /** The columns of the view: the list gets those of the last choice only when the server answers. */
  get #columns() {
    const { list: { columns }, view } = this.page;
    return [columns, this.#chosen].find((one) => fieldsOf(one) === view.fields) ?? columns;
  }

  /** Follows the list: the button says how many fields are not shown, and the menu which, if it is open. */
  show() {
    const { length } = this.#others;
    const button = byID("choose");
    button.replaceChildren("Columns", ...(length > 0 ? [make("span", { class: "quiet" }, ` +${length}`)] : []));
    set(button, "aria-label", length > 0 ? `Columns, ${length} more` : null);
    if (this.#menu.matches(":popover-open")) this.#draw();
  }

  /** The fields that are not shown. */
  get #others() {
    const known = new Set(this.#columns.map(({ keys }) => keys.join("/")));
    return ["@id", ...this.choices.paths].map((field) => ({ field, key: keysOf(field).join("/") })).filter(({ key }) => !known.has(key));
  }

  #draw() {
    const shown = this.#columns.map(({ field, keys, width, isSet }) => ({ field, key: keys.join("/"), width, isSet }));
    const others = this.#others;
    const text = JSON.stringify([shown, others]);
    if (text === this.#drawn) return;
    this.#drawn = text;
    // A control that cannot have the focus any more leaves it to that of the other direction, or to the check box.
    const [kind, focused] = document.activeElement.key ?? [];
    const kinds = [kind, kind === "up" ? "down" : "up", "show"];
    this.#list.replaceChildren(...[...shown, ...others].map((one, index) => this.#row(one, index)));
    const controls = [...this.#list.querySelectorAll(":enabled")].filter((one) => one.key[1] === focused);
    kinds.map((name) => controls.find((one) => one.key[0] === name)).find(Boolean)?.focus();
  }

  /** Makes the row of a field, which has a width if it is shown. */
  #row({ field, key, width, isSet }, index) {
    const name = nameOfField(field);
    const { length } = this.#columns;
    const isShown = width !== undefined;
    const control = (kind, tag, attributes, text) => Object.assign(make(tag, attributes, text), { key: [kind, key] });
    const step = (kind, arrow, to) => control(kind, "button", {
      type: "button", "aria-label": `Move ${name} ${kind}`, disabled: to < 0 || to === length, onclick: () => this.#move(index, to),
    }, arrow);
    const check = control("show", "input", {
      type: "checkbox", checked: isShown, disabled: isShown ? length === 1 : length >= maxColumns,
      onchange: () => this.#choose((columns) => (isShown ? columns.splice(index, 1) : columns.push({ field, keys: keysOf(field), width: 10 }))),
    });
    return make("li", {}, make("span", { class: "grip", "aria-hidden": "true" }, isShown ? "⠿" : ""),
      make("label", {}, check, make("span", { dir: "auto" }, name)), ...(isShown ? [
        control("width", "input", {
          type: "number", min: 1, max: maxWidth, value: width, class: isSet ? "" : "quiet", "aria-label": `Width of ${name}`,
          title: "Characters; empty for automatic", onchange: ({ target }) => this.#setWidth(index, target.valueAsNumber || null),
        }), step("up", "↑", index - 1), step("down", "↓", index + 1)] : []));
  }

  #move(from, to) { this.#choose((columns) => columns.splice(to, 0, ...columns.splice(from, 1))); }

  #choose(change) {
    this.#chosen = [...this.#columns];
    change(this.#chosen);
    this.#show({ fields: fieldsOf(this.#chosen) }, this.#chosen.map(({ field }) => nameOfField(field)).join(", "));
  }

  #setWidth(index, width) {
    const own = widthsOf(this.page.view);
    const widths = new Map(own ? Object.entries(own) : this.#columns.filter((one) => one.isSet).map((one) => [one.field, one.width]));
    const { field } = this.#columns[index];
    if (width === null) widths.delete(field);
    else widths.set(field, Math.max(1, Math.min(Math.round(width), maxWidth)));
    // No widths at all replace those of a named view.
    const isGiven = widths.size > 0 || this.page.controls.inherited("widths");
    this.#show({ widths: isGiven ? JSON.stringify(Object.fromEntries(widths)) : undefined });
  }

  #show(parts, word) {
    if (word) byID("live").textContent = `Columns: ${word}.`;
    this.page.show({ ...this.page.view, ...parts });
    this.show();
  }

  /** Follows a press on the menu or on the headers. By touch, these scroll; only their edges are dragged. */
  #press(event, place) {
    const isRow = place !== this.#list;
    const elements = () => [...(isRow ? place.firstElementChild : place).children].slice(0, this.#columns.length);
    const from = elements().findIndex((one) => one.contains(event.target));
    if (from < 0 || event.button !== 0) return;
    if (event.target.className === "edge") this.#widen(event, from);
    else if (isRow ? event.pointerType !== "touch" : event.target.className === "grip") {
      this.#drag(event, place, elements, from, isRow);
    }
  }

  /** Drags one of several elements to another place. A line shows where it will be. They can be drawn again meanwhile. */
  #drag(event, place, elements, from, isRow) {
    let to = from;
    const mark = (gap) => elements().forEach((one, index, { length }) => {
      one.classList.toggle("dragged", gap >= 0 && index === from);
      one.classList.toggle("before", index === gap);
      one.classList.toggle("after", gap === length && index === length - 1);
    });
    follow(event, place, ({ clientX, clientY }) => {
      const gap = elements().filter((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return isRow ? (clientX > (left + right) / 2) !== isReversed(one) : clientY > (top + bottom) / 2;
      }).length;
      to = gap > from ? gap - 1 : gap;
      mark(gap);
    }, (isDone) => {
      mark(-1);
      if (isDone && to !== from) this.#move(from, to);
    });
  }

  #widen(event, index) {
    const { list } = this.page;
    const column = this.#columns[index];
    const start = event.target.parentElement.offsetWidth;
    const way = isReversed(event.target) ? -1 : 1;
    // An edge is two characters wide.
    const character = event.target.getBoundingClientRect().width / 2;
    follow(event, byID("columns"), ({ clientX }) => {
      const width = Math.round((start + (clientX - event.clientX) * way) / character);
      Object.assign(column, { width: Math.max(3, Math.min(width, maxWidth)), isSet: true });
      list.fitColumns();
    }, (isDone) => (isDone ? this.#setWidth(index, column.width) : list.measure()));
  }
}
