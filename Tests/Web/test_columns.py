"""The columns that people choose: by the menu, by dragging the headers, and saved as a view."""

import json
import re
import urllib.parse

import pytest
from axe_playwright_python.sync_playwright import Axe

from conftest import expect, expect_rows, row, rows
from conftest import opened as signed_in

people = {f"{name}.yaml": f"name: {name.title()}\nrating: {rating}\nemail: {name}@example.org\nnickname: {name[:2]}\n"
          for name, rating in [("ada", 7), ("bob", 9), ("cleo", 8)]}
automatic = ["name", "rating", "email", "nickname"]


def opened(page, server, path=""):
    """Opens a path, and waits until the fields are known: the headers are then drawn again."""
    signed_in(page, server, path)
    page.evaluate("page.actions.choices.loaded")
    return page


def headers(page):
    """Returns the headers of the columns."""
    return page.get_by_role("columnheader")


def header(page, name):
    """Returns the header of one column."""
    return headers(page).filter(has_text=re.compile(f"^{re.escape(name)}"))


def edge(page, name):
    """Returns what widens a column."""
    return header(page, name).locator(".edge")


def expect_columns(page, wanted):
    """Waits until exactly these columns are shown."""
    expect(headers(page)).to_have_text([re.compile(f"^{re.escape(name)}( [↑↓])?$") for name in wanted])


def part(page, name):
    """Returns a parameter of the address."""
    return urllib.parse.parse_qs(urllib.parse.urlsplit(page.url).query).get(name, [None])[0]


def menu(page):
    """Opens the menu."""
    page.click("#choose")
    expect(page.get_by_role("dialog", name="Columns")).to_be_visible()
    return page.get_by_role("dialog", name="Columns")


def box_of(element):
    """Returns the place of an element."""
    return element.evaluate("one => one.getBoundingClientRect().toJSON()")


def middle(element):
    """Returns the middle of an element."""
    box = box_of(element)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def expect_width(page, field, width):
    """Waits until a column has a width of its own, or none."""
    page.wait_for_function(
        "([field, width]) => page.list.columns.some((one) => one.field === field && (one.isSet ? one.width : null) === width)", arg=[field, width])


def drag(page, element, x, y):
    """Presses an element and moves the pointer to a place."""
    page.mouse.move(*middle(element))
    page.mouse.down()
    page.mouse.move(x, y, steps=4)


def test_the_menu_shows_and_hides_fields(page, serve):
    server = serve(people)
    opened(page, server)
    expect_columns(page, automatic)
    box = menu(page)
    expect(box.get_by_role("checkbox")).to_have_count(5)
    box.get_by_role("checkbox", name="email").uncheck()
    expect_columns(page, ["name", "rating", "nickname"])
    assert part(page, "fields") == "name,rating,nickname"
    expect(page.locator("#live")).to_have_text("Columns: name, rating, nickname.")
    # What is hidden is still offered, and comes last.
    expect(box.get_by_role("checkbox", name="email")).not_to_be_checked()
    box.get_by_role("checkbox", name="email").check()
    expect_columns(page, ["name", "rating", "nickname", "email"])
    expect(row(page, "ada").locator("> span")).to_have_text(["Ada", "7", "ad", "ada@example.org"])
    box.get_by_role("checkbox", name="id").check()
    expect_columns(page, ["name", "rating", "nickname", "email", "id"])
    box.get_by_role("button", name="Reset").click()
    expect_columns(page, automatic)
    assert part(page, "fields") is None


def test_the_last_column_cannot_be_hidden(page, serve):
    opened(page, serve(people), "/?fields=rating")
    expect(menu(page).get_by_role("checkbox", name="rating")).to_be_disabled()
    expect_columns(page, ["rating"])


def test_the_keyboard_is_enough_for_the_menu(page, serve):
    opened(page, serve(people))
    page.keyboard.press("j")
    page.keyboard.press("c")
    box = page.get_by_role("dialog", name="Columns")
    expect(box.get_by_role("checkbox", name="name", exact=True)).to_be_focused()
    page.keyboard.press("Tab")
    expect(box.get_by_role("spinbutton", name="Width of name")).to_be_focused()
    page.keyboard.press("Tab")
    down = box.get_by_role("button", name="Move name down")
    expect(down).to_be_focused()
    page.keyboard.press("Enter")
    expect_columns(page, ["rating", "name", "email", "nickname"])
    # The focus stays at the field, although its row was drawn again.
    expect(down).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect_columns(page, ["rating", "email", "nickname", "name"])
    expect(box.get_by_role("button", name="Move name up")).to_be_focused()
    expect(page.locator("#live")).to_have_text("Columns: rating, email, nickname, name.")
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    expect(row(page, "ada")).to_be_focused()


