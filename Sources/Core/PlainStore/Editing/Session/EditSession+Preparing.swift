import Files
import TextEdits
import Values

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

  /// Works out a change that is saved later, by another session.
  mutating func prepared(_ change: PendingChange) -> EditTarget? {
    // Errors are found again by the save.
    guard let target = try? target(of: change) else { return nil }
    return prepared(target)
  }

  /// Returns true if working out the change may take long.
  func isSlow(_ target: EditTarget) -> Bool {
    let size = target.isNew ? 0 : (try? locator.root.stamp(of: target.path))?.size
    return target.change.isSlow(forFileOf: size ?? 0)
  }

  /// Works out a slow change while nothing is locked.
  ///
  /// - Returns: The target of the change with the result, and with the path that the item has then.
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

  /// Removes and returns what another session has worked out for a change.
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
  /// Returns true if working out the new text may take long. Each edit counts: it can cost a pass over
  /// the text.
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
