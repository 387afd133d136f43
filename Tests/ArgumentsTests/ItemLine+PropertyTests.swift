import Files
import Store
import TestSupport
import Testing
import Values

@testable import notes_watch

/// Malformed lines: random edits of lines that `list -o jsonl` prints.
@Suite struct ItemLinePropertyTests {
  private static let lines = [
    #"{"id":"ada","path":"ada.yaml","value":{"rating":8,"on":"2024-01-31"}}"#,
    #"{"v":1,"type":"update","id":1003,"path":"d/%41.md","value":[1,{"x":null}]}"#,
    #"{"path":"x/é.json","value":{"a":{"b":[".nan","-.inf"]}},"numbers":{"a":{"b":[true,true]}},"computed":{"@count":true}}"#,
  ].map { Array($0.utf8) }

  private static func text(_ random: inout SeededGenerator) -> [UInt8] {
    var text = random.one(of: lines)
    for _ in 0...random.below(4) {
      let start = random.below(text.count + 1)
      let end = min(text.count, start + random.below(8))
      switch random.below(3) {
      case 0: text.removeSubrange(start..<end)
      case 1: text.insert(UInt8(random.below(256)), at: start)
      default:
        let other = random.one(of: lines)
        let place = random.below(other.count)
        text.replaceSubrange(start..<end, with: other[place..<min(other.count, place + random.below(24))])
      }
    }
    return text
  }

  @Test func `a line that is printed again names the same item, and an error has a place in the line`() {
    var (read, refused) = (0, 0)
    for seed in Randomness.seeds(2_000) {
      var random = SeededGenerator(seed: seed)
      let text = ItemLinePropertyTests.text(&random)
      do throws(TextError) {
        let line = try ItemLine(text)
        var written: Fields = ["id": .string("\(line.id)")]
        written["path"] = line.path.map { .string("\($0)") }
        written["value"] = line.value.map(Value.map)
        let again = try? ItemLine(Array(JSONWriter.text(of: .map(written)).utf8))
        #expect(again?.id == line.id, "\(seedNote(seed))")
        #expect(again?.path == line.path, "\(seedNote(seed))")
        read += 1
      } catch {
        #expect(error.line >= 1, "\(seedNote(seed)): \(error)")
        #expect((1...text.count + 1).contains(error.column), "\(seedNote(seed)): \(error)")
        #expect(!error.message.isEmpty, "\(seedNote(seed))")
        refused += 1
      }
    }
    #expect(read > 0)
    #expect(refused > 0)
  }
}
