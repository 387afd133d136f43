#!/usr/bin/env python3
"""Measures a daemon with many clients: clients.py PROGRAM [CLIENTS] [ITEMS] [EDITS].

Each client has its own search. One edit then changes an item that all of them show, and the time until the first and
the last client has its update is measured. At the end, the lists of some clients are compared with `list`.
"""

import json
import os
import random
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

program = os.path.abspath(sys.argv[1])
clients, items, edits = (int(sys.argv[n]) if len(sys.argv) > n else d for n, d in ((2, 1000), (3, 10000), (4, 30)))
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
top = tempfile.mkdtemp(prefix="notes-watch-clients-", dir="/var/tmp")
data = f"{top}/data"
words = [f"w{n:05}" for n in range(clients)]
rng = random.Random(14)


def write(name, tags):
    """Saves an item as an editor does: a new file replaces the old one."""
    with open(f"{top}/new", "w") as file:
        file.write(f"title: Item {name}\nrating: {rng.randrange(100)}\ntags: [{', '.join(tags)}]\n")
    os.rename(f"{top}/new", f"{data}/{name}.yaml")


class Client:
    """A connection, and the list that its stream describes."""

    def __init__(self, number):
        self.search = words[number]
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(f"{top}/notes-watch/daemon.sock")
        # The body of an answer of HTTP/1.0 ends with the connection, without chunks.
        target = f"/data/stream?fields=title&search={self.search}"
        self.socket.sendall(f"GET {target} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
        self.socket.setblocking(False)
        self.rest = b""
        self.ids = None
        self.seq = 0

    def read(self):
        """Applies the lines that have arrived."""
        chunk = self.socket.recv(1 << 16)
        if not chunk:
            sys.exit(f"the stream of {self.search} has ended: {self.rest[-200:]}")
        *lines, self.rest = (self.rest + chunk).split(b"\n")
        for line in lines:
            if line.startswith(b"HTTP/") and b" 200 " not in line:
                sys.exit(f"{self.search}: {line}")
            if line.startswith(b"data: "):
                self.apply(json.loads(line[6:]))

    def apply(self, line):
        if line["type"] == "error":
            sys.exit(f"{self.search}: {line}")
        if line["type"] == "snapshot":
            self.ids = (self.ids or []) + [item["id"] for section in line["sections"] for item in section["items"]]
        if line["type"] == "update":
            if line["seq"] != self.seq + 1:
                sys.exit(f"{self.search}: seq {line['seq']} after {self.seq}")
            changes = line["changes"]
            for change in sorted((c for c in changes if c["op"] in ("delete", "move")), key=lambda c: -c["from"]["index"]):
                if self.ids.pop(change["from"]["index"]) != change["id"]:
                    sys.exit(f"{self.search}: another item is at {change}")
            for change in (c for c in changes if c["op"] in ("insert", "move")):
                self.ids.insert(change["to"]["index"], change["id"])
            if len(self.ids) != line["count"]:
                sys.exit(f"{self.search}: {len(self.ids)} items, not {line['count']}")
        self.seq = line.get("seq", self.seq)


def memory(kind="VmRSS"):
    with open(f"/proc/{daemon.pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(kind)) * 1024


def threads():
    return len(os.listdir(f"/proc/{daemon.pid}/task"))


def cpu():
    with open(f"/proc/{daemon.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait(done):
    """Reads until each client is done. Returns the times at which the first and the last one was."""
    open_clients = [client for client in all_clients if not done(client)]
    first = None
    while open_clients:
        for key, _ in selector.select(60) or sys.exit(f"{len(open_clients)} clients wait for nothing"):
            key.data.read()
        still = [client for client in open_clients if not done(client)]
        if first is None and len(still) < len(open_clients):
            first = time.monotonic()
        open_clients = still
    return first, time.monotonic()


os.mkdir(data)
for number in range(items):
    write(f"{number:05}", rng.sample(words, 5) if number else [])
with open(f"{top}/config.yaml", "w") as file:
    file.write(f"folders:\n  - path: {data}\n")
os.chmod(f"{top}/config.yaml", 0o600)
environment = {**os.environ, "XDG_RUNTIME_DIR": top, "XDG_STATE_HOME": top, "XDG_CACHE_HOME": top}
environment.pop("NOTES_WATCH_SOCKET", None)
log = open(f"{top}/log", "w")
daemon = subprocess.Popen(
    [program, "daemon", "--config", f"{top}/config.yaml"], stderr=log, stdout=log, env=environment)
try:
    while subprocess.run([program, "list", data, "--connect", "--limit", "1"], env=environment, capture_output=True).returncode:
        if daemon.poll() is not None:
            sys.exit(open(f"{top}/log").read())
        time.sleep(0.05)
    before, selector = memory(), selectors.DefaultSelector()
    start = time.monotonic()
    all_clients = []
    for number in range(clients):
        all_clients.append(Client(number))
        selector.register(all_clients[-1].socket, selectors.EVENT_READ, all_clients[-1])
    _, end = wait(lambda client: client.seq > 0)
    after = memory()
    print(f"{clients} clients, {items} items: all lists after {end - start:.2f} s, {threads()} threads")
    print(f"memory: {before / 1e6:.1f} MB before, {after / 1e6:.1f} MB after: {(after - before) / clients / 1e3:.1f} kB per client")
    firsts, lasts, used = [], [], cpu()
    for number in range(edits):
        seqs = {id(client): client.seq for client in all_clients}
        write("00000", words if number % 2 == 0 else [])
        start = time.monotonic()
        first, last = wait(lambda client: client.seq > seqs[id(client)])
        firsts.append(first - start)
        lasts.append(last - start)
    print(
        f"one edit, all clients: first after {statistics.median(firsts) * 1e3:.0f} ms, last after "
        f"{statistics.median(lasts) * 1e3:.0f} ms (max {max(lasts) * 1e3:.0f} ms), {(cpu() - used) / edits * 1e3:.0f} ms of CPU")
    used, start = cpu(), time.monotonic()
    for number in range(1000):
        write(f"{1 + number % (items - 1):05}", rng.sample(words, 5))
    write("00000", words)
    wait(lambda client: "00000" in client.ids)
    print(f"1,000 edits more: {time.monotonic() - start:.2f} s, {cpu() - used:.2f} s of CPU, {memory() / 1e6:.1f} MB, peak {memory('VmHWM') / 1e6:.1f} MB")
    for client in rng.sample(all_clients, min(20, clients)):
        command = [program, "list", data, "--search", client.search, "-o", "id", "--no-cache"]
        expected = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()
        if client.ids != expected:
            sys.exit(f"{client.search}: {client.ids} is not {expected}")
    print("the lists of 20 clients equal `list`")
finally:
    daemon.send_signal(signal.SIGTERM)
    daemon.wait()
    shutil.rmtree(top)
