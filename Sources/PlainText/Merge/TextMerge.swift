/// The three-way merge of texts: of their values, written onto our text with byte-exact edits.
///
/// ```swift
/// let merge = TextMerge(base: base, ours: ours, theirs: theirs, as: .yaml)
/// merge.bytes         // with conflict markers around the lines where the sides are in conflict
/// merge.isConflicted  // whether there are any
/// ```
///
/// Where one side is as the base was, the result is the other side, byte for byte. Where the merge of lines reads as the merged values, it is
/// taken, since it keeps the comments of both sides; else the values that they changed are set in our text, or in theirs where only that keeps
/// the comments that were added. What can be done in neither way is a conflict. Texts that cannot be read are merged by lines.
public struct TextMerge: Sendable {
  public let bytes: [UInt8]
  public let isConflicted: Bool
  /// The values in conflict; none where the texts were merged by lines.
  public let conflicts: [ValueMerge.Conflict]
  /// Whether one of the texts could not be read, so that nothing is known of their values.
  public let isByLines: Bool

  /// What stands behind the markers, as git has it.
  public struct Markers: Sendable, Hashable {
    public var ours: String
    public var theirs: String
    /// The length of `<<<<<<<`.
    public var size: Int

    public init(ours: String = "ours", theirs: String = "theirs", size: Int = 7) {
      self.ours = ours
      self.theirs = theirs
      self.size = size
    }
  }

  /// An empty base: both sides are new.
  public init(
    base: [UInt8], ours: [UInt8], theirs: [UInt8], as format: TextFormat, rules: MergeRules = MergeRules(), markers: Markers = Markers(),
    limits: ReadLimits = ReadLimits()
  ) {
    if ours == theirs || theirs == base {
      self.init(ours)
      return
    }
    if ours == base {
      self.init(theirs)
      return
    }
    let merger = TextMerger(base: base, ours: ours, theirs: theirs, format: format, limits: limits, markers: markers)
    self = merger.mergeValues(rules) ?? merger.mergeLines()
  }

  init(_ bytes: [UInt8], isConflicted: Bool = false, conflicts: [ValueMerge.Conflict] = [], isByLines: Bool = false) {
    self.bytes = bytes
    self.isConflicted = isConflicted
    self.conflicts = conflicts
    self.isByLines = isByLines
  }
}

/// Three texts, each of them other than the others.
struct TextMerger {
  let base: [UInt8]
  let ours: [UInt8]
  let theirs: [UInt8]
  let format: TextFormat
  let limits: ReadLimits
  let markers: TextMerge.Markers

  /// Bytes that are read for all edits, each of which reads the text anew: a minute's worth. More changes than that are left to a person.
  private static let mostWork = 1 << 30

  /// Nil where one of the texts cannot be read.
  func mergeValues(_ rules: MergeRules) -> TextMerge? {
    guard let own = read(ours), let other = read(theirs) else { return nil }
    let old = read(base)
    guard old != nil || base.isEmpty else { return nil }
    let merge = ValueMerge(base: old.map(Value.map), ours: .map(own), theirs: .map(other), rules: rules)
    guard let merged = merge.value?.fields else { return nil }
    if merge.conflicts.isEmpty {
      return clean(merged, own, other) ?? unresolved([])
    }
    guard let result = edited(ours, own, merged), let opposite = opposing(result, merge.conflicts), result != opposite else {
      return unresolved(merge.conflicts)
    }
    let marked = ConflictMarkers(markers).between(result, opposite)
    guard keepsComments(marked) else { return unresolved(merge.conflicts) }
    return TextMerge(marked, isConflicted: true, conflicts: merge.conflicts)
  }

  /// By lines, where nothing else can be done.
  func mergeLines() -> TextMerge {
    let merge = lineMerge
    if let lines = merge.settled { return TextMerge(lines.flatMap(\.bytes), isByLines: true) }
    return TextMerge(ConflictMarkers(markers).around(merge), isConflicted: true, isByLines: true)
  }

  private var lineMerge: SequenceMerge<TextLine> {
    SequenceMerge(base: TextLine.split(base), ours: TextLine.split(ours), theirs: TextLine.split(theirs))
  }

  private func clean(_ merged: Fields, _ own: Fields, _ other: Fields) -> TextMerge? {
    if let lines = lineMerge.settled?.flatMap(\.bytes), read(lines) == merged { return TextMerge(lines) }
    if let result = edited(ours, own, merged), keepsComments(result) { return TextMerge(result) }
    if let result = edited(theirs, other, merged), keepsComments(result) { return TextMerge(result) }
    return nil
  }

  /// All that is different on the two sides, for somebody to look at.
  private func unresolved(_ conflicts: [ValueMerge.Conflict]) -> TextMerge {
    TextMerge(ConflictMarkers(markers).between(ours, theirs), isConflicted: true, conflicts: conflicts)
  }

  private func read(_ bytes: [UInt8]) -> Fields? { try? PackedValue(reading: bytes, as: format, limits: limits).value.fields }

  private func edited(_ bytes: [UInt8], _ value: Fields, _ wanted: Fields) -> [UInt8]? {
    let edits = TextEdit.edits(from: value, to: wanted)
    guard edits.count <= TextMerger.mostWork / max(bytes.count, 1) else { return nil }
    return try? ItemText(bytes, as: format, limits: limits).applying(edits)
  }

  /// The merged text with the other side's values where the sides are in conflict.
  private func opposing(_ bytes: [UInt8], _ conflicts: [ValueMerge.Conflict]) -> [UInt8]? {
    // From the end to the front, so that elements keep their numbers.
    let edits = conflicts.reversed().compactMap { conflict -> TextEdit? in
      guard !conflict.keys.isEmpty else { return nil }
      let path = FieldPath(keys: conflict.keys)
      guard let theirs = conflict.theirs else { return .remove(path) }
      return conflict.ours == nil ? .insert(path, theirs) : .set(path, theirs)
    }
    guard edits.count == conflicts.count else { return nil }
    return try? ItemText(bytes, as: format, limits: limits).applying(edits)
  }

  /// Whether every comment that a side added or changed is there.
  private func keepsComments(_ result: [UInt8]) -> Bool {
    guard format != .json else { return true }
    let present = Set(TextLine.split(result).compactMap(\.comment))
    let known = Set(TextLine.split(base).compactMap(\.comment))
    return (TextLine.split(ours) + TextLine.split(theirs)).compactMap(\.comment).allSatisfy { known.contains($0) || present.contains($0) }
  }
}

extension TextLine {
  /// What may be a comment: from a `#` that begins the line or follows a blank, to the end.
  fileprivate var comment: [UInt8]? {
    let start = bytes.indices.first { index in
      bytes[index] == UInt8(ascii: "#") && (index == 0 || bytes[index - 1] == 0x20 || bytes[index - 1] == 0x09)
    }
    guard let start else { return nil }
    let end = bytes.lastIndex { $0 > 0x20 } ?? start
    return Array(bytes[start...end])
  }
}
