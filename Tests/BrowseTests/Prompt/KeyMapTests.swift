import Terminal
import Testing

@testable import Browse

@Suite struct KeyMapTests {
  @Test func `each default key has one action`() {
    var owners: [Key: BrowseAction] = [:]
    for action in BrowseAction.allCases {
      #expect(!action.defaultKeys.isEmpty, "\(action)")
      for key in action.defaultKeys {
        let other = owners.updateValue(action, forKey: key)
        #expect(other == nil, "\(key)")
        #expect(KeyMap.standard[key] == action)
      }
    }
  }

  @Test func `each default key can be written in a configuration`() {
    for key in BrowseAction.allCases.flatMap(\.defaultKeys) {
      #expect(Key(parsing: key.description) == key)
    }
  }

  @Test func `summaries are short and do not end in a dot`() {
    for action in BrowseAction.allCases {
      #expect(action.summary.count <= 45, "\(action)")
      #expect(action.summary.last != ".", "\(action)")
    }
  }

  @Test func `an action that is named has the given keys and no others`() {
    let (map, mistakes) = KeyMap.reading([("delete", ["x", "ctrl-x"])])
    #expect(mistakes.isEmpty)
    #expect(map.keys(of: .delete).map(\.description) == ["x", "ctrl-x"])
    #expect(map[Key(.character("d"))] == nil)
    #expect(map[Key(.character("x"))] == .delete)
    #expect(map.keys(of: .undo) == BrowseAction.undo.defaultKeys)
  }

  @Test func `an action loses a key that another one gets`() {
    let (map, mistakes) = KeyMap.reading([("quit", ["ctrl-d"]), ("half-page-down", ["d"]), ("delete", ["x"])])
    #expect(mistakes.isEmpty)
    #expect(map[Key(.character("d"), .control)] == .quit)
    #expect(map[Key(.character("d"))] == .halfPageDown)
    #expect(map[Key(.character("x"))] == .delete)
  }

  @Test func `an action can lose all keys only by an empty list`() {
    let (map, mistakes) = KeyMap.reading([("log", ["u"])])
    #expect(mistakes.map(\.action) == ["log"])
    #expect(
      mistakes.first?.message == "`u` is the only key of `undo`. Give `undo` another key too, or [] for none."
    )
    #expect(map[Key(.character("u"))] == .log)
    #expect(KeyMap.reading([("log", ["u"]), ("undo", [])]).mistakes.isEmpty)
  }

  @Test func `a mistake names the nearest action or key`() {
    let action = KeyMap.reading([("delte", ["x"])]).mistakes.first?.message
    #expect(
      action?.hasPrefix("There is no action `delte`. Did you mean `delete`? The actions are down, ") == true)
    let keys = KeyMap.reading([("delete", ["x", "ctr-x"])]).mistakes
    #expect(keys.map(\.key) == [1])
    #expect(
      keys.first?.message.hasPrefix("There is no key `ctr-x`. Did you mean `ctrl-x`? Write a character")
        == true)
    #expect(
      KeyMap.reading([("log", ["pagup"])]).mistakes.first?.message.contains("Did you mean `page-up`?") == true
    )
  }

  @Test func `a key of two actions is a mistake of the second one`() {
    let (map, mistakes) = KeyMap.reading([("delete", ["x"]), ("log", ["x", "l"])])
    #expect(mistakes.map(\.action) == ["log"])
    #expect(mistakes.map(\.key) == [0])
    #expect(mistakes.map(\.message) == ["`x` is also a key of `delete`. A key can have one action."])
    #expect(map[Key(.character("x"))] == .delete)
    #expect(map[Key(.character("l"))] == .log)
  }

  @Test func `ctrl-c and escape are always a way out`() {
    let (map, mistakes) = KeyMap.reading([
      ("delete", ["ctrl-c", "esc"]), ("interrupt", []), ("leave", ["h"]),
    ])
    #expect(mistakes.map(\.key) == [0, 1])
    #expect(map[Key(.character("c"), .control)] == .interrupt)
    #expect(map[Key(.escape)] == .leave)
    #expect(map[Key(.character("h"))] == .leave)
  }

  @Test func `messages show hostile names safely`() {
    let mistakes = KeyMap.reading([("\u{1B}[2J", []), ("log", ["\u{1B}]0;x\u{7}", "\u{202E}"])]).mistakes
    #expect(mistakes.count >= 2)
    for mistake in mistakes {
      #expect(!mistake.message.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    }
  }

  @Test func `interrupting and suspending work in a line, typing does not`() {
    #expect(KeyMap.standard.actionAnywhere(Key(.character("c"), .control)) == .interrupt)
    #expect(KeyMap.standard.actionAnywhere(Key(.character("z"), .control)) == .suspend)
    #expect(KeyMap.standard.actionAnywhere(Key(.character("q"))) == nil)
    #expect(KeyMap.reading([("interrupt", ["x"])]).map.actionAnywhere(Key(.character("x"))) == nil)
  }
}
