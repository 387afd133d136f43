import { Connection } from "./connection.js";
import { parse } from "./text.js";

const channelName = "notes-watch";
const lockName = "notes-watch stream";
// The tab that leads announces it when something comes from the server, at most this often.
const announcePause = 5_000;
// After so long without a message of the leader, another tab takes over.
const leaderDeadline = 45_000;

/**
 * The views of this tab. All tabs of a browser share one stream, because browsers open only six
 * connections to a server: the tab that holds a lock reads the stream, and passes the lines on. If
 * it closes, the next tab in the queue of the lock takes over. If it sends nothing in time, another
 * tab steals the lock. Each tab holds a lock of its own, by which the leader notices that the tab is
 * gone.
 */
export class Link {
  #tab = "";
  #views = new Map();
  #connection = null;
  #channel = null;
  #others = new Map();
  #state = { name: "connecting", attempt: 0 };
  #release = [];
  #watchdog = 0;
  #announced = 0;

  /** @param {(state: object) => void} onState gets each new state of the connection. */
  constructor(onState) {
    this.onState = onState;
    this.shares = "locks" in navigator && "BroadcastChannel" in globalThis;
    this.#join();
    // A page in the cache of the browser, or a frozen one, must not hold the stream.
    addEventListener("pagehide", () => this.#leave());
    document.addEventListener("freeze", () => this.#leave());
    addEventListener("pageshow", (event) => { if (event.persisted) this.#join(); });
    document.addEventListener("resume", () => this.#join());
  }

  /**
   * Opens or changes a view.
   * @param {string} name a name for this tab.
   * @param {object|null} definition the view; null closes it.
   * @param {(line: object) => void} onLine gets its lines.
   */
  show(name, definition, onLine = this.#views.get(name)?.onLine) {
    const id = `${this.#tab}-${name}`;
    if (definition === null) this.#views.delete(name);
    else this.#views.set(name, { definition, onLine });
    if (this.#connection) this.#connection.set(id, definition);
    else this.#post({ type: "view", tab: this.#tab, id, definition });
  }

  /** Connects at once instead of after the pause. */
  retry() {
    if (this.#connection) this.#connection.retry();
    else this.#post({ type: "retry" });
  }

  /** True if this tab reads the stream. */
  get leads() { return this.#connection !== null; }

  #join() {
    if (this.#release.length > 0) return;
    // A new name: the leader may still be about to forget the old one.
    this.#tab = crypto.getRandomValues(new Uint32Array(1))[0].toString(36);
    if (!this.shares) {
      this.#lead();
      this.#release.push(() => {});
      return;
    }
    this.#channel = new BroadcastChannel(channelName);
    this.#channel.onmessage = ({ data }) => this.#receive(data);
    this.#hold(`notes-watch tab ${this.#tab}`, () => {
      for (const [name, view] of this.#views) this.show(name, view.definition);
      this.#post({ type: "state?" });
    });
    this.#hold(lockName, () => this.#lead());
    this.#awaitLeader();
  }

  /** Holds a lock until this tab leaves, or another one steals it: this tab then joins again. */
  #hold(name, then, steals = false) {
    const abort = new AbortController();
    this.#release.push(() => abort.abort());
    navigator.locks.request(name, steals ? { steal: true } : { signal: abort.signal }, () => {
      if (abort.signal.aborted) return undefined;
      then();
      return new Promise((resolve) => { this.#release.push(resolve); });
    }).catch(({ name: reason }) => {
      if (abort.signal.aborted || reason !== "AbortError") return;
      this.#leave();
      this.#join();
    });
  }

  /** Takes over if the tab that leads is stuck. */
  #awaitLeader() {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => {
      if (this.#channel && !this.#connection) this.#hold(lockName, () => this.#lead(), true);
    }, leaderDeadline * (1 + Math.random() / 4));
  }

  /** Tells the other tabs that this one reads the stream. */
  #announce() {
    if (Date.now() - this.#announced < announcePause) return;
    this.#announced = Date.now();
    this.#post({ type: "leads" });
  }

  #leave() {
    if (this.#release.length === 0) return;
    clearTimeout(this.#watchdog);
    this.#connection?.close();
    this.#connection = null;
    for (const release of this.#release) release();
    this.#release = [];
    this.#channel?.close();
    this.#channel = null;
    this.#others.clear();
  }

  #lead() {
    if (this.#connection) return;
    clearTimeout(this.#watchdog);
    this.#connection = new Connection(
      (id, data) => this.#line(id, data), (state) => this.#pass(state), () => this.#announce());
    for (const [name, view] of this.#views) this.#connection.set(`${this.#tab}-${name}`, view.definition);
    this.#post({ type: "views?" });
  }

  #line(id, data) {
    const dash = id.indexOf("-");
    if (id.slice(0, dash) === this.#tab) this.#deliver(id, data);
    else this.#post({ type: "line", id, data });
  }

  #deliver(id, data) { this.#views.get(id.slice(id.indexOf("-") + 1))?.onLine(parse(data)); }

  #pass(state) {
    this.#state = state;
    if (this.#enter(state)) this.#post({ type: "state", state });
  }

  /** Returns false if the server has another page now: nothing of it is shown in this one. */
  #enter(state) {
    const fits = !state.page || state.page === document.documentElement.dataset.page;
    if (!fits) this.#leave();
    this.onState(fits ? state : { name: "outdated" });
    return fits;
  }

  #post(message) { this.#channel?.postMessage(message); }

  #receive(message) {
    if (this.#connection) {
      this.#serve(message);
      return;
    }
    if (["line", "state", "leads", "views?"].includes(message.type)) this.#awaitLeader();
    if (message.type === "line" && message.id.startsWith(`${this.#tab}-`)) {
      this.#deliver(message.id, message.data);
    } else if (message.type === "state") this.#enter(message.state);
    else if (message.type === "views?") {
      for (const [name, view] of this.#views) this.show(name, view.definition);
    }
  }

  /** Handles the message of another tab. */
  #serve({ type, tab, id, definition }) {
    if (type === "state?") this.#post({ type: "state", state: this.#state });
    // A tab that was just loaded reached the server.
    if (type === "state?" || type === "retry") this.#connection.retry();
    if (type !== "view") return;
    if (!this.#others.has(tab)) {
      this.#others.set(tab, new Set());
      navigator.locks.request(`notes-watch tab ${tab}`, () => this.#forget(tab)).catch(() => {});
    }
    if (definition === null) this.#others.get(tab).delete(id);
    else this.#others.get(tab).add(id);
    this.#connection.set(id, definition);
  }

  #forget(tab) {
    for (const id of this.#others.get(tab) ?? []) this.#connection?.set(id, null);
    this.#others.delete(tab);
  }
}
