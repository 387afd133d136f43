import DirectoryWatch
import PlainStore
import PlainText
import TestSupport
import Testing

@testable import Sinks

@Suite struct TextSinkTests {
  private let noon = Timestamp("2026-11-20T22:31:07.120Z")

  /// What a sink says of the events, in a window or a pipe.
  private func said(_ events: [ResultsEvent], _ options: TextOptions = .window(80)) throws -> String {
    let time = try #require(noon)
    var sink = TextSink(root: "friends", options: options, output: Collected()) { time }
    for event in events { try sink.receive(event) }
    return sink.output.text
  }

  private func said(_ old: SampleList, _ new: SampleList, _ options: TextOptions = .window(80), origin: ResultsUpdate.Origin = .files)
    throws -> String
  {
    try said([.step(update: try old.update(to: new, origin: origin), problems: [])], options)
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

  @Test func `first the list, then its problems, then what is watched`() throws {
    var list = friends
    list.problems = [problem("eve.yaml", 3, 7, "mapping values are not allowed here")]
    #expect(
      try said([.snapshot(try list.snapshot)]) == """
        id   name  rating
        ada  Ada        8
        bob  Bob        3
        dan  Dan        5

        ! friends/eve.yaml:3:7: mapping values are not allowed here

        3 items, 1 problem. Watching friends…

        """)
    #expect(try said([.snapshot(try SampleList([]).snapshot)]) == "No items.\n\n0 items. Watching friends…\n")
  }

  @Test func `an edit names the item, its place, the old value and the new`() throws {
    let new = friends.replacing("dan", with: ["name": .string("Dan"), "rating": .int(9)])
    #expect(try said(friends, new) == "22:31:07Z  files  1 updated · 3 items\n  ~ 2  dan  rating: 5 → 9\n")
  }

  @Test(arguments: [
    ("2026-11-20T22:31:07.120", "22:31:07"), ("2026-11-20T22:31:07.120+01:00", "22:31:07+01:00"),
    ("2026-11-20 22:31:07", "2026-11-20 22:31:07"),
  ])
  func `a terminal has the time of the day, in the clock's zone`(text: String, shown: String) throws {
    let time = try #require(Timestamp(text))
    var sink = TextSink(root: "friends", options: .window(80), output: Collected()) { time }
    try sink.receive(.step(update: nil, problems: [.cleared(problem("a.yaml", 1, 1, ""))]))
    #expect(sink.output.text == "\(shown)  1 problem solved\n  ✓ friends/a.yaml\n")
  }

  @Test func `a window that changes is laid out for anew`() throws {
    let time = try #require(noon)
    var sink = TextSink(root: "a folder with a long name", options: .window(80), output: Collected()) { time }
    sink.options = .window(20)
    try sink.receive(.snapshot(try SampleList([]).snapshot))
    #expect(sink.output.lines.allSatisfy { DisplayText.fits($0, in: 20) })
  }

