"""Broken files are rows above the items: they open with the text of the file, and go when the file is good again."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from conftest import expect, expect_rows, opened, row, rows

notes = {
    "ada.md": "---\ntitle: Ada\n---\nText.\n", "bob.md": "---\ntitle: Bob\n---\nText.\n",
    "bad.md": "---\ntitle: Packing list\ntags: [a\nstatus: open\n---\n", "x/worse.yaml": "n: 1\nn: 2\n",
}


def problems(page):
    """Returns the rows of the problems."""
    return page.locator("#rows > .row.broken")


def expect_problems(page, wanted):
    """Waits until the problems of exactly these files are rows."""
    expect(problems(page).locator(".title")).to_have_text([re.compile(f"^{re.escape(path)}:\\d+$") for path in wanted])


def test_problems_are_rows_above_the_items(page, serve):
    server = serve(notes)
    opened(page, server)
    expect_problems(page, ["bad.md", "x/worse.yaml"])
    expect(page.locator("#rows > .header.broken")).to_have_text("Problems2")
    expect(problems(page).first).to_contain_text("was expected here in a list in brackets")
    expect_rows(page, ["ada", "bob"])
    assert page.locator("#rows > [role=row]").evaluate_all("all => all.map(one => one.classList.contains('broken'))") == [True, True, True, False, False]
    expect(page.locator("#list")).to_have_attribute("aria-rowcount", "6")
    expect(row(page, "ada")).to_have_attribute("aria-rowindex", "5")
    expect(row(page, "ada")).to_have_attribute("aria-posinset", "1")
    server.write("x/worse.yaml", "n: 1\n")
    expect_problems(page, ["bad.md"])
    expect_rows(page, ["ada", "bob", "x/worse"])
    server.write("bob.md", "---\ntitle: [\n---\n")
    expect_problems(page, ["bad.md", "bob.md"])
    server.write("bob.md", notes["bob.md"])
    server.write("bad.md", "---\ntitle: Packing list\n---\n")
    expect(problems(page)).to_have_count(0)
    expect(page.locator(".header.broken")).to_have_count(0)
    expect_rows(page, ["ada", "bad", "bob", "x/worse"])


def test_a_problem_opens_with_its_line_marked_and_follows_the_file(page, serve):
    server = serve(notes | {"long.yaml": "".join(f"key{number}: 1\n" for number in range(300)) + "key7: 2\n"})
    opened(page, server)
    problems(page).nth(1).click()
    expect(page.locator("#detail h2")).to_have_text("long.yaml")
    expect(page.locator("#detail .bad")).to_be_in_viewport()
    expect(page.locator("#detail .bad")).to_contain_text("key7: 2")
    expect(page.get_by_role("button", name="Close")).to_be_in_viewport()
    problems(page).first.click()
    expect(page.locator("#detail h2")).to_have_text("bad.md")
    expect(problems(page).first).to_have_attribute("aria-selected", "true")
    expect(page.locator("#detail .bad code")).to_have_text("status: open")
    server.write("bad.md", "---\ntags: [a,\n\n\n---\n")
    expect(page.locator("#detail .source")).not_to_contain_text("Packing")
    server.write("bad.md", "---\ntitle: Packing list\n---\n")
    expect(page.locator("#detail .notice")).to_have_text("This file has no problem any more.")
    row(page, "bad").click()
    expect(page.locator("#detail .fields")).to_contain_text("Packing list")


def test_a_search_shows_the_problems_with_its_words(page, serve):
    server = serve(notes)
    opened(page, server)
    page.fill("#search", "WORSE")
    expect_problems(page, ["x/worse.yaml"])
    expect_rows(page, [])
    page.fill("#search", "ada")
    expect(problems(page)).to_have_count(0)
    expect_rows(page, ["ada"])
    page.fill("#search", "")
    page.fill("#where", 'title = "Ada"')
    expect_rows(page, ["ada"])
    expect_problems(page, ["bad.md", "x/worse.yaml"])


def test_the_keyboard_reaches_problems_and_acts_on_items_alone(page, serve):
    server = serve(notes)
    opened(page, server)
    page.focus("#search")
    page.keyboard.press("ArrowDown")
    expect(row(page, "ada")).to_be_focused()
    page.keyboard.press("k")
    expect(problems(page).nth(1)).to_be_focused()
    for key in ["Delete", "e"]:
        page.keyboard.press(key)
        expect(page.locator("#toasts")).to_contain_text("This row is a problem, not an item.")
    expect(page.locator("#detail")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.locator("#detail h2")).to_be_focused()
    expect(page.locator("#detail h2")).to_have_text("x/worse.yaml")
    page.keyboard.press("Escape")
    expect(problems(page).nth(1)).to_be_focused()
    assert "id=" not in page.url
    # The row of the focus stays with a word, and keys do not act on another one.
    server.write("x/worse.yaml", "n: 1\n")
    expect(page.locator(".row.gone .word")).to_have_text("no longer in this list")
    page.keyboard.press("Enter")
    expect(page.locator("#detail")).to_be_hidden()
    page.keyboard.press("k")
    expect(problems(page)).to_have_count(1)
    expect(problems(page)).to_be_focused()
    assert sorted(one.name for one in server.folder.iterdir()) == ["ada.md", "bad.md", "bob.md", "x"]


def test_a_long_list_keeps_its_rows_below_many_problems(page, serve):
    items = {f"n{number}.yaml": f"n: {number}\n" for number in range(1000, 1600)}
    server = serve(items | {f"p{number}.yaml": "[" for number in range(100, 250)})
    opened(page, server, "/?sort=n")
    expect(page.locator(".header.broken")).to_have_text("The first 100 problems of150")
    expect(page.locator("#list")).to_have_attribute("aria-rowcount", str(1 + 101 + 600))
    page.evaluate("page.list.focusLine(10_000)")
    expect(row(page, "n1599")).to_be_focused()
    page.keyboard.press("k")
    expect(row(page, "n1598")).to_be_focused()
    server.write("p100.yaml", "n: 1\n")
    expect(page.locator("#counts")).to_contain_text("149 problems")
    expect(row(page, "n1598")).to_be_focused()
    expect(row(page, "n1598")).to_be_in_viewport()
    page.get_by_role("link", name="149 problems").click()
    expect(problems(page).first).to_be_focused()
    expect(problems(page).first).to_be_in_viewport()


def test_the_names_and_messages_of_problems_are_text(page, serve):
    server = serve({"ada.yaml": "n: 1\n", "<img src=x onerror=alert(1)>.yaml": "[", "e\u001b\u202e.yaml": '{"<b>": 1, "<b>": 2}', "nul.yaml": b"a\0b: ["})
    opened(page, server)
    expect(problems(page)).to_have_count(3)
    for index in range(3):
        problems(page).nth(index).click()
        expect(page.locator("#detail .notice")).to_be_visible()
    assert page.locator("#rows img, #rows b, #detail img, #detail b").count() == 0
    assert page.locator("body").evaluate("body => /[\\u001b\\u202e]/.test(body.textContent)") is False


def test_a_read_only_page_shows_problems(page, serve):
    opened(page, serve(notes, "--read-only"))
    problems(page).first.click()
    expect(page.locator("#detail .bad")).to_be_visible()


@pytest.mark.parametrize("look", [{"color_scheme": "dark"}, {"viewport": {"width": 380, "height": 640}}, {"forced_colors": "active"}])
def test_axe_finds_nothing_with_problems(browser, serve, look):
    context = browser.new_context(**look)
    page = context.new_page()
    opened(page, serve(notes))
    expect_problems(page, ["bad.md", "x/worse.yaml"])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    violations = Axe().run(page).response["violations"]
    problems(page).first.click()
    expect(page.locator("#detail .bad")).to_be_visible()
    violations += Axe().run(page).response["violations"]
    context.close()
    assert [one["id"] for one in violations] == []
