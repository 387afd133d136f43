"""The connection: lost and regained, restarted servers, many tabs."""

import json
import pathlib
import signal
import socket
import threading
import time

from conftest import chromium, expect, expect_rows, opened, row

people = {"ada.yaml": "name: Ada\n", "bob.yaml": "name: Bob\n"}


def state(page):
    return page.locator("#connection")


class Proxy:
    """Passes connections on to a server, and can cut all of them."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.target = None
        self.sockets = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.target))
            self.sockets += [client, server]
            threading.Thread(target=self.copy, args=(client, server), daemon=True).start()
            threading.Thread(target=self.copy, args=(server, client), daemon=True).start()

    def copy(self, source, target):
        try:
            while data := source.recv(65_536):
                target.sendall(data)
        except OSError:
            pass
        finally:
            for one in (source, target):
                try:
                    one.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def cut(self):
        for one in self.sockets:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.sockets = []


def test_a_stopped_server_is_noticed_and_the_list_continues(page, serve):
    server = serve(people)
    opened(page, server)
    server.process.send_signal(signal.SIGSTOP)
    try:
        # The page's own deadline is two heartbeats: 30 s.
        expect(state(page)).not_to_have_attribute("data-state", "live", timeout=45_000)
        server.write("cleo.yaml", "name: Cleo\n")
    finally:
        server.process.send_signal(signal.SIGCONT)
    expect(state(page)).to_have_attribute("data-state", "live", timeout=45_000)
    expect_rows(page, ["ada", "bob", "cleo"])


def proxied(serve):
    """Starts a server behind a proxy. Returns the proxy, its origin and the server."""
    proxy = Proxy()
    origin = f"http://127.0.0.1:{proxy.port}"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = serve(people, "--origin", origin, port=port)
    proxy.target = server.port
    return proxy, origin, server


def test_a_lost_connection_is_regained(page, serve):
    proxy, origin, server = proxied(serve)
    page.goto(f"{origin}/session{server.url().split('/session')[1]}")
    expect(state(page)).to_have_attribute("data-state", "live")
    row(page, "bob").click()
    expect(page.locator("#detail h2")).to_have_text("Bob")
    for number in range(3):
        proxy.cut()
        server.write(f"c{number}.yaml", "name: Cleo\n")
        expect(page.locator("#counts")).to_have_text(f"{number + 3} items")
    expect(state(page)).to_have_attribute("data-state", "live")
    expect_rows(page, ["ada", "bob", "c0", "c1", "c2"])
    expect(page.locator("#detail h2")).to_have_text("Bob")
    proxy.listener.close()


def test_choices_that_could_not_be_loaded_come_with_the_next_connection(page, serve):
    proxy, origin, server = proxied(serve)
    page.route("**/fields", lambda route: route.abort())
    page.goto(f"{origin}/session{server.url().split('/session')[1]}")
    expect(state(page)).to_have_attribute("data-state", "live")
    page.wait_for_function("() => page.actions")
    expect(page.locator("#sort option[value=name]")).to_have_count(0)
    page.unroute("**/fields")
    proxy.cut()
    expect(page.locator("#sort option[value=name]")).to_have_count(1)
    proxy.listener.close()


def test_a_page_left_open_over_a_restart_goes_on(page, serve):
    server = serve(people)
    opened(page, server)
    server.restart()
    server.write("cleo.yaml", "name: Cleo\n")
    expect_rows(page, ["ada", "bob", "cleo"])
    server.restart()
    page.reload()
    expect(state(page)).to_have_attribute("data-state", "live")


def test_a_page_whose_session_ended_says_what_to_do(page, serve):
    server = serve(people)
    opened(page, server)
    server.stop()
    [sessions] = pathlib.Path(server.runtime).glob("notes-watch/*/serve-*.sessions")
    assert sessions.stat().st_mode & 0o777 == 0o600
    sessions.unlink()
    server.start(server.port)
    expect(state(page).locator(".word")).to_have_text(
        f"Signed out. Run `notes-watch serve --url --listen 127.0.0.1:{server.port}` and open the address that it prints.")
    assert row(page, "ada").is_visible()
    page.context.new_page().goto(server.url())
    expect(state(page)).to_have_attribute("data-state", "live")
    server.write("cleo.yaml", "name: Cleo\n")
    expect_rows(page, ["ada", "bob", "cleo"])


def test_another_folder_at_the_same_address_has_its_own_page(page, serve):
    server = serve(people)
    opened(page, server)
    server.stop()
    other = serve({"xenia.yaml": "name: Xenia\n"}, name="other", port=server.port)
    expect(state(page)).to_contain_text("Signed out")
    page.context.new_page().goto(other.url())
    expect(page.locator("h1")).to_have_text(str(other.folder))
    expect_rows(page, ["xenia"])


def test_unsaved_changes_of_another_folder_stay(context, serve):
    page, other = context.new_page(), context.new_page()
    server = serve({"ada.yaml": "name: Ada\n"})
    opened(page, server, "/?id=ada")
    page.click("#edit")
    page.get_by_label("name", exact=True).fill("Grace")
    page.on("dialog", lambda dialog: dialog.dismiss())
    other.goto(server.origin + "/")
    expect_rows(other, ["ada"])
    server.stop()
    second = serve({"bob.yaml": "name: Bob\n"}, name="second", port=server.port)
    new = context.new_page()
    opened(new, second)
    expect(state(page)).to_have_attribute("data-state", "outdated")
    expect(state(page)).to_contain_text("Reload the page.")
    expect_rows(page, ["ada"])
    expect(page.get_by_label("name", exact=True)).to_have_value("Grace")
    second.write("cleo.yaml", "name: Cleo\n")
    expect_rows(new, ["bob", "cleo"])
    expect_rows(other, ["bob", "cleo"])
    expect_rows(page, ["ada"])


def test_a_gone_server_is_counted_down(page, serve):
    server = serve(people)
    opened(page, server)
    server.stop()
    expect(state(page)).to_contain_text("Again in")
    expect(state(page)).to_contain_text("The server is gone.", timeout=30_000)


def test_what_is_loaded_after_the_first_list_is_tried_again(page, serve):
    server = serve(people)
    page.route("**/assets/later/*", lambda route: route.abort())
    opened(page, server)
    expect(state(page).locator(".word")).to_have_text("Live, but a part of the page could not be loaded. Reload the page.")
    page.fill("#search", "bob")
    expect_rows(page, ["bob"])
    page.unroute("**/assets/later/*")
    page.locator("#more").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(state(page).locator(".word")).to_have_text("Live")


def test_without_a_connection_everything_is_loaded_already(page, serve):
    server = serve(people)
    opened(page, server)
    page.wait_for_function("() => page.actions")
    server.stop()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    row(page, "bob").click()
    expect(page.locator("#detail .notice")).to_have_text("The server does not answer.")
    page.locator("#detail .close").click()
    page.keyboard.press("n")
    page.locator("#new-id").fill("eve")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("alert").filter(has_text="The server does not answer")).to_be_visible()


def test_twelve_tabs_are_all_live_on_one_stream(context, serve):
    server = serve(people)
    first = opened(context.new_page(), server)
    pages = [first] + [context.new_page() for _ in range(11)]
    for number, page in enumerate(pages[1:], 1):
        page.goto(f"{server.origin}/?search={'ada' if number % 2 else 'bob'}")
    for page in pages[1:]:
        expect(state(page)).to_have_attribute("data-state", "live")
        expect(page.locator("#counts")).to_contain_text("1 of 2 items")
    assert [page.evaluate("globalThis.page.link.leads") for page in pages] == [True] + [False] * 11
    server.write("both.yaml", "name: Ada and Bob\n")
    for number, page in enumerate(pages):
        expect(page.locator("#counts")).to_contain_text("2 of 3 items" if number > 0 else "3 items")
    # Another tab takes over, and every tab continues.
    first.close()
    server.write("both2.yaml", "name: Bob and Ada\n")
    for page in pages[1:]:
        expect(page.locator("#counts")).to_contain_text("3 of 4 items")
    assert sum(page.evaluate("globalThis.page.link.leads") for page in pages[1:]) == 1


class Tab:
    """A tab that can be frozen: Playwright keeps its own pages visible, and they are never frozen."""

    def __init__(self, browser, url):
        self.session = browser.new_browser_cdp_session()
        self.answers = {}
        self.session.on("Target.receivedMessageFromTarget", self.receive)
        self.target = self.session.send("Target.createTarget", {"url": url})["targetId"]
        self.tab = self.session.send("Target.attachToTarget", {"targetId": self.target, "flatten": False})["sessionId"]

    def receive(self, event):
        message = json.loads(event["message"])
        self.answers[message.get("id")] = message.get("result")

    def send(self, method, **parameters):
        self.answers.clear()
        message = json.dumps({"id": 1, "method": method, "params": parameters})
        self.session.send("Target.sendMessageToTarget", {"sessionId": self.tab, "message": message})
        while 1 not in self.answers:
            self.session.send("Browser.getVersion")
        return self.answers[1]

    def value(self, expression):
        # There is no result while the tab loads another page.
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True) or {}
        return answer.get("result", {}).get("value")

    def freeze(self, frozen):
        self.send("Page.setWebLifecycleState", state="frozen" if frozen else "active")

    def wait_for(self, expression, wanted):
        """Waits until an expression has a value."""
        end = time.monotonic() + 15
        while (found := self.value(expression)) != wanted:
            assert time.monotonic() < end, (expression, found)

    def wait_for_rows(self, *wanted):
        self.wait_for("[...document.querySelectorAll('#rows > .row[data-id]')].map(row => row.dataset.id).join()", ",".join(wanted))

    def close(self):
        self.session.send("Target.closeTarget", {"targetId": self.target})


def test_frozen_tabs_are_live_again(browser, serve):
    server = serve(people)
    tabs = [Tab(browser, server.url())]
    try:
        tabs[0].wait_for_rows("ada", "bob")
        tabs.append(Tab(browser, f"{server.origin}/"))
        leader, other = tabs
        other.wait_for_rows("ada", "bob")
        leader.wait_for("page.link.leads", True)
        # The tab that reads the stream is frozen: the other one takes over.
        leader.freeze(True)
        other.wait_for("page.link.leads", True)
        server.write("cleo.yaml", "name: Cleo\n")
        other.wait_for_rows("ada", "bob", "cleo")
        leader.freeze(False)
        leader.wait_for_rows("ada", "bob", "cleo")
        # A tab that was frozen while another one reads the stream continues too.
        leader.freeze(True)
        server.write("dora.yaml", "name: Dora\n")
        other.wait_for_rows("ada", "bob", "cleo", "dora")
        leader.freeze(False)
        leader.wait_for_rows("ada", "bob", "cleo", "dora")
        server.write("eve.yaml", "name: Eve\n")
        for tab in tabs:
            tab.wait_for_rows("ada", "bob", "cleo", "dora", "eve")
            tab.wait_for("document.getElementById('connection').dataset.state", "live")
    finally:
        for tab in tabs:
            tab.close()


def test_another_tab_takes_over_from_one_that_is_stuck(context, serve):
    server = serve(people)
    leader = opened(context.new_page(), server)
    other = context.new_page()
    other.clock.install()
    other.goto(f"{server.origin}/")
    expect_rows(other, ["ada", "bob"])
    leader.evaluate("() => { setTimeout(() => { for (const end = Date.now() + 8_000; Date.now() < end;); }, 100); }")
    other.wait_for_timeout(200)
    other.clock.fast_forward("01:00")
    other.wait_for_function("() => page.link.leads")
    server.write("cleo.yaml", "name: Cleo\n")
    for page in [other, leader]:
        expect_rows(page, ["ada", "bob", "cleo"])
    # The first one noticed that it lost the lock, and follows.
    leader.wait_for_function("() => !page.link.leads")
    server.write("dora.yaml", "name: Dora\n")
    for page in [other, leader]:
        expect_rows(page, ["ada", "bob", "cleo", "dora"])


def test_a_page_from_the_cache_of_the_browser_is_live_again(playwright, serve):
    server = serve(people)
    browser = playwright.chromium.launch(
        executable_path=chromium, args=["--no-sandbox"], ignore_default_args=["--disable-back-forward-cache"])
    try:
        page = browser.new_page()
        page.add_init_script("addEventListener('pageshow', (event) => { globalThis.wasCached = event.persisted; });")
        opened(page, server)
        page.evaluate("location.href = '/plain'")
        page.wait_for_url("**/plain")
        server.write("cleo.yaml", "name: Cleo\n")
        page.evaluate("history.back()")
        page.wait_for_function("() => globalThis.wasCached")
        expect_rows(page, ["ada", "bob", "cleo"])
        expect(state(page)).to_have_attribute("data-state", "live")
    finally:
        browser.close()


def test_without_web_locks_a_tab_has_its_own_stream(context, serve):
    server = serve(people)
    context.add_init_script("Object.defineProperty(Navigator.prototype, 'locks', { value: undefined }); delete Navigator.prototype.locks;")
    page = opened(context.new_page(), server)
    server.write("cleo.yaml", "name: Cleo\n")
    expect_rows(page, ["ada", "bob", "cleo"])


def test_back_from_another_page_is_live_again(page, serve):
    server = serve(people)
    opened(page, server)
    page.goto(f"{server.origin}/plain")
    server.write("cleo.yaml", "name: Cleo\n")
    page.go_back()
    expect(state(page)).to_have_attribute("data-state", "live")
    expect_rows(page, ["ada", "bob", "cleo"])
