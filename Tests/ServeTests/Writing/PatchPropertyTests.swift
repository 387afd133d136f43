import HTTPTypes
import Store
import TestSupport
import Testing
import TextEdits
import Values

/// Random documents and random merge patches, compared with a reference.
struct PatchPropertyTests {
  @Test func `A merge patch gives the values of RFC 7396 and keeps all other bytes`() async throws {
    var accepted = 0
    for seed in Randomness.seeds(12) {
      var generator = SeededGenerator(seed: seed)
      let document = PatchDocument(&generator)
      let served = try await ServedFolder([document.name: document.text])
      for _ in 0..<10 {
        let before = try served.text(document.name)
        let old = try await served.get("/item?id=a")
        let fields = try #require(
          try ItemText(Array(before.utf8), as: document.format).fields.get().value.fields)
        let patch = PatchMaker.merge(&generator)
        let wanted = ReferencePatch.merge(patch, into: .map(fields))
        let body = JSONWriter.text(of: patch)
        let answer = try await served.send(
          .patch, "/item?id=a", [.contentType: "application/merge-patch+json", .ifMatch: old.tag], body)
        let after = try served.text(document.name)
        let note = Comment(
          rawValue:
            "\(seedNote(seed)): \(body) on\n\(before)\nanswers \(answer.status) \(answer.text)\n\(after)")
        accepted += 1
        #expect(answer.status == 200, note)
        let found = try ItemText(Array(after.utf8), as: document.format).fields.get().value
        #expect(found.hasSameValue(as: .map(wanted)), note)
        #expect(
          document.keepsLines(before, after, changed: FieldChanges(from: fields, to: found.fields ?? [:])),
          note)
      }
    }
    #expect(accepted > 0)
  }
}

/// A random document: one line per field, with comments where the format has them.
private struct PatchDocument {
  let format: TextFormat
  let text: String

  var name: String {
    switch format {
    case .yaml: "a.yaml"
    case .json: "a.json"
    case .markdown: "a.md"
    }
  }

  init(_ generator: inout SeededGenerator) {
    format = generator.one(of: [.yaml, .json, .markdown])
    let keys = (0..<6).map { "k\($0)" }.shuffled(using: &generator)
    let lines = keys.map { key in (key, PatchMaker.text(&generator)) }
    switch format {
    case .json: text = "{\n" + lines.map { "  \"\($0)\" :  \($1)" }.joined(separator: ",\n") + "\n}\n"
    case .yaml: text = "# head\n" + lines.map { "\($0):  \($1)  # note of \($0)\n" }.joined() + "# end\n"
    case .markdown:
      text =
        "---\n# head\n" + lines.map { "\($0):  \($1)  # note of \($0)\n" }.joined() + "---\nBody *text*\n\n"
    }
  }

  /// Returns true if each line of a field that did not change is still there, and each comment.
  func keepsLines(_ before: String, _ after: String, changed: FieldChanges) -> Bool {
    let names = Set(changed.pointers.map { String($0.split(separator: "/")[0]) })
    func lines(_ text: String) -> [Substring] {
      text.split(separator: "\n").filter { line in
        let key = String(line.drop { $0 == " " || $0 == "\"" }.prefix { $0 != ":" && $0 != "\"" })
        return line.hasPrefix("#") || line.hasPrefix("Body") || key.hasPrefix("k") && !names.contains(key)
      }.map { $0.hasSuffix(",") ? $0.dropLast() : $0 }
    }
    return Set(lines(before)).isSubset(of: lines(after))
  }
}

/// Makes random values and patches.
private enum PatchMaker {
  private static let scalars = [
    "1", "1.50", "-0", "12345678901234567890", "1e3", "true", "null", "\"x\"", "\"\"", "\"2024-05-01\"",
    "\"2024-05-01T10:00:00Z\"",
    "\"a: b\"",
    "\"# no comment\"", "\"yes\"", "\"é\\n\"",
  ]

  /// A value as JSON, which is YAML, too.
  static func text(_ generator: inout SeededGenerator, depth: Int = 2) -> String {
    switch depth == 0 ? 0 : generator.below(4) {
    case 2:
      "[\((0..<generator.below(4)).map { _ in text(&generator, depth: depth - 1) }.joined(separator: ", "))]"
    case 3:
      "{\(["x", "y", "z"].prefix(generator.below(4)).map { "\"\($0)\": \(text(&generator, depth: depth - 1))" }.joined(separator: ", "))}"
    default: generator.one(of: scalars)
    }
  }

  static func value(_ generator: inout SeededGenerator, depth: Int = 2) -> Value {
    (try? PackedValue(reading: text(&generator, depth: depth), as: .json).value) ?? .null
  }

  static func merge(_ generator: inout SeededGenerator, depth: Int = 2) -> Value {
    var patch: Fields = [:]
    for _ in 0..<generator.below(4) {
      let key = depth == 2 ? "k\(generator.below(8))" : generator.one(of: ["x", "y", "z", "new"])
      patch[key] =
        generator.oneIn(4)
        ? .null : generator.oneIn(3) && depth > 0 ? merge(&generator, depth: depth - 1) : value(&generator)
    }
    return .map(patch)
  }
}
