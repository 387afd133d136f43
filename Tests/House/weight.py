#!/usr/bin/env python3
"""Measures what an app pays for the product PlainStore; `make weight` prints the table.

The app is the example `front-page`: one file that opens a store of a model, adds an object and prints
the list. It is built from nothing, in a folder of its own: for debugging, and as a static release
without symbols, with the flags in the arguments. The program that comes out must run.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SWIFT = os.environ.get("SWIFT", "swift")
PRODUCT = "PlainStore"
APP = "front-page"
SCRATCH = ROOT / ".build/weight"
PACKAGE = ["--package-path", str(ROOT / "Examples"), "--scratch-path", str(SCRATCH)]

# Each bar of the table: the row's name, and the largest number that holds.
BARS = {
    "lines of Swift that the app compiles": 35_000,
    "seconds of a clean debug build": 80,
    "MB of a static release": 12,
}


def targets():
    """The lines of each target that the product needs."""
    described = subprocess.run(
        [SWIFT, "package", "--package-path", str(ROOT), "describe", "--type", "json"],
        check=True, stdout=subprocess.PIPE)
    lines = {}
    for target in json.loads(described.stdout)["targets"]:
        if PRODUCT in target.get("product_memberships", ()):
            files = [ROOT / target["path"] / name for name in target["sources"] if name.endswith(".swift")]
            lines[target["name"]] = sum(file.read_text(encoding="utf-8").count("\n") for file in files)
    return lines


def run(command, **others):
    """Runs a command; if it fails, prints its output and ends."""
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **others)
    if done.returncode:
        sys.exit(f"{done.stdout}\n`{' '.join(map(str, command))}` failed.")


def build(configuration, *flags):
    """Builds the app. Returns the seconds, and those of all processors."""
    used = os.times()
    start = time.monotonic()
    run([SWIFT, "build", *PACKAGE, "-c", configuration, "--product", APP, *flags])
    seconds, now = time.monotonic() - start, os.times()
    return seconds, now.children_user + now.children_system - used.children_user - used.children_system


def check(program):
    """Runs the app in an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        run([program], cwd=folder, timeout=60)
        if not (pathlib.Path(folder) / "contacts/ada.yaml").exists():
            sys.exit(f"{program} has saved nothing.")


def foundation(program):
    """The modules of Foundation that are linked into a program with symbols."""
    names = subprocess.run(["nm", "--defined-only", program], check=True, stdout=subprocess.PIPE).stdout
    return sorted({name.decode() for name in re.findall(rb"\$s\d+(Foundation[A-Za-z]*)\d", names)})


def show(name, number, note):
    bar = BARS[name]
    form = ",d" if isinstance(number, int) else ",.1f"
    mark = "holds" if number <= bar else f"over by {number - bar:{form}}"
    print(f"{name:<38}{number:>10{form}}{bar:>10,}  {mark}; {note}", flush=True)


def main():
    lines = targets()
    largest = sorted(lines, key=lambda name: -lines[name])[:3]
    show("lines of Swift that the app compiles", sum(lines.values()), ", ".join(f"{name} {lines[name]:,}" for name in largest))
    run([SWIFT, "package", *PACKAGE, "resolve"])
    run([SWIFT, "package", *PACKAGE, "clean"])
    seconds, used = build("debug")
    show("seconds of a clean debug build", seconds, f"{used:.0f} s of {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    build("release", *sys.argv[1:])
    program, stripped = SCRATCH / "release" / APP, SCRATCH / APP
    run(["strip", "-o", stripped, program])
    check(stripped)
    show("MB of a static release", stripped.stat().st_size / 1e6, f"modules of Foundation: {', '.join(foundation(program)) or 'none'}")


main()
