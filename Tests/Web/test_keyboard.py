"""Search, edit, add, delete, undo and conflict with the keyboard alone, judged by what a screen reader gets.

No test here clicks, and none looks at the screen: the focus, its role and its name come from the accessibility tree,
and messages count only if they come into a live region that was in the tree before, or as an alert.
"""

import pytest

from conftest import expect, opened

people = {
    "ada.yaml": "name: Ada\ncity: London\n", "ben.yaml": "name: Ben\ncity: Paris\n", "eve.yaml": "name: Eve\ncity: London\n",
}

# Records the text of each change of a live region. One that came into the page with its text is silent.
record = """() => {
  const isLive = '[aria-live=polite], [role=status], [role=alert]';
  const known = new WeakSet();
  const isShown = (element) => element.checkVisibility();
  const learn = () => document.querySelectorAll(isLive).forEach((one) => { if (isShown(one)) known.add(one); });
  globalThis.spoken = [];
  learn();
  const speak = (region) => {
    const text = region.textContent.trim();
    if (text && isShown(region) && (known.has(region) || region.role === 'alert') && spoken.at(-1) !== text) spoken.push(text);
  };
  new MutationObserver((changes) => {
    const regions = new Set();
    for (const { target, addedNodes } of changes) {
      const element = target.nodeType === 1 ? target : target.parentElement;
      const region = element?.closest(isLive);
      if (region) regions.add(region);
      for (const node of addedNodes) {
        if (node.nodeType === 1) [node, ...node.querySelectorAll(isLive)].filter((one) => one.matches(isLive)).forEach((one) => regions.add(one));
      }
    }
    regions.forEach(speak);
    learn();
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['hidden'] });
}"""


class Reader:
    """What a screen reader gets from the page, and the keys that its user presses."""

    def __init__(self, page, server):
        self.page = opened(page, server)
        self.server = server
        self.session = page.context.new_cdp_session(page)
        page.evaluate(record)

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text):
        """Replaces the text of a field."""
        self.press("ControlOrMeta+a")
        self.page.keyboard.type(text)

    def focus(self):
        """Returns the role and the name of the focused node of the accessibility tree."""
        for node in self.session.send("Accessibility.getFullAXTree")["nodes"]:
            properties = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
            role = node.get("role", {}).get("value")
            if properties.get("focused") and role != "RootWebArea":
                return role, node.get("name", {}).get("value", "")
        return None, ""

    def expect_focus(self, role, name):
        """Waits until a node with this role and a name that contains `name` has the focus."""
        found = None
        for _ in range(150):
            found = self.focus()
            if found[0] == role and name in found[1]:
                return
            self.page.wait_for_timeout(100)
        assert found == (role, name)

    def expect_spoken(self, text):
        """Waits until a message is announced, and forgets those before it."""
        try:
            self.page.wait_for_function("text => spoken.some((one) => one.includes(text))", arg=text)
        except Exception:
            assert text in self.page.evaluate("spoken")
        self.page.evaluate("text => spoken.splice(0, spoken.findIndex((one) => one.includes(text)) + 1)", text)

    def tab_to(self, role, name):
        """Presses Tab until a node has the focus."""
        passed = []
        for _ in range(30):
            found = self.focus()
            if found[0] == role and name in found[1]:
                return
            passed.append(found)
            self.press("Tab")
        assert (role, name) in passed


@pytest.fixture
def reader(page, serve):
    return Reader(page, serve(people))


def test_search_by_keyboard(reader):
    reader.press("Tab")
    reader.expect_focus("link", "Skip to the list")
    reader.press("/")
    reader.expect_focus("searchbox", "Search")
    reader.type("london")
    reader.expect_spoken("2 items.")
    reader.press("ArrowDown")
    reader.expect_focus("row", "Ada")
    reader.press("j")
    reader.expect_focus("row", "Eve")
    reader.press("/")
    reader.type("nobody")
    reader.expect_spoken("0 items.")


