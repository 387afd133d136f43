"""Everyone can use the page: axe in every state, light, dark and at 320 px, and the accessibility tree."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from conftest import expect, opened, row

axe = Axe()


def check(page):
    """Fails with what axe reports. Animations are at their end, so that no color is half-way."""
    page.evaluate("document.getAnimations().forEach(animation => animation.finish())")
    results = axe.run(page)
    assert results.violations_count == 0, results.generate_report()
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


looks = {"light": {}, "dark": {"color_scheme": "dark"}, "phone": {"viewport": {"width": 320, "height": 640}},
         "phone-dark": {"viewport": {"width": 320, "height": 640}, "color_scheme": "dark"}}


@pytest.mark.parametrize("look", looks)
def test_axe_finds_nothing_in_any_state(browser, serve, look):
    server = serve("contacts", "--view", "contacts")
    context = browser.new_context(**looks[look])
    page = opened(context.new_page(), server)
    check(page)
    page.fill("#where", "group = ")
    expect(page.locator("#where-error")).to_be_visible()
    check(page)
    page.fill("#where", "group = 'none'")
    expect(page.locator("#empty")).to_be_visible()
    check(page)
    page.fill("#where", "")
    row(page, "amelia-okafor").click()
    expect(page.locator("#detail .fields")).to_be_visible()
    check(page)
    page.click("#edit")
    expect(page.get_by_role("form", name="Edit")).to_be_visible()
    check(page)
    server.write("amelia-okafor.yaml", server.read("amelia-okafor.yaml").replace("Amelia", "Mel"))
    expect(page.locator(".notice.changed")).to_be_visible()
    check(page)
    page.locator("#field-firstName").fill("Lia")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("form", name="Conflict")).to_be_visible()
    check(page)
    page.get_by_role("button", name="Save the choice").click()
    page.get_by_role("tab", name="File").click()
    expect(page.locator(".source")).to_be_visible()
    check(page)
    page.locator("#detail .close").click()
    page.locator("#more").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    check(page)
    page.keyboard.press("Escape")
    page.locator("#add").click()
    expect(page.get_by_role("form", name="New item")).to_be_visible()
    check(page)
    page.locator("#new-id").fill("someone")
    page.keyboard.press("Escape")
    expect(page.get_by_role("alertdialog")).to_be_visible()
    check(page)
    page.get_by_role("button", name="Discard").click()
    expect(page.locator("#detail")).to_be_hidden()
    row(page, "ben-okafor").focus()
    page.keyboard.press("Delete")
    expect(page.locator(".toast")).to_be_visible()
    # The answer can come before the change of the list, whose rows then move.
    page.wait_for_function("() => !page.list.line.rows.some((row) => row.id === 'ben-okafor')")
    check(page)
    server.stop()
    expect(page.locator("#connection")).to_contain_text("Again in")
    check(page)
    context.close()


def test_the_accessibility_tree_has_total_position_section_and_order(page, serve):
    server = serve({f"n{number:04}.yaml": f"n: {number}\ngroup: g{number // 1000}\n" for number in range(2_500)})
    opened(page, server, "/?sort=-n&section=group")
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    of = lambda role: [node for node in tree if node.get("role", {}).get("value") == role and not node.get("ignored")]
    grid = page.get_by_role("treegrid", name="Items")
    expect(grid).to_have_attribute("aria-rowcount", "2504")
    assert len(of("treegrid")) == 1
    assert len(of("columnheader")) >= 2
    expect(page.get_by_role("columnheader", name="n", exact=False).and_(page.locator("[aria-sort=descending]"))).to_have_count(1)
    first = row(page, "n0999")
    expect(first).to_have_attribute("aria-level", "2")
    expect(first).to_have_attribute("aria-posinset", "1")
    expect(first).to_have_attribute("aria-setsize", "1000")
    expect(first).to_have_attribute("aria-rowindex", "3")
    header = page.locator("#rows > .header").first
    expect(header).to_have_attribute("aria-level", "1")
    expect(header).to_have_attribute("aria-posinset", "1")
    expect(header).to_have_attribute("aria-setsize", "3")
    expect(header.get_by_role("rowheader")).to_contain_text("g0")
    indices = page.locator("#rows > [role=row]").evaluate_all("rows => rows.map(row => Number(row.getAttribute('aria-rowindex')))")
    assert indices == sorted(indices)


def test_targets_are_large_enough_on_a_phone(browser, serve):
    server = serve("contacts")
    context = browser.new_context(viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True)
    page = opened(context.new_page(), server)
    small = page.evaluate("""() => [...document.querySelectorAll('button, a, input, select, #rows > .row')]
      .filter(one => one.checkVisibility() && !one.closest('.skip, #columns'))
      .map(one => [one.id || one.textContent, one.getBoundingClientRect()])
      .filter(([, box]) => box.width < 24 || box.height < 24).map(([name]) => name)""")
    assert small == []
    context.close()


def test_a_page_that_needs_a_session_fits_a_phone(browser, serve):
    server = serve("contacts")
    context = browser.new_context(viewport={"width": 320, "height": 640})
    page = context.new_page()
    assert page.goto(f"{server.origin}/").status == 401
    expect(page.locator("code")).to_contain_text("notes-watch serve --url")
    # It has the styles of the page, which no other origin and no session gave it.
    assert page.locator("main").evaluate("one => getComputedStyle(one).borderTopWidth") == "1px"
    check(page)
    context.close()


def test_a_yes_is_visible_on_a_phone(browser, serve):
    server = serve({"a.yaml": "title: Water the plants\ndone: true\n", "b.yaml": "title: Rest\ndone: false\n"})
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = opened(context.new_page(), server)
    # One step in the page: rows are drawn anew while it loads, and a cell found before would be gone.
    seen = """id => {
      const around = document.querySelector(`#rows > [data-id="${id}"]`).getBoundingClientRect();
      const cell = document.querySelector(`#rows > [data-id="${id}"] .yes`);
      const [box, text] = [cell.getBoundingClientRect(), getComputedStyle(cell.querySelector('.new'), '::after')];
      return [text.content, parseFloat(text.fontSize) > 10, box.height >= 14 && box.width >= 20,
        box.top >= around.top && box.bottom <= around.bottom];
    }"""
    expect(row(page, "a").locator(".yes")).to_be_visible()
    assert page.evaluate(seen, "a") == ['"done"', True, True, True]
    server.write("b.yaml", "title: Rest\ndone: true\n")
    expect(row(page, "b").locator(".yes")).to_be_visible()
    assert page.evaluate(seen, "b") == ['"done"', True, True, True]
    context.close()


def test_texts_of_a_row_stay_in_it_on_a_phone(browser, serve):
    server = serve({"long.yaml": f"title: {'word ' * 80}\nsummary: {'x' * 300}\ncount: 12345678901234567890\n"})
    context = browser.new_context(viewport={"width": 320, "height": 640})
    page = opened(context.new_page(), server)
    outside = page.evaluate("""() => [...document.querySelectorAll('#rows > .row > span')].filter(one => {
      const [box, around] = [one.getBoundingClientRect(), one.parentElement.getBoundingClientRect()];
      // What has no room is not seen at all.
      if (box.top >= around.bottom) return false;
      return box.top < around.top + 4 || box.bottom > around.bottom - 4 || box.right > around.right;
    }).map(one => one.textContent)""")
    assert outside == []
    context.close()


def test_the_list_has_room_on_a_low_screen(browser, serve):
    context = browser.new_context(viewport={"width": 640, "height": 400})
    page = opened(context.new_page(), serve("todos"))
    assert page.locator("header").bounding_box()["height"] <= 160
    context.close()


def test_forced_colors_show_what_is_chosen(browser, serve):
    server = serve("todos", "--view", "by-project")
    context = browser.new_context(forced_colors="active")
    page = opened(context.new_page(), server)
    color = "one => getComputedStyle(one).backgroundColor"
    tabs = page.locator("#views a")
    expect(tabs).to_have_count(4)
    assert tabs.nth(0).evaluate(color) != tabs.nth(1).evaluate(color)
    page.keyboard.press("p")
    assert page.locator("#pause").evaluate(color) != page.locator("#add").evaluate(color)
    page.locator("#rows .row").first.click()
    line = "one => getComputedStyle(one).borderBottomColor"
    assert page.locator("#tab-fields").evaluate(line) != page.locator("#tab-source").evaluate(line)
    context.close()


def test_a_pane_over_the_list_keeps_the_focus(browser, serve):
    server = serve("contacts")
    context = browser.new_context(viewport={"width": 320, "height": 640})
    page = opened(context.new_page(), server, "/?id=hana-sato")
    expect(page.locator("#detail h2")).to_be_focused()
    for _ in range(12):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement === document.body || detail.contains(document.activeElement)")
    page.set_viewport_size({"width": 1200, "height": 640})
    page.wait_for_function("() => !document.querySelector('header').inert")
    page.locator("#search").focus()
    expect(page.locator("#search")).to_be_focused()
    page.set_viewport_size({"width": 320, "height": 640})
    page.wait_for_function("() => document.querySelector('header').inert")
    page.get_by_role("button", name="Close").click()
    page.locator("#search").focus()
    expect(page.locator("#search")).to_be_focused()
    context.close()
