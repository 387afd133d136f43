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
/// - Each line that exactly one side changed is in a clean result as that side wrote it, with comments,
///   quotes, tags, anchors, the order of keys and the digits of numbers. But a line that both sides changed
///   is merged token by token, and in JSON a line gets the final comma that the element after it requires.
/// - Everything else is a conflict. Texts that cannot be read are merged by lines, as git does it.
public struct TextMerge: Sendable, CustomStringConvertible {
  /// The merged text. It contains conflict markers if `isConflicted` is true.
  public let bytes: [UInt8]
  /// True if the text contains conflict markers.
  public let isConflicted: Bool
  /// The values in conflict; empty if only other lines are, or if the texts were merged by lines.
  public let conflicts: [ValueMerge.Conflict]
  /// True if the texts were merged by lines, because one of them cannot be read.
  public let isByLines: Bool
  package let resolved: (ours: [UInt8], theirs: [UInt8])

  /// The labels and the length of conflict markers.
  public struct Markers: Sendable, Hashable, CustomStringConvertible {
    /// The label after `<<<<<<<`.
    public var ours: String
    /// The label after `>>>>>>>`.
    public var theirs: String
    /// The length of `<<<<<<<`.
    public var size: Int

    /// Creates markers, by default as git writes them. An empty label is left out.
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

  /// Merges two texts with a common base, which is empty if both sides are new. Texts beyond the limits are
  /// merged by lines.
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
    _ chunks: [LineMerge.Chunk], _ markers: Markers, conflicts: [ValueMerge.Conflict] = [],
    isByLines: Bool = false
  ) {
    bytes = chunks.text(with: markers)
    isConflicted = true
    self.conflicts = conflicts
    self.isByLines = isByLines
    resolved = (chunks.ours.flatMap(\.bytes), chunks.theirs.flatMap(\.bytes))
  }
}

/// Merges three texts, each of them different from the others, by generating and testing:
///
/// 1. the lines of the three texts, merged as git does it, then with changes to adjacent lines;
/// 2. the lines of the three texts after the merged values were set in each of them, so that they
///    differ only outside of values;
/// 3. one side with the merged values.
///
/// A candidate is accepted if it reads as the merged values and keeps what each side did to the
/// lines (`LineAccount`). So a wrong one can cost time, but never a change. If none is accepted, the
/// smallest conflict that passes the same tests in both of its resolutions is used, and at worst a
/// conflict over all lines in which the sides differ. Each candidate costs one reading of the text;
/// setting values costs up to one per edit, and is not tried beyond `maxWork`.
private struct TextMerger {
  let base: [UInt8]
  let ours: [UInt8]
  let theirs: [UInt8]
  let format: TextFormat
  let limits: ReadLimits
  let markers: TextMerge.Markers

  /// The limit of bytes that are read to edit one text; beyond it, a person has to merge.
  private static let maxWork = 1 << 28

  private typealias Values = (old: Fields?, own: Fields, other: Fields)

  func mergeValues(_ rules: MergeRules) -> TextMerge? {
    guard let own = read(ours), let other = read(theirs) else { return nil }
    let values: Values = (read(base), own, other)
    guard values.old != nil || base.isEmpty else { return nil }
    let merge = ValueMerge(
      base: values.old.map(Value.map), ours: .map(own), theirs: .map(other), rules: rules)
    guard let merged = merge.value?.fields else { return nil }
    let lines = LineMerge(texts)
    var account = LineAccount(lines, as: format)
    exclude(merge.decisions, from: &account)
    if merge.conflicts.isEmpty {
      if let bytes = cleanResult(merged, values, lines, account) { return TextMerge(bytes) }
    }
    return conflictResult(merge, merged, values, lines, account)
  }

  func mergeLines() -> TextMerge {
    let chunks = SequenceMerge(texts).gitChunks
    if let lines = chunks.settled { return TextMerge(lines.flatMap(\.bytes), isByLines: true) }
    return TextMerge(chunks, markers, isByLines: true)
  }

