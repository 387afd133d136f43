import { layOut, template, valueOf } from "./columns.js";
import { headerParts, isHeader, keyOf, makeColumns, makeRow, problemRows, updateRow } from "./rows.js";
import { byID, make, set } from "./text.js";

// Browsers limit the height of an element. Longer lists are mapped onto this height.
const maxHeight = 8_000_000;
const maxSpan = 120;
const overscan = 6;

/**
 * The list on the screen. Only the visible lines are in the page. A line is a header, a problem or an
 * item; all have one height. `top` is the distance of the view from the first line. The problems are
 * above the lines of the server.
 */
export class List {
  #scroller = byID("scroller");
  #body = byID("rows");
  #sticky = byID("sticky");
  #shown = new Map();
  #byLine = new Map();
  #headers = new Map();
  #shift = 0;
  #wanted = null;
  #wantedFocus = null;
  #isEntering = false;
  #sought = null;
  #problems = [];
  // The columns of the server that these are of.
  #given = "";
  #ghost = null;

  line = null;
  /** The columns that are shown. */
  columns = [];
  top = 0;
  /** The key of the row that the pane shows; null for none. */
  opened = null;
  /** True while someone types: the columns stay if they fit. */
  keepsColumns = false;
  /** How rows move. Until it is loaded, they are at their new places at once. */
  motion = null;

