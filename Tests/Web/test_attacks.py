"""Foreign pages in the same browser read nothing and write nothing."""

import http.server
import threading

import pytest

from conftest import chromium, expect, opened

files = {"ada.yaml": "name: Ada\nsecret: hunter2\n"}


class Foreign:
    """A web server of someone else, on another port of this machine."""

    def __init__(self):
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = outer.body.encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *words):
                pass

        self.body = "<!doctype html><title>foreign</title>"
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def foreign():
    instance = Foreign()
    yield instance
    instance.close()


attack = """async (target) => {
  const got = [];
  const attempt = async (name, run) => { try { const found = await run(); if (found) got.push(name + ': ' + found); } catch {} };
  const body = JSON.stringify({ id: 'evil', value: { name: 'evil' } });
  for (const mode of ['cors', 'no-cors']) for (const credentials of ['include', 'omit']) {
    await attempt('read ' + mode, async () => (await fetch(target + '/items', { mode, credentials })).text());
    for (const type of ['text/plain', 'application/json', 'application/x-www-form-urlencoded']) {
      await attempt('post ' + mode, async () => (await fetch(target + '/items', { method: 'POST', mode, credentials, body, headers: { 'Content-Type': type } })).text());
    }
    await attempt('delete', async () => (await fetch(target + '/item?id=ada', { method: 'DELETE', mode, credentials, headers: { 'If-Match': '*' } })).text());
  }
  await attempt('beacon', async () => { navigator.sendBeacon(target + '/items', new Blob([body], { type: 'text/plain' })); });
  const load = (tag, key, path) => attempt(tag, () => new Promise((resolve) => {
    const element = document.createElement(tag);
    element.onload = () => resolve(tag === 'iframe' ? element.contentDocument?.body?.textContent : 'loaded ' + path);
    element.onerror = () => resolve('');
    element[key] = target + path;
    document.body.append(element);
    setTimeout(() => resolve(''), 2000);
  }));
  await load('img', 'src', '/items');
  await load('script', 'src', '/items');
  await load('script', 'src', '/fields');
  await load('iframe', 'src', '/');
  await load('iframe', 'src', '/item?id=ada');
  await attempt('EventSource', () => new Promise((resolve) => {
    const source = new EventSource(target + '/stream', { withCredentials: true });
    source.onmessage = (event) => resolve(event.data);
    source.onerror = () => { source.close(); resolve(''); };
  }));
  for (const enctype of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    await new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.name = 'f' + Math.random();
      document.body.append(frame);
      const form = document.createElement('form');
      Object.assign(form, { method: 'POST', action: target + '/items', enctype, target: frame.name });
      const input = document.createElement('input');
      input.name = '{"id":"evil","value":{"a":"';
      input.value = '"}}';
      form.append(input);
      document.body.append(form);
      frame.onload = resolve;
      form.submit();
      setTimeout(resolve, 2000);
    });
  }
  return got;
}"""


def unharmed(server, got):
    assert not any("hunter2" in text for text in got), got
    assert not any(text.startswith(("read cors", "script", "img", "EventSource")) for text in got), got
    assert server.read("ada.yaml") == files["ada.yaml"]
    assert sorted(path.name for path in server.folder.iterdir()) == ["ada.yaml"]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_page_of_another_port_reads_and_writes_nothing(context, serve, foreign, host):
    server = serve(files)
    opened(context.new_page(), server)
    page = context.new_page()
    page.goto(f"http://{host}:{foreign.port}/")
    unharmed(server, page.evaluate(attack, server.origin))


def test_an_opaque_origin_reads_and_writes_nothing(context, serve, foreign):
    server = serve(files)
    opened(context.new_page(), server)
    foreign.body = "<!doctype html><iframe sandbox='allow-scripts allow-forms' srcdoc='<title>x</title><body>'></iframe>"
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{foreign.port}/")
    unharmed(server, page.frames[1].evaluate(attack, server.origin))


def test_a_rebound_name_reads_and_writes_nothing(playwright, serve):
    server = serve(files)
    browser = playwright.chromium.launch(
        executable_path=chromium, args=["--no-sandbox", "--host-resolver-rules=MAP evil.example 127.0.0.1"])
    context = browser.new_context()
    opened(context.new_page(), server)
    page = context.new_page()
    answer = page.goto(f"http://evil.example:{server.port}/")
    assert answer.status in (400, 403, 421)
    assert "hunter2" not in page.content()
    # The page may read the refusals, which are answers to its own name.
    got = page.evaluate(attack, f"http://evil.example:{server.port}")
    unharmed(server, [text for text in got if '"status":421' not in text])
    browser.close()


def test_a_link_from_elsewhere_opens_the_page_but_changes_nothing(context, serve, foreign):
    server = serve(files)
    opened(context.new_page(), server)
    foreign.body = f"<!doctype html><a href='{server.origin}/?search=ada'>the list</a>"
    page = context.new_page()
    page.goto(f"http://localhost:{foreign.port}/")
    page.click("a")
    expect(page.locator("body")).not_to_contain_text("hunter2")
    unharmed(server, [])
