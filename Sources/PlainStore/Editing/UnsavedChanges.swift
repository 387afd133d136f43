import PlainText

/// The part of a change that a merge policy did not save, because another program had changed the same part of the file.
public struct UnsavedChanges: Sendable, Hashable {
  /// The paths of the fields whose new values were not saved.
  public var fields: [String] = []
  /// True if comments, blank lines or other text that is no value were not saved.
  public var hasOtherText = false
  /// True if the item was to be deleted and is still there.
  public var hasDeletion = false

  /// True if everything was saved.
  public var isEmpty: Bool { fields.isEmpty && !hasOtherText && !hasDeletion }

  init() {}

  init(_ loss: MergeLoss) {
    fields = loss.fields
    hasOtherText = loss.hasOtherText
  }

  /// A clause that names what was not saved: `not saved: your values of rating, tags`.
  package var summary: String {
    var parts: [String] = []
    if hasDeletion { parts.append("the deletion") }
    let names = fields.prefix(10).joined(separator: ", ") + (fields.count > 10 ? " and \(fields.count - 10) more" : "")
    if !fields.isEmpty { parts.append("your \(fields.count == 1 ? "value" : "values") of \(names)") }
    if hasOtherText { parts.append("comments or formatting that you changed") }
    return "not saved: " + parts.joined(separator: ", and ")
  }
}

extension EditResolver {
  /// Finds what the change was to write and the file will not hold.
  func unsaved(_ resolution: EditResolution, of sides: Sides) -> UnsavedChanges {
    // The other policies save all of a change, or fail.
    guard policy != .error, policy != .overwrite, let revision = sides.change.revision else { return UnsavedChanges() }
    let result: [UInt8]?
    switch resolution {
    case .write(let bytes, isMerged: true): result = bytes
    case .write, .delete: return UnsavedChanges()
    case .nothing, .discard: result = sides.current?.bytes
    }
    switch sides.change.act {
    case .insert: return UnsavedChanges()
    case .delete:
      var unsaved = UnsavedChanges()
      unsaved.hasDeletion = resolution == .discard
      return unsaved
    case .update: return UnsavedChanges(loss(of: sides.change.edits, to: revision, result, sides))
    case .replace(let text):
      let ours = (try? ItemText(text, as: sides.format, limits: limits).applying(sides.change.edits)) ?? text
      guard let base = revision.bytes else {
        let fields = FileContent.fields(of: ours, as: sides.format, limits)
        return UnsavedChanges(loss(of: (try? fields.get())?.value.fields ?? [:], since: revision, result, sides))
      }
      return UnsavedChanges(MergeLoss(base: base, ours: ours, result: result, as: sides.format, rules: rules, limits: limits))
    }
  }

  private func loss(of edits: [TextEdit], to revision: ItemRevision, _ result: [UInt8]?, _ sides: Sides) -> MergeLoss {
    let base = revision.fields.value.fields ?? [:]
    return loss(of: (try? base.applying(edits)) ?? base, since: revision, result, sides)
  }

  private func loss(of ours: Fields, since revision: ItemRevision, _ result: [UInt8]?, _ sides: Sides) -> MergeLoss {
    let found = result.map { (try? FileContent.fields(of: $0, as: sides.format, limits).get())?.value.fields ?? [:] }
    return MergeLoss(base: revision.fields.value.fields ?? [:], ours: ours, result: found, rules: rules)
  }
}
