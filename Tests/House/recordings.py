#!/usr/bin/env python3
"""Compares what two builds of the program print and write, byte for byte.

    Tests/House/recordings.py OLD NEW [--data FOLDER …] [--seed N] [--only KIND …]

Each case runs twice, once with each program, in a fresh copy of its folder at the same path. Compared
are standard output, standard error, the exit code and every file afterwards. What differs between two
runs of one program (times, tokens, ports) is replaced first. Ends with 1 if something differs.
"""

import argparse
import difflib
import json
import os
import pathlib
import random
import re
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "SampleData"
NORMAL = [
    (re.compile(rb"20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?"), b"<time>"),
    (re.compile(rb'("(?:since|token)":)"[^"]*"'), rb'\1"<token>"'),
    (re.compile(rb"^id: .*$", re.M), b"id: <token>"),
    (re.compile(rb"127\.0\.0\.1:\d+"), b"<address>"),
    (re.compile(rb"\d+ ms\b"), b"<ms>"),
    (re.compile(rb'^(ETag: (?:W/)?)".*"$', re.M), rb'\1"<etag>"'),
    (re.compile(rb'("(?:revision|undo)":)"[^"]*"'), rb'\1"<revision>"'),
]


class Machine:
    """A folder at one path, made anew for each run."""

    def __init__(self):
        self.base = pathlib.Path(tempfile.mkdtemp(prefix="nw-recordings-"))
        self.work = self.base / "work"
        self.home = self.base / "home"

    def reset(self, source, with_git=False):
        for folder in (self.work, self.home):
            shutil.rmtree(folder, ignore_errors=True)
        self.home.mkdir(parents=True)
        shutil.copytree(source, self.work)
        for index, path in enumerate(sorted(self.work.rglob("*"))):
            os.utime(path, (1_700_000_000 + index, 1_700_000_000 + index))
        if with_git:
            self.git("init", "-q", "-b", "main")
            self.git("add", ".")
            self.git("commit", "-qm", "first")

    @property
    def environment(self):
        moment = "2026-01-02T03:04:05Z"
        return {
            "PATH": os.environ["PATH"], "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.home), "LC_ALL": "C.UTF-8",
            "TZ": "UTC", "GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment, "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b",
            "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b", "COLUMNS": "100", "SWIFT_BACKTRACE": "enable=no",
        }

    def git(self, *words):
        subprocess.run(["git", *words], cwd=self.work, env=self.environment, check=True, capture_output=True)

    def run(self, program, words, text=None):
        done = subprocess.run(
            [program, *words], cwd=self.base, env=self.environment, input=text or b"", capture_output=True, timeout=120)
        return [b"$ " + " ".join(map(str, words)).encode(), done.stdout, done.stderr, b"exit %d" % done.returncode]

    def files(self):
        """The names, modes and bytes of all files but git's and the caches of a home folder."""
        found = []
        for path in sorted(self.work.rglob("*")):
            name = path.relative_to(self.base).as_posix()
            if "/.git/" in f"/{name}/" or not path.is_file():
                continue
            found.append(f"== {name} {path.stat().st_mode:o}".encode() + b"\n" + path.read_bytes())
        return found

    def close(self):
        shutil.rmtree(self.base, ignore_errors=True)


def words(rng, fields, ids):
    """One random command line that reads, without the folder."""
    field = lambda: rng.choice(fields)
    view = []
    if rng.random() < 0.6:
        view += ["--sort", ",".join(rng.choice(["", "-"]) + field() for _ in range(rng.randint(1, 2))).lstrip() or "@id"]
        view[-1] = view[-1] if not view[-1].startswith("-") else view[-1]
        if view[-1].startswith("-"):
            view[-2:] = [f"--sort={view[-1]}"]
    if rng.random() < 0.4:
        view += ["--section", rng.choice([field(), "@dir", "@ext"])]
    if rng.random() < 0.4:
        view += ["--where", rng.choice([
            f"{field()} != nil", f"{field()} > 3", f'{field()} CONTAINS[cd] "a"', f"NOT {field()} = nil AND @id > 'b'",
            f'{field()} LIKE "*e*"', f'{field()} MATCHES "^[a-m].*"', f"{field()}.@count > 1", f'{field()} = "', f"{field()} IN {{1, 2, 3}}"])]
    if rng.random() < 0.3:
        view += ["--search", rng.choice(["a", "an the", "red", "okafor", "2024", "zzz"])]
    if rng.random() < 0.3:
        view += ["--fields", ",".join({field() for _ in range(3)})]
    if rng.random() < 0.2:
        view += ["--limit", str(rng.randint(0, 9)), "--offset", str(rng.randint(0, 4))]
    return view


