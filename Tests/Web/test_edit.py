"""The item: its fields with their editors, its file, its history, conflicts, undo."""

import subprocess

import pytest

from conftest import edit, expect, expect_rows, opened, row, save

item = """# A comment that stays.
name: Ada
rating: 9.50
done: false
born: 1990-05-09
tags: [new, old]
note: "A long text that is longer than eighty characters, so that it gets an editor of several lines."
address:
  city: London
"""


def test_each_type_has_its_editor_and_only_that_field_is_written(page, serve):
    server = serve({"ada.yaml": item})
    form = edit(page, server)
    form.get_by_label("name", exact=True).fill("Ada L.")
    form.get_by_label("rating", exact=True).fill("10.250")
    form.get_by_label("done", exact=True).check()
    form.get_by_label("born", exact=True).fill("1991-01-02")
    form.get_by_label("tags", exact=True).fill("new\nlonger")
    form.get_by_label("note", exact=True).fill("Short")
    save(form)
    expect(page.locator("[data-field=rating]")).to_have_text("10.250")
    expect(row(page, "ada")).to_contain_text("Ada L.")
    text = server.read("ada.yaml")
    for line in ["# A comment that stays.", "name: Ada L.", "rating: 10.250", "done: true", "born: 1991-01-02", "  city: London"]:
        assert line in text.split("\n"), text
    assert "longer" in text and "old" not in text
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-field=rating]")).to_have_text("9.50")
    assert server.read("ada.yaml") == item
    page.keyboard.press("U")
    expect(page.locator("[data-field=rating]")).to_have_text("10.250")


def test_a_text_in_a_number_is_refused_at_its_field(page, serve):
    server = serve({"ada.yaml": item})
    form = edit(page, server)
    form.get_by_label("rating", exact=True).fill("many")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_role("alert")).to_contain_text("`many` is not a number")
    expect(form.get_by_label("rating", exact=True)).to_be_focused()
    assert server.read("ada.yaml") == item


def test_fields_are_added_and_removed(page, serve):
    server = serve({"ada.yaml": "name: Ada\nrating: 7\n"})
    form = edit(page, server)
    form.get_by_role("button", name="Remove the field rating").click()
    form.get_by_label("Name of a new field").fill("born")
    form.get_by_label("Type of the new field").select_option("date")
    form.get_by_role("button", name="Add field").click()
    form.get_by_label("born", exact=True).fill("2001-02-03")
    save(form)
    expect(page.locator("[data-field=born]")).to_have_text("2001-02-03")
    assert server.read("ada.yaml") == 'name: Ada\nborn: "2001-02-03"\n'


def test_a_new_field_is_not_lost(page, serve):
    server = serve({"ada.yaml": "name: Ada\n"})
    form = edit(page, server)
    form.get_by_label("Name of a new field").fill("city")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_role("alert")).to_contain_text("Press “Add field” to add city")
    form.get_by_label("Name of a new field").press("Enter")
    expect(form.get_by_label("city", exact=True)).to_be_focused()
    form.get_by_label("city", exact=True).fill("London")
    save(form)
    assert server.read("ada.yaml") == "name: Ada\ncity: London\n"


def test_other_fields_are_merged(page, serve):
    server = serve({"ada.yaml": "name: Ada\nrating: 7\n"})
    form = edit(page, server)
    form.get_by_label("name", exact=True).fill("Ada L.")
    server.write("ada.yaml", "name: Ada\nrating: 8\n")
    expect(form.get_by_role("status")).to_contain_text("rating is now 8")
    expect(form.get_by_label("name", exact=True)).to_have_value("Ada L.")
    save(form)
    assert server.read("ada.yaml") == "name: Ada L.\nrating: 8\n"


def test_a_conflict_has_a_choice_by_field(page, serve):
    server = serve({"ada.yaml": "name: Ada\nrating: 7\n"})
    form = edit(page, server)
    form.get_by_label("name", exact=True).fill("Ada mine")
    form.get_by_label("rating", exact=True).fill("70")
    server.write("ada.yaml", "name: Ada theirs\nrating: 8\n")
    expect(form.get_by_role("status")).to_be_visible()
    form.get_by_role("button", name="Save").click()
    conflict = page.get_by_role("form", name="Conflict")
    name = conflict.get_by_role("group", name="name")
    expect(name).to_contain_text("Before Ada")
    expect(name).to_contain_text("Ada theirs")
    expect(name).to_contain_text("Ada mine")
    conflict.get_by_role("group", name="rating").get_by_label("Yours").check()
    conflict.get_by_role("button", name="Save the choice").click()
    expect(conflict).to_have_count(0)
    expect(page.locator("[data-field=rating]")).to_have_text("70")
    assert server.read("ada.yaml") == "name: Ada theirs\nrating: 70\n"


