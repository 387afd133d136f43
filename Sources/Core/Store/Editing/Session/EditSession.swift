import Glibc

/// One save of several changes, in a folder that stays open all the while: its settings are read once, and
/// the ids of its items at most once. `begin` takes the changes, and each `next` returns an outcome.
///
/// A change goes this way:
///
/// 1. locate the file of the item, work the change out if that may take long, lock the folder, and read
///    the file once, into a `FileContent`,
/// 2. resolve the change to a `ResolvedEdit`, whose text was verified when it was made, and write that
///    text under a temporary name,
/// 3. with the other changes of the `SaveBatch`: write all texts to the disk, put them in place of their
///    files, and write the folders to the disk,
/// 4. move the file, if the item is renamed (`+Renaming`),
/// 5. check the replaced file again after a grace period (`+Confirming`).
///
/// Locks are advisory, of folders (`flock`), and acquired in one order: first the root, where ids
/// are fields, then the folder of the item. A move locks both folders in a fixed order. A batch
/// keeps several folders locked, but never waits for one while it does. No closure of a caller runs
/// while the folder of an item is locked or a lease is held.
package struct EditSession {
  var locator: ItemLocator
  let resolver: EditResolver
  let abilities: FileSaver.Abilities
  let knownFolders: KnownFolders

  /// The changes that are still to be made, the next one last.
  var attempts: [EditAttempt] = []
  var batch = SaveBatch()
  /// Changes whose replaced files must be checked again.
  var unconfirmed: [UnconfirmedChange] = []
  /// The outcomes since `ready` was filled, in any order.
  var known: [SaveOutcome] = []
  /// The outcomes for the caller, the next one last.
  var ready: [SaveOutcome] = []
  var warnings: [String] = []
  /// True if several changes wait for each other, to be made durable together.
  var usesBatches = false
  /// True if the texts of a batch are synced together.
  var sharesSync = false

  /// Items that did not appear although the session waited for them.
  var absent: Set<Item.ID> = []
  /// The items of the changes that were not tried yet, if there are several changes.
  var expected: Set<Item.ID> = []
  /// The lock of the root, where ids are fields: no single folder knows all ids, so it keeps our
  /// writers apart from the reading of all ids to the writing of one.
  ///
  /// It is acquired before the lock of any folder, and never while one is held. `isHeld` is false if
  /// folders cannot be locked here; at `end` other writers get a turn.
  var rootLock: (folder: SaveFolder, isHeld: Bool, end: ContinuousClock.Instant)?
  var patience = Duration.seconds(30)
  /// For each device, whether its file system grants leases.
  var grantsLeases: [UInt64: Bool] = [:]
  package lazy var newItems = NewItems(in: locator, context: .current(), cache: knownFolders)

  // A store sets these. They are nil or empty without a store.

  var uniqueness: UniquenessCheck?
  /// The effects of slow changes that were computed before the session, by their numbers.
  var preparations: [Int: EditTarget] = [:]
  /// The number of rounds in which that was made before.
  var earlierRounds: Int?
  /// True if the first change has to be worked out again before anything is written.
  var isStale = false
  /// The files as this session read or wrote them last, for the lists; nil if nobody asks.
  var written: [RelativePath: ReadAhead.EarlyFile]?

  /// The journal of a save that is made completely or not at all; nil for others.
  var journal: Journal?
  /// True if a change failed.
  var hasFailed = false
  /// The files that had the text of an interrupted save, and were put back.
  var recovered: [RelativePath] = []

  static let maxTries = 200
  /// The longest wait for a program that has the file open for writing.
  static let maxWriteTime = Duration.seconds(3)

  package var limits: ReadLimits { locator.options.limits }

  /// Opens the folder and reads its settings. A nil policy is that of the options.
  package init(_ root: RootPath, _ options: StoreOptions, policy: MergePolicy? = nil) throws(StoreError) {
    try self.init(root, options, policy, FileSaver.Abilities(), KnownFolders())
  }

  init(
    _ root: RootPath, _ options: StoreOptions, _ policy: MergePolicy?, _ abilities: FileSaver.Abilities,
    _ knownFolders: KnownFolders
  ) throws(StoreError) {
    let folder = try OpenFolder(root.absolute, named: root.given)
    let settings = try options.readSettings(in: folder, named: root.given).settings
    locator = ItemLocator(root, folder, settings, options)
    resolver = EditResolver(
      policy: policy ?? options.mergePolicy, rules: settings.mergeRules, limits: options.limits)
    self.abilities = abilities
    self.knownFolders = knownFolders
  }

  /// Makes a session in the same open folder, for changes of its own. With `byPath`, the ids of its items are
  /// their paths, whatever the settings say.
  init(beside other: EditSession, byPath: Bool) {
    (locator, resolver) = (other.locator, other.resolver)
    (abilities, knownFolders) = (other.abilities, other.knownFolders)
    if byPath {
      var options = locator.options
      options.idFields = []
      locator = ItemLocator(locator.path, locator.root, Settings(), options)
    }
  }

  package mutating func reopen() throws(StoreError) {
    self = try EditSession(locator.path, locator.options, resolver.policy, abilities, knownFolders)
  }
}

