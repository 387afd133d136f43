import PlainStore
import Terminal
import TestSupport
import Testing

@testable import Browse
@testable import notes_watch

/// The model of the linear form, on real folders.
@Suite struct LinearBrowserTests {
  private static let files = [
    "ada.yaml": "name: Ada\nrating: 8\n", "bob.yaml": "name: Bob\nrating: 3\n", "cleo.yaml": "name: Cleo\nrating: 5\n",
  ]

  private func listener(_ files: [String: String] = files, isFilter: Bool = false) async throws -> LinearListener {
    let listener = try LinearListener(files, options: LinearBrowser.Options(folder: "notes", isFilter: isFilter))
    try await listener.report()
    return listener
  }

  @Test func `the first lines are the list with numbers`() async throws {
    let listener = try await listener()
    #expect(
      listener.heard() == [
        "notes: 3 items. Type help for the commands.", "1. ada. name Ada, rating 8", "2. bob. name Bob, rating 3",
        "3. cleo. name Cleo, rating 5", "Items 1 to 3 of 3.",
      ])
  }

  @Test func `a change is one line with the number of the item`() async throws {
    let listener = try await listener()
    _ = listener.heard()
    try await listener.write("name: Bob\nrating: 9\n", to: "bob.yaml")
    try await listener.report()
    #expect(listener.heard() == ["Changed: 2, bob. rating was 3, is 9."])
    try await listener.write(nil, to: "ada.yaml")
    try await listener.report()
    #expect(listener.heard() == ["Deleted: 1, ada."])
    try await listener.write("name: Dan\n", to: "dan.yaml")
    try await listener.report()
    #expect(listener.heard() == ["New: 4, dan. name Dan. Place 3."])
    #expect(try await listener.type("log 1") == ["New: 4, dan. name Dan. Place 3."])
  }

  @Test func `a number means the item that had it when the list was printed`() async throws {
    let listener = try await listener()
    try await listener.write("name: Aaron\n", to: "aaron.yaml")
    try await listener.write(nil, to: "ada.yaml")
    try await listener.report()
    _ = listener.heard()
    #expect(try await listener.type("delete 2") == ["Delete bob? Type yes or no."])
    _ = try await listener.type("yes")
    #expect(listener.store.item("bob") == nil)
    #expect(listener.store.count == 2)
    #expect(try await listener.type("list").prefix(2) == ["1. aaron. name Aaron", "2. cleo. name Cleo, rating 5"])
  }

  @Test func `an item that changed unheard is not deleted`() async throws {
    let listener = try await listener()
    _ = listener.heard()
    try await listener.write("name: Bob\nrating: 9\n", to: "bob.yaml")
    let lines = try await listener.type("delete 2", "yes")
    #expect(listener.store.item("bob") != nil)
    #expect(lines.contains { $0.contains("Could not delete") })
    // The change was heard by now, so the second try is based on it.
    _ = try await listener.type("delete 2", "yes")
    #expect(listener.store.item("bob") == nil)
  }

  @Test(arguments: ["no", "", "2"]) func `only yes deletes`(answer: String) async throws {
    let listener = try await listener()
    _ = try await listener.type("delete 1-3", answer)
    #expect(listener.store.count == 3)
    _ = try await listener.type("no", "delete 1-3", "yes")
    #expect(listener.store.count == 0)
  }

  @Test func `selected items are changed several times`() async throws {
    let listener = try await listener()
    _ = try await listener.type("select 1-2", "set selected rating=1", "set selected rating=2", "delete selected", "yes")
    #expect(listener.store.count == 1)
    #expect(try await listener.type("delete selected").first?.hasPrefix("Nothing is selected.") == true)
    _ = try await listener.type("undo")
    #expect(listener.store.item("bob")?.value(at: "rating") == 2)
  }

  @Test func `undo restores what was deleted`() async throws {
    let listener = try await listener()
    let before = try listener.folder.bytes(of: "bob.yaml")
    _ = try await listener.type("delete 2", "yes")
    #expect(listener.store.item("bob") == nil)
    _ = try await listener.type("undo")
    #expect(try listener.folder.bytes(of: "bob.yaml") == before)
  }

  @Test func `set changes the fields of several items`() async throws {
    let listener = try await listener()
    _ = listener.heard()
    _ = try await listener.type("set 1,3 rating=1 name='Ada Lovelace'")
    #expect(listener.store.item("ada")?.value(at: "name") == "Ada Lovelace")
    #expect(listener.store.item("cleo")?.value(at: "rating") == 1)
    #expect(listener.store.item("bob")?.value(at: "rating") == 3)
    // The own change was heard, so the next one does not conflict with it.
    _ = try await listener.type("set 1 rating=2")
    #expect(listener.store.item("ada")?.value(at: "rating") == 2)
  }

  @Test func `words are those of the line that sets fields`() async throws {
    let listener = try await listener()
    _ = try await listener.type(#"set 1 name="@today" tags:=["a b", "c"] note='two words'"#, #"add "my id" "title=A b" due=@today + 3d"#)
    #expect(listener.store.item("ada")?.value(at: "name") == "@today")
    #expect(listener.store.item("ada")?.value(at: "tags") == ["a b", "c"])
    #expect(listener.store.item("ada")?.value(at: "note") == "two words")
    let added = try #require(listener.store.item("my id"))
    #expect(added.value(at: "title") == "A b")
    #expect(added.value(at: "due")?.text.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil)
  }

  @Test func `search, sort and reverse print the new list`() async throws {
    let listener = try await listener()
    _ = listener.heard()
    #expect(try await listener.type("/bob") == ["1 item.", "1. bob. name Bob, rating 3", "Items 1 to 1 of 1."])
    _ = try await listener.type("search")
    #expect(try await listener.type("sort -rating")[1] == "1. ada. name Ada, rating 8")
    #expect(try await listener.type("reverse")[1] == "1. bob. name Bob, rating 3")
    #expect(try await listener.type(":rating > 4").first == "2 items.")
    #expect(try await listener.type(":rating >").first?.hasPrefix("Error in the predicate, column 9: ") == true)
  }

  @Test func `pause holds lines back, and resume prints them`() async throws {
    let listener = try await listener()
    _ = try await listener.type("pause")
    try await listener.write("name: Bob\nrating: 9\n", to: "bob.yaml")
    try await listener.report()
    #expect(listener.heard() == [])
    #expect(try await listener.type("resume") == ["1 change since pause.", "Changed: 2, bob. rating was 3, is 9."])
  }

  @Test func `pages are printed on request, and only printed numbers count`() async throws {
    let files = Dictionary(uniqueKeysWithValues: (100..<150).map { ("n\($0).yaml", "name: x\n") })
    let listener = try await listener(files)
    #expect(listener.heard().last == "Items 1 to 20 of 50. Type next for more.")
    let refusal = try await listener.type("delete 21")
    #expect(refusal == ["The item with the number 21 was not printed yet. Type next to print more, or list all."])
    #expect(try await listener.type("next").first == "21. n120. name x")
    #expect(try await listener.type("delete 21") == ["Delete n120? Type yes or no."])
    #expect(try await listener.type("no", "back").contains("1. n100. name x"))
    #expect(try await listener.type("list all").last == "Items 1 to 50 of 50.")
    #expect(try await listener.type("next") == ["The list has no more items."])
  }

  @Test func `a long update is cut, and counted`() async throws {
    let listener = try await listener([:])
    #expect(listener.heard().last == "No items.")
    for number in 100..<200 { try listener.folder.write("name: x\n", to: "n\(number).yaml") }
    await listener.store.refresh()
    try await listener.report()
    let lines = listener.heard()
    #expect(lines.count == 21)
    #expect(lines.last == "80 more changes. Type list for the list as it is now.")
  }

  @Test func `a problem is heard, and that it is solved`() async throws {
    let listener = try await listener()
    _ = listener.heard()
    try await listener.write("name: [\n", to: "bob.yaml")
    try await listener.report()
    let lines = listener.heard()
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("Problem: bob.yaml:") == true)
    try await listener.write("name: Bob\nrating: 3\n", to: "bob.yaml")
    try await listener.report()
    #expect(listener.heard() == ["Solved: bob.yaml."])
  }

  @Test func `a number shows the file`() async throws {
    let listener = try await listener()
    _ = listener.heard()
    #expect(
      try await listener.type("1,2") == [
        "ada.yaml, 2 lines.", "name: Ada", "rating: 8", "bob.yaml, 2 lines.", "name: Bob", "rating: 3",
      ])
  }

  @Test func `choose ends with the items that were named or selected`() async throws {
    let listener = try await listener(isFilter: true)
    _ = try await listener.type("choose 2")
    #expect(listener.end == .chosen(["bob"], Key(.enter)))
    let other = try await self.listener()
    #expect(try await other.type("choose 2").last == "Nothing can be chosen without --print.")
  }

  @Test func `the end of the input ends the program after the last line`() async throws {
    let listener = try await listener()
    _ = try await listener.type("delete 1")
    try await listener.endInput()
    #expect(listener.end == .nothing)
    #expect(listener.store.count == 3)
  }

  @Test(arguments: [
    "delte 1", "delete", "delete 0", "delete 4", "set 1", "add", "help x", "list x", "set 1 'a", "delete 1 x", "1-99999999",
  ])
  func `a mistake changes nothing and says why`(line: String) async throws {
    let listener = try await listener()
    _ = listener.heard()
    let lines = try await listener.type(line)
    #expect(lines.count == 1)
    #expect(lines.first?.hasSuffix(".") == true, "\(lines)")
    #expect(listener.store.count == 3)
    #expect(listener.end == nil)
  }

  @Test func `help names every command`() async throws {
    let listener = try await listener()
    _ = listener.heard()
    let lines = try await listener.type("help")
    for verb in LinearVerb.allCases { #expect(lines.contains { $0.hasPrefix(verb.rawValue) }) }
  }

  /// Random lines on a folder that another program changes: no trap, no control character, and
  /// nothing is changed that was not named.
  @Test(arguments: Randomness.seeds(3)) func `hostile lines and files do no harm`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let listener = try await listener(["a.yaml": "k: \"\\e[31m\\a\\u202e\"\n", "b\u{9B}31m.yaml": "\"\\e]0;x\": 1\n", "c.yaml": "k: 1\n"])
    let words = LinearVerb.allCases.filter { ![.quit, .delete, .add, .set, .edit].contains($0) }.map(\.rawValue)
    let rests = [
      "", "1", "1-3", "99999999999999999999", "-1", "selected", "'", "\u{1B}[2J", "k = ", "-k", "all", "\u{0}", "3-1", "/",
      "9223372036854775807",
    ]
    for _ in 0..<60 {
      if random.oneIn(4) {
        try await listener.write("k: \(random.below(9))\n\"\\r\": \"\\n\"\n", to: "n\(random.below(5)).yaml")
        try await listener.report()
      }
      _ = try await listener.type("\(random.one(of: words)) \(random.one(of: rests))")
      let text = listener.heard().joined(separator: "\n")
      #expect(TerminalSafety.offenders(in: text).isEmpty, "\(seedNote(seed)): \(text.debugDescription)")
    }
    #expect(try listener.folder.bytes(of: "c.yaml") == Array("k: 1\n".utf8))
  }
}
