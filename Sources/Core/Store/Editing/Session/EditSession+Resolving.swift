struct EditTarget {
  /// The change. That of a new item has the fields that the settings give it.
  let change: PendingChange
  let path: RelativePath
  let format: TextFormat
  var isNew = false
  /// The result that was worked out before the folder was locked; nil if there is none.
  var prepared: Result<ResolvedEdit, EditError>?
  /// The file to which the change is resolved; nil if there is none.
  var content: FileContent?
  /// The settings by which `prepared` was made.
  var settings: Settings?

  /// Returns true if nothing was prepared, or if the file still has the bytes that it was made from.
  func isUpToDate(with current: FileContent?) -> Bool { prepared == nil || content?.bytes == current?.bytes }

  func error(_ code: ErrorCode, _ message: String, advice: String? = nil) -> EditError {
    EditError(code, change.id, path, message, advice: advice)
  }

  var missing: EditError { error(.notFound, "There is no item with this id.") }

  func conflict(_ message: String, advice: String? = nil) -> EditError {
    let choices = "Read it again and decide, or choose a merge policy."
    var error = error(.conflict, message, advice: advice.map { "\($0) \(choices)" } ?? choices)
    error.dependsOnPolicy = true
    return error
  }

  /// An undo of a change to a file that is not as the change left it.
  func undoConflict(_ message: String) -> EditError {
    error(.conflict, "\(message) It was not undone, so that no other change is lost.")
  }
}

extension EditSession {
  mutating func resolve(_ target: EditTarget, _ current: FileContent?) throws(EditError) -> ResolvedEdit {
    if target.isNew {
      try checkFree(target)
    } else if target.change.isInsertion, current == nil {
      throw target.error(.notFound, "It was deleted in the meantime.", advice: "Try again.")
    }
    let holdsItem = current.map { isItem(target.change.id, $0.text, target.path) } ?? true
    try target.change.checkFields { (try? current?.text.fields.get())?.value.fields }
    if !holdsItem, target.change.undo != nil {
      throw target.error(.conflict, "Its file holds another item now, so nothing was undone.")
    }
    var resolved =
      if let prepared = target.prepared { try prepared.get() } else { try resolution(of: target, current) }
    guard let text = resolved.newText else {
      if !holdsItem { resolved.text = current?.text }
      return resolved
    }
    if !holdsItem { throw target.error(.exists, "Its file holds another item now.") }
    try checkID(of: text, target)
    return resolved
  }

  /// Returns the effect of a change on this content of its file. It depends on nothing else.
  func resolution(of target: EditTarget, _ current: FileContent?) throws(EditError) -> ResolvedEdit {
    let holdsItem = current.map { isItem(target.change.id, $0.text, target.path) } ?? true
    var resolved = try resolver.resolve(
      target.change, at: target.path, as: target.format, holdsItem ? current : nil)
    if let newID = target.change.newID, !locator.idFields.isEmpty, holdsItem {
      try setID(newID, of: &resolved, target)
    }
    return resolved
  }

  /// Returns true unless ids are fields and those of the text make another id.
  private func isItem(_ id: Item.ID, _ text: ItemText, _ path: RelativePath) -> Bool {
    guard !locator.idFields.isEmpty, let fields = try? text.fields.get(),
      let found = try? Item.ID(of: fields, at: path, by: locator.idFields)
    else { return true }
    return found == id
  }

  private mutating func checkFree(_ target: EditTarget) throws(EditError) {
    let id = target.change.id
    let others = try locator.idFields.isEmpty ? locator.existingFiles(of: id) : locator.claimants(of: id)
    guard let other = others.first else { return }
    if target.change.undo != nil {
      var error = EditError(
        .conflict, id, other, "There is an item with this id again, so nothing was undone.")
      error.conflict = EditConflict(expected: nil, found: bytes(of: id, at: other))
      throw error
    }
    throw EditError(
      .exists, id, other, "There is already an item with this id.",
      advice: "Set its fields, or choose another id.")
  }

  private func bytes(of id: Item.ID, at path: RelativePath) -> [UInt8]? {
    locator.rules.format(of: path).flatMap { try? content(of: id, path, $0) }?.bytes
  }

  /// Checks that the new text makes an id that no other item has; for a new item, the requested id.
  private mutating func checkID(of text: ItemText, _ target: EditTarget) throws(EditError) {
    guard !locator.idFields.isEmpty, let fields = try? text.fields.get() else { return }
    let id: Item.ID
    do throws(Problem) {
      id = try Item.ID(of: fields, at: target.path, by: locator.idFields)
      let wanted = target.change.newID ?? target.change.id
      if target.isNew || target.change.newID != nil, id != wanted {
        let names = locator.idFields.map(\.description).joined(separator: ", ")
        throw Problem(
          path: target.path,
          message: "Its fields (\(names)) make the id \(id), not \(wanted).",
          advice: "Change the fields or the id.")
      }
    } catch {
      var failure = target.error(.invalidID, error.message)
      failure.advice = error.advice
      throw failure
    }
    if id != target.change.id, let other = locator.claimants(of: id).first(where: { $0 != target.path }) {
      throw target.error(
        .exists, "Its fields would make the id \(id), which \(other) has already.",
        advice: "Choose another id.")
    }
  }

