#!/usr/bin/env python3
"""Counts what a reader of the sources has to hold in the head; `make house` prints the table.

Swift files are read as text: comments and strings are blanked out, braces give the depth. Counts of
types, locks and errors are exact for the way this project is formatted; the edges between folders come
from names of types, so a name that two folders declare is left out.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Sources"
WIDTH = 110

# Each bar of the table: the row's name, and the largest number that holds; None where there is no bar.
BARS = {
    "lines": 92_000,
    "visible top-level types": 800,
    "names of types": 1_050,
    "locks": 40,
    "places where code runs": 32,
    "error types": 18,
    "code lines over 110 columns": 0,
    "cycles between folders of a target": 0,
    "cycles between targets": 0,
    "files from a save to a line": 14,
    "files from `set` to bytes": 11,
    "lines of docs/architecture.md": 220,
}

TOKEN = re.compile(
    r"""
      (?P<comment>//[^\n]*|/\*.*?\*/)
    | (?P<string>\#*\"\"\".*?\"\"\"\#*|\#+"(?:.*?)"\#+|"(?:\\.|[^"\\\n])*")
    | (?P<word>`?[A-Za-z_$@\#][\w]*`?|\d[\w.]*)
    | (?P<sign>[{}()\[\];,]|[^\s\w"{}()\[\];,`]+|`)
    """,
    re.X | re.S,
)
TYPE = re.compile(r"(?<!import )\b(?:struct|class|enum|actor|protocol)\s+(?!func\b|var\b|let\b|init\b|subscript\b)(`?[A-Z_]\w*`?)")
ALIAS = re.compile(r"\btypealias\s+(\w+)")
HIDDEN = re.compile(r"\b(private|fileprivate)\b(?!\(set\))")
ERROR = re.compile(r"\b(?:struct|class|enum|actor|extension)\s+([\w.?]+)[^{}\n:]*:\s*([^{]*)\{")
LOCK = re.compile(r"\b(?:let|var)\s+(`?\w+`?)\s*(?::\s*Mutex\s*<|=\s*(?:Synchronization\.)?Mutex\b)|\bpthread_mutex_t\b")
CONTEXT = re.compile(
    r"\b(?:QueueExecutor|DispatchQueue|SerialQueue)\s*\(\s*(?:label:|\"|named:|named\b|_)"
    r"|\bDispatchQueue\s*\(|\bQueueExecutor\s*\(|\bpthread_create\s*\(|\bThread\s*\(|\bMultiThreadedEventLoopGroup\s*\("
    r"|^\s*(?:\w+\s+)*actor\s+\w+",
    re.M,
)


class File:
    """One Swift file, with its comments and strings blanked out."""

    def __init__(self, path):
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        self.tokens = 0
        code = list(self.text)
        for match in TOKEN.finditer(self.text):
            if match.lastgroup in ("comment", "string"):
                for index in range(*match.span()):
                    if code[index] != "\n":
                        code[index] = " "
            if match.lastgroup != "comment":
                self.tokens += 1
        self.code = "".join(code)

    def lines_over(self, width):
        long = 0
        for line, code in zip(self.text.split("\n"), self.code.split("\n")):
            if len(line) > width and code.strip():
                long += 1
        return long

    def declarations(self):
        """Yields each type: its name, its depth in braces, and true if others can see it."""
        depth, position, hidden = 0, 0, []
        for match in re.finditer(r"[{}]|" + TYPE.pattern, self.code):
            if match.group() == "{":
                depth += 1
            elif match.group() == "}":
                depth -= 1
                hidden = [level for level in hidden if level < depth]
            else:
                start = self.code.rfind("\n", 0, match.start()) + 1
                is_hidden = bool(HIDDEN.search(self.code[start : match.start()])) or bool(hidden)
                if is_hidden:
                    hidden.append(depth)
                yield match.group(1).strip("`"), depth, not is_hidden
            position = match.end()


def targets(files):
    """Groups files by target: the folders that Package.swift names, or those of `Sources`."""
    manifest = (ROOT / "Package.swift").read_text()
    paths = {}
    for block in re.finditer(r"\.(?:executableTarget|target)\(\s*name: \"([^\"]+)\"(.*?)(?=\n    \.|\n  \])", manifest, re.S):
        name, body = block.group(1), block.group(2)
        path = re.search(r"path: \"([^\"]+)\"", body)
        folder = path.group(1) if path else f"Sources/{name}"
        if folder.startswith("Sources"):
            paths[name] = (ROOT / folder, re.findall(r"\"(\w[\w-]*)\"", body.split("swiftSettings")[0]))
    grouped = {name: [] for name in paths}
    for file in files:
        owner = [name for name, (folder, _) in paths.items() if folder in file.path.parents]
        if owner:
            grouped[max(owner, key=lambda name: len(str(paths[name][0])))].append(file)
    edges = {name: {used for used in uses if used in paths and used != name} for name, (_, uses) in paths.items()}
    return grouped, {name: folder for name, (folder, _) in paths.items()}, edges


def cycles(edges):
    """Returns the strongly connected groups of more than one node (Tarjan)."""
    order, low, stack, found = {}, {}, [], []

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        for other in edges.get(node, ()):
            if other not in order:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], order[other])
        if low[node] == order[node]:
            group = []
            while True:
                group.append(stack.pop())
                if group[-1] == node:
                    break
            if len(group) > 1:
                found.append(sorted(group))

    sys.setrecursionlimit(10_000)
    for node in list(edges):
        if node not in order:
            visit(node)
    return found


def folder_edges(files, folder):
    """The edges between the direct folders of one target, by names of top-level types."""
    room = lambda file: (file.path.relative_to(folder).parts[:-1] or (".",))[0]
    home, shared = {}, set()
    for file in files:
        for name, depth, is_visible in file.declarations():
            if depth == 0 and is_visible:
                if home.setdefault(name, room(file)) != room(file):
                    shared.add(name)
    edges = {}
    for file in files:
        here = room(file)
        for name in set(re.findall(r"\b[A-Z]\w*", file.code)) - shared:
            there = home.get(name)
            if there not in (None, here, "."):
                edges.setdefault(here, {}).setdefault(there, set()).add(name)
    return edges


def errors(files):
    names = set()
    for file in files:
        for match in ERROR.finditer(file.code):
            if re.search(r"\b(?:Swift\.)?Error\b", match.group(2)):
                names.add(match.group(1))
    return names


def flow(title):
    """The files that a section of docs/architecture.md names on one way through the code."""
    page = (ROOT / "docs/architecture.md").read_text()
    section = re.search(r"\n## " + re.escape(title) + r"\n(.*?)(?=\n## |\Z)", page, re.S)
    if not section:
        return None
    steps = re.findall(r"^ *\d+\. .*?(?=^ *\d+\. |^\S|\Z)", section.group(1), re.S | re.M)
    return len({name for step in steps for name in re.findall(r"`([\w+]+\.swift)`", step)})


def main():
    files = [File(path) for path in sorted(SOURCES.rglob("*.swift"))]
    grouped, folders, edges = targets(files)
    declared = [declaration for file in files for declaration in file.declarations()]
    locks = [(file, match) for file in files for match in LOCK.finditer(file.code)]
    contexts = [(file, match) for file in files for match in CONTEXT.finditer(file.code)]
    inner = {name: folder_edges(grouped[name], folders[name]) for name in grouped}
    rings = {name: cycles({here: set(there) for here, there in inner[name].items()}) for name in inner}
    rows = [
        ("lines", sum(file.text.count("\n") for file in files)),
        ("tokens without comments", sum(file.tokens for file in files)),
        ("files", len(files)),
        ("visible top-level types", sum(1 for _, depth, is_visible in declared if depth == 0 and is_visible)),
        ("type declarations", len(declared)),
        ("names of types", len({name for name, _, _ in declared})),
        ("locks", len(locks)),
        ("places where code runs", len(contexts)),
        ("error types", len(errors(files))),
        ("code lines over 110 columns", sum(file.lines_over(WIDTH) for file in files)),
        ("cycles between folders of a target", sum(len(found) for found in rings.values())),
        ("cycles between targets", len(cycles(edges))),
        ("files from a save to a line", flow("From a saved file to a JSON line")),
        ("files from `set` to bytes", flow("From `set` to bytes on the disk")),
        ("lines of docs/architecture.md", (ROOT / "docs/architecture.md").read_text().count("\n")),
    ]
    for name, count in rows:
        bar = BARS.get(name)
        mark = "" if bar is None or count is None else ("  holds" if count <= bar else f"  over by {count - bar:,}")
        print(f"{name:<38}{'-' if count is None else format(count, ','):>10}{'' if bar is None else format(bar, ','):>10}{mark}")
    wanted = set(sys.argv[1:])
    if "targets" in wanted:
        for name in sorted(grouped, key=lambda name: -sum(file.text.count("\n") for file in grouped[name])):
            print(f"{name:<20}{sum(file.text.count(chr(10)) for file in grouped[name]):>8}  uses {', '.join(sorted(edges[name]))}")
    if "locks" in wanted:
        for file, match in locks:
            print(f"{file.path.relative_to(ROOT)}: {match.group().strip()}")
    if "contexts" in wanted:
        for file, match in contexts:
            print(f"{file.path.relative_to(ROOT)}: {match.group().strip()}")
    if "errors" in wanted:
        print("\n".join(sorted(errors(files))))
    if "cycles" in wanted:
        for name, found in rings.items():
            for ring in found:
                print(f"{name}: {' '.join(ring)}")


main()