def test_a_conflict_asks_only_about_fields_that_both_changed(page, serve):
    server = serve({"ada.yaml": "name: Ada\nmail: a\nrating: 7\ntags: [x, y]\n"})
    form = edit(page, server)
    form.get_by_label("Name of a new field").fill("new")
    form.get_by_role("button", name="Add field").click()
    form.get_by_label("new", exact=True).fill("field")
    form.get_by_label("name", exact=True).fill("Ada mine")
    form.get_by_label("mail", exact=True).fill("mine")
    form.get_by_label("tags", exact=True).fill("x\ny\nmine")
    server.write("ada.yaml", "name: Ada theirs\nmail: a\nrating: 8\ntags: [x, y]\n")
    expect(form.get_by_role("status")).to_be_visible()
    form.get_by_role("button", name="Save").click()
    conflict = page.get_by_role("form", name="Conflict")
    expect(conflict.get_by_role("group")).to_have_count(1)
    expect(conflict.get_by_role("group", name="name")).to_be_visible()
    conflict.get_by_role("button", name="Save the choice").click()
    expect(conflict).to_have_count(0)
    expect(page.locator("[data-field=mail]")).to_have_text("mine")
    assert server.read("ada.yaml") == "name: Ada theirs\nmail: mine\nrating: 8\ntags: [x, y, mine]\nnew: field\n"


def test_unsaved_edits_survive_a_restart_and_warn(page, serve):
    server = serve({"ada.yaml": "name: Ada\nrating: 7\n"})
    form = edit(page, server)
    form.get_by_label("name", exact=True).fill("Ada L.")
    server.restart()
    expect(page.locator("#connection")).to_have_attribute("data-state", "live", timeout=45_000)
    expect(form.get_by_label("name", exact=True)).to_have_value("Ada L.")
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page.get_by_role("alertdialog", name="Discard the changes?")).to_be_visible()
    page.keyboard.press("Escape")
    expect(form.get_by_label("name", exact=True)).to_have_value("Ada L.")


def test_after_a_save_the_pane_stays_where_it_was(page, serve):
    text = "".join(f"field{number}: value {number}\n" for number in range(60))
    server = serve({"ada.yaml": text})
    form = edit(page, server)
    form.get_by_label("field1", exact=True).fill("first")
    page.keyboard.press("Control+Enter")
    expect(form).to_have_count(0)
    assert page.locator("#detail").evaluate("pane => pane.scrollTop") == 0
    page.click("#edit")
    form = page.get_by_role("form", name="Edit")
    form.get_by_label("field30", exact=True).fill("middle")
    page.keyboard.press("Control+Enter")
    expect(form).to_have_count(0)
    field = page.locator("dd[data-field=field30]")
    expect(field).to_have_text("middle")
    expect(field).to_be_in_viewport()


