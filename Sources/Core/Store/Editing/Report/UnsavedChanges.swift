/// The edits of a change, divided by whether they can conflict with changes of other programs.
///
/// `append` and `removeValue` name no position, so they are applied to the newest list under every
/// merge policy. This does not hold
/// - if another edit of the same change sets, renames or removes that list, a part of it or a value
///   above it: the order of the two matters; or
/// - if the path leads through an element of a list: its number may be that of another element now.
///
/// All other edits are based on the item as it was read.
struct RelativeEdits {
  private(set) var absolute: [TextEdit] = []
  private(set) var relative: [TextEdit] = []

  /// - Parameter versions: The item as it was read, and as it is now.
  init(_ edits: [TextEdit], in versions: [Fields]) {
    let others = edits.filter { !$0.isRelative }.flatMap(\.changedPaths)
    for edit in edits {
      let keys = edit.path.keys
      if edit.isRelative, !others.contains(where: { RelativeEdits.overlap($0, keys) }),
        !versions.contains(where: { Value.map($0).hasElement(above: keys) })
      {
        relative.append(edit)
      } else {
        absolute.append(edit)
      }
    }
  }

  func adopting(_ newest: Fields, in fields: Fields) -> Fields {
    relative.reduce(fields) { fields, edit in
      guard case .list(let elements)? = Value.map(newest).element(at: edit.path) else { return fields }
      return (try? fields.applying([.set(edit.path, .list(elements))])) ?? fields
    }
  }

  private static func overlap(_ a: [String], _ b: [String]) -> Bool {
    zip(a, b).allSatisfy { $0.hasSameBytes(as: $1) }
  }
}

extension TextEdit {
  fileprivate var changedPaths: [[String]] {
    let keys = path.keys
    guard case .rename(_, let name) = self else { return [keys] }
    return [keys, keys.dropLast() + [name]]
  }
}

extension Value {
  fileprivate func hasElement(above keys: [String]) -> Bool {
    var value = self
    for key in keys {
      if case .list = value { return true }
      guard let child = value.element(at: FieldPath(keys: [key])) else { return false }
      value = child
    }
    return false
  }
}

/// The parts of a change that a merge policy did not save, because another program had changed the
/// same parts.
package struct UnsavedChanges: Sendable, Hashable, CustomStringConvertible {
  /// The paths of the fields whose new values were not saved.
  package var fields: [String] = []
  /// True if comments, blank lines or other text outside of values was not saved.
  package var hasOtherText = false
  /// True if the item was to be deleted and still exists.
  package var hasDeletion = false

  /// True if everything was saved.
  package var isEmpty: Bool { fields.isEmpty && !hasOtherText && !hasDeletion }

  /// A clause that names what was not saved, or `everything saved`.
  package var description: String { isEmpty ? "everything saved" : summary }

  package var summary: String {
    var parts: [String] = []
    if hasDeletion { parts.append("the deletion") }
    let names =
      fields.prefix(10).joined(separator: ", ") + (fields.count > 10 ? " and \(fields.count - 10) more" : "")
    if !fields.isEmpty { parts.append("your \(fields.count == 1 ? "value" : "values") of \(names)") }
    if hasOtherText { parts.append("comments or formatting that you changed") }
    return "not saved: " + parts.joined(separator: ", and ")
  }
}

