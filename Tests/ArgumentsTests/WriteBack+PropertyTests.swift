import Files
import Store
import TestSupport
import Testing
import TextEdits
import Values
import Streams

@testable import notes_watch

/// `list … | set DIR -` over random items, random fields and every format.
@Suite struct WriteBackPropertyTests {
  @Test func `an unedited line changes nothing`() throws {
    var count = 0
    for seed in Randomness.seeds(400) {
      var random = SeededGenerator(seed: seed)
      let format = random.one(of: TextFormat.allCases)
      guard let file = random.file(as: format) else { continue }
      for _ in 0..<6 {
        let paths = random.paths(of: file.item)
        let line = try ItemLine(file.line(showing: paths))
        let shown = try #require(line.value)
        guard let fields = try? file.item.fields(writingBack: shown, computed: line.computed) else {
          Issue.record(
            "refused: \(JSONWriter.text(of: .map(shown))) of \(JSONWriter.text(of: .map(file.fields))) \(paths) \(seedNote(seed))"
          )
          continue
        }
        let edits = TextEdit.edits(from: file.fields, to: fields)
        #expect(edits.isEmpty, "\(paths) \(edits) \(seedNote(seed))")
        #expect(try ItemText(file.bytes, as: format).applying(edits) == file.bytes, "\(seedNote(seed))")
        count += 1
      }
    }
    #expect(count > 0)
  }

  @Test func `an edited field of a map changes without other changes`() throws {
    var count = 0
    for seed in Randomness.seeds(400) {
      var random = SeededGenerator(seed: seed)
      guard let file = random.file(as: random.one(of: TextFormat.allCases)) else { continue }
      let paths = random.oneIn(2) ? [] : random.paths(of: file.item)
      let line = try ItemLine(file.line(showing: paths))
      let shown = try #require(line.value)
      let candidates = WriteBackPropertyTests.plainPaths(of: file.fields, in: shown)
      guard !candidates.isEmpty else { continue }
      let path = random.one(of: candidates)
      let new: Value = random.one(of: [
        "edited", 4_711, .bool(true), .list(["x", 7]), Value(text: "2031-12-31"),
      ])
      let edited = try shown.applying([.set(path, new)])
      let fields = try file.item.fields(writingBack: edited, computed: line.computed)
      #expect(try fields == file.fields.applying([.set(path, new)]), "\(path) of \(paths) \(seedNote(seed))")
      count += 1
    }
    #expect(count > 0)
  }

  /// The fields that a line shows as they are in the file, reached through maps alone and not named
  /// like something computed.
  private static func plainPaths(of own: Fields, in shown: Fields, below keys: [String] = []) -> [FieldPath] {
    shown.flatMap { key, value -> [FieldPath] in
      guard let old = own[key], !key.hasPrefix("@") else { return [] }
      let path = keys + [key]
      if case .map(let old) = old, case .map(let value) = value {
        return plainPaths(of: old, in: value, below: path)
      }
      return old.isListed(as: value) ? [FieldPath(keys: path)] : []
    }
  }
}
