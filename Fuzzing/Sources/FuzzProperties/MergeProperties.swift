import TextEdits
import Values

/// Rules for a three-way merge of any three texts.
public struct MergeProperties {
  private let base: [UInt8]
  private let ours: [UInt8]
  private let theirs: [UInt8]
  private let format: TextFormat

  /// Checks one input. The first byte selects the format; NUL separates the three texts.
  public static func check(_ bytes: UnsafeRawBufferPointer) {
    let parts = bytes.dropFirst().split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false).map(
      Array.init)
    guard let choice = bytes.first, parts.count == 3 else { return }
    let formats: [TextFormat] = [.yaml, .json, .markdown]
    let properties = MergeProperties(
      base: parts[0], ours: parts[1], theirs: parts[2], format: formats[Int(choice) % formats.count])
    properties.checkUnchangedSides()
    properties.checkMerge()
  }

  private func merge(_ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8]) -> TextMerge {
    TextMerge(base: base, ours: ours, theirs: theirs, as: format)
  }

  private func value(_ bytes: [UInt8]) -> Value? { try? PackedValue(reading: bytes, as: format).value }

  private func checkUnchangedSides() {
    require(merge(base, base, theirs).bytes == theirs, "Their text is the result if ours is the base.")
    require(merge(base, ours, base).bytes == ours, "Our text is the result if theirs is the base.")
    require(merge(base, ours, ours).bytes == ours, "A change that both sides made is the result.")
  }

  private func checkMerge() {
    let result = merge(base, ours, theirs)
    if result.isConflicted {
      let marker = Array("<<<<<<< ours".utf8)
      require(
        result.bytes.indices.contains { result.bytes[$0...].starts(with: marker) }, "A conflict has markers.")
      return
    }
    if let joined = separateChanges {
      require(result.bytes == joined, "Changes of separate lines are all in the result.")
    }
    guard !result.isByLines, ours != theirs, ours != base, theirs != base, let own = value(ours),
      let other = value(theirs)
    else { return }
    require(
      value(result.bytes) == ValueMerge(base: value(base), ours: own, theirs: other).value,
      "The result reads as the merged values.")
  }

  /// The base with both changes, if each side changed one block of lines and an unchanged line is
  /// between the blocks; otherwise nil.
  private var separateChanges: [UInt8]? {
    let base = lines(self.base)
    let (own, other) = (change(base, lines(ours)), change(base, lines(theirs)))
    guard own.range.upperBound < other.range.lowerBound || other.range.upperBound < own.range.lowerBound
    else { return nil }
    // Among equal lines it is ambiguous which one changed.
    guard Set(base).count == base.count else { return nil }
    let (first, second) = own.range.lowerBound < other.range.lowerBound ? (own, other) : (other, own)
    let between = base[first.range.upperBound..<second.range.lowerBound]
    let parts = [
      base[..<first.range.lowerBound], first.lines, between, second.lines, base[second.range.upperBound...],
    ]
    return parts.flatMap { $0.flatMap { $0 } }
  }

  private func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    for index in bytes.indices where bytes[index] == 0x0A {
      lines.append(bytes[start...index])
      start = index + 1
    }
    return start < bytes.count ? lines + [bytes[start...]] : lines
  }

  /// Returns the lines of the base that a side replaced, from the first to the last, and the side's
  /// own lines.
  private func change(
    _ base: [ArraySlice<UInt8>], _ side: [ArraySlice<UInt8>]
  ) -> (range: Range<Int>, lines: ArraySlice<ArraySlice<UInt8>>) {
    let start = zip(base, side).prefix { $0 == $1 }.count
    let end = zip(base[start...].reversed(), side[start...].reversed()).prefix { $0 == $1 }.count
    return (start..<base.count - end, side[start..<side.count - end])
  }
}