  private var texts: Versions<[TextLine]> { Versions(base, ours, theirs).map(TextLine.split) }

  /// Returns the values; nil if the text cannot be read, or if its front matter cannot be edited.
  private func read(_ bytes: [UInt8]) -> Fields? {
    if ForeignFrontMatter(of: bytes, as: format) != nil { return nil }
    return try? PackedValue(reading: bytes, as: format, limits: limits).value.fields
  }

  private func edited(_ bytes: [UInt8], _ value: Fields, _ wanted: Fields) -> [UInt8]? {
    let edits = TextEdit.edits(from: value, to: wanted)
    guard edits.count <= TextMerger.maxWork / max(bytes.count, 1) else { return nil }
    return try? ItemText(bytes, as: format, limits: limits).applying(edits)
  }

  private func edited(_ values: Values, _ wanted: Versions<Fields>) -> Versions<[TextLine]?> {
    Versions(
      values.old.flatMap { edited(base, $0, wanted.base) }.map(TextLine.split),
      edited(ours, values.own, wanted.ours).map(TextLine.split),
      edited(theirs, values.other, wanted.theirs).map(TextLine.split))
  }

  private func cleanResult(_ merged: Fields, _ values: Values, _ lines: LineMerge, _ account: LineAccount)
    -> [UInt8]?
  {
    func accepted(_ results: [[TextLine]], _ account: LineAccount) -> [UInt8]? {
      for result in results where account.isKept(in: result) {
        let bytes = result.flatMap(\.bytes)
        if read(bytes) == merged { return bytes }
      }
      return nil
    }
    if let bytes = accepted(
      [SequenceMerge(texts).gitChunks.settled].compactMap { $0 } + lines.results, account)
    {
      return bytes
    }
    var account = account
    exclude(linesOfValuesIn: lines, values, from: &account)
    let texts = edited(values, Versions(merged, merged, merged))
    if let base = texts.base, let ours = texts.ours, let theirs = texts.theirs,
      let bytes = accepted(LineMerge(Versions(base, ours, theirs)).results, account)
    {
      return bytes
    }
    return accepted([texts.ours, texts.theirs].compactMap { $0 }, account)
  }

  /// Excludes the lines that a rule decided: those that its decisions change in a side.
  private func exclude(_ decisions: [ValueMerge.Decision], from account: inout LineAccount) {
    guard !decisions.isEmpty else { return }
    let sides: [(bytes: [UInt8], keys: (ValueMerge.Decision) -> [String])] = [
      (ours, { $0.ours }), (theirs, { $0.theirs }),
    ]
    for side in sides {
      guard let fields = read(side.bytes) else { continue }
      let value = EditableValue(.map(fields))
      for decision in decisions {
        let path = FieldPath(keys: side.keys(decision))
        let edit = decision.value.map { TextEdit.set(path, $0) } ?? .remove(path)
        _ = try? value.apply(edit.asRead)
      }
      guard let decided = edited(side.bytes, fields, value.value.fields ?? fields) else { continue }
      account.exclude(differencesOf: TextLine.split(side.bytes), and: TextLine.split(decided))
    }
  }

  /// Excludes lines that both sides changed if setting their values in the base gives the same
  /// lines: then the values describe all that the sides did to them.
  private func exclude(linesOfValuesIn lines: LineMerge, _ values: Values, from account: inout LineAccount) {
    let open = lines.chunks.filter {
      $0.settled == nil && $0.base.count == 1 && $0.ours.count == 1 && $0.theirs.count == 1
    }
    guard !open.isEmpty, let old = values.old, let own = edited(base, old, values.own),
      let other = edited(base, old, values.other)
    else { return }
    let ownLines = Set(TextLine.split(own))
    let otherLines = Set(TextLine.split(other))
    for chunk in open where chunk.ours.allSatisfy(ownLines.contains) {
      if chunk.theirs.allSatisfy(otherLines.contains) {
        account.exclude(chunk.ours + chunk.theirs, replacedBy: 1)
      }
    }
  }

