import TestSupport
import Testing
import TextEdits
import Values

/// Text outside of values is merged by lines or becomes a conflict; it is never dropped.
@Suite struct TextMergeLinesTests {
  /// A change from the first text to the second one that alters no value.
  private static let changes: [(name: String, base: String, changed: String)] = [
    ("a number's digits", "python: 3.1", "python: 3.10"),
    ("a local tag", "key: secret", "key: !vault secret"),
    ("an anchor", "key: secret", "key: &it secret"), ("quotes", "key: secret", "key: \"secret\""),
    ("block style", "key: |\n  one line", "key: >\n  one line"),
    ("a comment after the value", "key: 1", "key: 1 # new"),
    ("a changed comment", "key: 1 # old", "key: 1 # new"), ("a removed comment", "# old\nkey: 1", "key: 1"),
    ("an added comment", "key: 1", "# new\nkey: 1"),
    ("a moved comment", "# old\nkey: 1\nother: 2", "key: 1\nother: 2\n# old"),
    ("the order of keys", "key: 1\nother: 2", "other: 2\nkey: 1"),
    ("a blank line", "key: 1\nother: 2", "key: 1\n\nother: 2"),
    ("indentation", "key:\n- 1\n- 2", "key:\n  - 1\n  - 2"), ("a flow list", "key:\n- 1\n- 2", "key: [1, 2]"),
    ("blanks", "key: 1", "key:   1"),
  ]

  private func merge(_ base: String, _ ours: String, _ theirs: String) -> TextMerge {
    TextMerge(base: Array(base.utf8), ours: Array(ours.utf8), theirs: Array(theirs.utf8), as: .yaml)
  }

  @Test(arguments: changes.indices)
  func `a change that alters no value is kept beside a change of the next line`(index: Int) {
    let (name, base, changed) = Self.changes[index]
    for (before, after) in [("", "rating: 8\n"), ("rating: 8\n", "")] {
      let versions = [base, changed, base].enumerated().map { before + $1 + "\n" + after }
      let theirs = versions[2].replacing("rating: 8", with: "rating: 9")
      let wanted = versions[1].replacing("rating: 8", with: "rating: 9")
      for result in [merge(versions[0], versions[1], theirs), merge(versions[0], theirs, versions[1])] {
        #expect(String(decoding: result.bytes, as: UTF8.self) == wanted, "\(name)")
        #expect(!result.isConflicted, "\(name)")
      }
    }
  }

