import SampleLists
import Files
import Store
import Streams
import TestSupport
import Testing
import TextEdits
import Values

@testable import Printing

@Suite struct TableWriterTests {
  private func table(_ list: SampleList, _ options: TextOptions = .plain) throws -> String {
    try CollectedOutput.text { try TableWriter(options).pieces(of: try list.snapshot).write(to: &$0) }
  }

  private let contacts: [Item] = [
    .sample(
      "ada",
      [
        "name": .string("Ada Lovelace"), "group": .string("friends"), "calls": .int(7),
        "email": .string("ada@example.org"),
      ]),
    .sample(
      "elin",
      [
        "name": .string("Elin Åström"), "group": .string("friends"), "calls": .int(12),
        "email": .string("elin@example.org"),
      ]),
    .sample("hana", ["name": .string("佐藤 花"), "group": .string("all"), "calls": .int(103), "email": .null]),
  ]

  private let grouped = FetchRequest.sectioned(
    by: "group", order: ["friends", "all"], titles: ["friends": "Friends Contacts", "all": "Your Contacts"])

  @Test func `a wide table has all columns, aligned, without blanks at the ends of lines`() throws {
    let wide = """
      name          id    group    calls  email
      Ada Lovelace  ada   friends      7  ada@example.org
      Elin Åström   elin  friends     12  elin@example.org
      佐藤 花       hana  all        103

      """
    #expect(try table(SampleList(contacts), .window(200)) == wide)
    #expect(try table(SampleList(contacts), .window(80)) == wide)
    #expect(try table(SampleList(contacts)) == wide)
  }

