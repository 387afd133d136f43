#!/usr/bin/env python3
"""Measures `serve` with many streams, and with one large list: serve.py PROGRAM [STREAMS] [ITEMS] [LARGE].

STREAMS clients with different views of ITEMS items, and then as many with one view, wait for the same edits. One more client reads
nothing. Then one client has a window on LARGE items: it waits for saves, and types into the search field.
"""

import json
import os
import random
import re
import resource
import selectors
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

program = os.path.abspath(sys.argv[1])
streams, items, large = (int(sys.argv[n]) if len(sys.argv) > n else d for n, d in ((2, 1000), (3, 10000), (4, 100000)))
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
top = tempfile.mkdtemp(prefix="notes-watch-serve-", dir="/var/tmp")
words = [f"w{n:05}" for n in range(streams)]
rng = random.Random(16)
rows = []


def row(what, measured, bar="", isMet=None):
    rows.append((what, measured, bar, "" if isMet is None else "yes" if isMet else "NO"))
    print(f"{what}: {measured}" + (f" (bar {bar})" if bar else ""), flush=True)


class Server:
    """A program that serves a folder of its own."""

    def __init__(self, name, count):
        self.data, self.count = f"{top}/{name}", count
        os.mkdir(self.data)
        os.mkdir(f"{top}/run-{name}", 0o700)
        for number in range(count):
            self.write(number, rng.sample(words, 5))
        environment = {**os.environ, "XDG_RUNTIME_DIR": f"{top}/run-{name}", "XDG_CACHE_HOME": top, "XDG_STATE_HOME": top}
        hasTokens = "--token-file" in subprocess.run([program, "serve", "--help"], capture_output=True, text=True).stdout
        options = ["--token-file", f"{top}/token"] if hasTokens else []
        self.process = subprocess.Popen(
            [program, "serve", self.data, "--listen", "127.0.0.1:0", *options], stdout=subprocess.PIPE, env=environment, text=True)
        self.port = int(re.search(r":(\d+)", self.process.stdout.readline().split("//")[1]).group(1))
        self.token = open(f"{top}/token").read().strip() if hasTokens else ""

    def write(self, number, tags, rating=None):
        """Saves an item as an editor does: a new file replaces the old one."""
        rating = rng.randrange(100) if rating is None else rating
        with open(f"{top}/new", "w") as file:
            file.write(f"title: Item {number:06} {rng.choice(words)}\nrating: {rating}\ngroup: g{number % 20}\ntags: [{', '.join(tags)}]\n")
        os.rename(f"{top}/new", f"{self.data}/{number:06}.yaml")

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) * 1024

    def switches(self):
        """The number of times that each thread of the server began to run."""
        counts = {}
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            with open(f"/proc/{self.process.pid}/task/{task}/status") as file:
                counts[task] = sum(int(line.split()[1]) for line in file if line.startswith("voluntary"))
        return counts

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)

    def head(self, method, target, length=None):
        lines = [f"{method} {target} HTTP/1.1", f"Host: 127.0.0.1:{self.port}"]
        if self.token:
            lines.append(f"Authorization: Bearer {self.token}")
        if length is not None:
            lines += ["Content-Type: application/json", f"Content-Length: {length}"]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()


