import Files
import Glibc
import Query
import Values

/// Making changes in batches.
///
/// `save` collects changes, and `flush` makes them durable. A few changes are made one by one, so
/// that each is reported as soon as it is made. A batch keeps several folders locked, so it is
/// flushed before anything that may take long: waiting for another program, the grace period of
/// replaced files, and calls of the caller's closures.
extension EditSession {
  /// Prepares for changes: decides if they are made in batches, and waits for items that are
  /// missing for a moment.
  mutating func begin(_ changes: [PendingChange]) {
    usesBatches = changes.count >= abilities.batchCount
    // `locate` waits for a single item.
    guard changes.count > 1 else { return }
    let found = changes.filter { !$0.isInsertion }
    self.await(found.compactMap { isWhereItWas($0) ? nil : $0.id })
    expected = Set(found.map(\.id))
  }

  /// Returns true if the file of a change is where it was read. That is found faster than the file.
  private func isWhereItWas(_ change: PendingChange) -> Bool {
    guard locator.idFields.isEmpty, let path = change.revision?.path, Item.ID(path: path) == change.id else { return false }
    return (try? locator.root.stamp(of: path)) != nil
  }

  /// Makes a change. `outcomes` returns its outcome after `flush`, or after `confirm` if the
  /// replaced file must be checked again.
  ///
  /// - Parameters:
  ///   - number: The number under which the outcome is returned.
  ///   - round: The number of times that the change was made before.
  mutating func save(_ change: PendingChange, as number: Int, round: Int = 0) {
    // This change may depend on an earlier one.
    if batch.ids.contains(change.id) || change.newID != nil || !overtaken.isEmpty { flush() }
    attempt(EditAttempt(change: change, number: number, round: round))
    if change.newID != nil || !usesBatches {
      flush()
    } else if batch.isFull {
      flush()
      // Longer than waiting writers sleep between two tries.
      if rootLock == nil { usleep(15_000) }
    }
  }

  /// Makes the changes durable, and repeats those whose files other programs saved first.
  mutating func flush() {
    commit()
    while !overtaken.isEmpty {
      attempt(overtaken.removeFirst())
      commit()
    }
  }

  /// Returns the outcomes that became known since the last call, in the order of the changes. None
  /// while folders are locked.
  mutating func outcomes() -> [(number: Int, outcome: SaveOutcome)] {
    guard batch.isEmpty else { return [] }
    defer { known = [] }
    return known.sorted { $0.number < $1.number }
  }

  // MARK: One change

  private mutating func attempt(_ attempt: EditAttempt) {
    var path: RelativePath?
    expected.remove(attempt.change.id)
    do throws(EditError) {
      if attempt.tries > EditSession.maxTries {
        throw EditError(.busy, attempt.change.id, attempt.path, "Other programs save the file faster than it can be changed. Try again.")
      }
      try lockIDs(for: attempt.change.id)
      try stage(attempt, &path)
    } catch {
      // The batch keeps the replaced files on the disk until it is made durable.
      if error.code == .noSpace, !batch.isEmpty {
        commit()
        return self.attempt(attempt)
      }
      known.append((attempt.number, SaveOutcome(id: attempt.change.id, path: path ?? error.path, result: .failed(error))))
    }
  }

  /// Stages a change. An insertion that may be an update is tried again if another program created
  /// or deleted the item in the meantime.
  private mutating func stage(_ attempt: EditAttempt, _ path: inout RelativePath?) throws(EditError) {
    var tries = mayUpdate(attempt.change) ? 5 : 1
    var round = rounds + attempt.tries
    while true {
      var target = try target(of: attempt.change)
      path = target.path
      try checkRename(of: target)
      if isThere(target) {
        var outcome = SaveOutcome(id: target.change.id, path: target.path, result: .unchanged)
        outcome.warnings = attempt.warnings + warnings
        warnings = []
        return known.append((attempt.number, outcome))
      }
      let isPrepared = preparations[attempt.number] != nil
      if isPrepared || round < EditSession.maxPreparations && isSlow(target) {
        if keepsStale, !isPrepared {
          stale.insert(attempt.number)
          return
        }
        target = try prepare(target, number: attempt.number)
        path = target.path
      }
      do throws(EditError) {
        if try stage(attempt, target) { return }
        round += 1
      } catch {
        tries -= 1
        guard tries > 0, error.code == .exists || error.code == .notFound else { throw error }
      }
    }
  }

