"""The built program on copies of the sample data, and Debian's Chromium."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

import pytest
from playwright.sync_api import Error, expect, sync_playwright

root = pathlib.Path(__file__).resolve().parents[2]
program = os.environ.get("NOTES_WATCH", str(root / ".build/debug/notes-watch"))
chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
# The machine of a check can be slow, and nothing waits longer than it must.
expect.set_options(timeout=15_000)


class Server:
    """One `notes-watch serve`."""

    def __init__(self, folder, *options, port=0, cwd=None):
        self.given = str(folder)
        self.cwd = cwd
        self.folder = pathlib.Path(cwd or ".", folder).resolve()
        self.options = options
        # A path of a socket or a URL file is short.
        self.runtime = tempfile.mkdtemp(prefix="nw-web-")
        self.environment = {**os.environ, "XDG_RUNTIME_DIR": self.runtime, "XDG_STATE_HOME": self.runtime}
        self.start(port)

    def start(self, port):
        """Starts the program, and waits until it listens."""
        self.process = subprocess.Popen(
            [program, "serve", self.given, *self.options, "--listen", f"127.0.0.1:{port}"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment, cwd=self.cwd)
        self.origin = self.process.stdout.readline().strip().rstrip("/").split("/session")[0]
        if not self.origin:
            raise RuntimeError(self.process.stderr.read())
        # With --origin, the server prints that one.
        self.port = port or int(self.origin.rsplit(":", 1)[1])

    def url(self):
        """Returns an address that signs a browser in."""
        answer = subprocess.run(
            [program, "serve", "--url", "--listen", f"127.0.0.1:{self.port}"],
            capture_output=True, text=True, env=self.environment, check=True, timeout=30)
        return answer.stdout.strip()

    def stop(self, how=signal.SIGTERM):
        """Ends the program."""
        self.process.send_signal(how)
        self.process.wait(timeout=30)
        self.process.stdout.close()
        self.process.stderr.close()

    def restart(self):
        """Starts the program again on the same port."""
        self.stop()
        self.start(self.port)

    def close(self):
        """Ends the program, if it runs, and removes its files."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.stop()
        shutil.rmtree(self.runtime, ignore_errors=True)

    def write(self, name, text):
        """Saves a file as most editors do: a new file takes the name of the old one."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f".{path.name}.new")
        new.write_text(text)
        new.replace(path)

    def read(self, name):
        """Returns the text of a file."""
        return (self.folder / name).read_text()


@pytest.fixture
def serve(tmp_path):
    """Starts servers: `serve("contacts", "--view", "contacts")` on a copy of sample data, or
    `serve({"ada.yaml": "name: Ada\\n"})` on new files."""
    servers = []

    def start(data, *options, name="data", **more):
        folder = tmp_path / name
        if isinstance(data, str):
            shutil.copytree(root / "SampleData" / data, folder)
        else:
            for path, text in data.items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_bytes(text if isinstance(text, bytes) else text.encode())
        servers.append(Server(folder, *options, **more))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as instance:
        yield instance


@pytest.fixture(scope="session")
def browser(playwright):
    """A Chromium for all tests; each has a context of its own."""
    instance = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
    yield instance
    instance.close()


@pytest.fixture
def context(browser):
    """A new profile. The test fails if a page reports an error."""
    instance = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    instance.set_default_timeout(15_000)
    errors = []
    instance.on("weberror", lambda error: errors.append(str(error.error)))
    yield instance
    try:
        instance.close()
    except Error:
        pass
    assert errors == []


@pytest.fixture
def page(context):
    return context.new_page()


def opened(page, server, path=""):
    """Signs a page in, opens a path, and waits until all is loaded."""
    page.goto(server.url())
    if path:
        page.goto(server.origin + path)
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    expect(page.locator("#counts")).not_to_be_empty()
    page.wait_for_function("() => page.actions || page.status.isIncomplete")
    return page


def edit(page, server, item="ada"):
    """Opens the editors of an item."""
    opened(page, server, f"/?id={item}")
    page.click("#edit")
    return page.get_by_role("form", name="Edit")


def save(form):
    """Saves, and waits until the editors are closed."""
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)


def rows(page):
    """Returns the ids of the rows on the screen, in their order."""
    return page.locator("#rows > .row[data-id]").evaluate_all("rows => rows.map(row => row.dataset.id)")


def row(page, item):
    """Returns the row of an item."""
    return page.locator(f'#rows > [role=row][data-id="{item}"]')


def expect_rows(page, wanted):
    """Waits until exactly these rows are on the screen."""
    page.wait_for_function(
        "wanted => JSON.stringify([...document.querySelectorAll('#rows > [role=row][data-id]')]"
        ".map(row => row.dataset.id)) === JSON.stringify(wanted)", arg=list(wanted))


def record_motion(page):
    """Records every animation that begins from now on: `[name, id of the row]`."""
    page.evaluate("""() => {
      globalThis.motion = [];
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (frames, options) {
        globalThis.motion.push([options.id, this.dataset.id ?? this.id, frames[0].transform ?? null]);
        return animate.call(this, frames, options);
      };
    }""")


def motion(page, name):
    """Returns the rows that moved in a way."""
    return page.evaluate("name => globalThis.motion.filter(one => one[0] === name).map(one => one[1])", name)
