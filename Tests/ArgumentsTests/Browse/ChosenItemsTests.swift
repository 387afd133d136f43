import ArgumentParser
import Files
import Store
import Terminal
import TestSupport
import Testing

@testable import notes_watch

@Suite struct ChosenItemsTests {
  /// Returns the chosen items of a folder, as they are printed.
  private func chosen(
    _ ids: [Item.ID], _ options: String, in folder: TemporaryFolder, named name: String = "data",
    key: Key? = nil,
    request: FetchRequest = FetchRequest(), isTerminal: Bool = false
  ) throws -> (lines: [UInt8], failures: [Failure]) {
    let store = try ItemStore(at: folder.path)
    let choice = try ChoiceOptions.parse(options.split(separator: " ").map(String.init))
    let list = store.list(request).snapshot
    return choice.lines(of: ids, key: key, folder: name, list: list, isTerminal: isTerminal) {
      store.item($0)
    }
  }

  private func text(_ items: (lines: [UInt8], failures: [Failure])) -> String {
    String(decoding: items.lines, as: UTF8.self)
  }

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder([
      "friends/ada.yaml": "name: Ada\nage: 36\n", "bob.md": "---\nname: Bob\n---\ntext\n", "-c.json": "{}",
    ])
  }

  @Test func `ids are printed as list prints them`() throws {
    #expect(text(try chosen(["friends/ada", "bob"], "--print id", in: folder)) == "friends/ada\nbob\n")
    #expect(text(try chosen(["gone"], "--print id", in: folder)) == "gone\n")
  }

  @Test(arguments: [
    ("data", "data/bob.md\n"), ("data/", "data/bob.md\n"), ("./data/.", "./data/bob.md\n"), (".", "bob.md\n"),
    ("/", "/bob.md\n"),
    ("/srv/x", "/srv/x/bob.md\n"), ("-d", "./-d/bob.md\n"),
  ])
  func `a path begins with the folder as it was typed`(name: String, line: String) throws {
    #expect(text(try chosen(["bob"], "--print path", in: folder, named: name)) == line)
  }

  @Test func `a path never begins with a dash`() throws {
    #expect(text(try chosen(["-c"], "--print path", in: folder, named: ".")) == "./-c.json\n")
  }

  @Test func `JSON lines are those of list, with the fields of the view`() throws {
    #expect(
      text(try chosen(["friends/ada"], "--print json", in: folder))
        == #"{"id":"friends/ada","path":"friends/ada.yaml","section":"","value":{"name":"Ada","age":36}}"#
        + "\n")
    let request = FetchRequest(
      section: SectionDescriptor("@dir"), predicate: ItemPredicate("age > 3"), fields: ["age"])
    #expect(
      text(try chosen(["friends/ada"], "--print json", in: folder, request: request))
        == #"{"id":"friends/ada","path":"friends/ada.yaml","section":"friends","value":{"age":36}}"# + "\n")
    // An item that the list does not show any more is still what the person chose.
    #expect(
      text(try chosen(["bob"], "--print json", in: folder, request: request))
        == #"{"id":"bob","path":"bob.md","value":{}}"# + "\n")
  }

  @Test func `an item that is gone is reported, and the others are printed`() throws {
    let items = try chosen(["gone", "bob"], "--print path", in: folder)
    #expect(text(items) == "data/bob.md\n")
    #expect(
      items.failures == [
        Failure(.noInput, "The item `gone` does not exist any more.")
      ])
  }

  @Test func `with expected keys the first line is the key, and empty for Enter`() throws {
    #expect(text(try chosen(["bob"], "--print id --expect x", in: folder)) == "\nbob\n")
    #expect(
      text(try chosen(["bob"], "--print id --expect x", in: folder, key: Key(.character("x")))) == "x\nbob\n")
    #expect(text(try chosen(["bob"], "--print id", in: folder, key: Key(.enter))) == "bob\n")
  }

  @Test func `an item in several sections is printed once`() throws {
    let folder = try TemporaryFolder(["a.yaml": "tags: [x, y]\n"])
    let ids = try ItemStore(at: folder.path).list(
      FetchRequest(section: SectionDescriptor("tags", by: .element))
    ).snapshot.list
      .itemIdentifiers
    try #require(ids.count == 2)
    #expect(text(try chosen(ids, "--print id", in: folder)) == "a\n")
  }

  @Test func `a file never passes for two lines`() async throws {
    let folder = try TemporaryFolder()
    try folder.shell("printf 'k: 1\\n' > \"$(printf 'a\\nb').yaml\"")
    let id = try #require(try ItemStore(at: folder.path).list(FetchRequest()).snapshot.first?.id)
    let items = try chosen([id], "--print path", in: folder)
    #expect(items.lines.isEmpty)
    #expect(items.failures.map(\.code) == [.badData])
    #expect(text(try chosen([id], "--print id", in: folder)).count { $0 == "\n" } == 1)
    #expect(text(try chosen([id], "--print json", in: folder)).count { $0 == "\n" } == 1)
  }

  @Test(arguments: ["id", "path", "json"]) func `no path controls a terminal`(form: String) async throws {
    let folder = try TemporaryFolder()
    try folder.shell("printf 'k: 1\\n' > \"$(printf 'a\\033[31m\\342\\200\\256').yaml\"")
    let id = try #require(try ItemStore(at: folder.path).list(FetchRequest()).snapshot.first?.id)
    let shown = text(try chosen([id], "--print \(form)", in: folder, isTerminal: true))
    #expect(
      shown.unicodeScalars.allSatisfy { $0 == "\n" || !($0.value < 0x20 || $0.value == 0x202E) },
      "\(shown.debugDescription)")
    if form == "path" { #expect(try chosen([id], "--print path", in: folder).lines.contains(0x1B)) }
  }
}