def test_widths_are_set_by_the_keyboard(page, serve):
    opened(page, serve(people))
    width = menu(page).get_by_role("spinbutton", name="Width of email")
    width.fill("30")
    width.press("Enter")
    expect(page).to_have_url(re.compile("widths="))
    assert json.loads(part(page, "widths")) == {"email": 30}
    expect_width(page, "email", 30)
    wide = box_of(header(page, "email"))["width"]
    width.press("ArrowUp")
    expect_width(page, "email", 31)
    assert box_of(header(page, "email"))["width"] > wide
    width.fill("")
    width.press("Enter")
    expect_width(page, "email", None)
    assert part(page, "widths") is None


def test_rows_of_the_menu_are_dragged(page, serve):
    opened(page, serve(people))
    box = menu(page)
    grips = box.locator("li .grip")
    x, y = middle(grips.nth(0))
    drag(page, grips.nth(2), x, y - 8)
    expect(box.locator("li.before")).to_have_count(1)
    page.mouse.up()
    expect_columns(page, ["email", "name", "rating", "nickname"])
    x, y = middle(grips.nth(3))
    drag(page, grips.nth(0), x, y + 12)
    page.keyboard.press("Escape")
    page.mouse.up()
    expect(box).to_be_visible()
    expect(box.locator(".before, .after, .dragged")).to_have_count(0)
    expect_columns(page, ["email", "name", "rating", "nickname"])


def test_a_header_is_dragged_to_another_place(page, serve):
    opened(page, serve(people))
    x, y = middle(header(page, "rating"))
    box = box_of(header(page, "email"))
    drag(page, header(page, "rating").get_by_role("button"), box["x"] + box["width"] - 4, y)
    expect(header(page, "nickname")).to_have_class(re.compile("before"))
    page.keyboard.press("Escape")
    page.mouse.up()
    expect(page.locator(".before, .dragged")).to_have_count(0)
    assert part(page, "fields") is None
    drag(page, header(page, "rating").get_by_role("button"), box["x"] + box["width"] - 4, y)
    page.mouse.up()
    expect_columns(page, ["name", "email", "rating", "nickname"])
    assert part(page, "fields") == "name,email,rating,nickname"
    # The release was not a click on the header.
    assert part(page, "sort") is None
    # To the end, and to the start.
    drag(page, header(page, "name").get_by_role("button"), 1270, y)
    page.mouse.up()
    expect_columns(page, ["email", "rating", "nickname", "name"])
    drag(page, header(page, "nickname").get_by_role("button"), 5, y)
    page.mouse.up()
    expect_columns(page, ["nickname", "email", "rating", "name"])


def test_a_click_on_a_header_sorts(page, serve):
    opened(page, serve(people), "/?fields=name,rating,email")
    drag(page, header(page, "rating").get_by_role("button"), *[place + 2 for place in middle(header(page, "rating").get_by_role("button"))])
    page.mouse.up()
    expect_rows(page, ["ada", "cleo", "bob"])
    assert part(page, "sort") == "rating"
    assert part(page, "fields") == "name,rating,email"


def test_the_edge_of_a_header_widens_its_column(page, serve):
    opened(page, serve(people))
    before = box_of(header(page, "email"))["width"]
    x, y = middle(edge(page, "email"))
    drag(page, edge(page, "email"), x + 60, y)
    # It follows the pointer.
    assert abs(box_of(header(page, "email"))["width"] - before - 60) < 10
    page.keyboard.press("Escape")
    page.mouse.up()
    assert abs(box_of(header(page, "email"))["width"] - before) < 2
    drag(page, edge(page, "email"), x + 60, y)
    page.mouse.up()
    expect(page).to_have_url(re.compile("widths="))
    assert list(json.loads(part(page, "widths"))) == ["email"]
    page.wait_for_function("() => page.list.line.columns.some(({ width }) => width)")
    assert abs(box_of(header(page, "email"))["width"] - before - 60) < 10
    assert part(page, "sort") is None
    page.reload()
    expect_columns(page, automatic)
    assert abs(box_of(header(page, "email"))["width"] - before - 60) < 10
    page.wait_for_function("() => page.actions")
    page.evaluate("page.actions.choices.loaded")
    edge(page, "email").dblclick()
    expect_width(page, "email", None)
    assert part(page, "widths") is None


