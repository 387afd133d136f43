"""The connection: lost and regained, restarted servers, many tabs."""

import signal
import socket
import threading

from conftest import expect, expect_rows, opened, row

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


def test_a_lost_connection_is_regained(page, serve):
    proxy = Proxy()
    origin = f"http://127.0.0.1:{proxy.port}"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = serve(people, "--origin", origin, port=port)
    proxy.target = server.port
    page.goto(f"{origin}/session{server.url().split('/session')[1]}")
    expect(state(page)).to_have_attribute("data-state", "live")
    row(page, "bob").click()
    expect(page.locator("#detail h2")).to_have_text("bob")
    for number in range(3):
        proxy.cut()
        server.write(f"c{number}.yaml", "name: Cleo\n")
        expect(page.locator("#counts")).to_have_text(f"{number + 3} items")
    expect(state(page)).to_have_attribute("data-state", "live")
    expect_rows(page, ["ada", "bob", "c0", "c1", "c2"])
    expect(page.locator("#detail h2")).to_have_text("bob")
    proxy.listener.close()


def test_a_page_left_open_over_a_restart_says_what_to_do(page, serve):
    server = serve(people)
    opened(page, server)
    server.restart()
    expect(state(page)).to_contain_text(f"notes-watch serve --url --listen 127.0.0.1:{server.port}")
    assert row(page, "ada").is_visible()
    page.context.new_page().goto(server.url())
    page.get_by_role("button", name="Retry now").click()
    expect(state(page)).to_have_attribute("data-state", "live")
    server.write("cleo.yaml", "name: Cleo\n")
    expect_rows(page, ["ada", "bob", "cleo"])


def test_a_gone_server_is_counted_down(page, serve):
    server = serve(people)
    opened(page, server)
    server.stop()
    expect(state(page)).to_contain_text("Again in")
    expect(state(page)).to_contain_text("The server is gone.", timeout=30_000)


def test_twelve_tabs_are_all_live_on_one_stream(context, serve):
    server = serve(people)
    first = opened(context.new_page(), server)
    pages = [first] + [context.new_page() for _ in range(11)]
    for number, page in enumerate(pages[1:], 1):
        page.goto(f"{server.origin}/?search={'ada' if number % 2 else 'bob'}")
    for page in pages[1:]:
        expect(state(page)).to_have_attribute("data-state", "live")
        expect(page.locator("#counts")).to_have_text("1 of 2 items")
    assert [page.evaluate("globalThis.page.link.leads") for page in pages] == [True] + [False] * 11
    server.write("both.yaml", "name: Ada and Bob\n")
    for number, page in enumerate(pages):
        expect(page.locator("#counts")).to_have_text("2 of 3 items" if number > 0 else "3 items")
    # Another tab takes over, and every tab continues.
    first.close()
    server.write("both2.yaml", "name: Bob and Ada\n")
    for page in pages[1:]:
        expect(page.locator("#counts")).to_have_text("3 of 4 items")
    assert sum(page.evaluate("globalThis.page.link.leads") for page in pages[1:]) == 1


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