def test_a_question_blocks_no_other_tab_and_gives_the_focus_back(page, serve):
    server = serve({"ada.yaml": "name: Ada\n", "bob.yaml": "name: Bob\n"})
    form = edit(page, server)
    other = page.context.new_page()
    other.goto(f"{server.origin}/")
    # A tab in the background draws no frames, and a dialog reports that it was closed with a frame.
    page.bring_to_front()
    form.get_by_label("name", exact=True).fill("Ada L.")
    page.keyboard.press("Escape")
    question = page.get_by_role("alertdialog", name="Discard the changes?")
    expect(question.get_by_role("button", name="Keep editing")).to_be_focused()
    # The tab with the question reads the stream for the other one.
    server.write("cleo.yaml", "name: Cleo\n")
    expect_rows(other, ["ada", "bob", "cleo"])
    page.keyboard.press("Enter")
    expect(page.locator("dialog:not(#fields)")).to_have_count(0)
    expect(form.get_by_label("name", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect(question).to_be_visible()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(form).to_have_count(0)
    expect(page.locator("[data-field=name]")).to_have_text("Ada")
    page.wait_for_function("() => document.activeElement.id === 'edit'")
    assert server.read("ada.yaml") == "name: Ada\n"


def test_back_stays_at_unsaved_changes(page, serve):
    server = serve({"ada.yaml": "name: Ada\n", "bob.yaml": "name: Bob\n"})
    opened(page, server)
    row(page, "bob").click()
    expect(page.locator("#detail h2")).to_have_text("Bob")
    row(page, "ada").click()
    expect(page.locator("#detail h2")).to_have_text("Ada")
    page.click("#edit")
    page.locator("#field-name").fill("Ada L.")
    page.evaluate("history.back()")
    page.get_by_role("button", name="Keep editing").click()
    expect(page).to_have_url(f"{server.origin}/?id=ada")
    expect(page.locator("#field-name")).to_have_value("Ada L.")
    page.evaluate("history.back()")
    page.get_by_role("button", name="Discard").click()
    expect(page.locator("#detail h2")).to_have_text("Bob")


def test_a_change_between_the_read_and_the_stream_of_an_item_is_shown(page, serve):
    server = serve({"ada.yaml": "name: Ada\n"})
    opened(page, server)
    held = []
    page.route("**/stream/views", lambda route: held.append(route))
    row(page, "ada").click()
    expect(page.locator("[data-field=name]")).to_have_text("Ada")
    server.write("ada.yaml", "name: Grace\n")
    expect(row(page, "ada")).to_contain_text("Grace")
    assert len(held) == 1
    held[0].continue_()
    expect(page.locator("[data-field=name]")).to_have_text("Grace")


def test_items_are_added(page, serve):
    server = serve({"ada.yaml": "name: Ada\nrating: 7\n"})
    opened(page, server)
    page.keyboard.press("n")
    form = page.get_by_role("form", name="New item")
    form.get_by_label("Id").fill("friends/bob")
    form.get_by_label("Value of name").fill("Bob")
    form.get_by_label("Value of rating").fill("8.0")
    form.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator("#detail h2")).to_have_text("Bob")
    expect(page.locator("#detail .path")).to_have_text("friends/bob.yaml")
    expect_rows(page, ["ada", "friends/bob"])
    assert server.read("friends/bob.yaml") == "name: Bob\nrating: 8.0\n"
    page.keyboard.press("n")
    form.get_by_label("Id").fill("ada")
    form.get_by_role("button", name="Add", exact=True).click()
    expect(form.get_by_role("alert")).to_contain_text("There is already an item")
    assert server.read("ada.yaml") == "name: Ada\nrating: 7\n"


def test_a_new_item_has_the_types_of_the_others(page, serve):
    text = "title: \"1984\"\ntags: [a, b]\ndue: 2026-11-01\nrating: 3\n"
    server = serve({"a.yaml": text, "b.yaml": text, "c.yaml": "tags: one\n"})
    opened(page, server)
    page.keyboard.press("n")
    form = page.get_by_role("form", name="New item")
    form.get_by_label("Id").fill("new")
    form.get_by_label("Value of title").fill("2001")
    form.get_by_label("Value of tags").fill("x, 5")
    form.get_by_label("Value of due").fill("@today + 3d")
    form.get_by_label("Value of rating").fill("great")
    add = form.get_by_role("button", name="Add", exact=True)
    add.click()
    expect(form.get_by_role("alert")).to_contain_text("rating: This is not a number, as in the other items.")
    form.get_by_label("Value of rating").fill("4")
    day = page.evaluate("""() => {
      const date = new Date();
      date.setDate(date.getDate() + 3);
      return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
    }""")
    add.click()
    expect(page.locator("#detail h2")).to_have_text("2001")
    assert server.read("new.yaml") == f'title: "2001"\ntags: [x, "5"]\ndue: {day}\nrating: 4\n'


def test_all_unusual_values_of_a_new_item_are_named_before_they_are_written(page, serve):
    text = "priority: 3\ndone: true\ndue: 2026-11-01\n"
    server = serve({"a.yaml": text, "b.yaml": text})
    opened(page, server)
    page.keyboard.press("n")
    form = page.get_by_role("form", name="New item")
    form.get_by_label("Id").fill("new")
    form.get_by_label("Value of priority").fill("great")
    form.get_by_label("Value of done").fill("maybe")
    add = form.get_by_role("button", name="Add", exact=True)
    add.click()
    notice = form.get_by_role("alert")
    expect(notice).to_contain_text("priority: This is not a number")
    expect(notice).to_contain_text("done: Other items have true or false here.")
    # What is typed afterwards is named before it is written.
    form.get_by_label("Value of due").fill("soon")
    add.click()
    expect(notice).to_contain_text("due: This is not a date")
    expect(notice).to_contain_text("done: Other items")
    assert not (server.folder / "new.yaml").exists()
    add.click()
    expect(page.locator("#detail h2")).to_have_text("new")
    assert server.read("new.yaml") == "priority: great\ndone: maybe\ndue: soon\n"


@pytest.mark.parametrize("text, value", [
    ("@today", "2024-01-31"), ("@today + 1m", "2024-02-29"), ("@today - 1y", "2023-01-31"), ("@today + 3d", "2024-02-03"),
    ("@today  -  2w", "2024-01-17"), ('"@today"', "@today"), ("@now", "2024-01-31T23:30:00+01:00"), ("@todays", "@todays"),
    ("by @today", "by @today"), ("@today + 999999d", "4761-12-27"),
])
def test_a_moment_is_the_local_one_of_the_browser(browser, serve, text, value):
    server = serve({"a.yaml": "due: 2026-11-01\n"})
    context = browser.new_context(timezone_id="Europe/Berlin")
    page = context.new_page()
    opened(page, server)
    found = page.evaluate("""async ([text]) => (await import("/assets/detail/moments.js")).resolved(text, new Date("2024-01-31T22:30:00Z"))""", [text])
    context.close()
    assert found == value


def test_an_item_needs_an_id(page, serve):
    opened(page, serve({"ada.yaml": "name: Ada\n"}))
    page.keyboard.press("n")
    form = page.get_by_role("form", name="New item")
    form.get_by_label("Value of name").fill("Bob")
    form.get_by_role("button", name="Add", exact=True).click()
    expect(form.get_by_role("alert")).to_have_text("Write the id of the new item, such as friends/ada.")
    expect(form.get_by_label("Id")).to_be_focused()


def test_a_closed_item_gives_the_focus_to_its_row(page, serve):
    server = serve({"ada.yaml": "name: Ada\n", "bob.yaml": "name: Bob\n"})
    opened(page, server)
    row(page, "ada").click()
    expect(page.locator("#detail h2")).to_have_text("Ada")
    page.keyboard.press("n")
    form = page.get_by_role("form", name="New item")
    form.get_by_label("Id").fill("cleo")
    form.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator("#detail h2")).to_have_text("cleo")
    expect_rows(page, ["ada", "bob", "cleo"])
    page.keyboard.press("Escape")
    expect(row(page, "cleo")).to_be_focused()
    page.keyboard.press("Delete")
    expect(page.locator(".toast")).to_contain_text("Deleted cleo.")
    assert (server.folder / "ada.yaml").exists()


