public import Values

/// A three-way merge of texts: of their values, and of the lines outside of values.
///
/// ```swift
/// let merge = TextMerge(base: base, ours: ours, theirs: theirs, as: .yaml)
/// merge.bytes         // with conflict markers around the lines that are in conflict
/// merge.isConflicted  // true if there are any
/// ```
///
/// Guarantees:
/// - If one side equals the base, the result is the other side, byte for byte.
/// - A clean result reads as the merged values (see `ValueMerge`).
/// - Each line that exactly one side changed is in a clean result as that side wrote it. This
///   includes comments, quotes, tags, anchors, the order of keys and the digits of a number. Two
///   exceptions: a line that both sides changed is merged token by token, and in JSON a line gets
///   the final comma that the element after it requires.
/// - Everything else is a conflict. Texts that cannot be read are merged by lines, as git does it.
public struct TextMerge: Sendable, CustomStringConvertible {
  /// The merged text. It contains conflict markers if `isConflicted` is true.
  public let bytes: [UInt8]
  /// True if the text contains conflict markers.
  public let isConflicted: Bool
  /// The values in conflict. Empty if only lines outside of values are in conflict, or if the texts
  /// were merged by lines.
  public let conflicts: [ValueMerge.Conflict]
  /// True if the texts were merged by lines, because one of them cannot be read.
  public let isByLines: Bool
  /// The texts in which all conflicts are resolved for one side.
  package let resolved: (ours: [UInt8], theirs: [UInt8])

  /// The labels and the length of conflict markers.
  public struct Markers: Sendable, Hashable, CustomStringConvertible {
    /// The label after `<<<<<<<`.
    public var ours: String
    /// The label after `>>>>>>>`.
    public var theirs: String
    /// The length of `<<<<<<<`.
    public var size: Int

    /// Creates markers, by default as git writes them.
    ///
    /// - Parameters:
    ///   - ours: the label of our side. If it is empty, the marker has no label.
    ///   - theirs: the label of their side. If it is empty, the marker has no label.
    ///   - size: the number of characters of a marker.
    public init(ours: String = "ours", theirs: String = "theirs", size: Int = 7) {
      self.ours = ours
      self.theirs = theirs
      self.size = size
    }

    /// The names of the two sides: `ours and theirs, 7 characters`.
    public var description: String { "\(ours) and \(theirs), \(size) characters" }
  }

  /// The size of the result and its conflicts: `42 bytes, conflicts at /name`.
  public var description: String {
    let places = conflicts.map { FieldPath.pointer(to: $0.keys) }
    let state =
      !isConflicted
      ? "no conflicts" : places.isEmpty ? "conflicts" : "conflicts at \(places.joined(separator: ", "))"
    return "\(bytes.count) bytes, \(state)"
  }

  /// Merges two texts that have a common base.
  ///
  /// - Parameters:
  ///   - base: the text before both changes; empty if both sides are new.
  ///   - ours: our text.
  ///   - theirs: their text.
  ///   - format: the format of all three texts.
  ///   - rules: the rules for values that both sides changed.
  ///   - markers: the labels and the length of conflict markers.
  ///   - limits: the limits for reading the texts. Texts that exceed them are merged by lines.
  public init(
    base: [UInt8], ours: [UInt8], theirs: [UInt8], as format: TextFormat, rules: MergeRules = MergeRules(),
    markers: Markers = Markers(),
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
    let merger = TextMerger(
      base: base, ours: ours, theirs: theirs, format: format, limits: limits, markers: markers)
    self = merger.mergeValues(rules) ?? merger.mergeLines()
  }

  init(_ bytes: [UInt8], isByLines: Bool = false) {
    self.bytes = bytes
    isConflicted = false
    conflicts = []
    self.isByLines = isByLines
    resolved = (bytes, bytes)
  }

  init(
    _ parts: [LineMerge.Part], _ markers: Markers, conflicts: [ValueMerge.Conflict] = [],
    isByLines: Bool = false
  ) {
    bytes = parts.text(with: markers)
    isConflicted = true
    self.conflicts = conflicts
    self.isByLines = isByLines
    resolved = (parts.ours.flatMap(\.bytes), parts.theirs.flatMap(\.bytes))
  }
}
