"""What someone does with the list: searches, sorts, divides, filters, and goes through it."""

import re

import pytest

from conftest import expect, expect_rows, opened, row, rows


def test_search_filters_while_typing(page, serve):
    opened(page, serve("colors"))
    expect(page.locator("#counts")).to_have_text("148 items")
    page.keyboard.press("/")
    page.keyboard.type("blue")
    expect(page.locator("#counts")).to_have_text("20 of 148 items · best matches first")
    assert page.url.endswith("/?query=blue")
    page.keyboard.type(" sky")
    expect(page.locator("#counts")).to_have_text("3 of 148 items · best matches first")
    expect_rows(page, ["skyblue", "deepskyblue", "lightskyblue"])
    page.fill("#search", "plaid")
    expect(page.locator("#empty")).to_contain_text("No item matches the search.")
    expect(page.locator("#empty")).to_contain_text("every word of the search")


notes = {
    "a.md": "---\ntitle: Trip\n---\nThe weather may turn cold and wet at night. Do not forget to pack the tent\n", "b.md": "---\ntitle: Unpacking\n---\n",
    "c.md": "---\ntitle: Garden\n---\n", "z.md": "---\ntitle: Packing list\n---\n",
}


def test_the_best_match_is_first_and_enter_opens_it(page, serve):
    server = serve(notes)
    opened(page, server)
    expect_rows(page, ["a", "b", "c", "z"])
    page.keyboard.press("/")
    page.keyboard.type("pack")
    page.keyboard.press("Enter")
    expect_rows(page, ["z", "b", "a"])
    expect(page).to_have_url(re.compile("id=z"))
    server.write("c.md", "---\ntitle: Pack\n---\n")
    expect_rows(page, ["c", "z", "b", "a"])


def test_a_row_shows_the_line_that_matches_if_no_cell_does(page, serve):
    opened(page, serve({**notes, "d.md": f"---\ntitle: Evil\n---\npack <b>bold</b>{' x' * 40}\n"}))
    page.fill("#search", "pack")
    expect(row(page, "a").locator(".snippet")).to_have_text("body: …Do not forget to pack the tent")
    expect(row(page, "a").locator("mark")).to_have_text("pack")
    expect(row(page, "z").locator(".snippet")).to_have_count(0)
    expect(row(page, "d").locator(".snippet")).to_contain_text("body: pack <b>bold</b> x x")
    page.fill("#search", "")
    expect(page.locator(".snippet")).to_have_count(0)


def test_a_match_has_the_width_of_a_phone(page, serve):
    page.set_viewport_size({"width": 380, "height": 600})
    opened(page, serve({**notes, "d.md": f"---\ntitle: Evil\n---\nSome words before it, then pack {'words ' * 20}\n"}))
    page.fill("#search", "pack")
    found = row(page, "d").locator(".snippet")
    expect(found).to_be_visible()
    assert found.evaluate("found => found.clientWidth") > 340
    edge = found.evaluate("found => found.getBoundingClientRect().right")
    assert found.locator("mark").evaluate("mark => mark.getBoundingClientRect().right") < edge


def test_a_list_that_was_scrolled_sideways_shows_the_matches_of_a_search(page, serve):
    fields = [f"field{number}" for number in range(12)]
    server = serve({**notes, "f.md": "---\n" + "".join(f"{one}: {'wide ' * 5}\n" for one in fields) + "---\n"})
    opened(page, server, f"/?fields=title,{','.join(fields)}")
    scroller = page.locator("#scroller")
    scroller.evaluate("scroller => { scroller.scrollLeft = 600; }")
    assert scroller.evaluate("scroller => scroller.scrollLeft") == 600
    page.fill("#search", "tent")
    expect(row(page, "a").locator("mark")).to_be_in_viewport()
    assert scroller.evaluate("scroller => scroller.scrollLeft") == 0


def test_a_cell_that_is_cut_says_all_if_the_pointer_is_on_it(page, serve):
    text = ("Long " * 15).strip()
    page.set_viewport_size({"width": 660, "height": 600})
    opened(page, serve({"ada.yaml": f"title: Ada\nplace: {text}\n", "bob.yaml": "title: Bob\nplace: here\n"}))
    for item, value in [("ada", text), ("bob", None)]:
        cell = row(page, item).locator("[role=gridcell]").first
        cell.hover()
        assert cell.get_attribute("title") == value