def test_the_columns_are_in_the_address(page, serve):
    server = serve(people)
    opened(page, server)
    box = menu(page)
    box.get_by_role("checkbox", name="rating").uncheck()
    expect_columns(page, ["name", "email", "nickname"])
    box.get_by_role("button", name="Move email up").click()
    expect_columns(page, ["email", "name", "nickname"])
    page.go_back()
    expect_columns(page, ["name", "email", "nickname"])
    page.go_back()
    expect_columns(page, automatic)
    page.go_forward()
    expect_columns(page, ["name", "email", "nickname"])
    page.reload()
    expect_columns(page, ["name", "email", "nickname"])


def test_rows_stay_in_place_when_the_columns_change(page, serve):
    opened(page, serve({f"n{number:03}.yaml": f"n: {number}\nm: {number}\n" for number in range(500)}))
    page.locator("#scroller").evaluate("scroller => { scroller.scrollTop = 36 * 200; }")
    expect(row(page, "n200")).to_be_visible()
    menu(page).get_by_role("checkbox", name="m", exact=True).uncheck()
    expect_columns(page, ["id", "n"])
    expect(row(page, "n200")).to_be_in_viewport()
    expect(row(page, "n200").locator("> span")).to_have_text(["n200", "200"])


def test_columns_without_room_are_scrolled_sideways(page, serve):
    fields = [f"field{number}" for number in range(12)]
    opened(page, serve({"ada.yaml": "name: Ada\n" + "".join(f"{field}: some words in {field}\n" for field in fields)}))
    page.set_viewport_size({"width": 700, "height": 600})
    # The automatic choice fits.
    assert page.locator("#scroller").evaluate("one => one.scrollWidth <= one.clientWidth")
    page.goto(page.url + "?fields=" + ",".join(["name", *fields]))
    expect_columns(page, ["name", *fields])
    assert page.locator("#scroller").evaluate("one => one.scrollWidth > one.clientWidth")
    page.locator("#scroller").evaluate("one => { one.scrollLeft = 1e6; }")
    expect(header(page, "field11")).to_be_in_viewport()
    expect(row(page, "ada").locator("> span").last).to_be_in_viewport()
    # The name of the row stays in view.
    expect(row(page, "ada").locator(".title")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_wide_first_column_does_not_hide_the_others(page, serve):
    opened(page, serve(people), "/?fields=name,rating,nickname&widths=" + urllib.parse.quote('{"name": 300}'))
    page.locator("#scroller").evaluate("one => { one.scrollLeft = 1e6; }")
    x, y = middle(row(page, "ada").locator("> span").last)
    assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).textContent", [x, y]) == "ad"


def test_widths_that_are_none_are_refused(page, serve):
    server = serve(people)
    opened(page, server)
    for text in ["x", '{"name": 0}', '{"name": "wide"}', "[1]"]:
        page.goto(f"{server.origin}/?widths={urllib.parse.quote(text)}")
        expect(page.locator("#where-error")).to_contain_text("widths")


hostile = ["<img src=x onerror=globalThis.bad=1>", "a,b", "c`d", "e.f,g", " h", "-i", "ünï cødé \u202e", "__proto__", "/j/k", "constructor"]


def test_names_of_fields_are_text_and_are_quoted(page, serve):
    opened(page, serve({"ada.json": json.dumps({"name": "Ada", **{field: f"value {number}" for number, field in enumerate(hostile)}})}))
    # JSON of Python has the field; an object of JavaScript would have lost it.
    assert "__proto__" in page.evaluate("page.actions.choices.paths")
    box = menu(page)
    for _ in range(20):
        checked = box.get_by_role("checkbox", checked=True)
        if checked.count() == 1:
            break
        count = checked.count()
        checked.last.click()
        expect(headers(page)).to_have_count(count - 1)
    count = box.get_by_role("checkbox").count()
    for shown in range(2, count + 1):
        box.get_by_role("checkbox", checked=False).first.click()
        expect(headers(page)).to_have_count(shown)
    cells = row(page, "ada").locator("> span").all_text_contents()
    assert {f"value {number}" for number in range(len(hostile))} <= set(cells)
    page.reload()
    expect(headers(page)).to_have_count(count)
    assert row(page, "ada").locator("> span").all_text_contents() == cells
    page.wait_for_function("() => page.actions")
    # None is offered twice.
    expect(menu(page).get_by_role("checkbox")).to_have_count(count)
    assert page.evaluate("globalThis.bad") is None
    assert page.evaluate("document.querySelectorAll('#columns img, #fields img, #rows img').length") == 0
    expect(box).to_contain_text("⟨202e⟩")


