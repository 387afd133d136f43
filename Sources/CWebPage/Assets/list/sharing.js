import { Connection } from "./connection.js";
import { parse } from "./text.js";

const channelName = "notes-watch";
const lockName = "notes-watch stream";

/**
 * The views of this tab. All tabs of a browser share one stream, because browsers open only six
 * connections to a server: the tab that holds a lock reads the stream, and passes the lines on. If
 * it closes, the next tab in the queue of the lock takes over. Each tab holds a lock of its own, by
 * which the leader notices that a tab is gone.
 */
export class Link {
  #tab = crypto.getRandomValues(new Uint32Array(1))[0].toString(36);
  #views = new Map();
  #connection = null;
  #channel = null;
  #others = new Map();
  #state = { name: "connecting", attempt: 0 };
  #release = [];

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
  }

  /** Holds a lock until this tab leaves. */
  #hold(name, then) {
    const abort = new AbortController();
    this.#release.push(() => abort.abort());
    navigator.locks.request(name, { signal: abort.signal }, () => {
      then();
      return new Promise((resolve) => { this.#release.push(resolve); });
    }).catch(() => {});
  }

  #leave() {
    if (this.#release.length === 0) return;
    this.#connection?.close();
    this.#connection = null;
    for (const release of this.#release) release();
    this.#release = [];
    this.#channel?.close();
    this.#channel = null;
    this.#others.clear();
  }

  #lead() {
    this.#connection = new Connection((id, data) => this.#line(id, data), (state) => this.#pass(state));
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
    this.onState(state);
    this.#post({ type: "state", state });
  }

  #post(message) { this.#channel?.postMessage(message); }

  #receive(message) {
    if (this.#connection) this.#serve(message);
    else if (message.type === "line" && message.id.startsWith(`${this.#tab}-`)) {
      this.#deliver(message.id, message.data);
    } else if (message.type === "state") this.onState(message.state);
    else if (message.type === "views?") {
      for (const [name, view] of this.#views) this.show(name, view.definition);
    }
  }

  /** Handles the message of another tab. */
  #serve({ type, tab, id, definition }) {
    if (type === "state?") this.#post({ type: "state", state: this.#state });
    else if (type === "retry") this.#connection.retry();
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