def test_edit_and_undo_by_keyboard(reader):
    reader.press("j")
    reader.expect_focus("row", "Ada")
    reader.press("Enter")
    reader.expect_focus("heading", "Ada")
    reader.press("e")
    reader.expect_focus("textbox", "name")
    reader.type("Ada L.")
    reader.press("Enter")
    reader.expect_spoken("Saved.")
    reader.expect_focus("button", "Edit")
    assert reader.server.read("ada.yaml") == "name: Ada L.\ncity: London\n"
    reader.press("u")
    reader.expect_spoken("Undone.")
    assert reader.server.read("ada.yaml") == "name: Ada\ncity: London\n"
    reader.press("U")
    reader.expect_spoken("Redone.")
    reader.press("Escape")
    reader.expect_focus("row", "Ada L.")


def test_a_mistake_is_spoken_and_keeps_its_field(page, serve):
    reader = Reader(page, serve({"ada.yaml": "rating: 7\n"}))
    reader.press("j", "e")
    reader.expect_focus("textbox", "rating")
    reader.type("many")
    reader.press("Enter")
    reader.expect_spoken("`many` is not a number")
    reader.expect_focus("textbox", "rating")


def test_add_by_keyboard(reader):
    reader.press("n")
    reader.expect_focus("textbox", "Id")
    reader.type("zoe")
    reader.tab_to("textbox", "Value of name")
    reader.type("Zoe")
    reader.press("Enter")
    reader.expect_spoken("Added zoe.")
    reader.expect_focus("heading", "Zoe")
    assert reader.server.read("zoe.yaml") == "name: Zoe\n"
    expect(reader.page.get_by_role("row", name="Zoe")).to_have_count(1)
    reader.press("Escape")
    reader.expect_focus("row", "Zoe")


def test_delete_and_undo_by_keyboard(reader):
    reader.press("j", "j")
    reader.expect_focus("row", "Ben")
    reader.press("Delete")
    reader.expect_spoken("Deleted ben.")
    # The row stays while it has the focus, and says what happened to it.
    reader.expect_focus("row", "Ben Paris deleted")
    reader.press("j")
    reader.expect_focus("row", "Eve")
    assert not (reader.server.folder / "ben.yaml").exists()
    reader.press("u")
    reader.expect_spoken("Undone.")
    expect(reader.page.get_by_role("row", name="Ben")).to_have_count(1)
    reader.press("k")
    reader.expect_focus("row", "Ben")
    assert reader.server.read("ben.yaml") == people["ben.yaml"]


def test_conflict_by_keyboard(reader):
    reader.press("j", "e")
    reader.expect_focus("textbox", "name")
    reader.type("Ada mine")
    reader.server.write("ada.yaml", "name: Ada theirs\ncity: Rome\n")
    reader.expect_spoken("city is now Rome")
    reader.press("Enter")
    reader.expect_spoken("Someone else changed the same fields. Choose which values stay.")
    reader.expect_focus("radio", "In the file now")
    group = reader.page.get_by_role("group", name="name")
    expect(group.get_by_role("radio")).to_have_count(2)
    assert "Ada theirs" in reader.focus()[1]
    reader.press("ArrowDown")
    reader.expect_focus("radio", "Yours")
    assert "Ada mine" in reader.focus()[1]
    reader.tab_to("button", "Save the choice")
    reader.press("Enter")
    reader.expect_spoken("Saved.")
    reader.expect_focus("button", "Edit")
    assert reader.server.read("ada.yaml") == "name: Ada mine\ncity: Rome\n"


def test_unsaved_changes_are_asked_about_by_keyboard(reader):
    reader.press("j", "e")
    reader.expect_focus("textbox", "name")
    reader.type("Ada L.")
    reader.press("Escape")
    dialog = reader.page.get_by_role("alertdialog", name="Discard the changes?")
    expect(dialog).to_have_accessible_description("The changes of this item are not saved.")
    reader.expect_focus("button", "Keep editing")
    reader.press("Enter")
    reader.expect_focus("textbox", "name")
    reader.press("Escape")
    reader.tab_to("button", "Discard")
    reader.press("Enter")
    reader.expect_focus("button", "Edit")