def test_a_closed_item_out_of_view_gives_the_focus_to_no_other_row(page, serve):
    server = serve({f"item{number:03}.yaml": "name: Item\n" for number in range(300)})
    opened(page, server)
    page.goto(server.origin + "/?id=item299")
    expect(page.locator("#detail h2")).to_be_focused()
    expect(row(page, "item299")).to_be_in_viewport()
    page.locator("#scroller").evaluate("scroller => { scroller.scrollTop = 0; }")
    expect(row(page, "item000")).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page.locator("#detail")).to_be_hidden()
    page.keyboard.press("Delete")
    page.keyboard.press("j")
    expect(row(page, "item000")).to_be_focused()
    assert len(list(server.folder.iterdir())) == 300


def test_delete_with_undo(page, serve):
    server = serve({"ada.yaml": "name: Ada\n", "bob.yaml": "# kept\nname: Bob\n"})
    opened(page, server)
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Delete")
    toast = page.locator(".toast")
    expect(toast).to_contain_text("Deleted bob.")
    expect(page.locator("#counts")).to_have_text("1 item")
    assert not (server.folder / "bob.yaml").exists()
    toast.get_by_role("button", name="Undo").click()
    expect_rows(page, ["ada", "bob"])
    assert server.read("bob.yaml") == "# kept\nname: Bob\n"


def test_delete_of_an_item_that_changed_while_the_list_was_paused_opens_it(page, serve):
    server = serve({"ada.yaml": "name: Ada\n", "bob.yaml": "name: Bob\n"})
    opened(page, server)
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("p")
    server.write("bob.yaml", "name: Robert\n")
    expect(page.locator("#pause")).to_contain_text("1")
    page.keyboard.press("Delete")
    expect(page.locator(".toast")).to_contain_text("bob changed. It was not deleted.")
    expect(page.locator("[data-field=name]")).to_have_text("Robert")
    assert server.read("bob.yaml") == "name: Robert\n"


