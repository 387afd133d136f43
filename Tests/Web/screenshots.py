"""Writes the pictures of docs/serve.md, from the sample data: `screenshots.py FOLDER`."""

import pathlib
import shutil
import sys
import tempfile

from playwright.sync_api import expect, sync_playwright

from conftest import Server, chromium, opened, root, row


def make_light(page, server):
    """A list with sections, and an item."""
    opened(page, server, "/?view=by-project&id=home%2Fcall-electrician")
    expect(page.locator("#detail .fields")).to_be_visible()


def make_dark(page, server):
    """A change has just arrived."""
    opened(page, server, "/?view=top-10")
    name = page.locator("#rows > .row").nth(4).get_attribute("data-id")
    path = next(server.folder.glob(f"{name}.*"))
    text = path.read_text()
    server.write(path.relative_to(server.folder), text.replace("priority: 4", "priority: 5").replace("priority: 3", "priority: 5"))
    expect(row(page, name)).to_contain_text("→")
    page.evaluate("document.getAnimations().filter(one => one.id !== 'highlight').forEach(one => one.finish())")


def make_phone(page, server):
    """The same list on a phone."""
    opened(page, server, "/?view=by-project")


pictures = {
    "serve-light": (make_light, {"viewport": {"width": 1120, "height": 640}}),
    "serve-dark": (make_dark, {"viewport": {"width": 1120, "height": 520}, "color_scheme": "dark"}),
    "serve-phone": (make_phone, {"viewport": {"width": 360, "height": 640}, "device_scale_factor": 2}),
}


def main(folder):
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as copies:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, (make, options) in pictures.items():
            data = pathlib.Path(copies) / name / "todos"
            shutil.copytree(root / "SampleData/todos", data)
            server = Server("todos", cwd=data.parent)
            context = browser.new_context(locale="en-GB", **options)
            try:
                page = context.new_page()
                make(page, server)
                page.screenshot(path=pathlib.Path(folder) / f"{name}.png")
            finally:
                context.close()
                server.close()
        browser.close()


if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    main(sys.argv[1])
