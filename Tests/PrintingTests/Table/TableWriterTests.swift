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
      id    name          group    calls  email
      ada   Ada Lovelace  friends      7  ada@example.org
      elin  Elin Åström   friends     12  elin@example.org
      hana  佐藤 花       all        103

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
      #expect(try table(list).contains(String(repeating: "word ", count: 99_999)))
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
      id    name          group    calls
      ada   Ada Lovelace  friends      7
      elin  Elin Åström   friends     12
      hana  佐藤 花       all        103

      """
    #expect(try table(SampleList(contacts), .window(40)) == narrow)
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
        id    name          calls  email

      Friends Contacts  2
        ada   Ada Lovelace      7  ada@example.org
        elin  Elin Åström      12  elin@example.org

      Your Contacts  1
        hana  佐藤 花         103

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
