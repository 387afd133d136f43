import Foundation
import TestSupport
import Testing
import TextEdits
import Values

/// Edits each scalar of each file of the sample data, and of the folder that `NOTES_WATCH_DATA`
/// names, and reads it back.
@Suite struct ItemTextDataTests {
  private struct Tally: CustomStringConvertible {
    var files = 0
    var edits = 0
    var refused = 0
    var strayBytes = 0
    var notBack = 0

    var description: String {
      "\(files) files, \(edits) edits, \(refused) refused, \(strayBytes) changed other bytes, \(notBack) not the same after setting back"
    }
  }

  private static let samples =
    URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/").dropFirst()
    + "/SampleData"

  @Test func `each scalar of the sample data can be set and set back`() throws {
    let tally = try editAll(of: String(ItemTextDataTests.samples))
    #expect(tally.files > 200)
    #expect(tally.edits > 1_000)
    #expect(tally.strayBytes == 0)
    #expect(tally.notBack == 0)
    #expect(tally.refused == 0)
  }

  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["NOTES_WATCH_DATA"] != nil, "NOTES_WATCH_DATA names no folder"))
  func `each scalar of the given data can be set`() throws {
    let tally = try editAll(of: ProcessInfo.processInfo.environment["NOTES_WATCH_DATA"] ?? "")
    print(tally)
    #expect(tally.files > 0)
    #expect(tally.edits > 0)
    #expect(tally.strayBytes == 0)
  }

  private func editAll(of folder: String) throws -> Tally {
    var tally = Tally()
    for case let name as String in FileManager.default.enumerator(atPath: folder)
      ?? FileManager.DirectoryEnumerator()
    {
      guard let format = TextFormat(pathExtension: String(name.split(separator: ".").last ?? "")),
        let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)").map(Array.init),
        let text = try? LocatedText(reading: bytes, as: format),
        let value = try? PackedValue(reading: bytes, as: format).value
      else { continue }
      tally.files += 1
      for keys in allPaths(of: value) {
        guard let old = value.exactly(at: keys), old.isScalar else { continue }
        try edit(ItemText(bytes, as: format), text, FieldPath(keys: keys), old, &tally)
      }
    }
    return tally
  }

  private func edit(
    _ item: ItemText, _ text: LocatedText, _ path: FieldPath, _ old: Value, _ tally: inout Tally
  ) throws {
    let probe = probe(for: old)
    tally.edits += 1
    guard let range = text.range(of: path), let edited = try? item.applying([.set(path, probe)]) else {
      tally.refused += 1
      return
    }
    #expect(
      try PackedValue(reading: edited, as: item.format).value.exactly(at: path.keys) == probe, "\(path)")
    let isSame =
      edited.starts(with: item.bytes[..<range.lowerBound])
      && edited.reversed().starts(with: item.bytes[range.upperBound...].reversed())
    if !isSame {
      tally.strayBytes += 1
      Issue.record("\(path): \(String(decoding: edited, as: UTF8.self))")
    }
    // The quotes that the first string needed would remain.
    let plain =
      if case .string(let text) = old { Value.string(text.hasSuffix("\n") ? "changed\n" : "changed") } else {
        probe
      }
    let there = try item.applying([.set(path, plain)])
    if try ItemText(there, as: item.format).applying([.set(path, old)]) != item.bytes { tally.notBack += 1 }
  }

  private func probe(for value: Value) -> Value {
    switch value {
    case .number(.integer(let number)): .number(.integer(number &+ 1))
    case .number: .number(.double(0.25))
    case .bool(let flag): .bool(!flag)
    case .date: Value(text: "2001-12-31")
    default: .string("changed: it's \"so\"")
    }
  }
}
