import SampleLists
import Files
import Store
import Streams
import TestSupport
import Testing
import Values

@testable import Printing

@Suite struct EventWriterTests {
  private let noon = Timestamp("2026-11-20T22:31:07.120Z")

  /// Returns what a sink writes about the events, for a window or a pipe.
  private func written(_ events: [ListEvent], _ options: TextOptions = .window(80)) throws -> String {
    let time = try #require(noon)
    let writer = EventWriter(root: "friends", options: options) { time }
    var output = CollectedOutput()
    for event in events { try writer.pieces(of: event).write(to: &output) }
    return output.text
  }

  private func written(
    _ old: SampleList, _ new: SampleList, _ options: TextOptions = .window(80),
    origin: UpdateOrigin = .files
  )
    throws -> String
  {
    try written([.step(update: try old.update(to: new, origin: origin), problems: [])], options)
  }

  private let friends = SampleList([
    .sample("ada", ["name": .string("Ada"), "rating": .int(8)]),
    .sample("bob", ["name": .string("Bob"), "rating": .int(3)]),
    .sample("dan", ["name": .string("Dan"), "rating": .int(5)]),
  ])

  private var grouped: SampleList {
    let request = FetchRequest.sectioned(
      by: "group", order: ["friends", "all"], titles: ["friends": "Friends Contacts", "all": "Your Contacts"])
    return SampleList(
      [
        .sample("ada", ["group": .string("friends")]), .sample("bob", ["group": .string("friends")]),
        .sample("dan", ["group": .string("all")]),
      ],
      request: request)
  }

  private func problem(_ path: String, _ line: Int, _ column: Int, _ message: String) -> Problem {
    Problem(path: RelativePath(bytes: path.utf8), line: line, column: column, message: message)
  }

