/// The three-way merge of texts: their values are merged, and the lines that no value describes too.
///
/// ```swift
/// let merge = TextMerge(base: base, ours: ours, theirs: theirs, as: .yaml)
/// merge.bytes         // with conflict markers around the lines that are in conflict
/// merge.isConflicted  // true if there are any
/// ```
///
/// If one side equals the base, the result is the other side, byte for byte. A clean result reads as the
/// merged values, and each line that exactly one side changed is in it as that side wrote it: comments,
/// quotes, tags, anchors, the order of keys and the digits of a number are merged by lines or become a
/// conflict. Two exceptions: a line that both sides changed is merged token by token, and in JSON a line
/// gets the final comma that the element after it requires. Texts that cannot be read are merged by lines.
public struct TextMerge: Sendable {
  public let bytes: [UInt8]
  public let isConflicted: Bool
  /// The values in conflict. Empty if only lines that no value describes are in conflict, or if the
  /// texts were merged by lines.
  public let conflicts: [ValueMerge.Conflict]
  /// True if one of the texts cannot be read, so that its values are unknown.
  public let isByLines: Bool
  /// The text if all conflicts are resolved for one side.
  package let resolved: (ours: [UInt8], theirs: [UInt8])

  /// The labels and the length of conflict markers.
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

  /// Merges two texts that have a common base. The base is empty if both sides are new.
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

  init(_ bytes: [UInt8], isByLines: Bool = false) {
    self.bytes = bytes
    isConflicted = false
    conflicts = []
    self.isByLines = isByLines
    resolved = (bytes, bytes)
  }

  init(_ parts: [LineMerge.Part], _ markers: Markers, conflicts: [ValueMerge.Conflict] = [], isByLines: Bool = false) {
    bytes = ConflictMarkers(markers).text(of: parts)
    isConflicted = true
    self.conflicts = conflicts
    self.isByLines = isByLines
    resolved = (parts.ours.flatMap(\.bytes), parts.theirs.flatMap(\.bytes))
  }
}