extension UnsavedChanges {
  /// - Parameter result: nil if the item was removed.
  init(base: Fields, ours: Fields, result: Fields?, rules: MergeRules = MergeRules()) {
    guard let result else {
      fields = UnsavedChanges.topFields(of: TextEdit.edits(from: base, to: ours))
      return
    }
    // Merging our changes again does not change a result that contains all of them.
    let again = ValueMerge(
      base: .map(base), ours: .map(result), theirs: .map(ours), rules: rules.withoutChoices)
    // The new name that the result has for a key that we renamed, too, is not ours.
    let ofOurs = again.conflicts.filter { !$0.keys.isEmpty && ($0.base != nil || $0.theirs != nil) }
    let conflicts = ofOurs.map { FieldPath(keys: $0.keys).description }
    let missing = UnsavedChanges.topFields(
      of: TextEdit.edits(from: result, to: again.value?.fields ?? result))
    fields = (conflicts + missing).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  init(
    base: [UInt8], ours: [UInt8], result: [UInt8]?, as format: TextFormat, rules: MergeRules = MergeRules(),
    limits: ReadLimits = ReadLimits()
  ) {
    func read(_ bytes: [UInt8]) -> Fields? {
      try? PackedValue(reading: bytes, as: format, limits: limits).value.fields
    }
    let old = read(base)
    let own = read(ours) ?? [:]
    self.init(base: old ?? [:], ours: own, result: result.map { read($0) ?? [:] }, rules: rules)
    if ours == base || ours == result { return }
    // Where our text differs from the base with our values, the difference is outside of values.
    let edited = old.flatMap {
      try? ItemText(base, as: format, limits: limits).applying(TextEdit.edits(from: $0, to: own))
    }
    hasOtherText = UnsavedChanges.lacksLines(of: ours, since: edited ?? base, in: result ?? [])
  }

  private static func topFields(of edits: [TextEdit]) -> [String] {
    edits.reduce(into: []) { names, edit in
      // The number of an element does not identify it after the list has changed.
      let keys = edit.path.keys.prefix { Int($0) == nil }
      let name = FieldPath(keys: keys.isEmpty ? edit.path.keys : Array(keys)).description
      if !names.contains(name) { names.append(name) }
    }
  }

  /// Returns true if the result lacks lines that `ours` added, or has lines that it removed.
  private static func lacksLines(of ours: [UInt8], since base: [UInt8], in result: [UInt8]) -> Bool {
    if ours == base { return false }
    let old = TextLine.split(base)
    let own = TextLine.split(ours)
    let new = TextLine.split(result)
    let toOwn = SequenceAlignment.places(of: old, in: own)
    let toNew = SequenceAlignment.places(of: old, in: new)
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
    let old = counts(base)
    let own = counts(ours)
    let new = counts(result)
    if old == own { return true }
    return Set(old.keys).union(own.keys).contains { line in
      let was = old[line] ?? 0
      let wanted = own[line] ?? 0
      let found = new[line] ?? 0
      return wanted > was ? found < wanted : wanted < was && found > wanted
    }
  }
}

extension EditResolver {
  /// Adds the parts of the change that the file will not hold. An edit that leaves the file as it
  /// is although parts are not saved counts as discarded. `ours` is the new text of a replacement.
  func addUnsaved(_ resolved: ResolvedEdit, _ target: EditTarget, ours: ItemText?) -> ResolvedEdit {
    var resolved = resolved
    resolved.unsaved = unsaved(resolved, target, ours: ours)
    if resolved.result == .unchanged, !resolved.unsaved.isEmpty { resolved.result = .discarded }
    return resolved
  }

  private func unsaved(_ resolved: ResolvedEdit, _ target: EditTarget, ours: ItemText?) -> UnsavedChanges {
    // The other policies save the complete change, or fail.
    guard policy != .error, policy != .overwrite, let revision = target.change.revision else {
      return UnsavedChanges()
    }
    switch resolved.result {
    case .updated(isMerged: true), .unchanged, .discarded: break
    case .updated(isMerged: false), .inserted, .renamed, .deleted, .failed: return UnsavedChanges()
    }
    if case .delete = target.change.act {
      return UnsavedChanges(hasDeletion: resolved.result == .discarded)
    }
    let base = revision.fields.value.fields ?? [:]
    if let ours, let oldBytes = revision.bytes {
      return UnsavedChanges(
        base: oldBytes, ours: ours.bytes, result: resolved.text?.bytes, as: target.format, rules: rules,
        limits: limits)
    }
    let wanted = ours.map { $0.values ?? [:] } ?? EditResolver.wanted(of: target, base)
    let result = resolved.text.map { $0.values ?? [:] }
    return UnsavedChanges(base: migrated(base, target), ours: wanted, result: result, rules: rules)
  }

  /// Returns the item as it was read, with those edits that depend on this state.
  private static func wanted(of target: EditTarget, _ base: Fields) -> Fields {
    let theirs = target.content.map { $0.text.values ?? [:] }
    let edits =
      theirs.map { RelativeEdits(target.change.edits, in: [base, $0]).absolute } ?? target.change.edits
    return (try? base.applying(edits)) ?? base
  }
}