def test_the_focused_row_has_its_ring_also_around_the_title(page, serve):
    opened(page, serve(notes))
    page.keyboard.press("ArrowDown")
    ring = page.locator("#rows > :focus-visible").evaluate(
        "row => { const { outlineStyle, zIndex } = getComputedStyle(row, '::after'); return [outlineStyle, zIndex]; }")
    assert ring[0] == "solid"
    assert int(ring[1]) > int(page.locator("#rows .title").first.evaluate("title => getComputedStyle(title).zIndex"))


def test_similar_names_are_shown_if_nothing_matches(page, serve):
    server = serve(notes)
    opened(page, server)
    page.fill("#search", "pkng")
    expect_rows(page, ["b", "z"])
    expect(page.locator("#counts")).to_contain_text("no match; these names are similar")
    server.write("n.md", "---\ntitle: pkng\n---\n")
    expect_rows(page, ["n"])
    expect(page.locator("#counts")).not_to_contain_text("similar")


def test_a_query_may_be_incomplete_while_it_is_typed(page, serve):
    opened(page, serve(notes))
    page.fill("#search", 'title:unpack')
    expect_rows(page, ["b"])
    page.fill("#search", 'trip "do not')
    expect_rows(page, ["a"])
    page.fill("#search", "titel:x")
    expect(page.locator("#warning")).to_contain_text("Did you mean `title`?")
    expect(page.locator("#empty")).to_contain_text("No item matches the search.")


def test_an_empty_view_has_its_own_sentence_but_not_if_a_filter_empties_it(page, serve):
    settings = "views:\n  due: {where: done = false, empty: Nothing is due.}\n"
    server = serve({".notes-watch.yaml": settings, "ada.yaml": "done: true\nname: Ada\n"})
    opened(page, server, "/?view=due")
    empty = page.locator("#empty p").first
    expect(empty).to_have_text("Nothing is due.")
    page.fill("#where", "name = bob")
    expect(page.locator("#warning")).to_contain_text("No item has the field `bob`: did you mean")
    expect(empty).to_have_text("No item matches the filter.")
    page.fill("#search", "nobody")
    expect(empty).to_have_text("No item matches the search and the filter.")
    page.fill("#where", "")
    expect(empty).to_have_text("No item matches the search.")
    page.fill("#search", "")
    expect(empty).to_have_text("Nothing is due.")


def test_the_hint_about_an_empty_list_is_a_sentence(page, serve):
    opened(page, serve({"ada.yaml": "name: Ada\n"}), "/?where=nam%20%3D%20%22x%22")
    expect(page.locator("#hint")).to_contain_text("No item has the field `nam`. Did you mean `name`?")


def test_an_empty_folder_says_how_to_begin(page, serve):
    opened(page, serve({"README.txt": ""}))
    expect(page.locator("#empty")).to_contain_text("Press New")


def test_a_missing_folder_keeps_its_rows_and_is_not_called_empty(page, serve):
    server = serve({"ada.yaml": "name: Ada\n"})
    opened(page, server)
    moved = server.folder.with_name("moved")
    server.folder.rename(moved)
    counts = page.locator("#counts")
    expect(counts).to_contain_text("1 item · the folder is missing or cannot be read")
    expect_rows(page, ["ada"])
    page.fill("#search", "nobody")
    expect(page.locator("#empty")).to_contain_text("The folder is missing or cannot be read. The list continues when it is back.")
    page.fill("#search", "")
    expect_rows(page, ["ada"])
    moved.rename(server.folder)
    expect(counts).to_have_text("1 item")
    server.write("bob.yaml", "name: Bob\n")
    expect_rows(page, ["ada", "bob"])


def test_a_folder_of_unreadable_files_points_at_the_problems(page, serve):
    server = serve({"ada.yaml": "name: [", "bob.json": "{"})
    opened(page, server)
    expect(page.locator("#empty")).to_contain_text("2 files cannot be read")
    page.get_by_role("link", name="2 problems").click()
    expect(page.locator(".row.broken").first).to_be_focused()
    page.goto(server.origin + "/plain#problems")
    expect(page.locator("#problems")).to_have_text("2 files with a problem")


