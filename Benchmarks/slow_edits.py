#!/usr/bin/env python3
"""Measures how long others wait during slow edits: slow_edits.py PROGRAM [SECONDS] [SCALE].

A folder has small items, an item of 15 MB, and one with a list of 9,900 commented elements. For each slow edit, first nothing else
runs for SECONDS, and then the edit is made again and again for as long: by `serve`, and by the program itself. Meanwhile clients
read an item, read the list and `set` another item, one after the other. All figures are of one run, so the columns can be compared.
SCALE below 1 makes the large items and the limit of a file smaller, for a debug build.
"""

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

program = os.path.abspath(sys.argv[1])
seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 10
scale = float(sys.argv[3]) if len(sys.argv) > 3 else 1
top = tempfile.mkdtemp(prefix="notes-watch-slow-", dir="/var/tmp")
data = f"{top}/data"
os.mkdir(data)
os.mkdir(f"{top}/run", 0o700)
environment = {**os.environ, "XDG_RUNTIME_DIR": f"{top}/run", "XDG_CACHE_HOME": top, "XDG_STATE_HOME": top}
keys, elements = int(150_000 * scale), int(9_900 * scale)
limit = f"--max-size={int(16 * 1024 * scale)}K"


def restore():
    """Writes the large items as they were before the edit."""
    for name, text in texts.items():
        with open(f"{top}/new", "w") as file:
            file.write(text)
        os.rename(f"{top}/new", f"{data}/{name}.yaml")


line = "k{:06}: " + "x" * 80 + "\n"
texts = {
    "large": "".join(line.format(n) for n in range(int(15_000_000 * scale) // len(line.format(0)))),
    "list": "tags:\n" + "".join(f"  - tag {n}  # note {n}\n" for n in range(elements)),
}
for number in range(50):
    with open(f"{data}/n{number}.yaml", "w") as file:
        file.write(f"title: Item {number}\nrating: {number % 10}\n")
restore()


class Server:
    def __init__(self):
        self.process = subprocess.Popen(
            [program, "serve", data, "--listen", "127.0.0.1:0", "--token-file", f"{top}/token", limit], stdout=subprocess.PIPE, env=environment,
            text=True)
        self.port = int(re.search(r":(\d+)", self.process.stdout.readline().split("//")[1]).group(1))
        self.token = open(f"{top}/token").read().strip()

    def send(self, connection, method, target, body=None, kind="application/json"):
        headers = {"Authorization": f"Bearer {self.token}"}
        if body is not None:
            headers |= {"Content-Type": kind, "If-Match": "*"}
        connection.request(method, target, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)


server = Server()


def read(target):
    connection = server.connect()
    return lambda: server.send(connection, "GET", target)[0] == 200


def patchOther():
    connection, count = server.connect(), iter(range(1 << 30))
    return lambda: server.send(
        connection, "PATCH", "/item?id=n1", json.dumps({"rating": next(count)}), "application/merge-patch+json")[0] == 200


def setOther():
    count = iter(range(1 << 30))
    return lambda: subprocess.run([program, "set", limit, data, "n2", f"rating={next(count)}"], stdout=subprocess.DEVNULL).returncode == 0


others = {
    "GET /item": lambda: read("/item?id=n0"), "GET /items": lambda: read("/items?where=rating%20%3D%203&fields=title"),
    "PATCH /item": patchOther, "set": setOther,
}


def measure(during):
    """Returns the times of each kind of request while `during` runs, and the results and times of that."""
    isOver, times = threading.Event(), {name: [] for name in others}

    def repeat(name, call):
        while not isOver.is_set():
            start = time.monotonic()
            if not call():
                print(f"{name} failed", file=sys.stderr)
            times[name].append(time.monotonic() - start)
            time.sleep(0.01)

    threads = [threading.Thread(target=repeat, args=(name, make())) for name, make in others.items()]
    for thread in threads:
        thread.start()
    end, slow = time.monotonic() + seconds, []
    while time.monotonic() < end:
        start = time.monotonic()
        result = during()
        slow.append((time.monotonic() - start, result))
    isOver.set()
    for thread in threads:
        thread.join()
    return times, slow


newKeys = {f"new{n:06}": n for n in range(keys)}
rounds = iter(range(1 << 30))


def patch(id, body):
    kind = "application/merge-patch+json"
    return lambda: server.send(server.connect(), "PATCH", f"/item?id={id}", json.dumps(body(next(rounds))), kind)[0]


def run(id, value):
    def call():
        line = json.dumps({"id": id, "value": value(next(rounds))}) + "\n"
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.run([program, "set", limit, data, "-"], input=line, text=True, **quiet).returncode
    return call


def longerList(round):
    return {"tags": [tag for n in range(elements) for tag in ([f"tag {n}"] + [f"new {n} of {round}"] * (n % 10 == 0))]}


edits = {
    "nothing": lambda: time.sleep(seconds),
    "HTTP, 150,000 new keys in 15 MB (refused)": patch("large", lambda _: newKeys),
    "HTTP, 10 new keys in 15 MB": patch("large", lambda round: {f"new{n}": n + round for n in range(10)}),
    "HTTP, a tenth more elements in a list of 9,900": patch("list", longerList),
    "set -, 150,000 new keys in 15 MB (refused)": run("large", lambda _: newKeys),
    "set -, a tenth more elements in that list": run("list", longerList),
}
try:
    print(f"{'during':<44} {'edit s':>7} {'result':>7} " + " ".join(f"{name + ' p50':>15} {'p99 ms':>7}" for name in others))
    for name, edit in edits.items():
        # What was there before. The server reads it, which is not measured.
        restore()
        time.sleep(3)
        read("/item?id=n0")()
        times, slow = measure(edit)
        cells = []
        for kind in others:
            ordered = sorted(times[kind])
            p50, p99 = (1000 * ordered[min(len(ordered) - 1, int(len(ordered) * q))] for q in (0.5, 0.99))
            cells.append(f"{p50:>15.1f} {p99:>7.1f}")
        print(f"{name:<44} {min(t for t, _ in slow):>7.2f} {str(slow[-1][1]):>7} " + " ".join(cells), flush=True)
finally:
    server.process.send_signal(signal.SIGTERM)
    server.process.wait(30)
    shutil.rmtree(top)
