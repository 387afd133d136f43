import DirectoryWatch
import Glibc
import PlainText

/// A change that was made, and whose replaced file has to be checked again.
struct UnconfirmedChange {
  let number: Int
  /// How often the change was made before, and another program wrote to the file that it had replaced.
  let round: Int
  let change: PendingChange
  let outcome: SaveOutcome
  let file: ReplacedFile
  let folder: SaveFolder
  let time = ContinuousClock.now
}

/// The second look at replaced files, where leases do not tell whether another program has one open for writing.
///
/// One grace period serves all changes of a save. A program that writes later than that writes to a deleted file: Linux has no means to see it.
extension EditSession {
  /// As many replaced files are kept open at once.
  private static let mostUnconfirmed = 100
  /// So often a change is made again.
  private static let mostRounds = 5

  var isFull: Bool { unconfirmed.count >= EditSession.mostUnconfirmed }

  /// When `confirm` need not wait any more; nil where there is nothing to confirm.
  var confirmationTime: ContinuousClock.Instant? { unconfirmed.last.map { $0.time + abilities.grace } }

  /// Waits for the grace period, checks what was replaced, and deletes it where nobody wrote to it. Where somebody did, that text gets its name back and the change
  /// is made to it.
  ///
  /// - Returns: the outcomes of the changes by their numbers; of changes that were made again, later calls return them.
  mutating func confirm() -> [(number: Int, outcome: SaveOutcome)] {
    guard let time = confirmationTime else { return [] }
    // Nobody waits for a lock that is held during a pause.
    rootLock = nil
    while case let rest = time - .now, rest > .zero {
      usleep(UInt32(clamping: rest.components.attoseconds / 1_000_000_000_000 + rest.components.seconds * 1_000_000))
    }
    let changes = unconfirmed
    unconfirmed = []
    var outcomes: [(Int, SaveOutcome)] = []
    for change in changes {
      if let outcome = confirm(change) { outcomes.append((change.number, outcome)) }
    }
    return outcomes
  }

  /// Makes sure that nothing waits for another look.
  mutating func finish(_ tell: (Int, SaveOutcome) throws -> Void) rethrows {
    while !unconfirmed.isEmpty { for (number, outcome) in confirm() { try tell(number, outcome) } }
    rootLock = nil
  }

  private func settle(_ change: UnconfirmedChange, with saver: FileSaver) throws(SystemFailure) -> ReplacedFile.Finding {
    defer { change.folder.unlock() }
    return try change.file.settle(with: saver)
  }

  private mutating func confirm(_ change: UnconfirmedChange) -> SaveOutcome? {
    var outcome = change.outcome
    guard let path = outcome.path else { return outcome }
    let saver = FileSaver(folder: change.folder, directory: path.parent ?? .root, name: path.ownName, abilities: abilities)
    func failure(_ code: EditError.Code, _ message: String) -> SaveOutcome {
      var failed = SaveOutcome(id: outcome.id, path: path, result: .failed(EditError(code, outcome.id, path, message)))
      failed.warnings = outcome.warnings
      return failed
    }
    // A change that was made again may have acquired it, and the folder may be the root.
    rootLock = nil
    do throws(SystemFailure) {
      if try change.folder.lock(patience: patience) == .busy { throw SystemFailure("Locking its folder", EBUSY, consequence: "") }
      // Two locks are never held: another file of this folder may come next, or a writer who waits the other way round.
      let finding = try settle(change, with: saver)
      switch finding {
      case .unchanged(let warnings):
        outcome.warnings += warnings
        return outcome
      case .kept(let sentence):
        return failure(.conflict, "Another program wrote to the file while it was replaced. \(sentence) Compare it with the item.")
      case .restored(let warnings):
        self.warnings += warnings
        if change.file.placed == nil { return failure(.conflict, "Another program saved it while it was deleted. It was put back.") }
        if change.round >= EditSession.mostRounds {
          return failure(.busy, "Another program keeps writing to the file. Try again when it is done.")
        }
        return save(change.change, as: change.number, round: change.round + 1)
      }
    } catch {
      // The replaced file keeps its temporary name, and the next save decides.
      let names = change.file.kept.map { " The text that it replaced is in \(saver.path(of: $0))." } ?? ""
      outcome.warnings.append("Other programs' changes could not be looked for. \(error.sentence)\(names)")
      return outcome
    }
  }
}