def test_the_menu_decides_on_a_phone(browser, serve):
    context = browser.new_context(viewport={"width": 380, "height": 760}, has_touch=True)
    page = opened(context.new_page(), serve(people))
    page.locator("#choose").tap()
    box = page.get_by_role("dialog", name="Columns")
    expect(box).to_be_in_viewport(ratio=1)
    box.get_by_role("checkbox", name="rating").tap()
    box.get_by_role("button", name="Move nickname up").tap()
    expect(row(page, "ada").locator("> span")).to_have_text(["Ada", "ad", "ada@example.org"])
    assert part(page, "fields") == "name,nickname,email"
    small = box.evaluate("""box => [...box.querySelectorAll('button, label')].map(one => one.getBoundingClientRect())
      .filter(({ width, height }) => width < 24 || height < 24).length""")
    assert small == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()


@pytest.mark.parametrize("look", [{}, {"color_scheme": "dark"}, {"viewport": {"width": 320, "height": 640}}])
def test_axe_finds_nothing_in_the_menu_and_the_dialog(browser, serve, look):
    context = browser.new_context(**look)
    page = opened(context.new_page(), serve("todos"))
    menu(page)
    for _ in range(2):
        results = Axe().run(page)
        assert results.violations_count == 0, results.generate_report()
        if page.locator("#view-name").count() == 0:
            page.click("#save-view")
            expect(page.get_by_role("dialog", name="Save view")).to_be_visible()
    context.close()


def save(page, name):
    """Saves the view under a name."""
    menu(page).get_by_role("button", name="Save view…").click()
    dialog = page.get_by_role("dialog", name="Save view")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_role("button", name="Save").click()


def test_a_view_is_saved_and_undone(page, serve):
    server = serve({**people, ".notes-watch.yaml": "# Ours.\nviews:\n  all: {sort: name}\n"})
    before = server.read(".notes-watch.yaml")
    opened(page, server, "/?sort=-rating&where=rating%20%3E%207&fields=name,rating&query=example")
    menu(page).get_by_role("button", name="Save view…").click()
    dialog = page.get_by_role("dialog", name="Save view")
    expect(dialog.locator("dd")).to_have_text(["rating, descending", "none", "rating > 7", "name, rating"])
    expect(dialog).to_contain_text("The words of the search are not saved.")
    dialog.get_by_label("Name").fill("best")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("link", name="best")).to_have_attribute("aria-current", "page")
    assert {name: part(page, name) for name in ["view", "sort", "where", "fields", "query"]} == {
        "view": "best", "sort": None, "where": None, "fields": None, "query": "example"}
    expect_columns(page, ["name", "rating"])
    expect_rows(page, ["bob", "cleo"])
    assert server.read(".notes-watch.yaml") != before
    assert "example" not in server.read(".notes-watch.yaml")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".toast")).to_contain_text("Undone.")
    expect(page.get_by_role("link", name="best")).to_have_count(0)
    assert server.read(".notes-watch.yaml") == before
    assert part(page, "fields") == "name,rating"
    expect_rows(page, ["bob", "cleo"])
    page.get_by_role("button", name="Redo").click()
    expect(page.get_by_role("link", name="best")).to_have_attribute("aria-current", "page")
    expect_rows(page, ["bob", "cleo"])


def test_a_saved_view_keeps_its_columns_and_can_be_changed(page, serve):
    opened(page, serve(people))
    menu(page).get_by_role("checkbox", name="email").uncheck()
    width = page.get_by_role("spinbutton", name="Width of name")
    width.fill("40")
    width.press("Enter")
    expect(page).to_have_url(re.compile("widths="))
    page.keyboard.press("Escape")
    save(page, "short")
    expect(page).to_have_url(re.compile(r"/\?view=short$"))
    expect_columns(page, ["name", "rating", "nickname"])
    expect_width(page, "name", 40)
    # The columns of a view are replaced, and Reset returns to them.
    box = menu(page)
    box.get_by_role("checkbox", name="rating").uncheck()
    expect_columns(page, ["name", "nickname"])
    box.get_by_role("button", name="Reset").click()
    expect_columns(page, ["name", "rating", "nickname"])
    width.fill("")
    width.press("Enter")
    expect_width(page, "name", None)
    assert part(page, "widths") == "{}"