def fields_of(program, folder):
    """The fields and ids of a folder, as `list` prints them."""
    listed = subprocess.run([program, "list", folder, "-o", "jsonl"], capture_output=True, text=True).stdout
    fields, ids = set(), []
    for line in listed.splitlines():
        item = json.loads(line)
        ids.append(item["id"])
        fields.update(key for key in (item.get("value") or {}) if re.fullmatch(r"[A-Za-z]\w*", key))
    return sorted(fields) or ["name"], ids


def read_cases(program, folders, rng):
    for folder in folders:
        fields, ids = fields_of(program, folder)
        for form in ("table", "json", "jsonl", "csv", "tsv", "id"):
            yield "read", folder, [["list", "work", "-o", form]]
        yield "read", folder, [["check", "work"], ["get", "work", ids[0]], ["get", "work", ids[-1], "-o", "text"], ["get", "work", "nobody"]]
        for _ in range(20):
            yield "read", folder, [["list", "work", "-o", rng.choice(["table", "json", "jsonl", "csv", "id"]), *words(rng, fields, ids)]]
        yield "read", folder, [
            ["list", "work", "--sort"], ["list", "nowhere"], ["list", "work", "--where", "a b"], ["list", "work", "--view", "none"],
            ["list", "work", "--limit", "x"], ["list", "work", "--max-size", "1"], ["list", "work", "--id-field", fields[0]],
            ["nonsense", "--where"], ["set", "work"], ["rm", "work"], ["unset", "work", ids[0]], ["diff", "work"], ["log", "work", ids[0]]]


def write_cases(program, folders, rng):
    values = ["9", "true", "word", "two words", "2026-02-03", "null", "1.50", "no", '"quoted"', "a: b", "", "ünï", "- x", "#1"]
    for folder in folders:
        fields, ids = fields_of(program, folder)
        for _ in range(12):
            steps = []
            for _ in range(4):
                field = rng.choice(fields + ["new", "deep.inner", "list[0]"])
                item = rng.choice(ids)
                steps.append(rng.choice([
                    ["set", "work", item, f"{field}={rng.choice(values)}"], ["set", "work", item, f"{field}+={rng.choice(values)}"],
                    ["set", "work", item, f"{field}:={json.dumps([1, {'a': rng.choice(values)}])}"],
                    ["unset", "work", item, field], ["set", "work", item, rng.choice(ids), f"{field}={rng.choice(values)}"],
                    ["rm", "work", item], ["add", "work", f"new-{rng.randint(0, 3)}", f"{field}={rng.choice(values)}"],
                    ["set", "work", item, f"{field}={rng.choice(values)}", "--dry-run"], ["list", "work", "-o", "id"]]))
            yield "write", folder, steps


def stdin_cases(program, folders, rng):
    for folder in folders:
        fields, ids = fields_of(program, folder)
        for _ in range(4):
            lines = [json.dumps({"id": rng.choice(ids), "value": {rng.choice(fields): rng.choice([1, "x", None, [1, 2], {"k": "v"}])}}) for _ in range(3)]
            yield "stdin", folder, [(["set", "work", "-"], "\n".join(lines).encode()), (["add", "work", "-"], "\n".join(lines).encode())]


def record_commands(machine, program, folder, steps):
    machine.reset(folder, with_git=any("diff" in step or "log" in step for step in steps))
    found = []
    for step in steps:
        line, text = step if isinstance(step, tuple) else (step, None)
        found += machine.run(program, line, text)
    return found + machine.files()