class Stream:
    """A stream of server-sent events."""

    def __init__(self, server, target, receiveBuffer=None):
        self.socket = socket.socket()
        if receiveBuffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receiveBuffer)
        self.socket.connect(("127.0.0.1", server.port))
        self.socket.sendall(server.head("GET", target))
        self.socket.setblocking(False)
        self.raw, self.text, self.hasHead = b"", b"", False
        self.seq, self.size, self.answer, self.stream = 0, 0, None, None

    def read(self):
        """Applies what has arrived."""
        chunk = self.socket.recv(1 << 18)
        if not chunk:
            sys.exit(f"a stream has ended: {self.text[-200:]}")
        self.size += len(chunk)
        self.raw += chunk
        if not self.hasHead:
            if b"\r\n\r\n" not in self.raw:
                return
            head, self.raw = self.raw.split(b"\r\n\r\n", 1)
            if b" 200 " not in head.split(b"\r\n")[0]:
                sys.exit(f"no stream: {head.decode()}")
            self.hasHead = True
        while b"\r\n" in self.raw:
            size, rest = self.raw.split(b"\r\n", 1)
            count = int(size, 16)
            if len(rest) < count + 2:
                break
            self.text += rest[:count]
            self.raw = rest[count + 2:]
        *events, self.text = self.text.split(b"\n\n")
        for event in events:
            self.apply(event)

    def apply(self, event):
        for line in event.split(b"\n"):
            if not line.startswith(b"data: "):
                continue
            if b'"type":"update"' in line[:40] or b'"type":"snapshot"' in line[:40] and b'"seq":' in line[:80]:
                self.seq = int(re.search(rb'"seq":(\d+)', line).group(1))
            elif b'"type":"window"' in line[:40]:
                self.seq = int(re.search(rb'"seq":(\d+)', line).group(1))
                answer = re.search(rb'"answer":(\d+)}?', line[-60:])
                self.answer = int(answer.group(1)) if answer else self.answer
            elif b'"type":"stream"' in line[:40]:
                self.stream = json.loads(line[6:])["stream"]
            elif b'"type":"error"' in line[:40]:
                sys.exit(f"error: {line.decode()}")


def wait(selector, open_streams, done):
    """Reads until each stream is done. Returns the times at which they were."""
    left, times = {id(s): s for s in open_streams if not done(s)}, []
    while left:
        for key, _ in selector.select(120) or sys.exit(f"{len(left)} streams wait for nothing"):
            key.data.read()
            if id(key.data) in left and done(key.data):
                del left[id(key.data)]
                times.append(time.monotonic())
    return times


def open_all(server, targets):
    selector, opened = selectors.DefaultSelector(), []
    for target in targets:
        opened.append(Stream(server, target))
        selector.register(opened[-1].socket, selectors.EVENT_READ, opened[-1])
    wait(selector, opened, lambda s: s.seq > 0)
    return selector, opened


