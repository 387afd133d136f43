import Files
import Glibc
import Query
import Values

/// The steps of a save.
///
/// `next` makes changes until an outcome is known. A few changes are made one by one, so that each
/// is reported as soon as it is made. Many are collected in a batch, which `commit` makes durable. A
/// batch keeps several folders locked, so it is committed before anything that may take long:
/// waiting for another program, the grace period of replaced files, and the caller's code.
extension EditSession {
  /// Prepares for the changes of a save, and waits for items that are missing for a moment.
  package mutating func begin(_ scope: EditScope) { begin(scope.changes) }

  mutating func begin(_ changes: [PendingChange]) {
    attempts = changes.enumerated().reversed().map { EditAttempt(change: $1, number: $0) }
    usesBatches = changes.count >= abilities.batchCount
    expect(changes)
  }

  /// Prepares for the changes that a store saves.
  ///
  /// - Parameters:
  ///   - preparations: What was worked out for slow changes before, by their numbers.
  ///   - rounds: The number of times that slow changes were worked out; 0 if none is slow.
  ///   - patience: The longest wait for other programs, of all changes together.
  ///   - recordsFiles: True to record the files as they are read and written.
  mutating func begin(
    _ changes: [PendingChange], knowing preparations: [Int: EditTarget], afterRounds rounds: Int,
    unique: UniquenessCheck,
    patience: Duration, recordsFiles: Bool
  ) {
    self.preparations = preparations
    earlierRounds = max(0, rounds - 1)
    uniqueness = unique
    self.patience = min(self.patience, patience)
    written = recordsFiles ? [:] : nil
    begin(changes)
  }

  /// Waits until the items of these changes exist, but at most for a moment.
  mutating func expect(_ changes: [PendingChange]) {
    // `locate` waits for a single item.
    guard changes.count > 1 else { return }
    let found = changes.filter { !$0.isInsertion }
    self.await(found.compactMap { isWhereItWas($0) ? nil : $0.id })
    expected = Set(found.map(\.id))
  }

  /// Returns true if the file of a change is where it was read. That is found faster than the file.
  private func isWhereItWas(_ change: PendingChange) -> Bool {
    guard locator.idFields.isEmpty, let path = change.revision?.path, Item.ID(path: path) == change.id else {
      return false
    }
    return (try? locator.root.stamp(of: path)) != nil
  }

  // MARK: The driver

  /// Makes changes until the outcome of one is known; nil if the outcomes of all are known.
  ///
  /// The folder of the item is not locked when this returns. Where ids are fields, the advisory lock
  /// of the root may be held until the last change is made: releasing it for every change would mean
  /// reading the ids of all files again.
  ///
  /// Call this until it returns nil, or call `cancel`: replaced files may have to be checked again.
  package mutating func next() -> SaveOutcome? {
    while true {
      if let outcome = nextWithoutGrace() { return outcome }
      if unconfirmed.isEmpty { return nil }
      confirm()
    }
  }

  /// Makes changes until the outcome of one is known, as `next` does; nil if the other outcomes are
  /// known only after the grace period of replaced files.
  mutating func nextWithoutGrace() -> SaveOutcome? {
    while ready.isEmpty {
      let isWritten = attempts.isEmpty && batch.isEmpty
      // Other programs get the lock of the root while nothing is written.
      if isWritten { rootLock = nil }
      if batch.isEmpty, !known.isEmpty, attempts.last?.isRepeated != true {
        ready = known.sorted { $0.number > $1.number }
        known = []
      } else if isWritten || isStale {
        return nil
      } else {
        step()
      }
    }
    return ready.popLast()
  }

  /// Gives up the changes that were not tried yet, and completes the others.
  package mutating func cancel() {
    attempts = []
    while next() != nil {}
  }

  /// Makes one change, or makes the earlier ones durable if it may depend on them.
  private mutating func step() {
    guard let attempt = attempts.last,
      batch.isEmpty || !attempt.followsOthers && !batch.ids.contains(attempt.change.id)
    else {
      return commit()
    }
    attempts.removeLast()
    if !attempt.isRepeated, let error = uniqueness?.error(of: attempt.change) {
      conclude(attempt, SaveOutcome(id: error.id, path: error.path, result: .failed(error)))
    } else {
      self.attempt(attempt)
    }
    if isStale { return }
    // The check of the next change must know if this one has failed.
    if attempt.followsOthers || !usesBatches || uniqueness != nil && !attempt.change.uniqueValues.isEmpty {
      commit()
    } else if batch.isFull {
      commit()
      // Longer than waiting writers sleep between two tries.
      if rootLock == nil { usleep(15_000) }
    }
    if uniqueness != nil, attempts.last?.number != attempt.number {
      let hasFailed =
        !attempt.change.uniqueValues.isEmpty
        && known.contains { $0.number == attempt.number && $0.error != nil }
      uniqueness?.record(attempt.change, hasFailed: hasFailed)
    }
    if isFull { confirm() }
  }

