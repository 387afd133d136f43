struct ActiveSave {
  var session: EditSession
  var outcomes: [SaveOutcome] = []
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
    session.recover()
    if !session.recovered.isEmpty { scan(DirtyPaths(files: Set(session.recovered)), isCertain: true) }
    session.begin(
      request.changes, knowing: request.preparations, afterRounds: request.rounds,
      unique: UniquenessCheck(request.changes, among: contents.model.items), patience: options.watch.maxWait,
      // Without a watch, nothing would report a later change that leaves the stamp as it is.
      recordsFiles: watch != nil)
    var save = ActiveSave(session: session, reply: reply)
    var dirty = DirtyPaths()
    dirty.since = .now
    if request.isAtomic {
      add(save.session.makeAllOrNone(), to: &save, &dirty)
    } else {
      proceed(&save, &dirty)
    }
    if save.session.isStale { return reply.resume(returning: .success(.slow([0]))) }
    for change in save.session.unconfirmed { dirty.files.formUnion(change.outcome.paths) }
    publish(&save, dirty)
    if save.outcomes.allSatisfy({ $0.error == nil }) { request.turn?.end() }
    lastSave += 1
    finish(save, number: lastSave)
  }

  private func slowChanges(_ changes: [PendingChange]) -> Set<Int> {
    Set(
      changes.indices.filter {
        changes[$0].isSlow(forFileOf: contents.model.items[changes[$0].id]?.stamp.size ?? 0)
      })
  }

  func resume(save number: Int) {
    guard var save = saves.removeValue(forKey: number) else { return }
    var dirty = DirtyPaths()
    dirty.since = .now
    dirty.files = Set(save.session.unconfirmed.flatMap { $0.outcome.paths + [$0.path] })
    save.session.confirm()
    proceed(&save, &dirty)
    publish(&save, dirty)
    finish(save, number: number)
  }

  /// Answers a save, after the grace period of the files that it has replaced.
  private func finish(_ save: ActiveSave, number: Int) {
    guard let time = save.session.confirmationTime else {
      return save.reply.resume(returning: .success(.made(SaveReport(of: save.outcomes))))
    }
    saves[number] = save
    executor.run(after: ContinuousClock.now.duration(to: time)) { [messages] in
      messages.send(.resume(save: number))
    }
  }

  /// Makes the changes, as far as no grace period is needed, and collects the paths they may have changed.
  private func proceed(_ save: inout ActiveSave, _ dirty: inout DirtyPaths) {
    while let outcome = save.session.nextWithoutGrace() { add([outcome], to: &save, &dirty) }
  }

  private func add(_ outcomes: [SaveOutcome], to save: inout ActiveSave, _ dirty: inout DirtyPaths) {
    save.outcomes += outcomes
    // A failed change is read, too: another program may have written it, or a part may be done.
    for outcome in outcomes where outcome.result != .unchanged { dirty.files.formUnion(outcome.paths) }
  }

  private func publish(_ save: inout ActiveSave, _ dirty: DirtyPaths) {
    scan(dirty, isCertain: true, early: save.session.consumeWritten())
    for outcome in save.outcomes {
      guard let saved = outcome.saved, let text = saved.new, text.bytes.count > Value.quickSize else {
        continue
      }
      ownText = (saved.path, text)
    }
  }
}
