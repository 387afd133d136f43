import SampleLists
import Foundation
import Store
import TestSupport
import Testing
import Values

@testable import Printing
@testable import Streams

struct SnapshotPartTests {
  /// Returns the sections of each part as `id: items`.
  private static func parts(_ list: SampleList, _ itemsPerLine: Int) throws -> [[String]] {
    let snapshot = try list.snapshot
    return try SnapshotPart.parts(of: snapshot, itemsPerLine: itemsPerLine).map { part in
      var writer = JSONWriter()
      writer.list(part) { $0.write($1, of: snapshot) }
      let sections = try #require(JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [[String: Any]])
      return sections.map { section in
        let items = (section["items"] as? [[String: Any]] ?? []).map { "\($0["id"] ?? "-")" }
        return "\(section["id"] ?? "-"): \(items.joined(separator: " "))"
      }
    }
  }

  private static func list(_ sizes: KeyValuePairs<SectionID, Int>) -> SampleList {
    let items = sizes.flatMap { section, count in
      (0..<count).map { Item.sample("\(section)\($0)", ["g": .string(section.description)]) }
    }
    return SampleList(items, request: .sectioned(by: "g", order: sizes.map(\.key)))
  }

  @Test func `a section continues in the next part`() throws {
    let list = SnapshotPartTests.list(["a": 3, "b": 2])
    #expect(try SnapshotPartTests.parts(list, 5) == [["a: a0 a1 a2", "b: b0 b1"]])
    #expect(try SnapshotPartTests.parts(list, 2) == [["a: a0 a1"], ["a: a2", "b: b0"], ["b: b1"]])
    #expect(try SnapshotPartTests.parts(list, 3) == [["a: a0 a1 a2"], ["b: b0 b1"]])
    #expect(try SnapshotPartTests.parts(list, 1) == [["a: a0"], ["a: a1"], ["a: a2"], ["b: b0"], ["b: b1"]])
  }

  @Test func `empty sections appear once, wherever they are`() throws {
    let list = SnapshotPartTests.list(["e": 0, "a": 2, "f": 0, "b": 1, "g": 0])
    #expect(try SnapshotPartTests.parts(list, 2) == [["e: ", "a: a0 a1", "f: "], ["b: b0", "g: "]])
    #expect(try SnapshotPartTests.parts(SnapshotPartTests.list(["e": 0]), 2) == [["e: "]])
    #expect(try SnapshotPartTests.parts(SampleList([], request: .sectioned(by: "g")), 2) == [[]])
  }

  @Test(arguments: Randomness.seeds(50))
  func `the joined parts are the list, and only the last one is not full`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let sizes = (0..<random.below(6)).map { _ in random.below(5) }
    let items = sizes.enumerated().flatMap { section, count in
      (0..<count).map { Item.sample("\(section)-\($0)", ["g": .string("s\(section)")]) }
    }
    let list = SampleList(
      items, request: .sectioned(by: "g", order: sizes.indices.map { SectionID("s\($0)") }))
    let itemsPerLine = 1 + random.below(5)
    let parts = try SnapshotPartTests.parts(list, itemsPerLine)
    var joined: [String: String] = [:]
    for text in parts.joined() {
      let cut = text.split(separator: ": ", omittingEmptySubsequences: false)
      joined[String(cut[0]), default: ""] += (cut[1].isEmpty ? "" : " ") + cut[1]
    }
    #expect(joined.count == sizes.count, "\(seedNote(seed))")
    for (section, count) in sizes.enumerated() {
      #expect(joined["s\(section)"] == (0..<count).map { " \(section)-\($0)" }.joined(), "\(seedNote(seed))")
    }
    let counts = parts.map { $0.reduce(0) { $0 + $1.split(separator: " ").count - 1 } }
    #expect(counts.dropLast().filter { $0 != itemsPerLine } == [], "\(seedNote(seed))")
  }
}
