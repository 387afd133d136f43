#!/usr/bin/env python3
"""Measures `browse` on a terminal, beside fzf on the same lines: browse.py PROGRAM [ITEMS] [ROWS].

Both run in a pseudo-terminal of 120 columns and 50 rows that answers queries as a terminal does. A time ends with the
last byte of the answer: the last one before the output is quiet for a while. The two programs take turns.
Without ITEMS, 100,000 items are made below TMPDIR or /var/tmp. With a third argument, only the rows that contain it.
"""

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
import random

program = os.path.abspath(sys.argv[1])
items = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
wanted = sys.argv[3] if len(sys.argv) > 3 else ""
top = tempfile.mkdtemp(prefix="notes-watch-browse-", dir=os.environ.get("TMPDIR", "/var/tmp"))
data = f"{top}/data"
words = """alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi
psi omega""".split()
rng = random.Random(15)

ANSWERS = [
    (re.compile(rb"\x1b\[c|\x1b\[0c"), b"\x1b[?62;22c"),
    (re.compile(rb"\x1b\[>0?c"), b"\x1b[>1;10;0c"),
    (re.compile(rb"\x1b\[>0?q"), b"\x1bP>|bench 1\x1b\\"),
    (re.compile(rb"\x1b\[5n"), b"\x1b[0n"),
    (re.compile(rb"\x1b\[6n"), b"\x1b[50;1R"),
    (re.compile(rb"\x1b\[\?2026\$p"), b"\x1b[?2026;2$y"),
    (re.compile(rb"\x1b\[\?2027\$p"), b"\x1b[?2027;0$y"),
    (re.compile(rb"\x1b\[\?u"), b"\x1b[?0u"),
    (re.compile(rb"\x1b\]11;\?(?:\x07|\x1b\\)"), b"\x1b]11;rgb:0000/0000/0000\x1b\\"),
]


def text(number):
    def some(count):
        return " ".join(rng.choice(words) for _ in range(count))

    body = "".join(f"  {some(10)}\n" for _ in range(3))
    return (
        f"# note {number}\ntitle: {some(5)}\nauthor: {some(2)}\nrating: {rng.randrange(100)}\n"
        f"created: 2024-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}T10:00:00Z\ntags: [{rng.choice(words)}, "
        f"{rng.choice(words)}]\npinned: true\nbody: |\n{body}")


def path(number):
    return f"{data}/{number // 1000:04}/note-{number:07}.yaml"


def save(number, content):
    """Saves an item as an editor does: a new file replaces the old one."""
    with open(f"{top}/new", "w") as file:
        file.write(content)
    os.rename(f"{top}/new", path(number))