  mutating func conclude(_ attempt: EditAttempt, _ outcome: SaveOutcome) {
    var outcome = outcome
    outcome.number = attempt.number
    known.append(outcome)
    // The lists of a store stand still during a wait, so only the first change waits long for a lock,
    // and all of them together hardly longer.
    if earlierRounds != nil, outcome.error?.code == .busy { patience = min(patience / 2, .milliseconds(100)) }
  }

  // MARK: One change

  private mutating func attempt(_ attempt: EditAttempt) {
    var path: RelativePath?
    expected.remove(attempt.change.id)
    do throws(EditError) {
      if attempt.tries > EditSession.maxTries {
        throw EditError(
          .busy, attempt.change.id, attempt.path,
          "Other programs save the file faster than it can be changed. Try again.")
      }
      try lockIDs(for: attempt.change.id)
      try stage(attempt, &path)
    } catch {
      // The batch keeps the replaced files on the disk until it is made durable.
      if error.code == .noSpace, !batch.isEmpty {
        commit()
        return self.attempt(attempt)
      }
      conclude(attempt, SaveOutcome(id: attempt.change.id, path: path ?? error.path, result: .failed(error)))
    }
  }

  /// Stages a change. An insertion that may be an update is retried if another program created or
  /// deleted the item in the meantime.
  private mutating func stage(_ attempt: EditAttempt, _ path: inout RelativePath?) throws(EditError) {
    var tries = mayUpdate(attempt.change) ? 5 : 1
    var round = (earlierRounds ?? 0) + attempt.tries
    while true {
      var target = try target(of: attempt.change)
      path = target.path
      try checkRename(of: target)
      if isThere(target) {
        var outcome = SaveOutcome(id: target.change.id, path: target.path, result: .unchanged)
        outcome.warnings = attempt.warnings + warnings
        warnings = []
        return conclude(attempt, outcome)
      }
      let isPrepared = preparations[attempt.number] != nil
      if isPrepared || round < EditSession.maxPreparations && isSlow(target) {
        // Later, the lists of the store wait for this save anyway, wherever its changes are worked out.
        if earlierRounds != nil, attempt.number == 0, !isPrepared {
          isStale = true
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
        if !target.isUpToDate(with: nil) { return false }
        conclude(attempt, renamed(outcome(of: try resolve(target, nil), target), attempt))
        return true
      }
      let held = try readSettled(target, in: folder)
      if let held { recordRead(held.content, at: target.path) }
      if !target.isUpToDate(with: held?.content) {
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
  /// overtook are tried again next.
  mutating func commit() {
    if batch.isEmpty { return }
    var finished = batch
    batch = SaveBatch()
    finished.write(below: locator.root, abilities)
    var made: [(attempt: EditAttempt, outcome: SaveOutcome, replaced: UnconfirmedChange?)] = []
    var overtaken: [EditAttempt] = []
    for entry in finished.entries {
      if case .made(.overtaken(let warnings)) = entry.step {
        var next = entry.attempt
        next.tries += 1
        next.warnings += warnings
        next.path = entry.target.path
        overtaken.append(next)
      } else {
        let (outcome, replaced) = result(of: entry)
        made.append((entry.attempt, outcome, replaced))
      }
    }
    // The locks end with the last reference to the folders.
    finished = SaveBatch()
    attempts += overtaken.reversed()
    for (attempt, outcome, replaced) in made {
      let outcome = renamed(outcome, attempt)
      if var replaced {
        replaced.outcome = outcome
        unconfirmed.append(replaced)
      } else {
        conclude(attempt, outcome)
      }
    }
  }

  /// Returns the outcome of a change that no other program overtook, with the replaced file if that
  /// must be checked again.
  private mutating func result(of entry: SaveBatch.Entry) -> (SaveOutcome, UnconfirmedChange?) {
    var outcome = entry.outcome
    switch entry.step {
    case .nothing, .place, .delete, .made(.overtaken): break
    case .failed(let failure):
      outcome.result = .failed(EditError(entry.target.change.id, entry.target.path, failure))
      outcome.saved = nil
    case .made(.done(let warnings, let file)):
      record(entry.resolved, entry.target)
      if let staged = entry.staged { recordWritten(staged, entry.resolved, at: entry.target.path) }
      removeMadeFolders(entry.attempt, outcome)
      outcome.warnings += warnings
      if let file, let copy = entry.saver.folder.reopened {
        return (
          outcome,
          UnconfirmedChange(
            attempt: entry.attempt, outcome: outcome, path: entry.target.path, file: file, folder: copy)
        )
      }
    }
    return (outcome, nil)
  }

  private mutating func renamed(_ outcome: SaveOutcome, _ attempt: EditAttempt) -> SaveOutcome {
    guard let newID = attempt.change.newID, outcome.error == nil else { return outcome }
    let outcome = renamed(outcome, to: newID)
    if outcome.error == nil, let made = attempt.change.undo?.made {
      MadeFolder.remove(made, below: locator.root)
    }
    return outcome
  }

  /// Removes the folders that a change created, after an undo deleted its file.
  func removeMadeFolders(_ attempt: EditAttempt, _ outcome: SaveOutcome) {
    guard outcome.result == .deleted, let made = attempt.change.undo?.made else { return }
    MadeFolder.remove(made, below: locator.root)
  }
}