  @Test func `a cell shows the text after any number of line breaks`() throws {
    let breaks = String(repeating: "\n", count: 20_000)
    let items: [Item] = [
      .sample("a", ["n": .int(1), "text": .string(breaks + "short")]),
      .sample("b", ["n": .int(2), "text": .string(breaks + String(repeating: "long ", count: 20))]),
      .sample("c", ["n": .int(3), "text": .string(breaks)]),
    ]
    #expect(
      try table(SampleList(items, request: .showing("n", "text")), .window(20))
        == "n  text\n1  short\n2  long long long l…\n3\n")
  }

  #if DEBUG
    @Test func `a table of a window copies a bounded part of long texts`() throws {
      let long = Item.sample(
        "a", ["text": .string(String(repeating: "word ", count: 100_000)), "name": .string("Ada")])
      let list = SampleList([long, .sample("b", ["text": .string("short"), "name": .string("Bob")])])
      let counter = ReadCounter()
      let lines = try ReadCounter.$current.withValue(counter) { try table(list, .window(80)) }
      #expect(counter.counts.copied < 50_000)
      #expect(lines.contains("word word word"))
      #expect(lines.contains("…"))
      let all = TextOptions(width: 80, usesColor: false, isTerminal: true, isWide: true)
      #expect(try table(list, all).contains(String(repeating: "word ", count: 99_999)))
    }
  #endif

  @Test func `characters of many scalars fill a cell`() throws {
    let marked = String(repeating: "e" + String(repeating: "\u{301}", count: 30), count: 200)
    let table = try table(SampleList([.sample("a", ["text": .string(marked)])]), .window(60))
    let row = table.split(separator: "\n").last.map(String.init) ?? ""
    #expect(DisplayText.width(of: row) == 60)
    #expect(row.hasSuffix("…"))
  }

  @Test func `a narrow table has fewer columns`() throws {
    let narrow = """
      name          id    group    calls  …
      Ada Lovelace  ada   friends      7
      Elin Åström   elin  friends     12
      佐藤 花       hana  all        103

      """
    #expect(try table(SampleList(contacts), .window(40)) == narrow)
  }

  @Test func `a table into a pipe cuts a cell after 200 characters, and a wide one does not`() throws {
    let items: [Item] = [
      .sample("a", ["n": .int(1), "text": .string(String(repeating: "x", count: 200))]),
      .sample("b", ["n": .int(2), "text": .string(String(repeating: "y", count: 201))]),
    ]
    let lines = try table(SampleList(items)).split(separator: "\n")
    #expect(lines[1] == "a   1  \(String(repeating: "x", count: 200))")
    #expect(lines[2] == "b   2  \(String(repeating: "y", count: 199))…")
    let wide = TextOptions(width: nil, usesColor: false, isTerminal: false, isWide: true)
    #expect(try table(SampleList(items), wide).hasSuffix("\(String(repeating: "y", count: 201))\n"))
  }

  @Test func `a row without a value in the shown fields shows its id`() throws {
    let items: [Item] = [
      .sample("ada", ["email": .string("ada@example.org")]), .sample("bob", ["email": .null]),
      .sample("cleo", ["x": .int(1)]),
    ]
    let request = FetchRequest.showing("email")
    #expect(try table(SampleList(items, request: request)) == "email\nada@example.org\nbob\ncleo\n")
    #expect(
      try table(SampleList(items, request: request), .window(20)) == "email\nada@example.org\nbob\ncleo\n")
  }

  @Test func `a title that says the id replaces it, if all of them do`() throws {
    var items = (0..<300).map { Item.sample("note-\($0)", ["title": .string("Note \($0)"), "n": .int($0)]) }
    #expect(try table(SampleList(items), .window(60)).hasPrefix("title       n\nNote 0      0\n"))
    // Not in the sample.
    items[1] = .sample("note-1", ["title": .string("Other"), "n": .int(1)])
    #expect(
      try table(SampleList(items), .window(60)).hasPrefix(
        "title     id          n\nNote 0    note-0      0\n"))
  }

  @Test func `named fields keep their order, and an ellipsis marks those that do not fit`() throws {
    let narrow = """
      email            name          …
      ada@example.org  Ada Lovelace
      elin@example.o…  Elin Åström
                       佐藤 花

      """
    #expect(
      try table(SampleList(contacts, request: .showing("email", "name", "calls", "group")), .window(32))
        == narrow)
  }

  @Test func `sections have headings even if they are empty`() throws {
    let sectioned = """
        name          id    calls  email

      Friends Contacts  2
        Ada Lovelace  ada       7  ada@example.org
        Elin Åström   elin     12  elin@example.org

      Your Contacts  1
        佐藤 花       hana    103

      """
    #expect(try table(SampleList(contacts, request: grouped), .window(80)) == sectioned)
    #expect(
      try table(SampleList(Array(contacts.prefix(2)), request: grouped), .window(80)).hasSuffix(
        "\n\nYour Contacts  0\n"))
  }

  @Test func `the heading of a section without a name is the missing field`() throws {
    let items = [Item.sample("a", ["x": .int(1)])]
    #expect(try table(SampleList(items, request: .sectioned(by: "group"))).contains("\nno group  1\n"))
    #expect(try table(SampleList(items, request: .sectioned(by: "@dir"))).contains("\n.  1\n"))
  }

  @Test func `an empty list is the view's sentence`() throws {
    #expect(try table(SampleList([])) == "No items.\n")
    #expect(
      try table(SampleList([], request: FetchRequest(emptyText: "No friends yet."))) == "No friends yet.\n")
    #expect(
      try table(SampleList([], request: grouped)) == "Friends Contacts  0\n\nYour Contacts  0\n\nNo items.\n")
  }

  @Test func `an item without fields is a table of one column`() throws {
    #expect(try table(SampleList([.sample("only", [:])]), .window(80)) == "id\nonly\n")
  }

  @Test func `nested values, lists, dates and texts of many lines fit into one line`() throws {
    let fields: Fields = [
      "at": Value(text: "2026-11-20"), "tags": .list([.string("a"), .string("b")]),
      "map": .map(["k": .list([])]), "none": .null,
      "yes": .bool(true),
      "text": .string("\nfirst\nsecond\n\n"),
    ]
    let request = FetchRequest.showing("at", "tags", "map", "none", "yes", "text", "map.k")
    #expect(
      try table(SampleList([.sample("a", fields)], request: request)) == """
        at          tags  map       none  yes   text           map.k
        2026-11-20  a, b  {"k":[]}        true  first\\nsecond

        """)
  }

  @Test func `colours are used for headings and only if they are enabled`() throws {
    let colored = try table(
      SampleList(contacts, request: grouped), TextOptions(width: 80, usesColor: true, isTerminal: true))
    #expect(colored.contains("\u{1B}[1mFriends Contacts\u{1B}[0m  \u{1B}[2m2\u{1B}[0m\n"))
    #expect(!(try table(SampleList(contacts, request: grouped), .window(80)).contains("\u{1B}")))
  }

  @Test func `a window that reports no width gets the minimum width`() throws {
    for width in [0, 1, 19, 20] {
      let lines = try table(SampleList(contacts), .window(width)).split(separator: "\n")
      #expect(lines.filter { DisplayText.width(of: String($0)) > TextOptions.minWidth } == [], "\(width)")
    }
    #expect(try table(SampleList(contacts), .window(.max)) == table(SampleList(contacts)))
  }

  @Test func `a long table is written in parts`() throws {
    let items = (0..<5_000).map {
      Item.sample("note-\($0)", ["title": .string("Title of note \($0)"), "n": .int($0)])
    }
    var output = CollectedOutput()
    try TableWriter(.plain).pieces(of: try SampleList(items).snapshot).write(to: &output)
    #expect(output.lines.count == 5_002)
    #expect((2..<20).contains(output.writes))
  }

  @Test func `no field, id, section or title controls the terminal, and no line is wider than the window`()
    throws
  {
    for seed in Randomness.seeds(300) {
      var random = SeededGenerator(seed: seed)
      let items = (0..<1 + random.below(6)).map { index in
        Item.sample(
          "\(random.hostileText())\(index)",
          [random.hostileText(): .string(random.hostileText()), "group": .string(random.hostileText())])
      }
      let request =
        random.below(2) == 0
        ? FetchRequest() : FetchRequest.sectioned(by: "group", titles: ["": random.hostileText()])
      let width = 20 + random.below(80)
      let text = try table(
        SampleList(items, request: request), TextOptions(width: width, usesColor: true, isTerminal: true))
      #expect(TerminalSafety.offenders(in: text).isEmpty, "\(seedNote(seed))")
      let plain = try table(SampleList(items, request: request), .window(width))
      for line in plain.split(separator: "\n") {
        #expect(DisplayText.width(of: String(line)) <= width, "\(seedNote(seed))")
      }
    }
  }
}