  /// The smallest conflict that keeps what each side did: in our resolution and in theirs.
  private func conflictResult(
    _ merge: ValueMerge, _ merged: Fields, _ values: Values, _ lines: LineMerge, _ account: LineAccount
  ) -> TextMerge {
    if let wanted = wanted(merged, merge.conflicts) {
      func accepted(_ chunks: [LineMerge.Chunk]) -> TextMerge? {
        guard chunks.isOpen, account.isKept(inOurs: chunks.ours, theirs: chunks.theirs),
          read(chunks.ours.flatMap(\.bytes)) == wanted.ours,
          read(chunks.theirs.flatMap(\.bytes)) == wanted.theirs
        else { return nil }
        return TextMerge(chunks, markers, conflicts: merge.conflicts)
      }
      let orders = [nil] + LineMerge.InsertionOrder.allCases.map(Optional.some)
      for order in orders { if let result = accepted(lines.chunks(order)) { return result } }
      let texts = edited(values, wanted)
      if let ours = texts.ours, let theirs = texts.theirs {
        if let base = texts.base {
          let lines = LineMerge(Versions(base, ours, theirs))
          for order in orders { if let result = accepted(lines.chunks(order)) { return result } }
        }
        if let result = accepted(.between(ours, theirs)) { return result }
      }
    }
    // The lines that both sides changed, if no value is in conflict.
    let chunks = lines.chunks
    if merge.conflicts.isEmpty, chunks.isOpen, account.isKept(inOurs: chunks.ours, theirs: chunks.theirs),
      isMixture(read(chunks.ours.flatMap(\.bytes)), merged, values.own),
      isMixture(read(chunks.theirs.flatMap(\.bytes)), merged, values.other)
    {
      return TextMerge(chunks, markers)
    }
    // All lines in which the sides differ.
    return TextMerge(
      [LineMerge.Chunk].between(TextLine.split(ours), TextLine.split(theirs)), markers,
      conflicts: merge.conflicts)
  }

  private func isMixture(_ result: Fields?, _ merged: Fields, _ side: Fields) -> Bool {
    guard let result else { return false }
    var resultIndex = FieldIndex(result)
    var mergedIndex = FieldIndex(merged)
    var sideIndex = FieldIndex(side)
    for fields in [result, merged, side] {
      for (place, field) in fields.enumerated() {
        let value = resultIndex.value(of: field.key, near: place)
        guard
          value == mergedIndex.value(of: field.key, near: place)
            || value == sideIndex.value(of: field.key, near: place)
        else { return false }
      }
    }
    return true
  }

  private func wanted(_ merged: Fields, _ conflicts: [ValueMerge.Conflict]) -> Versions<Fields>? {
    guard let base = resolving(conflicts, in: merged, to: \.base),
      let theirs = resolving(conflicts, in: merged, to: \.theirs)
    else {
      return nil
    }
    return Versions(base, merged, theirs)
  }

  /// Returns the merged values, with those of another version where the sides are in conflict.
  private func resolving(
    _ conflicts: [ValueMerge.Conflict], in merged: Fields, to version: (ValueMerge.Conflict) -> Value?
  ) -> Fields? {
    // From the end to the start, so that element numbers remain valid.
    let edits = conflicts.reversed().compactMap { conflict -> [TextEdit]? in
      guard !conflict.keys.isEmpty else { return nil }
      let path = FieldPath(keys: conflict.keys)
      guard let value = version(conflict) else { return conflict.ours == nil ? [] : [.remove(path)] }
      return [conflict.ours == nil ? .insert(path, value) : .set(path, value)]
    }
    guard edits.count == conflicts.count else { return nil }
    return try? merged.applying(edits.flatMap { $0 })
  }
}