  @Test func `a pipe has the whole time`() throws {
    let new = friends.replacing("dan", with: ["name": .string("Dan"), "rating": .int(9)])
    #expect(
      try said(friends, new, .plain, origin: .git) == "2026-11-20T22:31:07.120Z  git  1 updated · 3 items\n  ~ 2  dan  rating: 5 → 9\n")
  }

  @Test func `what came, went and was edited, aligned`() throws {
    var new = friends.replacing("dan", with: ["name": .string("Dan"), "nick": .string("Danny")])
    new.items.removeFirst()
    new.items.append(.sample("cleopatra", ["name": .string("Cleo"), "rating": .int(5), "none": .null]))
    #expect(
      try said(friends, new) == """
        22:31:07Z  files  1 inserted, 1 deleted, 1 updated · 3 items
          - 0      ada        (removed)
          + 2      cleopatra  name: Cleo, rating: 5
          ~ 2 → 1  dan        nick added: Danny, rating removed: 5

        """)
  }

  @Test func `a move, with and without an edit`() throws {
    var new = friends
    new.items.swapAt(0, 1)
    let pure = try said(friends, new)
    #expect(pure.hasPrefix("22:31:07Z  files  1 moved · 3 items\n  → "))
    #expect(pure.hasSuffix("bob\n") || pure.hasSuffix("ada\n"))
    let edited = grouped.replacing("ada", with: ["group": .string("all")])
    #expect(
      try said(grouped, edited) == """
        22:31:07Z  files  1 moved · 3 items
          → Friends Contacts 0 → Your Contacts 0  ada  group: friends → all

        """)
  }

  @Test func `narrow: titles give way before places, and fields stand below`() throws {
    let edited = grouped.replacing("ada", with: ["group": .string("all")])
    #expect(
      try said(grouped, edited, .window(40)) == """
        22:31:07Z  files  1 moved · 3 items
          → Friends… 0 → Your Co… 0  ada
              group: friends → all

        """)
  }

  @Test func `sections come and go`() throws {
    let edited = grouped.replacing("dan", with: ["group": .string("family")])
    #expect(
      try said(grouped, edited) == """
        22:31:07Z  files  1 moved, 1 section changed · 3 items
          + section 2                   family
          → Your Contacts 0 → family 0  dan  group: all → family

        """)
  }

  @Test func `a section's new title`() throws {
    var renamed = grouped
    renamed.request.section?.titles["all"] = "Everybody"
    #expect(
      try said(grouped, renamed, origin: .view)
        == "22:31:07Z  view  1 section changed · 3 items\n  ~ section 1  Your Contacts → Everybody\n"
    )
  }

  @Test func `what left the view is told from what is gone`() throws {
    let old = try friends.snapshot
    let shown = try SampleList(Array(friends.items.dropLast())).snapshot
    let new = ResultsSnapshot(request: shown.request, list: shown.list, items: old.items, problems: old.problemsByPath)
    let update = ResultsUpdate(from: old, to: new, touched: nil, origin: .view)
    #expect(try said([.step(update: update, problems: [])]) == "22:31:07Z  view  1 deleted · 2 items\n  - 2  dan  (filtered)\n")
  }

  @Test func `a field below others, an edit of many lines, a new path`() throws {
    let old = SampleList([.sample("ada", ["address": .map(["city": .string("London"), "zip": .int(1)]), "body": .string("One.\nTwo.\n")])])
    let new = SampleList([
      .sample("ada", ["address": .map(["city": .string("Paris"), "zip": .int(1)]), "body": .string("One.\n2.\n")], ext: "json")
    ])
    #expect(
      try said(old, new) == """
        22:31:07Z  files  1 updated · 1 item
          ~ 0  ada
              address.city: London → Paris
              body: One.\\nTwo.\\n → One.\\n2.\\n
              @path: ada.yaml → ada.json

        """)
    #expect(
      try said(old, new, .window(200)).hasSuffix(
        #"ada  address.city: London → Paris, body: One.\nTwo.\n → One.\n2.\n, @path: ada.yaml → ada.json"# + "\n"))
  }

  @Test func `only the view's fields are shown of a new item`() throws {
    let old = SampleList([], request: .showing("name"))
    let new = SampleList([.sample("cleo", ["name": .string("Cleo"), "rating": .int(5)])], request: .showing("name"))
    #expect(try said(old, new).hasSuffix("  + 0  cleo  name: Cleo\n"))
  }

  @Test func `problems come and go by themselves`() throws {
    let raised = ProblemChange.raised(problem("eve.yaml", 3, 7, "bad"))
    let cleared = ProblemChange.cleared(problem("a\u{1B}.yaml", 1, 1, "bad"))
    #expect(
      try said([.step(update: nil, problems: [raised, cleared]), .step(update: nil, problems: [cleared])]) == """
        22:31:07Z  1 problem, 1 solved
          ! friends/eve.yaml:3:7: bad
          ✓ friends/a%1B.yaml
        22:31:07Z  1 problem solved
          ✓ friends/a%1B.yaml

        """)
  }

  @Test func `colours mark the kind of change and nothing else`() throws {
    let new = friends.replacing("dan", with: ["name": .string("Dan"), "rating": .int(9)])
    let text = try said(friends, new, TextOptions(width: 80, usesColor: true, isTerminal: true))
    #expect(text == "\u{1B}[2m22:31:07Z  files  1 updated · 3 items\u{1B}[0m\n  \u{1B}[33m~\u{1B}[0m 2  dan  rating: 5 → 9\n")
  }

  @Test func `no change controls the terminal, and no line of a change is wider than the window`() throws {
    for seed in Randomness.seeds(300) {
      var random = SeededGenerator(seed: seed)
      func list() -> SampleList {
        let items = (0..<random.below(6)).map {
          Item.sample("\($0)", [random.hostileText(): .string(random.hostileText()), "x": .string(random.hostileText())])
        }
        return SampleList(items, request: .sectioned(by: "x", titles: ["": random.hostileText()]))
      }
      let (old, new) = (list(), list())
      let width = 40 + random.below(80)
      let colored = try said(old, new, TextOptions(width: width, usesColor: true, isTerminal: true))
      #expect(TerminalSafety.offenders(in: colored).isEmpty, "\(seedNote(seed))")
      for line in try said(old, new, .window(width)).split(separator: "\n") {
        #expect(DisplayText.width(of: String(line)) <= width, "\(seedNote(seed))")
      }
      #expect(TerminalSafety.offenders(in: try said([.snapshot(try old.snapshot)], .plain)).isEmpty, "\(seedNote(seed))")
    }
  }
}
