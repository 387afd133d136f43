import Glibc

struct UnconfirmedChange {
  let attempt: EditAttempt
  var outcome: SaveOutcome
  let path: RelativePath
  let file: ReplacedFile
  let folder: SaveFolder
  let time = ContinuousClock.now
}

/// Checking replaced files again, where leases cannot show whether another program has one open for writing.
///
/// One grace period serves all changes of a save. A program that writes after it writes to a
/// deleted file; Linux has no means to detect that.
extension EditSession {
  private static let maxUnconfirmed = 100
  /// The number of times that a change is made again. Another program may write to the file in a loop.
  private static let maxRounds = 5

  var isFull: Bool { unconfirmed.count >= EditSession.maxUnconfirmed }

  /// The time from which `confirm` does not have to wait; nil if there is nothing to confirm.
  var confirmationTime: ContinuousClock.Instant? { unconfirmed.last.map { $0.time + abilities.grace } }

  /// Waits for the grace period and checks the replaced files. One that no program wrote to is
  /// deleted. Otherwise that text gets its name back, and the change is the next one to be made, to
  /// that text; the next call checks what that replaced.
  mutating func confirm() {
    commit()
    guard let time = confirmationTime else { return }
    // No other writer should wait during this pause, and the folder of a change may be the root.
    rootLock = nil
    while case let rest = time - .now, rest > .zero {
      usleep(
        UInt32(
          clamping: rest.components.attoseconds / 1_000_000_000_000 + rest.components.seconds * 1_000_000))
    }
    let changes = unconfirmed
    unconfirmed = []
    var again: [EditAttempt] = []
    for change in changes {
      if let outcome = confirm(change, &again) { conclude(change.attempt, outcome) }
    }
    attempts += again.reversed()
  }

  private func confirm(_ change: UnconfirmedChange, _ again: inout [EditAttempt]) -> SaveOutcome? {
    var outcome = change.outcome
    let path = change.path
    let saver = saver(of: path, in: change.folder)
    func failure(_ code: ErrorCode, _ message: String, advice: String? = nil) -> SaveOutcome {
      var failed = SaveOutcome(
        id: outcome.id, path: path,
        result: .failed(EditError(code, outcome.id, path, message, advice: advice)))
      failed.warnings = outcome.warnings
      return failed
    }
    do throws(Problem) {
      if try change.folder.lock(patience: patience) == .busy {
        throw Problem("Locking its folder", EBUSY, consequence: "")
      }
      // Unlocked before the change is made again: that locks the folder itself.
      defer { change.folder.unlock() }
      switch try change.file.settle(with: saver) {
      case .unchanged(let warnings):
        outcome.warnings += warnings
        removeMadeFolders(change.attempt, outcome)
        return outcome
      case .kept(let sentence):
        var failed = failure(
          .conflict,
          "Another program wrote to the file while it was being replaced. \(sentence)",
          advice: "Compare it with the item.")
        if journal != nil { failed.saved = outcome.saved }
        return failed
      case .restored(let warnings):
        if change.file.placed == nil {
          return failure(
            .conflict, "Another program saved the file while it was being deleted. The file was restored.")
        }
        if change.attempt.round >= EditSession.maxRounds {
          return failure(
            .busy, "Another program keeps writing to the file.", advice: "Try again when it is done.")
        }
        let attempt = change.attempt
        again.append(
          EditAttempt(
            change: attempt.change, number: attempt.number, round: attempt.round + 1, warnings: warnings))
        return nil
      }
    } catch {
      // The replaced file keeps its temporary name, and the next save decides.
      let names = change.file.kept.map { " The replaced text is in \(saver.path(of: $0))." } ?? ""
      outcome.warnings.append(
        "The replaced file could not be checked for changes by other programs. \(error.message)\(names)")
      return outcome
    }
  }
}

/// A file that was replaced or deleted while programs that have it open for writing could not be detected.
///
/// It keeps a temporary name until a grace period is over. Then `settle` checks if a program wrote
/// to it in the meantime.
struct ReplacedFile {
  let held: HeldFile
  /// Its temporary name; nil if the file system could not give it one.
  let kept: RelativePath?
  /// The stamp of the file that took its place; nil if it was deleted.
  let placed: FileStamp?

  enum Finding {
    /// No program wrote to it. It is deleted.
    case unchanged(warnings: [String])
    /// Another program wrote to it. It has the item's name again.
    case restored(warnings: [String])
    /// Another program wrote to it, but its name is taken. The sentence says where the text is.
    case kept(String)
  }

  func settle(with saver: FileSaver) throws(Problem) -> Finding {
    guard let kept else { return try settleWithoutName(saver) }
    guard saver.folder.stamp(of: kept) != nil else {
      // A person deleted it; its content can still be read.
      return try settleWithoutName(saver)
    }
    if held.isUntouched(at: kept, in: saver.folder) { return .unchanged(warnings: saver.remove(kept)) }
    return restore(kept, with: saver)
  }

  private func settleWithoutName(_ saver: FileSaver) throws(Problem) -> Finding {
    guard let text = try held.changedBytes() else { return .unchanged(warnings: []) }
    let name = TemporaryName.old(held.content, new: nil)
    _ = try saver.write(text, as: name, mode: 0o600) { file throws(Problem) in
      try FileSaver.copyAttributes(from: held.descriptor, to: file)
    }
    return restore(name, with: saver)
  }

  private func restore(_ kept: RelativePath, with saver: FileSaver) -> Finding {
    guard let placed else {
      var warnings: [String] = []
      return saver.rename(kept, toFreeName: &warnings) == 0
        ? .restored(warnings: warnings) : .kept(saver.kept(in: kept))
    }
    guard saver.folder.stamp(of: saver.name).map({ placed.isUntouched($0) }) ?? false else {
      return .kept(saver.kept(in: kept))
    }
    guard saver.abilities.exchanges, saver.folder.exchange(kept, saver.name) == 0 else {
      return .kept(saver.kept(in: kept))
    }
    if saver.folder.stamp(of: kept).map({ placed.isUntouched($0) }) ?? false {
      return .restored(warnings: saver.remove(kept))
    }
    // Another program was faster. Its file and the other text both stay.
    _ = saver.folder.exchange(kept, saver.name)
    return .kept(saver.kept(in: kept))
  }
}