class Terminal:
    """A program on a pseudo-terminal."""

    def __init__(self, command, stdin=None):
        self.start = time.monotonic()
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            try:
                if stdin:
                    os.dup2(os.open(stdin, os.O_RDONLY), 0)
                os.environ.update(environment)
                os.execvp(command[0], command)
            finally:
                os._exit(127)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 120, 0, 0))
        self.tail = b""
        self.output = b""

    def read(self, timeout):
        """Reads once. Returns the number of bytes, 0 after the timeout, and answers queries."""
        if not select.select([self.master], [], [], timeout)[0]:
            return 0
        try:
            chunk = os.read(self.master, 1 << 20)
        except OSError:
            raise SystemExit(f"the program has ended: {self.output[-500:]!r}")
        self.output = (self.output + chunk)[-200_000:]
        known = len(self.tail)
        seen = self.tail + chunk
        for query, answer in ANSWERS:
            for match in query.finditer(seen):
                if match.end() > known:
                    os.write(self.master, answer)
        self.tail = seen[-16:]
        return len(chunk)

    def quiet(self, seconds=0.25):
        """Reads until nothing comes for a while. Returns the time of the last byte and the number of bytes."""
        last, total = None, 0
        while count := self.read(seconds):
            last, total = time.monotonic(), total + count
        return last, total

    def until(self, condition, limit=60):
        end = time.monotonic() + limit
        while not condition(self.output):
            if time.monotonic() > end:
                raise SystemExit(f"what was waited for did not come: {self.output[-2000:]!r}")
            self.read(1)
        return time.monotonic()

    def press(self, keys, settle=0.08):
        """Types keys. Returns the time until the last byte of the answer, and the number of bytes."""
        self.output = b""
        start = time.monotonic()
        os.write(self.master, keys)
        last, total = self.quiet(settle)
        return (last - start if last else 0), total

    def status(self, kind):
        with open(f"/proc/{self.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(kind)) * 1024

    def processor(self):
        with open(f"/proc/{self.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def switches(self):
        """The number of times that each thread of the program was woken up."""
        counts = {}
        for thread in os.listdir(f"/proc/{self.pid}/task"):
            with open(f"/proc/{self.pid}/task/{thread}/status") as file:
                counts[thread] = sum(int(line.split()[1]) for line in file if "voluntary_ctxt" in line)
        return counts

    def close(self):
        os.kill(self.pid, signal.SIGTERM)
        end = time.monotonic() + 5
        while time.monotonic() < end and os.waitpid(self.pid, os.WNOHANG)[0] == 0:
            try:
                self.read(0.05)
            except SystemExit:
                time.sleep(0.01)
        os.close(self.master)


def browse(*options):
    terminal = Terminal([program, "browse", data, *options])
    terminal.until(lambda output: f"{items:,}".encode() in output or str(items).encode() in output)
    terminal.quiet()
    return terminal


def fzf():
    terminal = Terminal(["fzf"], stdin=f"{top}/lines")
    terminal.until(lambda output: f"{items}/{items}".encode() in output)
    terminal.quiet()
    return terminal


def quantile(values, part):
    return sorted(values)[min(int(len(values) * part), len(values) - 1)]


def milliseconds(value):
    return f"{value * 1e3:.1f} ms"


def row(name, ours, theirs, bar, passes):
    print(f"| {name} | {ours} | {theirs} | {bar} | {'yes' if passes else '**no**'} |", flush=True)


def times(measured):
    seconds, sizes = [m[0] for m in measured], [m[1] for m in measured]
    return (
        statistics.median(seconds), quantile(seconds, 0.95), max(seconds), statistics.median(sizes), max(sizes),
        f"p50 {milliseconds(statistics.median(seconds))}, p95 {milliseconds(quantile(seconds, 0.95))}, max "
        f"{milliseconds(max(seconds))}; {statistics.median(sizes):,.0f} B")


def ratio(ours, theirs):
    return f"{ours / theirs:.2f} ×" if theirs else "–"


def first_frame():
    ours, lists, theirs = [], [], []
    for _ in range(5):
        terminal = Terminal([program, "browse", data])
        terminal.until(lambda output: b"\x1b[?1049h" in output and re.search(rb"\x1b\[[0-9;]*H", output))
        ours.append(time.monotonic() - terminal.start)
        terminal.until(lambda output: f"{items:,}".encode() in output or str(items).encode() in output)
        lists.append(time.monotonic() - terminal.start)
        terminal.close()
        other = Terminal(["fzf"], stdin=f"{top}/lines")
        other.until(lambda output: b"\x1b[" in output)
        theirs.append(time.monotonic() - other.start)
        other.close()
    ours, theirs = statistics.median(ours), statistics.median(theirs)
    row("start to the first frame", milliseconds(ours), f"{milliseconds(theirs)}, {ratio(ours, theirs)}", "30 ms", ours <= 0.03)
    row("start to the list", milliseconds(statistics.median(lists)), "", "", True)


# Short and long ones, many matches, few and none.
QUERIES = ["rho", "gamma kappa", "note-00123", "2024-11", "omicron", "e", "zzqx", "alpha beta gamma", "a e i o"]


def query_keys(terminal, opening):
    measured = []
    for _ in range(2):
        for query in QUERIES:
            if opening:
                terminal.press(opening)
            for key in query:
                measured.append(terminal.press(key.encode(), 0.12))
            for _ in query:
                measured.append(terminal.press(b"\x7f", 0.12))
            if opening:
                terminal.press(b"\x1b")
                terminal.quiet()
    return times(measured)


def typing():
    ours, theirs = browse(), fzf()
    a, b = query_keys(ours, b"/"), query_keys(theirs, b"")
    row("query key", a[5], f"{b[5]}; p95 {ratio(a[1], b[1])}", "p95 16 ms, max 50 ms, p50 6 KB",
        a[1] <= 0.016 and a[2] <= 0.05 and a[3] <= 6_000)
    ours.close()
    theirs.close()
    ours = browse("--sort", "-rating", "--section", "author")
    a = query_keys(ours, b"/")
    row("query key, with sections by another field", a[5], "", "p95 16 ms, max 50 ms, p50 6 KB",
        a[1] <= 0.016 and a[2] <= 0.05 and a[3] <= 6_000)
    ours.close()


def growth():
    """Memory after a search has made its texts, and after 2,000 more keys."""
    terminal = browse()
    base = terminal.status("RssAnon")
    terminal.press(b"/", 0.5)
    sizes = []
    for count in range(2_200):
        os.write(terminal.master, b"\x7f" if count % 2 else b"a")
        if count % 10 == 9:
            terminal.quiet(0.02)
        if count in (199, 2_199):
            sizes.append(terminal.status("RssAnon"))
    more = sizes[1] - sizes[0]
    row("memory of a search", f"{(sizes[0] - base) / 1e6:+.1f} MB, {more / 1e6:+.1f} MB after 2,000 keys", "", "no growth",
        more <= 2_000_000)
    terminal.close()


def cursor():
    ours, theirs = browse(), fzf()
    down, up = b"\x1b[B", b"\x1b[A"
    a = times([ours.press(key, 0.03) for key in ([down] * 40 + [up] * 40) * 3])
    b = times([theirs.press(key, 0.03) for key in ([up] * 40 + [down] * 40) * 3])
    row("cursor key", a[5], f"{b[5]}; p95 {ratio(a[1], b[1])}", "p95 5 ms, 200 B", a[1] <= 0.005 and a[3] <= 200)
    a = times([ours.press(key, 0.05) for key in ([b"\x1b[6~"] * 20 + [b"\x1b[5~"] * 20)])
    b = times([theirs.press(key, 0.05) for key in ([b"\x1b[5~"] * 20 + [b"\x1b[6~"] * 20)])
    row("page key", a[5], f"{b[5]}; p95 {ratio(a[1], b[1])}", "", True)
    theirs.close()
    ours.press(b"G", 0.2)
    a = times([ours.press(up, 0.03) for _ in range(46 + 60)][46:])
    row("cursor key that scrolls the list", a[5], "", "p95 5 ms, 200 B", a[1] <= 0.005 and a[3] <= 200)
    ours.press(b"g", 0.2)
    ours.press(b"\t", 0.3)
    a = times([ours.press(key, 0.05) for key in ([down] * 20 + [up] * 20) * 2])
    row("cursor key, with the detail pane", a[5], "", "", True)
    ours.close()


def saves():
    terminal = browse("--sort", "@id")
    measured = []
    for number in range(25):
        # The marks of the last change have faded.
        time.sleep(3.2)
        terminal.quiet()
        content = text(number % 20)
        start = time.monotonic()
        save(number % 20, content)
        size = terminal.read(5)
        if not size:
            raise SystemExit("a saved file was not painted")
        first = time.monotonic()
        last, more = terminal.quiet(0.1)
        measured.append(((last or first) - start, size + more))
    a = times(measured)
    row("a file is saved, its row is painted", a[5], "", "p95 50 ms, 300 B", a[1] <= 0.05 and a[3] <= 300)
    terminal.close()


def burst():
    terminal = browse("--sort", "@id")
    count = min(10_000, items)
    contents = [text(number) for number in range(count)]
    terminal.output = b""
    child = os.fork()
    if child == 0:
        for number, content in enumerate(contents):
            save(number, content)
        os._exit(0)
    start, frames, first, delays, total = time.monotonic(), 0, None, [], 0
    pressed, waiting = time.monotonic(), False
    while True:
        if not waiting and time.monotonic() - pressed > 0.05:
            os.write(terminal.master, b"j" if len(delays) % 2 == 0 else b"k")
            pressed, waiting = time.monotonic(), True
        before = len(terminal.output)
        got = terminal.read(0.05)
        if got:
            total += got
            frames += terminal.output[-got:].count(b"\x1b[?2026h")
            first = first or time.monotonic() - start
            if waiting:
                delays.append(time.monotonic() - pressed)
                waiting = False
        if os.waitpid(child, os.WNOHANG)[0]:
            break
    seconds = time.monotonic() - start
    terminal.quiet(0.5)
    rate, late = frames / seconds, quantile(delays, 0.95) if delays else 0
    row(f"burst of {count:,} saves in {seconds:.1f} s", f"first after {milliseconds(first or 0)}, {rate:.0f} frames/s, key p95 "
        f"{milliseconds(late)}, {total:,} B", "", "60 frames/s, key p95 16 ms", rate <= 61 and late <= 0.016)
    terminal.close()


def idle():
    terminal = browse("--sort", "@id")
    rest(terminal, "idle for 10 s")
    save(0, text(0))
    # The marks fade.
    terminal.quiet(4)
    rest(terminal, "idle for 10 s, after a change")
    for key in (b"/", b"r", b"h", b"\r"):
        terminal.press(key)
    rest(terminal, "idle for 10 s, after a search")
    terminal.close()


def rest(terminal, name):
    terminal.quiet(2)
    wakeups, processor = terminal.switches(), terminal.processor()
    end, total = time.monotonic() + 10, 0
    while (left := end - time.monotonic()) > 0:
        total += terminal.read(left)
    # The unused threads of queues end after a while; they do not count.
    woken = sum(count - wakeups.get(thread, 0) for thread, count in terminal.switches().items())
    row(name, f"{total} B, {woken} wake-ups, {terminal.processor() - processor:.2f} s of CPU", "", "0 B, 0 wake-ups",
        total == 0 and woken == 0)


def memory():
    def store(folder):
        watch = subprocess.Popen([program, folder, "-o", "jsonl"], stdout=subprocess.PIPE, env={**os.environ, **environment})
        lines = 0
        while lines < 1 or b'"type":"snapshot"' not in line or b'"part":' in line and b'"last":true' not in line:
            line = watch.stdout.readline()
            lines += 1
            if not line:
                break
        time.sleep(1)
        with open(f"/proc/{watch.pid}/status") as file:
            size = next(int(line.split()[1]) for line in file if line.startswith("RssAnon")) * 1024
        watch.kill()
        watch.wait()
        return size

    base = store(data)
    ours, theirs = browse(), fzf()
    for key in [b"j"] * 20 + [b"\x1b[6~"] * 10:
        ours.press(key, 0.03)
        theirs.press(b"\x1b[A", 0.03)
    time.sleep(1)
    a, b = ours.status("RssAnon"), theirs.status("RssAnon")
    row("memory", f"{a / 1e6:.1f} MB, {(a - base) / 1e6:+.1f} MB beside a watch of the same folder", f"{b / 1e6:.1f} MB", "8 MB above the store",
        a - base <= 8_000_000)
    ours.close()
    theirs.close()


environment = {
    "TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8", "XDG_CACHE_HOME": f"{top}/cache", "XDG_STATE_HOME": f"{top}/state",
    "XDG_CONFIG_HOME": f"{top}/config", "XDG_RUNTIME_DIR": top, "FZF_DEFAULT_OPTS": ""}
for name in ("TMUX", "NO_COLOR"):
    os.environ.pop(name, None)
try:
    for number in range(items):
        if number % 1000 == 0:
            os.makedirs(os.path.dirname(path(number)))
        with open(path(number), "w") as file:
            file.write(text(number))
    if not shutil.which("fzf"):
        sys.exit("fzf is not installed: apt-get install fzf")
    with open(f"{top}/lines", "w") as file:
        subprocess.run([program, "list", data, "-o", "tsv"], stdout=file, env={**os.environ, **environment}, check=True)
    # The header of the lines is not an item.
    subprocess.run(["sed", "-i", "1d", f"{top}/lines"], check=True)
    print(f"{items:,} items, 120×50\n\n| what | browse | fzf, and ours by theirs | bar | kept |\n| --- | --- | --- | --- | --- |", flush=True)
    for measure in (first_frame, typing, cursor, saves, burst, idle, memory, growth):
        if wanted in measure.__name__:
            measure()
finally:
    shutil.rmtree(top)