def test_saving_says_what_it_replaces(page, serve):
    server = serve({**people, ".notes-watch.yaml": "views:\n  best: {sort: -rating}\n"})
    opened(page, server, "/?view=best&section=rating")
    menu(page).get_by_role("button", name="Save view…").click()
    dialog = page.get_by_role("dialog", name="Save view")
    name = dialog.get_by_label("Name")
    expect(name).to_have_value("best")
    expect(dialog.get_by_role("status")).to_have_text("This replaces the view “best”.")
    expect(dialog.locator("dd")).to_have_text(["rating, descending", "rating", "none", "automatic"])
    name.fill("other")
    expect(dialog.get_by_role("status")).to_have_text("")
    name.fill("")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_visible()
    name.fill("best")
    dialog.get_by_role("button", name="Save").click()
    expect(page).to_have_url(re.compile(r"/\?view=best$"))
    expect(page.locator("#rows > .header")).to_have_count(3)
    assert rows(page) == ["ada", "cleo", "bob"]


def test_a_view_that_is_not_saved_changes_nothing(page, serve):
    server = serve(people)
    opened(page, server, "/?sort=name")
    for leave in ["Escape", "Cancel"]:
        menu(page).get_by_role("button", name="Save view…").click()
        dialog = page.get_by_role("dialog", name="Save view")
        dialog.get_by_label("Name").fill("mine")
        if leave == "Escape":
            page.keyboard.press("Escape")
        else:
            dialog.get_by_role("button", name="Cancel").click()
        expect(dialog).to_have_count(0)
        expect(page.locator("#choose")).to_be_focused()
    assert not (server.folder / ".notes-watch.yaml").exists()
    assert part(page, "sort") == "name"


def test_saving_refuses_settings_that_changed_meanwhile(page, serve):
    server = serve({**people, ".notes-watch.yaml": "views:\n  best: {sort: -rating}\n"})
    opened(page, server, "/?sort=name")
    menu(page).get_by_role("button", name="Save view…").click()
    dialog = page.get_by_role("dialog", name="Save view")
    dialog.get_by_label("Name").fill("mine")
    changed = "views:\n  best: {sort: -rating}\n  mine: {sort: rating}\n"
    server.write(".notes-watch.yaml", changed)
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("status")).to_contain_text("The settings were changed in the meantime, so the view was not saved.")
    assert server.read(".notes-watch.yaml") == changed
    expect(dialog.get_by_label("Name")).to_have_value("mine")
    # Then the names are those of the changed settings.
    expect(page.get_by_role("link", name="mine", include_hidden=True)).to_have_count(1)
    dialog.get_by_role("button", name="Save").click()
    expect(page).to_have_url(re.compile(r"/\?view=mine$"))
    assert "sort: rating" not in server.read(".notes-watch.yaml")


def test_a_page_that_is_read_only_saves_no_view(page, serve):
    opened(page, serve(people, "--read-only"))
    box = menu(page)
    expect(box.get_by_role("button", name="Reset")).to_be_visible()
    expect(box.get_by_role("button", name="Save view…")).to_have_count(0)
    box.get_by_role("checkbox", name="email").uncheck()
    expect_columns(page, ["name", "rating", "nickname"])


def test_the_button_says_how_many_columns_are_not_shown(page, serve):
    fields = "".join(f"field{number}: some words of it\n" for number in range(20))
    opened(page, serve({"ada.yaml": fields, "bob.yaml": fields}))
    shown = page.get_by_role("columnheader").count()
    expect(page.locator("#choose")).to_have_text(f"Columns +{21 - shown}")
    expect(page.get_by_role("button", name=f"Columns, {21 - shown} more", exact=True)).to_be_visible()
    page.set_viewport_size({"width": 700, "height": 600})
    expect(page.get_by_role("columnheader")).not_to_have_count(shown)
    expect(page.locator("#choose")).to_have_text(f"Columns +{21 - page.get_by_role('columnheader').count()}")