  @Test func `a snapshot is the list, its problems and the watched folder`() throws {
    var list = friends
    list.problems = [problem("eve.yaml", 3, 7, "mapping values are not allowed here")]
    #expect(
      try written([.snapshot(try list.snapshot)]) == """
        name  rating
        Ada        8
        Bob        3
        Dan        5

        ! friends/eve.yaml:3:7: mapping values are not allowed here

        3 items, 1 problem. Watching friends…

        """)
    #expect(
      try written([.snapshot(try SampleList([]).snapshot)]) == "No items.\n\n0 items. Watching friends…\n")
  }

  @Test func `an edit shows the item, its place, the old and the new value`() throws {
    let new = friends.replacing("dan", with: ["name": .string("Dan"), "rating": .int(9)])
    #expect(try written(friends, new) == "22:31:07Z  files  1 updated · 3 items\n  ~ 2  dan  rating: 5 → 9\n")
  }

  @Test(arguments: [
    ("2026-11-20T22:31:07.120", "22:31:07"), ("2026-11-20T22:31:07.120+01:00", "22:31:07+01:00"),
    ("2026-11-20 22:31:07", "2026-11-20 22:31:07"),
  ])
  func `a terminal gets the time of day in the clock's zone`(text: String, shown: String) throws {
    let time = try #require(Timestamp(text))
    let writer = EventWriter(root: "friends", options: .window(80)) { time }
    let event = ListEvent.step(update: nil, problems: [.cleared(problem("a.yaml", 1, 1, ""))])
    var output = CollectedOutput()
    try writer.pieces(of: event).write(to: &output)
    #expect(output.text == "\(shown)  1 problem solved\n  ✓ friends/a.yaml\n")
  }

  @Test func `a changed window gets a new layout`() throws {
    let time = try #require(noon)
    var writer = EventWriter(root: "a folder with a long name", options: .window(80)) { time }
    writer.options = .window(20)
    var output = CollectedOutput()
    try writer.pieces(of: .snapshot(try SampleList([]).snapshot)).write(to: &output)
    #expect(output.lines.filter { !DisplayText.fits($0, in: 20) } == [])
  }

  @Test func `a pipe gets the complete time`() throws {
    let new = friends.replacing("dan", with: ["name": .string("Dan"), "rating": .int(9)])
    #expect(
      try written(friends, new, .plain, origin: .git)
        == "2026-11-20T22:31:07.120Z  git  1 updated · 3 items\n  ~ 2  dan  rating: 5 → 9\n")
  }

  @Test func `inserted, deleted and edited items are aligned`() throws {
    var new = friends.replacing("dan", with: ["name": .string("Dan"), "nick": .string("Danny")])
    new.items.removeFirst()
    new.items.append(.sample("cleopatra", ["name": .string("Cleo"), "rating": .int(5), "none": .null]))
    #expect(
      try written(friends, new) == """
        22:31:07Z  files  1 inserted, 1 deleted, 1 updated · 3 items
          - 0      ada        (removed)
          + 2      cleopatra  name: Cleo, rating: 5
          ~ 2 → 1  dan        nick added: Danny, rating removed: 5

        """)
  }

  @Test func `a move is shown with and without an edit`() throws {
    var new = friends
    new.items.swapAt(0, 1)
    let pure = try written(friends, new)
    #expect(pure.hasPrefix("22:31:07Z  files  1 moved · 3 items\n  → "))
    #expect(["bob\n", "ada\n"].contains(String(pure.suffix(4))))
    let edited = grouped.replacing("ada", with: ["group": .string("all")])
    #expect(
      try written(grouped, edited) == """
        22:31:07Z  files  1 moved · 3 items
          → Friends Contacts 0 → Your Contacts 0  ada  group: friends → all

        """)
  }

  @Test func `a narrow window cuts titles before indexes and shows fields below`() throws {
    let edited = grouped.replacing("ada", with: ["group": .string("all")])
    #expect(
      try written(grouped, edited, .window(40)) == """
        22:31:07Z  files  1 moved · 3 items
          → Friends… 0 → Your Co… 0  ada
              group: friends → all

        """)
  }

  @Test func `inserted sections are shown`() throws {
    let edited = grouped.replacing("dan", with: ["group": .string("family")])
    #expect(
      try written(grouped, edited) == """
        22:31:07Z  files  1 moved, 1 section changed · 3 items
          + section 2                   family
          → Your Contacts 0 → family 0  dan  group: all → family

        """)
  }

  @Test func `a new title of a section is shown`() throws {
    var renamed = grouped
    renamed.request.section?.titles["all"] = "Everybody"
    #expect(
      try written(grouped, renamed, origin: .view)
        == "22:31:07Z  view  1 section changed · 3 items\n  ~ section 1  Your Contacts → Everybody\n"
    )
  }

  @Test func `an item that left the view is distinguished from a removed one`() throws {
    let old = try friends.snapshot
    let shown = try SampleList(Array(friends.items.dropLast())).snapshot
    let new = ListSnapshot<Item>(
      request: shown.request, list: shown.list, items: old.items, problems: old.problemsByPath)
    let update = ListUpdate<Item>(from: old, to: new, touched: nil, origin: .view)
    #expect(
      try written([.step(update: update, problems: [])])
        == "22:31:07Z  view  1 deleted · 2 items\n  - 2  dan  (filtered)\n")
  }

  @Test func `nested fields, edits of many lines and new paths are shown`() throws {
    let old = SampleList([
      .sample(
        "ada",
        ["address": .map(["city": .string("London"), "zip": .int(1)]), "body": .string("One.\nTwo.\n")])
    ])
    let new = SampleList([
      .sample(
        "ada", ["address": .map(["city": .string("Paris"), "zip": .int(1)]), "body": .string("One.\n2.\n")],
        ext: "json")
    ])
    #expect(
      try written(old, new) == """
        22:31:07Z  files  1 updated · 1 item
          ~ 0  ada
              address.city: London → Paris
              body: One.\\nTwo.\\n → One.\\n2.\\n
              @path: ada.yaml → ada.json

        """)
    #expect(
      try written(old, new, .window(200)).hasSuffix(
        #"ada  address.city: London → Paris, body: One.\nTwo.\n → One.\n2.\n, @path: ada.yaml → ada.json"#
          + "\n"))
  }

  @Test func `only the view's fields are shown of a new item`() throws {
    let old = SampleList([], request: .showing("name"))
    let new = SampleList(
      [.sample("cleo", ["name": .string("Cleo"), "rating": .int(5)])], request: .showing("name"))
    #expect(try written(old, new).hasSuffix("  + 0  cleo  name: Cleo\n"))
  }

  @Test func `problems are shown without an update`() throws {
    let raised = ProblemChange.raised(problem("eve.yaml", 3, 7, "bad"))
    let cleared = ProblemChange.cleared(problem("a\u{1B}.yaml", 1, 1, "bad"))
    #expect(
      try written([.step(update: nil, problems: [raised, cleared]), .step(update: nil, problems: [cleared])])
        == """
        22:31:07Z  1 problem, 1 solved
          ! friends/eve.yaml:3:7: bad
          ✓ friends/a%1B.yaml
        22:31:07Z  1 problem solved
          ✓ friends/a%1B.yaml

        """)
  }

  @Test func `colours mark the kind of change and nothing else`() throws {
    let new = friends.replacing("dan", with: ["name": .string("Dan"), "rating": .int(9)])
    let text = try written(friends, new, TextOptions(width: 80, usesColor: true, isTerminal: true))
    #expect(
      text
        == "\u{1B}[2m22:31:07Z  files  1 updated · 3 items\u{1B}[0m\n  \u{1B}[33m~\u{1B}[0m 2  dan  rating: 5 → 9\n"
    )
  }

  @Test func `no change controls the terminal or is wider than the window`() throws {
    for seed in Randomness.seeds(300) {
      var random = SeededGenerator(seed: seed)
      func list() -> SampleList {
        let items = (0..<random.below(6)).map {
          Item.sample(
            "\($0)",
            [random.hostileText(): .string(random.hostileText()), "x": .string(random.hostileText())])
        }
        return SampleList(items, request: .sectioned(by: "x", titles: ["": random.hostileText()]))
      }
      let (old, new) = (list(), list())
      let width = 40 + random.below(80)
      let colored = try written(old, new, TextOptions(width: width, usesColor: true, isTerminal: true))
      #expect(TerminalSafety.offenders(in: colored).isEmpty, "\(seedNote(seed))")
      for line in try written(old, new, .window(width)).split(separator: "\n") {
        #expect(DisplayText.width(of: String(line)) <= width, "\(seedNote(seed))")
      }
      #expect(
        TerminalSafety.offenders(in: try written([.snapshot(try old.snapshot)], .plain)).isEmpty,
        "\(seedNote(seed))")
    }
  }
}
