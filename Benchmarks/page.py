#!/usr/bin/env python3
"""Measures the page in Chromium on a generated folder: `page.py PROGRAM [ITEMS]`.

Prints a table: the time from a save to the painted row, from a key to the painted rows, from the
navigation to the first list, the heap of the page, and the size of what was loaded.
"""

import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
rounds = 40
# The server prepares a search when the field gets the focus. Nobody types sooner after that.
hands = 100
# The server forgets what it prepared 15 seconds after the last search.
forgotten = 16_000
words = "alder birch cedar daisy elder fern gorse hazel iris juniper kale larch maple nettle oak pine".split()


def generate(folder, items):
    rng = random.Random(16)
    for number in range(items):
        path = folder / f"g{number // 1000:03}" / f"n{number:06}.yaml"
        if number % 1000 == 0:
            path.parent.mkdir()
        path.write_text(f"name: {rng.choice(words)} {rng.choice(words)} {number}\nrating: {rng.randrange(1000)}\n"
                        f"group: {rng.choice(words)}\ntags: [{rng.choice(words)}, {rng.choice(words)}]\n")


def save(path, text):
    new = path.with_name(f".{path.name}.new")
    new.write_text(text)
    new.replace(path)


def percentile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


# Resolves with the time of the first frame after the list shows a text.
painted = """(text) => {
 globalThis.done = new Promise((resolve) => {
  const watch = () => {
    if (!document.getElementById('rows').textContent.includes(text)) return;
    observer.disconnect();
    requestAnimationFrame(() => { const channel = new MessageChannel(); channel.port1.onmessage = () => resolve(Date.now()); channel.port2.postMessage(0); });
  };
  const observer = new MutationObserver(watch);
  observer.observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
  watch();
 });
}"""


# Counts the bytes of the bodies that are loaded: those of complete answers as they were sent, and
# those that were read of the stream. firstSize is the count at the first rows.
loaded = """() => {
  let streamed = 0;
  globalThis.loadedSize = () => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .reduce((sum, one) => sum + one.encodedBodySize, streamed);
  const read = ReadableStreamDefaultReader.prototype.read;
  ReadableStreamDefaultReader.prototype.read = async function () {
    const piece = await read.call(this);
    streamed += piece.value?.length ?? 0;
    return piece;
  };
  new MutationObserver((_, observer) => {
    if (!document.querySelector('#rows .row[data-id]')) return;
    observer.disconnect();
    globalThis.firstSize = loadedSize();
  }).observe(document, { childList: true, subtree: true });
}"""


def measure_saves(page, folder):
    times = []
    for number in range(rounds):
        path = folder / "g000" / f"n{number % 10:06}.yaml"
        name = f"saved-{number}-{time.time_ns()}"
        page.evaluate(painted, name)
        begin = time.time() * 1000
        save(path, f"name: {name}\nrating: {number}\ngroup: oak\ntags: [a]\n")
        times.append(page.evaluate("done") - begin)
    return times


def listen_to_keys(page):
    """Measures the time from the event of a key to the frame with its rows, in the page."""
    page.evaluate("""() => {
      globalThis.keyTimes = [];
      let begin = 0;
      document.getElementById('search').addEventListener('input', () => { begin = performance.now(); }, true);
      const apply = page.list.apply.bind(page.list);
      page.list.apply = (line, isNew, moves) => {
        apply(line, isNew, moves);
        if (!isNew || begin === 0) return;
        const from = begin;
        begin = 0;
        requestAnimationFrame(() => { const channel = new MessageChannel(); channel.port1.onmessage = () => keyTimes.push(performance.now() - from); channel.port2.postMessage(0); });
      };
    }""")


def press(page, key):
    """Presses a key, and returns the time until its rows are painted."""
    count = page.evaluate("keyTimes.length")
    page.keyboard.press("Space" if key == " " else key)
    page.wait_for_function("count => keyTimes.length > count", arg=count)
    return page.evaluate("keyTimes.at(-1)")


def focus_search(page):
    page.evaluate("document.activeElement.blur()")
    page.focus("#search")
    page.wait_for_timeout(hands)


def measure_keys(page):
    focus_search(page)
    return [press(page, key) for word in ["maple", "oak pi", "juni", "larch 4"] for key in list(word) + ["Backspace"] * len(word)]


def measure_first_keys(page):
    """The first keys of searches that nothing is prepared for."""
    times = []
    for _ in range(3):
        page.wait_for_timeout(forgotten)
        focus_search(page)
        times.append(press(page, "m"))
        press(page, "Backspace")
    return times


def heap(page):
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    return session.send("Runtime.getHeapUsage")["usedSize"] / 1e6


def main(program, items):
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        folder = pathlib.Path(place) / "items"
        folder.mkdir()
        generate(folder, items)
        environment = {**os.environ, "XDG_RUNTIME_DIR": place, "XDG_STATE_HOME": place, "XDG_CACHE_HOME": place}
        server = subprocess.Popen([program, "serve", str(folder), "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True, env=environment)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        try:
            origin = re.match(r"http://[^/]+", server.stdout.readline()).group()
            url = subprocess.run([program, "serve", "--url", "--listen", origin.removeprefix("http://")],
                                 capture_output=True, text=True, env=environment, check=True).stdout.strip()
            page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
            page.add_init_script(f"({loaded})()")
            page.goto(url)
            page.wait_for_function("() => globalThis.firstSize > 0")
            size = page.evaluate("firstSize") / 1000
            page.wait_for_function("() => document.getElementById('sort').options.length > 3")
            size_of_all = page.evaluate("loadedSize()") / 1000
            page.add_init_script("""new MutationObserver((_, observer) => {
              if (!document.querySelector('#rows .row')) return;
              observer.disconnect();
              requestAnimationFrame(() => { const channel = new MessageChannel(); channel.port1.onmessage = () => { globalThis.firstList = performance.now(); }; channel.port2.postMessage(0); });
            }).observe(document, { childList: true, subtree: true })""")
            first = []
            for _ in range(10):
                page.goto(f"{origin}/")
                page.wait_for_function("() => globalThis.firstList > 0")
                first.append(page.evaluate("firstList"))
            saves = measure_saves(page, folder)
            listen_to_keys(page)
            first_keys = measure_first_keys(page)
            keys = measure_keys(page)
            page.evaluate("document.getElementById('scroller').scrollTop = 1e6")
            page.wait_for_function("() => page.list.line.first > 1000")
            used = heap(page)
        finally:
            browser.close()
            server.terminate()
            server.wait()
    print(f"| {items:,} items | p50 | p95 | bar |\n| --- | --- | --- | --- |")
    for name, values, bar in [("save → painted row", saves, 100), ("key → painted rows", keys, 50), ("first key → painted rows", first_keys, 50), ("navigation → first list", first, 200)]:
        print(f"| {name} | {statistics.median(values):.0f} ms | {percentile(values, 0.95):.0f} ms | {bar} ms |")
    print(f"| JavaScript heap | {used:.1f} MB | | 30 MB |\n| loaded until the first list | {size:.1f} KB | | 60 KB |")
    print(f"| loaded in all | {size_of_all:.1f} KB | | 60 KB |")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100_000)