  /// Returns true if the change only checks that the item exists, and its file does. That needs
  /// neither a lock nor the text.
  private func isThere(_ target: EditTarget) -> Bool {
    target.change.onlyChecks && (try? locator.root.stamp(of: target.path)) != nil
  }

  /// Returns false if the file has changed since the change was worked out.
  private mutating func stage(_ attempt: EditAttempt, _ target: EditTarget) throws(EditError) -> Bool {
    var created: [RelativePath] = []
    do {
      // Without a folder there is no file: the change is resolved, but nothing is written.
      guard let folder = try open(target, &created) else {
        if let prepared = target.prepared, !prepared.isMade(of: nil) { return false }
        known.append((attempt.number, renamed(outcome(of: try resolve(target, nil), target), attempt)))
        return true
      }
      let held = try readSettled(target, in: folder)
      if let held { recordRead(held.content, at: target.path) }
      if let prepared = target.prepared, !prepared.isMade(of: held?.content) {
        SaveFolder.remove(created, below: locator.root)
        return false
      }
      try stage(try resolve(target, held?.content), held, attempt, target, in: folder, created)
      return true
    } catch {
      SaveFolder.remove(created, below: locator.root)
      throw error
    }
  }

  // MARK: The batch

  /// Makes the changes of the batch durable and releases its locks. Those that other programs
  /// overtook are collected in `overtaken`.
  mutating func commit() {
    if batch.isEmpty { return }
    var finished = batch
    batch = SaveBatch()
    finished.write(below: locator.root, abilities)
    let results = finished.entries.map { ($0.attempt, $0.target.path, result(of: $0)) }
    // The locks end with the last reference to the folders.
    finished = SaveBatch()
    for (attempt, path, result) in results {
      switch result {
      case .done(let outcome): known.append((attempt.number, renamed(outcome, attempt)))
      case .replaced(let outcome, let file, let folder):
        unconfirmed.append(UnconfirmedChange(attempt: attempt, outcome: renamed(outcome, attempt), path: path, file: file, folder: folder))
      case .overtaken(let warnings):
        var next = attempt
        next.tries += 1
        next.warnings += warnings
        next.path = path
        overtaken.append(next)
      }
    }
  }

  private enum BatchResult {
    case done(SaveOutcome)
    /// The replaced file must be checked again.
    case replaced(SaveOutcome, ReplacedFile, SaveFolder)
    case overtaken(warnings: [String])
  }

  private mutating func result(of entry: SaveBatch.Entry) -> BatchResult {
    var outcome = entry.outcome
    switch entry.step {
    case .nothing, .place, .delete: return .done(outcome)
    case .failed(let failure):
      outcome.result = .failed(EditError(entry.target.change.id, entry.target.path, failure))
      outcome.saved = nil
      return .done(outcome)
    case .made(.overtaken(let warnings)): return .overtaken(warnings: warnings)
    case .made(.done(let warnings, let file)):
      record(entry.resolved, entry.target)
      if let staged = entry.staged { recordWritten(staged, entry.resolved, at: entry.target.path) }
      removeMadeFolders(entry.attempt, outcome)
      outcome.warnings += warnings
      if let file, let copy = entry.saver.folder.reopened { return .replaced(outcome, file, copy) }
      return .done(outcome)
    }
  }

  private mutating func renamed(_ outcome: SaveOutcome, _ attempt: EditAttempt) -> SaveOutcome {
    guard let newID = attempt.change.newID, outcome.error == nil else { return outcome }
    let outcome = renamed(outcome, to: newID)
    if outcome.error == nil, let made = attempt.change.undo?.made { MadeFolder.remove(made, below: locator.root) }
    return outcome
  }

  /// Removes the folders that a change created, after an undo deleted its file.
  func removeMadeFolders(_ attempt: EditAttempt, _ outcome: SaveOutcome) {
    guard outcome.result == .deleted, let made = attempt.change.undo?.made else { return }
    MadeFolder.remove(made, below: locator.root)
  }
}