def test_undo_refuses_after_another_change(page, serve):
    server = serve({"ada.yaml": "name: Ada\n"})
    form = edit(page, server)
    form.get_by_label("name", exact=True).fill("Ada L.")
    save(form)
    server.write("ada.yaml", "name: Ada Lovelace\n")
    expect(page.locator("[data-field=name]")).to_have_text("Ada Lovelace")
    page.get_by_role("button", name="Undo").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("+name: Ada Lovelace")
    assert server.read("ada.yaml") == "name: Ada Lovelace\n"


def test_the_file_shows_its_problems_at_their_lines(page, serve):
    server = serve({"ada.yaml": "name: Ada\nrating: 7\n"})
    opened(page, server, "/?id=ada")
    server.write("ada.yaml", "name: Ada\nrating: [7\n")
    expect(page.locator("#part .problem")).to_contain_text("This list is not closed")
    page.get_by_role("tab", name="File").click()
    expect(page.locator(".source .bad")).to_contain_text("This list is not closed")
    page.get_by_role("button", name="Edit the text").click()
    area = page.get_by_role("textbox", name="The text of the file")
    area.fill("name: Ada\nrating: [8\n")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#source-error")).to_contain_text("not closed")
    area.fill("name: Ada\nrating: [8]\n")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".source")).to_contain_text("rating: [8]")
    assert server.read("ada.yaml") == "name: Ada\nrating: [8]\n"


def test_history_is_shown_by_field(page, serve):
    server = serve({"ada.yaml": "name: Ada\nrating: 7\n"})
    git = lambda *words: subprocess.run(
        ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", *words], cwd=server.folder, check=True, capture_output=True)
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "First")
    server.write("ada.yaml", "name: Ada\nrating: 8\n")
    git("commit", "-qam", "Better")
    opened(page, server, "/?id=ada")
    page.get_by_role("tab", name="History").click()
    expect(page.locator(".history > li")).to_have_count(2)
    expect(page.locator(".history > li").first).to_contain_text("Better")
    expect(page.locator(".history > li").first).to_contain_text("rating 7 → 8")


def test_markdown_is_a_safe_subset(page, serve):
    server = serve({"a.md": "---\ntitle: A\n---\n# Head\n\nSome *soft* **strong** `code` [good](https://example.org/) [bad](javascript:alert(1))"
                            " [data](data:text/html,x)\n\n<img src=x onerror=alert(1)>\n\n![i](https://example.org/i.png)\n\n- one\n- two\n"})
    opened(page, server, "/?id=a")
    text = page.locator(".markdown")
    expect(text.locator("h3")).to_have_text("Head")
    expect(text.locator("strong")).to_have_text("strong")
    expect(text.locator("li")).to_have_text(["one", "two"])
    links = text.locator("a")
    assert [link.get_attribute("href") for link in links.all()][0] == "https://example.org/"
    assert all(link.get_attribute("href").startswith("https://") for link in links.all())
    assert all(link.get_attribute("rel") == "noopener noreferrer" for link in links.all())
    expect(text).to_contain_text("<img src=x onerror=alert(1)>")
    assert text.locator("img").count() == 0


def test_a_read_only_server_offers_no_change(page, serve):
    server = serve({"ada.yaml": "name: Ada\n"}, "--read-only")
    opened(page, server, "/?id=ada")
    expect(page.locator("[data-field=name]")).to_have_text("Ada")
    expect(page.locator("#edit")).to_have_count(0)
    expect(page.locator("#add")).to_be_hidden()
    status = page.evaluate("""async () => (await fetch('/item?id=ada', { method: 'DELETE', headers: { 'If-Match': '*' } })).status""")
    assert status == 403
    assert server.read("ada.yaml") == "name: Ada\n"


def test_fields_that_are_known_late_are_suggested(page, serve):
    server = serve({"ada.yaml": "name: Ada\nrating: 7\n"})
    waiting = []
    page.route("**/fields", lambda route: waiting.append(route))
    opened(page, server)
    page.keyboard.press("n")
    form = page.get_by_role("form", name="New item")
    form.get_by_label("Id").fill("bob")
    expect(form.get_by_label("Field", exact=True)).to_have_count(1)
    for route in waiting:
        route.continue_()
    form.get_by_label("Value of rating").fill("8")
    expect(form.get_by_label("Id")).to_have_value("bob")
    form.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator("#detail h2")).to_have_text("bob")
    assert server.read("bob.yaml") == "rating: 8\n"
