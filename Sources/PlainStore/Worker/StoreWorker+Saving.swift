import DirectoryWatch
import Glibc
import HashTreeCollections
import PlainText

/// A save that the worker has begun.
struct ActiveSave {
  var session: EditSession
  /// The changes that are still to be made, with their numbers.
  var rest: ArraySlice<(offset: Int, element: PendingChange)>
  var uniqueness: UniquenessCheck
  /// The outcomes, by the numbers of the changes; nil if an outcome is not known yet.
  var outcomes: [SaveOutcome?]
  /// The turn that these changes have among the updates of their items.
  let turn: UpdateTurn?
  let reply: CheckedContinuation<Result<SaveReport, StoreError>, Never>
}

extension StoreWorker {
  /// Makes as many changes of a new save as fit into one update.
  func save(
    _ changes: [PendingChange], _ policy: MergePolicy?, _ turn: UpdateTurn?,
    _ reply: CheckedContinuation<Result<SaveReport, StoreError>, Never>
  ) {
    var session: EditSession
    do throws(StoreError) {
      session = try editor.session(policy)
    } catch {
      return reply.resume(returning: .failure(error))
    }
    session.patience = min(session.patience, options.watch.maxWait)
    session.begin(changes)
    lastSave += 1
    let outcomes = [SaveOutcome?](repeating: nil, count: changes.count)
    advance(
      ActiveSave(
        session: session, rest: Array(changes.enumerated())[...], uniqueness: UniquenessCheck(changes), outcomes: outcomes, turn: turn,
        reply: reply),
      number: lastSave)
  }

  /// Continues a save that has waited.
  func resume(save number: Int) {
    guard var save = saves.removeValue(forKey: number) else { return }
    if save.rest.isEmpty {
      var dirty = DirtyPaths()
      dirty.since = .now
      confirm(&save, &dirty)
    }
    advance(save, number: number)
  }

  /// Does the next part of a save, and answers it after the last.
  private func advance(_ save: ActiveSave, number: Int) {
    var save = save
    if !save.rest.isEmpty {
      writeChanges(of: &save)
      // Other programs get the lock of the root while nothing is written.
      save.session.rootLock = nil
      if save.rest.isEmpty, save.outcomes.allSatisfy({ $0?.error == nil }) { save.turn?.end() }
    }
    if !save.rest.isEmpty {
      saves[number] = save
      // Sent after all waiting messages: other saves and dirty paths come first.
      messages.send(.resume(save: number))
    } else if let time = save.session.confirmationTime {
      saves[number] = save
      executor.run(after: ContinuousClock.now.duration(to: time)) { [messages] in messages.send(.resume(save: number)) }
    } else {
      save.reply.resume(returning: .success(SaveReport(outcomes: save.outcomes.compactMap { $0 })))
    }
  }

  /// Makes changes until there are enough for one update, and gives that to the lists.
  private func writeChanges(of save: inout ActiveSave) {
    var dirty = DirtyPaths()
    dirty.since = .now
    let end = ContinuousClock.now + options.watch.maxWait
    save.uniqueness.reset()
    repeat {
      guard !save.session.isFull, let (number, change) = save.rest.popFirst() else { break }
      let path = contents.model.items[change.id]?.path
      if let error = save.uniqueness.error(of: change, among: contents.model.items.lazy.map(\.value), path: path) {
        save.uniqueness.record(change, hasFailed: true)
        save.outcomes[number] = SaveOutcome(id: change.id, path: path, result: .failed(error))
        continue
      }
      save.session.save(change, as: number)
      // The check of the next change must know if this one has failed.
      if !change.uniqueValues.isEmpty { save.session.flush() }
      record(&save, &dirty)
      save.uniqueness.record(change, hasFailed: save.outcomes[number]?.error != nil)
    } while ContinuousClock.now < end
    save.session.flush()
    record(&save, &dirty)
    for change in save.session.unconfirmed { dirty.files.formUnion(change.outcome.paths) }
    scan(dirty, isCertain: true)
    if save.session.isFull { confirm(&save, &dirty) }
  }

  /// Records the outcomes that are known, and the paths that they may have changed.
  private func record(_ save: inout ActiveSave, _ dirty: inout DirtyPaths) {
    for (number, outcome) in save.session.outcomes() {
      save.outcomes[number] = outcome
      // A failed change is read, too: another program may have written it, or a part may be done.
      if outcome.result != .unchanged { dirty.files.formUnion(outcome.paths) }
      // The lists stand still during a wait, so only the first change waits long for a lock.
      if outcome.error?.code == .busy { save.session.patience = min(save.session.patience, .milliseconds(100)) }
    }
  }

  private func confirm(_ save: inout ActiveSave, _ dirty: inout DirtyPaths) {
    dirty.files = Set(save.session.unconfirmed.flatMap { $0.outcome.paths + [$0.path] })
    save.session.confirm()
    record(&save, &dirty)
    scan(dirty, isCertain: true)
  }
}
