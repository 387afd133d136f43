import TestSupport
import Testing
import TextEdits
import Values

/// Keys that the sides of a merge renamed.
@Suite struct RenamedKeysTests {
  private func merge(_ base: String, _ ours: String, _ theirs: String, as format: TextFormat = .yaml)
    -> TextMerge
  {
    TextMerge(base: Array(base.utf8), ours: Array(ours.utf8), theirs: Array(theirs.utf8), as: format)
  }

  private func text(_ merge: TextMerge) -> String { String(decoding: merge.bytes, as: UTF8.self) }

  @Test func `a key that both sides renamed differently is in conflict`() {
    let found = merge("a: 1\nk: 5\nz: 2\n", "a: 1\nscore: 5\nz: 3\n", "a: 0\npoints: 5\nz: 2\n")
    #expect(text(found) == "a: 0\n<<<<<<< ours\nscore: 5\n=======\npoints: 5\n>>>>>>> theirs\nz: 3\n")
    #expect(found.conflicts.map(\.keys) == [["score"], ["points"]])
    #expect(text(merge("m: {k: 5, x: 1}\n", "m: {b: 5, x: 1}\n", "m: {c: 5, x: 1}\n")).contains("<<<<<<<"))
    #expect(merge("{\"k\":{\"a\":1}}", "{\"b\":{\"a\":1}}", "{\"c\":{\"a\":2}}", as: .json).isConflicted)
    #expect(
      merge("---\nk: 5\n---\nText\n", "---\nb: 5\n---\nText\n", "---\nc: 5\n---\nText\n", as: .markdown)
        .isConflicted)
    #expect(merge("k: 5\nx: 1\n", "x: 1\nb: 5\n", "c: 5\nx: 1\n").isConflicted, "our side also moved it")
    #expect(
      merge("a: 1\nk: 5\nx: 1\n", "a: 1\nb: 6\nx: 1\n", "a: 1\nc: 7\nx: 1\n").isConflicted,
      "both also changed the value")
  }

  @Test func `an edit and a rename of one field are in conflict`() {
    let found = merge("a: 1\nk: 5\n", "a: 1\nscore: 5\n", "a: 1\nk: 6\n")
    #expect(found.isConflicted)
    #expect(text(found).contains("score: 5"))
    #expect(text(found).contains("k: 6"))
  }

  @Test func `changes of different keys merge`() {
    #expect(text(merge("a: 1\nk: 5\n", "a: 1\nb: 5\n", "a: 1\nb: 5\n")) == "a: 1\nb: 5\n")
    // One side renames, the other one only removes.
    #expect(!merge("a: 1\nk: 5\n", "a: 1\nb: 5\n", "a: 1\n").isConflicted)
    // One side removes a key, the other one adds another.
    #expect(
      text(merge("a: 1\nk: 5\nz: 1\n", "a: 1\nz: 1\n", "a: 1\nk: 5\nz: 1\nnew: 7\n"))
        == "a: 1\nz: 1\nnew: 7\n")
    // Both remove a key and add others elsewhere.
    #expect(
      text(merge("k: 5\na: 1\nz: 1\n", "a: 1\nb: 8\nz: 1\n", "a: 1\nz: 1\nc: 9\n"))
        == "a: 1\nb: 8\nz: 1\nc: 9\n")
    // Each side renames another key.
    #expect(
      !merge("a: 1\nk: 5\nz: 1\nl: 6\n", "a: 1\nb: 5\nz: 1\nl: 6\n", "a: 1\nk: 5\nz: 1\nc: 6\n").isConflicted)
  }

  /// The side that wins decides the key.
  @Test func `a resolved conflict has one of the keys`() throws {
    let found = merge("a: 1\nk: 5\n", "a: 1\nb: 5\n", "a: 1\nc: 5\n")
    #expect(String(decoding: found.resolved.ours, as: UTF8.self) == "a: 1\nb: 5\n")
    #expect(String(decoding: found.resolved.theirs, as: UTF8.self) == "a: 1\nc: 5\n")
  }

  @Test func `a key of a random item that both sides rename is in conflict`() throws {
    var count = 0
    for seed in Randomness.seeds(400) {
      var generator = SeededGenerator(seed: seed)
      let document = RandomDocument.make(using: &generator)
      let value = try PackedValue(reading: Array(document.text.utf8), as: document.format).value
      let paths = keyPaths(of: value, as: document.format)
      guard let path = paths.isEmpty ? nil : generator.one(of: paths) else { continue }
      guard let ours = renamed(document, path, "renamedByUs"),
        let theirs = renamed(document, path, "renamedByThem")
      else { continue }
      count += 1
      let base = Array(document.text.utf8)
      let note = Comment(
        rawValue: "\(seedNote(seed)) \(path)\n"
          + [base, ours, theirs].map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n~~~\n"))
      for (own, other) in [(ours, theirs), (theirs, ours)] {
        let merge = TextMerge(base: base, ours: own, theirs: other, as: document.format)
        #expect(merge.isConflicted, note)
        let sides = [merge.resolved.ours, merge.resolved.theirs].map {
          try? PackedValue(reading: $0, as: document.format).value
        }
        #expect(sides == [own, other].map { try? PackedValue(reading: $0, as: document.format).value }, note)
      }
      #expect(TextMerge(base: base, ours: ours, theirs: ours, as: document.format).bytes == ours, note)
      #expect(TextMerge(base: base, ours: ours, theirs: base, as: document.format).bytes == ours, note)
      // A value that the other side changed meanwhile is not lost.
      let edited = try? ItemText(base, as: document.format).applying([
        .set(FieldPath(keys: path), "edited 1234567")
      ])
      guard let edited else { continue }
      let merge = TextMerge(base: base, ours: ours, theirs: edited, as: document.format)
      #expect(String(decoding: merge.bytes, as: UTF8.self).contains("edited 1234567"), note)
      #expect(merge.isConflicted, note)
    }
    #expect(count > 0)
  }

  /// Returns the paths of all keys that are not in a list, and are not the text of a page.
  private func keyPaths(of value: Value, as format: TextFormat, at path: [String] = []) -> [[String]] {
    (value.fields ?? [:]).flatMap { field in
      if format == .markdown, path.isEmpty, field.key == "body" { return [] as [[String]] }
      return [path + [field.key]] + keyPaths(of: field.value, as: format, at: path + [field.key])
    }
  }

  /// Removes a field and inserts it under another key. Nil if the text cannot be edited so.
  private func renamed(_ document: RandomDocument, _ path: [String], _ key: String) -> [UInt8]? {
    let base = Array(document.text.utf8)
    guard let value = try? PackedValue(reading: base, as: document.format).value.exactly(at: path) else {
      return nil
    }
    return try? ItemText(base, as: document.format).applying([
      .insert(FieldPath(keys: path.dropLast() + [key]), value), .remove(FieldPath(keys: path)),
    ])
  }
}
