"""Fuzzes the HTTP interface from its own description, with schemathesis.

Starts the program of $NOTES_WATCH on a copy of the sample data, and sends a bounded number of made-up requests to
each operation of /openapi.json. No answer may be a 5xx, or have a status, type or shape that the
description does not name. Files outside of the folder, and files in it that are no items, must keep
their bytes. $NOTES_WATCH_SEED repeats a run.
"""

import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

EXAMPLES = int(os.environ.get("NOTES_WATCH_EXAMPLES", "60"))
# Streams do not end, and pages and sessions have tests of their own.
LEFT_OUT = ["/stream", "/stream/views", "/plain", "/", "/assets/{name}", "/session", "/session/url"]
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
TOP = Path(__file__).resolve().parents[2]
ITEMS = (".yaml", ".yml", ".json", ".md", ".markdown")


def digests(folder):
    """Returns the digest of each file below a folder, by its path; without those of git."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink() and not {".git", "run", ".hypothesis"} & set(path.parts)
    }


def start(program, folder):
    """Starts the server, and returns the process, its address and its token."""
    (folder / "run").mkdir(mode=0o700)
    environment = dict(os.environ, XDG_RUNTIME_DIR=str(folder / "run"), HOME=str(folder))
    command = [program, "serve", str(folder / "data"), "--listen", "127.0.0.1:0", "--token-file", str(folder / "token")]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)
    address = server.stdout.readline().strip().split("?")[0].rstrip("/")
    return server, address, (folder / "token").read_text().strip()


def status_of(address, token, path):
    """Returns the status and the JSON of an answer."""
    request = urllib.request.Request(address + path, headers={"Authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def likely(schema, values):
    """Returns a schema that has some values beside those of another one."""
    return {"anyOf": [{"enum": values}, {"enum": values}, schema]}


def description(address, token, folder):
    """Writes the description with values that exist in the folder, so that requests get far."""
    document = status_of(address, token, "/openapi.json")[1]
    ids = [path.stem for path in sorted((folder / "data").glob("n*.yaml"))]
    fields = ["firstName", "lastName", "group", "rating", "-createdAt", "@modified", "none"]
    values = {
        "id": ids,
        "If-Match": ["*"],
        "If-None-Match": ["*"],
        "Prefer": ["merge"],
        "sort": fields,
        "section": fields,
        "fields": ["firstName,rating", "@path"],
        "where": ["rating > 3", "ANY tags = 'x'", "group = nil"],
        "view": ["by-name"],
    }
    components = document["components"]
    for name, examples in values.items():
        components["parameters"][name]["schema"] = likely(components["parameters"][name]["schema"], examples)
    source = components["schemas"]["Source"]["properties"]
    source["source"] = likely(source["source"], ["firstName: M\n", "# only\nrating: 2\n", "a: [\n"])
    # Of two conditions that do not fit together, only one is sent.
    components["parameters"]["If-Match"]["required"] = True
    put = document["paths"]["/item"]["put"]
    put["parameters"] = [use for use in put["parameters"] if not use["$ref"].endswith("If-None-Match")]
    item = components["schemas"]["NewItem"]["properties"]["id"]
    components["schemas"]["NewItem"]["properties"]["id"] = likely(item, ["new", "a/b", "../x", "%2e%2e/x", ids[0]])
    file = folder / "run" / "openapi.json"
    file.write_text(json.dumps(document))
    return file


def fuzz(address, token, seed, folder):
    """Runs schemathesis. Returns its exit code."""
    schemathesis = os.path.join(os.path.dirname(sys.executable), "schemathesis")
    command = [
        schemathesis, "run", str(description(address, token, folder)), "--url", address,
        "-H", f"Authorization: Bearer {token}", "--checks", CHECKS, "--phases", "examples,coverage,fuzzing",
        "-n", str(EXAMPLES), "--seed", str(seed), "--request-timeout", "30", "--generation-database", "none", "--no-color", "--continue-on-failure",
    ]  # fmt: skip
    for path in LEFT_OUT:
        command += ["--exclude-path", path]
    return subprocess.run(command, cwd=folder / "run", timeout=1200).returncode


def check_reach(address, token):
    """Checks that the requests did not all end at the first check, and prints their statuses."""
    request = urllib.request.Request(f"{address}/metrics", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        text = answer.read().decode()
    pattern = r'^notes_watch_requests_total\{route="([^"]*)",method="([A-Z]+)",status="(\d+)"\} (\d+)$'
    counts = {}
    for route, method, status, count in re.findall(pattern, text, re.MULTILINE):
        counts.setdefault(f"{method} {route}", {})[int(status)] = int(count)
    for operation in sorted(counts):
        print(f"  {operation}: {counts[operation]}", flush=True)
    for operation in ["GET /items", "GET /item", "PATCH /item", "PUT /item", "DELETE /item", "POST /items"]:
        assert counts.get(operation, {}).keys() & {200, 201}, f"no {operation} was accepted"


def check_traversal(address, token):
    """Checks that no id leads out of the folder, however it is encoded."""
    for name in ["../token", "..%2ftoken", "%2e%2e/token", "..%252ftoken", "/etc/passwd", "../data/../token", "%00"]:
        for path in ["/item?id=", "/item/source?id=", "/item/log?id="]:
            status, problem = status_of(address, token, path + name)
            assert status in (400, 404), f"{path}{name} answers {status}"
            assert problem["status"] == status, problem


def check_files(before, after):
    """Checks that only items of the folder changed."""
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    wrong = [path for path in changed if not path.startswith("data/") or not path.endswith(ITEMS)]
    assert not wrong, f"these files changed: {wrong}"


def test_interface_keeps_its_description():
    program = os.path.abspath(os.environ.get("NOTES_WATCH", TOP / ".build/debug/notes-watch"))
    seed = int(os.environ.get("NOTES_WATCH_SEED") or random.randrange(1 << 32))
    print(f"NOTES_WATCH_SEED={seed}, {EXAMPLES} examples per operation", flush=True)
    folder = Path(tempfile.mkdtemp(prefix="notes-watch-api-", dir="/var/tmp"))
    server = None
    try:
        shutil.copytree(TOP / "SampleData" / "contacts", folder / "data")
        for number in range(60):
            (folder / "data" / f"n{number}.yaml").write_text(f"firstName: N  # {number}\nrating: 1.50\ntags: [x, y]\n")
        (folder / "data" / "untouched.txt").write_text("no item\n")
        (folder / "outside.yaml").write_text("secret: 1\n")
        git = ["git", "-C", str(folder / "data"), "-c", "user.name=n", "-c", "user.email=n@example.org"]
        for words in [["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "first"]]:
            subprocess.run(git + words, check=True)
        server, address, token = start(program, folder)
        before = digests(folder)
        begun = time.monotonic()
        code = fuzz(address, token, seed, folder)
        check_reach(address, token)
        check_traversal(address, token)
        assert status_of(address, token, "/health") == (200, {"status": "ok"})
        assert server.poll() is None, "the server ended"
        check_files(before, digests(folder))
        print(f"{time.monotonic() - begun:.1f} s, schemathesis ended with {code}", flush=True)
        assert code == 0, "schemathesis found answers that the description does not have; see above"
    finally:
        if server:
            server.terminate()
            server.wait(timeout=30)
        shutil.rmtree(folder, ignore_errors=True)
