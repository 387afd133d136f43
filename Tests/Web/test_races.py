"""Answers that come late, and changes between two requests: nothing is lost or shown wrongly."""

import re

from conftest import edit, expect, expect_rows, opened, row


def hold(page, method, path):
    """Holds back the next request of a kind. Returns its route once it was made, to be continued."""
    held = []

    def handle(route):
        if route.request.method == method and not held:
            held.append(route)
        else:
            route.fallback()

    page.route(path, handle)
    return held


def until(page, condition):
    """Returns the first result of a condition that is true."""
    for _ in range(1_000):
        if result := condition():
            return result
        page.wait_for_timeout(10)
    raise AssertionError("It did not happen.")


def wait(page, held):
    """Waits for a request that is held back."""
    return until(page, lambda: held)[0]


def test_a_conflict_never_overwrites_a_version_that_was_not_shown(page, serve):
    server = serve({"ada.yaml": "name: Ada\n"})
    form = edit(page, server)
    form.get_by_label("name", exact=True).fill("Mine")
    # The second version comes between the refusal and the read of the item.
    held = hold(page, "PATCH", "**/item?id=ada")
    form.get_by_role("button", name="Save").click()
    route = wait(page, held)
    server.write("ada.yaml", "name: Second\n")
    answer = route.fetch()
    assert answer.status == 412
    server.write("ada.yaml", "name: Third\n")
    route.fulfill(response=answer)
    conflict = page.get_by_role("form", name="Conflict")
    expect(conflict).to_contain_text("Second")
    conflict.get_by_label("Yours").check()
    conflict.get_by_role("button", name="Save the choice").click()
    expect(page.get_by_role("form", name="Conflict")).to_contain_text("Third")
    assert server.read("ada.yaml") == "name: Third\n"


def test_a_save_after_a_restart_brings_back_no_field_that_was_deleted_meanwhile(page, serve):
    server = serve({"ada.yaml": "name: Ada\nmail: a\n"})
    form = edit(page, server)
    form.get_by_label("name", exact=True).fill("Mine")
    form.get_by_label("mail", exact=True).fill("mine")
    # The new server does not know the version that is edited here.
    server.restart()
    server.write("ada.yaml", "name: Theirs\n")
    page.context.new_page().goto(server.url())
    expect(page.locator("#connection")).to_have_attribute("data-state", "live", timeout=45_000)
    form.get_by_role("button", name="Save").click()
    conflict = page.get_by_role("form", name="Conflict")
    expect(conflict.get_by_role("group")).to_have_count(2)
    conflict.get_by_role("button", name="Save the choice").click()
    expect(conflict).to_have_count(0)
    assert server.read("ada.yaml") == "name: Theirs\n"


def test_a_conflict_of_many_fields_writes_none_that_was_not_shown(page, serve):
    before = "".join(f"f{number}: 0\n" for number in range(150))
    server = serve({"ada.yaml": before + "name: Ada\n"})
    form = edit(page, server)
    form.get_by_label("name", exact=True).fill("Mine")
    now = before.replace(": 0", ": 1") + "name: Theirs\n"
    held = hold(page, "PATCH", "**/item?id=ada")
    form.get_by_role("button", name="Save").click()
    route = wait(page, held)
    server.write("ada.yaml", now)
    route.fulfill(response=route.fetch())
    expect(form).to_contain_text("151 fields differ")
    expect(form.get_by_label("name", exact=True)).to_have_value("Mine")
    assert server.read("ada.yaml") == now


def test_an_undo_that_did_not_reach_the_server_can_be_made_again(page, serve):
    server = serve({"ada.yaml": "name: Ada\n"})
    form = edit(page, server)
    form.get_by_label("name", exact=True).fill("Grace")
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)
    page.route("**/undo", lambda route: route.abort())
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".toast")).to_contain_text("does not answer")
    page.unroute("**/undo")
    page.keyboard.press("u")
    expect(page.locator("[data-field=name]")).to_have_text("Ada")
    assert server.read("ada.yaml") == "name: Ada\n"


