"""nginx with its default buffering in front of the program delays no event of a stream."""

import http.client
import json
import os
import shutil
import socket
import subprocess

import pytest

# What nginx buffers by default would not arrive at all: an event is far smaller than its buffers.
TIMEOUT = 10
SAVES = 20


def free_port():
    """Returns a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def nginx(tmp_path):
    """Starts nginx on a listening socket, in front of a port."""
    processes = []

    def start(listener, upstream):
        port = listener.getsockname()[1]
        folder = tmp_path / "nginx"
        folder.mkdir()
        paths = "".join(f"{name}_temp_path {folder}/{name}; " for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (folder / "nginx.conf").write_text(
            f"daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_processes 1;\n"
            "events { worker_connections 64; }\n"
            f"http {{ access_log off; {paths}\n"
            f"  server {{ listen 127.0.0.1:{port};\n"
            f"    location / {{ proxy_pass http://127.0.0.1:{upstream}; proxy_http_version 1.1;\n"
            "      proxy_set_header Host $http_host; proxy_set_header Connection \"\"; } } }\n")
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        # nginx gets a socket that listens already, so that no client comes too early.
        processes.append(subprocess.Popen(
            [program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")],
            env={**os.environ, "NGINX": f"{listener.fileno()};"}, pass_fds=[listener.fileno()]))
        listener.close()

    yield start
    for process in processes:
        process.terminate()
        process.wait(timeout=10)


class Stream:
    """A stream of server-sent events."""

    def __init__(self, port, token, position=None):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
        headers = {"Authorization": f"Bearer {token}"}
        if position:
            headers["Last-Event-ID"] = position
        self.connection.request("GET", "/stream", headers=headers)
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200
        self.position = position

    def next(self, kind):
        """Waits for the next line of a type."""
        while True:
            line = self.answer.readline().decode().rstrip("\n")
            assert not self.answer.isclosed()
            if line.startswith("id: "):
                self.position = line[4:]
            if line.startswith("data: ") and json.loads(line[6:])["type"] == kind:
                return json.loads(line[6:])


def test_nginx_delays_no_event(serve, nginx, tmp_path):
    listener, back = socket.create_server(("127.0.0.1", 0)), free_port()
    front = listener.getsockname()[1]
    server = serve(
        {"ada.yaml": "rating: 0\n"}, "--origin", f"http://127.0.0.1:{front}", "--token-file", str(tmp_path / "token"), port=back)
    nginx(listener, back)
    token = (tmp_path / "token").read_text().strip()
    stream = Stream(front, token)
    assert stream.next("snapshot")["count"] == 1
    for number in range(1, SAVES + 1):
        server.write("ada.yaml", f"rating: {number}\n")
        assert stream.next("update")["changes"][0]["value"] == {"rating": number}
    stream.connection.close()
    server.write("bob.yaml", "rating: 1\n")
    again = Stream(front, token, stream.position)
    assert again.next("hello")["since"] == stream.position
    assert again.next("update")["changes"][0]["id"] == "bob"
    again.connection.close()
