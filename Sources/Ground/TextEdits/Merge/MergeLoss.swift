package import Values

/// The changes of one side of a merge that the result does not contain.
package struct MergeLoss: Sendable, Hashable {
  /// The paths of the fields whose new values are not in the result.
  package private(set) var fields: [String] = []
  /// True if comments, blank lines or other text outside of values is missing in the result.
  package private(set) var hasOtherText = false

  package var isEmpty: Bool { fields.isEmpty && !hasOtherText }

  /// - Parameter result: nil if the item was removed.
  package init(base: Fields, ours: Fields, result: Fields?, rules: MergeRules = MergeRules()) {
    guard let result else {
      fields = MergeLoss.topFields(of: TextEdit.edits(from: base, to: ours))
      return
    }
    // Merging our changes again does not change a result that contains all of them.
    let again = ValueMerge(
      base: .map(base), ours: .map(result), theirs: .map(ours), rules: rules.withoutChoices)
    // The new name that the result has for a key that we renamed, too, is not ours.
    let ofOurs = again.conflicts.filter { !$0.keys.isEmpty && ($0.base != nil || $0.theirs != nil) }
    let conflicts = ofOurs.map { FieldPath(keys: $0.keys).description }
    let missing = MergeLoss.topFields(of: TextEdit.edits(from: result, to: again.value?.fields ?? result))
    fields = (conflicts + missing).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Compares texts, including their values.
  ///
  /// - Parameter result: nil if the file was removed.
  package init(
    base: [UInt8], ours: [UInt8], result: [UInt8]?, as format: TextFormat, rules: MergeRules = MergeRules(),
    limits: ReadLimits = ReadLimits()
  ) {
    func read(_ bytes: [UInt8]) -> Fields? {
      try? PackedValue(reading: bytes, as: format, limits: limits).value.fields
    }
    let (old, own) = (read(base), read(ours) ?? [:])
    self.init(base: old ?? [:], ours: own, result: result.map { read($0) ?? [:] }, rules: rules)
    if ours == base || ours == result { return }
    // The base with our values. Where our text differs from it, the difference is outside of
    // values.
    let edited = old.flatMap {
      try? ItemText(base, as: format, limits: limits).applying(TextEdit.edits(from: $0, to: own))
    }
    hasOtherText = MergeLoss.lacksLines(of: ours, since: edited ?? base, in: result ?? [])
  }

  private static func topFields(of edits: [TextEdit]) -> [String] {
    edits.reduce(into: []) { names, edit in
      // The number of an element does not identify it after the list has changed.
      let keys = edit.path.keys.prefix { Int($0) == nil }
      let name = FieldPath(keys: keys.isEmpty ? edit.path.keys : Array(keys)).description
      if !names.contains(name) { names.append(name) }
    }
  }

  /// Returns true if the result lacks lines that `ours` added to `base`, or contains lines that
  /// `ours` removed.
  private static func lacksLines(of ours: [UInt8], since base: [UInt8], in result: [UInt8]) -> Bool {
    if ours == base { return false }
    let (old, own, new) = (TextLine.split(base), TextLine.split(ours), TextLine.split(result))
    let (toOwn, toNew) = (
      SequenceAlignment.places(of: old, in: own), SequenceAlignment.places(of: old, in: new)
    )
    var start = (old: 0, own: 0, new: 0)
    for index in 0...old.count {
      let end: (own: Int, new: Int)
      if index == old.count {
        end = (own.count, new.count)
      } else if let first = toOwn[index], let second = toNew[index] {
        end = (first, second)
      } else {
        continue
      }
      if isLost(
        Array(own[start.own..<end.own]), since: Array(old[start.old..<index]),
        in: Array(new[start.new..<end.new]))
      {
        return true
      }
      start = (index + 1, end.own + 1, end.new + 1)
    }
    return false
  }

  /// Compares the lines between two lines that all texts have in common. Each added line must occur
  /// as often as in `ours`, and each removed line no more often.
  private static func isLost(_ ours: [TextLine], since base: [TextLine], in result: [TextLine]) -> Bool {
    if ours == base || ours == result { return false }
    func counts(_ lines: [TextLine]) -> [TextLine: Int] {
      lines.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    let (old, own, new) = (counts(base), counts(ours), counts(result))
    if old == own { return true }
    return Set(old.keys).union(own.keys).contains { line in
      let (was, wanted, found) = (old[line] ?? 0, own[line] ?? 0, new[line] ?? 0)
      return wanted > was ? found < wanted : wanted < was && found > wanted
    }
  }
}