def many(server, what, targets, edits, bar):
    before, start = server.memory(), time.monotonic()
    selector, opened = open_all(server, targets)
    row(f"{what}: all lists", f"{time.monotonic() - start:.2f} s")
    stalled = Stream(server, targets[0], receiveBuffer=4096)
    each = (server.memory() - before) / len(targets)
    row(f"{what}: memory per stream, server", f"{each / 1e3:.0f} kB, {server.memory() / 1e6:.0f} MB", "200 kB", each <= 200e3)
    firsts, medians, lasts = [], [], []
    for number in range(edits):
        seqs = {id(s): s.seq for s in opened}
        start = time.monotonic()
        server.write(0, words if number % 2 == 0 else [], rating=200 + number)
        times = sorted(t - start for t in wait(selector, opened, lambda s: s.seq > seqs[id(s)]))
        firsts.append(times[0]), medians.append(times[len(times) // 2]), lasts.append(times[-1])
    text = ", ".join(f"{statistics.median(t) * 1e3:.0f}" for t in (firsts, medians, lasts))
    row(f"{what}: edit to first, median, last stream", f"{text} ms; worst last {max(lasts) * 1e3:.0f} ms", *((bar, statistics.median(lasts) <= 0.25) if bar else ()))
    for stream in opened + [stalled]:
        selector.unregister(stream.socket) if stream is not stalled else None
        stream.socket.close()
    time.sleep(4)
    row(f"{what}: memory after they left", f"{server.memory() / 1e6:.0f} MB")


def percentiles(times):
    times = sorted(times)
    return times[len(times) // 2], times[min(len(times) - 1, int(len(times) * 0.95))]


class Window:
    """One client with a window, and a connection for its requests."""

    def __init__(self, server):
        self.server, self.number = server, 0
        start = time.monotonic()
        page = self.request("GET", "/")
        view = {"sort": "-rating", "section": "group", "window": {"first": 0, "count": 60}}
        self.stream = Stream(server, "/stream?views=" + urllib.parse.quote(json.dumps({"a": view})))
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.stream.socket, selectors.EVENT_READ, self.stream)
        wait(self.selector, [self.stream], lambda s: s.seq > 0)
        row("large list: GET / and the first window", f"{(time.monotonic() - start) * 1e3:.0f} ms, {page} bytes", "200 ms", time.monotonic() - start <= 0.2)

    def request(self, method, target, body=None):
        if not hasattr(self, "socket"):
            self.socket = socket.create_connection(("127.0.0.1", self.server.port))
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(self.server.head(method, target, None if body is None else len(body)) + (body or b""))
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self.socket.recv(1 << 16)
        head, rest = answer.split(b"\r\n\r\n", 1)
        length = re.search(rb"content-length: *(\d+)", head, re.I)
        length = int(length.group(1)) if length else 0
        while len(rest) < length:
            rest += self.socket.recv(1 << 16)
        return length

    def change(self, view):
        """Asks for a view. Returns the time until its line was read."""
        self.number += 1
        body = json.dumps({"stream": self.stream.stream, "views": {"a": {**view, "request": self.number}}}).encode()
        start = time.monotonic()
        self.request("POST", "/stream/views", body)
        wait(self.selector, [self.stream], lambda s: s.answer == self.number)
        return time.monotonic() - start

    def saves(self, count):
        times = []
        for number in range(count):
            seq = self.stream.seq
            start = time.monotonic()
            self.server.write(rng.randrange(self.server.count), rng.sample(words, 5), rating=number % 100)
            wait(self.selector, [self.stream], lambda s: s.seq > seq)
            times.append(time.monotonic() - start)
            time.sleep(0.02)
        return times


def one_window(server):
    window = Window(server)
    p50, p95 = percentiles(window.saves(100))
    row("large list: save to window line, p50 and p95", f"{p50 * 1e3:.1f}, {p95 * 1e3:.1f} ms", "5 ms (p50)", p50 <= 0.005)
    base = {"sort": "-rating", "section": "group", "window": {"first": 0, "count": 60}}
    window.change({**base, "search": ""})
    keys = []
    for word in rng.sample(words, 5) * 5:
        for end in list(range(1, len(word) + 1)) + list(range(len(word) - 1, -1, -1)):
            keys.append(window.change({**base, "search": word[:end]}))
    p50, p95 = percentiles(keys)
    row("large list: key to window line, p50 and p95", f"{p50 * 1e3:.1f}, {p95 * 1e3:.1f} ms, first {keys[0] * 1e3:.0f} ms", "16 ms (p95)", p95 <= 0.016)
    scrolls = [window.change({**base, "window": {"first": rng.randrange(server.count), "count": 60}}) for _ in range(200)]
    p50, p95 = percentiles(scrolls)
    row("large list: scroll to window line, p50 and p95", f"{p50 * 1e3:.1f}, {p95 * 1e3:.1f} ms")
    sorts = [window.change({**base, "sort": sort}) for sort in ("title", "-rating", "rating", "-title")]
    row("large list: another order, each", ", ".join(f"{t * 1e3:.0f}" for t in sorts) + " ms")


def idle(server, seconds=35):
    selector, opened = open_all(server, ["/stream?sort=-rating"] * 100)
    time.sleep(10)
    before = server.switches()
    time.sleep(seconds)
    count = sum(max(0, number - before.get(task, 0)) for task, number in server.switches().items())
    row(f"idle with 100 streams, wake-ups of threads in {seconds} s", f"{count}")
    for stream in opened:
        stream.socket.close()


servers = []
try:
    small = Server("small", items)
    servers.append(small)
    many(small, f"{streams} views", ["/stream?fields=title&search=" + word for word in words], 21, None)
    many(small, f"{streams} streams of one view", ["/stream?sort=-rating&limit=100"] * streams, 21, "250 ms")
    many(small, f"{streams} streams of one complete list", ["/stream?sort=-rating"] * streams, 21, "250 ms")
    idle(small)
    small.stop()
    big = Server("large", large)
    servers.append(big)
    one_window(big)
    row("large list: memory", f"{big.memory() / 1e6:.0f} MB")
finally:
    for server in servers:
        if server.process.poll() is None:
            server.stop()
    shutil.rmtree(top, ignore_errors=True)

print("\n| what | measured | bar | met |\n| --- | --- | --- | --- |")
for line in rows:
    print("| " + " | ".join(line) + " |")
