import TextEdits
import Values

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
  /// The edits that are based on the item as it was read, in order.
  private(set) var absolute: [TextEdit] = []
  /// The edits that are applied to the newest list, in order.
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

  /// Returns `fields` with the lists of the relative edits as they are in `newest`.
  func adopting(_ newest: Fields, in fields: Fields) -> Fields {
    relative.reduce(fields) { fields, edit in
      guard case .list(let elements)? = Value.map(newest).element(at: edit.path) else { return fields }
      return (try? fields.applying([.set(edit.path, .list(elements))])) ?? fields
    }
  }

  /// Returns true if the paths are equal, or one leads to a value above the other.
  private static func overlap(_ a: [String], _ b: [String]) -> Bool {
    zip(a, b).allSatisfy { $0.hasSameBytes(as: $1) }
  }
}

extension TextEdit {
  /// The paths whose values the edit changes. An element that is inserted or removed changes the
  /// numbers of the others.
  fileprivate var changedPaths: [[String]] {
    let keys = path.keys
    guard case .rename(_, let name) = self else { return [keys] }
    return [keys, keys.dropLast() + [name]]
  }
}

extension Value {
  /// Returns true if the way to a value leads through an element of a list.
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
public struct UnsavedChanges: Sendable, Hashable, CustomStringConvertible {
  /// The paths of the fields whose new values were not saved.
  public var fields: [String] = []
  /// True if comments, blank lines or other text outside of values was not saved.
  public var hasOtherText = false
  /// True if the item was to be deleted and still exists.
  public var hasDeletion = false

  /// True if everything was saved.
  public var isEmpty: Bool { fields.isEmpty && !hasOtherText && !hasDeletion }

  /// A clause that names what was not saved, or `everything saved`.
  public var description: String { isEmpty ? "everything saved" : summary }

  init() {}

  init(_ loss: MergeLoss) {
    fields = loss.fields
    hasOtherText = loss.hasOtherText
  }

  /// A clause that names what was not saved: `not saved: your values of rating, tags`.
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

extension EditResolver {
  /// Adds the parts of the change that the file will not hold. An edit that leaves the file as it
  /// is although parts are not saved counts as discarded.
  ///
  /// - Parameter ours: The complete new text of a replacement; nil for edits and deletions.
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
      var unsaved = UnsavedChanges()
      unsaved.hasDeletion = resolved.result == .discarded
      return unsaved
    }
    let base = revision.fields.value.fields ?? [:]
    if let ours, let oldBytes = revision.bytes {
      return UnsavedChanges(
        MergeLoss(
          base: oldBytes, ours: ours.bytes, result: resolved.text?.bytes, as: target.format, rules: rules,
          limits: limits))
    }
    let wanted = ours.map { EditResolver.fields(of: $0) } ?? EditResolver.wanted(of: target, base)
    return UnsavedChanges(
      MergeLoss(
        base: base, ours: wanted, result: resolved.text.map { EditResolver.fields(of: $0) }, rules: rules))
  }

  /// Returns the item as it was read, with those edits that depend on this state.
  private static func wanted(of target: EditTarget, _ base: Fields) -> Fields {
    let theirs = target.content.map { fields(of: $0.text) }
    let edits =
      theirs.map { RelativeEdits(target.change.edits, in: [base, $0]).absolute } ?? target.change.edits
    return (try? base.applying(edits)) ?? base
  }

  private static func fields(of text: ItemText) -> Fields { (try? text.fields.get())?.value.fields ?? [:] }
}
