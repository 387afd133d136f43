import Files
import Folder
import Glibc
import HashTreeCollections
import Values
import Watch

/// A save that the worker has begun.
struct ActiveSave {
  var session: EditSession
  /// The outcomes, by the numbers of the changes; nil if an outcome is not known yet.
  var outcomes: [SaveOutcome?]
  let reply: CheckedContinuation<Result<SaveAnswer, StoreError>, Never>
}

extension StoreWorker {
  /// Makes the changes of a save, and gives them to the lists as one step.
  ///
  /// The worker handles no other message meanwhile. So the lists stand still until the save is
  /// complete, and follow again however it ends.
  func save(_ request: SaveRequest, _ reply: CheckedContinuation<Result<SaveAnswer, StoreError>, Never>) {
    let slow = request.rounds == 0 ? slowChanges(request.changes) : []
    if !slow.isEmpty { return reply.resume(returning: .success(.slow(slow))) }
    var session: EditSession
    do throws(StoreError) {
      session = try editor.session(request.policy)
    } catch {
      return reply.resume(returning: .failure(error))
    }
    session.patience = min(session.patience, options.watch.maxWait)
    session.preparations = request.preparations
    session.rounds = max(0, request.rounds - 1)
    // Without a watch, nothing would report a later change that leaves the stamp as it is.
    session.written = watch == nil ? nil : [:]
    session.begin(request.changes)
    var save = ActiveSave(session: session, outcomes: [SaveOutcome?](repeating: nil, count: request.changes.count), reply: reply)
    guard write(request.changes, of: &save) else { return reply.resume(returning: .success(.slow(save.session.stale))) }
    if save.outcomes.allSatisfy({ $0?.error == nil }) { request.turn?.end() }
    lastSave += 1
    finish(save, number: lastSave)
  }

  /// Returns the numbers of the changes that may take long to work out.
  private func slowChanges(_ changes: [PendingChange]) -> Set<Int> {
    Set(changes.indices.filter { changes[$0].isSlow(forFileOf: contents.model.items[changes[$0].id]?.stamp.size ?? 0) })
  }

  /// Continues a save whose grace period is over.
  func resume(save number: Int) {
    guard var save = saves.removeValue(forKey: number) else { return }
    var dirty = DirtyPaths()
    dirty.since = .now
    dirty.files = Set(save.session.unconfirmed.flatMap { $0.outcome.paths + [$0.path] })
    save.session.confirm()
    publish(&save, dirty)
    finish(save, number: number)
  }

  /// Answers a save, after the grace period of the files that it has replaced.
  private func finish(_ save: ActiveSave, number: Int) {
    guard let time = save.session.confirmationTime else {
      return save.reply.resume(returning: .success(.made(SaveReport(outcomes: save.outcomes.compactMap { $0 }))))
    }
    saves[number] = save
    executor.run(after: ContinuousClock.now.duration(to: time)) { [messages] in messages.send(.resume(save: number)) }
  }

  /// Makes changes and gives them to the lists. Returns false if nothing was written because the first
  /// change has to be worked out first.
  private func write(_ changes: [PendingChange], of save: inout ActiveSave) -> Bool {
    var dirty = DirtyPaths()
    dirty.since = .now
    var uniqueness = UniquenessCheck(changes)
    for (number, change) in changes.enumerated() {
      let path = contents.model.items[change.id]?.path
      if let error = uniqueness.error(of: change, among: contents.model.items.lazy.map(\.value), path: path) {
        uniqueness.record(change, hasFailed: true)
        save.outcomes[number] = SaveOutcome(id: change.id, path: path, result: .failed(error))
        continue
      }
      // Later, the lists wait for this save anyway, wherever its changes are worked out.
      save.session.keepsStale = number == 0
      save.session.save(change, as: number)
      if save.session.stale.contains(number) { return false }
      // The check of the next change must know if this one has failed.
      if !change.uniqueValues.isEmpty { save.session.flush() }
      if save.session.isFull { save.session.confirm() }
      record(&save, &dirty)
      uniqueness.record(change, hasFailed: save.outcomes[number]?.error != nil)
    }
    save.session.keepsStale = false
    save.session.flush()
    for change in save.session.unconfirmed { dirty.files.formUnion(change.outcome.paths) }
    publish(&save, dirty)
    return true
  }

  /// Gives the lists what a save has written.
  private func publish(_ save: inout ActiveSave, _ dirty: DirtyPaths) {
    var dirty = dirty
    record(&save, &dirty)
    // Other programs get the lock of the root while nothing is written.
    save.session.rootLock = nil
    scan(dirty, isCertain: true, early: save.session.written ?? [:])
    if save.session.written != nil { save.session.written = [:] }
    for outcome in save.outcomes {
      guard let saved = outcome?.saved, let text = saved.new, text.bytes.count > Value.quickSize else { continue }
      ownText = (saved.path, text)
    }
  }

  /// Records the outcomes that are known, and the paths that they may have changed.
  private func record(_ save: inout ActiveSave, _ dirty: inout DirtyPaths) {
    for (number, outcome) in save.session.outcomes() {
      save.outcomes[number] = outcome
      // A failed change is read, too: another program may have written it, or a part may be done.
      if outcome.result != .unchanged { dirty.files.formUnion(outcome.paths) }
      // The lists stand still during a wait, so only the first change waits long for a lock, and all
      // of them together hardly longer.
      if outcome.error?.code == .busy { save.session.patience = min(save.session.patience / 2, .milliseconds(100)) }
    }
  }
}