def test_rows_show_the_digits_of_the_file(page, serve):
    opened(page, serve({"ada.yaml": "name: Ada\nrating: 9.50\ncode: 12345678901234567890\n"}))
    expect(page.locator("#rows .number")).to_have_text(["9.50", "12345678901234567890"])


def test_the_sort_choice_shows_the_first_of_several_fields(page, serve):
    opened(page, serve("todos"), "/?view=top-10")
    expect(page.locator("#sort option:checked")).to_have_text("priority, …")
    expect(page.locator("#sort")).to_have_attribute("title", "-priority,due")
    expect(page.locator("#direction")).to_have_text("↓")


def test_the_direction_keeps_the_further_fields(page, serve):
    server = serve("todos")
    opened(page, server, "/?view=top-10")
    expect(page.locator("#sort")).to_have_attribute("title", "-priority,due")
    page.click("#direction")
    expect(page.locator("#direction")).to_have_text("↑")
    expect(page).to_have_url(re.compile(r"sort=priority%2Cdue$"))


def test_the_order_by_id_can_be_reversed(page, serve):
    opened(page, serve({"ada.yaml": "n: 1\n", "bob.yaml": "n: 2\n"}))
    page.click("#direction")
    expect_rows(page, ["bob", "ada"])
    page.click("#direction")
    expect_rows(page, ["ada", "bob"])


def test_items_without_a_title_show_their_id(page, serve):
    opened(page, serve({"ada.yaml": "title: Ada\n", "bob.yaml": "title: ''\n", "cleo.yaml": "title: 7.50\n", "dan.yaml": "n: 1\n",
                        "eve.yaml": "title: Eve\n"}))
    expect(page.locator("#rows .title")).to_have_text(["Ada", "bob", "7.50", "dan", "Eve"])


def headers(page):
    """Returns the titles of the columns."""
    return page.get_by_role("columnheader")


def test_a_vault_of_notes_shows_its_fields_and_the_text_last(page, serve):
    opened(page, serve({f"note-{n}.md": f"---\ntitle: Note {n}\ntags: [a, b{n}]\nstatus: {status}\ndate: 2026-05-0{n + 1}\n---\nOne\n\n{'two ' * 20}\n"
                        for n, status in enumerate(["open", "done", "open"])}))
    expect(headers(page)).to_have_text(["title", "tags", "status", "date", "body"])
    expect(row(page, "note-1").locator("> span")).to_have_text(["Note 1", "a b1", "done", "2026-05-02", re.compile("^One")])
    # Without room for all of them, the text goes first.
    page.set_viewport_size({"width": 660, "height": 600})
    expect(headers(page)).to_have_text(["title", "tags", "status", "date"])


def test_values_are_shown_as_people_read_them(page, serve):
    value = "done: {}\nat: 2026-01-04T09:12:31Z\nlink: https://www.example.org/a/\ntags: [home, {}]\n"
    opened(page, serve({"ada.yaml": value.format("true", "idea"), "bob.yaml": value.format("false", "plan")}))
    expect(row(page, "ada").locator("> span")).to_have_text(["ada", "✓", "2026-01-04 09:12", "example.org/a", "home idea"])
    expect(row(page, "bob").locator("> span").nth(1)).to_have_text("–")
    home = [page.locator(".chip", has_text="home").nth(index).get_attribute("class") for index in range(2)]
    assert home[0] == home[1]


def test_values_in_maps_have_columns_and_show_how_they_change(page, serve):
    server = serve({f"site{n}.yaml": f"owner:\n  username: user{n}\nrecords:\n  CNAME: host{n}\n" for n in range(3)})
    opened(page, server)
    expect(headers(page)).to_have_text(["id", "owner.username", "records.CNAME"])
    expect(row(page, "site1").locator("> span")).to_have_text(["site1", "user1", "host1"])
    server.write("site1.yaml", "owner:\n  username: user1\nrecords:\n  CNAME: other\n")
    expect(row(page, "site1").locator("del")).to_have_text("host1")
    expect(row(page, "site1").locator(".new")).to_have_text("other")
    headers(page).nth(2).get_by_role("button").click()
    expect(page).to_have_url(re.compile(r"sort=records\.CNAME$"))
    expect(page.locator("[aria-sort=ascending]")).to_contain_text("records.CNAME")
    expect_rows(page, ["site0", "site2", "site1"])


