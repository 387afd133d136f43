/** Server-sent events by `fetch`. Unlike `EventSource` it shows the status and the heartbeats. */

/** Reads the format of server-sent events, in pieces of any length. */
export class EventParser {
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
 * Reads a stream until it ends.
 * @param {string} url its address.
 * @param {object} options `headers`, `signal`, `onOpen()`, `onBytes()` and `onEvent(event, data, id)`.
 * @returns {Promise<Response>} the answer: not `ok` if there was no stream.
 */
export async function readEvents(url, { headers, signal, onOpen, onBytes, onEvent }) {
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
