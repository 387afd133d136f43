import Testing

@testable import Terminal

@Suite struct KeyTests {
  @Test(arguments: [
    "a", "Z", "é", "ctrl-n", "alt-enter", "f5", "space", "shift-tab", "ctrl-alt-shift-up", "page-down",
    "ctrl-space", "?", ",", "-",
    "ctrl--",
  ])
  func `a name that is printed is read again`(name: String) throws {
    #expect(try #require(Key(parsing: name)).description == name)
  }

  @Test func `every key with a name is printed as it is read`() throws {
    #expect(!Key.allNames.isEmpty)
    for name in Key.allNames { #expect(Key(parsing: name)?.description == name) }
  }

  @Test(arguments: [
    ("Enter", "enter"), ("return", "enter"), ("ESC", "escape"), ("del", "delete"), ("pgup", "page-up"),
    ("bspace", "backspace"),
    ("comma", ","), ("Ctrl-N", "ctrl-n"), ("shift-a", "A"), ("alt-ctrl-x", "ctrl-alt-x"), ("ctrl-i", "tab"),
    ("ctrl-m", "enter"),
    ("ctrl-[", "escape"), ("ctrl-@", "ctrl-space"), ("F12", "f12"),
  ])
  func `other spellings are read`(name: String, canonical: String) {
    #expect(Key(parsing: name)?.description == canonical)
  }

  @Test(arguments: [
    "", "ctrl-", "nokey", "f0", "f36", "ctrl-ctrl-a", "shift-1", "ab", "\u{1B}", "\u{200B}", "super-a",
  ])
  func `what is no key is refused`(name: String) {
    #expect(Key(parsing: name) == nil)
  }
}
