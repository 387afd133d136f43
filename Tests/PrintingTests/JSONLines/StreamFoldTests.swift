import Files
import Foundation
import Store
import Synchronization
import TestSupport
import Testing
import Values

@testable import Printing
@testable import Streams

/// Promise 1, Replay: the snapshot plus the updates, applied in order, equal the daemon's list
/// after each update. When the disk is quiet, that is what `list` prints.
@Suite(.timeLimit(.minutes(10)))
struct StreamFoldTests {
  /// Each view has a risk of its own: sections that are inserted and deleted, a predicate and a
  /// search whose edge is crossed, a window that shifts.
  private static let views: [ViewDefinition] = {
    let written: [Fields] = [
      [:],
      ["sort": .string("-rating,word")],
      ["section": .string("group"), "sort": .string("rating")],
      [
        "section": .string("-group"), "section-order": .string("work,nobody,family"),
        "sort": .string("word,-rating"),
      ],
      ["section": .string("@dir"), "sort": .string("-rating")],
      ["where": .string("rating > 4 OR group = 'work'"), "sort": .string("rating")],
      ["section": .string("group"), "search": .string("grun"), "sort": .string("word")],
      ["sort": .string("rating"), "limit": .number(.integer(4)), "offset": .number(.integer(1))],
      [
        "section": .string("group"), "section-order": .string("family"), "sort": .string("-rating"),
        "limit": .number(.integer(3)),
      ],
      ["fields": .string("rating,address.city"), "sort": .string("address.city")],
      [
        "section": .string("group"), "where": .string("ANY tags = 'red' OR rating < 5"),
        "offset": .number(.integer(2)),
        "fields": .string("word,@path"),
      ],
    ]
    return written.compactMap { try? ViewDefinition($0) }
  }()

  @Test(arguments: Randomness.seeds(10))
  func `Replay: the folded stream equals what list prints whenever the disk is quiet`(seed: UInt64)
    async throws
  {
    #expect(Self.views.count == 11)
    var random = SeededGenerator(seed: seed)
    let folder = try EditedFolder()
    for _ in 0..<6 { try folder.edit(&random) }
    try folder.repair(&random)
    let store = try ItemStore(at: folder.path, watching: true)
    let readers = Self.views.map { FollowedList(store.list($0.request)) }
    for round in 0..<12 {
      for _ in 0...random.below(8) { try folder.edit(&random) }
      try folder.repair(&random)
      for (reader, view) in zip(readers, Self.views) {
        try await reader.wait(
          forListOf: view, in: folder.path, "view \(view.written), round \(round); \(seedNote(seed))")
      }
    }
    for reader in readers { reader.stop() }
  }
}

/// Reads the stream of one list as a program would, in its own task.
private final class FollowedList: Sendable {
  private let output = LineOutput()
  private let task: Task<Void, Never>

  init(_ results: LiveList<Item>) {
    let output = output
    task = Task {
      var writer = StreamWriter(root: "r", itemsPerLine: 5) { Timestamp(seconds: 0, nanoseconds: 0) }
      for await event in results.events {
        writer.add(event)
        writer.write { output.write($0) }
      }
    }
  }

  func stop() { task.cancel() }

  /// Waits until the folded stream equals a new list. Fails after 20 seconds.
  func wait(forListOf view: ViewDefinition, in path: String, _ comment: String) async throws {
    let deadline = ContinuousClock.now + .seconds(20)
    var difference: String?
    repeat {
      if let violation = output.state.withLock({ $0.violation }) {
        Issue.record("\(violation): \(comment)")
        throw StreamReader.Violation(description: violation)
      }
      let fresh = try ItemStore(at: path).list(view.request).snapshot
      difference = try output.state.withLock {
        try FollowedList.difference(of: $0.reader, from: fresh)
          ?? FollowedList.difference(of: $0.list, from: fresh)
      }
      if difference == nil { return }
      try await Task.sleep(for: .milliseconds(10))
    } while ContinuousClock.now < deadline
    Issue.record("the stream never became the list: \(difference ?? ""): \(comment)")
    throw StreamReader.Violation(description: comment)
  }

  private static func difference(of list: StreamList, from fresh: ListSnapshot<Item>) -> String? {
    if list.snapshot != fresh.list { return "\(list.snapshot) instead of \(fresh.list)" }
    for section in fresh.sections where list.title(of: section.id) != section.title {
      return "another title of \(section.id)"
    }
    var difference: String?
    fresh.forEachRow { row in
      let value = fresh.item(ofShownRow: row.id)?.projection(fresh.request.fields).fields ?? [:]
      if list.row(row.id)?.path != row.path || list.row(row.id)?.value.json != value.json {
        difference = "\(row.id) is \(String(describing: list.row(row.id)))"
      }
    }
    let problems = Dictionary(uniqueKeysWithValues: fresh.problems.map { ($0.path, $0.message) })
    return difference ?? (list.problems == problems ? nil : "problems \(list.problems)")
  }

  /// Returns the first difference between the folded stream and the list of a newly opened store.
  private static func difference(of reader: StreamReader, from fresh: ListSnapshot<Item>) throws -> String? {
    var output = ByteBuffer()
    try ItemListWriter.array(fresh).write(to: &output)
    guard let list = try JSONSerialization.jsonObject(with: Data(output.bytes)) as? [[String: Any]] else {
      return "no list"
    }
    let expected = list.map { "\($0["section"] ?? "-")/\($0["id"] ?? "-")" }
    let folded = reader.sections.flatMap { section in section.items.map { "\(section.id)/\($0)" } }
    if expected != folded { return "\(folded) instead of \(expected)" }
    for item in list {
      guard let id = (item["id"] as? String).map({ ExactText($0) }),
        let value = item["value"] as? NSDictionary
      else {
        return "no item: \(item)"
      }
      if reader.values[id] != value { return "\(id) is \(reader.values[id] ?? [:]) instead of \(value)" }
      if reader.paths[id]?.description != item["path"] as? String {
        return "\(id) is at \(reader.paths[id] ?? "-")"
      }
    }
    let sections = fresh.sections.map { ExactText($0.id.description) }
    if reader.sections.map(\.id) != sections {
      return "sections \(reader.sections.map(\.id)) instead of \(sections)"
    }
    let problems = Dictionary(
      uniqueKeysWithValues: fresh.problems.map { (ExactText($0.path.description), $0.message) })
    return reader.problems == problems ? nil : "problems \(reader.problems) instead of \(problems)"
  }
}

/// Passes each line to a reader, and keeps the first violation.
private final class LineOutput: ByteOutput, Sendable {
  /// A reader that is not ours, and ours.
  let state = Mutex<(reader: StreamReader, list: StreamList, violation: String?)>(
    (StreamReader(), StreamList(), nil))

  func write(_ bytes: [UInt8]) {
    state.withLock { state in
      if state.violation != nil { return }
      let text = String(decoding: bytes, as: UTF8.self)
      do {
        if !text.hasSuffix("\n") || text.dropLast().contains("\n") {
          throw StreamReader.Violation(description: "a write is not one line")
        }
        try state.reader.apply(text.utf8.dropLast())
        try state.list.apply(StreamLine(bytes: bytes))
      } catch {
        state.violation = "\(error)\n\(text)"
      }
    }
  }
}

extension Fields {
  fileprivate var json: String { JSONWriter.text(of: .map(self)) }
}

private struct ByteBuffer: ByteOutput {
  var bytes: [UInt8] = []

  mutating func write(_ bytes: [UInt8]) { self.bytes += bytes }
}
