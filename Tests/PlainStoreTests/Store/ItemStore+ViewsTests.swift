import Streams
import TestSupport
import Testing

@testable import Folder
@testable import Query
@testable import Store

@Suite(.timeLimit(.minutes(1)))
struct ItemStoreViewsTests {
  private static let settings = """
    # My views
    id-field: id   # keep

    views:
      today:   # what is due
        sort: [-due, name]   # newest
        nulls: first
        empty: 'Nothing.'
      done: {where: done = true,   fields: [name,done]}
    ignore: [drafts/]

    """

  private static func view(_ text: String) throws -> ViewDefinition {
    guard case .map(let fields) = try yaml(text) else { return ViewDefinition() }
    return try ViewDefinition(fields)
  }

  private static func save(_ view: String, as name: String, in store: ItemStore) async throws -> SaveOutcome {
    try await store.saveView(Self.view(view), as: name, in: store.settingsFile())
  }

  @Test func `only the parts that differ are written, and an undo brings back each byte`() async throws {
    let folder = try TemporaryFolder([".notes-watch.yaml": Self.settings, "a.yaml": "id: a\n"])
    let store = try ItemStore(at: folder.path)
    let saved = try await Self.save(
      "{sort: ['-due:nulls-first', 'name:nulls-first'], fields: [name, due], empty: Nothing.}", as: "today",
      in: store)
    let text = try folder.text(of: ".notes-watch.yaml")
    #expect(
      text
        == Self.settings.replacing(
          "    empty: 'Nothing.'\n", with: "    empty: 'Nothing.'\n    fields: [name, due]\n"))
    #expect(store.settings.views["today"]?.fields == ["name", "due"])
    try await store.save(saved.inverse)
    #expect(try folder.text(of: ".notes-watch.yaml") == Self.settings)
    #expect(store.settings.views["today"]?.fields == nil)
  }

  @Test func `a new order says itself where nulls are`() async throws {
    let folder = try TemporaryFolder([".notes-watch.yaml": Self.settings])
    let store = try ItemStore(at: folder.path)
    _ = try await Self.save("{sort: [name], empty: Nothing.}", as: "today", in: store)
    #expect(store.settings.views["today"] == (try Self.view("{sort: [name], empty: Nothing.}")))
    #expect(try !folder.text(of: ".notes-watch.yaml").contains("nulls"))
  }

  @Test(arguments: [nil, "", "# Only words\n", "# no end", "id-field: id\n", "views: {}\n", "---\n"])
  func `a view is added to any settings`(text: String?) async throws {
    let folder = try TemporaryFolder(["a.yaml": "id: a\n"])
    if let text { try folder.write(text, to: ".notes-watch.yaml") }
    let store = try ItemStore(at: folder.path)
    let view = "{sort: [-rating], widths: {name: 30}}"
    let saved = try await Self.save(view, as: "best: of 'all'", in: store)
    #expect(saved.result == (text == nil ? .inserted : .updated(isMerged: false)))
    #expect(store.settings.views == ["best: of 'all'": try Self.view(view)])
    if let text { #expect(try folder.text(of: ".notes-watch.yaml").hasPrefix(text.prefix { $0 != "{" })) }
    #expect(try await Self.save(view, as: "best: of 'all'", in: store).result == .unchanged)
    try await store.save(saved.inverse)
    #expect((try? folder.text(of: ".notes-watch.yaml")) == text)
    #expect(store.settings.views.isEmpty)
  }

  @Test func `settings that changed since they were read are not touched`() async throws {
    let folder = try TemporaryFolder([".notes-watch.yaml": Self.settings])
    let store = try ItemStore(at: folder.path)
    let file = try store.settingsFile()
    let other = Self.settings + "# one more comment\n"
    try folder.write(other, to: ".notes-watch.yaml")
    let error = await #expect(throws: EditError.self) {
      try await store.saveView(Self.view("sort: [name]"), as: "today", in: file)
    }
    #expect(error?.code == .conflict)
    #expect(try folder.text(of: ".notes-watch.yaml") == other)
  }

  @Test func `an undo of settings that changed since is refused`() async throws {
    let folder = try TemporaryFolder([".notes-watch.yaml": Self.settings])
    let store = try ItemStore(at: folder.path)
    let saved = try await Self.save("sort: [name]", as: "new", in: store)
    let other = try folder.text(of: ".notes-watch.yaml") + "# one more comment\n"
    try folder.write(other, to: ".notes-watch.yaml")
    await #expect(throws: SaveError.self) { try await store.save(saved.inverse) }
    #expect(try folder.text(of: ".notes-watch.yaml") == other)
  }

  @Test(arguments: ["views: [\n", "sorts: 1\n", "~\n", "[]\n"])
  func `settings to which nothing can be added are left alone`(text: String) async throws {
    let folder = try TemporaryFolder(["a.yaml": "id: a\n"])
    let store = try ItemStore(at: folder.path)
    try folder.write(text, to: ".notes-watch.yaml")
    await #expect(throws: (any Error).self) { try await Self.save("sort: [name]", as: "new", in: store) }
    #expect(try folder.text(of: ".notes-watch.yaml") == text)
  }

  @Test func `a broken view is not replaced`() async throws {
    let text = "views:\n  v: {limit: -1, where: a = 1}\n  w: {}\n"
    let folder = try TemporaryFolder([".notes-watch.yaml": text, "a.yaml": "id: a\n"])
    let store = try ItemStore(at: folder.path)
    let problem = await #expect(throws: Problem.self) { try await Self.save("{}", as: "v", in: store) }
    #expect(problem?.line == 2)
    #expect(try folder.text(of: ".notes-watch.yaml") == text)
    _ = try await Self.save("{sort: [n]}", as: "w", in: store)
    #expect(
      try folder.text(of: ".notes-watch.yaml").hasPrefix("views:\n  v: {limit: -1, where: a = 1}\n  w:"))
  }

  @Test func `names that look the same are the same`() async throws {
    let text = "views:\n  \u{E9}: {limit: 1}\n"
    let folder = try TemporaryFolder([".notes-watch.yaml": text, "a.yaml": "id: a\n"])
    let store = try ItemStore(at: folder.path)
    _ = try await Self.save("{limit: 2}", as: "e\u{301}", in: store)
    #expect(try folder.text(of: ".notes-watch.yaml").utf8.elementsEqual(text.replacing("1", with: "2").utf8))
  }

  @Test func `a request changes only the parts in which it differs`() throws {
    let view = try Self.view(
      "{sort: [], section-order: [x], section-titles: {x: X}, offset: 0, fields: [], query: w, empty: None}")
    #expect(view.showing(view.request) == view)
    var request = view.request
    request.typedSearch = "other"
    request.sortsByRelevance = true
    #expect(view.showing(request) == view)
    (request.sort, request.section, request.limit) = (["-n"], "g", 3)
    var wanted = view
    (wanted.sort, wanted.section, wanted.limit) = (["-n"], "g", 3)
    (wanted.sectionOrder, wanted.sectionTitles) = (nil, nil)
    #expect(view.showing(request) == wanted)
  }

  @Test(arguments: ["", "a\nb", "\u{1B}[2J", String(repeating: "n", count: 101)])
  func `a name that no person could type is refused`(name: String) async throws {
    let folder = try TemporaryFolder(["a.yaml": "id: a\n"])
    let store = try ItemStore(at: folder.path)
    let error = await #expect(throws: EditError.self) { try await Self.save("{}", as: name, in: store) }
    #expect(error?.code == .invalid)
    #expect((try? folder.text(of: ".notes-watch.yaml")) == nil)
  }

  @Test func `no id of an item leads to the settings`() async throws {
    let folder = try TemporaryFolder([".notes-watch.yaml": "views: {}\n", "a.yaml": "id: a\n"])
    let store = try ItemStore(at: folder.path)
    var scope = store.makeEditScope()
    scope.update(".notes-watch", [.set("ignore", "x")])
    scope.insert(".notes-watch", fields: ["ignore": "x"])
    #expect(try await store.saveEach(scope).failures.count == 2)
    #expect(try folder.text(of: ".notes-watch.yaml") == "views: {}\n")
  }

  /// Everything but the view stays, in bytes and in values, and an undo brings back the text.
  @Test(arguments: Randomness.seeds(60)) func `other settings never change`(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let names = ["a", "b c", "ü: x", "'q'"]
    let views = [
      "{}", "{sort: [n]}", "{fields: [n, m], widths: {n: 3}}", "{sort: ['-n:nulls-first'], limit: 3}",
      "{where: 'n > 3', section: -g, section-order: [x], section-titles: {x: X, 3: Three}}",
      "{query: 'has:n', search-fields: [n], offset: 2, empty: \"No\\nne\"}",
    ]
    let styles = [
      { (view: String) in "\n    # about it\n    " + view.dropFirst().dropLast() }, { " \($0)  # flow" },
    ]
    var text = generator.oneIn(2) ? "# top\nignore: [x]\n" : ""
    let known = names.filter { _ in generator.oneIn(2) }
    if !known.isEmpty { text += "views:\n" }
    for name in known {
      let isFlow = generator.oneIn(2)
      let view = generator.one(of: views)
      let body = isFlow || view == "{}" ? styles[1](view) : "\n    # about it\n    " + Self.block(view)
      text += "  \(Self.quoted(name)):\(body)\n"
    }
    if generator.oneIn(2) { text += "defaults: {made: '@now'}  # last\n" }
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n"])
    try folder.write(text, to: ".notes-watch.yaml")
    let store = try ItemStore(at: folder.path)
    let (name, view) = (generator.one(of: names), try Self.view(generator.one(of: views)))
    var wanted = store.settings
    wanted.views[name] = view
    let saved = try await store.saveView(view, as: name, in: store.settingsFile())
    let note = "\(seedNote(seed)): \(name) in \(text)"
    #expect(try store.settingsFile().settings == wanted, "\(note)")
    let new = try folder.text(of: ".notes-watch.yaml")
    for line in text.split(separator: "\n") where !Self.isOf(name, line, in: text) {
      #expect(new.contains(line), "\(note): \(line)")
    }
    try await store.save(saved.inverse)
    #expect(try folder.text(of: ".notes-watch.yaml") == text, "\(note)")
  }

  private static func quoted(_ name: String) -> String { "\"\(name)\"" }

  private static func block(_ view: String) -> String {
    guard case .map(let fields)? = try? yaml(view) else { return "" }
    return fields.map { "\($0.key): \(JSONWriter.text(of: $0.value))" }.joined(separator: "\n    ")
  }

  /// True if a line belongs to the view, whose parts may change.
  private static func isOf(_ name: String, _ line: Substring, in text: String) -> Bool {
    var isInside = false
    for other in text.split(separator: "\n") {
      if other.hasPrefix("  \"") { isInside = other.hasPrefix("  \(quoted(name)):") }
      if !other.hasPrefix(" ") { isInside = false }
      if isInside, other == line { return true }
      if other == "views:", line == other { return false }
    }
    return false
  }
}
