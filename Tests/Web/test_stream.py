"""A stream over HTTP folds strictly to the list, through edits and lost connections."""

import http.client
import json
import os
import random

from test_nginx import TIMEOUT, Stream

ROUNDS = 60


def items(server, token):
    """Returns the ids and values of the list now."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=TIMEOUT)
    connection.request("GET", "/items", headers={"Authorization": f"Bearer {token}"})
    sections = json.loads(connection.getresponse().read())["sections"]
    connection.close()
    return [(item["id"], item["value"]) for section in sections for item in section["items"]]


def fold(known, line):
    """Returns the list after an update, applied by the rules of the stream."""
    known = list(known)
    changes = line["changes"]
    values = dict(known)
    for change in sorted((c for c in changes if c["op"] in ("delete", "move")), key=lambda c: -c["from"]["index"]):
        assert known.pop(change["from"]["index"])[0] == change["id"]
    for change in (c for c in changes if c["op"] in ("insert", "move")):
        known.insert(change["to"]["index"], (change["id"], change.get("value", values.get(change["id"]))))
    for change in (c for c in changes if c["op"] == "update"):
        assert known[change["to"]["index"]][0] == change["id"]
        known[change["to"]["index"]] = (change["id"], change["value"])
    assert len(known) == line["count"]
    return known


def test_stream_folds_to_the_list(serve, tmp_path):
    seed = int(os.environ.get("NOTES_WATCH_SEED", random.randrange(1 << 32)))
    print(f"NOTES_WATCH_SEED={seed}")
    generator = random.Random(seed)
    server = serve({"n0.yaml": "rating: 0\n"}, "--sort=-rating", "--token-file", str(tmp_path / "token"))
    token = (tmp_path / "token").read_text().strip()
    stream = Stream(server.port, token)
    snapshot = stream.next("snapshot")
    known = [(item["id"], item["value"]) for item in snapshot["sections"][0]["items"]]
    for _ in range(ROUNDS):
        for _ in range(generator.randint(1, 3)):
            path = server.folder / f"n{generator.randrange(30)}.yaml"
            if generator.randrange(4) == 0:
                path.unlink(missing_ok=True)
            else:
                server.write(path.name, f"rating: {generator.randrange(9)}\nname: {generator.choice('abc')}\n")
        if generator.randrange(4) == 0:
            stream.connection.close()
            stream = Stream(server.port, token, stream.position)
            assert stream.next("hello")["since"] == stream.position
        wanted = items(server, token)
        while known != wanted:
            known = fold(known, stream.next("update"))
    stream.connection.close()
