import DiffableSnapshot
import Files
import PlainStore
import Streams
import TestSupport
import Testing
import TextEdits
import Values
import Watch

/// The Swift code of `docs/building-blocks.md` compiles as a user of the libraries has it, and does
/// what the page says.
@Suite(.timeLimit(.minutes(1)))
struct BuildingBlocksPageTests {
  @Test func `The page has no other code`() throws {
    let page = try DocumentationPage("docs/building-blocks.md", below: #filePath)
    #expect(page.lines.count > 5)
    #expect(try page.firstLineMissing(in: #filePath) == nil)
  }

  @Test func `The snapshots of the page hold`() throws {
    var printed: [String] = []
    func print(_ parts: Any...) { printed.append(parts.map { "\($0)" }.joined(separator: " ")) }
    var list = try Snapshot([(id: "friends", items: ["ada", "bob"]), (id: "work", items: ["cleo"])])
    let before = list
    try list.moveItem("bob", afterItem: "cleo")
    try list.deleteItems(["ada"])
    let difference = list.difference(from: before)
    for change in difference.changes { print(change.item, change.from as Any, change.to as Any) }
    let same = try before.applying(difference) == list
    #expect(printed == ["ada Optional(friends[0]) nil", "bob Optional(friends[1]) Optional(work[1])"])
    #expect(same)
  }

  @Test func `The texts of the page hold`() throws {
    var printed: [String] = []
    func print(_ parts: Any...) { printed.append(parts.map { "\($0)" }.joined(separator: " ")) }
    let text = ItemText(Array("name: Ada  # who\nrating: 7\n".utf8), as: .yaml)
    let edited = try text.applying([.set("rating", 8)])
    let theirs = Array("name: Ada Lovelace  # who\nrating: 7\n".utf8)
    let merged = TextMerge(base: text.bytes, ours: edited, theirs: theirs, as: .yaml)
    print(String(decoding: merged.bytes, as: UTF8.self), merged.isConflicted)
    #expect(printed == ["name: Ada Lovelace  # who\nrating: 8\n false"])
  }

  @Test func `The watch of the page holds`() async throws {
    let temporary = try TemporaryFolder(["a.md": "a", "c.txt": "c"])
    let folder = temporary.path
    var seen: [String] = []
    func read(_ path: RelativePath) { seen.append(path.description) }
    func readAll(_ directory: RelativePath) { seen.append("\(directory)/") }

    let filter = WatchFilter(includesFile: { $0.name.hasSuffix(".md") })
    let watcher = try DirectoryWatcher(root: folder, filter: filter)
    for entry in watcher.consumeInitialListing().entries { read(entry.path) }
    #expect(seen == ["a.md"])
    try temporary.shell("echo new > new.tmp; mv new.tmp new.md")
    for await case .dirty(let batch) in watcher.events {
      for path in batch.files { read(path) }
      for directory in batch.subtrees { readAll(directory) }
      if batch.origin == .files { break }
    }
    watcher.stop()
    #expect(seen == ["a.md", "new.md"])
  }

  @Test func `The stream of the page holds`() async throws {
    var printed: [String] = []
    func print(_ parts: Any...) { printed.append(parts.map { "\($0)" }.joined(separator: " ")) }
    let store = try await ItemStore.temporary(["ada.yaml": "name: Ada\n"])
    let list = try store.list(sort: "name")
    var writer = StreamWriter(root: "contacts") { Timestamp(seconds: 0, nanoseconds: 0) }
    writer.begin(view: [:], .snapshot(list.snapshot))

    var bytes: [UInt8] = []
    writer.write { piece in bytes += piece }
    var copy = StreamList()
    for line in bytes.split(separator: UInt8(ascii: "\n")) { try copy.apply(StreamLine(bytes: Array(line))) }
    for id in copy.snapshot.itemIdentifiers { print(id, copy.row(id)?.value as Any) }
    #expect(printed.count == 1)
    #expect(printed.first?.hasPrefix("ada ") == true)
  }
}
