import Foundation
import TestSupport
import TextEdits
import Values

/// Merges of real items with generated histories: git's line merge and the merge by field, both
/// compared with the known correct result.
struct Replay {
  struct Merge {
    let base: [UInt8]
    let ours: [UInt8]
    let theirs: [UInt8]
    /// The correct result. Nil if the two sides conflict, so that a person has to decide.
    let wanted: Value?
  }

  struct Tally {
    var merges = 0
    var odds = 0
    var lineConflicts = 0
    var fieldConflicts = 0
    /// Conflicts in merges that have a correct result.
    var needlessLineConflicts = 0
    var needlessFieldConflicts = 0
    var wrongLines = 0
    var wrongFields = 0

    var row: String {
      func share(_ count: Int) -> String {
        "\(count) (\(merges == 0 ? 0 : (count * 100 + merges / 2) / merges) %)"
      }
      return
        "\(merges) | \(odds) | \(share(lineConflicts)) | \(share(fieldConflicts)) | \(needlessLineConflicts) | \(needlessFieldConflicts) | \(wrongLines) | \(wrongFields)"
    }
  }

  static let rules: MergeRules = {
    var rules = MergeRules()
    rules["releases"] = .keyed(by: "releaseCycle")
    return rules
  }()

  private let edits: [ProductEdit]
  /// The texts after none, one, two … of the edits.
  private let texts: [[UInt8]]
  private let values: [Value]

  /// Makes a line of commits to one item. Fails if the text is not a product or cannot be edited.
  ///
  /// - Parameters:
  ///   - bytes: The text of the item.
  ///   - format: The format of the text.
  ///   - numbers: The numbers of the edits, which make the new values unique.
  ///   - generator: The source of randomness.
  init?(_ bytes: [UInt8], as format: TextFormat, numbers: Range<Int>, using generator: inout SeededGenerator)
  {
    guard let value = try? PackedValue(reading: bytes, as: format).value else { return nil }
    var (edits, texts, values) = ([ProductEdit](), [bytes], [value])
    for number in numbers {
      let (text, value) = (texts[texts.count - 1], values[values.count - 1])
      guard let edit = ProductEdit.make(for: value, number, using: &generator),
        let next = Replay.apply(edit, to: text, value, format)
      else { return nil }
      edits.append(edit)
      texts.append(next)
      values.append(edit.apply(to: value))
    }
    (self.edits, self.texts, self.values) = (edits, texts, values)
  }

  private static func apply(_ edit: ProductEdit, to text: [UInt8], _ value: Value, _ format: TextFormat)
    -> [UInt8]?
  {
    guard case .map(let old) = value, case .map(let new) = edit.apply(to: value) else { return nil }
    return try? ItemText(text, as: format).applying(TextEdit.edits(from: old, to: new))
  }

  /// The merges of `git revert` for each commit but the last.
  var reverts: [Merge] {
    edits.indices.dropLast().map { index in
      let later = edits[(index + 1)...]
      let isConflict = later.contains { $0.conflicts(with: edits[index]) }
      let wanted = later.reduce(values[index]) { $1.apply(to: $0) }
      return Merge(
        base: texts[index + 1], ours: texts[edits.count], theirs: texts[index],
        wanted: isConflict ? nil : wanted)
    }
  }

  /// Merges this line of commits with another one from the same start.
  func merge(with other: Replay) -> Merge {
    let isConflict = edits.contains { edit in other.edits.contains { $0.conflicts(with: edit) } }
    let wanted = other.edits.reduce(values[edits.count]) { $1.apply(to: $0) }
    return Merge(
      base: texts[0], ours: texts[edits.count], theirs: other.texts[other.edits.count],
      wanted: isConflict ? nil : wanted)
  }

  /// Performs all merges both ways and counts the outcomes.
  static func tally(_ merges: [Merge], as format: TextFormat) throws -> Tally {
    var tally = Tally()
    let lines = try mergeLines(merges)
    for (merge, lines) in zip(merges, lines) {
      let fields = TextMerge(
        base: merge.base, ours: merge.ours, theirs: merge.theirs, as: format, rules: rules)
      tally.merges += 1
      if merge.wanted == nil { tally.odds += 1 }
      if lines == nil {
        tally.lineConflicts += 1
        if merge.wanted != nil { tally.needlessLineConflicts += 1 }
      } else if !isRight(lines ?? [], merge, format) {
        tally.wrongLines += 1
      }
      if fields.isConflicted {
        tally.fieldConflicts += 1
        if merge.wanted != nil { tally.needlessFieldConflicts += 1 }
      } else if !isRight(fields.bytes, merge, format) {
        tally.wrongFields += 1
      }
    }
    return tally
  }

  private static func isRight(_ bytes: [UInt8], _ merge: Merge, _ format: TextFormat) -> Bool {
    guard let wanted = merge.wanted else { return false }
    return (try? PackedValue(reading: bytes, as: format).value)?.withSortedReleases
      == wanted.withSortedReleases
  }

  /// Merges with `git merge-file`. A conflict is nil.
  private static func mergeLines(_ merges: [Merge]) throws -> [[UInt8]?] {
    let folder = try TemporaryFolder()
    for (index, merge) in merges.enumerated() {
      for (name, bytes) in [("o", merge.base), ("a", merge.ours), ("b", merge.theirs)] {
        try folder.write(bytes, to: "\(index).\(name)")
      }
    }
    let conflicts = try folder.shell(
      "for f in *.o; do n=${f%.o}; git merge-file -q $n.a $n.o $n.b || echo $n; done")
    let conflicted = Set(conflicts.split(separator: "\n").compactMap { Int($0) })
    return try merges.indices.map { index in
      conflicted.contains(index)
        ? nil : Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(index).a")))
    }
  }
}