def test_the_fields_of_the_view_are_the_columns_and_an_empty_row_shows_its_id(page, serve):
    server = serve({"ada.yaml": "email: a@b.c\nn: 1\n", "bob.yaml": "n: 2\n", "cleo.yaml": "x: 3\n"})
    opened(page, server, "/?fields=email,n")
    expect(headers(page)).to_have_text(["email", "n"])
    expect(row(page, "ada").locator("> span")).to_have_text(["a@b.c", "1"])
    expect(row(page, "bob").locator("> span")).to_have_text(["", "2"])
    expect(row(page, "cleo").locator("> span")).to_have_text(["cleo", ""])


def test_the_id_is_shown_as_soon_as_a_title_does_not_say_it(page, serve):
    server = serve({f"note-{n}.yaml": f"title: Note {n}\nn: {n}\n" for n in range(3)})
    opened(page, server)
    expect(headers(page)).to_have_text(["title", "n"])
    server.write("note-1.yaml", "title: Another\nn: 1\n")
    expect(headers(page)).to_have_text(["title", "id", "n"])
    expect(row(page, "note-1").locator("> span").nth(1)).to_have_text("note-1")


def test_columns_beyond_the_sixteenth_field_of_a_file_have_values(page, serve):
    early = "".join(f"list{n}: [{{a: 1}}]\n" for n in range(20))
    opened(page, serve({f"{name}.yaml": f"{early}late: {name} late\n" for name in ("ada", "bob")}))
    expect(headers(page)).to_have_text(["id", "late"])
    expect(row(page, "bob").locator("> span")).to_have_text(["bob", "bob late"])


def test_sort_and_sections_are_chosen(page, serve):
    server = serve({"ada.yaml": "name: Ada\nrating: 7\ngroup: x\n", "bob.yaml": "name: Bob\nrating: 9\ngroup: y\n",
                    "cleo.yaml": "name: Cleo\nrating: 8\ngroup: x\n"})
    opened(page, server)
    page.locator("#sort").select_option("rating")
    expect_rows(page, ["ada", "cleo", "bob"])
    page.click("#direction")
    expect_rows(page, ["bob", "cleo", "ada"])
    expect(page.locator("[role=columnheader][aria-sort=descending]")).to_contain_text("rating")
    page.locator("#section").select_option("group")
    expect_rows(page, ["cleo", "ada", "bob"])
    expect(page.locator("#rows > .header")).to_have_text(["x2", "y1"])
    expect(page.locator("#counts")).to_have_text("3 items · 2 sections")
    page.get_by_role("columnheader", name="name").get_by_role("button").click()
    expect_rows(page, ["ada", "cleo", "bob"])
    page.go_back()
    expect_rows(page, ["cleo", "ada", "bob"])


def test_named_views_are_tabs(page, serve):
    opened(page, serve("todos"))
    page.get_by_role("link", name="top-10").click()
    expect(page.get_by_role("link", name="top-10")).to_have_attribute("aria-current", "page")
    assert page.url.endswith("/?view=top-10")
    expect(page.locator("#rows > .row")).not_to_have_count(0)
    page.get_by_role("link", name="by-project").click()
    expect(page.locator("#rows > .header .name").first).to_have_text("Release 1.0")


def test_a_filter_without_its_quotes_has_a_warning_for_as_long_as_it_holds(page, serve):
    server = serve("colors")
    opened(page, server)
    page.fill("#where", "name = red")
    warning = page.locator("#warning")
    expect(warning).to_contain_text('did you mean `name = "red"`?')
    expect(page.locator("#counts")).to_have_text("0 of 148 items")
    # An item with the field ends it, although the list stays empty.
    server.write("aaa.yaml", "red: 1\n")
    expect(warning).to_be_hidden()
    page.fill("#where", 'name = "red"')
    expect(page.locator("#counts")).to_have_text("1 of 149 items")
    expect(warning).to_be_hidden()