class Lines:
    """The lines of a running program, read with a deadline."""

    def __init__(self, process):
        self.process, self.rest, self.lines = process, b"", []
        os.set_blocking(process.stdout.fileno(), False)
        self.selector = selectors.DefaultSelector()
        self.selector.register(process.stdout, selectors.EVENT_READ)

    def wait(self, is_last, seconds=20):
        """Reads until a line satisfies `is_last`."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            while b"\n" in self.rest:
                line, self.rest = self.rest.split(b"\n", 1)
                self.lines.append(line)
                if is_last(line):
                    return
            if self.selector.select(timeout=0.2):
                self.rest += self.process.stdout.read() or b""
        raise TimeoutError(f"no such line after {self.lines[-3:]}")

    def drain(self, seconds=0.4):
        """Reads until nothing has come for a while: text has no last line of an update."""
        while self.selector.select(timeout=seconds):
            piece = self.process.stdout.read()
            if not piece:
                break
            self.rest += piece
        *whole, self.rest = self.rest.split(b"\n")
        self.lines += whole


def act(machine, rng, ids, number):
    """One change of the folder that the list shows for certain; returns nothing."""
    name = rng.randint(0, 4)
    item = machine.work / f"made-{name}.yaml"
    kind = rng.choice(["write", "write", "replace", "delete", "rename"])
    if kind == "delete" and item.exists():
        item.unlink()
    elif kind == "rename" and item.exists() and not (machine.work / f"moved-{name}.yaml").exists():
        item.rename(machine.work / f"moved-{name}.yaml")
    elif kind == "replace":
        other = machine.work / ".new"
        other.write_text(f"id: {5000 + name}\nname: r{number}\ngroup: {rng.choice('abc')}\nrating: {number}\n")
        other.replace(item)
    else:
        item.write_text(f"id: {5000 + name}\nname: w{number}\ngroup: {rng.choice('abc')}\nrating: {number}\ntags: [x, n{number}]\n")


def record_stream(machine, program, folder, options, seed):
    machine.reset(folder)
    process = subprocess.Popen(
        [program, "watch", "work", *options], cwd=machine.base, env=machine.environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    rng = random.Random(seed)
    try:
        lines = Lines(process)
        jsonl = "jsonl" in options
        lines.wait(lambda line: b'"type":"snapshot"' in line if jsonl else line != b"")
        for number in range(12):
            before = len(lines.lines)
            act(machine, rng, [], number)
            if jsonl:
                lines.wait(lambda line: b'"type":"update"' in line or b'"type":"bookmark"' in line)
            else:
                lines.wait(lambda line: len(lines.lines) > before)
                lines.drain()
    finally:
        process.send_signal(signal.SIGTERM)
        rest, errors = process.communicate(timeout=30)
    return [*lines.lines, lines.rest, rest or b"", errors, b"exit %d" % process.returncode]


def requests(rng, ids, fields):
    """The HTTP requests of one case: method, target, headers, body."""
    item = urllib.parse.quote(rng.choice(ids), safe="")
    field = rng.choice(fields)
    merge = {"Content-Type": "application/merge-patch+json"}
    return [
        ("GET", "/items", {}, None), ("GET", f"/items?sort=-{field}&limit=3", {"Accept": "application/jsonl"}, None),
        ("GET", f"/items?fields={field}", {"Accept": "text/csv"}, None), ("GET", "/items?where=a+b", {}, None),
        ("GET", f"/item?id={item}", {}, None), ("GET", "/item?id=nobody", {}, None), ("GET", f"/item/source?id={item}", {}, None),
        ("GET", "/fields", {}, None), ("GET", "/problems", {}, None), ("GET", "/plain", {}, None), ("GET", "/health", {}, None),
        ("PATCH", f"/item?id={item}", merge, json.dumps({field: rng.choice([1, "x", None, True])})),
        ("PATCH", f"/item?id={item}", merge, "{"), ("PATCH", f"/item?id={item}", {"Content-Type": "text/plain"}, "x"),
        ("POST", "/items", {"Content-Type": "application/json"}, json.dumps({"id": "http-new", "value": {"name": "n"}})),
        ("PUT", "/item?id=http-new", {"Content-Type": "application/json"}, json.dumps({"name": "m", "tags": [1, "two"]})),
        ("DELETE", "/item?id=http-new", {}, None), ("GET", "/nowhere", {}, None), ("DELETE", "/items", {}, None),
        ("GET", f"/item?id={item}", {}, None),
    ]


def record_http(machine, program, folder, seed, ids, fields):
    machine.reset(folder)
    process = subprocess.Popen(
        [program, "serve", "work", "--listen", "127.0.0.1:0", "--token-file", "token"], cwd=machine.base, env=machine.environment,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    found = []
    try:
        origin = process.stdout.readline().decode().strip().split("/session")[0].rstrip("/")
        token = (machine.base / "token").read_text().strip()
        for method, target, headers, body in requests(random.Random(seed), ids, fields):
            request = urllib.request.Request(
                origin + target, method=method, data=body.encode() if body is not None else None,
                headers={"Authorization": f"Bearer {token}", **headers})
            try:
                answer = urllib.request.urlopen(request, timeout=30)
            except urllib.error.HTTPError as error:
                answer = error
            kept = sorted(f"{key}: {value}" for key, value in answer.headers.items() if key.lower() not in ("date", "content-length"))
            found += [f"{method} {target} -> {answer.status}".encode(), "\n".join(kept).encode(), answer.read()]
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)
    return found + machine.files()


def merge_texts(rng, base):
    """A random version of a text: some lines changed, doubled, dropped or moved."""
    lines = base.splitlines(keepends=True)
    for _ in range(rng.randint(1, 3)):
        if not lines:
            break
        place = rng.randrange(len(lines))
        kind = rng.randrange(4)
        if kind == 0:
            lines[place] = re.sub(r"(: *)(\S.*)?\n", lambda match: f"{match.group(1)}v{rng.randint(0, 2)}\n", lines[place])
        elif kind == 1:
            lines.insert(place, f"extra{rng.randint(0, 2)}: {rng.randint(0, 2)}\n")
        elif kind == 2:
            del lines[place]
        else:
            lines[place] = lines[place].rstrip("\n") + "  # note\n"
    return "".join(lines)


def record_merges(machine, program, folder, seed):
    machine.reset(folder)
    rng = random.Random(seed)
    found = []
    paths = [path for path in sorted(machine.work.rglob("*")) if path.suffix in (".yaml", ".json", ".md") and path.is_file() and path.name[0] != "."]
    for path in rng.sample(paths, min(8, len(paths))):
        base = path.read_text()
        for name, text in (("base", base), ("ours", merge_texts(rng, base)), ("theirs", merge_texts(rng, base))):
            (machine.base / name).write_text(text)
        found += machine.run(program, ["git", "merge-file", "base", "ours", "theirs", "7", str(path.relative_to(machine.work))])
        found.append((machine.base / "ours").read_bytes())
    return found


def normal(parts):
    text = b"\n".join(parts)
    for pattern, replacement in NORMAL:
        text = pattern.sub(replacement, text)
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--data", action="append", default=[], type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", choices=["read", "write", "stdin", "stream", "http", "merge"])
    choice = parser.parse_args()
    old, new = os.path.abspath(choice.old), os.path.abspath(choice.new)
    rng = random.Random(choice.seed)
    folders = [folder for folder in sorted(SAMPLES.iterdir()) if folder.is_dir()] + [folder.resolve() for folder in choice.data]
    cases = []
    for kind, folder, steps in [*read_cases(old, folders, rng), *write_cases(old, folders, rng), *stdin_cases(old, folders, rng)]:
        cases.append((kind, f"{folder.name} {steps[0]}", lambda m, p, f=folder, s=steps: record_commands(m, p, f, s)))
    for folder in folders:
        for options in (["-o", "jsonl"], ["-o", "jsonl", "--section", "group", "--sort=-rating"], ["-o", "text", "--sort", "name"], ["-o", "jsonl", "--where", "rating >= 0", "--fields", "name,tags"]):
            seed = rng.random()
            cases.append(("stream", f"{folder.name} {options}", lambda m, p, f=folder, o=options, s=seed: record_stream(m, p, f, o, s)))
        fields, ids = fields_of(old, folder)
        for seed in (rng.random(), rng.random()):
            cases.append(("http", folder.name, lambda m, p, f=folder, s=seed, i=ids, d=fields: record_http(m, p, f, s, i, d)))
        for seed in (rng.random() for _ in range(4)):
            cases.append(("merge", folder.name, lambda m, p, f=folder, s=seed: record_merges(m, p, f, s)))
    machine, counts, different = Machine(), {}, 0
    try:
        for kind, name, record in cases:
            if choice.only and kind not in choice.only:
                continue
            counts[kind] = counts.get(kind, 0) + 1
            before, after = normal(record(machine, old)), normal(record(machine, new))
            if before != after:
                different += 1
                print(f"--- {kind}: {name}")
                lines = difflib.unified_diff(before.decode(errors="replace").splitlines(), after.decode(errors="replace").splitlines(), lineterm="", n=1)
                print("\n".join(line[:300] for line, _ in zip(lines, range(40))))
    finally:
        machine.close()
    print(f"{sum(counts.values())} recordings ({', '.join(f'{count} {kind}' for kind, count in counts.items())}), {different} differ")
    raise SystemExit(1 if different else 0)


main()