  /** @param {object} handlers `onWindow(window)`, `onOpen(row)`, `onSort(field)`, `sorted()` and `areChosen()`. */
  constructor(handlers) {
    this.handlers = handlers;
    this.measure();
    this.#scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    // In a list that is too long for the browser, the scroll bar is put right after scrolling.
    this.#scroller.addEventListener("scrollend", () => {
      if (this.#shift !== 0) this.#scrollTo(this.top);
      this.#render();
    });
    new ResizeObserver(() => this.measure()).observe(this.#scroller);
    this.#body.addEventListener("focusin", ({ target }) => {
      this.focus = keyOf(target.closest("[role=row]").row);
      this.#rove();
    });
    this.#body.addEventListener("focusout", () => queueMicrotask(() => this.#dropGhost()));
    this.#body.addEventListener("click", ({ target }) => {
      const row = target.closest(".row");
      if (row && !(this.#ghost?.isGone && row === this.#ghost.element)) handlers.onOpen(row.row);
    });
  }

  /** Measures the view and the height of a line, and draws again. */
  measure() {
    this.#followScroll();
    const probe = make("div", { class: "row" });
    this.#body.append(probe);
    this.lineHeight = probe.offsetHeight || 36;
    probe.remove();
    const end = this.top + this.viewHeight;
    this.viewHeight = Math.max(this.#scroller.clientHeight - byID("columns").offsetHeight, 0);
    if (!this.line) return;
    this.#layOutColumns();
    // The opened item stays in view.
    const y = this.#y(this.#byLine.get(this.opened));
    this.#scrollTo(y >= this.top && y < end ? Math.max(this.top, y + this.lineHeight - this.viewHeight) : this.top);
    this.#render();
    this.#ask();
  }

  get lines() { return this.#problems.length + (this.line?.lines ?? 0); }
  get page() { return Math.max(1, Math.floor(this.viewHeight / this.lineHeight) - 1); }
  get #span() { return Math.min(this.page + 3, maxSpan); }
  get #focused() { return document.activeElement?.closest("#rows [role=row]") ?? null; }

  /** The lines with which a view begins. The first list has only those in view. */
  get firstWindow() { return { first: 0, count: this.line ? this.#span + (this.#span >> 1) : this.#span }; }

  /** The lines around the item of a link; those of the start if the list does not have it. */
  windowAround(id) {
    this.#sought = `i:${id}`;
    this.opened = this.#sought;
    return { anchor: id, offset: (this.page >> 1) + 1, count: this.#span };
  }

  /** The focused item; undefined if the focus is not in the list. */
  get focusedRow() { return this.#ghost?.isGone ? undefined : this.#focused?.row; }

  /** True if the row that would get the focus is among those that are here. */
  get hasFocusedRow() { return this.focus === undefined || this.#byLine.has(this.focus); }

  /** The number of the line that has the focus, or would get it. */
  get focusedLine() {
    const y = this.#shown.get(this.focus)?.y ?? this.top;
    return this.#byLine.get(this.focus) ?? Math.ceil(y / this.lineHeight);
  }

  /**
   * Shows a line of the stream.
   * @param {object} line a complete `window` line.
   * @param {boolean} isNew true if the view is another one: the list begins at its top, or with the
   *   item of a link in the middle.
   * @param {boolean} moves true if rows slide to their places.
   */
  apply(line, isNew, moves) {
    this.#followScroll();
    const before = (moves && this.motion?.places(this.#shown, line)) || null;
    const oldTop = this.top;
    const focused = this.#focused;
    const anchor = isNew ? null : this.#anchor();
    this.line = line;
    this.#problems = problemRows(line);
    const above = this.#problems.length;
    const wasHere = focused && this.#byLine.has(keyOf(focused.row));
    this.#byLine = new Map([...this.#problems.map((row, index) => [keyOf(row), index]),
      ...line.rows.map((row, index) => [keyOf(row), above + line.first + index])]);
    this.#headers = new Map([line.section, ...line.rows].filter((row) => row && isHeader(row))
      .map((header) => [header.section, header]));
    this.#keepFocus(focused, wasHere && (isNew || line.changes !== undefined), isNew ? oldTop : 0);
    const isOther = this.#identity !== this.#given;
    if ((isNew && !this.keepsColumns) || isOther || !this.#fits(line.rows)) this.#layOutColumns();
    set(byID("list"), "aria-rowcount", this.lines + 1);
    const now = anchor && this.#byLine.get(anchor.key);
    this.#scrollTo(isNew ? this.#start() : typeof now === "number" ? this.#y(now) - anchor.y : this.top);
    for (const [key, y] of before ?? []) before.set(key, y + this.top - oldTop);
    // What is found in them is at their start.
    if (isNew && line.rows.some((row) => row.snippet)) this.#scroller.scrollLeft = 0;
    this.#render(before);
    if (line.changes && !isNew) this.#highlight();
    this.#wanted = null;
    if (this.motion || !isNew) this.#ask();
    if (this.#wantedFocus === null) return;
    if (this.#isEntering) this.enter(this.#wantedFocus);
    else this.focusLine(this.#wantedFocus);
  }

  #start() {
    const line = this.#byLine.get(this.#sought);
    this.#sought = null;
    return line === undefined ? 0 : this.#y(line) - (this.viewHeight - this.lineHeight) / 2;
  }

  /** The row that holds still: the focused one, or the first one in view unless that is the top. */
  #anchor() {
    const key = this.#focused && !this.#ghost ? keyOf(this.#focused.row) : null;
    const y = key === null ? -1 : this.#shown.get(key)?.y - this.top;
    if (y > -this.lineHeight && y < this.viewHeight && this.#byLine.has(key)) return { key, y };
    if (this.top <= 0) return null;
    for (let line = Math.ceil(this.top / this.lineHeight); this.#rowAt(line); line += 1) {
      const row = this.#rowAt(line);
      if (row.id !== undefined) return { key: keyOf(row), y: this.#y(line) - this.top };
    }
    return null;
  }

  /** A focused item that is gone, or moved out of the window, keeps its place, with a word, until the focus moves. */
  #keepFocus(focused, isMoved, top) {
    if (this.#ghost && this.#byLine.has(this.#ghost.key)) this.#revive();
    if (!focused || this.#ghost || isHeader(focused.row)) return;
    const key = keyOf(focused.row);
    const gone = focused.row.broken ?? this.line.gone?.find((one) => one.id === focused.row.id);
    if (!(gone || isMoved) || this.#byLine.has(key) || !this.#shown.has(key)) return;
    const line = Math.round((this.#shown.get(key).y - top) / this.lineHeight);
    this.#ghost = { key, element: focused, line: Math.max(0, Math.min(line, this.lines)), isGone: Boolean(gone) };
    // It has no place in the list any more.
    for (const name of ["aria-rowindex", "aria-posinset", "aria-setsize"]) set(focused, name, null);
    focused.classList.add(gone ? "gone" : "moved");
    focused.append(make("span", { role: "gridcell", class: "word" },
      !gone ? "moved" : gone.reason === "removed" ? "deleted" : "no longer in this list"));
  }

  /** The focused item is back in the window. */
  #revive() {
    const { element } = this.#ghost;
    this.#ghost = null;
    element.classList.remove("gone", "moved");
    element.shown = null;
  }

  #dropGhost() {
    const { element, key } = this.#ghost ?? {};
    if (!element || document.activeElement === element) return;
    const before = this.motion?.places(this.#shown) ?? null;
    this.#ghost = null;
    this.#shown.delete(key);
    this.#remove(element);
    this.#scrollTo(this.top);
    this.#render(before);
  }

  #remove(element, distance = 0) {
    if (this.motion) this.motion.vanish(element, distance);
    else element.remove();
  }

  #y(line) { return (line + (this.#ghost && line >= this.#ghost.line ? 1 : 0)) * this.lineHeight; }

  #rowAt(line) { return this.#problems[line] ?? this.line?.rows[line - this.#problems.length - this.line.first]; }

  /** True if some row has a value in some column. */
  #fits(rows) {
    return rows.length === 0 || rows.some((row) =>
      this.columns.some((column) => !column.isFirst && valueOf(row, column) !== undefined));
  }

  #layOutColumns() {
    const [field, descending] = this.handlers.sorted();
    const areChosen = this.handlers.areChosen();
    // On a phone the fields are in a line of their own.
    const room = this.#scroller.clientWidth / (byID("columns").offsetHeight > 0 ? 8.2 : 3) - 4;
    const columns = layOut(this.line.columns, this.line.rows, field, room, areChosen);
    this.#given = this.#identity;
    this.columns = columns;
    this.fitColumns();
    set(byID("list"), "aria-colcount", columns.length);
    byID("columns").replaceChildren(makeColumns(columns, field, descending, this.handlers.onSort));
  }

  get #identity() { return JSON.stringify([this.line.columns, this.handlers.areChosen()]); }

  /** Gives the columns their widths. The first one stays in view if it leaves room for others. */
  fitColumns() {
    const list = byID("list");
    const [text, first, all] = template(this.columns, this.handlers.areChosen());
    list.style.setProperty("--columns", text);
    list.style.setProperty("--least", `calc(${all}ch + ${this.columns.length - 1} * var(--gap) + 2rem)`);
    list.classList.toggle("holds", first * 8.2 < this.#scroller.clientWidth / 2);
  }

  /** Scrolls so that the view begins at a distance from the first line. */
  #scrollTo(top) {
    const height = (this.lines + (this.#ghost ? 1 : 0)) * this.lineHeight;
    const real = Math.min(height, maxHeight);
    this.#body.style.height = `${real}px`;
    const end = Math.max(height - this.viewHeight, 0);
    this.top = Math.max(0, Math.min(top, end));
    const scroll = height === real ? this.top : this.top / end * (real - this.viewHeight);
    if (Math.abs(this.#scroller.scrollTop - scroll) >= 1) this.#scroller.scrollTop = scroll;
    this.#shift = height === real ? 0 : this.top - this.#scroller.scrollTop;
  }

  #scrolled() {
    this.#followScroll();
    this.#render();
    this.#ask();
  }

  /**
   * Takes over where the view is. The event of a scroll comes with the next frame, which may be after a change
   * of the list. A list that is hidden, or was until now, keeps its place.
   */
  #followScroll() {
    if (!this.viewHeight || this.#scroller.clientHeight === 0) return;
    const scroll = this.#scroller.scrollTop;
    const height = this.lines * this.lineHeight;
    const isJump = Math.abs(scroll + this.#shift - this.top) > this.viewHeight * 4;
    if (height > maxHeight && isJump) {
      this.#shift = scroll / (maxHeight - this.viewHeight) * (height - this.viewHeight) - scroll;
    }
    this.top = scroll + this.#shift;
  }

  /** Puts the rows in view into the page, and removes the others. */
  #render(before = null) {
    if (!this.line) return;
    const last = Math.ceil((this.top + this.viewHeight) / this.lineHeight) + overscan;
    const needed = new Set();
    const elements = [];
    for (let line = Math.max(0, Math.floor(this.top / this.lineHeight) - overscan); line <= last; line += 1) {
      const row = this.#rowAt(line);
      if (line === this.#ghost?.line) elements.push(this.#ghost.element);
      if (!row) continue;
      needed.add(keyOf(row));
      elements.push(this.#place(row, line));
    }
    this.#removeOthers(needed, before);
    this.#arrange(elements);
    if (before) this.motion.move(before, this.#shown, this.top, this.viewHeight);
    this.#stick();
    this.#rove();
  }

  #place(row, line) {
    const key = keyOf(row);
    const y = this.#y(line);
    const element = this.#shown.get(key)?.element ?? makeRow(row);
    element.row = row;
    updateRow(element, row, {
      columns: this.columns, line, above: this.#problems.length,
      header: row.broken ? this.#problems[0] : isHeader(row) ? null : this.#headers.get(row.section),
      total: isHeader(row) ? this.line.sections : this.line.count, opened: this.opened,
    });
    this.#put(key, element, y);
    return element;
  }

  /** The focused row stays in the page even if it is out of view. */
  #removeOthers(needed, before) {
    for (const [key, { element, y }] of this.#shown) {
      if (needed.has(key)) continue;
      const line = this.#byLine.get(key);
      if (element === document.activeElement) {
        const place = key === this.#ghost?.key ? this.#ghost.line * this.lineHeight : y;
        if (line !== undefined) this.#place(this.#rowAt(line), line);
        else this.#put(key, element, place);
        continue;
      }
      this.#shown.delete(key);
      const from = before?.get(key);
      if (from === undefined) element.remove();
      else {
        element.style.translate = `0 ${from - this.#shift}px`;
        this.#remove(element, line === undefined ? 0 : this.#y(line) - from);
      }
    }
  }

  #put(key, element, y) {
    element.style.translate = `0 ${y - this.#shift}px`;
    this.#shown.set(key, { element, y });
  }

  /**
   * Rows stand in the page in their order, for screen readers. A row that is moved loses the focus,
   * so the others are moved around the focused one.
   */
  #arrange(elements) {
    if (elements.length === 0) return;
    const middle = Math.max(0, elements.indexOf(document.activeElement));
    if (!elements[middle].isConnected) this.#body.append(elements[middle]);
    for (let index = middle - 1; index >= 0; index -= 1) {
      if (elements[index].nextSibling !== elements[index + 1]) elements[index + 1].before(elements[index]);
    }
    for (let index = middle + 1; index < elements.length; index += 1) {
      if (elements[index].previousSibling !== elements[index - 1]) elements[index - 1].after(elements[index]);
    }
  }

  /** Shows the header of the section at the top of the view. */
  #stick() {
    const first = Math.floor(this.top / this.lineHeight);
    let header = this.#rowAt(first)?.broken ? this.#problems[0] : this.line.section;
    for (let line = this.#problems.length + this.line.first; line <= first && this.#rowAt(line); line += 1) {
      if (isHeader(this.#rowAt(line))) header = this.#rowAt(line);
    }
    this.#sticky.hidden = !header || this.top <= 0;
    if (this.#sticky.hidden) return;
    const next = this.#rowAt(first + 1);
    const push = next && isHeader(next) ? this.#y(first + 1) - this.top - this.lineHeight : 0;
    this.#sticky.style.translate = `0 ${Math.min(0, push)}px`;
    this.#sticky.replaceChildren(make("span", {}, ...headerParts(header)));
  }

  /** Shows which rows changed, and what, for some time. */
  #highlight() {
    this.motion?.highlight(this.line, this.#body, (row) => this.#shown.get(keyOf(row))?.element, (row, element) => {
      delete row.fields;
      element.shown = null;
      if (element.row === row) this.#render();
    });
  }

  /** Asks for further lines when the view comes near the end of those that are here. */
  #ask() {
    if (!this.line?.lines || this.viewHeight === 0) return;
    const span = this.#span;
    const first = Math.max(0, Math.floor(this.top / this.lineHeight) - this.#problems.length);
    const from = Math.max(0, first - (span >> 1));
    const to = Math.min(this.line.lines, first + span + (span >> 1));
    if (this.line.first <= from && this.line.first + this.line.rows.length >= to) return;
    if (this.#wanted !== null && this.#wanted <= from && this.#wanted + span * 3 >= to) return;
    this.#wanted = Math.max(0, first - span);
    this.handlers.onWindow(this.#window(this.#wanted, span * 3));
  }

  /** A window that follows the row that holds still, so that the rows under the eye stay. */
  #window(first, count) {
    const key = this.#anchor()?.key;
    const offset = (this.#byLine.get(key) ?? -1) - this.#problems.length - first;
    if (first === 0 || !key?.startsWith("i:") || offset < 0 || offset >= count) return { first, count };
    return { anchor: key.slice(2), offset, count };
  }

  /** Exactly one row can be reached by Tab. */
  #rove() {
    const first = this.#rowAt(Math.ceil(this.top / this.lineHeight));
    const current = this.#shown.get(this.focus) ?? this.#shown.get(first && keyOf(first));
    for (const { element } of this.#shown.values()) set(element, "tabindex", element === current?.element ? 0 : -1);
  }

  /** Moves the focus into the list: to an item, at the line that would get it or below. Without items, to a problem. */
  enter(line = this.focusedLine) {
    const isOther = (number) => this.#rowAt(number) !== undefined && this.#rowAt(number).id === undefined;
    let next = line;
    while (isOther(next)) next += 1;
    // Below the last item there can be empty sections.
    if (next >= this.lines) next = line;
    while (next > 0 && isOther(next)) next -= 1;
    if (next === 0 && this.#problems.length > 0) next = 1;
    else if (isOther(next)) return;
    this.focusLine(next);
    this.#isEntering = this.#wantedFocus !== null;
  }

  /** Moves the focus to the first problem. Returns false if there are no rows for problems. */
  enterProblems() {
    if (this.#problems.length > 0) this.focusLine(1);
    return this.#problems.length > 0;
  }

  /** Moves the focus to a line, as soon as it is there. */
  focusLine(number) {
    this.#isEntering = false;
    if (this.lines === 0) return;
    const line = Math.max(0, Math.min(number, this.lines - 1));
    const y = this.#y(line);
    // The sticky header covers the first line.
    const covered = this.line.sections > 0 || line < this.#problems.length ? this.lineHeight : 0;
    if (y - covered < this.top) this.#scrollTo(y - covered);
    else if (y + this.lineHeight > this.top + this.viewHeight) this.#scrollTo(y + this.lineHeight - this.viewHeight);
    this.#render();
    const row = this.#rowAt(line);
    this.#wantedFocus = row ? null : line;
    if (row) this.#shown.get(keyOf(row)).element.focus({ preventScroll: true });
    this.#ask();
  }

  /** Draws again. */
  refresh() { this.#render(); }
}
