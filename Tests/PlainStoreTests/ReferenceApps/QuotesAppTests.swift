import Files
@testable import Models
@testable import Store
import TestSupport
import Testing
import Values
import Watch

@testable import Query

/// Quotes with the delegate of a fetched results controller, written in terms of an update.
@Suite(.timeLimit(.minutes(1)))
struct QuotesAppTests {
  private struct Quote: PlainModel {
    var id: String
    var author: String
    var words: String
  }

  /// A table view that is changed row by row, with the calls of its delegate.
  private struct Delegate {
    private(set) var calls: [String] = []
    private(set) var sections: [(name: String, rows: [String])] = []

    mutating func apply(_ update: ListUpdate<Quote>) {
      calls.append("will change")
      for change in update.sectionChanges { didChange(change) }
      for change in update.changes { didChange(change) }
      beginUpdates(update)
      calls.append("did change content")
    }

    private mutating func didChange(_ change: ListSectionChange) {
      let name = change.title ?? change.id.description
      calls.append("section \(name) \(change.kind) \(Delegate.text(change.from)) \(Delegate.text(change.to))")
    }

    private mutating func didChange(_ change: ListChange<Quote>) {
      calls.append(
        "\(change.element.words) \(change.kind) \(Delegate.text(change.from)) \(Delegate.text(change.to))"
      )
    }

    private static func text(_ part: (some CustomStringConvertible)?) -> String { part?.description ?? "-" }

    /// Changes rows as a table view does: deletes by old positions, then inserts by new ones.
    private mutating func beginUpdates(_ update: ListUpdate<Quote>) {
      let leaving = update.changes.filter { $0.kind == .delete || $0.kind == .move }.compactMap(
        \.from)
      for path in leaving.sorted(by: >) { sections[path.section].rows.remove(at: path.item) }
      let gone = update.sectionChanges.filter { $0.kind == .delete || $0.kind == .move }.sorted {
        ($0.from ?? 0) > ($1.from ?? 0)
      }
      var parked: [String: [String]] = [:]
      for change in gone {
        guard let from = change.from else { continue }
        let section = sections.remove(at: from)
        if change.kind == .move { parked[section.name] = section.rows }
      }
      for change in update.sectionChanges where change.kind == .insert || change.kind == .move {
        guard let to = change.to else { continue }
        sections.insert((change.id.description, parked[change.id.description] ?? []), at: to)
      }
      for change in update.changes {
        guard let to = change.to else { continue }
        if change.kind == .update {
          sections[to.section].rows[to.item] = change.element.words
        } else {
          sections[to.section].rows.insert(change.element.words, at: to.item)
        }
      }
      // A move does not tell the table that a row has other words; a reconfigured row has.
      for id in update.reconfigured {
        guard let path = update.new.place(of: id), let quote = update.new[path] else { continue }
        sections[path.section].rows[path.item] = quote.words
      }
    }
  }

  private static func rows(_ list: ListSnapshot<Quote>) -> [[String]] {
    list.sections.map { $0.map(\.words) }
  }

  @Test func `the delegate gets sections and objects with their old and new places`() async throws {
    let folder = try TemporaryFolder([
      "1.yaml": "author: Ada\nwords: one\n", "2.yaml": "author: Bob\nwords: two\n",
    ])
    let store = try ItemStore(at: folder.path)
    let quotes = try store.list(of: Quote.self, sort: "words", section: SectionDescriptor("author"))
    var updates = quotes.updates.makeAsyncIterator()
    var delegate = Delegate()
    delegate.apply(try #require(await updates.next()))
    #expect(
      delegate.calls == [
        "will change", "section Ada insert - 0", "section Bob insert - 1", "one insert - [0, 0]",
        "two insert - [1, 0]", "did change content",
      ])
    try folder.write("author: Bob\nwords: one\n", to: "1.yaml")
    try folder.write("author: Cleo\nwords: three\n", to: "3.yaml")
    await store.scan(DirtyPaths(files: ["1.yaml", "3.yaml"]))
    let update = try #require(await updates.next())
    delegate.apply(update)
    #expect(
      delegate.calls.suffix(6) == [
        "will change", "section Ada delete 0 -", "section Cleo insert - 1", "one move [0, 0] [0, 0]",
        "three insert - [1, 0]",
        "did change content",
      ])
    #expect(delegate.sections.map(\.rows) == Self.rows(update.new))
  }

  @Test func `a table that applies each update shows the list, whatever changed`() async throws {
    for seed in Randomness.seeds(12) {
      let note = Comment(rawValue: seedNote(seed))
      var random = SeededGenerator(seed: seed)
      let folder = try TemporaryFolder()
      let store = try ItemStore(at: folder.path)
      let quotes = try store.list(of: Quote.self, sort: "words", section: SectionDescriptor("author"))
      var updates = quotes.updates.makeAsyncIterator()
      var delegate = Delegate()
      delegate.apply(try #require(await updates.next()))
      for step in 0..<12 {
        var paths: Set<RelativePath> = ["end.yaml"]
        for _ in 0...random.below(4) {
          let name = "\(random.below(7)).yaml"
          paths.insert(RelativePath(bytes: name.utf8))
          if random.oneIn(4) {
            _ = try? folder.remove(name)
          } else {
            try folder.write(
              "author: \(random.one(of: ["Ada", "Bob", "Cleo"]))\nwords: w\(random.below(5))\n", to: name)
          }
        }
        // One change is certain, so that there is an update.
        try folder.write("author: Zoe\nwords: z\(step)\n", to: "end.yaml")
        await store.scan(DirtyPaths(files: paths))
        let update = try #require(await updates.next())
        delegate.apply(update)
        #expect(delegate.sections.map(\.rows) == Self.rows(update.new), note)
        #expect(delegate.sections.map(\.name) == update.new.sections.map(\.id.description), note)
      }
    }
  }
}
