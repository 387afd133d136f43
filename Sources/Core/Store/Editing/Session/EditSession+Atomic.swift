import Glibc

/// Saves that are made completely or not at all.
///
/// All changes are resolved and written under temporary names first, as far as none depends on an earlier
/// one. So most errors are found before a file is changed. After any other error, each file that was changed
/// gets its old text back, unless another program has changed it since. If the program is killed, the next
/// session does that (`Journal`).
extension EditSession {
  /// Makes all changes of `begin`, or none. Waits for the grace period of replaced files.
  mutating func makeAllOrNone() -> [SaveOutcome] {
    let changes = attempts.reversed().map(\.change)
    do throws(Problem) {
      guard let root = try SaveFolder.open(.root, below: locator.root) else {
        throw Problem("Opening the root", ENOENT)
      }
      journal = try Journal.begin(in: root, patience: patience)
      if journal == nil {
        recover()
        journal = try Journal.begin(in: root, patience: patience)
      }
      if journal == nil {
        throw Problem(
          path: Journal.name,
          message: (["An interrupted save could not be taken back yet."] + warnings).joined(separator: " "))
      }
    } catch {
      attempts = []
      return changes.enumerated().map { number, change in
        let path = error.path == Journal.name ? Journal.name : change.revision?.path ?? Journal.name
        return failure(of: change, number, EditError(change.id, path, error))
      }
    }
    usesBatches = true
    var outcomes: [SaveOutcome] = []
    while let outcome = next() { outcomes.append(outcome) }
    if isStale || !hasFailed {
      journal?.end()
    } else {
      outcomes = putBack(outcomes, of: changes)
    }
    journal = nil
    return outcomes
  }

  /// Gives up the changes that were not made yet, with those that are only written under temporary names.
  mutating func giveUp() {
    attempts = []
    batch.drop(below: locator.root)
    batch = SaveBatch()
  }

  private mutating func putBack(_ outcomes: [SaveOutcome], of changes: [PendingChange]) -> [SaveOutcome] {
    written = written.map { _ in [:] }
    let made = outcomes.filter { $0.saved != nil }.sorted { $0.number > $1.number }
    let errors = undo(made.compactMap(\.saved))
    let rest = made.enumerated().filter { errors[$0.offset]?.isFinal == false }.compactMap(\.element.saved)
    if let journal { end(journal, keeping: rest.reversed()) }
    let undone = Dictionary(uniqueKeysWithValues: made.enumerated().map { ($1.number, errors[$0]) })
    let known = Dictionary(uniqueKeysWithValues: outcomes.map { ($0.number, $0) })
    return changes.enumerated().map { number, change in
      guard var outcome = known[number] else { return failure(of: change, number, .rolledBack(change)) }
      if let error = undone[number] ?? nil {
        outcome.warnings.append("The save is all or nothing, but this change stays. \(error.message)")
      } else if let saved = outcome.saved {
        if outcome.error == nil { outcome = failure(of: change, number, .rolledBack(change)) }
        outcome.saved = nil
        outcome.oldPath = saved.path
      }
      return outcome
    }
  }

  private func failure(of change: PendingChange, _ number: Int, _ error: EditError) -> SaveOutcome {
    var outcome = SaveOutcome(id: change.id, path: error.path, result: .failed(error))
    outcome.number = number
    return outcome
  }

  /// Takes changes back, in this order. Returns the errors by the places of the changes.
  private func undo(_ changes: [SavedChange], byPath: Bool = false) -> [Int: EditError] {
    var errors: [Int: EditError] = [:]
    var session = EditSession(beside: self, byPath: byPath)
    session.patience = EditSession.maxWriteTime
    session.begin(changes.map(\.inverse))
    while let outcome = session.next() {
      errors[outcome.number] = outcome.error
      // All of them together hardly wait longer than one.
      if outcome.error?.code == .busy { session.patience = .milliseconds(100) }
    }
    return errors
  }

  /// Ends a journal. What another program changed stays; changes that could not be taken back for another
  /// reason are left to the next writer.
  private mutating func end(_ journal: Journal, keeping rest: [SavedChange]) {
    if rest.isEmpty { return journal.end() }
    do throws(Problem) { try journal.keep(rest) } catch {
      warnings.append("\(Journal.name): \(error.message)")
    }
  }
}

/// Taking back a save that was interrupted.
extension EditSession {
  /// Puts the files of an interrupted save back, and ends its journal.
  mutating func recover() {
    do throws(Problem) {
      guard let root = try SaveFolder.open(.root, below: locator.root),
        let (journal, changes) = try Journal.interrupted(in: root)
      else { return }
      var unread: [SavedChange] = []
      let made = made(of: changes, &unread)
      let errors = undo(made, byPath: true)
      recovered = made.flatMap { [$0.path, $0.oldPath].compactMap { $0 } }
      let rest = made.enumerated().filter { errors[$0.offset]?.isFinal == false }.map(\.element)
      end(journal, keeping: (unread + rest).reversed())
      for path in Set(changes.map { $0.path.parent ?? .root }) {
        guard let folder = try SaveFolder.open(path, below: locator.root) else { continue }
        if try folder.lock(patience: .zero) == .held { sweep(folder, path) }
      }
      if errors.count < made.count {
        warnings.append("An interrupted save was taken back: \(Journal.names(made.map(\.path))).")
      }
      warnings += errors.values.map { "Taking back an interrupted save: \($0)" }.sorted()
    } catch {
      warnings.append("\(Journal.name): \(error.message)")
    }
  }

  /// Returns the changes of a journal that were made, the last one first. A file that another program has
  /// changed since is left as it is. `unread` gets those of files that cannot be read now.
  private mutating func made(of changes: [SavedChange], _ unread: inout [SavedChange]) -> [SavedChange] {
    // The texts as they are when the later changes have been taken back.
    var texts: [RelativePath: [UInt8]?] = [:]
    var made: [SavedChange] = []
    for change in changes.reversed() {
      let isLast = texts[change.path] == nil
      let text: [UInt8]?
      do throws(Problem) {
        text = if let known = texts[change.path] { known } else { try bytes(at: change.path) }
      } catch {
        warnings.append("\(change.path): \(error.message)")
        unread.append(change)
        continue
      }
      texts[change.path] = .some(text)
      if text == change.new?.bytes {
        texts[change.path] = .some(change.oldPath == nil ? change.old : nil)
        if let path = change.oldPath { texts[path] = .some(change.old) }
        made.append(change)
      } else if isLast, text != (change.oldID == nil ? change.old : nil) {
        // Otherwise it was not made: the journal is written first, and another program may have been faster.
        warnings.append(
          "\(change.path): Another program has changed it since a save was interrupted, so it stays as it is."
        )
      }
    }
    return made
  }

  private func bytes(at path: RelativePath) throws(Problem) -> [UInt8]? {
    guard let file = try locator.root.openFile(path) else { return nil }
    return try file.bytes(within: limits)
  }
}

extension EditError {
  fileprivate static func rolledBack(_ change: PendingChange) -> EditError {
    EditError(
      .rolledBack, change.id, change.revision?.path,
      "It was not saved, because another change of the same save failed.")
  }

  /// True if another try would fail in the same way.
  fileprivate var isFinal: Bool { [.conflict, .notFound, .exists].contains(code) }
}

extension SavedChange {
  /// The path before a rename by which ids are paths; nil without one.
  fileprivate var oldPath: RelativePath? {
    oldID.flatMap { try? $0.filePath("." + PseudoField.split(path.name).ext) }
  }
}