def test_undos_in_a_hurry_are_made_in_their_order(page, serve):
    server = serve({"ada.yaml": "name: Ada\n"})
    for name in ["First", "Second"]:
        form = edit(page, server) if name == "First" else page.get_by_role("form", name="Edit")
        form.get_by_label("name", exact=True).fill(name)
        form.get_by_role("button", name="Save").click()
        expect(form).to_have_count(0)
        if name == "First":
            page.click("#edit")
    held = hold(page, "POST", "**/undo")
    page.keyboard.press("u")
    page.keyboard.press("u")
    wait(page, held).continue_()
    expect(page.locator("[data-field=name]")).to_have_text("Ada")
    assert server.read("ada.yaml") == "name: Ada\n"


def test_only_a_deleted_item_counts_as_deleted(page, serve):
    server = serve({"ada.yaml": "name: Ada\n"})
    form = edit(page, server)
    form.get_by_label("name", exact=True).fill("Grace")
    page.route("**/item?id=ada", lambda route: route.fulfill(
        status=503, content_type="application/problem+json", body='{"status": 503, "detail": "git is busy"}'))
    with page.expect_response("**/item?id=ada"):
        server.write("ada.yaml", "name: Ada\nrating: 1\n")
    expect(form.get_by_label("name", exact=True)).to_have_value("Grace")
    expect(form.get_by_text("was deleted")).to_have_count(0)
    page.unroute("**/item?id=ada")
    (server.folder / "ada.yaml").unlink()
    expect(form.get_by_role("status")).to_contain_text("The item was deleted.")


def test_a_late_save_does_not_replace_another_item(page, serve):
    server = serve({"ada.yaml": "name: Ada\n", "bob.yaml": "name: Bob\n"})
    form = edit(page, server)
    form.get_by_label("name", exact=True).fill("Grace")
    held = hold(page, "PATCH", "**/item?id=ada")
    form.get_by_role("button", name="Save").click()
    wait(page, held)
    row(page, "bob").click()
    page.get_by_role("button", name="Discard").click()
    expect(page.locator("[data-field=name]")).to_have_text("Bob")
    page.click("#edit")
    form.get_by_label("name", exact=True).fill("Bobby")
    held[0].continue_()
    expect(page.locator(".toast")).to_contain_text("Saved")
    expect(page.locator("#detail h2")).to_have_text("Bob")
    expect(form.get_by_label("name", exact=True)).to_have_value("Bobby")
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)
    assert server.read("bob.yaml") == "name: Bobby\n"
    page.keyboard.press("u")
    expect(page.locator("[data-field=name]")).to_have_text("Bob")
    page.keyboard.press("u")
    # The id came beside the title when both differed.
    expect(row(page, "ada")).to_have_text(re.compile("^Ada(ada)?$"))
    assert server.read("ada.yaml") == "name: Ada\n"


def test_a_late_deletion_keeps_what_was_typed_meanwhile(page, serve):
    server = serve({"ada.yaml": "name: Ada\n"})
    opened(page, server, "/?id=ada")
    held = hold(page, "DELETE", "**/item?id=ada*")
    page.get_by_role("button", name="Delete").click()
    wait(page, held)
    page.click("#edit")
    form = page.get_by_role("form", name="Edit")
    form.get_by_label("name", exact=True).fill("Grace")
    held[0].continue_()
    expect(page.locator(".toast")).to_contain_text("Deleted ada.")
    expect(form.get_by_role("status")).to_contain_text("The item was deleted.")
    expect(form.get_by_label("name", exact=True)).to_have_value("Grace")


def test_the_key_for_editing_edits_its_own_item(page, serve):
    server = serve({"ada.yaml": "name: Ada\n", "bob.yaml": "name: Bob\n"})
    opened(page, server)
    held = hold(page, "GET", "**/item?id=ada")
    row(page, "ada").focus()
    page.keyboard.press("e")
    wait(page, held)
    row(page, "bob").click()
    expect(page.locator("[data-field=name]")).to_have_text("Bob")
    with page.expect_response("**/item?id=ada"):
        held[0].continue_()
    page.evaluate("() => new Promise(requestAnimationFrame)")
    expect(page.get_by_role("form", name="Edit")).to_have_count(0)


