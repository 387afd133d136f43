"""The editors keep what they cannot hold: a save writes only what someone edited."""

import json

from conftest import edit, expect, opened, save


def test_fields_that_nobody_edited_stay(page, serve):
    text = "name: Ada\ntags: [new, '', old]\ndue: '2026-02-31'\nborn: '0000-01-01'\nnothing:\n"
    server = serve({"ada.yaml": text})
    form = edit(page, server, "ada")
    form.get_by_label("name", exact=True).fill("Grace")
    save(form)
    assert server.read("ada.yaml") == text.replace("Ada", "Grace")


def test_line_ends_in_values_stay(page, serve):
    fields = {"name": "Ada", "old": "one\rtwo", "new": "one\r\ntwo\r\nthree", "list": ["a\rb", "c"]}
    server = serve({"ada.json": json.dumps(fields)})
    form = edit(page, server, "ada")
    form.get_by_label("name", exact=True).fill("Grace")
    form.get_by_label("new", exact=True).fill("one\n2\nthree\n")
    save(form)
    assert json.loads(server.read("ada.json")) == {**fields, "name": "Grace", "new": "one\r\n2\r\nthree\r\n"}


def test_line_ends_of_a_file_stay(page, serve):
    text = b"---\r\ntitle: Ada\r\nrating: 1\r\n---\r\nfirst\nsecond\r\n"
    server = serve({"ada.md": text})
    form = edit(page, server, "ada")
    form.get_by_label("title", exact=True).fill("Grace")
    save(form)
    text = text.replace(b"Ada", b"Grace")
    assert (server.folder / "ada.md").read_bytes() == text
    page.get_by_role("tab", name="File").click()
    page.get_by_role("button", name="Edit the text").click()
    area = page.get_by_role("textbox", name="The text of the file")
    area.fill(area.input_value() + "third\n")
    page.get_by_role("button", name="Save").click()
    expect(area).to_have_count(0)
    assert (server.folder / "ada.md").read_bytes() == text + b"third\r\n"


def test_a_new_number_needs_digits(page, serve):
    server = serve({"ada.yaml": "name: Ada\n"})
    form = edit(page, server, "ada")
    form.get_by_label("Name of a new field").fill("rating")
    form.get_by_label("Type of the new field").select_option("Number")
    form.get_by_role("button", name="Add field").click()
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_role("alert")).to_have_text("Write a number, such as 8 or 2.5.")
    assert server.read("ada.yaml") == "name: Ada\n"
    form.get_by_label("rating", exact=True).fill("7.50")
    save(form)
    assert server.read("ada.yaml") == "name: Ada\nrating: 7.50\n"


def test_an_infinite_number_stays_a_number(page, serve):
    server = serve({"ada.yaml": "name: Ada\nrating: .inf\n"})
    form = edit(page, server, "ada")
    form.get_by_label("name", exact=True).fill("Grace")
    save(form)
    assert server.read("ada.yaml") == "name: Grace\nrating: .inf\n"
    page.click("#edit")
    form.get_by_label("rating", exact=True).fill("7")
    save(form)
    assert server.read("ada.yaml") == "name: Grace\nrating: 7\n"


def test_a_mistake_in_a_text_is_named_with_its_line(page, serve):
    server = serve({"ada.yaml": "name: Ada\n"})
    opened(page, server, "/?id=ada")
    page.get_by_role("tab", name="File").click()
    page.get_by_role("button", name="Edit the text").click()
    page.get_by_role("textbox", name="The text of the file").fill("name: Ada\ntags: [\n")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#source-error")).to_contain_text("Line 2, column 7: This list is not closed.")


def test_a_save_of_a_deleted_item_says_so(page, serve):
    server = serve({"ada.yaml": "name: Ada\n", "eve.yaml": "name: Eve\n"})
    form = edit(page, server, "ada")
    form.get_by_label("name", exact=True).fill("Grace")
    (server.folder / "ada.yaml").unlink()
    expect(form.get_by_role("status")).to_contain_text("was deleted")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_role("alert")).to_have_text("The item was deleted meanwhile. Copy your changes and add it again.")


def test_lists_of_markdown_have_long_and_nested_items(page, serve):
    server = serve({"ada.md": "- one\n  goes on\n  - inner\n    1. deep\n- two\n\nText\n\n1. first\n2. second\nlazy\n"})
    opened(page, server, "/?id=ada")
    body = page.locator(".markdown")
    expect(body.locator(":scope > ul > li")).to_have_count(2)
    expect(body.locator(":scope > ul > li > ul > li > ol > li")).to_have_text("deep")
    expect(body.locator(":scope > ol > li")).to_have_text(["first", "second\nlazy"])
    expect(body.locator(":scope > p")).to_have_text("Text")