  func outcome(of resolved: ResolvedEdit, _ target: EditTarget) -> SaveOutcome {
    SaveOutcome(id: target.change.id, path: target.path, result: resolved.result, unsaved: resolved.unsaved)
  }

  /// Returns the effects that a save would have now. Writes nothing and waits for no lock.
  package mutating func preview(_ scope: EditScope) -> [EditPreview] {
    let changes = scope.changes
    expect(changes)
    return changes.map { preview($0) }
  }

  private mutating func preview(_ change: PendingChange) -> EditPreview {
    var path: RelativePath?
    do throws(EditError) {
      let target = try target(of: change)
      path = target.path
      try checkFolder(of: target)
      let newPath = try checkRename(of: target)
      let current = try content(of: change.id, target.path, target.format)
      let resolved = try resolve(target, current)
      var outcome = outcome(of: resolved, target)
      if let newPath, let newID = change.newID { outcome.rename(to: newID, at: newPath) }
      return EditPreview(outcome: outcome, old: current?.text.bytes, new: resolved.text?.bytes)
    } catch {
      return EditPreview(
        outcome: SaveOutcome(id: change.id, path: path ?? error.path, result: .failed(error)), old: nil,
        new: nil)
    }
  }

  package func text(of plan: NewItems.Plan) throws(EditError) -> [UInt8] {
    do throws(TextEditError) {
      return try ItemText.new(plan.fields, as: plan.format, like: plan.style, limits).bytes
    } catch {
      throw EditError(plan.id, plan.path, error)
    }
  }
}

/// Working out slow changes before anything is locked.
///
/// A locked folder keeps all other writers waiting, and so does the worker of a store. So the text of
/// a change that may take long is made of the file as it is. Under the lock it counts only if the file
/// still has the same bytes; otherwise the lock is released, and the text is made again. If the file
/// has changed in `maxPreparations` rounds, the text is made under the lock: then the change is made,
/// however often other programs save the file.
extension EditSession {
  /// The number of rounds in which the text of a change is made without a lock.
  static let maxPreparations = 3

  mutating func prepared(_ change: PendingChange) -> EditTarget? {
    // Errors are found again by the save.
    guard let target = try? target(of: change) else { return nil }
    return prepared(target)
  }

  func isSlow(_ target: EditTarget) -> Bool {
    let size = target.isNew ? 0 : (try? locator.root.stamp(of: target.path))?.size
    return target.change.isSlow(forFileOf: size ?? 0)
  }

  /// Works out a slow change while nothing is locked. Returns its target, which may have moved.
  mutating func prepare(_ target: EditTarget, number: Int) throws(EditError) -> EditTarget {
    if let earlier = earlier(target, number) { return earlier }
    commit()
    rootLock = nil
    let prepared = prepared(target)
    try lockIDs(for: target.change.id)
    // Another program may have moved the item to another file while no lock was held.
    let current = target.isNew ? target : try self.target(of: target.change)
    return prepared.flatMap { target.isNew || $0.path == current.path ? $0 : nil } ?? current
  }

  private mutating func earlier(_ target: EditTarget, _ number: Int) -> EditTarget? {
    guard let earlier = preparations.removeValue(forKey: number), earlier.isNew == target.isNew,
      earlier.isNew || earlier.path == target.path, earlier.settings == locator.settings
    else { return nil }
    return earlier
  }

  private func prepared(_ target: EditTarget) -> EditTarget? {
    var prepared = target
    if !target.isNew {
      // An error is found again by the save.
      guard let found = try? content(of: target.change.id, target.path, target.format) else { return nil }
      prepared.content = found
    }
    let file = prepared.content
    prepared.prepared = Result { () throws(EditError) in try resolution(of: target, file) }
    prepared.settings = locator.settings
    abilities.didPrepare(target.path)
    return prepared
  }
}

extension PendingChange {
  /// Returns true if it may take long to work out the new text. Each edit can cost a pass over it.
  func isSlow(forFileOf size: UInt64) -> Bool {
    if onlyChecks { return false }
    var rest = Value.quickSize / max(1, edits.count) - Int(clamping: size)
    switch act {
    case .insert(.text(let bytes), _, _), .replace(let bytes): rest -= bytes.count
    case .insert(.fields(let fields, _), _, _), .insert(.planned(let fields, _), _, _):
      Value.map(fields).subtractSize(from: &rest)
    case .update, .delete: break
    }
    for edit in edits where rest >= 0 { edit.value?.subtractSize(from: &rest) }
    return rest < 0
  }
}

extension TextEdit {
  fileprivate var value: Value? {
    switch self {
    case .set(_, let value), .insert(_, let value), .append(let value, _): value
    case .remove, .removeValue, .rename: nil
    }
  }
}