def test_the_marks_of_a_text_stay_and_a_text_that_is_not_utf8_is_not_rewritten(page, serve):
    server = serve({"ada.yaml": b"\xef\xbb\xbfname: Ada\r\n", "latin.yaml": "name: Andre\n"})
    opened(page, server, "/?id=ada")
    page.get_by_role("tab", name="File").click()
    page.get_by_role("button", name="Edit the text").click()
    area = page.get_by_role("textbox", name="The text of the file")
    area.fill(area.input_value().replace("Ada", "Grace"))
    page.get_by_role("button", name="Save").click()
    expect(area).to_have_count(0)
    assert (server.folder / "ada.yaml").read_bytes() == b"\xef\xbb\xbfname: Grace\r\n"
    (server.folder / "latin.yaml").write_bytes(b"name: Andr\xe9\n")
    expect(row(page, "latin").locator(".warning")).to_be_visible()
    row(page, "latin").click()
    page.get_by_role("tab", name="File").click()
    expect(page.locator("#part")).to_contain_text("The text is not UTF-8.")
    expect(page.get_by_role("button", name="Edit the text")).to_have_count(0)


def test_keys_before_all_is_loaded_act_on_no_other_element(page, serve):
    server = serve({"ada.yaml": "name: Ada\n", "bob.yaml": "name: Bob\n"})
    held = hold(page, "GET", "**/later/actions.js")
    page.goto(server.url())
    expect(row(page, "bob")).to_be_visible()
    wait(page, held)
    page.locator("#search").focus()
    page.keyboard.press("Delete")
    row(page, "ada").focus()
    page.keyboard.press("Delete")
    row(page, "bob").focus()
    held[0].continue_()
    page.wait_for_function("() => page.actions")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert sorted(path.name for path in server.folder.iterdir()) == ["ada.yaml", "bob.yaml"]


def test_a_click_on_a_part_of_the_item_before_does_no_harm(page, serve):
    server = serve({"ada.yaml": "name: Ada\n", "bob.yaml": "name: Bob\n"})
    opened(page, server, "/?id=ada")
    expect(page.locator("#edit")).to_be_visible()
    is_read, waiting = False, []
    page.route("**/item?id=bob", lambda route: route.continue_() if is_read else waiting.append(route))
    row(page, "bob").click()
    expect(row(page, "bob")).to_have_attribute("aria-selected", "true")
    page.click("#tab-source")
    is_read = True
    for route in waiting:
        route.continue_()
    expect(page.locator("#detail h2")).to_have_text("Bob")
    expect(page.locator("#detail .fields")).to_contain_text("Bob")


def test_a_refusal_that_comes_together_with_the_answer_after_it_is_gone(page, serve):
    page.add_init_script("""
      const fetched = fetch;
      const held = [];
      let isHeld = false;
      let out;
      globalThis.hold = () => { isHeld = true; };
      const bytes = () => Uint8Array.from(held.flatMap((piece) => [...piece]));
      globalThis.heldText = () => new TextDecoder().decode(bytes());
      globalThis.release = () => { isHeld = false; out.enqueue(bytes()); };
      globalThis.fetch = async (url, options) => {
        const response = await fetched(url, options);
        if (!String(url).startsWith("stream?")) return response;
        const body = response.body.pipeThrough(new TransformStream({
          transform(piece, to) { out = to; if (isHeld) held.push(piece); else to.enqueue(piece); },
        }));
        return new Response(body, response);
      };
    """)
    opened(page, serve("colors"))
    page.locator("#where").focus()
    page.keyboard.type("name =")
    expect(page.locator("#where")).to_have_attribute("aria-invalid", "true")
    page.evaluate("hold()")
    page.keyboard.type(" ")
    until(page, lambda: page.evaluate("heldText().includes('bad-view')"))
    page.keyboard.type("'navy'")
    until(page, lambda: page.evaluate("heldText().includes('#000080')"))
    page.evaluate("release()")
    expect_rows(page, ["navy"])
    expect(page.locator("#where")).not_to_have_attribute("aria-invalid", "true")
