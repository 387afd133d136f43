const firstDeadline = 10_000;
const pauses = [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000];
const maxAddressLength = 6_000;

/**
 * One stream with several views. It reconnects by itself, and every view continues where it was.
 *
 * States: `{name: "connecting" | "live" | "waiting" | "offline" | "signed-out" | "refused"}`, with
 * `page` (that of the server), `at` (the time of the next attempt), `message` and `command` (which
 * signs in again).
 */
export class Connection {
  #views = new Map();
  #changed = new Map();
  #stream = null;
  #lastID = "";
  #heartbeat = 15;
  #attempt = 0;
  #abort = null;
  #timer = 0;
  #watchdog = 0;
  #sending = false;
  #closed = false;

  /**
   * @param {(view: string, data: string) => void} onLine gets each line of a view.
   * @param {(state: object) => void} onState gets each new state.
   * @param {() => void} onBytes is called when something came from the server.
   */
  constructor(onLine, onState, onBytes) {
    this.onLine = onLine;
    this.onState = onState;
    this.onBytes = onBytes;
    this.retry = () => { if (this.#timer || this.#late()) this.#restart(); };
    addEventListener("online", this.retry);
    document.addEventListener("visibilitychange", this.retry);
  }

  /** Adds or changes a view; null closes it. */
  set(view, definition) {
    if (definition === null) this.#views.delete(view);
    else this.#views.set(view, definition);
    this.#changed.set(view, definition);
    if (this.#stream) this.#send();
    else if (!this.#abort && !this.#timer) this.#open();
  }

  /** Ends the stream. */
  close() {
    this.#closed = true;
    removeEventListener("online", this.retry);
    document.removeEventListener("visibilitychange", this.retry);
    clearTimeout(this.#timer);
    clearTimeout(this.#watchdog);
    this.#abort?.abort();
  }

  #restart() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (this.#abort) this.#abort.abort();
    else this.#open();
  }

  async #open() {
    if (this.#closed || this.#views.size === 0) return;
    const abort = new AbortController();
    this.#abort = abort;
    this.#stream = null;
    const given = this.#given();
    this.onState({ name: "connecting", attempt: this.#attempt });
    this.#extendDeadline(firstDeadline);
    let failure = {};
    try {
      const response = await readEvents(`stream?views=${encodeURIComponent(JSON.stringify(given))}`, {
        headers: this.#lastID ? { "Last-Event-ID": this.#lastID } : {},
        signal: abort.signal,
        onOpen: () => { this.#attempt = 0; },
        onBytes: () => {
          this.#extendDeadline(this.#heartbeat * 2_000);
          this.onBytes();
        },
        onEvent: (event, data, id) => this.#receive(event, data, id),
      });
      if (!response.ok) {
        const { command } = await response.json().catch(() => ({}));
        failure = { status: response.status, after: response.headers.get("retry-after"), command };
      }
    } catch {
      // The connection is lost, or there is none.
    }
    clearTimeout(this.#watchdog);
    this.#abort = null;
    this.#stream = null;
    this.#wait(failure);
  }

  /** The views of the first request. Further ones follow, so that the address stays short. */
  #given() {
    const given = {};
    let length = 0;
    this.#changed.clear();
    for (const [view, definition] of this.#views) {
      length += encodeURIComponent(JSON.stringify(definition)).length + view.length;
      if (length < maxAddressLength) given[view] = definition;
      else this.#changed.set(view, definition);
    }
    return given;
  }

  #receive(event, data, id) {
    if (this.#closed) return;
    if (event !== "stream") {
      if (id) this.#lastID = id;
      this.onLine(event, data);
      return;
    }
    const line = JSON.parse(data);
    this.#stream = line.stream;
    this.#heartbeat = line.heartbeat ?? this.#heartbeat;
    this.onState({ name: "live", page: line.page });
    this.#send();
  }

  /** Sends the changed views, one request at a time, so that the newest is the last one. */
  async #send() {
    if (this.#sending || this.#changed.size === 0 || !this.#stream || this.#closed) return;
    this.#sending = true;
    const views = Object.fromEntries(this.#changed);
    this.#changed.clear();
    const stream = this.#stream;
    try {
      const response = await fetch("stream/views", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ stream, views }),
        signal: AbortSignal.timeout(firstDeadline),
      });
      if (!response.ok) this.#refuse(await response.json().catch(() => ({})), response.status, views);
    } catch {
      this.#restart();
    }
    this.#sending = false;
    this.#send();
  }

  /** The stream is gone, or a view was refused. */
  #refuse(problem, status, views) {
    if (status === 401 || status === 404 || status === 410) {
      this.#restart();
      return;
    }
    for (const view of Object.keys(views)) {
      this.onLine(view, JSON.stringify({
        type: "error", code: "bad-view", message: problem.detail ?? `The server answered ${status}.`,
        parameter: problem.parameter, column: problem.column,
      }));
    }
  }

  /** Ends a stream from which nothing has come for so long. */
  #extendDeadline(time) {
    clearTimeout(this.#watchdog);
    this.deadline = Date.now() + time;
    this.#watchdog = setTimeout(() => this.#abort?.abort(), time);
  }

  #late() { return this.#abort !== null && Date.now() > this.deadline; }

  #wait({ status, after, command }) {
    if (this.#closed) return;
    const pause = pauses[Math.min(this.#attempt, pauses.length - 1)];
    this.#attempt += 1;
    let delay = pause * (0.75 + Math.random() / 2);
    const state = { name: navigator.onLine || local() ? "waiting" : "offline" };
    if (status === 401 || status === 403) {
      state.name = "signed-out";
      state.command = command ?? "notes-watch serve --url";
      delay = 15_000;
    } else if (status) {
      state.name = "refused";
      state.message = `The server answered ${status}.`;
      delay = Math.max(delay, (Number(after) || 1) * 1_000);
    }
    state.at = Date.now() + delay;
    state.attempt = this.#attempt;
    this.onState(state);
    this.#timer = setTimeout(() => { this.#timer = 0; this.#open(); }, delay);
  }
}

/** True if the server is on this machine, so that it is there without a network. */
function local() {
  return ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
}

/** Reads the format of server-sent events, in pieces of any length. */
class EventParser {
  #rest = "";
  #event = "";
  #data = [];
  #id = null;

  /** @param {(event: string, data: string, id: string|null) => void} emit is called per event. */
  constructor(emit) { this.emit = emit; }

  /** Reads a piece. */
  read(piece) {
    const text = this.#rest + piece;
    let start = 0;
    for (let end; (end = text.indexOf("\n", start)) >= 0; start = end + 1) {
      this.#line(text.slice(start, text[end - 1] === "\r" ? end - 1 : end));
    }
    this.#rest = text.slice(start);
  }

  #line(line) {
    if (line === "") {
      if (this.#data.length > 0) this.emit(this.#event || "message", this.#data.join("\n"), this.#id);
      this.#event = "";
      this.#data = [];
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (name === "event") this.#event = value;
    else if (name === "data") this.#data.push(value);
    else if (name === "id" && !value.includes("\0")) this.#id = value;
  }
}

/**
 * Reads a stream until it ends. Unlike `EventSource`, this shows the status and the heartbeats.
 * @param {string} url its address.
 * @param {object} options `headers`, `signal`, `onOpen()`, `onBytes()` and `onEvent(event, data, id)`.
 * @returns {Promise<Response>} the answer: not `ok` if there was no stream.
 */
async function readEvents(url, { headers, signal, onOpen, onBytes, onEvent }) {
  const response = await fetch(url, { headers, signal, cache: "no-store" });
  if (!response.ok || !response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
  onOpen();
  const parser = new EventParser(onEvent);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return response;
    onBytes();
    parser.read(decoder.decode(value, { stream: true }));
  }
}
