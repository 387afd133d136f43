import TestSupport
import Testing
import TextEdits
import Values

@Suite struct ItemTextPropertyTests {
  /// A document with its values and the paths to all of them.
  private struct Subject {
    let bytes: [UInt8]
    let format: TextFormat
    let located: LocatedText
    let value: Value
    let paths: [[String]]
    /// True if it is written as people write, not mutated.
    var isByHand = false

    init?(_ bytes: [UInt8], _ format: TextFormat) {
      guard let located = try? LocatedText(reading: bytes, as: format),
        let packed = try? PackedValue(reading: bytes, as: format),
        case .map = packed.value
      else { return nil }
      self.bytes = bytes
      self.format = format
      self.located = located
      value = packed.value
      paths = allPaths(of: packed.value)
    }

    static func random(_ generator: inout SeededGenerator) -> Subject? {
      if generator.oneIn(3) {
        let (text, format) = generator.one(of: NastyTexts.all)
        return Subject(NastyTexts.mutated(text, using: &generator), format)
      }
      let document = RandomDocument.make(using: &generator)
      var subject = Subject(Array(document.text.utf8), document.format)
      subject?.isByHand = true
      return subject
    }
  }

  @Test func `an edit makes its change and no other`() throws {
    var done = 0
    for seed in Randomness.seeds(2_000) {
      var generator = SeededGenerator(seed: seed)
      guard let subject = Subject.random(&generator), !subject.paths.isEmpty else { continue }
      let edit = randomEdit(subject, &generator)
      let result: [UInt8]
      do {
        result = try ItemText(subject.bytes, as: subject.format).applying([edit])
        done += 1
      } catch {
        // After a last line without a line break, some texts cannot have anything added.
        let isUsual = subject.isByHand && subject.bytes.last == 0x0A && edit.path.keys != ["body"]
        #expect(
          !isUsual || error.reason != .unverified,
          "\(seedNote(seed))\n\(edit): \(error)\n\(String(decoding: subject.bytes, as: UTF8.self))"
        )
        continue
      }
      let note = Comment(
        rawValue:
          "\(seedNote(seed))\n\(edit)\n\(String(decoding: subject.bytes, as: UTF8.self))\n->\n\(String(decoding: result, as: UTF8.self))"
      )
      let read = try PackedValue(reading: result, as: subject.format).value
      #expect(read == EditModel.apply(edit, to: subject.value), note)
      let lines = touchedLines(edit, subject)
      #expect(result.starts(with: subject.bytes[..<lines.lowerBound]), note)
      #expect(result.reversed().starts(with: subject.bytes[lines.upperBound...].reversed()), note)
    }
    #expect(done > 0)
  }

  /// Independent edits are made together. The values are the same as one by one; the style is that
  /// of the original text.
  @Test func `several edits together give the same as one by one`() throws {
    var done = 0
    for seed in Randomness.seeds(1_000) {
      var generator = SeededGenerator(seed: seed)
      guard let subject = Subject.random(&generator), !subject.paths.isEmpty else { continue }
      let edits = (0..<2 + generator.below(6)).map { _ in randomEdit(subject, &generator) }
      let note = Comment(
        rawValue: "\(seedNote(seed))\n\(edits)\n\(String(decoding: subject.bytes, as: UTF8.self))")
      let together = Result { () throws(TextEditError) in
        try ItemText(subject.bytes, as: subject.format).applying(edits)
      }
      let oneByOne = Result { () throws(TextEditError) in
        var bytes = subject.bytes
        for edit in edits { bytes = try ItemText(bytes, as: subject.format).applying([edit]) }
        return bytes
      }
      switch (together, oneByOne) {
      case (.success(let together), .success(let oneByOne)):
        #expect(
          try PackedValue(reading: together, as: subject.format).value
            == PackedValue(reading: oneByOne, as: subject.format).value, note)
        done += 1
      // The line may differ if the style of an earlier edit gave more lines.
      case (.failure(let together), .failure(let oneByOne)):
        #expect(together.reason == oneByOne.reason, note)
        #expect(together.path == oneByOne.path, note)
        #expect(together.message == oneByOne.message, note)
      default: Issue.record(note)
      }
    }
    #expect(done > 0)
  }

  /// Only text in the default style can come back; text in an unusual style cannot.
  @Test func `setting a value back gives the same bytes`() throws {
    for seed in Randomness.seeds(300) {
      var generator = SeededGenerator(seed: seed)
      let document = RandomDocument.make(using: &generator)
      guard let subject = Subject(Array(document.text.utf8), document.format) else {
        Issue.record("\(seedNote(seed)): the document cannot be read\n\(document.text)")
        continue
      }
      for keys in subject.paths {
        let path = FieldPath(keys: keys)
        guard let old = subject.value.exactly(at: keys), old.isScalar, let probe = probe(for: old, &generator)
        else { continue }
        let item = ItemText(subject.bytes, as: subject.format)
        let note = Comment(rawValue: "\(seedNote(seed)) \(path)\n\(document.text)")
        let there = try item.applying([.set(path, probe)])
        #expect(try PackedValue(reading: there, as: subject.format).value.exactly(at: keys) == probe, note)
        let back = try ItemText(there, as: subject.format).applying([.set(path, old)])
        #expect(
          back == subject.bytes,
          "\(note)\nby\n\(String(decoding: there, as: UTF8.self))\nto\n\(String(decoding: back, as: UTF8.self))"
        )
      }
    }
  }

  /// Returns another value of the same kind.
  private func probe(for value: Value, _ generator: inout SeededGenerator) -> Value? {
    switch value {
    case .string(let text): .string(text.hasSuffix("\n") ? "changed\n" : "changed")
    case .date: Value(text: "2001-12-31")
    case .number: .number(.integer(generator.below(100)))
    case .bool(let flag): .bool(!flag)
    default: nil
    }
  }

  private func randomEdit(_ subject: Subject, _ generator: inout SeededGenerator) -> TextEdit {
    let keys = generator.one(of: subject.paths)
    let path = FieldPath(keys: keys)
    let value = RandomValue.make(depth: generator.below(3), using: &generator)
    let below = { FieldPath(keys: keys + [$0]) }
    switch generator.below(9) {
    case 0: return .remove(path)
    case 8:
      // Often an element of the list.
      if let elements = subject.value.exactly(at: keys)?.listed, !elements.isEmpty {
        return .removeValue(generator.one(of: elements), from: path)
      }
      return .removeValue(value, from: path)
    case 1: return .rename(path, to: generator.one(of: ["new", "a", "yes", "it's", "", "x: y"]))
    case 2: return .append(value, to: path)
    case 3: return .insert(path, value)
    case 4: return .insert(below(generator.one(of: ["0", "1", "new"])), value)
    case 5: return .set(below(generator.one(of: ["new", "no", "k k", "2025"])), value)
    default: return .set(path, value)
    }
  }

  /// Returns the lines of the edited value; for an added or removed value, all lines of its
  /// container.
  private func touchedLines(_ edit: TextEdit, _ subject: Subject) -> Range<Int> {
    var keys = edit.path.keys
    switch edit {
    case .set where subject.value.exactly(at: keys) != nil: break
    case .rename: break
    case .append: break
    default: keys.removeLast()
    }
    while !keys.isEmpty, subject.located.value(at: FieldPath(keys: keys)) == nil { keys.removeLast() }
    let bytes = subject.bytes
    guard let last = keys.last, let holder = holder(of: keys, subject),
      let value = subject.located.value(at: FieldPath(keys: keys))
    else {
      return 0..<(subject.format == .markdown ? subject.located.frontMatter?.upperBound ?? 0 : bytes.count)
    }
    let start =
      holder.entries?.first { Array($0.key.utf8) == Array(last.utf8) }?.range.lowerBound
      ?? holder.range.lowerBound
    var range = start..<max(start, value.range.upperBound)
    while range.lowerBound > 0, bytes[range.lowerBound - 1] != 0x0A {
      range = range.lowerBound - 1..<range.upperBound
    }
    // Includes the line break, because removing a line removes it, too.
    while range.upperBound < bytes.count, range.upperBound == 0 || bytes[range.upperBound - 1] != 0x0A {
      range = range.lowerBound..<range.upperBound + 1
    }
    return range
  }

  private func holder(of keys: [String], _ subject: Subject) -> LocatedValue? {
    keys.count == 1
      ? subject.located.root : subject.located.value(at: FieldPath(keys: Array(keys.dropLast())))
  }
}