  @Test(arguments: changes.indices)
  func `a change that alters no value is never dropped for a change of the same value`(index: Int) {
    let (name, base, changed) = Self.changes[index]
    let theirs = base.replacing("3.1", with: "4.2").replacing("secret", with: "public").replacing(
      "one line", with: "1 line"
    )
    .replacing(": 1", with: ": 7").replacing("- 1", with: "- 7")
    let property = LineProperty(format: .yaml)
    for (own, other) in [(changed, theirs), (theirs, changed)] {
      let result = merge(base + "\n", own + "\n", other + "\n")
      if result.isConflicted {
        let text = String(decoding: result.bytes, as: UTF8.self)
        for line in (own + "\n" + other).split(separator: "\n") {
          #expect(text.contains(line), "\(name): \(text)")
        }
      } else {
        #expect(
          property.violations(
            base: Array((base + "\n").utf8), ours: Array((own + "\n").utf8),
            theirs: Array((other + "\n").utf8), result: result.bytes)
            == [],
          "\(name): \(String(decoding: result.bytes, as: UTF8.self))")
      }
    }
    #expect(name != "a number's digits" || merge(base + "\n", changed + "\n", theirs + "\n").isConflicted)
    #expect(
      !["quotes", "a local tag", "a comment after the value"].contains(name)
        || !merge(base, changed, theirs).isConflicted, "\(name)")
  }

  @Test func `a removed comment does not come back and an added one appears once`() {
    let base = "# gone\na: 1\nb: 2\n# kept\nc: 3\n"
    let result = merge(base, "a: 1\nb: 2\n# kept\nc: 3\n# kept\n", "# gone\na: 5\nb: 2\n# kept\nc: 4\n")
    #expect(String(decoding: result.bytes, as: UTF8.self) == "a: 5\nb: 2\n# kept\nc: 4\n# kept\n")
  }

  @Test func `a comment that one side removed and the other one moved is a conflict`() {
    let base = "# old\na: 1\nb: 2\nc: 3\n"
    let (removed, moved) = ("a: 1\nb: 2\nc: 3\n", "a: 1\nb: 2\n# old\nc: 3\n")
    let result = merge(base, removed, moved)
    #expect(
      String(decoding: result.bytes, as: UTF8.self)
        == "a: 1\nb: 2\n<<<<<<< ours\n=======\n# old\n>>>>>>> theirs\nc: 3\n")
    #expect(merge(base, moved, removed).isConflicted)
    #expect(!merge(base, moved, moved).isConflicted)
    #expect(!merge(base, removed, removed).isConflicted)
  }

  @Test func `a comment that both sides moved to different places is a conflict and not two comments`() {
    let base = "# old\na: 1\nb: 2\nc: 3\nd: 4\n"
    let result = merge(base, "a: 1\n# old\nb: 2\nc: 3\nd: 4\n", "a: 1\nb: 2\nc: 3\n# old\nd: 4\n")
    #expect(result.isConflicted)
    for text in [result.resolved.ours, result.resolved.theirs] {
      #expect(String(decoding: text, as: UTF8.self).split(separator: "\n").count { $0 == "# old" } == 1)
    }
  }

  @Test func `a conflict of values keeps the other lines of both sides`() {
    let base = "a: 1\nb: x\nc: 3\nd: 4\n"
    let result = merge(base, "a: 2\nb: \"x\"\nc: 3\nd: 4\n", "a: 3\nb: x\n# why\nc: 3\nd: 5\n")
    #expect(
      String(decoding: result.bytes, as: UTF8.self)
        == "<<<<<<< ours\na: 2\n=======\na: 3\n>>>>>>> theirs\nb: \"x\"\n# why\nc: 3\nd: 5\n")
  }

  @Test func `a conflict of digits is as small as its line`() {
    let base = "a: 1\npython: 3.1\nb: 2\n"
    let result = merge(base, "a: 5\npython: 3.10\nb: 2\n", "a: 1\npython: 4.2\nb: 6\n")
    #expect(
      String(decoding: result.bytes, as: UTF8.self)
        == "a: 5\n<<<<<<< ours\npython: 3.10\n=======\npython: 4.2\n>>>>>>> theirs\nb: 6\n")
  }

  @Test func `a changed encoding mark, line break and final break are kept`() {
    let base = "a: 1\nb: 2\n"
    #expect(merge(base, "\u{FEFF}a: 1\nb: 2\n", "a: 3\nb: 2\n").bytes == Array("\u{FEFF}a: 3\nb: 2\n".utf8))
    #expect(merge(base, "a: 1\r\nb: 2\r\n", "a: 3\nb: 2\n").bytes == Array("a: 3\r\nb: 2\r\n".utf8))
    #expect(merge(base, "a: 1\nb: 2", "a: 1\nb: 3\n").bytes == Array("a: 1\nb: 3".utf8))
    #expect(merge(base, "---\na: 1\nb: 2\n", "a: 3\nb: 2\n").bytes == Array("---\na: 3\nb: 2\n".utf8))
  }

  @Test func `both sides may append to JSON`() {
    let texts = ["{\n  \"a\": 1\n}\n", "{\n  \"a\": 1,\n  \"b\": 2\n}\n", "{\n  \"a\": 5,\n  \"c\": 3\n}\n"]
      .map { Array($0.utf8) }
    let result = TextMerge(base: texts[0], ours: texts[1], theirs: texts[2], as: .json)
    #expect(!result.isConflicted)
    #expect(
      LineProperty(format: .json).violations(
        base: texts[0], ours: texts[1], theirs: texts[2], result: result.bytes) == [])
  }

  @Test func `a clean merge keeps each line that exactly one side changed`() throws {
    var cleanMerges = 0
    for seed in Randomness.seeds(400) {
      var generator = SeededGenerator(seed: seed)
      let item = HandWrittenItem.make(using: &generator)
      var (ours, theirs) = (item, item)
      ours.change(using: &generator, side: "ours")
      theirs.change(using: &generator, side: "theirs")
      let merge = TextMerge(base: item.bytes, ours: ours.bytes, theirs: theirs.bytes, as: item.format)
      let note = Comment(
        rawValue: "\(seedNote(seed)) \(item.format)\n"
          + [item.bytes, ours.bytes, theirs.bytes, merge.bytes].map { String(decoding: $0, as: UTF8.self) }
          .joined(separator: "\n~~~\n"))
      let property = LineProperty(format: item.format)
      if merge.isConflicted {
        for (resolved, side) in [(merge.resolved.ours, ours.bytes), (merge.resolved.theirs, theirs.bytes)] {
          let missing = property.violations(
            base: item.bytes, ours: ours.bytes, theirs: theirs.bytes, result: resolved
          ).filter {
            $0.hasPrefix("missing") && $0.isLine(of: side) && !$0.isLine(of: item.bytes)
              && !$0.isLine(of: resolved)
          }
          #expect(missing == [], note)
        }
        continue
      }
      cleanMerges += 1
      #expect(
        property.violations(base: item.bytes, ours: ours.bytes, theirs: theirs.bytes, result: merge.bytes)
          == [], note)
      // A blank line above front matter makes it text, which is merged by lines.
      if merge.isByLines { continue }
      let values = try [item.bytes, ours.bytes, theirs.bytes, merge.bytes].map {
        try PackedValue(reading: $0, as: item.format).value
      }
      #expect(ValueMerge(base: values[0], ours: values[1], theirs: values[2]).value == values[3], note)
    }
    #expect(cleanMerges > 0)
  }
}

extension String {
  /// True if a violation names a line of that text.
  fileprivate func isLine(of text: [UInt8]) -> Bool {
    let line = split(separator: ": ", maxSplits: 1).last ?? ""
    return String(decoding: text, as: UTF8.self).unicodeScalars.split(separator: "\n").map(String.init)
      .contains {
        $0 == line || $0.replacing(",", with: "") == line.replacing(",", with: "")
      }
  }
}