def test_a_filter_shows_its_mistake_at_its_column(page, serve):
    server = serve("colors")
    opened(page, server)
    page.fill("#where", "name BEGINSWITH 'dark' AND (hex = ")
    error = page.locator("#where-error")
    expect(error).to_contain_text("Column")
    first, second, message = error.text_content().split("\n", 2)
    assert first == "name BEGINSWITH 'dark' AND (hex = "
    assert second.index("^") == int(message.split(":")[0].removeprefix("Column ")) - 1
    expect(page.locator("#where")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#counts")).to_have_text("148 items")
    # The list before stays live, and can be scrolled.
    server.write("aaa.yaml", "name: aaa\n")
    expect(page.locator("#counts")).to_have_text("149 items")
    page.locator("#scroller").evaluate("scroller => { scroller.scrollTop = scroller.scrollHeight; }")
    expect(row(page, "yellowgreen")).to_be_visible()
    expect(error).to_be_visible()
    page.fill("#where", "name BEGINSWITH 'dark'")
    expect(error).to_be_hidden()
    expect(page.locator("#counts")).to_have_text("19 of 149 items")


def test_the_address_bar_holds_the_view_and_the_item(page, serve):
    server = serve("colors")
    opened(page, server, "/?search=blue&sort=-name&id=navy")
    expect(page.locator("#detail h2")).to_have_text("navy")
    expect(page.locator("#search")).to_have_value("blue")
    assert rows(page)[:2] == ["blue", "blueviolet"]
    page.keyboard.press("Escape")
    expect(page.locator("#detail")).to_be_hidden()
    expect(page).to_have_title(f"{server.folder} · notes-watch")
    page.go_back()
    expect(page.locator("#detail h2")).to_have_text("navy")
    expect(page).to_have_title(f"navy · {server.folder} · notes-watch")
    page.get_by_role("link", name="by-name").click()
    expect(page).to_have_title(f"navy · by-name · {server.folder} · notes-watch")


def test_an_item_is_headed_by_its_title(page, serve):
    server = serve({"a.yaml": "title: Trip\nname: N\n", "b.yaml": "title: ''\nname: 7.50\n", "c.yaml": "n: 1\n", "d.yaml": "title: [x]\n"})
    for item, title in [("a", "Trip"), ("b", "7.50"), ("c", "c"), ("d", "d")]:
        opened(page, server, f"/?id={item}")
        expect(page.locator("#detail h2")).to_have_text(title)
        expect(page.locator("#detail .path")).to_have_text(f"{item}.yaml")


def test_a_link_to_an_item_shows_its_row(page, serve):
    server = serve({f"n{number:04}.yaml": f"n: {number}\n" for number in range(2_000)})
    for item in ["n1000", "n0000", "n0009", "n1999"]:
        opened(page, server, f"/?sort=n&id={item}")
        expect(page.locator("#detail h2")).to_have_text(item)
        expect(row(page, item)).to_be_in_viewport(ratio=0.9)
        expect(row(page, item)).to_have_attribute("aria-posinset", str(int(item[1:]) + 1))
    opened(page, server, "/?sort=n&where=n<1000&id=n1500")
    expect(page.locator("#detail h2")).to_have_text("n1500")
    expect(row(page, "n0000")).to_be_in_viewport()


def test_going_back_from_an_item_keeps_the_rows_in_place(page, serve):
    server = serve({f"n{number:04}.yaml": f"n: {number}\n" for number in range(2_000)})
    opened(page, server, "/?sort=n")
    page.locator("#scroller").evaluate("scroller => { scroller.scrollTop = 36 * 1_000; }")
    row(page, "n1005").click()
    expect(page.locator("#detail h2")).to_have_text("n1005")
    page.go_back()
    expect(page.locator("#detail")).to_be_hidden()
    expect(row(page, "n1005")).to_be_in_viewport()
    page.go_forward()
    expect(page.locator("#detail h2")).to_have_text("n1005")
    expect(row(page, "n1005")).to_be_in_viewport()


def test_the_first_key_goes_to_an_item_and_not_to_its_section(page, serve):
    server = serve({"a.yaml": "group: x\n", "b.yaml": "group: y\n"})
    opened(page, server, "/?section=group")
    page.keyboard.press("j")
    expect(row(page, "a")).to_be_focused()
    page.keyboard.press("/")
    page.keyboard.type("y")
    expect(row(page, "a")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(row(page, "b")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(row(page, "b")).not_to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#detail")).to_be_hidden()


def test_the_keyboard_is_enough(page, serve):
    opened(page, serve("colors"))
    page.keyboard.press("j")
    expect(row(page, "aliceblue")).to_be_focused()
    page.keyboard.press("j")
    expect(row(page, "antiquewhite")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(row(page, "aliceblue")).to_be_focused()
    page.keyboard.press("End")
    expect(row(page, "yellowgreen")).to_be_focused()
    page.keyboard.press("Home")
    expect(row(page, "aliceblue")).to_be_focused()
    page.keyboard.press("PageDown")
    expect(row(page, "aliceblue")).not_to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect(page.locator("#detail h2")).to_be_focused()
    page.keyboard.press("j")
    expect(row(page, "antiquewhite")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#detail")).to_be_hidden()
    expect(row(page, "antiquewhite")).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Next and previous row")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(row(page, "antiquewhite")).to_be_focused()
    page.locator("#where").focus()
    page.keyboard.type("name =")
    expect(page.locator("#where")).to_have_attribute("aria-invalid", "true")
    page.keyboard.press("Enter")
    expect(page.locator("#where")).to_be_focused()
    page.keyboard.type(" 'navy'")
    expect_rows(page, ["navy"])
    page.keyboard.press("Enter")
    expect(row(page, "navy")).to_be_focused()


def test_a_long_list_has_only_its_visible_rows_in_the_page(page, serve):
    server = serve({f"n{number:05}.yaml": f"n: {number}\n" for number in range(5_000)})
    opened(page, server)
    expect(page.locator("#counts")).to_have_text("5,000 items")
    assert page.locator("#rows > *").count() < 60
    page.locator("#scroller").evaluate("scroller => { scroller.scrollTop = 36 * 2_500; }")
    expect(row(page, "n02500")).to_be_visible()
    expect(row(page, "n02500")).to_have_attribute("aria-rowindex", "2502")
    assert page.locator("#rows > *").count() < 60
    page.locator("#scroller").evaluate("scroller => { scroller.scrollTop = scroller.scrollHeight; }")
    expect(row(page, "n04999")).to_be_visible()


@pytest.mark.parametrize("change", ["apply(page.list.line, false, false)", "measure()"])
def test_a_scroll_is_kept_when_the_list_changes_before_its_event(page, serve, change):
    server = serve({f"n{number:03}.yaml": f"n: {number}\n" for number in range(500)})
    opened(page, server)
    page.locator("#scroller").evaluate(f"scroller => {{ scroller.scrollTop = 36 * 200; page.list.{change}; }}")
    expect(row(page, "n200")).to_be_visible()


def test_a_list_that_was_hidden_keeps_its_place(page, serve):
    server = serve({f"n{number:03}.yaml": f"n: {number}\n" for number in range(500)})
    opened(page, server)
    page.locator("#scroller").evaluate("scroller => { scroller.scrollTop = 36 * 200; }")
    expect(row(page, "n200")).to_be_visible()
    page.locator("#scroller").evaluate("""async scroller => {
      const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      await frame();
      scroller.style.display = "none";
      await frame();
      page.list.apply(page.list.line, false, false);
      scroller.style.display = "";
      page.list.apply(page.list.line, false, false);
      await frame();
    }""")
    expect(row(page, "n200")).to_be_visible()
    expect(row(page, "n000")).to_have_count(0)


def test_the_header_of_a_section_stays(page, serve):
    server = serve({f"n{number:03}.yaml": f"group: g{number // 50}\n" for number in range(200)})
    opened(page, server, "/?section=group")
    sticky = page.locator("#sticky")
    expect(sticky).to_be_hidden()
    page.locator("#scroller").evaluate("scroller => { scroller.scrollTop = 36 * 70; }")
    expect(sticky).to_have_text("g150")
    expect(row(page, "n075")).to_be_visible()


def test_commands_show_the_same_view(page, serve):
    server = serve("colors")
    opened(page, server, "/?search=it's%20%24HOME&sort=-name")
    page.keyboard.press("?")
    text = page.locator("#copy-list").text_content()
    assert text.endswith("--sort @relevance,-name --search 'it'\\''s $HOME'")
    assert text.startswith(f"notes-watch list {server.folder}")
    expect(page.locator("#copy-curl")).to_contain_text(f"'{server.origin}/items?sort=%40relevance%2C-name&search=it%27s%20%24HOME'")
    expect(page.get_by_role("link", name="The plain page")).to_have_attribute("href", "plain?sort=-name&search=it%27s%20%24HOME")


def test_commands_have_the_view_of_the_command_line(page, serve):
    server = serve("todos", "--view", "by-project", "--sort=-priority,title", "--limit", "5")
    opened(page, server, "/?search=the")
    page.keyboard.press("?")
    text = page.locator("#copy-list").text_content()
    assert text.endswith("/data --view by-project --sort @relevance --search the --limit 5")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="top-10").click()
    page.keyboard.press("?")
    assert page.locator("#copy-list").text_content().endswith("/data --view top-10")


def test_the_end_of_a_long_path_is_shown(page, serve):
    server = serve({"a.yaml": "name: a\n"}, name="a folder with a very long name " * 4 + "/its own name")
    page.set_viewport_size({"width": 320, "height": 640})
    opened(page, server)
    text, around = page.locator("h1 bdi").bounding_box(), page.locator("h1").bounding_box()
    assert text["x"] < around["x"]
    assert abs(text["x"] + text["width"] - around["x"] - around["width"]) < 4
    expect(page.locator("h1")).to_have_attribute("title", str(server.folder))


def test_a_long_address_leaves_room_for_other_columns_of_the_plain_page(page, serve):
    server = serve({"ada.yaml": f"name: Ada Lovelace\nurl: https://example.org/{'x' * 170}\ngroup: friends\n"})
    opened(page, server)
    for width in [900, 320]:
        page.set_viewport_size({"width": width, "height": 640})
        page.goto(f"{server.origin}/plain?fields=name,url,group")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        lines = page.get_by_text("friends").evaluate(
            "cell => { const range = new Range(); range.selectNodeContents(cell); return range.getClientRects().length; }")
        assert lines == 1


def test_a_million_lines_can_be_reached(page, serve):
    """A million files take minutes to write, so the windows are made up."""
    opened(page, serve({"a.yaml": "name: a\n"}))
    page.evaluate("""() => {
      const made = (first, count) => ({
        columns: [{ field: "@id", pointer: "/@id" }], first, lines: 1e6, count: 1e6, total: 1e6, sections: 0, rows: Array.from({ length: Math.min(count, 1e6 - first) },
          (_, index) => ({ id: `n${first + index}`, position: first + index + 1, value: {} })),
      });
      page.list.handlers.onWindow = ({ first, anchor, offset, count }) => queueMicrotask(
        () => page.list.apply(made(Math.max(0, first ?? Number(anchor.slice(1)) - offset), count), false, false));
      page.list.apply(made(0, 100), true, false);
    }""")
    scroller = page.locator("#scroller")
    scroller.evaluate("scroller => { scroller.scrollTop = scroller.scrollHeight; }")
    expect(row(page, "n999999")).to_be_in_viewport()
    scroller.evaluate("scroller => { scroller.scrollTop = scroller.scrollHeight / 2; }")
    expect(page.locator("#rows > .row").nth(12)).to_be_in_viewport()
    middle = rows(page)[12]
    assert 490_000 < int(middle[1:]) < 510_000
    # A turn of the wheel moves the rows by as much, not by as many rows as a pixel is worth.
    before = row(page, middle).bounding_box()["y"]
    scroller.hover()
    page.mouse.wheel(0, 72)
    page.wait_for_function(
        "([id, y]) => Math.abs(document.querySelector(`[data-id=${id}]`).getBoundingClientRect().y - y) < 2", arg=[middle, before - 72])
    row(page, middle).focus()
    page.keyboard.press("j")
    expect(row(page, f"n{int(middle[1:]) + 1}")).to_be_focused()
    page.keyboard.press("End")
    expect(row(page, "n999999")).to_be_focused()
    page.keyboard.press("Home")
    expect(row(page, "n0")).to_be_focused()


def test_an_empty_list_says_why(page, serve):
    server = serve({"ada.yaml": "rating: 7\n", "bob.yaml": "{}\n"})
    opened(page, server)
    page.fill("#where", "ratng > 3")
    expect(page.locator("#hint")).to_contain_text("`rating`")
    page.fill("#where", "rating > 9")
    expect(page.locator("#hint")).to_have_text("")
    expect(page.locator("#clear button")).to_have_text(["Clear the filter"])
    page.fill("#search", "nobody")
    expect(page.locator("#hint")).to_have_text("An item must have every word of the search, and match the filter.")
    page.get_by_role("button", name="Clear the filter").click()
    expect(page.locator("#where")).to_have_value("")
    expect(page.locator("#where")).to_be_focused()
    expect(page.locator("#hint")).to_have_text("An item must have every word of the search.")
    page.get_by_role("button", name="Clear the search").click()
    expect(page.locator("#search")).to_have_value("")
    expect_rows(page, ["ada", "bob"])
    page.goto(server.origin + "/?limit=x")
    expect(page.locator("#where-error")).to_contain_text("limit")
    page.goto(server.origin + "/?id=bob")
    expect(page.locator("#part")).to_contain_text("This item has no fields.")


def test_the_filter_of_a_view_is_shown(page, serve):
    server = serve("todos", "--search", "the")
    opened(page, server)
    where = page.locator("#where")
    expect(page.locator("#search")).to_have_attribute("placeholder", "Search: the")
    expect(where).to_have_attribute("placeholder", "Filter, such as rating > 7")
    page.get_by_role("link", name="today").click()
    expect(where).to_have_attribute("placeholder", re.compile("^Filter: .*due"))
    expect(page.locator("#search")).to_have_attribute("placeholder", "Search")


def test_enter_in_the_search_goes_to_an_item_below_empty_sections(page, serve):
    many = [f"empty{number}" for number in range(150)]
    server = serve({"ada.yaml": "name: Ada\ngroup: friends\n", "bob.yaml": "name: Bob\ngroup: work\n"})
    for order, last in [("none,nobody,friends,work,end", "friends"), (",".join([*many, "friends", "work"]), "friends")]:
        opened(page, server, f"/?section=group&section-order={order}")
        page.locator("#search").focus()
        page.keyboard.press("Enter")
        expect(row(page, "ada")).to_be_focused()
    # Below the last item there are only empty sections.
    opened(page, server, "/?section=group&section-order=friends,end")
    page.locator("#search").focus()
    page.keyboard.type("ada")
    expect_rows(page, ["ada"])
    page.keyboard.press("Enter")
    expect(row(page, "ada")).to_be_focused()


def test_all_items_are_a_tab_beside_the_view_of_the_command_line(page, serve):
    server = serve("todos", "--view", "top-10", "--where", "priority > 1")
    opened(page, server)
    expect(page.locator("#counts")).to_contain_text("10 of ")
    tabs = page.locator("#views a")
    expect(tabs).to_have_text(["All items", "by-project", "today", "top-10"])
    expect(page.locator("#views [aria-current]")).to_have_text("top-10")
    tabs.first.click()
    total = page.evaluate("page.list.line.total")
    expect(page.locator("#counts")).to_have_text(f"{total} items")
    expect(page.locator("#views [aria-current]")).to_have_text("All items")
    page.reload()
    expect(page.locator("#counts")).to_have_text(f"{total} items")
    page.goto(f"{server.origin}/plain?view=")
    expect(page.locator("select[name=view]")).to_have_value("")
    page.goto(f"{server.origin}/plain")
    expect(page.locator("select[name=view]")).to_have_value("top-10")