struct EditAttempt {
  let change: PendingChange
  let number: Int
  /// The number of times that the change was made and another program wrote to the replaced file.
  var round = 0
  var tries = 0
  var warnings: [String] = []
  var path: RelativePath?

  /// True if the change was made before. It is made again before all changes that follow it.
  var isRepeated: Bool { round > 0 || tries > 0 }

  /// True if no change may be in the same batch.
  var followsOthers: Bool { isRepeated || change.newID != nil }
}

/// The steps of a save.
///
/// `next` makes changes until an outcome is known. A few changes are made one by one, so that each
/// is reported as soon as it is made. Many are collected in a batch, which `commit` makes durable. A
/// batch keeps several folders locked, so it is committed before anything that may take long:
/// waiting for another program, the grace period of replaced files, and the caller's code.
extension EditSession {
  package mutating func begin(_ scope: EditScope) {
    recover()
    begin(scope.changes)
  }

  /// Does not recover: a store does so before, to read what came back.
  mutating func begin(_ changes: [PendingChange]) {
    selectLocator(for: changes)
    attempts = changes.enumerated().reversed().map { EditAttempt(change: $1, number: $0) }
    sharesSync = changes.count >= abilities.batchCount
    usesBatches = sharesSync
    expect(changes)
  }

  /// Prepares for the changes that a store saves: with what was worked out for slow changes in earlier
  /// `rounds`, by their numbers, and with patience for all changes together. `recordsFiles` is true to
  /// record the files as they are read and written.
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

  /// The changes of a save are all of items, or all of the settings.
  mutating func selectLocator(for changes: [PendingChange]) {
    if changes.contains(where: \.isOfSettings) { locator = locator.ofSettings }
  }

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

  /// Makes changes until the outcome of one is known; nil if the outcomes of all are known. Call it until
  /// then, or call `cancel`: replaced files may have to be checked again.
  ///
  /// The folder of the item is not locked when this returns. Where ids are fields, the lock of the root
  /// may be held until the last change is made: releasing it for every change would mean reading the
  /// ids of all files again.
  package mutating func next() -> SaveOutcome? {
    while true {
      if let outcome = nextWithoutGrace() { return outcome }
      if unconfirmed.isEmpty { return nil }
      confirm()
    }
  }

  /// As `next`, but nil if the other outcomes are known only after the grace period of replaced files.
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
    if journal != nil, hasFailed { return giveUp() }
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
    if journal != nil, outcome.result == .discarded {
      outcome.result = .failed(
        EditError(
          .conflict, outcome.id, outcome.path,
          "Another program changed it, the policy keeps that, and this save is all or nothing."))
    }
    if outcome.error != nil { hasFailed = true }
    known.append(outcome)
    // The lists of a store stand still during a wait, so only the first change waits long for a lock,
    // and all of them together hardly longer.
    if earlierRounds != nil, outcome.error?.code == .busy { patience = min(patience / 2, .milliseconds(100)) }
  }

  private mutating func attempt(_ attempt: EditAttempt) {
    var path: RelativePath?
    expected.remove(attempt.change.id)
    do throws(EditError) {
      if attempt.tries > EditSession.maxTries {
        throw EditError(
          .busy, attempt.change.id, attempt.path,
          "Other programs save the file faster than it can be changed.", advice: "Try again.")
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
      // Another item had this file.
      if batch.paths.contains(target.path) { commit() }
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
        if earlierRounds != nil, attempt.number == 0, !attempt.isRepeated, !isPrepared {
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

  /// True if the change only checks that the item exists, and its file does: that needs no lock and no text.
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
}
